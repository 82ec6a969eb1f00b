import { blameCurrentRun, runSeed } from "./self_run.ts";
import { count, emptyTally, type Tally } from "./tally.ts";

/** Which seeds to run: every `step`-th from `first`, below `end`. */
export interface Seeds {
  readonly first: number;
  readonly end: number;
  readonly step: number;
}

/** Options of {@linkcode runSeeds}. */
export interface RunSeedsOptions {
  /** Called now and then with the plans since the last call. */
  readonly onTally: (tally: Tally) => void;
  /** Returns the seed at which to end, which may become lower on the way. */
  readonly end: () => number;
}

/** The plans between two reports. */
const BATCH = 50;

/** Takes unhandled rejections as errors of the plan that is running. */
export function blameRejections(): Disposable {
  const blame = (event: PromiseRejectionEvent) => {
    if (blameCurrentRun(event.reason)) event.preventDefault();
  };
  globalThis.addEventListener("unhandledrejection", blame);
  return {
    [Symbol.dispose]: () => globalThis.removeEventListener("unhandledrejection", blame),
  };
}

/** Runs the plans of many seeds, until one ends wrong. */
export async function runSeeds(
  { first, step }: Seeds,
  { end, onTally }: RunSeedsOptions,
): Promise<void> {
  using _rejections = blameRejections();
  // Most of the errors of a plan are expected, and their stacks take longer than all else about them.
  const { stackTraceLimit } = Error as { stackTraceLimit?: number };
  (Error as { stackTraceLimit?: number }).stackTraceLimit = 0;
  try {
    let tally = emptyTally();
    for (let seed = first; seed < end(); seed += step) {
      count(tally, await runSeed(seed));
      if (tally.plans < BATCH && tally.failure === undefined) continue;
      onTally(tally);
      if (tally.failure !== undefined) return;
      tally = emptyTally();
    }
    onTally(tally);
  } finally {
    if (stackTraceLimit !== undefined) {
      (Error as { stackTraceLimit?: number }).stackTraceLimit = stackTraceLimit;
    }
  }
}
