import type { Waiters } from "../../base/mod.ts";

/** An informer or a handler registration, as far as {@linkcode untilSynced} needs it. */
interface Stoppable {
  readonly name: string;
  isStopped(): boolean;
  hasSynced(): boolean;
}

/**
 * Resolves once `cache` has synced. Checks it each time `waiters` are woken.
 *
 * @param failure Returns the error that stopped the cache; undefined if the cache was told to stop.
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
