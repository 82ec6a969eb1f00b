/** A message that is not protobuf. */
export class ProtobufError extends Error {
  /** Always `ProtobufError`. */
  override readonly name: string = "ProtobufError";
}

/** A field as it stands on the wire: a number, or bytes that hold a text, a message or packed numbers. */
export interface WireField {
  /** The field's number. */
  readonly number: number;
  /** A whole number, or the bytes of a double. */
  readonly value: number | Uint8Array;
}

const VARINT = 0;
const FIXED64 = 1;
const BYTES = 2;
const FIXED32 = 5;

/** The most bytes a number of 64 bits takes. */
const MAX_VARINT_BYTES = 10;

/**
 * The fields of a message, in order.
 *
 * @throws {ProtobufError} When it ends too early or holds what no message holds.
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

/** The value of one field of a message; undefined when it is not there. */
export function wireField(bytes: Uint8Array, number: number): WireField["value"] | undefined {
  let found: WireField["value"] | undefined;
  for (const field of wireFields(bytes)) if (field.number === number) found = field.value;
  return found;
}
