import { visibleText } from "../../../base/mod.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The maximum length of a name or an error that a page shows, in characters. */
const MAX_TEXT = 2_000;

/** Returns text from outside for a page: on one line, with invisible characters and marks that turn the writing visible. */
export function visible(text: string): string {
  return visibleText(text, MAX_TEXT);
}

/** Returns a duration: `0.4 ms`, `12 ms`, `1.5 s`, `3 min`, `2 h`, `4 d`. */
export function duration(ms: number): string {
  if (!(ms >= 0)) return "0 ms";
  if (ms < 10) return `${tenths(ms)} ms`;
  if (ms < SECOND) return `${Math.round(ms)} ms`;
  if (ms < 10 * SECOND) return `${tenths(ms / SECOND)} s`;
  if (ms < 2 * MINUTE) return `${Math.round(ms / SECOND)} s`;
  if (ms < 2 * HOUR) return `${Math.round(ms / MINUTE)} min`;
  if (ms < 2 * DAY) return `${Math.round(ms / HOUR)} h`;
  return `${Math.round(ms / DAY)} d`;
}

/** Returns a rate per second: `0/s`, `0.4/s`, `1,200/s`. */
export function rate(perSecond: number): string {
  return `${perSecond < 10 ? tenths(perSecond) : count(Math.round(perSecond))}/s`;
}

/** Returns a number with a comma after each thousand. */
export function count(value: number): string {
  return value.toLocaleString("en");
}

/** Returns a number with its noun: `1 key`, `1,024 keys`. */
export function plural(value: number, noun: string): string {
  return `${count(value)} ${noun}${value === 1 ? "" : "s"}`;
}

/** Returns how long a time is before or after another one: `3 s ago`, `in 10 s`, `now`; undefined if it is not a time. */
export function relative(at: string, now: string): string | undefined {
  const ms = Date.parse(now) - Date.parse(at);
  if (Number.isNaN(ms)) return undefined;
  if (Math.abs(ms) < SECOND) return "now";
  return ms > 0 ? `${duration(ms)} ago` : `in ${duration(-ms)}`;
}

/** Returns the time of day in UTC of an RFC 3339 time, as `14:03:22.120`; the text itself if it is not a time. */
export function timeOfDay(at: string): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? visible(at) : date.toISOString().slice(11, 23);
}

function tenths(value: number): number {
  return Math.round(value * 10) / 10;
}
