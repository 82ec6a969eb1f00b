import type { EndState, History, Wanted } from "../record/mod.ts";
import type { Plan, PlanFault } from "../plans/mod.ts";
import type { Tolerance } from "./tolerance.ts";
import type { Wrong } from "./verdict.ts";

/** What a run has led to. */
export interface RunRecord {
  /** The plan of the run. */
  readonly plan: Plan;
  /** Everything that happened, in order: `history.lines()` is its trace, `history.hash()` stands for it. */
  readonly history: History;
  /** What is wrong with the run; empty if nothing is. */
  readonly wrong: readonly Wrong[];
  /** What is worth a look, but is no error. */
  readonly notes: readonly string[];
  /** The end state, without what may differ between two correct runs. */
  readonly state: EndState;
  /** The states in which everything has settled after a step, by the index of the step. */
  readonly settled: ReadonlyMap<number, EndState>;
  /** The index of the step after which the run ended, because its state was not the expected one. */
  readonly endedAfter?: number | undefined;
  /** The faults that have taken effect. */
  readonly taken: ReadonlySet<PlanFault>;
  /** The objects that exist when everything has settled after each step, and that nobody has deleted in it. */
  readonly wanted: Wanted;
  /** How many objects of each kind the processes have created and deleted, as in `operator creates pods`. */
  readonly counts: ReadonlyMap<string, number>;
  /** Who has made the write of each version. */
  readonly writers: ReadonlyMap<number, string>;
  /** The virtual time that the run took, in milliseconds. */
  readonly virtualMs: number;
  /** The number of requests of the processes. */
  readonly requests: number;
}

/** A state that is compared with. */
export interface ExpectedState {
  readonly state: EndState;
  /** Which differences are no bug. */
  readonly tolerance: Tolerance;
}

/** What a run is compared with. */
export interface Expected extends ExpectedState {
  /** What the state should be when everything has settled after a step, by the index of the step. */
  readonly settled: ReadonlyMap<number, ExpectedState>;
  /** What exists after each step of the reference run, for deletes on stale knowledge. */
  readonly wanted: Wanted;
  /** How many objects of each kind the processes create and delete. */
  readonly counts: ReadonlyMap<string, number>;
}
