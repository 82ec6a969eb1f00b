/** The most digits of a number that is read. A longer text is refused before it becomes a number. */
const MAX_DIGITS = 16;

/**
 * Reads a whole number from text that another program has written, such as a length in a header: digits only. Unlike
 * `Number()`, it accepts no sign, spaces or exponent.
 *
 * @param text The text.
 * @param max The largest number that is accepted. At most `Number.MAX_SAFE_INTEGER`.
 * @param radix The base of the digits: 8, 10 or 16. Default 10.
 * @returns The number; undefined if the text is not such a number, or the number is larger than `max`.
 * @internal
 */
export function parseCount(text: string, max: number, radix: 8 | 10 | 16 = 10): number | undefined {
  if (text.length > MAX_DIGITS || !DIGITS[radix].test(text)) return undefined;
  const value = parseInt(text, radix);
  return value <= max ? value : undefined;
}

const DIGITS: Readonly<Record<8 | 10 | 16, RegExp>> = {
  8: /^[0-7]+$/,
  10: /^[0-9]+$/,
  16: /^[0-9a-f]+$/i,
};
