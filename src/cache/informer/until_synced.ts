import type { Waiters } from "../../base/mod.ts";

/** What {@linkcode untilSynced} waits for. */
interface Stoppable {
  readonly name: string;
  isStopped(): boolean;
  hasSynced(): boolean;
}

/**
 * Resolves once `cache` has synced, which it is asked whenever `waiters` are woken.
 *
 * @param failure Returns why the cache stopped, if it did not stop because it was told to.
 * @throws {Error} When the cache stops before; `signal.reason` on abort.
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
