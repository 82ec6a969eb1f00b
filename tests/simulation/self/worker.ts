/** Runs the plans of some seeds in a thread of its own. */

import { runSeeds, type Seeds } from "./run_seeds.ts";
import type { Tally } from "./tally.ts";

/** A message of the main thread. */
export type ToWorker = { readonly run: Seeds } | { readonly end: number };
/** A message of a worker. */
export type FromWorker = { readonly tally: Tally } | { readonly done: true };

declare const self: {
  onmessage: ((event: MessageEvent<ToWorker>) => void) | null;
  postMessage(message: FromWorker): void;
  close(): void;
};

let end = Infinity;

self.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  if ("end" in data) end = Math.min(end, data.end);
  else void run(data.run);
};

async function run(seeds: Seeds): Promise<void> {
  end = Math.min(end, seeds.end);
  await runSeeds(seeds, {
    end: () => end,
    onTally: (tally) => self.postMessage({ tally }),
  });
  self.postMessage({ done: true });
}
