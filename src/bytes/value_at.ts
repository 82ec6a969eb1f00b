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
 * The value at `path` in an object that a scan has accepted: what JSON.parse of its bytes would have there, undefined where
 * there is nothing. An element of an array goes by its index, as in `["spec", "containers", "0", "image"]`.
 */
export function valueAt(
  bytes: Uint8Array,
  start: number,
  end: number,
  path: readonly string[],
): unknown {
  let at = start;
  for (const name of path) {
    if (bytes[at] === OPEN_BRACE) at = memberAt(bytes, at, end, name);
    else if (bytes[at] === OPEN_BRACKET) at = elementAt(bytes, at, end, name);
    else return undefined;
    if (at < 0) return undefined;
  }
  const valueEnd = pastValue(bytes, at, end);
  return bytes[at] === QUOTE ? parseText(bytes, at, valueEnd) : parseRange(bytes, at, valueEnd);
}

/** Where the value of a member begins, -1 if there is none. All are looked at: of two with the same name the last one counts. */
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

/** Where an element begins, -1 if there is none. */
function elementAt(bytes: Uint8Array, at: number, end: number, name: string): number {
  at = skipSpace(bytes, at + 1, end);
  for (let index = 0; at < end && bytes[at] !== CLOSE_BRACKET; index++) {
    if (String(index) === name) return at;
    at = nextAfter(bytes, at, end);
  }
  return -1;
}

/** Past the value at `at` and its comma, if it has one. */
function nextAfter(bytes: Uint8Array, at: number, end: number): number {
  at = skipSpace(bytes, pastValue(bytes, at, end) | 0, end);
  return bytes[at] === COMMA ? skipSpace(bytes, at + 1, end) : at;
}

/** Past the value at `at`. It is known to be valid, so that only brackets and quotes are of interest. */
function pastValue(bytes: Uint8Array, at: number, end: number): number {
  if (bytes[at] === QUOTE) return pastString(bytes, at, end);
  if (bytes[at] === OPEN_BRACE || bytes[at] === OPEN_BRACKET) return pastContainer(bytes, at, end);
  while (at < end && !isDelimiter(bytes[at] as number)) at++;
  return at;
}

/** Whether the byte ends a number or a word, with the whitespace after it, inside of a container. */
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
    const brace = byte | 0x20; // makes a brace of a bracket
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
