import { UsageError } from "./exits.ts";

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/**
 * Parses a Go duration such as `30s`, `1m30s`, `500ms` or `2h`. Returns milliseconds.
 *
 * @throws {UsageError} If the text is not a duration, or the duration is longer than a year.
 */
export function durationOf(flag: string, text: string): number {
  const parts = [...text.matchAll(/(\d{1,12}(?:\.\d{1,12})?)(ms|s|m|h)/g)];
  const ms = parts.reduce((sum, [, count, unit = ""]) => sum + Number(count) * UNITS[unit]!, 0);
  const isWhole = parts.map(([part]) => part).join("") === text;
  if (isWhole && parts.length > 0 && ms <= 366 * 24 * 3_600_000) return Math.ceil(ms);
  throw new UsageError(`${flag} takes a duration such as 30s, 1m30s or 2h`);
}
