/** A tiny encoder of protobuf, for tests. */

/** A field of a message. */
export type FieldBytes = readonly number[];

const encoder = new TextEncoder();

/** Encodes an unsigned integer; a negative one as its 64-bit two's complement. */
export function varint(value: number | bigint): number[] {
  let rest = BigInt.asUintN(64, BigInt(value));
  const bytes: number[] = [];
  for (; rest >= 0x80n; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  return [...bytes, Number(rest)];
}

/** Encodes an integer field. */
export function integer(number: number, value: number | bigint): FieldBytes {
  return [...varint(number * 8), ...varint(value)];
}

/** Encodes a field with a text, bytes, or the fields of a message. */
export function field(number: number, content: string | readonly FieldBytes[]): FieldBytes {
  const bytes = typeof content === "string" ? [...encoder.encode(content)] : content.flat();
  return [...varint(number * 8 + 2), ...varint(bytes.length), ...bytes];
}

/** Encodes an object in its envelope. */
export function envelope(apiVersion: string, kind: string, raw: readonly FieldBytes[]): number[] {
  const typeMeta = field(1, [field(1, apiVersion), field(2, kind)]);
  return [0x6b, 0x38, 0x73, 0, typeMeta, field(2, raw), field(3, ""), field(4, "")].flat();
}

/** Encodes the content of a frame of a watch. */
export function event(type: string, object: readonly number[]): Uint8Array {
  return Uint8Array.from([field(1, type), field(2, [field(1, [object])])].flat());
}
