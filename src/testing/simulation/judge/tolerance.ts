import { compareStates, type Difference } from "./compare_states.ts";
import type { EndState } from "../record/mod.ts";

/** A number in a status that counts what a controller has done, and so depends on what has gone wrong. */
const COUNTER = /^status\b.*(counts?|attempts?|retries|restarts|failures|transitions|errors)$/i;

/** The room that data has. It can be made larger, but not smaller. */
const ROOM = /storage|capacity|disk|volume/i;
/** A size may be room as well, if it has a unit. Otherwise it may be the number of members. */
const SIZE = /size/i;

/** Where a difference may come from that is no bug. */
export interface Tolerance {
  /** Fields whose value depends on chance alone. */
  readonly tolerated: ReadonlySet<string>;
  /** Whether the user has taken another way to the same wish. */
  readonly isOtherWay: boolean;
  /** Whether the user has wanted more objects for a while than in the run that is compared with, or fewer. */
  readonly isDetour: boolean;
  /**
   * The end states of runs without faults in which the user takes another way to the same wish. A process may miss a
   * state that the user has wanted for a while, and then it is as if the user had taken the other way.
   */
  readonly otherWays: readonly EndState[];
}

/** Returns how an end state differs from the one that was expected, apart from what is only worth a look. */
export function seriousDifferences(
  all: readonly Difference[],
  state: EndState,
  tolerance: Tolerance,
): readonly Difference[] {
  let rest: readonly Difference[] = all.filter((difference) => !isOnlyNote(difference, tolerance));
  for (const way of tolerance.otherWays) rest = withoutStatusOf(way, rest, state);
  return rest;
}

/** Returns the differences without those of a status that is as on another way. */
function withoutStatusOf(
  way: EndState,
  differences: readonly Difference[],
  state: EndState,
): readonly Difference[] {
  if (differences.length === 0) return differences;
  const others = compareStates(way, state);
  return differences.filter(({ object, field }) =>
    !/^status\b/.test(field) ||
    others.some((other) =>
      other.object === object && (isPartOf(other.field, field) || isPartOf(field, other.field))
    )
  );
}

/** Reports whether a field is another one, or a part of it. The whole object is the empty field. */
function isPartOf(field: string, whole: string): boolean {
  return field.startsWith(whole) && /^($|[.[])/.test(whole === "" ? "" : field.slice(whole.length));
}

function isOnlyNote(
  { object, field, expected, actual }: Difference,
  { tolerated, isOtherWay, isDetour }: Tolerance,
): boolean {
  if (tolerated.has(`${object} ${field}`)) return true;
  if (COUNTER.test(field) && typeof expected === "number" && typeof actual === "number") {
    return true;
  }
  // What was done on the way may be told in the status.
  if (isOtherWay && /^status\b/.test(field)) return true;
  if ((isOtherWay || isDetour) && isMoreRoom(field, actual, expected)) return true;
  // Volumes outlive what used them, since they hold data.
  return (isOtherWay || isDetour) && object.startsWith("persistentvolumeclaims ");
}

/** Reports whether a field is about room, and has more of it: a number or a quantity, such as `15Gi`. */
function isMoreRoom(field: string, actual: unknown, expected: unknown): boolean {
  const [more, less] = [actual, expected].map((value) =>
    /^(\d+(?:\.\d+)?)([A-Za-z]*)$/.exec(String(value))
  );
  if (!more || !less || more[2] !== less[2]) return false;
  const name = field.slice(field.lastIndexOf(".") + 1);
  const isRoom = ROOM.test(name) || (SIZE.test(name) && more[2] !== "");
  return isRoom && Number(more[1]) > Number(less[1]);
}
