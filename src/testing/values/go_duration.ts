import { quote } from "./json.ts";

const UNITS: ReadonlySet<string> = new Set(["ns", "us", "µs", "μs", "ms", "s", "m", "h"]);

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
    if (!UNITS.has(unit)) return `time: unknown unit ${quote(unit)} in duration ${quote(text)}`;
    rest = rest.slice(matched.length);
  }
  return undefined;
}
