import { TerminalError } from "@kubeloop/controller";

/** The fields of a cron schedule: minute, hour, day of the month, month, day of the week. */
const RANGES = [[0, 59], [0, 23], [1, 31], [1, 12], [0, 6]] as const;
/** A schedule such as `0 0 30 2 *` never runs. */
const MAX_DAYS = 5 * 366;
const DAY_MS = 86_400_000;

/**
 * Returns the first time after `afterMs` that a cron schedule of five fields has, in UTC and in milliseconds.
 *
 * @throws {TerminalError} When the schedule is invalid, or has no such time within five years.
 */
export function nextRun(schedule: string, afterMs: number): number {
  const fields = schedule.trim().split(" ").filter((field) => field !== "");
  if (fields.length !== RANGES.length) {
    throw new TerminalError(`Expected 5 fields in schedule "${schedule}", found ${fields.length}`);
  }
  const [minutes, hours, days, months, weekdays] = fields.map((field, at) => read(field, at));
  const startMs = (Math.floor(afterMs / 60_000) + 1) * 60_000;
  let dayMs = Math.floor(startMs / DAY_MS) * DAY_MS;
  for (let day = 0; day < MAX_DAYS; day++, dayMs += DAY_MS) {
    const date = new Date(dayMs);
    if (!months!.has(date.getUTCMonth() + 1)) continue;
    const [inMonth, inWeek] = [days!.has(date.getUTCDate()), weekdays!.has(date.getUTCDay())];
    // If both are restricted, one of them is enough.
    const either = fields[2] !== "*" && fields[4] !== "*";
    if (either ? !inMonth && !inWeek : !inMonth || !inWeek) continue;
    for (const hour of hours!) {
      for (const minute of minutes!) {
        const atMs = dayMs + (hour * 60 + minute) * 60_000;
        if (atMs >= startMs) return atMs;
      }
    }
  }
  throw new TerminalError(`Schedule "${schedule}" has no time within five years`);
}

/** Returns the values of a field, in their order. */
function read(field: string, at: number): ReadonlySet<number> {
  const [first, last] = RANGES[at]!;
  const values: number[] = [];
  for (const part of field.split(",")) {
    const [range = "", step = "1", ...more] = part.split("/");
    const [from = "", to = part.includes("/") ? `${last}` : from, ...rest] = range === "*"
      ? [`${first}`, `${last}`]
      : range.split("-");
    const numbers = [from, to, step].map((text) => /^\d{1,2}$/.test(text) ? Number(text) : NaN);
    const [low = NaN, high = NaN, by = NaN] = numbers;
    if (more.length + rest.length > 0 || !(low >= first && high <= last && low <= high && by > 0)) {
      throw new TerminalError(`Invalid field "${field}" of a schedule`);
    }
    for (let value = low; value <= high; value += by) values.push(value);
  }
  return new Set(values.toSorted((a, b) => a - b));
}
