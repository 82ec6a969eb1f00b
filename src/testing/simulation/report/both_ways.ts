import type { Difference } from "../judge/mod.ts";
import type { Plan } from "../plans/mod.ts";
import type { Chronicle, Version } from "./chronicle.ts";
import { shortValue, valueAt } from "./object_diff.ts";
import { setterOf } from "./setter.ts";
import { plainName, timeOf, writerName } from "./words.ts";

/** The conditions of two runs that end differently. Either run may be right. */
export interface Ways {
  /** The difference that decides, such as `the order of the steps`. */
  readonly decides: string;
  /** The condition of the run of the plan, such as `with other delays`. */
  readonly here: string;
  /** The condition of the run that it is compared with. */
  readonly there: string;
}

/** Faults that only change the order in which things happen. */
const ORDER: ReadonlySet<string> = new Set(["late", "order", "shuffle", "skip"]);

/** Returns the names of two runs, if no fault but only an order decides between their outcomes. */
export function waysOf(
  { faults }: Plan,
  run: Chronicle,
  other: Chronicle,
  differences: readonly Difference[],
): Ways | undefined {
  if (faults.some(({ fault }) => fault === "shortcut")) {
    return {
      decides: "the order of the steps",
      here: "if the objects are created as they are wanted in the end",
      there: "after the steps of the workload",
    };
  }
  const [here, there] = ["in this run", "in the run without faults"];
  if (faults.length > 0 && faults.every(({ fault }) => ORDER.has(fault))) {
    return { decides: "the order of requests and events", here, there };
  }
  const isFlipped = differences.some(({ field, object }) =>
    field !== "" && !field.endsWith("[]") && isFlippedIn(run, other, object, field)
  );
  return isFlipped ? { decides: "the order of the processes", here, there } : undefined;
}

/**
 * Reports whether two processes write a field in both runs, and another one of them has the last word in each. A process
 * that has the last word because it knows an old version is wrong, whatever the order is.
 */
function isFlippedIn(run: Chronicle, other: Chronicle, object: string, field: string): boolean {
  const [one, two] = [setterOf(run, object, field), setterOf(other, object, field)];
  if (one?.act === undefined || two?.act === undefined || one.by === two.by) return false;
  if (one.act.stale.some((stale) => stale.object === object && !stale.isOwn)) return false;
  return hasSet(run, two, object, field) && hasSet(other, one, object, field);
}

/** Reports whether the writer of a version has given a field the same value in another run. */
function hasSet(run: Chronicle, { by, write }: Version, object: string, field: string): boolean {
  const value = shortValue(valueAt(write.object(), field));
  return run.versionsOf(object).some((version) =>
    version.by === by && shortValue(valueAt(version.write.object(), field)) === value
  );
}

/** Describes how a difference came about in both runs, without saying which one is right. */
export function describeBoth(
  { actual, expected, field, object }: Difference,
  { here, there }: Ways,
  run: Chronicle,
  other: Chronicle,
): string[] {
  const outcome = (value: unknown, how: string, chronicle: Chronicle) => {
    const setter = setterOf(chronicle, object, field);
    const state = field !== ""
      ? `${field} is ${shortValue(value)}`
      : value === undefined
      ? "it does not exist"
      : "it exists";
    const by = setter === undefined
      ? ""
      : `: ${writerName(setter)} made it so at ${timeOf(setter.atMs)} (version ${setter.number})`;
    const sent = setter?.act?.place === undefined ? "" : `, sent at ${setter.act.place}`;
    return `${plainName(object)}: ${state} ${how}${by}${sent}.`;
  };
  return [outcome(expected, there, other), outcome(actual, here, run)];
}
