/**
 * What a case is. Its file is loaded by the bench, which starts processes and reports, and inside of each process that
 * is measured.
 *
 * @module
 */

/** What one run has measured, by the names of the case's figures. */
export type Measured = Readonly<Record<string, number>>;

/** One column of the report. */
export interface Figure {
  /** As in {@linkcode Measured}. */
  readonly name: string;
  readonly title: string;
  readonly unit: string;
}

/** How a case is run. */
export interface Run {
  /** The client's name. */
  readonly client: string;
  /** The stub server's URL; empty for cases without one. */
  readonly server: string;
  readonly size: Size;
}

/** How much there is to do. */
export interface Size {
  /** Pods on the stub server; 0 for cases that need none. */
  readonly pods: number;
  /** Events, operations, watches: what there are many of in this case. */
  readonly count: number;
}

/** Something to measure. */
export interface Case {
  readonly name: string;
  /** What is done, `size.count` times. */
  title(size: Size): string;
  /** The first is the one that clients are compared by: less is better. */
  readonly figures: readonly [Figure, ...Figure[]];
  /** Whom it is measured of. */
  readonly clients: readonly string[];
  /** On what, of what was asked for. Default: on all of it. */
  readonly runtimes?: readonly string[];
  readonly size: Size;
  /** With `--quick`. Default: the same size. */
  readonly quickSize?: Size;
  /** Default: the number that was asked for. */
  readonly maxRuns?: number;
  /** How long a single run may take. Default: three minutes. */
  readonly timeoutMs?: number;
  /** Is only run when it is asked for, since it takes long. Default: false. */
  readonly isLong?: boolean;
  /** Is left out with `--quick`, unless it is asked for. Default: false. */
  readonly isLarge?: boolean;
  /** Runs in a process of its own. What it prints on standard error after "… " is shown. */
  measure(run: Run): Promise<Measured>;
}
