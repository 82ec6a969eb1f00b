import { exploreSelf } from "./explore_self.ts";
import { runSeed } from "./self_run.ts";
import { blameRejections } from "./run_seeds.ts";
import type { Failure, Tally } from "./tally.ts";
import type { Selection } from "../arguments.ts";

const PLANS = 10_000;
/** Seeds have 31 bits. */
const MOST_PLANS = 2 ** 31;
const PROGRESS_MS = 2_000;

/** Runs `deno task simulate --self`. Returns the exit code. */
export async function simulateSelf(selection: Selection): Promise<number> {
  const { minutes, plans, seed, workers } = selection;
  if (seed !== undefined && plans === undefined && minutes === undefined) return await replay(seed);
  const startMs = performance.now();
  const stop = new AbortController();
  const timer = minutes === undefined
    ? undefined
    : setTimeout(() => stop.abort(), minutes * 60_000);
  const first = seed ?? 1;
  const most = plans ?? (minutes === undefined ? PLANS : MOST_PLANS - first);
  let nextMs = startMs + PROGRESS_MS;
  const onProgress = (tally: Tally) => {
    if (performance.now() < nextMs) return;
    nextMs = performance.now() + PROGRESS_MS;
    console.error(`${tally.plans.toLocaleString("en")} plans, ${rate(tally, startMs)} a second`);
  };
  const tally = await exploreSelf({
    seed: first,
    plans: most,
    workers,
    onProgress,
    signal: stop.signal,
  });
  clearTimeout(timer);
  console.log(summary(tally, startMs));
  if (tally.failure === undefined) return 0;
  console.log(describe(tally.failure));
  return 1;
}

/** Runs one plan and prints its story. */
async function replay(seed: number): Promise<number> {
  using _rejections = blameRejections();
  const { story, wrong } = await runSeed(seed, { tells: true });
  console.log(story.join("\n"));
  console.log(wrong.length === 0 ? "\nNothing was wrong." : `\n${describe({ seed, wrong })}`);
  return wrong.length === 0 ? 0 : 1;
}

function rate({ plans }: Tally, startMs: number): number {
  return Math.round(plans * 1000 / (performance.now() - startMs));
}

function summary(tally: Tally, startMs: number): string {
  const { events, faults, plans, requests, trace, virtualMs } = tally;
  const n = (value: number) => Math.round(value).toLocaleString("en");
  const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
  return `${n(plans)} plans in ${seconds} s (${rate(tally, startMs)} a second), ` +
    `${tally.failure === undefined ? "nothing" : "something"} wrong: ` +
    `${n(virtualMs / 3_600_000)} hours of virtual time, ${n(faults)} faults, ${
      n(requests)
    } requests, ` +
    `${n(events)} events; trace ${trace.toString(16).padStart(8, "0")}`;
}

function describe({ seed, wrong }: Failure): string {
  return [
    ...wrong.map((text) => `WRONG: ${text}`),
    `Replay: deno task simulate --self --seed ${seed}`,
  ].join("\n");
}
