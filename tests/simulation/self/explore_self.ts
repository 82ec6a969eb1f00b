import { runSeeds } from "./run_seeds.ts";
import { add, emptyTally, type Tally } from "./tally.ts";
import type { FromWorker, ToWorker } from "./worker.ts";

/** Options of {@linkcode exploreSelf}. */
export interface ExploreSelfOptions {
  /** The seed of the first plan; the others follow. Default 1. */
  readonly seed?: number | undefined;
  /** The number of plans. */
  readonly plans: number;
  /** The number of threads; 1 runs everything in this one. Default 1. The result is the same with any number. */
  readonly workers?: number | undefined;
  /** Called now and then with what was done so far. */
  readonly onProgress?: ((tally: Tally) => void) | undefined;
  /** Ends the exploration early. The plans that were run by then count. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs random plans against the library itself, until one ends wrong. Of several, the one with the lowest seed is
 * reported, whatever the number of threads.
 */
export async function exploreSelf(options: ExploreSelfOptions): Promise<Tally> {
  const { onProgress, plans, seed = 1, signal, workers = 1 } = options;
  const total = emptyTally();
  const onTally = (tally: Tally) => {
    add(total, tally);
    onProgress?.(total);
  };
  const end = seed + plans;
  if (workers === 1) {
    const first = { first: seed, end, step: 1 };
    await runSeeds(first, { end: () => (signal?.aborted ? -Infinity : end), onTally });
    return total;
  }
  const threads = Array.from(
    { length: workers },
    () => new Worker(new URL("./worker.ts", import.meta.url), { type: "module" }),
  );
  const tell = (message: ToWorker) => threads.forEach((thread) => thread.postMessage(message));
  const stop = () => tell({ end: -Infinity });
  try {
    const working = threads.map((thread, i) =>
      new Promise<void>((resolve, reject) => {
        thread.onerror = (event) => {
          event.preventDefault();
          reject(new Error(`A thread of the simulation failed: ${event.message}`));
        };
        thread.onmessage = ({ data }: MessageEvent<FromWorker>) => {
          if ("done" in data) return resolve();
          onTally(data.tally);
          // Plans with lower seeds still have to be run.
          if (data.tally.failure !== undefined) tell({ end: data.tally.failure.seed });
        };
        const message: ToWorker = { run: { first: seed + i, end, step: workers } };
        thread.postMessage(message);
      })
    );
    signal?.addEventListener("abort", stop);
    if (signal?.aborted) stop();
    await Promise.all(working);
  } finally {
    signal?.removeEventListener("abort", stop);
    for (const thread of threads) thread.terminate();
  }
  return total;
}
