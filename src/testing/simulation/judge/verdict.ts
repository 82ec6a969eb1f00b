import type { History } from "../record/mod.ts";

/** A rule that a run can break. */
export type Oracle =
  /** An invariant did not hold. */
  | "invariant"
  /** The end state was not the one of the run without faults. */
  | "end state"
  /** A restart changed something although everything had settled. */
  | "restart"
  /** A process wrote the same object, or sent requests, too often. */
  | "hot loop"
  /** The run never settled. */
  | "liveness"
  /** A process deleted an object by name without knowing that its owner wants it. */
  | "stale delete"
  /** A process removed an entry that another client had added to an object. */
  | "lost entry"
  /** A process failed again and again. */
  | "process"
  /** A step of the workload did not succeed. */
  | "workload";

/** An error of a run. */
export interface Wrong {
  /** The rule that was broken. */
  readonly oracle: Oracle;
  /** The error in words. */
  readonly message: string;
  /** The object that is wrong, with its resource; undefined if it is none. */
  readonly object?: string | undefined;
  /** The field that is wrong; undefined if it is the whole object, or none. */
  readonly field?: string | undefined;
  /** The virtual time, in milliseconds. */
  readonly atMs: number;
}

/** The maximum number of errors of one kind: an invariant may fail at each write. */
const MAX_OF_A_KIND = 5;

/** Collects the errors of a run, and remarks. */
export class Verdict {
  readonly #history: History;
  readonly #now: () => number;
  readonly #wrong: Wrong[] = [];
  readonly #notes = new Set<string>();
  readonly #outside = new Set<string>();

  constructor(history: History, now: () => number) {
    this.#history = history;
    this.#now = now;
  }

  /** The errors, in the order in which they were found. */
  get wrong(): readonly Wrong[] {
    return this.#wrong;
  }

  /** The uses of things outside of the simulation. */
  get outside(): readonly string[] {
    return [...this.#outside];
  }

  /** Remarks that are not errors. */
  get notes(): readonly string[] {
    return [...this.#notes];
  }

  /** Adds an error, unless it was added before. */
  add(
    oracle: Oracle,
    message: string,
    { field, object }: Pick<Wrong, "field" | "object"> = {},
  ): void {
    const same = this.#wrong.filter((wrong) => wrong.oracle === oracle);
    if (same.length >= MAX_OF_A_KIND || same.some((wrong) => wrong.message === message)) return;
    this.#wrong.push({
      oracle,
      message,
      ...(object !== undefined && { object }),
      ...(field && { field }),
      atMs: this.#now(),
    });
    this.#history.add({ kind: "wrong", text: message });
  }

  /** Adds that a process has used something that is outside of the simulation. */
  uses(text: string): void {
    this.#outside.add(text);
  }

  /** Adds a remark. */
  note(text: string): void {
    this.#notes.add(text);
  }
}
