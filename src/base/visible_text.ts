/**
 * Characters that a terminal or a log does not show: control characters and line breaks, marks that turn
 * the writing direction, and halves of surrogate pairs.
 */
const INVISIBLE =
  /[\p{Cc}\p{Cs}\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

const SHORT: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/**
 * Returns text from outside for a log line or an error message: on one line, with invisible characters written as in
 * JSON (`\n`, `\u001b`), and cut after `maxLength` characters. So it cannot forge a line, clear a terminal or fill a
 * disk.
 *
 * @param text The text.
 * @param maxLength The maximum length of what is shown of `text`, in characters. If it is cut, a remark follows that
 *   says how many characters are missing.
 */
export function visibleText(text: string, maxLength: number): string {
  const start = text.length <= maxLength ? text : text.slice(0, maxLength);
  const visible = start.replace(INVISIBLE, escapeOf);
  if (start === text && visible.length <= maxLength) return visible;
  const shown = visible.length <= maxLength ? start : startWithin(start, maxLength);
  return `${shown.replace(INVISIBLE, escapeOf)}… (${text.length - shown.length} more characters)`;
}

/** Returns the longest beginning of `text` that has at most `maxLength` characters once it is visible. */
function startWithin(text: string, maxLength: number): string {
  let length = 0;
  let end = 0;
  for (const char of text) {
    length += char.replace(INVISIBLE, escapeOf).length;
    if (length > maxLength) break;
    end += char.length;
  }
  return text.slice(0, end);
}

function escapeOf(char: string): string {
  return SHORT[char] ?? char.split("").map(escapeOfUnit).join("");
}

function escapeOfUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/**
 * Returns JSON that nothing in a terminal acts on, with the same meaning: `JSON.stringify` does not escape some control
 * characters and marks.
 *
 * @param json The JSON text.
 */
export function visibleJson(json: string): string {
  // Line breaks and tabs are between values only: inside of strings, JSON has escapes for them.
  return json.replace(INVISIBLE, (char) => SHORT[char] === undefined ? escapeOf(char) : char);
}
