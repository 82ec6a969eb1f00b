import { parseObjects } from "./parse_objects.ts";
import { parseYaml } from "./parse_yaml.ts";
import { problemsOf } from "./yaml_problem.ts";

/** Reads all documents. See `readYamlDocuments`. */
export function parseDocuments(given: string): unknown[] {
  const plain = withPlainBreaks(given);
  // kubectl reads lines, and ends each with a line break.
  const text = plain === "" || plain.endsWith("\n") ? plain : `${plain}\n`;
  const { values, end } = parseObjects(text);
  for (const { document, line } of splitDocuments(text, end)) {
    values.push(parseYaml(firstDocument(document, line), line));
  }
  return values;
}

/** Reads the first document. See `readYaml`. */
export function parseFirstDocument(given: string): unknown {
  return parseYaml(firstDocument(withPlainBreaks(given), 1), 1);
}

/**
 * Returns the first document of a text. A line with more than a comment or a directive begins it, and the next marker
 * (`---` or `...`) ends it: what follows is not read.
 */
function firstDocument(given: string, firstLine: number): string {
  // Tools that join files leave the byte order marks of the files behind the separators.
  const text = given.replace(/^(---.*\n)?\ufeff/, "$1");
  let hasBegun = false;
  for (let at = 0; at < text.length;) {
    const end = lineEnd(text, at);
    const line = text.slice(at, end);
    const isMarker = /^(?:---|\.\.\.)(?:\s|$)/.test(line);
    if (isMarker && hasBegun) return text.slice(0, at);
    if (isMarker && line.startsWith(".")) {
      throw problemsOf(text, firstLine)(at, "expected a document before ...");
    }
    hasBegun ||= isMarker || !/^(?:%|\s*(?:#|$))/.test(line);
    at = end;
  }
  return text;
}

/** Replaces the line breaks of Windows, and removes the byte order mark. */
function withPlainBreaks(text: string): string {
  return text.replace(/^\ufeff/, "").replaceAll("\r\n", "\n");
}

/** Returns the index behind the line that begins at `start`. */
function lineEnd(text: string, start: number): number {
  return text.indexOf("\n", start) + 1 || text.length;
}

/** A document, and the number of its first line. */
interface SplitDocument {
  readonly document: string;
  readonly line: number;
}

/**
 * Splits a text at the lines that begin with `---`, from `start` on. Only such a line before any other one is part of a
 * document.
 */
function* splitDocuments(text: string, start: number): Generator<SplitDocument> {
  let line = lineOf(text, 0, start, 1);
  let from = start;
  for (let at = start; at < text.length;) {
    const end = lineEnd(text, at);
    if (text.startsWith("---", at)) {
      // Go trims a next line (U+0085), too, but not a byte order mark.
      if (!/^---(?:[^\S\ufeff]|\x85)*(?:#|$)/.test(text.slice(at, end))) {
        throw problemsOf(text)(at, "expected nothing behind --- but a comment");
      }
      if (at > from) {
        yield { document: text.slice(from, at), line };
        line = lineOf(text, from, end, line);
        from = end;
      }
    }
    // Most lines begin with something else.
    const next = text.indexOf("\n---", end - 1);
    at = next < 0 ? text.length : next + 1;
  }
  if (from < text.length) yield { document: text.slice(from), line };
}

/** Returns the number of the line at `end`, if that at `start` has the number `line`. */
function lineOf(text: string, start: number, end: number, line: number): number {
  for (let at = start; (at = text.indexOf("\n", at) + 1) > 0 && at <= end;) line++;
  return line;
}
