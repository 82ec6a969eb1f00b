import {
  abortable,
  isFlag,
  isRecord,
  type OptionChecks,
  parallelizeUntil,
  requireOptions,
  toError,
} from "../../base/mod.ts";
import { isUnknownKind } from "../../client/discovery/mod.ts";
import { type Client, deleted, NoMatchError } from "../../client/mod.ts";
import { isNotFound, type ResourceDescriptor } from "../../types/mod.ts";
import {
  type ApplyAllOptions,
  DEFAULT_CONCURRENCY,
  requireApplyClient,
  withinTime,
} from "./apply_all.ts";
import { byRank } from "./kind_order.ts";
import { type Manifest, type Manifests, readManifests } from "./manifests.ts";
import { COMMON_CHECKS } from "./option_checks.ts";
import { type ApplyResult, succeeded } from "./results.ts";

/** Options of {@linkcode deleteAll}. */
export interface DeleteAllOptions
  extends Pick<ApplyAllOptions, "concurrency" | "dryRun" | "namespace" | "signal" | "timeoutMs"> {
  /**
   * Whether to wait until the objects are gone. A new object of the same name, which a controller may create, does not prolong
   * the wait. Default false.
   */
  readonly wait?: boolean | undefined;
}

const CHECKS: OptionChecks<DeleteAllOptions> = { ...COMMON_CHECKS, dryRun: isFlag, wait: isFlag };

/** The result of deleting an object. */
export interface DeleteResult
  extends Pick<ApplyResult, "apiVersion" | "kind" | "name" | "namespace" | "error"> {
  /**
   * - `deleted`: the server has accepted the deletion; with `wait`, the object is gone,
   * - `absent`: the object did not exist,
   * - `failed`: see `error`. If the API group of the kind is not available, it is unknown whether the object exists.
   */
  readonly status: "deleted" | "absent" | "failed";
}

/**
 * Deletes the objects that {@linkcode applyAll} applies, in reverse order. The failure of an object does not stop the others.
 *
 * @param client The client that makes the requests.
 * @param input YAML or JSON text, objects, or an iterable of them.
 * @param options The namespace, a time limit, and whether to wait.
 * @returns The results of all objects, in the order in which they were deleted.
 * @throws {ApplyError} If objects failed. Its `results` has the results of all objects.
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
  requireApplyClient(client);
  requireOptions("deleteAll()", options, CHECKS);
  const { concurrency = DEFAULT_CONCURRENCY } = options;
  const results: DeleteResult[] = [];
  await withinTime("deleteAll()", client, options, async (signal) => {
    const manifests = await abortable(readManifests(input), signal);
    for (const batch of byRank(manifests).reverse()) {
      await parallelizeUntil(concurrency, batch.length, async (index) => {
        results.push(await deleteOne(client, batch[index]!, { ...options, signal }));
      });
    }
  });
  return succeeded("delete", client, results, options.signal);
}

async function deleteOne(
  client: Client,
  { object }: Manifest,
  options: DeleteAllOptions & { readonly signal: AbortSignal },
): Promise<DeleteResult> {
  const { dryRun = false, signal, wait = false } = options;
  const { apiVersion, kind, metadata: { name = "" } } = object;
  let { namespace } = object.metadata;
  const identity = () => ({ apiVersion, kind, name, namespace });
  try {
    signal.throwIfAborted();
    const resource: ResourceDescriptor = await client.resourceFor(object, { signal });
    namespace = resource.namespaced
      ? namespace ?? options.namespace ?? client.namespace ?? "default"
      : undefined;
    const answer = await client.delete(resource, name, { namespace, dryRun, signal });
    if (wait && !dryRun) {
      const isGone = deleted(uidOf(answer));
      await client.waitFor(resource, name, isGone, { namespace, signal });
    }
    return { ...identity(), status: "deleted" };
  } catch (error) {
    // A kind that the server does not serve has no objects. If the API group is not available, that is unknown.
    const isAbsent = isNotFound(error) || (NoMatchError.is(error) && !isUnknownKind(error));
    if (isAbsent && !signal.aborted) return { ...identity(), status: "absent" };
    return { ...identity(), status: "failed", error: toError(error) };
  }
}

/** Returns the UID in the response to a deletion, which is the object or a Status. */
function uidOf(answer: unknown): string | undefined {
  const { details, metadata }: Record<string, unknown> = isRecord(answer) ? answer : {};
  for (const part of [metadata, details]) {
    if (isRecord(part) && typeof part.uid === "string" && part.uid !== "") return part.uid;
  }
  return undefined;
}
