/**
 * The grammar of JSON (RFC 8259) over bytes: each function takes where something should begin and returns where it
 * ends. What is not JSON, or is not whole before `end`, gives {@linkcode NOWHERE}.
 *
 * Every byte of structure is ASCII, and UTF-8 decoding never swallows one, whatever invalid bytes stand before it: so
 * these bytes are JSON exactly if their decoded text is, and bytes from 0x80 need no look outside of strings.
 *
 * @module
 */

import { ASCII } from "./ascii.ts";

const {
  SPACE,
  QUOTE,
  COMMA,
  MINUS,
  DOT,
  ZERO,
  NINE,
  COLON,
  OPEN_BRACKET,
  BACKSLASH,
  CLOSE_BRACKET,
  LETTER_N,
  OPEN_BRACE,
  CLOSE_BRACE,
} = ASCII;

/**
 * The position after something that is not JSON. It is after every end, so that nothing is found there and the next step
 * gives it, too: few have to ask. Positions stay below it.
 */
export const NOWHERE = 0x3fffffff;

/** How deep containers may nest. Kubernetes' own schemas stay below 30. */
const MAX_DEPTH = 500;

/** The byte at `at`; 0, which is no JSON anywhere, outside of the range. */
export function byteAt(bytes: Uint8Array, at: number, end: number): number {
  return at < end ? bytes[at] as number : 0;
}

/** Past `byte`, which should be at `at`. */
export function skipByte(bytes: Uint8Array, at: number, end: number, byte: number): number {
  return byteAt(bytes, at, end) === byte ? at + 1 : NOWHERE;
}

/** Past the whitespace at `at`: mostly there is none. */
export function skipSpace(bytes: Uint8Array, at: number, end: number): number {
  return at < end && bytes[at] as number <= SPACE ? skipRealSpace(bytes, at, end) : at;
}

function skipRealSpace(bytes: Uint8Array, at: number, end: number): number {
  while (at < end && isSpace(bytes[at] as number)) at++;
  return at;
}

function isSpace(byte: number): boolean {
  return byte === SPACE || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/**
 * Past the string of which the opening quote is at `at`.
 *
 * Most bytes are in strings, so that this loop decides how fast a scan is. Its inner loop leaves only at a byte that may
 * mean something (the quote, and what is below it, is one comparison) and calls nothing, so that V8 looks at the type of
 * `bytes` once and not for each byte; `| 0` saves it the overflow check.
 */
export function skipString(bytes: Uint8Array, at: number, end: number): number {
  let i = (at + 1) | 0;
  while (true) {
    let byte = bytes[i] as number;
    while (byte > QUOTE && byte !== BACKSLASH) byte = bytes[i = (i + 1) | 0] as number;
    if (i >= end || byte < SPACE) return NOWHERE;
    if (byte === QUOTE) return (i + 1) | 0;
    i = (byte === BACKSLASH ? skipEscape(bytes, i + 1, end) : i + 1) | 0;
  }
}

/** Past the escape whose backslash is before `at`. */
function skipEscape(bytes: Uint8Array, at: number, end: number): number {
  switch (byteAt(bytes, at, end)) {
    case QUOTE:
    case BACKSLASH:
    case 0x2f: // /
    case 0x62: // b
    case 0x66: // f
    case 0x6e: // n
    case 0x72: // r
    case 0x74: // t
      return at + 1;
    case 0x75: // u
      for (let digit = at + 1; digit <= at + 4; digit++) {
        if (!isHexDigit(byteAt(bytes, digit, end))) return NOWHERE;
      }
      return at + 5;
    default:
      return NOWHERE;
  }
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= NINE;
}

function isHexDigit(byte: number): boolean {
  const lower = byte | 0x20;
  return isDigit(byte) || (lower >= 0x61 && lower <= 0x66);
}

/** Past the number at `at`. */
function skipNumber(bytes: Uint8Array, at: number, end: number): number {
  if (byteAt(bytes, at, end) === MINUS) at++;
  at = byteAt(bytes, at, end) === ZERO ? at + 1 : skipDigits(bytes, at, end);
  if (byteAt(bytes, at, end) === DOT) at = skipDigits(bytes, at + 1, end);
  if ((byteAt(bytes, at, end) | 0x20) === 0x65) { // e, E
    at++;
    const sign = byteAt(bytes, at, end);
    at = skipDigits(bytes, sign === MINUS || sign === 0x2b ? at + 1 : at, end);
  }
  return at;
}

/** Past one or more digits. */
function skipDigits(bytes: Uint8Array, at: number, end: number): number {
  if (!isDigit(byteAt(bytes, at, end))) return NOWHERE;
  while (at < end && isDigit(bytes[at] as number)) at++;
  return at;
}

const TRUE = [0x74, 0x72, 0x75, 0x65];
const FALSE = [0x66, 0x61, 0x6c, 0x73, 0x65];
const NULL = [LETTER_N, 0x75, 0x6c, 0x6c];

/** Past the word at `at`. */
function skipWord(bytes: Uint8Array, at: number, end: number, word: readonly number[]): number {
  for (let i = 0; i < word.length; i++) {
    if (byteAt(bytes, at + i, end) !== word[i]) return NOWHERE;
  }
  return at + word.length;
}

function skipScalar(bytes: Uint8Array, at: number, end: number): number {
  switch (byteAt(bytes, at, end)) {
    case 0x74:
      return skipWord(bytes, at, end, TRUE);
    case 0x66:
      return skipWord(bytes, at, end, FALSE);
    case LETTER_N:
      return skipWord(bytes, at, end, NULL);
    default:
      return skipNumber(bytes, at, end);
  }
}

/** Past the value at `at`, which `depth` containers surround. */
export function skipValue(bytes: Uint8Array, at: number, end: number, depth: number): number {
  const byte = byteAt(bytes, at, end);
  if (byte === QUOTE) return skipString(bytes, at, end);
  if (byte === OPEN_BRACE) return skipObject(bytes, at, end, depth);
  if (byte === OPEN_BRACKET) return skipArray(bytes, at, end, depth);
  return skipScalar(bytes, at, end);
}

function skipObject(bytes: Uint8Array, at: number, end: number, depth: number): number {
  if (depth >= MAX_DEPTH) return NOWHERE;
  at = skipSpace(bytes, at + 1, end);
  if (byteAt(bytes, at, end) === CLOSE_BRACE) return at + 1;
  while (true) {
    if (byteAt(bytes, at, end) !== QUOTE) return NOWHERE;
    at = skipColon(bytes, skipString(bytes, at, end), end);
    at = skipSpace(bytes, skipValue(bytes, at, end, depth + 1), end);
    if (byteAt(bytes, at, end) !== COMMA) return skipByte(bytes, at, end, CLOSE_BRACE);
    at = skipSpace(bytes, at + 1, end);
  }
}

/** Past the colon after a key, and past the whitespace on both sides of it. */
export function skipColon(bytes: Uint8Array, at: number, end: number): number {
  return skipSpace(bytes, skipByte(bytes, skipSpace(bytes, at, end), end, COLON), end);
}

function skipArray(bytes: Uint8Array, at: number, end: number, depth: number): number {
  if (depth >= MAX_DEPTH) return NOWHERE;
  at = skipSpace(bytes, at + 1, end);
  if (byteAt(bytes, at, end) === CLOSE_BRACKET) return at + 1;
  while (true) {
    at = skipSpace(bytes, skipValue(bytes, at, end, depth + 1), end);
    if (byteAt(bytes, at, end) !== COMMA) return skipByte(bytes, at, end, CLOSE_BRACKET);
    at = skipSpace(bytes, at + 1, end);
  }
}
