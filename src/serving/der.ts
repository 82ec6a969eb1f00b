import { concatBytes, encodeBase64 } from "../base/mod.ts";

/** Encodes a value in DER, the encoding of certificates: tag, length, content. */
export function der(tag: number, ...contents: readonly Uint8Array[]): Uint8Array {
  const length = contents.reduce((sum, part) => sum + part.length, 0);
  return concatBytes([Uint8Array.of(tag, ...lengthBytes(length)), ...contents]);
}

function lengthBytes(length: number): number[] {
  if (length < 0x80) return [length];
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return [0x80 | bytes.length, ...bytes];
}

/** Encodes a SEQUENCE. */
export function sequence(...parts: readonly Uint8Array[]): Uint8Array {
  return der(0x30, ...parts);
}

/** Encodes a non-negative INTEGER from its big-endian bytes. */
export function unsigned(bytes: Uint8Array): Uint8Array {
  let start = 0;
  while (start < bytes.length - 1 && bytes[start] === 0) start++;
  const rest = bytes.subarray(start);
  return der(0x02, rest[0]! >= 0x80 ? Uint8Array.of(0) : new Uint8Array(), rest);
}

/** Encodes an OBJECT IDENTIFIER, such as `2.5.4.3`. */
export function objectId(dotted: string): Uint8Array {
  const [first, second, ...rest] = dotted.split(".").map(Number);
  const bytes = [first! * 40 + second!];
  for (const part of rest) {
    const groups = [part & 0x7f];
    for (let left = part >>> 7; left > 0; left >>>= 7) groups.unshift((left & 0x7f) | 0x80);
    bytes.push(...groups);
  }
  return der(0x06, Uint8Array.from(bytes));
}

/** Encodes a UTF8String. */
export function utf8(text: string): Uint8Array {
  return der(0x0c, new TextEncoder().encode(text));
}

/** Encodes a time, in seconds: as UTCTime, which ends with the year 2049, and later ones as GeneralizedTime. */
export function time(ms: number): Uint8Array {
  const date = new Date(ms);
  const digits = date.toISOString().replace(/[-:T]|\.[0-9]+/g, "");
  const utc = date.getUTCFullYear() < 2050;
  return der(utc ? 0x17 : 0x18, new TextEncoder().encode(utc ? digits.slice(2) : digits));
}

/** Encodes a BIT STRING of whole bytes. */
export function bits(bytes: Uint8Array): Uint8Array {
  return der(0x03, Uint8Array.of(0), bytes);
}

/** Formats DER as a PEM block. */
export function pem(label: string, bytes: Uint8Array): string {
  const lines = encodeBase64(bytes).match(/.{1,64}/g)!.join("\n");
  return `-----BEGIN ${label}-----\n${lines}\n-----END ${label}-----\n`;
}

/**
 * Returns the bytes of the first PEM block with a label.
 *
 * @throws {TypeError} If there is none. The message has no part of the text, which may be a key.
 */
export function unpem(label: string, text: string): Uint8Array<ArrayBuffer> {
  const block = text.split(`-----BEGIN ${label}-----`)[1];
  const [content, ...afterEnd] = block?.split(`-----END ${label}-----`) ?? [];
  if (afterEnd.length > 0) {
    try {
      const binary = atob(content!.replace(/\s/g, ""));
      return Uint8Array.from(binary, (char) => char.charCodeAt(0));
    } catch {
      // Not base64.
    }
  }
  throw new TypeError(`Expected a PEM block ${label}: found none that can be read`);
}

/** A value in DER. */
export interface DerValue {
  /** The tag, such as 0x30 for a SEQUENCE. */
  readonly tag: number;
  /** The whole value, with tag and length. */
  readonly bytes: Uint8Array;
  /** The content. */
  readonly content: Uint8Array;
}

/**
 * Returns the values that follow each other in `bytes`.
 *
 * @throws {TypeError} If the bytes are not DER.
 */
export function derValues(bytes: Uint8Array): DerValue[] {
  const values: DerValue[] = [];
  for (let at = 0; at < bytes.length;) {
    let start = at + 2;
    let length = bytes[at + 1] ?? Infinity;
    if (length >= 0x80) {
      const count = length - 0x80;
      start += count;
      // No certificate has 16 MiB.
      if (count < 1 || count > 3) throw notDer();
      length = 0;
      for (const byte of bytes.subarray(at + 2, start)) length = length * 256 + byte;
    }
    const end = start + length;
    if (end > bytes.length) throw notDer();
    values.push({
      tag: bytes[at]!,
      bytes: bytes.subarray(at, end),
      content: bytes.subarray(start, end),
    });
    at = end;
  }
  return values;
}

/** Returns the time of a UTCTime or a GeneralizedTime, in milliseconds since the Unix epoch. */
export function derTime({ tag, content }: DerValue): number {
  const text = new TextDecoder().decode(content);
  // A UTCTime has two digits of the year: those below 50 are in the 21st century.
  const digits = tag === 0x17 ? `${Number(text.slice(0, 2)) < 50 ? "20" : "19"}${text}` : text;
  const [, year, month, day, hour, minute, second] =
    /^([0-9]{4})([0-9]{2})([0-9]{2})([0-9]{2})([0-9]{2})([0-9]{2})Z$/.exec(digits) ?? [];
  if (year === undefined) throw notDer();
  return Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
  );
}

function notDer(): TypeError {
  return new TypeError("The certificate cannot be read: it is not DER");
}
