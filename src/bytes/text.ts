import { ASCII } from "./ascii.ts";

const { BACKSLASH } = ASCII;

// What is decoded begins with a quote or a bracket: a byte order mark in a text is not taken for one.
const decoder = new TextDecoder();

/** What JSON.parse makes of the JSON from `start` to `end`. */
export function parseRange(bytes: Uint8Array, start: number, end: number): unknown {
  return JSON.parse(decoder.decode(bytes.subarray(start, end)));
}

/** Arguments for String.fromCharCode, by their number: long enough for names and UIDs. */
const CODES = Array.from({ length: 64 }, (_, length) => new Array<number>(length).fill(0));

/** The text of the valid JSON string from `start` to `end`, quotes included. */
export function parseText(bytes: Uint8Array, start: number, end: number): string {
  const codes = CODES[end - start - 2];
  if (codes === undefined) return parseRange(bytes, start, end) as string;
  for (let i = 0; i < codes.length; i++) {
    const byte = bytes[start + 1 + i] as number;
    if (byte >= 0x80 || byte === BACKSLASH) return parseRange(bytes, start, end) as string;
    codes[i] = byte;
  }
  // Half the price of a TextDecoder, and a string of its own: one put together with `+` would be a tree of its pieces.
  return String.fromCharCode.apply(null, codes);
}

/** Texts that come again and again (kinds, namespaces), each at a place that its bytes name. */
const RECENT: string[] = new Array<string>(256).fill("");

/** {@linkcode parseText} of what has often been seen before: one string serves all objects. */
export function parseRepeatedText(bytes: Uint8Array, start: number, end: number): string {
  if (end - start > CODES.length) return parseText(bytes, start, end);
  const place = ((bytes[end - 2] as number) + 10 * (bytes[end - 3] as number) + end - start) & 255;
  const recent = RECENT[place] as string;
  if (isText(bytes, start, end, recent)) return recent;
  return RECENT[place] = parseText(bytes, start, end);
}

/** Whether the valid JSON string from `start` to `end`, quotes included, has the text `text`. */
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
