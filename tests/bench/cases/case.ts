/**
 * The definition of a case. The bench, which starts processes and reports, loads the file of a case, and so does each
 * measured process.
 *
 * @module
 */

/** The measurements of one run, by the names of the case's figures. */
export type Measured = Readonly<Record<string, number>>;

/** One column of the report. */
export interface Figure {
  /** The key in {@linkcode Measured}. */
  readonly name: string;
  readonly title: string;
  readonly unit: string;
  /** Whether clients are compared by the ratio to the floor. Less is better. */
  readonly isCompared?: boolean;
  /** The heading of the extra table that has the figure. Default: it is in the first table. */
  readonly table?: string;
}

/** The parameters of a run. */
export interface Run {
  /** The name of the client. */
  readonly client: string;
  /** The URL of the stub server; empty for cases without one. */
  readonly server: string;
  readonly size: Size;
}

/** The amount of work of a case. */
export interface Size {
  /** The number of Pods on the stub server; 0 for cases without it. */
  readonly pods: number;
  /** The number of events, operations or watches, depending on the case. */
  readonly count: number;
}

/** A benchmark case. */
export interface Case {
  readonly name: string;
  /** Returns the title in the report. */
  title(size: Size): string;
  /** The figures. While the bench runs, the first figure of each client is shown. */
  readonly figures: readonly [Figure, ...Figure[]];
  /** The names of the measured clients. */
  readonly clients: readonly string[];
  /** The runtimes that the case supports. Default: all. */
  readonly runtimes?: readonly string[];
  readonly size: Size;
  /** The size with `--quick`. Default: the same size. */
  readonly quickSize?: Size;
  /** The number of runs. Default: five. */
  readonly runs?: number;
  /** The limit of V8's old space, in MiB. Default: the limit of the runtime. */
  readonly heapMiB?: number;
  /** The time limit of a single run. Default: three minutes. */
  readonly timeoutMs?: number;
  /** Whether the case runs only on request, because it takes long. Default: false. */
  readonly isLong?: boolean;
  /** Whether `--quick` leaves the case out, unless it is requested. Default: false. */
  readonly isLarge?: boolean;
  /** Runs the case, in a separate process. Lines on standard error that begin with "… " are shown as progress. */
  measure(run: Run): Promise<Measured>;
}
