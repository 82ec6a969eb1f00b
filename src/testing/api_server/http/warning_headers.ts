const encoder = new TextEncoder();

/** The number of characters in the warnings of an answer above which each warning is cut. */
const MAX_CHARACTERS = 4096;

/** The number of characters of a warning that is cut. */
const MAX_CUT = 256;

/** Warnings with control characters are dropped, as in the API server. */
const CONTROL = /\p{Cc}/u;

/**
 * Returns the Warning headers for some texts, without repetitions. As in the API server, many or long warnings are cut,
 * and those beyond 4,096 characters are dropped.
 */
export function warningHeaders(texts: readonly string[]): string[] {
  const distinct = [...new Set(texts)].filter((text) => text !== "" && !CONTROL.test(text));
  const total = distinct.reduce((sum, text) => sum + [...text].length, 0);
  if (total <= MAX_CHARACTERS) return distinct.map(header);
  const kept: string[] = [];
  let written = 0;
  for (const text of distinct) {
    if (written >= MAX_CHARACTERS) break;
    const cut = [...text.slice(0, 2 * MAX_CUT)].slice(0, MAX_CUT);
    written += cut.length;
    kept.push(header(cut.join("")));
  }
  return kept;
}

/** Returns the header as API servers send it: in UTF-8, one header character per byte. */
function header(text: string): string {
  let bytes = "";
  for (const byte of encoder.encode(`"${text.replaceAll(/["\\]/g, "\\$&")}"`)) {
    bytes += String.fromCharCode(byte);
  }
  return `299 - ${bytes}`;
}
