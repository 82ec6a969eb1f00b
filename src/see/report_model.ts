/** A report of a simulation, as a page shows it. It is plain JSON, and has no real times. */
export interface ReportView {
  /** The name of the simulation. */
  readonly title: string;
  /** The number of plans, and why the exploration ended, in one sentence. */
  readonly summary: string;
  /** The findings, the first one first. */
  readonly findings: readonly FindingView[];
  /** The plans by kind of fault. */
  readonly coverage: readonly CoverageView[];
  /** Remarks on the whole exploration, such as pairs of faults that never met. */
  readonly notes: readonly string[];
}

/** The counts of the plans with one kind of fault. */
export interface CoverageView {
  readonly fault: string;
  /** The number of plans with this fault alone that were derived from the run without faults. */
  readonly derived: number;
  /** The number of plans with this fault alone that were run. */
  readonly alone: number;
  /** The number of plans with this fault that were run, alone or with others. */
  readonly plans: number;
  /** The number of these plans that changed nothing. */
  readonly noEffect: number;
}

/** A plan that ended wrong. */
export interface FindingView {
  /** The errors, in the order of their times. */
  readonly wrong: readonly { readonly oracle: string; readonly message: string }[];
  /** The number of plans that show this bug. */
  readonly plans: number;
  /** The plan, as JSON. Its faults can be switched off. */
  readonly plan: PlanView;
  /** The faults of the plan in words, in the same order. */
  readonly faults: readonly string[];
  /** The steps of the workload that are left out, in words; undefined if none is. */
  readonly without?: string | undefined;
  /** The cause, one sentence each. */
  readonly cause: readonly string[];
  /** The run; and the run without faults, if either may be right. Empty if it was left out to bound the size. */
  readonly runs: readonly RunView[];
}

/** A plan of a simulation. A page only selects faults of it. */
export interface PlanView {
  readonly seed: number;
  readonly faults: readonly unknown[];
  readonly without?: readonly number[] | undefined;
  readonly simulation?: string | undefined;
}

/** The result of a plan that was run again with fewer faults. */
export interface RunAgainView {
  /** The finding; undefined if nothing was wrong. */
  readonly finding?: FindingView | undefined;
  /** Faults that had no effect, each with the reason. */
  readonly misfits: readonly string[];
}

/** One run, row by row. */
export interface RunView {
  /** Which of two runs this is, in words; undefined if there is one. */
  readonly title?: string | undefined;
  /** The columns of the timeline. */
  readonly lanes: readonly LaneView[];
  readonly rows: readonly RowView[];
  /** The lives of processes, as bars. */
  readonly lives: readonly LifeView[];
  /** The reconciles, as bars on their lives. */
  readonly reconciles: readonly ReconcileView[];
  /** The versions of objects that the rows refer to. */
  readonly versions: readonly VersionView[];
  /** The number of versions whose content was left out to bound the size. */
  readonly leftOut: number;
}

/** A column of a timeline. */
export interface LaneView {
  readonly name: string;
  readonly kind: "user" | "cluster" | "server" | "process" | "world";
}

/** The kind of a row. `gap` is time in which nothing happens, `note` is about the rows above it. */
export type RowKind =
  | "step"
  | "fault"
  | "process"
  | "reconcile"
  | "write"
  | "refused"
  | "call"
  | "seen"
  | "log"
  | "wrong"
  | "gap"
  | "note";

/** One row of a timeline. */
export interface RowView {
  readonly kind: RowKind;
  /** The virtual time, as in `91.01 s`; empty for a gap and a note. */
  readonly time: string;
  readonly text: string;
  /** The index of the lane of the actor; undefined for faults, errors, gaps and notes. */
  readonly lane?: number | undefined;
  /** The stale knowledge of the process, in words. */
  readonly knew?: string | undefined;
  /** The reason why the row matters, such as `the wrong write`. */
  readonly mark?: string | undefined;
  /** The numbers of the versions that were written, or of the version that was seen. */
  readonly numbers?: readonly number[] | undefined;
  /** The index of the row that wrote the version which this row sees. */
  readonly from?: number | undefined;
  /** The lanes of the processes that see the version at once. */
  readonly seenBy?: readonly number[] | undefined;
  /** The index of the reconcile that the row is part of. */
  readonly reconcile?: number | undefined;
  /** The knowledge of the process at this row, and its request; undefined if neither is known. */
  readonly step?: StepView | undefined;
}

/** A life of a process. */
export interface LifeView {
  readonly lane: number;
  /** The number of the life: 1 is the first. */
  readonly life: number;
  /** The first and the last row. */
  readonly from: number;
  readonly to: number;
  /** Whether it ended at its last row, as when the process was killed. */
  readonly isOver: boolean;
}

/** A reconcile of a controller. */
export interface ReconcileView {
  readonly lane: number;
  readonly controller: string;
  readonly key: string;
  /** The first and the last row. */
  readonly from: number;
  readonly to: number;
  /** How it ended, in words: `succeeded`, `failed: …`, `was cut off: the process was killed`. */
  readonly result: string;
  readonly isFailed: boolean;
}

/** The knowledge of a process at one row, and its request. */
export interface StepView {
  /** The objects that the process had read, and the object that it wrote. Stale ones come first. */
  readonly known: readonly KnownView[];
  /** The number of further objects that it had read. */
  readonly more: number;
  /** The request; undefined for a row without one. */
  readonly request?: RequestView | undefined;
  /** The change of the stored object; undefined if nothing was stored. */
  readonly change?: { readonly before?: number | undefined; readonly after: number } | undefined;
}

/** The knowledge of one object, beside the truth. Versions are indices of {@linkcode RunView.versions}. */
export interface KnownView {
  /** The resource and the key of the object. */
  readonly object: string;
  /** The version that the process knew; undefined if it did not know of the object. */
  readonly knew?: number | undefined;
  /** The version that the server had; undefined if it had none. */
  readonly was?: number | undefined;
  /** Whether the two differ: by a write of the process itself (`own`), or of another client (`stale`). */
  readonly state: "fresh" | "own" | "stale";
  /** The line of the program that read it. */
  readonly place?: string | undefined;
}

/** A request of a process, or a call of the external world. */
export interface RequestView {
  /** The request, as in `patch configmaps default/w #1`. */
  readonly text: string;
  /** The body, parsed if it is JSON. */
  readonly body?: unknown;
  /** The answer in words. */
  readonly answer: string;
  readonly isFailed: boolean;
  /** The line of the program that has sent it. */
  readonly place?: string | undefined;
}

/** A version of an object. */
export interface VersionView {
  readonly object: string;
  readonly number: number;
  /** The time of the write, as in `91.01 s`; undefined if it is from before the run. */
  readonly time?: string | undefined;
  /** The writer; undefined if it is from before the run. */
  readonly by?: string | undefined;
  /** Whether this version is the deletion of the object. */
  readonly isGone: boolean;
  /** The object without the fields of metadata that the server sets at each write; undefined if it is gone, or was left out. */
  readonly value?: unknown;
}
