/**
 * Characters that a terminal or a log does not show as they are: control characters and line breaks, marks that turn
 * the writing direction, and halves of surrogate pairs.
 */
const INVISIBLE =
  /[\p{Cc}\p{Cs}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;

const SHORT: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/**
 * Returns text from outside for a log line or an error message: on one line, with invisible characters written as in
 * JSON (`\n`, `\u001b`), and cut after `maxLength` characters. So it cannot forge a line, clear a terminal or fill a
 * disk.
 *
 * @param text The text.
 * @param maxLength The number of characters of `text` that are shown at most.
 */
export function visibleText(text: string, maxLength: number): string {
  const shown = text.length <= maxLength ? text : text.slice(0, maxLength);
  const visible = shown.replace(
    INVISIBLE,
    (char) => SHORT[char] ?? `\\u${(char.codePointAt(0) as number).toString(16).padStart(4, "0")}`,
  );
  return shown === text ? visible : `${visible}… (${text.length - maxLength} more characters)`;
}
