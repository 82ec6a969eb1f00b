/** A summary of several runs. */
export interface Summary {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** Returns the median of `values`; for an even number of values, the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  const upper = sorted[half] ?? NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? NaN) + upper) / 2;
}

/** Returns the smallest of the sorted values that at least `share` of them do not exceed. */
export function percentile(sorted: ArrayLike<number>, share: number): number {
  const index = Math.ceil(sorted.length * share) - 1;
  return sorted[Math.max(0, index)] ?? NaN;
}

/** Returns the median, the minimum and the maximum. */
export function summarize(values: readonly number[]): Summary {
  return { median: median(values), min: Math.min(...values), max: Math.max(...values) };
}
