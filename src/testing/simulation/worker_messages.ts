/** A task for a worker. */
export type WorkerTask =
  /** Load the simulation that `module` exports as `name`. */
  | { readonly kind: "load"; readonly module: string; readonly name: string }
  /** Run the plans from `from` on, up to but not including `to`. */
  | { readonly kind: "run"; readonly from: number; readonly to: number };

/** A message of a worker. */
export type WorkerAnswer =
  /** The worker waits for a task. */
  | { readonly kind: "ready" }
  | {
    readonly kind: "done";
    readonly index: number;
    readonly isIdle: boolean;
    readonly isWrong: boolean;
  }
  /** The simulation has no more than this number of plans. */
  | { readonly kind: "end"; readonly plans: number }
  | { readonly kind: "failed"; readonly message: string };
