/** An interval of indexes, both ends included. */
export type Interval = readonly [first: number, last: number];

/** The indexes of a Job: intervals in ascending order, and how many indexes they have together. */
export interface Indexes {
  readonly intervals: readonly Interval[];
  readonly length: number;
}

/**
 * Parses a list of indexes, as in `1,3-5`. Returns an error instead for an invalid list.
 *
 * @param completions The number of indexes that the Job has.
 */
export function parseIndexes(text: string, completions: number): Indexes | string {
  const intervals: Interval[] = [];
  let length = 0;
  for (const part of text === "" ? [] : text.split(",")) {
    const interval = parseInterval(part, completions);
    if (typeof interval === "string") return interval;
    const previous = intervals.at(-1)?.[1];
    if (previous !== undefined && previous >= interval[0]) return disorder(previous, interval[0]);
    intervals.push(interval);
    length += interval[1] - interval[0] + 1;
  }
  return { intervals, length };
}

function parseInterval(text: string, completions: number): Interval | string {
  const parts = text.split("-");
  if (parts.length > 2) {
    return `the fragment ${
      JSON.stringify(text)
    } violates the requirement that an index interval can have at most two parts separated by '-'`;
  }
  const ends: number[] = [];
  for (const part of parts) {
    if (!/^[+]?[0-9]+$/.test(part)) {
      return `cannot convert string to integer for index: ${JSON.stringify(part)}`;
    }
    if (Number(part) >= completions) return `too large index: ${JSON.stringify(part)}`;
    ends.push(Number(part));
  }
  const [first = 0, last] = ends;
  if (last !== undefined && first >= last) return disorder(first, last);
  return [first, last ?? first];
}

function disorder(previous: number, current: number): string {
  return `non-increasing order, previous: ${previous}, current: ${current}`;
}
