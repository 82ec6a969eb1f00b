// A byte order mark is a character of a text.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const strictDecoder = new TextDecoder("utf-8", { ignoreBOM: true, fatal: true });

/** Reusable argument arrays for String.fromCharCode, by their length. */
const CODES = Array.from({ length: 80 }, (_, length) => new Array<number>(length).fill(0));

/** A cache of texts that repeat, such as kinds and namespaces. A hash of the bytes determines the place of a text. */
const RECENT: string[] = new Array<string>(4096).fill("");

/** Returns the text of UTF-8 bytes. Invalid bytes become U+FFFD, as in the JSON that Go writes. */
export function textAt(bytes: Uint8Array, start: number, end: number): string {
  return shortAt(bytes, start, end) ?? decoder.decode(bytes.subarray(start, end));
}

/** Returns the result of {@linkcode textAt} for a text that is likely to repeat: all objects share one string. */
export function repeatedTextAt(bytes: Uint8Array, start: number, end: number): string {
  return recentAt(bytes, start, end) ?? decoder.decode(bytes.subarray(start, end));
}

/** Returns the result of {@linkcode textAt}, but undefined if the bytes are not UTF-8. */
export function validTextAt(bytes: Uint8Array, start: number, end: number): string | undefined {
  return shortAt(bytes, start, end) ?? strictAt(bytes, start, end);
}

/** Returns the result of {@linkcode repeatedTextAt}, but undefined if the bytes are not UTF-8. */
export function validRepeatedTextAt(
  bytes: Uint8Array,
  start: number,
  end: number,
): string | undefined {
  return recentAt(bytes, start, end) ?? strictAt(bytes, start, end);
}

/** Returns a short ASCII text; undefined if the text is long, or has other characters. */
function shortAt(bytes: Uint8Array, start: number, end: number): string | undefined {
  const codes = CODES[end - start];
  if (codes === undefined) return undefined;
  for (let i = 0; i < codes.length; i++) {
    const byte = bytes[start + i] as number;
    if (byte >= 0x80) return undefined;
    codes[i] = byte;
  }
  return String.fromCharCode.apply(null, codes);
}

/** Returns the result of {@linkcode shortAt} from {@linkcode RECENT} if it is there. */
function recentAt(bytes: Uint8Array, start: number, end: number): string | undefined {
  const length = end - start;
  if (length >= CODES.length) return undefined;
  if (length === 0) return "";
  const place = placeOf(bytes, start, end);
  const recent = RECENT[place] as string;
  if (recent.length === length && isTextAt(bytes, start, recent)) return recent;
  const text = shortAt(bytes, start, end);
  if (text !== undefined) RECENT[place] = text;
  return text;
}

function placeOf(bytes: Uint8Array, start: number, end: number): number {
  const middle = bytes[(start + end) >> 1] as number;
  const sum = (bytes[start] as number) * 31 + middle * 167 + (bytes[end - 1] as number) * 1031;
  return (sum + (end - start) * 59) & 4095;
}

/** Reports whether the bytes from `start` are the characters of an ASCII text. */
function isTextAt(bytes: Uint8Array, start: number, text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    if (bytes[start + i] !== text.charCodeAt(i)) return false;
  }
  return true;
}

function strictAt(bytes: Uint8Array, start: number, end: number): string | undefined {
  try {
    return strictDecoder.decode(bytes.subarray(start, end));
  } catch {
    return undefined;
  }
}
