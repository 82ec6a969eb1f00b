import { compareStates, type Difference } from "./compare_states.ts";
import type { EndState } from "../record/mod.ts";

/** A counter in a status. Its value depends on the faults. */
const COUNTER = /^status\b.*(counts?|attempts?|retries|restarts|failures|transitions|errors)$/i;

/** A capacity, which can grow but not shrink. */
const ROOM = /storage|capacity|disk|volume/i;
/** A size with a unit is a capacity. Without one, it may be a number of members. */
const SIZE = /size/i;

/** Explanations of differences that are not errors. */
export interface Tolerance {
  /** Fields whose value depends on chance alone. */
  readonly tolerated: ReadonlySet<string>;
  /** Whether the user has reached the same desired state in other steps. */
  readonly isOtherWay: boolean;
  /** Whether the user has wanted more or fewer objects for a while. */
  readonly isDetour: boolean;
  /**
   * The end states of runs without faults in which the user reaches the same desired state in other steps. A process that
   * misses a desired state acts as in one of these runs.
   */
  readonly otherWays: readonly EndState[];
}

/** Returns the differences that are errors. */
export function seriousDifferences(
  all: readonly Difference[],
  state: EndState,
  tolerance: Tolerance,
): readonly Difference[] {
  let rest: readonly Difference[] = all.filter((difference) => !isOnlyNote(difference, tolerance));
  for (const way of tolerance.otherWays) rest = withoutStatusOf(way, rest, state);
  return rest;
}

/** Removes the differences of a status that equals the status of `way`. */
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

/** Reports whether a field is `whole` or a part of it. The empty field is the whole object. */
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
  // The status may describe the steps.
  if (isOtherWay && /^status\b/.test(field)) return true;
  if ((isOtherWay || isDetour) && isMoreRoom(field, actual, expected)) return true;
  // Volumes outlive what used them, since they hold data.
  return (isOtherWay || isDetour) && object.startsWith("persistentvolumeclaims ");
}

/** Reports whether a field is a capacity that has grown: a number or a quantity, such as `15Gi`. */
function isMoreRoom(field: string, actual: unknown, expected: unknown): boolean {
  const [more, less] = [actual, expected].map((value) =>
    /^(\d+(?:\.\d+)?)([A-Za-z]*)$/.exec(String(value))
  );
  if (!more || !less || more[2] !== less[2]) return false;
  const name = field.slice(field.lastIndexOf(".") + 1);
  const isRoom = ROOM.test(name) || (SIZE.test(name) && more[2] !== "");
  return isRoom && Number(more[1]) > Number(less[1]);
}
