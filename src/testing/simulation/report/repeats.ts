/** Some items of a list, and how often they come in a row. */
export interface Repeat<T> {
  readonly items: readonly T[];
  /** 1 if they come only once. */
  readonly times: number;
  /** The last item of the last time. */
  readonly last: T;
}

/** The most items that repeat together. */
const MAX_PERIOD = 8;
/** How often items must come in a row to count as repeated. */
const MIN_TIMES = 3;

/** Finds the items of a list that come again and again, in the same order. */
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
