import { describeError, requireSync } from "@kubeloop/controller/internal/base";
import type { FaultBook, Scene } from "../plans/mod.ts";
import {
  type Commit,
  type EndState,
  isCompared,
  type Journal,
  objectName,
  type SentWrite,
} from "../record/mod.ts";
import {
  compareStates,
  describeDifference,
  describeWays,
  type Difference,
} from "./compare_states.ts";
import { HotWrites } from "./hot_writes.ts";
import { disputeOver } from "./dispute.ts";
import { lastChange } from "./last_change.ts";
import type { Expected, ExpectedState } from "./run_record.ts";
import { staleDelete } from "./stale_delete.ts";
import { seriousDifferences } from "./tolerance.ts";
import { Verdict } from "./verdict.ts";

/** The journal, the faults and the limits of the run that is judged. */
export interface JudgeOptions {
  readonly journal: Journal;
  readonly book: FaultBook;
  readonly now: () => number;
  /** The run that is compared with; undefined for none. */
  readonly expected: Expected | undefined;
  /** The time from the last fault to the expected state, in milliseconds. */
  readonly recoveryMs: number;
  /** The number of times that one process may change one object within a minute. */
  readonly writesPerMinute: number;
}

/** The step that a run is at. */
export interface StepPosition {
  readonly index: number;
  /** Whether everything has settled after the step. */
  readonly isDone: boolean;
}

/** An external world that checks itself. */
interface SelfChecking {
  invariant?(): unknown;
}

/** The number of differences that a message shows. */
const SHOWN = 5;

/** Judges a run: its writes and its states. */
export class Judge {
  readonly verdict: Verdict;
  readonly #options: JudgeOptions;
  readonly #hotWrites: HotWrites;

  constructor(options: JudgeOptions) {
    this.#options = options;
    const { journal, now, writesPerMinute } = options;
    this.verdict = new Verdict(journal.history, now);
    this.#hotWrites = new HotWrites(journal, now, writesPerMinute);
  }

  /** Checks a write that the server has answered. Returns the message of a hot loop that must end the run. */
  checkWrite(write: SentWrite, step: StepPosition): string | undefined {
    const { book, now } = this.#options;
    const loop = this.#hotWrites.count(write);
    // While a fault lasts, two processes may fight because one of them is blind.
    const isTolerated = now() <= book.untilMs;
    if (loop !== undefined && isTolerated) this.verdict.note(loop);
    if (write.verb === "delete") this.#checkDelete(write, step);
    return isTolerated ? undefined : loop;
  }

  /** Checks what must hold at every moment. */
  checkInvariants<C>(
    scene: Scene<C>,
    invariants: readonly ((scene: Scene<C>) => boolean | string | void)[],
  ): void {
    for (const [index, invariant] of invariants.entries()) {
      let result: unknown;
      try {
        result = requireSync(`Invariant ${index + 1}`, invariant(scene));
      } catch (error) {
        result = describeError(error);
      }
      if (result === true || result === undefined) continue;
      const message = typeof result === "string" ? result : `Invariant ${index + 1} does not hold`;
      this.verdict.add("invariant", message);
    }
    this.checkCloud(scene.cloud);
  }

  /** Checks the invariant of the external world. */
  checkCloud(cloud: unknown): void {
    const result = (cloud as SelfChecking | undefined)?.invariant?.() ?? true;
    if (result !== true) this.verdict.add("invariant", String(result));
  }

  /** Checks that a restart at a time when everything had settled changed nothing: `commits` were made since. */
  checkRestart(
    process: string,
    commits: readonly Commit[],
    { before, after, later }: {
      readonly before: EndState;
      readonly after: EndState;
      readonly later: EndState | undefined;
    },
  ): void {
    const { journal } = this.#options;
    const writes = commits.filter(({ write }) =>
      isCompared(write.resource) && journal.writerOf(write) === process
    );
    if (writes.length === 0) return;
    const text = writes.map(({ id }) => id).join(", ");
    const all = compareStates(before, after);
    const rest = notByItself(all, after, later);
    const byItself = new Set(all.filter((one) => !rest.includes(one)).map(({ object }) => object));
    const [difference] = rest;
    const isNew = writes.some(({ write }) =>
      write.type !== "MODIFIED" && !byItself.has(objectName(write))
    );
    if (difference === undefined && !isNew) {
      this.verdict.note(`${process} changes only times or versions after a restart: ${text}`);
      return;
    }
    const what = difference === undefined ? "" : `; ${describeDifference(difference)}`;
    this.verdict.add(
      "restart",
      `${process} was started again when everything had settled, and changed something: ${text}${what}`,
      { object: objectName(writes[0]!.write), field: difference?.field },
    );
  }

  /** Notes how many more or fewer objects were created and deleted than expected, which is not an error. */
  compareCounts(counts: ReadonlyMap<string, number>): void {
    const expected = this.#options.expected?.counts;
    if (expected === undefined) return;
    for (const what of new Set([...expected.keys(), ...counts.keys()])) {
      const [wanted = 0, actual = 0] = [expected.get(what), counts.get(what)];
      if (wanted !== actual) this.verdict.note(`${what}: ${actual} times instead of ${wanted}`);
    }
  }

  /** Returns the differences from the expected state that are errors. If there are none, the others become notes. */
  differences(
    { later, state, tolerance }: ExpectedState,
    actual: EndState,
  ): readonly Difference[] {
    const all = notByItself(compareStates(state, actual), actual, later);
    const serious = seriousDifferences(all, actual, tolerance);
    if (serious.length > 0) return serious;
    for (const difference of all) this.verdict.note(describeDifference(difference));
    return [];
  }

  /** Adds that a state, such as `the end state`, is still not the expected one. */
  addDifferences(
    differences: readonly Difference[],
    what: string,
    { tolerance: { isOtherWay } }: ExpectedState,
  ): void {
    const text = isOtherWay
      ? "The outcome depends on the order of the steps"
      : `${
        minutes(this.#options.recoveryMs)
      } after the last fault, ${what} is not the one of the run without faults`;
    const shown = listed(differences, isOtherWay ? describeWays : describeDifference);
    this.verdict.add("end state", `${text}: ${shown}`, differences[0]);
  }

  /**
   * Adds that a change of properties, in words, has led to another state than objects that are created with them. `isIgnored`: no
   * process has done anything about it.
   */
  addChangeDifferences(
    differences: readonly Difference[],
    change: string,
    isIgnored: boolean,
  ): void {
    const shown = listed(differences);
    this.verdict.add(
      "end state",
      isIgnored
        ? `The change [${change}] has no effect on an object that exists, and one on an object that is created so: ${shown}. ` +
          "If a property counts only at creation, name it in `except`"
        : `The change [${change}] leads to another state than an object that is created so: ${shown}`,
      differences[0],
    );
  }

  /** Returns what keeps the run from settling. */
  describeActivity(): string {
    const { journal } = this.#options;
    const last = journal.commits.findLast(({ write }) => isCompared(write.resource));
    if (last === undefined) return "requests fail";
    return disputeOver(last.write, journal) ?? lastChange(last.write, journal);
  }

  #checkDelete(write: SentWrite, { index, isDone }: StepPosition): void {
    const { expected, journal } = this.#options;
    const { after, during } = expected?.wanted ?? {};
    const wanted = (isDone ? after : during)?.get(index);
    if (!wanted?.has(objectName(write))) return;
    const why = staleDelete(write, journal);
    if (why !== undefined) this.verdict.add("stale delete", why, { object: objectName(write) });
  }
}

/** Returns the differences of a state that would not have come by themselves, `later`. */
function notByItself(
  differences: readonly Difference[],
  actual: EndState,
  later: EndState | undefined,
): readonly Difference[] {
  if (later === undefined || differences.length === 0) return differences;
  const others = compareStates(later, actual);
  return differences.filter(({ field, object }) =>
    others.some((other) => other.object === object && other.field === field)
  );
}

function listed(
  differences: readonly Difference[],
  describe: (difference: Difference) => string = describeDifference,
): string {
  const shown = differences.slice(0, SHOWN).map(describe).join("; ");
  return differences.length > SHOWN ? `${shown}; and ${differences.length - SHOWN} more` : shown;
}

/** Returns a duration in words: `15 minutes`. */
export function minutes(ms: number): string {
  return `${ms / 60_000} minutes`;
}
