import {
  abortable,
  isFlag,
  isRecord,
  type OptionChecks,
  parallelizeUntil,
  realClock,
  redactOf,
  requireOptions,
  safeLogger,
  toError,
  withTimeLimit,
} from "../../base/mod.ts";
import { isUnknownKind } from "../../client/discovery/mod.ts";
import { type Client, deleted, NoMatchError } from "../../client/mod.ts";
import { isNotFound, type ResourceDescriptor } from "../../types/mod.ts";
import { type ApplyAllOptions, requireApplyClient } from "./apply_all.ts";
import { rankOf } from "./kind_order.ts";
import { type Manifest, type Manifests, readManifests } from "./manifests.ts";
import { COMMON_CHECKS } from "./option_checks.ts";
import { ApplyError, type ApplyResult } from "./results.ts";

const DEFAULT_CONCURRENCY = 8;

/** Options of {@linkcode deleteAll}. */
export interface DeleteAllOptions
  extends Pick<ApplyAllOptions, "concurrency" | "dryRun" | "namespace" | "signal" | "timeoutMs"> {
  /**
   * Whether to wait until the objects are gone: a new object of the same name, which a controller may create, is not waited
   * for. Default false.
   */
  readonly wait?: boolean | undefined;
}

const CHECKS: OptionChecks<DeleteAllOptions> = { ...COMMON_CHECKS, dryRun: isFlag, wait: isFlag };

/** What happened to an object that was to be deleted. */
export interface DeleteResult
  extends Pick<ApplyResult, "apiVersion" | "kind" | "name" | "namespace" | "error"> {
  /**
   * - `deleted`: the server has taken the deletion; with `wait`, the object is gone,
   * - `absent`: there was no such object,
   * - `failed`: see `error`. It is also the status if the API group of the kind does not answer, so that nobody knows
   *   whether there is such an object.
   */
  readonly status: "deleted" | "absent" | "failed";
}

/**
 * Deletes the objects that {@linkcode applyAll} applies, in the reverse order. An object that fails does not stop the others.
 *
 * @param client The client that makes the requests.
 * @param input YAML or JSON text, objects, or an iterable of them.
 * @param options The namespace, a time limit, and whether to wait.
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
  requireApplyClient(client);
  requireOptions("deleteAll()", options, CHECKS);
  const { concurrency = DEFAULT_CONCURRENCY, timeoutMs = Infinity } = options;
  const { clock = realClock, logger } = client.environment;
  const late = () => `deleteAll() timed out: it took longer than ${timeoutMs} ms`;
  const limit = { clock, signal: options.signal, limitMs: timeoutMs, late };
  const results: DeleteResult[] = [];
  await withTimeLimit(limit, async (signal) => {
    const manifests = await abortable(readManifests(input), signal);
    const ranks = new Map<number, Manifest[]>();
    for (const manifest of manifests) {
      const rank = rankOf(manifest.object);
      const batch = ranks.get(rank);
      if (batch === undefined) ranks.set(rank, [manifest]);
      else batch.push(manifest);
    }
    for (const [, batch] of [...ranks].sort(([a], [b]) => b - a)) {
      await parallelizeUntil(concurrency, batch.length, async (index) => {
        results.push(await deleteOne(client, batch[index]!, { ...options, signal }));
      });
    }
  });
  options.signal?.throwIfAborted();
  if (results.some(({ error }) => error !== undefined)) {
    throw new ApplyError("delete", results, redactOf(safeLogger(logger)));
  }
  return results;
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
    // A kind that the server does not have has no objects. Of one whose group does not answer, nothing is known.
    const isAbsent = isNotFound(error) || (NoMatchError.is(error) && !isUnknownKind(error));
    if (isAbsent && !signal.aborted) return { ...identity(), status: "absent" };
    return { ...identity(), status: "failed", error: toError(error) };
  }
}

/** Returns the UID in the answer to a deletion, which is the object, or a Status about it. */
function uidOf(answer: unknown): string | undefined {
  const { details, metadata }: Record<string, unknown> = isRecord(answer) ? answer : {};
  for (const part of [metadata, details]) {
    if (isRecord(part) && typeof part.uid === "string" && part.uid !== "") return part.uid;
  }
  return undefined;
}
