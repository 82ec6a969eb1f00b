/**
 * The wire format of protobuf: varints, tags and lengths. Functions return -1 for malformed bytes instead of throwing,
 * and leave the position after what they have read in {@linkcode after}.
 *
 * @module
 */

/** The wire types of fields. */
export const WIRE = { VARINT: 0, FIXED64: 1, BYTES: 2, FIXED32: 5 } as const;

/** The maximum nesting depth of messages. */
export const MAX_DEPTH = 100;

/** The number of bits in the ten bytes that a varint has at most. */
const MAX_BITS = 70;

/** The position after the varint that was read last. */
export let after = 0;

/**
 * Returns the unsigned varint at `at`, or -1 if it is truncated or longer than ten bytes. Values beyond 2^53 are not
 * exact.
 */
export function readVarint(bytes: Uint8Array, at: number, end: number): number {
  if (at >= end) return -1;
  const byte = bytes[at] as number;
  after = at + 1;
  return byte < 0x80 ? byte : readLongVarint(bytes, at, end);
}

function readLongVarint(bytes: Uint8Array, at: number, end: number): number {
  let value = 0;
  for (let shift = 0; shift < MAX_BITS && at < end; shift += 7) {
    const byte = bytes[at++] as number;
    const bits = byte & 0x7f;
    value += shift < 21 ? bits << shift : bits * 2 ** shift;
    if (byte < 0x80) {
      after = at;
      return value;
    }
  }
  return -1;
}

/**
 * Returns the length at `at`, or -1 if it is malformed or exceeds the range.
 */
export function readLength(bytes: Uint8Array, at: number, end: number): number {
  const length = readVarint(bytes, at, end);
  return length <= end - after ? length : -1;
}

/**
 * Returns the signed 64-bit varint at `at`: a bigint if a number does not hold it exactly, undefined if it is malformed.
 */
export function readInt64(
  bytes: Uint8Array,
  at: number,
  end: number,
): number | bigint | undefined {
  const value = readVarint(bytes, at, end);
  if (value < 0) return undefined;
  if (value <= Number.MAX_SAFE_INTEGER) return value;
  let exact = 0n;
  for (let i = after - 1; i >= at; i--) exact = exact << 7n | BigInt((bytes[i] as number) & 0x7f);
  const signed = BigInt.asIntN(64, exact);
  const number = Number(signed);
  return Number.isSafeInteger(number) ? number : signed;
}

/** Returns the position after the field with the tag at `at`; -1 if it is malformed. */
export function skipField(bytes: Uint8Array, at: number, end: number): number {
  const tag = readVarint(bytes, at, end);
  return tag < 8 ? -1 : skipValue(bytes, after, end, tag % 8);
}

/** Returns the position after a value; -1 if it is malformed, or a group, which Kubernetes never has. */
export function skipValue(bytes: Uint8Array, at: number, end: number, wireType: number): number {
  switch (wireType) {
    case WIRE.VARINT:
      return readVarint(bytes, at, end) < 0 ? -1 : after;
    case WIRE.FIXED64:
      return at + 8 <= end ? at + 8 : -1;
    case WIRE.BYTES: {
      const length = readLength(bytes, at, end);
      return length < 0 ? -1 : after + length;
    }
    case WIRE.FIXED32:
      return at + 4 <= end ? at + 4 : -1;
    default:
      return -1;
  }
}

/** The range that {@linkcode findInner} has found last. */
export let innerStart = 0;
export let innerEnd = 0;

/**
 * Finds the last field 1 of a message, which has bytes: the content of a RawExtension or a Quantity. The range is empty
 * if the message does not have it. Returns false if the message is malformed.
 */
export function findInner(bytes: Uint8Array, at: number, end: number): boolean {
  innerStart = innerEnd = end;
  while (at < end) {
    const tag = readVarint(bytes, at, end);
    if (tag < 0x10) {
      const length = tag === 0x0a ? readLength(bytes, after, end) : -1;
      if (length < 0) return false;
      innerStart = after;
      innerEnd = at = after + length;
    } else if ((at = skipValue(bytes, after, end, tag % 8)) < 0) return false;
  }
  return true;
}

const DOUBLE = new DataView(new ArrayBuffer(8));

/** Returns the double at `at`; NaN if it is truncated or not a finite number, which JSON does not have. */
export function readDouble(bytes: Uint8Array, at: number, end: number): number {
  if (at + 8 > end) return NaN;
  for (let i = 0; i < 8; i++) DOUBLE.setUint8(i, bytes[at + i] as number);
  after = at + 8;
  const value = DOUBLE.getFloat64(0, true);
  return Number.isFinite(value) ? value : NaN;
}
