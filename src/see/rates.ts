/** The time over which a rate is measured, in milliseconds. */
const WINDOW_MS = 5_000;
/** A sample that is nearer to the one before is not kept, in milliseconds. */
const MIN_STEP_MS = 250;

interface Sample {
  readonly atMs: number;
  readonly count: number;
}

/** Rates of counters, from samples of the last seconds. Counters that are no longer sampled are forgotten. */
export class Rates {
  #samples = new Map<string, Sample[]>();
  #next = new Map<string, Sample[]>();

  /** Samples a counter, and returns its rate per second. */
  sample(name: string, count: number, nowMs: number): number {
    const samples = (this.#samples.get(name) ?? [])
      .filter(({ atMs, count: before }) => nowMs - atMs <= WINDOW_MS && before <= count);
    const [first] = samples;
    const last = samples.at(-1);
    if (last === undefined || nowMs - last.atMs >= MIN_STEP_MS) {
      samples.push({ atMs: nowMs, count });
    }
    this.#next.set(name, samples);
    const spanMs = nowMs - (first?.atMs ?? nowMs);
    if (first === undefined || spanMs <= 0) return 0;
    return Math.round((count - first.count) / spanMs * 10_000) / 10;
  }

  /** Ends a round: forgets the counters that were not sampled in it. */
  endRound(): void {
    this.#samples = this.#next;
    this.#next = new Map();
  }
}
