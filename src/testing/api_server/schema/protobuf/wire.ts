/** The error for bytes that are not a valid protobuf message. */
export class ProtobufError extends Error {
  /** Always `ProtobufError`. */
  override readonly name: string = "ProtobufError";
}

/** The prefix of every encoded object: `k8s` and a zero byte. */
export const MAGIC: Uint8Array = Uint8Array.of(0x6b, 0x38, 0x73, 0);

/** A field in protobuf wire format. */
export interface WireField {
  /** The number of the field. */
  readonly number: number;
  /** An integer; or the bytes of a double, a string, a byte string, a message or packed numbers. */
  readonly value: number | Uint8Array;
}

/** The wire type of integers and booleans. */
export const VARINT = 0;
/** The wire type of doubles. */
export const FIXED64 = 1;
/** The wire type of strings, byte strings and messages. */
export const BYTES = 2;
const FIXED32 = 5;

/** The maximum number of bytes of a 64-bit varint. */
const MAX_VARINT_BYTES = 10;

/**
 * Yields the fields of a message, in order. Fields of wire type fixed32 are skipped.
 *
 * @throws {ProtobufError} If the message is truncated or malformed.
 */
export function* wireFields(bytes: Uint8Array): Generator<WireField> {
  let at = 0;
  const varint = (): number => {
    let value = 0n;
    for (let shift = 0; shift < MAX_VARINT_BYTES; shift++) {
      const byte = bytes[at++];
      if (byte === undefined) throw new ProtobufError("unexpected EOF");
      value |= BigInt(byte & 0x7f) << BigInt(7 * shift);
      if (byte < 0x80) return Number(BigInt.asIntN(64, value));
    }
    throw new ProtobufError("integer overflow");
  };
  const take = (length: number): Uint8Array => {
    if (length < 0 || at + length > bytes.length) throw new ProtobufError("unexpected EOF");
    at += length;
    return bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    const tag = varint();
    const number = Math.floor(tag / 8);
    if (number < 1) throw new ProtobufError(`illegal tag ${number}`);
    switch (tag % 8) {
      case VARINT:
        yield { number, value: varint() };
        break;
      case FIXED64:
        yield { number, value: take(8) };
        break;
      case BYTES:
        yield { number, value: take(varint()) };
        break;
      case FIXED32:
        take(4);
        break;
      default:
        throw new ProtobufError(`illegal wireType ${tag % 8}`);
    }
  }
}

/** Returns the last value of a field of a message; undefined if the message does not have the field. */
export function wireField(bytes: Uint8Array, number: number): WireField["value"] | undefined {
  let found: WireField["value"] | undefined;
  for (const field of wireFields(bytes)) if (field.number === number) found = field.value;
  return found;
}
