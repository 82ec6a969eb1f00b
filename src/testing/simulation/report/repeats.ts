/** Consecutive items of a list that are repeated. */
export interface Repeat<T> {
  readonly items: readonly T[];
  /** The number of repetitions: 1 if the items occur only once. */
  readonly times: number;
  /** The last item of the last time. */
  readonly last: T;
}

/** The maximum number of items that are repeated together. */
const MAX_PERIOD = 8;
/** The minimum number of repetitions. */
const MIN_TIMES = 3;

/** Finds the runs of items of a list that are repeated in the same order. */
export function findRepeats<T>(items: readonly T[], keyOf: (item: T) => string): Repeat<T>[] {
  const keys = items.map(keyOf);
  const out: Repeat<T>[] = [];
  for (let i = 0; i < items.length;) {
    const { period, times } = bestAt(keys, i);
    const end = i + period * times;
    out.push({ items: items.slice(i, i + period), times, last: items[end - 1]! });
    i = end;
  }
  return out;
}

function bestAt(keys: readonly string[], from: number): { period: number; times: number } {
  let best = { period: 1, times: 1 };
  for (let period = 1; period <= MAX_PERIOD; period++) {
    const times = timesAt(keys, from, period);
    if (times >= MIN_TIMES && times * period > best.times * best.period) best = { period, times };
  }
  return best;
}

function timesAt(keys: readonly string[], from: number, period: number): number {
  let at = from + period;
  while (at < keys.length && keys[at] === keys[at - period]) at++;
  return Math.floor((at - from) / period);
}
