import { after, readInt64, readVarint, skipValue, WIRE } from "./wire.ts";

/** The seconds from 1970 to Go's zero time, which is null in JSON, and to the year 10,000. */
const ZERO_TIME = -62_135_596_800;
const END_OF_TIME = 253_402_300_800;

/** The fields of a timestamp. */
const SECONDS = 1;
const NANOS = 2;

/** The nanoseconds of the timestamp that {@linkcode readSeconds} has read last. */
let nanos = 0;

/** The last timestamps, each at the place of its seconds. Most times of a cluster are repeated in several objects. */
const RECENT_SECONDS: number[] = new Array<number>(256).fill(NaN);
const RECENT_TEXTS: string[] = new Array<string>(256).fill("");

/**
 * Returns a `Time` as its JSON text, such as `2026-01-02T03:04:05Z`: null if it is not set, undefined if it is malformed
 * or out of the years 0 to 9999.
 */
export function timeAt(bytes: Uint8Array, start: number, end: number): string | null | undefined {
  if (start === end) return null;
  const seconds = readSeconds(bytes, start, end);
  if (seconds === ZERO_TIME) return null;
  return secondsText(seconds);
}

/** Returns a `MicroTime` as its JSON text, which has six digits of a second. See {@linkcode timeAt}. */
export function microTimeAt(
  bytes: Uint8Array,
  start: number,
  end: number,
): string | null | undefined {
  if (start === end) return null;
  const seconds = readSeconds(bytes, start, end);
  const micros = Math.floor(nanos / 1000);
  if (seconds === ZERO_TIME && micros === 0) return null;
  const text = secondsText(seconds);
  if (text === undefined || micros < 0 || micros >= 1e6) return undefined;
  return `${text.slice(0, -1)}.${String(micros).padStart(6, "0")}Z`;
}

function secondsText(seconds: number): string | undefined {
  const place = seconds & 255;
  if (RECENT_SECONDS[place] === seconds) return RECENT_TEXTS[place];
  // NaN fails too.
  if (!(seconds >= ZERO_TIME - 31_622_400 && seconds < END_OF_TIME)) return undefined;
  RECENT_SECONDS[place] = seconds;
  return RECENT_TEXTS[place] = new Date(seconds * 1000).toISOString().slice(0, 19) + "Z";
}

/** Returns the seconds of a timestamp, and leaves the rest in {@linkcode nanos}; NaN if it is malformed. */
function readSeconds(bytes: Uint8Array, at: number, end: number): number {
  let seconds = 0;
  nanos = 0;
  while (at < end) {
    const tag = readVarint(bytes, at, end);
    if (tag < 8) return NaN;
    const number = Math.floor(tag / 8);
    if (number === SECONDS || number === NANOS) {
      const value = tag % 8 === WIRE.VARINT ? readInt64(bytes, after, end) : undefined;
      if (value === undefined) return NaN;
      if (number === SECONDS) seconds = Number(value);
      else nanos = Number(value);
      at = after;
    } else {
      at = skipValue(bytes, after, end, tag % 8);
      if (at < 0) return NaN;
    }
  }
  return seconds;
}
