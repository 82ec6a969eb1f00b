import { type Event, parseEvents, YAMLException } from "js-yaml";
import { MAX_DEPTH } from "./max_depth.ts";
import type { Problem } from "./yaml_problem.ts";

/** The maximum number of characters that are parsed again after a repair. */
const MAX_PARSED_AGAIN = 8 * 1024 * 1024;

/** A text that the parser accepts, its events, and the errors for problems at places of that text. */
export interface ParsedEvents {
  readonly text: string;
  readonly events: readonly Event[];
  readonly problem: Problem;
}

/** Spaces that take the place of other blanks, or of nothing. */
interface Repair {
  readonly start: number;
  readonly end: number;
  readonly spaces: number;
}

/**
 * Parses a text into events. The parser is one for YAML 1.2, which is stricter than YAML 1.1 in three places:
 *
 * - a line between brackets or quotes is indented, even one with only the closing bracket,
 * - blanks between brackets are not tabs,
 * - a space is before a comment, also behind a bracket, a comma or a quote.
 *
 * Blanks mean nothing in these places, so they are changed where the parser asks for it.
 *
 * @throws {SyntaxError} If the text is not YAML.
 */
export function parseToEvents(given: string, problemInGiven: Problem): ParsedEvents {
  let text = given;
  let indentation: number | undefined;
  const repairs: Repair[] = [];
  const problem: Problem = (position, what, type) => {
    for (const { start, end, spaces } of repairs.toReversed()) {
      if (position > start) position = Math.max(start, position - spaces + end - start);
    }
    return problemInGiven(position, what, type);
  };
  for (;;) {
    try {
      return { text, events: parseEvents(text, { maxDepth: MAX_DEPTH }), problem };
    } catch (error) {
      if (error instanceof RangeError) throw problem(0, "it is nested too deeply");
      if (!(error instanceof YAMLException)) throw error;
      const position = error.mark?.position ?? 0;
      const repair = (repairs.length + 1) * text.length > MAX_PARSED_AGAIN
        ? undefined
        : repairOf(text, position, error.reason, () => indentation ??= deepestColumn(given) + 1);
      if (repair === undefined) throw problem(position, reasonOf(error));
      repairs.push(repair);
      const { start, end, spaces } = repair;
      text = text.slice(0, start) + " ".repeat(spaces) + text.slice(end);
    }
  }
}

/** Returns the change of blanks that an error asks for; undefined if it is about something else. */
function repairOf(
  text: string,
  position: number,
  reason: string,
  indentation: () => number,
): Repair | undefined {
  if (reason === "deficient indentation") {
    const line = text.lastIndexOf("\n", position - 1) + 1;
    let start = position;
    while (start > line && (text[start - 1] === " " || text[start - 1] === "\t")) start--;
    // An open collection began before this line. Otherwise, the parser has found a tab behind something else in the
    // line.
    if (start === line) return { start, end: start, spaces: indentation() };
    const hasTab = text.slice(start, position).includes("\t");
    return hasTab ? { start, end: position, spaces: position - start } : undefined;
  }
  const isComment = text[position] === "#" && /[[\]{},"']/.test(text[position - 1] ?? "");
  return isComment ? { start: position, end: position, spaces: 1 } : undefined;
}

/** Returns the last column at which a line may begin a key or an item. */
function deepestColumn(text: string): number {
  let deepest = 0;
  for (const [prefix] of text.matchAll(/^ *(?:[-?:] +)*/gm)) {
    deepest = Math.max(deepest, prefix.length);
  }
  return deepest;
}

/** Returns the reason of the parser without what it quotes of the text, which may be a secret. */
function reasonOf({ reason }: YAMLException): string {
  if (reason === "deficient indentation") {
    return "expected more indentation than that of the key, and no tabs";
  }
  return reason.startsWith("nesting ")
    ? "it is nested too deeply"
    : reason.replace(/(?:: | ").*$/s, "");
}
