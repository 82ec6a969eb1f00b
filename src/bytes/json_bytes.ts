/**
 * The grammar of JSON (RFC 8259) over bytes: each function receives the position where an element should begin, and
 * returns the position where it ends. If the bytes are not JSON, are nested too deep, or the element does not end
 * before `end`, the function returns {@linkcode NOWHERE}.
 *
 * All structural characters of JSON are ASCII, and UTF-8 decoding never consumes an ASCII byte, whatever invalid bytes
 * precede it. So bytes are JSON exactly if their decoded text is JSON. Bytes from 0x80 are valid only in strings, and
 * need no decoding there.
 *
 * @module
 */

import { ASCII } from "./ascii.ts";

const {
  LINE_FEED,
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
 * The position after bytes that are not JSON. It is beyond the end of every range: a function that starts there finds
 * nothing and returns NOWHERE, too, so that few callers have to check for it. Valid positions are smaller.
 */
export const NOWHERE = 0x3fffffff;

/**
 * The nesting depth up to which containers are read by recursion. Kubernetes' own schemas stay below 30. Deeper
 * containers are read by {@linkcode skipDeep}, which takes no stack.
 */
const MAX_RECURSION = 500;

/** The maximum nesting depth of containers: that of Go's encoding/json, so the API server stores nothing deeper. */
const MAX_DEPTH = 10_000;

/** Returns the byte at `at`. Outside the range it returns 0, which is not valid anywhere in JSON. */
export function byteAt(bytes: Uint8Array, at: number, end: number): number {
  return at < end ? bytes[at] as number : 0;
}

/** Returns the position after `byte`, which is expected at `at`. */
export function skipByte(bytes: Uint8Array, at: number, end: number, byte: number): number {
  return byteAt(bytes, at, end) === byte ? at + 1 : NOWHERE;
}

/** Returns the position after the whitespace at `at`. Usually there is no whitespace. */
export function skipSpace(bytes: Uint8Array, at: number, end: number): number {
  return at < end && bytes[at] as number <= SPACE ? skipRealSpace(bytes, at, end) : at;
}

/** Whether a line break is whitespace. It is not while one of several lines is read, which ends there. */
let lineFeedIsSpace = true;

/** Says whether the next functions may read on after a line break. */
export function setLineFeedIsSpace(isSpace: boolean): void {
  lineFeedIsSpace = isSpace;
}

function skipRealSpace(bytes: Uint8Array, at: number, end: number): number {
  while (at < end && isSpace(bytes[at] as number)) at++;
  return at;
}

function isSpace(byte: number): boolean {
  return byte === SPACE || byte === 0x0d || byte === 0x09 || byte === LINE_FEED && lineFeedIsSpace;
}

/**
 * Returns the position after the string whose opening quote is at `at`.
 *
 * Most bytes are in strings, so this loop determines the speed of a scan. Its inner loop exits only at a byte that may
 * have a meaning; a single comparison covers the quote and all bytes below it. The inner loop calls no function, so V8
 * checks the type of `bytes` once instead of once per byte. `| 0` avoids the overflow check.
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

/** Returns the position after the escape sequence whose backslash precedes `at`. */
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

/** Returns the position after the number at `at`. */
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

/** Returns the position after one or more digits. */
function skipDigits(bytes: Uint8Array, at: number, end: number): number {
  if (!isDigit(byteAt(bytes, at, end))) return NOWHERE;
  while (at < end && isDigit(bytes[at] as number)) at++;
  return at;
}

const TRUE = [0x74, 0x72, 0x75, 0x65];
const FALSE = [0x66, 0x61, 0x6c, 0x73, 0x65];
const NULL = [LETTER_N, 0x75, 0x6c, 0x6c];

/** Returns the position after `word`, which is expected at `at`. */
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

/** Returns the position after the value at `at`, which is nested in `depth` containers. */
export function skipValue(bytes: Uint8Array, at: number, end: number, depth: number): number {
  const byte = byteAt(bytes, at, end);
  if (byte === QUOTE) return skipString(bytes, at, end);
  if (byte === OPEN_BRACE) return skipObject(bytes, at, end, depth);
  if (byte === OPEN_BRACKET) return skipArray(bytes, at, end, depth);
  return skipScalar(bytes, at, end);
}

function skipObject(bytes: Uint8Array, at: number, end: number, depth: number): number {
  if (depth >= MAX_RECURSION) return skipDeep(bytes, at, end, depth);
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

/** Returns the position after the colon that follows a key, and after the whitespace on both sides of the colon. */
export function skipColon(bytes: Uint8Array, at: number, end: number): number {
  return skipSpace(bytes, skipByte(bytes, skipSpace(bytes, at, end), end, COLON), end);
}

function skipArray(bytes: Uint8Array, at: number, end: number, depth: number): number {
  if (depth >= MAX_RECURSION) return skipDeep(bytes, at, end, depth);
  at = skipSpace(bytes, at + 1, end);
  if (byteAt(bytes, at, end) === CLOSE_BRACKET) return at + 1;
  while (true) {
    at = skipSpace(bytes, skipValue(bytes, at, end, depth + 1), end);
    if (byteAt(bytes, at, end) !== COMMA) return skipByte(bytes, at, end, CLOSE_BRACKET);
    at = skipSpace(bytes, at + 1, end);
  }
}

/** Returns the position after the container at `at`, like {@linkcode skipObject} and {@linkcode skipArray}. */
function skipDeep(bytes: Uint8Array, at: number, end: number, depth: number): number {
  /** The bytes that close the open containers. */
  const closing: number[] = [];
  while (true) {
    const byte = byteAt(bytes, at, end);
    if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      if (depth + closing.length >= MAX_DEPTH) return NOWHERE;
      const close = byte === OPEN_BRACE ? CLOSE_BRACE : CLOSE_BRACKET;
      at = skipSpace(bytes, at + 1, end);
      if (byteAt(bytes, at, end) !== close) {
        closing.push(close);
        if (close === CLOSE_BRACE) at = skipKey(bytes, at, end);
        continue;
      }
      at++;
    } else {
      at = skipValue(bytes, at, end, depth);
    }
    while (true) {
      const close = closing.at(-1);
      if (close === undefined) return at;
      at = skipSpace(bytes, at, end);
      if (byteAt(bytes, at, end) === COMMA) {
        at = skipSpace(bytes, at + 1, end);
        if (close === CLOSE_BRACE) at = skipKey(bytes, at, end);
        break;
      }
      at = skipByte(bytes, at, end, close);
      if (at === NOWHERE) return NOWHERE;
      closing.pop();
    }
  }
}

/** Returns the position of the value whose key is expected at `at`. */
function skipKey(bytes: Uint8Array, at: number, end: number): number {
  if (byteAt(bytes, at, end) !== QUOTE) return NOWHERE;
  return skipColon(bytes, skipString(bytes, at, end), end);
}
