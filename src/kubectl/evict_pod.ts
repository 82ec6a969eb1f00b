import type { Client } from "@kubeloop/controller/client";
import { delay, realClock, withTimeLimit } from "@kubeloop/controller/internal/base";
import {
  explainError,
  isConflict,
  isNotFound,
  isTooManyRequests,
  type KubeObject,
  Pods,
  retryAfterOf,
  StatusError,
} from "@kubeloop/controller/types";
import type { EvictOptions } from "./evict_options.ts";
import { shownBy } from "./shown.ts";

/** The minimum pause after a refusal, in milliseconds, as in kubectl. */
const LEAST_PAUSE_MS = 5_000;

/** The maximum number of retries for a busy server. Retries for a PodDisruptionBudget have no limit. */
const MAX_BUSY = 10;

interface Eviction extends KubeObject {
  readonly deleteOptions?: {
    readonly gracePeriodSeconds?: number;
    readonly preconditions?: { readonly uid: string };
  };
}

/** The Pod to evict, and its UID; undefined for any Pod of that name. */
export interface EvictedPod {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string | undefined;
}

/**
 * Evicts a Pod, and tries again while a PodDisruptionBudget forbids it.
 *
 * @param onRefusal Called with the message of the server for each temporary refusal.
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
        // A conflict means another UID: the Pod is gone, and a new Pod has its name.
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
