import { ASCII } from "./ascii.ts";
import { skipSpace } from "./json_bytes.ts";
import { isText, parseRange, parseText } from "./text.ts";

const {
  QUOTE,
  COMMA,
  OPEN_BRACKET,
  BACKSLASH,
  CLOSE_BRACKET,
  OPEN_BRACE,
  CLOSE_BRACE,
} = ASCII;

/**
 * Returns the value at `path` in an object that a scan has accepted: the value that `parseJson` of the bytes would have
 * there, undefined if it has none. The name of an array element is its index, as in
 * `["spec", "containers", "0", "image"]`.
 *
 * @param metadataStart The start of the value of `metadata`, to which the search then goes at once; -1 if it is not known.
 */
export function valueAt(
  bytes: Uint8Array,
  start: number,
  end: number,
  path: readonly string[],
  metadataStart = -1,
): unknown {
  const at = findValue(bytes, start, end, path, metadataStart);
  if (at < 0) return undefined;
  const valueEnd = pastValue(bytes, at, end);
  return bytes[at] === QUOTE ? parseText(bytes, at, valueEnd) : parseRange(bytes, at, valueEnd);
}

/** The bytes of an object that a scan has accepted. */
export interface ObjectBytes {
  /** The buffer that contains the object. */
  readonly bytes: Uint8Array;
  /** The position of its first byte. */
  readonly start: number;
  /** The position after its last byte. */
  readonly end: number;
  /** The start of the value of `metadata`; -1 if it is not known. */
  readonly metadataStart: number;
}

/** Reports whether two objects have the same bytes at `path`. Values whose bytes differ can still be equal. */
export function hasSameBytesAt(a: ObjectBytes, b: ObjectBytes, path: readonly string[]): boolean {
  const aAt = findValue(a.bytes, a.start, a.end, path, a.metadataStart);
  const bAt = findValue(b.bytes, b.start, b.end, path, b.metadataStart);
  if (aAt < 0 || bAt < 0) return aAt < 0 && bAt < 0;
  const length = pastValue(a.bytes, aAt, a.end) - aAt;
  if (length !== pastValue(b.bytes, bAt, b.end) - bAt) return false;
  for (let i = 0; i < length; i++) if (a.bytes[aAt + i] !== b.bytes[bAt + i]) return false;
  return true;
}

/** Returns the position of the value at `path`; -1 if the object has none. */
function findValue(
  bytes: Uint8Array,
  start: number,
  end: number,
  path: readonly string[],
  metadataStart: number,
): number {
  let at = start;
  for (let i = 0; i < path.length; i++) {
    const name = path[i] as string;
    if (i === 0 && metadataStart >= 0 && name === "metadata") at = metadataStart;
    else if (bytes[at] === OPEN_BRACE) at = memberAt(bytes, at, end, name);
    else if (bytes[at] === OPEN_BRACKET) at = elementAt(bytes, at, end, name);
    else return -1;
    if (at < 0) return -1;
  }
  return at;
}

/**
 * Returns the position of a member's value; -1 if the member does not exist. The function reads all members, because
 * the last of several with the same name counts.
 */
function memberAt(bytes: Uint8Array, at: number, end: number, name: string): number {
  let found = -1;
  at = skipSpace(bytes, at + 1, end);
  while (at < end && bytes[at] !== CLOSE_BRACE) {
    const keyEnd = pastString(bytes, at, end);
    const isFound = isText(bytes, at, keyEnd, name);
    const colon = skipSpace(bytes, keyEnd, end);
    at = skipSpace(bytes, colon + 1, end);
    if (isFound) found = at;
    at = nextAfter(bytes, at, end);
  }
  return found;
}

/** Returns the position of an array element; -1 if the element does not exist. */
function elementAt(bytes: Uint8Array, at: number, end: number, name: string): number {
  at = skipSpace(bytes, at + 1, end);
  for (let index = 0; at < end && bytes[at] !== CLOSE_BRACKET; index++) {
    if (String(index) === name) return at;
    at = nextAfter(bytes, at, end);
  }
  return -1;
}

/** Returns the position after the value at `at` and after the comma that follows it, if any. */
function nextAfter(bytes: Uint8Array, at: number, end: number): number {
  at = skipSpace(bytes, pastValue(bytes, at, end) | 0, end);
  return bytes[at] === COMMA ? skipSpace(bytes, at + 1, end) : at;
}

/** Returns the position after the value at `at`. The value is known to be valid, so only brackets and quotes matter. */
function pastValue(bytes: Uint8Array, at: number, end: number): number {
  if (bytes[at] === QUOTE) return pastString(bytes, at, end);
  if (bytes[at] === OPEN_BRACE || bytes[at] === OPEN_BRACKET) return pastContainer(bytes, at, end);
  while (at < end && !isDelimiter(bytes[at] as number)) at++;
  return at;
}

/** Reports whether the byte ends a number or a literal, together with the whitespace after it, within a container. */
function isDelimiter(byte: number): boolean {
  return byte === COMMA || byte === CLOSE_BRACE || byte === CLOSE_BRACKET;
}

function pastContainer(bytes: Uint8Array, at: number, end: number): number {
  let depth = 0;
  for (let i = at | 0; i < end; i = (i + 1) | 0) {
    const byte = bytes[i] as number;
    if (byte === QUOTE) {
      i = (pastString(bytes, i, end) - 1) | 0;
      continue;
    }
    const brace = byte | 0x20; // maps brackets to braces
    if (brace === OPEN_BRACE) depth = (depth + 1) | 0;
    else if (brace === CLOSE_BRACE) {
      depth = (depth - 1) | 0;
      if (depth === 0) return (i + 1) | 0;
    }
  }
  return end;
}

function pastString(bytes: Uint8Array, at: number, end: number): number {
  for (let i = (at + 1) | 0; i < end; i = (i + 1) | 0) {
    const byte = bytes[i];
    if (byte === QUOTE) return (i + 1) | 0;
    if (byte === BACKSLASH) i = (i + 1) | 0;
  }
  return end;
}
