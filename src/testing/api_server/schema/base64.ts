const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/**
 * Returns base64 as Go writes what it reads from `text`: without line breaks, and with the unused bits of the last
 * character set to zero. Returns the position at which Go's decoder fails, if `text` is not base64.
 */
export function canonicalBase64(text: string): string | number {
  let letters = /^[A-Za-z0-9+/]*/.exec(text)![0];
  for (let at = letters.length; at < text.length; at++) {
    const char = text[at]!;
    if (isLineBreak(char)) continue;
    if (char === "=") {
      const wrong = badPaddingAt(text, at, letters.length % 4);
      return wrong ?? padded(letters);
    }
    if (!ALPHABET.includes(char)) return at;
    letters += char;
  }
  const open = letters.length % 4;
  return open === 0 ? letters : text.length - open;
}

/** Returns the position at which the padding that begins at `at`, after `open` letters of four, is wrong. */
function badPaddingAt(text: string, at: number, open: number): number | undefined {
  if (open < 2) return at;
  let next = at + 1;
  if (open === 2) {
    next = afterLineBreaks(text, next);
    if (next === text.length) return next;
    if (text[next] !== "=") return next - 1;
    next++;
  }
  next = afterLineBreaks(text, next);
  return next < text.length ? next : undefined;
}

function padded(letters: string): string {
  const open = letters.length % 4;
  const last = ALPHABET.indexOf(letters[letters.length - 1]!);
  const used = ALPHABET[last & (open === 2 ? 0b110000 : 0b111100)]!;
  return letters.slice(0, -1) + used + "=".repeat(4 - open);
}

function afterLineBreaks(text: string, from: number): number {
  let at = from;
  while (at < text.length && isLineBreak(text[at]!)) at++;
  return at;
}

function isLineBreak(char: string): boolean {
  return char === "\n" || char === "\r";
}
