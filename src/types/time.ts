/**
 * Formats a time as a `metav1.Time`: RFC 3339 in UTC, with whole seconds.
 *
 * @param wallMs The time, in milliseconds since the Unix epoch.
 * @throws {RangeError} If the year is not one from 0 to 9999.
 *
 * @example
 * ```ts
 * import { formatTime } from "@kubeloop/controller/types";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(formatTime(1_500), "1970-01-01T00:00:01Z");
 * ```
 */
export function formatTime(wallMs: number): string {
  return `${isoText(wallMs).slice(0, 19)}Z`;
}

/**
 * Formats a time as a `metav1.MicroTime`: RFC 3339 in UTC, with exactly six fraction digits. The API server answers 400
 * to the three fraction digits of `Date.prototype.toISOString()`.
 *
 * @param wallMs The time, in milliseconds since the Unix epoch.
 * @throws {RangeError} If the year is not one from 0 to 9999.
 *
 * @example
 * ```ts
 * import { formatMicroTime } from "@kubeloop/controller/types";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(formatMicroTime(1_500), "1970-01-01T00:00:01.500000Z");
 * ```
 */
export function formatMicroTime(wallMs: number): string {
  return `${isoText(wallMs).slice(0, 23)}000Z`;
}

/** Returns a time with milliseconds. RFC 3339 has only years of four digits. */
function isoText(wallMs: number): string {
  const date = new Date(wallMs);
  const year = date.getUTCFullYear();
  if (year >= 0 && year <= 9999) return date.toISOString();
  throw new RangeError(
    `Cannot write the time ${wallMs} ms after 1970: expected one of the years 0 to 9999`,
  );
}
