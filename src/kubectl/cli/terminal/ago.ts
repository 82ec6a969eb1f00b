/** The units of a duration, in milliseconds. */
const UNITS = [["d", 86_400_000], ["h", 3_600_000], ["m", 60_000], ["s", 1000]] as const;

/** Returns a duration like the ages of kubectl: `12s`, `45m`, `2d`, with a second unit if the first is below 10 (`5m3s`). */
export function span(ms: number): string {
  const index = UNITS.findIndex(([, size]) => ms >= size);
  if (index < 0) return "0s";
  const [unit, size] = UNITS[index] as readonly [string, number];
  const count = Math.floor(ms / size);
  const next = UNITS[index + 1];
  const more = next === undefined ? 0 : Math.floor((ms % size) / next[1]);
  return `${count}${unit}${
    count < 10 && next !== undefined && more > 0 ? `${more}${next[0]}` : ""
  }`;
}

/** Returns the age of a timestamp, such as `5m ago`; an empty text if it is not a timestamp. */
export function ago(time: unknown, nowMs: number): string {
  const at = typeof time === "string" ? Date.parse(time) : NaN;
  return Number.isNaN(at) ? "" : `${span(nowMs - at)} ago`;
}
