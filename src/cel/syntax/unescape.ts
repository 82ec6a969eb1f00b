/** The error for an invalid escape sequence. */
export class UnescapeError extends Error {
  /** Always `UnescapeError`. */
  override readonly name: string = "UnescapeError";
}

const SIMPLE: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  f: 12,
  n: 10,
  r: 13,
  t: 9,
  v: 11,
};
const DIGITS: Readonly<Record<string, number>> = { x: 2, X: 2, u: 4, U: 8 };

const encoder = new TextEncoder();

/** Returns the text between the quotes, and whether it is raw. */
function inner(token: string): { text: string; raw: boolean } {
  const raw = /^[rR]/.test(token);
  const quoted = (raw ? token.slice(1) : token).replaceAll("\r\n", "\n").replaceAll("\r", "\n");
  const size = /^("""|''')/.test(quoted) ? 3 : 1;
  return { text: quoted.slice(size, -size), raw };
}

/**
 * Returns the value of a string token.
 *
 * @throws {UnescapeError} If it has an escape sequence of no character.
 */
export function unescapeText(token: string): string {
  const { text, raw } = inner(token);
  if (raw || !text.includes("\\")) return text;
  let result = "";
  for (const { char, code } of pieces(text, false)) {
    if (char !== undefined) result += char;
    else if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) {
      throw new UnescapeError("invalid unicode code point");
    } else result += String.fromCodePoint(code);
  }
  return result;
}

/**
 * Returns the value of a bytes token without its `b`.
 *
 * @throws {UnescapeError} If it has an escape sequence that bytes cannot have.
 */
export function unescapeBytes(token: string): Uint8Array {
  const { text, raw } = inner(token);
  if (raw) return encoder.encode(text);
  const bytes: number[] = [];
  for (const { char, code } of pieces(text, true)) {
    if (char === undefined) bytes.push(code & 255);
    else bytes.push(...encoder.encode(char));
  }
  return Uint8Array.from(bytes);
}

/** Splits a text into its characters and the codes of its escape sequences. */
function* pieces(text: string, bytes: boolean): Generator<{ char?: string; code: number }> {
  for (let at = 0; at < text.length;) {
    if (text[at] !== "\\") {
      const char = String.fromCodePoint(text.codePointAt(at)!);
      yield { char, code: 0 };
      at += char.length;
      continue;
    }
    const kind = text[at + 1] ?? "";
    const digits = DIGITS[kind];
    if (digits !== undefined) {
      if (bytes && digits > 2) throw new UnescapeError("unable to unescape string");
      yield { code: Number.parseInt(text.slice(at + 2, at + 2 + digits), 16) };
      at += 2 + digits;
    } else if (kind >= "0" && kind <= "3") {
      yield { code: Number.parseInt(text.slice(at + 1, at + 4), 8) };
      at += 4;
    } else {
      const simple = SIMPLE[kind];
      yield simple === undefined ? { char: kind, code: 0 } : { code: simple };
      at += 2;
    }
  }
}
