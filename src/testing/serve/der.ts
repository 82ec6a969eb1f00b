/** Encodes a value in DER, the encoding of certificates: tag, length, content. */
export function der(tag: number, ...contents: readonly Uint8Array[]): Uint8Array {
  const length = contents.reduce((sum, part) => sum + part.length, 0);
  const head = [tag, ...lengthBytes(length)];
  const out = new Uint8Array(head.length + length);
  out.set(head);
  let at = head.length;
  for (const part of contents) {
    out.set(part, at);
    at += part.length;
  }
  return out;
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
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  const bytes = [first * 40 + second];
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

/** Encodes a UTCTime, in seconds. UTCTime ends with the year 2049. */
export function utcTime(ms: number): Uint8Array {
  const digits = new Date(ms).toISOString().replace(/[-:T]|\.[0-9]+/g, "").slice(2);
  return der(0x17, new TextEncoder().encode(digits));
}

/** Encodes a BIT STRING of whole bytes. */
export function bits(bytes: Uint8Array): Uint8Array {
  return der(0x03, Uint8Array.of(0), bytes);
}

/** Formats DER as a PEM block. */
export function pem(label: string, bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  const lines = btoa(binary).match(/.{1,64}/g)!.join("\n");
  return `-----BEGIN ${label}-----\n${lines}\n-----END ${label}-----\n`;
}
