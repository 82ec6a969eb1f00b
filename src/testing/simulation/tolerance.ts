import type { Difference } from "./end_state.ts";

/** A number in a status that counts what a controller has done, and so depends on what has gone wrong. */
const COUNTER = /^status\b.*(counts?|attempts?|retries|restarts|failures|transitions|errors)$/i;

/** Where a difference may come from that is no bug. */
export interface Tolerance {
  /** Fields whose value depends on chance alone. */
  readonly tolerated: ReadonlySet<string>;
  /** Whether the user has taken another way to the same wish. */
  readonly isOtherWay: boolean;
  /** Whether the user has wanted more objects for a while than in the run that is compared with, or fewer. */
  readonly isDetour: boolean;
}

/** Reports whether a difference is only worth a look. */
export function isOnlyNote(
  { object, field, expected, actual }: Difference,
  { tolerated, isOtherWay, isDetour }: Tolerance,
): boolean {
  if (tolerated.has(`${object} ${field}`)) return true;
  if (COUNTER.test(field) && typeof expected === "number" && typeof actual === "number") {
    return true;
  }
  // What was done on the way may be told in the status.
  if (isOtherWay && /^status\b/.test(field)) return true;
  // Volumes outlive what used them, since they hold data.
  return (isOtherWay || isDetour) && object.startsWith("persistentvolumeclaims ");
}
