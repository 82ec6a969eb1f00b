import { type Clock, LinkedAbort, realClock, toError } from "../../base/mod.ts";

/** What {@linkcode waitForCacheSync} waits for: a SharedInformer, or the registration of a handler. */
export interface SyncableCache {
  /** What error messages call it. */
  readonly name: string;
  /**
   * Whether it holds everything that the first list had.
   *
   * @returns True from then on.
   */
  hasSynced(): boolean;
  /**
   * Waits for {@linkcode SyncableCache.hasSynced}.
   *
   * @param call Its `signal` ends the waiting.
   * @throws {Error} When it cannot sync any more; `call.signal.reason` on abort.
   */
  whenSynced(call?: { readonly signal?: AbortSignal | undefined }): Promise<void>;
  /**
   * Why it has not synced yet, for an error message.
   *
   * @returns A few words.
   */
  whyNotSynced(): string;
}

/** Options of {@linkcode waitForCacheSync}. */
export interface WaitForCacheSyncOptions {
  /** Ends the waiting. */
  readonly signal?: AbortSignal | undefined;
  /** How long to wait, in milliseconds. Default: as long as it takes. */
  readonly timeoutMs?: number | undefined;
  /** What measures that. Default: the machine's clock. */
  readonly clock?: Clock | undefined;
}

/**
 * Waits until all caches have synced. It does not poll.
 *
 * It resolves when there is none to wait for, and when all have synced already, aborted or not.
 *
 * @param options How long to wait.
 * @param caches What to wait for.
 * @throws {Error} When the time is over, or one was stopped: the message names each that has not synced and says why, as in
 * `pods: 403 Forbidden: …`. `options.signal.reason` on abort.
 *
 * @example
 * ```ts
 * import { SharedInformer, waitForCacheSync } from "@kubeloop/controller/cache";
 * import { FakeControllerSource, VirtualClock } from "@kubeloop/testing";
 * import { assertRejects } from "@std/assert";
 *
 * const clock = new VirtualClock();
 * const pods = new SharedInformer(new FakeControllerSource(), { name: "pods", clock });
 * await assertRejects(
 *   () => clock.run(waitForCacheSync({ timeoutMs: 5000, clock }, pods)),
 *   Error,
 *   "Timed out after 5000 ms waiting for caches to sync: pods: it was not started",
 * );
 * ```
 */
export async function waitForCacheSync(
  options: WaitForCacheSyncOptions,
  ...caches: readonly SyncableCache[]
): Promise<void> {
  const { signal, timeoutMs, clock = realClock } = options;
  const waiting = caches.filter((cache) => !cache.hasSynced());
  if (waiting.length === 0) return;
  signal?.throwIfAborted();
  const link = new LinkedAbort(signal);
  const timer = timeoutMs === undefined ? undefined : clock.setTimer(() => {
    link.abort(
      new Error(`Timed out after ${timeoutMs} ms waiting for caches to sync: ${culprits(caches)}`),
    );
  }, timeoutMs);
  try {
    await Promise.all(waiting.map((cache) => cache.whenSynced({ signal: link.signal })));
  } catch (error) {
    if (link.signal.aborted) throw link.signal.reason;
    const failure = new Error(`Caches cannot sync: ${culprits(caches)}`, { cause: toError(error) });
    link.abort(failure);
    throw failure;
  } finally {
    timer?.cancel();
    link.release();
  }
}

function culprits(caches: readonly SyncableCache[]): string {
  return caches
    .filter((cache) => !cache.hasSynced())
    .map((cache) => `${cache.name}: ${cache.whyNotSynced()}`)
    .join("; ");
}
