import type { Story } from "../../../operator/stories/mod.ts";

/** A stretch of the time from the previous reconcile of a key to the end of this one. */
export interface Wait {
  /**
   * - `backoff`: the delay after a failure. `gate`: the caches did not yet hold what the key has written. `delay`: the delay
   *   that the previous reconcile asked for.
   * - `queue`: the key was due, and waited for a worker. `run`: the reconcile itself.
   */
  readonly kind: "backoff" | "gate" | "delay" | "queue" | "run";
  readonly ms: number;
}

/** Returns the waits of a reconcile and its run, in their order. `previous` is the story before it, if it is kept. */
export function waitsOf(story: Story, previous: Story | undefined): Wait[] {
  const waits: Wait[] = [];
  const kind = delayOf(story);
  if (kind !== undefined && previous !== undefined) {
    const ended = Date.parse(previous.startedAt) + previous.durationMs;
    const ms = Date.parse(story.startedAt) - story.queuedMs - ended;
    if (ms > 0) waits.push({ kind, ms });
  }
  if (story.queuedMs > 0) waits.push({ kind: "queue", ms: story.queuedMs });
  waits.push({ kind: "run", ms: story.durationMs });
  return waits;
}

/** Returns the kind of the delay before a reconcile; undefined if it was caused by a change. */
function delayOf({ causes }: Story): Wait["kind"] | undefined {
  if (causes.some(({ why }) => why === "retry")) return "backoff";
  if (causes.some(({ why }) => why === "stale")) return "gate";
  return causes.some(({ why }) => why === "requeue") ? "delay" : undefined;
}
