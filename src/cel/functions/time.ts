import { CelError, type Duration, Timestamp, type Value } from "../values/mod.ts";
import { define, type Overload } from "./overload.ts";

const UNITS: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  "µs": 1_000n,
  "μs": 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};

/** Parses a duration as Go does, such as `1h2.5s`; returns nanoseconds, or undefined if it is none. */
export function parseDuration(text: string): bigint | undefined {
  const negative = text.startsWith("-");
  let rest = text.replace(/^[+-]/, "");
  if (rest === "0") return 0n;
  if (rest === "") return undefined;
  let nanos = 0n;
  while (rest !== "") {
    const part = /^(\d*)(?:\.(\d*))?([a-zµμ]+)/.exec(rest);
    if (part === null) return undefined;
    const [all, whole = "", fraction = "", name = ""] = part;
    const unit = UNITS[name];
    if (unit === undefined || whole + fraction === "") return undefined;
    const digits = fraction.slice(0, 18);
    nanos += BigInt(whole || "0") * unit +
      (digits === "" ? 0n : BigInt(digits) * unit / 10n ** BigInt(digits.length));
    rest = rest.slice(all.length);
  }
  const result = negative ? -nanos : nanos;
  return BigInt.asIntN(64, result) === result ? result : undefined;
}

const RFC3339 =
  /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:[.,](\d+))?(?:Z|([+-])(\d{2}):(\d{2}))$/;

/** Parses a time of RFC 3339; returns undefined if it is none. */
export function parseTimestamp(text: string): Timestamp | undefined {
  const found = RFC3339.exec(text);
  if (found === null) return undefined;
  const [year, month, day, hour, minute, second] = found.slice(1, 7).map(Number) as number[];
  if (hour! > 23 || minute! > 59 || second! > 59) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year!, month! - 1, day!);
  if (date.getUTCDate() !== day || date.getUTCMonth() !== month! - 1) return undefined;
  date.setUTCHours(hour!, minute!, second!);
  const fraction = BigInt((found[7] ?? "").slice(0, 9).padEnd(9, "0"));
  const [zoneHours, zoneMinutes] = [Number(found[9] ?? 0), Number(found[10] ?? 0)];
  if (zoneHours > 24 || zoneMinutes > 60) return undefined;
  const offset = (zoneHours * 60 + zoneMinutes) * (found[8] === "-" ? -1 : 1);
  const seconds = BigInt(date.getTime() / 1000 - offset * 60);
  return new Timestamp(seconds * 1_000_000_000n + fraction, offset);
}

/** Returns a date whose UTC fields are the local fields of the time zone. */
function local({ nanos }: Timestamp, zone: string | undefined): Date {
  const ms = Number(nanos / 1_000_000n) - (nanos % 1_000_000n < 0n ? 1 : 0);
  return new Date(ms + (zone === undefined ? 0 : zoneOffset(zone, ms)) * 60_000);
}

/** Returns the offset of a time zone, in minutes. */
function zoneOffset(zone: string, ms: number): number {
  const colon = zone.indexOf(":");
  if (colon < 0) return namedOffset(zone, ms);
  const [hours, minutes] = [zone.slice(0, colon), zone.slice(colon + 1)];
  for (const part of [hours, minutes]) {
    if (!/^[+-]?\d+$/.test(part)) {
      throw new CelError(`strconv.Atoi: parsing ${JSON.stringify(part)}: invalid syntax`);
    }
  }
  const total = Number(hours) * 60;
  return zone.startsWith("-") ? total - Number(minutes) : total + Number(minutes);
}

function namedOffset(zone: string, ms: number): number {
  if (["", "UTC"].includes(zone)) return 0;
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" });
  } catch {
    throw new CelError(`unknown time zone ${zone}`);
  }
  const name = format.formatToParts(ms).find(({ type }) => type === "timeZoneName")?.value ?? "";
  const found = /([+-])(\d{2}):(\d{2})/.exec(name);
  if (found === null) return 0;
  return (Number(found[2]) * 60 + Number(found[3])) * (found[1] === "-" ? -1 : 1);
}

function dayOfYear(date: Date): number {
  const start = new Date(0).setUTCFullYear(date.getUTCFullYear(), 0, 1);
  return Math.floor((date.getTime() - start) / 86_400_000);
}

const PARTS: readonly (readonly [string, string, (date: Date) => number])[] = [
  ["getFullYear", "timestamp_to_year", (date) => date.getUTCFullYear()],
  ["getMonth", "timestamp_to_month", (date) => date.getUTCMonth()],
  ["getDayOfYear", "timestamp_to_day_of_year", dayOfYear],
  ["getDayOfMonth", "timestamp_to_day_of_month", (date) => date.getUTCDate() - 1],
  ["getDate", "timestamp_to_day_of_month_1_based", (date) => date.getUTCDate()],
  ["getDayOfWeek", "timestamp_to_day_of_week", (date) => date.getUTCDay()],
  ["getHours", "timestamp_to_hours", (date) => date.getUTCHours()],
  ["getMinutes", "timestamp_to_minutes", (date) => date.getUTCMinutes()],
  ["getSeconds", "timestamp_to_seconds_tz", (date) => date.getUTCSeconds()],
  ["getMilliseconds", "timestamp_to_milliseconds", (date) => date.getUTCMilliseconds()],
];

const LENGTHS: readonly (readonly [string, string, bigint])[] = [
  ["getHours", "duration_to_hours", 3_600_000_000_000n],
  ["getMinutes", "duration_to_minutes", 60_000_000_000n],
  ["getSeconds", "duration_to_seconds", 1_000_000_000n],
  ["getMilliseconds", "duration_to_milliseconds", 1_000_000n],
];

/** The functions of times and durations. */
export const TIMES: readonly Overload[] = [
  ...PARTS.flatMap(([name, id, get]) => [
    define(
      name,
      id,
      "timestamp. -> int",
      (time: Timestamp): Value => BigInt(get(local(time, undefined))),
    ),
    define(
      name,
      `${id}_with_tz`,
      "timestamp.string -> int",
      (time: Timestamp, zone: string): Value => BigInt(get(local(time, zone))),
    ),
  ]),
  ...LENGTHS.map(([name, id, unit]) =>
    define(name, id, "duration. -> int", ({ nanos }: Duration): Value => nanos / unit)
  ),
];
