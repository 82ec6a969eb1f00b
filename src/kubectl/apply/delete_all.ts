import {
  abortable,
  parallelizeUntil,
  requireCount,
  requireMethods,
  toError,
} from "../../base/mod.ts";
import { type Client, deleted, NoMatchError } from "../../client/mod.ts";
import { isNotFound, type ResourceDescriptor } from "../../types/mod.ts";
import type { ApplyAllOptions } from "./apply_all.ts";
import { rankOf } from "./kind_order.ts";
import { type Manifest, type Manifests, readManifests } from "./manifests.ts";
import { ApplyError, type ApplyResult } from "./results.ts";

const DEFAULT_CONCURRENCY = 8;

/** Options of {@linkcode deleteAll}. */
export interface DeleteAllOptions
  extends Pick<ApplyAllOptions, "concurrency" | "dryRun" | "namespace" | "signal"> {
  /** Whether to wait until the objects are gone. Default false. */
  readonly wait?: boolean | undefined;
}

/** What happened to an object that was to be deleted. */
export interface DeleteResult
  extends Pick<ApplyResult, "apiVersion" | "kind" | "name" | "namespace" | "error"> {
  /** `absent`: there was no such object. */
  readonly status: "deleted" | "absent" | "failed";
}

/**
 * Deletes the objects that {@linkcode applyAll} applies, in the reverse order. An object that fails does not stop the others.
 *
 * @param client The client that makes the requests.
 * @param input YAML or JSON text, objects, or an iterable of them.
 * @param options The namespace, and what else to do.
 * @returns What happened to each object, in the order in which they were deleted.
 * @throws {ApplyError} If objects failed. Its `results` are those of all objects.
 *
 * @example
 * ```ts
 * import { Client } from "@kubeloop/controller/client";
 * import { applyAll, deleteAll } from "@kubeloop/controller/kubectl";
 * import { ApiServer } from "@kubeloop/testing";
 * import { assertEquals } from "@std/assert";
 *
 * await using server = new ApiServer();
 * await using client = new Client(server.clientOptions);
 * const colors = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "colors" } };
 * await applyAll(client, colors);
 * assertEquals((await deleteAll(client, colors)).map(({ status }) => status), ["deleted"]);
 * assertEquals((await deleteAll(client, colors)).map(({ status }) => status), ["absent"]);
 * ```
 */
export async function deleteAll(
  client: Client,
  input: Manifests,
  options: DeleteAllOptions = {},
): Promise<DeleteResult[]> {
  requireMethods("a client, such as new Client(await loadConfig())", client, "delete", "waitFor");
  const { concurrency = DEFAULT_CONCURRENCY, signal } = options;
  requireCount("concurrency", concurrency, 1);
  const manifests = await abortable(readManifests(input), signal);
  const ranks = new Map<number, Manifest[]>();
  for (const manifest of manifests) {
    const rank = rankOf(manifest.object);
    ranks.set(rank, [...ranks.get(rank) ?? [], manifest]);
  }
  const results: DeleteResult[] = [];
  for (const [, batch] of [...ranks].sort(([a], [b]) => b - a)) {
    await parallelizeUntil(concurrency, batch.length, async (index) => {
      results.push(await deleteOne(client, batch[index]!, options));
    }, { signal });
  }
  signal?.throwIfAborted();
  if (results.some(({ error }) => error !== undefined)) throw new ApplyError("delete", results);
  return results;
}

async function deleteOne(
  client: Client,
  { object }: Manifest,
  options: DeleteAllOptions,
): Promise<DeleteResult> {
  const { dryRun = false, signal, wait = false } = options;
  const { apiVersion, kind, metadata: { name = "" } } = object;
  let { namespace } = object.metadata;
  const identity = () => ({ apiVersion, kind, name, namespace });
  try {
    const resource: ResourceDescriptor = await client.resourceFor(object, { signal });
    namespace = resource.namespaced
      ? namespace ?? options.namespace ?? client.namespace ?? "default"
      : undefined;
    await client.delete(resource, name, { namespace, dryRun, signal });
    if (wait && !dryRun) await client.waitFor(resource, name, deleted(), { namespace, signal });
    return { ...identity(), status: "deleted" };
  } catch (error) {
    // A kind that the server does not have has no objects.
    if (isNotFound(error) || NoMatchError.is(error)) return { ...identity(), status: "absent" };
    return { ...identity(), status: "failed", error: toError(error) };
  }
}
