import { delay, realClock, withTimeLimit } from "../base/mod.ts";
import type { Client } from "../client/mod.ts";
import {
  explainError,
  isConflict,
  isNotFound,
  isTooManyRequests,
  type KubeObject,
  Pods,
  retryAfterOf,
  StatusError,
} from "../types/mod.ts";
import type { EvictOptions } from "./evict_options.ts";
import { shownBy } from "./shown.ts";

/** The least pause after a refusal, in milliseconds, as kubectl makes it. */
const LEAST_PAUSE_MS = 5_000;

/** How often a server that is busy may ask to wait. A budget may do so without an end. */
const MAX_BUSY = 10;

interface Eviction extends KubeObject {
  readonly deleteOptions?: {
    readonly gracePeriodSeconds?: number;
    readonly preconditions?: { readonly uid: string };
  };
}

/** The Pod to evict, and the UID that it must have if that is known. */
export interface EvictedPod {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string | undefined;
}

/**
 * Evicts a Pod, again and again while a PodDisruptionBudget forbids it.
 *
 * @param onRefusal Called with what the server says each time that it refuses for now.
 */
export async function evictPod(
  client: Client,
  { name, namespace, uid }: EvictedPod,
  { gracePeriodSeconds, dryRun, signal: given, timeoutMs = Infinity }: EvictOptions,
  onRefusal: (message: string) => void,
): Promise<"evicted" | "gone"> {
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
  const shown = shownBy(client);
  let refusal = "the server has not answered";
  const late = () =>
    `Pod ${shown(`${namespace}/${name}`)} was not evicted within ${timeoutMs} ms: ${refusal}`;
  const limit = { clock, signal: given, limitMs: timeoutMs, late };
  return await withTimeLimit(limit, async (signal) => {
    const call = { namespace, subresource: "eviction", dryRun, signal, maxRetries: 0 };
    let busy = 0;
    for (;;) {
      try {
        await client.create<Eviction>(Pods, eviction, call);
        return "evicted";
      } catch (error) {
        signal.throwIfAborted();
        // A conflict is about the UID: the Pod of this name is another one.
        if (isNotFound(error) || (uid !== undefined && isConflict(error))) return "gone";
        const isBusy = StatusError.is(error) && error.code === 503 &&
          error.retryAfterMs !== undefined;
        if (!isTooManyRequests(error) && !(isBusy && ++busy <= MAX_BUSY)) throw error;
        refusal = shown(explainError(error));
        onRefusal(refusal);
        await delay(Math.max(retryAfterOf(error), LEAST_PAUSE_MS), { clock, signal });
      }
    }
  });
}
