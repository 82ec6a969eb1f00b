/**
 * Searches JSON for integers that a JavaScript number may not hold. The smallest of them, 2^53, has 16 digits. Most texts
 * have none, so the search must cost next to nothing beside `JSON.parse`.
 *
 * @module
 */

/** The fewest digits of an integer that a number may not hold. */
export const BIG_DIGITS = 16;

const ZERO = 0x30;
const NINE = 0x39;
const MINUS = 0x2d;

/**
 * Reports whether JSON has an integer of at least 16 digits, or a string that looks as if it had one, such as JSON in an
 * annotation.
 *
 * Reads every 16th character, because 16 digits in a row cover one of these positions. Most of the digits that are found
 * this way have no digit six characters before or after them.
 */
export function hasBigInteger(text: string): boolean {
  const { length } = text;
  for (let at = BIG_DIGITS - 1; at < length; at += BIG_DIGITS) {
    const code = text.charCodeAt(at);
    if (code > NINE || code < ZERO) continue;
    if (!isDigit(text.charCodeAt(at - 6)) && !isDigit(text.charCodeAt(at + 6))) continue;
    let start = at;
    while (isDigit(text.charCodeAt(start - 1))) start--;
    while (isDigit(text.charCodeAt(at + 1))) at++;
    if (at + 1 - start < BIG_DIGITS) continue;
    if (text.charCodeAt(start - 1) === MINUS) start--;
    if (isBeforeNumber(text.charCodeAt(start - 1)) && isAfterInteger(text.charCodeAt(at + 1))) {
      return true;
    }
  }
  return false;
}

/**
 * Reports the same as {@linkcode hasBigInteger} from the UTF-8 bytes of JSON, or of a part of it. A part that begins or
 * ends within 16 digits counts too.
 *
 * Takes a tenth of the time: it reads four bytes at once, and of these groups every third. 16 digits in a row cover three
 * groups, wherever the first digit is.
 */
export function mayHaveBigInteger(bytes: Uint8Array): boolean {
  const { buffer, byteOffset, length } = bytes;
  const skipped = -byteOffset & 3;
  if (length < BIG_DIGITS) return false;
  if (length < BIG_DIGITS + skipped) return mayHaveBigInteger(new Uint8Array(bytes));
  const words = new Int32Array(buffer, byteOffset + skipped, (length - skipped) >> 2);
  for (let i = 0; i < words.length; i = (i + 3) | 0) {
    if (((words[i] as number) & HIGH_BITS) !== DIGITS) continue;
    if (!mayBeDigits(words, i - 1) && !mayBeDigits(words, i + 1)) continue;
    let start = skipped + 4 * i;
    let end = start;
    while (isDigit(bytes[start - 1])) start--;
    while (isDigit(bytes[end])) end++;
    if (end - start < BIG_DIGITS) continue;
    if (bytes[start - 1] === MINUS) start--;
    if (isBeforeNumber(bytes[start - 1]) && isAfterInteger(bytes[end])) return true;
    i = (end - skipped) >> 2;
  }
  return false;
}

/** The upper halves of four bytes, and their value if the bytes are digits, 0x30 to 0x39. Six rare characters pass too. */
const HIGH_BITS = 0xf0f0f0f0 | 0;
const DIGITS = 0x30303030;

function mayBeDigits(words: Int32Array, index: number): boolean {
  return index >= 0 && index < words.length && ((words[index] as number) & HIGH_BITS) === DIGITS;
}

/** Reports whether `code` is that of a digit. Outside of a text, the code is undefined or NaN. */
export function isDigit(code: number | undefined): boolean {
  return code !== undefined && code >= ZERO && code <= NINE;
}

/** Reports whether a JSON number can follow a character: `:`, `,`, `[`, whitespace or the start. */
function isBeforeNumber(code: number | undefined): boolean {
  return code === 0x3a || code === 0x2c || code === 0x5b || isSpaceOrEnd(code);
}

/** Reports whether a character can follow a JSON integer: `,`, `}`, `]`, whitespace or the end. */
function isAfterInteger(code: number | undefined): boolean {
  return code === 0x2c || code === 0x7d || code === 0x5d || isSpaceOrEnd(code);
}

function isSpaceOrEnd(code: number | undefined): boolean {
  return code === undefined || Number.isNaN(code) || code <= 0x20;
}
