import { mayHaveBigInteger, parseJson } from "../base/mod.ts";
import { ASCII } from "./ascii.ts";

const { BACKSLASH } = ASCII;

// Decoded ranges begin with an ASCII byte, so the decoder never mistakes U+FEFF in a string for a byte order mark.
const decoder = new TextDecoder();

/** Returns the result of {@linkcode parseJson} for the JSON from `start` to `end`. */
export function parseRange(bytes: Uint8Array, start: number, end: number): unknown {
  const range = bytes.subarray(start, end);
  return parseJson(decoder.decode(range), mayHaveBigInteger(range));
}

/**
 * Reusable argument arrays for String.fromCharCode, by their length. A length of 63 suffices for UIDs and most names.
 */
const CODES = Array.from({ length: 64 }, (_, length) => new Array<number>(length).fill(0));

/** Returns the text of the valid JSON string from `start` to `end`, quotes included. */
export function parseText(bytes: Uint8Array, start: number, end: number): string {
  const codes = CODES[end - start - 2];
  if (codes === undefined) return parseRange(bytes, start, end) as string;
  for (let i = 0; i < codes.length; i++) {
    const byte = bytes[start + 1 + i] as number;
    if (byte >= 0x80 || byte === BACKSLASH) return parseRange(bytes, start, end) as string;
    codes[i] = byte;
  }
  // This costs half as much as a TextDecoder, and returns a flat string: concatenating with `+` would return a rope.
  return String.fromCharCode.apply(null, codes);
}

/** A cache of texts that repeat, such as kinds and namespaces. A hash of the bytes determines the place of a text. */
const RECENT: string[] = new Array<string>(256).fill("");

/** Returns the result of {@linkcode parseText} for a text that is likely to repeat: all objects share one string. */
export function parseRepeatedText(bytes: Uint8Array, start: number, end: number): string {
  if (end - start > CODES.length) return parseText(bytes, start, end);
  const place = ((bytes[end - 2] as number) + 10 * (bytes[end - 3] as number) + end - start) & 255;
  const recent = RECENT[place] as string;
  if (isText(bytes, start, end, recent)) return recent;
  return RECENT[place] = parseText(bytes, start, end);
}

/** Reports whether the text of the valid JSON string from `start` to `end`, quotes included, is `text`. */
export function isText(bytes: Uint8Array, start: number, end: number, text: string): boolean {
  const length = end - start - 2;
  if (length < text.length) return false;
  for (let i = 0; i < text.length; i++) {
    const byte = bytes[start + 1 + i] as number;
    if (byte >= 0x80 || byte === BACKSLASH) return parseRange(bytes, start, end) === text;
    if (byte !== text.charCodeAt(i)) return false;
  }
  return length === text.length;
}
