/**
 * Parts of error messages that depend on the Go types inside a real server, which this server does not have.
 *
 * @module
 */

const INVALID = /(?:Invalid|Unsupported|Duplicate) value: (?=[{[])/g;

/** The difference of two Go structures, in the JSON of an error about an immutable field. */
const DIFFERENCE = /\\n@@ -.*?\\n(?=[,\]"])/g;

/**
 * Replaces these parts in the JSON text of an answer: the structures after "Invalid value:", which a real server shows
 * with the names of its Go fields and this server with those of the API, and the differences between structures, which
 * this server does not show.
 */
export function withoutGoTexts(text: string): string {
  let result = "";
  let from = 0;
  for (const match of text.matchAll(INVALID)) {
    const start = match.index + match[0].length;
    if (start < from) continue;
    result += text.slice(from, start) + "…";
    from = endOfStructure(text, start);
  }
  return (result + text.slice(from)).replace(DIFFERENCE, "");
}

/** Returns the end of the structure that begins at `start`, inside a string of a JSON text or in plain text. */
function endOfStructure(text: string, start: number): number {
  const quote = /\\*"/y;
  let depth = 0;
  let quoted: number | undefined;
  for (let at = start; at < text.length;) {
    quote.lastIndex = at;
    const found = quote.exec(text)?.[0];
    if (found !== undefined) {
      if (quoted === undefined) quoted = found.length;
      else if (found.length === quoted) quoted = undefined;
      at += found.length;
      continue;
    }
    const letter = text[at++];
    if (letter === "\\" && quoted !== undefined) continue;
    if (quoted !== undefined) continue;
    if (letter === "{" || letter === "[") depth++;
    else if ((letter === "}" || letter === "]") && --depth === 0) return at;
  }
  return text.length;
}
