import { LruMap } from "../../base/mod.ts";
import type { RE2JS } from "re2js";

/** The steps that all patterns of one value may take: about a second in the worst case. */
const MAX_STEPS = 20_000_000;

/** The maximum number of compiled patterns that are kept. */
const MAX_KEPT = 1_000;

/** Reports whether a text matches a pattern of a schema; undefined if that is left to the server. */
export type MatchPattern = (text: string, pattern: string) => boolean | undefined;

/** Leaves all patterns to the server. */
export const leavePatterns: MatchPattern = () => undefined;

/** The compiled patterns, oldest first; undefined for one that the server would refuse. */
const kept = new LruMap<string, RE2JS | undefined>(MAX_KEPT);

/**
 * Loads the engine of the patterns: RE2, as in API servers, so with the same syntax, and in a time that is linear in the
 * length of the text. A regular expression of JavaScript can take exponential time.
 *
 * @returns A function for one value. It leaves patterns to the server after a second of work, and those that are not valid.
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
    // Each character takes at most as many steps as the program has instructions.
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
