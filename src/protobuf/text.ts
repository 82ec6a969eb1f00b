// A byte order mark is a character of a text.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const strictDecoder = new TextDecoder("utf-8", { ignoreBOM: true, fatal: true });

/** The decoder of Node, Deno and Bun, which takes a third to a half of the time of a TextDecoder for short texts. */
const utf8Slice = (globalThis as {
  Buffer?: { prototype: { utf8Slice?(this: Uint8Array, start: number, end: number): string } };
}).Buffer?.prototype.utf8Slice;

/**
 * The texts that were read last, such as kinds, namespaces and labels, which repeat; ASCII only. A hash of the bytes
 * determines the place of a text.
 */
const RECENT: string[] = new Array<string>(2 ** 11).fill("");
/** The number of bytes that a text in {@linkcode RECENT} has at most. */
const RECENT_LENGTH = 64;
/** The bytes of the texts in {@linkcode RECENT}: comparing them takes half of the time of comparing characters. */
const RECENT_BYTES = new Uint8Array(RECENT.length * RECENT_LENGTH);

/** Returns the text of UTF-8 bytes. Invalid bytes become U+FFFD, as in the JSON that Go writes. */
export function textAt(bytes: Uint8Array, start: number, end: number): string {
  return utf8Slice === undefined
    ? decoder.decode(bytes.subarray(start, end))
    : utf8Slice.call(bytes, start, end);
}

/** Returns the result of {@linkcode textAt} for a text that is likely to repeat: all objects share one string. */
export function repeatedTextAt(bytes: Uint8Array, start: number, end: number): string {
  const length = end - start;
  if (length === 0) return "";
  if (length > RECENT_LENGTH) return textAt(bytes, start, end);
  const place = placeOf(bytes, start, end);
  const recent = RECENT[place] as string;
  if (recent.length === length && isAtPlace(bytes, start, length, place)) return recent;
  const text = textAt(bytes, start, end);
  RECENT[place] = putAtPlace(bytes, start, length, place) ? text : "";
  return text;
}

/** Returns the result of {@linkcode textAt}, but undefined if the bytes are not UTF-8. */
export function validTextAt(bytes: Uint8Array, start: number, end: number): string | undefined {
  return validText(textAt(bytes, start, end), bytes, start, end);
}

/** Returns the result of {@linkcode repeatedTextAt}, but undefined if the bytes are not UTF-8. */
export function validRepeatedTextAt(
  bytes: Uint8Array,
  start: number,
  end: number,
): string | undefined {
  return validText(repeatedTextAt(bytes, start, end), bytes, start, end);
}

/** Returns a text unless U+FFFD has replaced some of its bytes. */
function validText(
  text: string,
  bytes: Uint8Array,
  start: number,
  end: number,
): string | undefined {
  if (!text.includes("\ufffd")) return text;
  try {
    return strictDecoder.decode(bytes.subarray(start, end));
  } catch {
    return undefined;
  }
}

/** Returns a hash of the length, of the first byte, and of three others, the last two among them: names are numbered. */
function placeOf(bytes: Uint8Array, start: number, end: number): number {
  const length = end - start;
  const last = (bytes[end - 1] as number) | (bytes[length > 1 ? end - 2 : start] as number) << 8;
  const others = (bytes[start] as number) << 16 | (bytes[start + (length >> 1)] as number) << 24;
  return Math.imul((last | others) + Math.imul(length, 0x85eb_ca6b), 0x9e37_79b1) >>> 21;
}

function isAtPlace(bytes: Uint8Array, start: number, length: number, place: number): boolean {
  const at = place * RECENT_LENGTH;
  for (let i = 0; i < length; i++) if (RECENT_BYTES[at + i] !== bytes[start + i]) return false;
  return true;
}

/** Keeps the bytes of a text at a place, and reports whether all of them are ASCII. */
function putAtPlace(bytes: Uint8Array, start: number, length: number, place: number): boolean {
  const at = place * RECENT_LENGTH;
  let bits = 0;
  for (let i = 0; i < length; i++) bits |= RECENT_BYTES[at + i] = bytes[start + i] as number;
  return bits < 0x80;
}
