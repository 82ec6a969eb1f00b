import type { RE2JS } from "re2js";
import { LruMap } from "../base/mod.ts";

/** Maximum number of steps for all patterns of one value: about a second. */
const MAX_STEPS = 20_000_000;

/** Maximum number of cached patterns. */
const MAX_KEPT = 1_000;

/** Reports whether a text matches a pattern; undefined if the server has to decide. */
export type MatchPattern = (text: string, pattern: string) => boolean | undefined;

/** Leaves all patterns to the server. */
export const leavePatterns: MatchPattern = () => undefined;

/** The compiled patterns, oldest first; undefined for an invalid pattern. */
const kept = new LruMap<string, RE2JS | undefined>(MAX_KEPT);

/**
 * Loads RE2, the regular expression engine of API servers. It matches in linear time, whereas a regular expression of
 * JavaScript can take exponential time.
 *
 * @returns A matcher for one value. It leaves invalid patterns to the server, and all patterns after a second of work.
 */
export async function loadPatterns(): Promise<MatchPattern> {
  const { RE2JS } = await import("re2js");
  const compiled = (pattern: string): RE2JS | undefined => {
    if (kept.has(pattern)) return kept.get(pattern);
    const expression = compile(RE2JS, pattern);
    kept.set(pattern, expression);
    return expression;
  };
  let steps = 0;
  return (text, pattern) => {
    const expression = compiled(pattern);
    if (expression === undefined) return undefined;
    // A character takes at most one step per instruction of the program.
    const cost = (text.length + 1) * expression.programSize();
    if (steps + cost > MAX_STEPS) return undefined;
    steps += cost;
    return expression.test(text);
  };
}

function compile(engine: typeof RE2JS, pattern: string): RE2JS | undefined {
  try {
    return engine.compile(pattern);
  } catch {
    return undefined;
  }
}
