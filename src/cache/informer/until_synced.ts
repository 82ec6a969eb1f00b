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
 * @throws {Error} When it is stopped before; `signal.reason` on abort.
 */
export async function untilSynced(
  cache: Stoppable,
  waiters: Waiters,
  signal: AbortSignal | undefined,
): Promise<void> {
  while (!cache.hasSynced()) {
    signal?.throwIfAborted();
    if (cache.isStopped()) throw new Error(`${cache.name} was stopped before it had synced`);
    await waiters.wait(signal);
  }
}
