import type { History } from "../record/mod.ts";

/** What can be wrong with a run. */
export type Oracle =
  /** Something that must always hold did not. */
  | "invariant"
  /** In the end, things were not as without faults. */
  | "end state"
  /** A restart when everything had settled changed something. */
  | "restart"
  /** A process wrote or asked again and again. */
  | "hot loop"
  /** It never settled. */
  | "liveness"
  /** A process deleted by name what its owner, which it did not know, wants. */
  | "stale delete"
  /** A process dropped what somebody else had added to an object. */
  | "lost entry"
  /** A process failed again and again. */
  | "process"
  /** A step of the workload did not succeed. */
  | "workload";

/** One thing that is wrong with a run. */
export interface Wrong {
  /** Which rule was broken. */
  readonly oracle: Oracle;
  /** What is wrong, in words. */
  readonly message: string;
  /** The virtual time, in milliseconds. */
  readonly atMs: number;
}

/** The most wrongs of one kind that a run keeps: an invariant may fail at each write. */
const MAX_OF_A_KIND = 5;

/** What is wrong with a run, as it becomes known. */
export class Verdict {
  readonly #history: History;
  readonly #now: () => number;
  readonly #wrong: Wrong[] = [];
  readonly #notes = new Set<string>();

  constructor(history: History, now: () => number) {
    this.#history = history;
    this.#now = now;
  }

  /** What is wrong, in the order in which it was found. */
  get wrong(): readonly Wrong[] {
    return this.#wrong;
  }

  /** What is worth a look, but not wrong. */
  get notes(): readonly string[] {
    return [...this.#notes];
  }

  /** Enters what is wrong, once. */
  add(oracle: Oracle, message: string): void {
    const same = this.#wrong.filter((wrong) => wrong.oracle === oracle);
    if (same.length >= MAX_OF_A_KIND || same.some((wrong) => wrong.message === message)) return;
    this.#wrong.push({ oracle, message, atMs: this.#now() });
    this.#history.add({ kind: "wrong", text: message });
  }

  /** Enters what is worth a look. */
  note(text: string): void {
    this.#notes.add(text);
  }
}
