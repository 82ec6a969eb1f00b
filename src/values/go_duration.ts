import { quote } from "./json.ts";

const UNITS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  "µs": 1e-3,
  "μs": 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

/** Matches the next number and its unit. */
const PART = /[+-]?(\d*(?:\.\d*)?)([^+.\d-]+)/gy;

/** Returns what Go's `time.ParseDuration` says about a text that is not a duration; undefined if it is one. */
export function durationError(text: string): string | undefined {
  const invalid = `time: invalid duration ${quote(text)}`;
  let rest = text.replace(/^[+-]/, "");
  if (rest === "0") return undefined;
  if (rest === "") return invalid;
  while (rest !== "") {
    const [matched, number = "", unit = ""] = /^([0-9]*\.?[0-9]*)([^.0-9]*)/.exec(rest)!;
    if (!/[0-9]/.test(number)) return invalid;
    if (unit === "") return `time: missing unit in duration ${quote(text)}`;
    if (!Object.hasOwn(UNITS, unit)) {
      return `time: unknown unit ${quote(unit)} in duration ${quote(text)}`;
    }
    rest = rest.slice(matched.length);
  }
  return undefined;
}

/** Returns the milliseconds of a text that {@linkcode durationError} takes for a duration. */
export function durationMs(text: string): number {
  let ms = 0;
  for (const [, number = "", unit = ""] of text.matchAll(PART)) {
    ms += Number(number) * UNITS[unit]!;
  }
  return text.startsWith("-") ? -ms : ms;
}
