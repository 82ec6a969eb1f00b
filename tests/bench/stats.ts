/** The median of several values, and how far they spread. */
export interface Spread {
  readonly median: number;
  /** The quartiles: half of the values lie between them. */
  readonly low: number;
  readonly high: number;
  /** The number of values. */
  readonly count: number;
}

/** Returns the median and the quartiles of the values that are finite; NaN if there are none. */
export function spread(values: readonly number[]): Spread {
  const sorted = values.filter(Number.isFinite).sort((a, b) => a - b);
  const [low, median, high] = [0.25, 0.5, 0.75].map((share) => quantile(sorted, share));
  return { median: median ?? NaN, low: low ?? NaN, high: high ?? NaN, count: sorted.length };
}

/** Returns the smallest of the sorted values that at least `share` of them do not exceed. */
export function percentile(sorted: ArrayLike<number>, share: number): number {
  const index = Math.ceil(sorted.length * share) - 1;
  return sorted[Math.max(0, index)] ?? NaN;
}

/** Returns the value at `share` of the way through the sorted values, between two of them if need be. */
function quantile(sorted: readonly number[], share: number): number {
  const at = (sorted.length - 1) * share;
  const [before = NaN, after = before] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  return before + (after - before) * (at - Math.floor(at));
}
