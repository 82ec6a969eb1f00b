// A byte order mark is a character of a text.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const strictDecoder = new TextDecoder("utf-8", { ignoreBOM: true, fatal: true });

/** Node's decoder of Latin-1, which Bun and Deno have too. For longer texts, it takes half of the time of others. */
const latin1Slice = (globalThis as {
  Buffer?: { prototype: { latin1Slice?(this: Uint8Array, start: number, end: number): string } };
}).Buffer?.prototype.latin1Slice;

/** Reusable argument arrays for String.fromCharCode, by their length. */
const CODES = Array.from(
  { length: latin1Slice === undefined ? 64 : 16 },
  (_, length) => new Array<number>(length).fill(0),
);

/**
 * The texts that were read last, such as kinds, namespaces and labels, which repeat. A hash of the bytes determines the
 * place of a text.
 */
const RECENT: string[] = new Array<string>(2 ** 11).fill("");
/** The number of bytes that a text in {@linkcode RECENT} has at most. */
const RECENT_LENGTH = 64;
/** The bytes of the texts in {@linkcode RECENT}: comparing them takes half of the time of comparing characters. */
const RECENT_BYTES = new Uint8Array(RECENT.length * RECENT_LENGTH);

/** Returns the text of UTF-8 bytes. Invalid bytes become U+FFFD, as in the JSON that Go writes. */
export function textAt(bytes: Uint8Array, start: number, end: number): string {
  return asciiAt(bytes, start, end) ?? decoder.decode(bytes.subarray(start, end));
}

/** Returns the result of {@linkcode textAt} for a text that is likely to repeat: all objects share one string. */
export function repeatedTextAt(bytes: Uint8Array, start: number, end: number): string {
  return recentAt(bytes, start, end) ?? decoder.decode(bytes.subarray(start, end));
}

/** Returns the result of {@linkcode textAt}, but undefined if the bytes are not UTF-8. */
export function validTextAt(bytes: Uint8Array, start: number, end: number): string | undefined {
  return asciiAt(bytes, start, end) ?? strictAt(bytes, start, end);
}

/** Returns the result of {@linkcode repeatedTextAt}, but undefined if the bytes are not UTF-8. */
export function validRepeatedTextAt(
  bytes: Uint8Array,
  start: number,
  end: number,
): string | undefined {
  return recentAt(bytes, start, end) ?? strictAt(bytes, start, end);
}

/** Returns an ASCII text; undefined if the text has other characters. */
function asciiAt(bytes: Uint8Array, start: number, end: number): string | undefined {
  const codes = CODES[end - start];
  if (codes === undefined) return longAsciiAt(bytes, start, end);
  for (let i = 0; i < codes.length; i++) {
    const byte = bytes[start + i] as number;
    if (byte >= 0x80) return undefined;
    codes[i] = byte;
  }
  return String.fromCharCode.apply(null, codes);
}

function longAsciiAt(bytes: Uint8Array, start: number, end: number): string | undefined {
  if (latin1Slice === undefined) return undefined;
  for (let i = start; i < end; i++) if ((bytes[i] as number) >= 0x80) return undefined;
  return latin1Slice.call(bytes, start, end);
}

/** Returns the result of {@linkcode asciiAt}, from {@linkcode RECENT} if it is there. */
function recentAt(bytes: Uint8Array, start: number, end: number): string | undefined {
  const length = end - start;
  if (length > RECENT_LENGTH) return asciiAt(bytes, start, end);
  if (length === 0) return "";
  const place = placeOf(bytes, start, end);
  const recent = RECENT[place] as string;
  if (recent.length === length && isAtPlace(bytes, start, length, place)) return recent;
  const text = asciiAt(bytes, start, end);
  if (text === undefined) return undefined;
  for (let i = 0; i < length; i++) RECENT_BYTES[place * RECENT_LENGTH + i] = bytes[start + i]!;
  return RECENT[place] = text;
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

function strictAt(bytes: Uint8Array, start: number, end: number): string | undefined {
  try {
    return strictDecoder.decode(bytes.subarray(start, end));
  } catch {
    return undefined;
  }
}
