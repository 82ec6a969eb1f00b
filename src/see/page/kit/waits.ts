import type { Story } from "../../../operator/stories/mod.ts";

/** A stretch of the time before a reconcile, or the reconcile itself. */
export interface Wait {
  /**
   * - `backoff`: the delay after a failure. `delay`: the delay that the reconcile before asked for. `gate`: the caches did not
   *   yet hold what the key has written. `queue`: the key was due, and waited for a worker.
   * - `run`: the reconcile itself.
   */
  readonly kind: "backoff" | "delay" | "gate" | "queue" | "run";
  readonly ms: number;
}

/** Returns the waits of a reconcile and its run, in their order. `previous` is the story before it, if it is kept. */
export function waitsOf(story: Story, previous: Story | undefined): Wait[] {
  const { causes, durationMs, queuedMs, waits } = story;
  const isAskedFor = causes.some(({ why }) => why === "requeue");
  const all: Wait[] = [
    { kind: "backoff", ms: waits?.backoffMs ?? 0 },
    { kind: "delay", ms: isAskedFor ? previous?.requeueAfterMs ?? 0 : 0 },
    { kind: "gate", ms: waits?.gateMs ?? 0 },
    { kind: "queue", ms: waits?.queueMs ?? queuedMs },
  ];
  return [...all.filter(({ ms }) => ms > 0), { kind: "run", ms: durationMs }];
}
