import type { Details, EndState, History, Wanted } from "../record/mod.ts";
import type { Plan, PlanFault } from "../plans/mod.ts";
import type { Tolerance } from "./tolerance.ts";
import type { Undone } from "./standing.ts";
import type { Wrong } from "./verdict.ts";

/** The result of a run. */
export interface RunRecord {
  /** The plan of the run. */
  readonly plan: Plan;
  /** Everything that happened, in order: `history.lines()` is its trace, `history.hash()` the hash of the trace. */
  readonly history: History;
  /** The errors of the run. */
  readonly wrong: readonly Wrong[];
  /** Remarks that are not errors. */
  readonly notes: readonly string[];
  /** The uses of things outside of the simulation, such as `Math.random()`, each with its line. */
  readonly outside: readonly string[];
  /** The end state, without what may differ between two correct runs. */
  readonly state: EndState;
  /** The states in which everything has settled after a step, by the index of the step. */
  readonly settled: ReadonlyMap<number, EndState>;
  /** The index of the step after which the run ended, because its state was not the expected one. */
  readonly endedAfter?: number | undefined;
  /**
   * The things that the processes never bring to an end; only in a run with patience at its end.
   *
   * @internal
   */
  readonly undone: readonly Undone[];
  /**
   * Whether the end state is still the same after more patience.
   *
   * @internal
   */
  readonly isSteady: boolean;
  /** The state after a change of properties; undefined if the plan has none. */
  readonly changed?: ChangedState | undefined;
  /** The fields of statuses that processes renew for ever, as in `widgets.example.com default/w status.beats`. */
  readonly heartbeats: ReadonlySet<string>;
  /** The faults that have taken effect. */
  readonly taken: ReadonlySet<PlanFault>;
  /** The objects that are wanted, by step. */
  readonly wanted: Wanted;
  /** The number of objects of each kind that the processes have created and deleted, as in `operator creates pods`. */
  readonly counts: ReadonlyMap<string, number>;
  /** The writer of each version. */
  readonly writers: ReadonlyMap<number, string>;
  /** The virtual time that the run took, in milliseconds. */
  readonly virtualMs: number;
  /** The number of requests of the processes. */
  readonly requests: number;
  /**
   * The lines that have sent requests, and repeated calls; only in a run for a report.
   *
   * @internal
   */
  readonly details?: Details | undefined;
}

/** The state in which everything has settled after a change of properties. */
export interface ChangedState {
  /** The object that a user has changed, as in `widgets.example.com default/w`. */
  readonly object: string;
  /** The state. */
  readonly state: EndState;
  /** Whether the processes have called the external world between the change and its restoration. */
  readonly hasCalled: boolean;
  /** Whether the run ended there, because the state was not the expected one. */
  readonly isEnd: boolean;
}

/** A state that a run should have. */
export interface ExpectedState {
  readonly state: EndState;
  /** The differences that are not errors. */
  readonly tolerance: Tolerance;
  /** The state that it becomes by itself, when the timers of the processes end; undefined if it is final. */
  readonly later?: EndState | undefined;
  /** Whether each run must reach that state, which is then final. */
  readonly isLaterSteady?: boolean | undefined;
}

/** The states and counts that a run should have. */
export interface Expected extends ExpectedState {
  /** The expected states in which everything has settled after a step, by the index of the step. */
  readonly settled: ReadonlyMap<number, ExpectedState>;
  /**
   * The state that an object which was created with the changed properties leads to; `mistake` if it does not settle, and
   * `runaway` if it would never end.
   */
  readonly created?: ExpectedState | "mistake" | "runaway" | undefined;
  /** The objects that are wanted after each step of the reference run. Deleting one on stale knowledge is an error. */
  readonly wanted: Wanted;
  /** The number of objects of each kind that the processes create and delete. */
  readonly counts: ReadonlyMap<string, number>;
}
