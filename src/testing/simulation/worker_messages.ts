/** What a worker is told. */
export type WorkerTask =
  /** Load the simulation that `module` exports as `name`. */
  | { readonly kind: "load"; readonly module: string; readonly name: string }
  /** Run the plans from `from` on, up to but not including `to`. */
  | { readonly kind: "run"; readonly from: number; readonly to: number };

/** What a worker says. */
export type WorkerAnswer =
  /** It has nothing to do. */
  | { readonly kind: "ready" }
  | {
    readonly kind: "done";
    readonly index: number;
    readonly isIdle: boolean;
    readonly isWrong: boolean;
  }
  /** There are only so many plans. */
  | { readonly kind: "end"; readonly plans: number }
  | { readonly kind: "failed"; readonly message: string };
