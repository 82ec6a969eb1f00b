import { delay, LinkedAbort, realClock, requireCount, requireTimeLimit } from "../base/mod.ts";
import type { Client } from "../client/mod.ts";
import {
  explainError,
  isConflict,
  isNotFound,
  isTooManyRequests,
  type KubeObject,
  Pods,
  retryAfterOf,
} from "../types/mod.ts";
import { namedPlaceOf, type NamedTarget, requireClient } from "./target.ts";

/** The pause after a refusal that names none, as kubectl makes it. */
const PAUSE_MS = 5_000;

interface Eviction extends KubeObject {
  readonly deleteOptions?: {
    readonly gracePeriodSeconds?: number;
    readonly preconditions?: { readonly uid: string };
  };
}

/** Options of {@linkcode evict}. */
export interface EvictOptions {
  /** The time for the containers to stop, in seconds. Default: that of the Pod. */
  readonly gracePeriodSeconds?: number | undefined;
  /** Whether the server only checks whether it would evict. Default false. */
  readonly dryRun?: boolean | undefined;
  /** How long to try while a PodDisruptionBudget forbids it, in milliseconds. Default `Infinity`. */
  readonly timeoutMs?: number | undefined;
  /** Stops the call. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Evicts a Pod: deletes it as soon as the PodDisruptionBudgets allow that. While they do not, the call waits as long as the
 * server asks to, or five seconds, and tries again.
 *
 * The call does not wait until the Pod is gone. If the target is an object, a new Pod of its name is left alone.
 *
 * @param client The client that makes the requests.
 * @param pod The Pod.
 * @param options The grace period and a time limit.
 * @returns Whether the server took the eviction; `gone`, if there was no such Pod.
 * @throws {DOMException} `TimeoutError`, after `timeoutMs`, with what the server said.
 * @throws {StatusError} If the server refuses for another reason.
 *
 * @example
 * ```ts
 * import { Client } from "@kubeloop/controller/client";
 * import { evict } from "@kubeloop/controller/kubectl";
 * import { Pods } from "@kubeloop/controller/types";
 * import { ApiServer } from "@kubeloop/testing";
 * import { assertEquals } from "@std/assert";
 *
 * await using server = new ApiServer();
 * await using client = new Client(server.clientOptions);
 * const pod = await client.create(Pods, {
 *   metadata: { name: "web", namespace: "default" },
 *   spec: { containers: [{ name: "main", image: "nginx" }] },
 * });
 * assertEquals(await evict(client, pod), "evicted");
 * assertEquals(await evict(client, pod), "gone");
 * ```
 */
export async function evict(
  client: Client,
  pod: NamedTarget,
  options: EvictOptions = {},
): Promise<"evicted" | "gone"> {
  requireClient(client, "evict");
  const { name, namespace, uid } = namedPlaceOf(pod, "evict");
  const { gracePeriodSeconds, dryRun, timeoutMs = Infinity } = options;
  if (gracePeriodSeconds !== undefined) requireCount("gracePeriodSeconds", gracePeriodSeconds, 0);
  requireTimeLimit("timeoutMs", timeoutMs);
  const deleteOptions = {
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    ...(uid === undefined ? {} : { preconditions: { uid } }),
  };
  const eviction = {
    apiVersion: "policy/v1",
    kind: "Eviction",
    metadata: { name, namespace },
    deleteOptions,
  };
  const { clock = realClock } = client.environment;
  const limit = new LinkedAbort(options.signal);
  let refusal = "the server has not answered";
  const timer = timeoutMs === Infinity ? undefined : clock.setTimer(() => {
    const message = `Pod ${namespace}/${name} was not evicted within ${timeoutMs} ms: ${refusal}`;
    limit.abort(new DOMException(message, "TimeoutError"));
  }, timeoutMs);
  const { signal } = limit;
  const call = { namespace, subresource: "eviction", dryRun, signal, maxRetries: 0 };
  try {
    for (;;) {
      try {
        await client.create<Eviction>(Pods, eviction, call);
        return "evicted";
      } catch (error) {
        signal.throwIfAborted();
        // A conflict is about the UID: the Pod of this name is another one.
        if (isNotFound(error) || (uid !== undefined && isConflict(error))) return "gone";
        if (!isTooManyRequests(error)) throw error;
        refusal = explainError(error);
        await delay(retryAfterOf(error) || PAUSE_MS, { clock, signal });
      }
    }
  } finally {
    timer?.cancel();
    limit.release();
  }
}
