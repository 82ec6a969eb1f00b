import type { LiveEntry } from "../storage/mod.ts";

/**
 * Returns the one event that takes the place of two subsequent ones of the same name, as a client would see them that
 * missed the state in between. Undefined if the object did not exist before them and does not exist after them.
 */
export function mergeEntries(first: LiveEntry, second: LiveEntry): LiveEntry | undefined {
  const { object, revision, value } = second;
  const { previous } = first;
  const isGone = second.type === "DELETED";
  if (isGone && previous === undefined) return undefined;
  return {
    revision,
    type: isGone ? "DELETED" : previous === undefined ? "ADDED" : "MODIFIED",
    object,
    previous,
    value,
    previousValue: () => first.previousValue(),
    // The lines of the two events are shared with watches that see both.
    lines: new Map(),
  };
}
