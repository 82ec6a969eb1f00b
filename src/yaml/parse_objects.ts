import { parseJson } from "../base/mod.ts";
import { hasFiniteNumbers } from "./decode_node.ts";
import { MAX_DEPTH } from "./max_depth.ts";
import { type Problem, problemsOf } from "./yaml_problem.ts";

/** The values of JSON that a text begins with. */
interface ParsedObjects {
  readonly values: unknown[];
  /** The index of the rest, which may be YAML. */
  readonly end: number;
}

/**
 * Reads the objects of JSON that a text begins with, one after the other, as kubectl does. What follows the first one may
 * be YAML; what follows several ones must be JSON.
 *
 * @throws {SyntaxError} If something other than JSON follows several objects.
 */
export function parseObjects(text: string): ParsedObjects {
  const values: unknown[] = [];
  if (!/^\s*\{/.test(text)) return { values, end: 0 };
  const problem = problemsOf(text);
  let end = 0;
  for (;;) {
    const start = skip(text, end, /[ \t\n\r]*/y);
    if (start === text.length) return { values, end: start };
    const next = valueEnd(text, start, problem);
    let value: unknown;
    try {
      value = parseJson(text.slice(start, next));
    } catch {
      if (values.length > 1) {
        throw problem(start, "expected an object of JSON, like the ones before");
      }
      // The rest of the line, if it is blank, is not part of the YAML.
      return { values, end: skip(text, end, /[^\S\n]*\n?/y) };
    }
    if (!hasFiniteNumbers(value)) {
      throw problem(start, "expected an object without numbers beyond 64 bits");
    }
    values.push(value);
    end = next;
  }
}

/** Returns the index behind what `pattern`, which matches everywhere, matches at `start`. */
function skip(text: string, start: number, pattern: RegExp): number {
  pattern.lastIndex = start;
  pattern.test(text);
  return pattern.lastIndex;
}

/** Returns the index behind the value of JSON at `start`, if there is one. */
function valueEnd(text: string, start: number, problem: Problem): number {
  const parts = /["{}[\]]/g;
  parts.lastIndex = start;
  let depth = 0;
  for (let part; (part = parts.exec(text)) !== null;) {
    const { index } = part;
    // Something other than an object or a string, such as a number.
    if (depth === 0 && index > start) return index;
    if (text[index] === '"') parts.lastIndex = stringEnd(text, index);
    else if (text[index] === "{" || text[index] === "[") depth++;
    else depth--;
    if (depth > MAX_DEPTH) throw problem(index, "it is nested too deeply");
    if (depth <= 0) return parts.lastIndex;
  }
  return text.length;
}

/** Returns the index behind the string of JSON that begins at `start`. */
function stringEnd(text: string, start: number): number {
  const ends = /["\\]/g;
  ends.lastIndex = start + 1;
  for (let end; (end = ends.exec(text)) !== null; ends.lastIndex++) {
    if (end[0] === '"') return ends.lastIndex;
  }
  return text.length;
}
