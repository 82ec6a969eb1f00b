import {
  type Clock,
  ENVIRONMENT_CHECKS,
  isDelay,
  isSignal,
  LinkedAbort,
  type OptionChecks,
  realClock,
  requireMethods,
  requireOptions,
  toError,
  type Waiters,
} from "../../base/mod.ts";

/** A cache that {@linkcode waitForCacheSync} can wait for: a SharedInformer, or the registration of a handler. */
export interface SyncableCache {
  /** The name of the cache in error messages. */
  readonly name: string;
  /**
   * Reports whether the cache holds all objects of the first list.
   *
   * @returns True from the sync on.
   */
  hasSynced(): boolean;
  /**
   * Waits until {@linkcode SyncableCache.hasSynced} is true.
   *
   * @param call The `signal` ends the wait.
   * @throws {Error} If the cache cannot sync any more; `call.signal.reason` on abort.
   */
  whenSynced(call?: { readonly signal?: AbortSignal | undefined }): Promise<void>;
  /**
   * Explains why the cache has not synced yet.
   *
   * @returns A short text for an error message.
   */
  whyNotSynced(): string;
}

/** Options of {@linkcode waitForCacheSync}. */
export interface WaitForCacheSyncOptions {
  /** Ends the wait. */
  readonly signal?: AbortSignal | undefined;
  /** The timeout in milliseconds. Default: no timeout. */
  readonly timeoutMs?: number | undefined;
  /** The clock that measures the timeout. Default: the real clock. */
  readonly clock?: Clock | undefined;
}

const CHECKS: OptionChecks<WaitForCacheSyncOptions> = {
  signal: isSignal,
  timeoutMs: isDelay,
  clock: ENVIRONMENT_CHECKS.clock,
};

/**
 * Waits until all caches have synced, without polling.
 *
 * Resolves at once, even if the signal has aborted, if there are no caches or all of them have synced already.
 *
 * @param options The timeout and the signal of the wait.
 * @param caches The caches to wait for.
 * @throws {TypeError} If the first argument is a cache, or another argument is not a cache.
 * @throws {Error} On timeout, or if a cache is stopped first. The message names each cache that has not synced and the
 * reason, as in `pods: pods is forbidden (403 Forbidden): …`. `options.signal.reason` on abort.
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
  if (typeof (options as Partial<SyncableCache> | undefined)?.hasSynced !== "undefined") {
    throw new TypeError("Expected options before the caches: call waitForCacheSync({}, cache)");
  }
  requireOptions("waitForCacheSync()", options, CHECKS);
  for (const cache of caches) {
    requireMethods("a cache, such as a SharedInformer", cache, "whenSynced");
  }
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

/** An informer or a handler registration, as far as {@linkcode untilSynced} needs it. */
interface Stoppable {
  readonly name: string;
  isStopped(): boolean;
  hasSynced(): boolean;
}

/**
 * Resolves once `cache` has synced. Checks it each time `waiters` are woken.
 *
 * @param failure Returns the error that stopped the cache; undefined after a normal stop.
 * @throws {Error} If `cache` is stopped first; `signal.reason` on abort.
 */
export async function untilSynced(
  cache: Stoppable,
  waiters: Waiters,
  signal: AbortSignal | undefined,
  failure?: () => Error | undefined,
): Promise<void> {
  while (!cache.hasSynced()) {
    signal?.throwIfAborted();
    if (cache.isStopped()) {
      throw failure?.() ?? new Error(`${cache.name} was stopped before it had synced`);
    }
    await waiters.wait(signal);
  }
}
