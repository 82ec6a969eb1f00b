import { BYTES, FIXED64, VARINT } from "./wire.ts";

const utf8 = new TextEncoder();

/** The maximum length of a text that is written character by character. */
const SHORT_TEXT = 80;

/**
 * Writes a message from its end to its start, as Go's generated code does: when the head of a field is written, the
 * length of its content is known.
 */
export class MessageWriter {
  #bytes: Uint8Array<ArrayBuffer>;
  /** Where the written bytes start. */
  #start: number;

  /** Creates a writer with room for `size` bytes; it grows if they are more. */
  constructor(size: number = 1024) {
    this.#bytes = new Uint8Array(size);
    this.#start = size;
  }

  /** The number of bytes written. */
  get size(): number {
    return this.#bytes.length - this.#start;
  }

  /** Returns the written bytes. */
  result(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(this.#start);
  }

  /** Writes the head of a field whose content are the bytes written since the size was `size`. */
  head(number: number, size: number): void {
    this.varint(this.size - size);
    this.varint(number * 8 + BYTES);
  }

  /** Writes a field with a string. */
  text(number: number, text: string): void {
    const size = this.size;
    if (!this.#ascii(text)) this.raw(utf8.encode(text));
    this.head(number, size);
  }

  /** Writes a field with a byte string or an encoded message. */
  bytes(number: number, bytes: Uint8Array): void {
    const size = this.size;
    this.raw(bytes);
    this.head(number, size);
  }

  /** Writes a field with an integer or a boolean. */
  integer(number: number, value: number | bigint): void {
    this.varint(value);
    this.varint(number * 8 + VARINT);
  }

  /** Writes a field with a double. */
  double(number: number, value: number): void {
    const start = this.#reserve(8);
    new DataView(this.#bytes.buffer).setFloat64(start, value, true);
    this.varint(number * 8 + FIXED64);
  }

  /** Writes an integer without a head. A negative one takes ten bytes. */
  varint(value: number | bigint): void {
    if (typeof value === "bigint" || value < 0) return this.#longVarint(BigInt(value));
    if (value < 128) {
      const at = this.#reserve(1);
      this.#bytes[at] = value;
      return;
    }
    let length = 2;
    for (let rest = Math.floor(value / 16384); rest > 0; rest = Math.floor(rest / 128)) length++;
    let at = this.#reserve(length);
    let rest = value;
    for (; rest >= 128; rest = Math.floor(rest / 128)) this.#bytes[at++] = (rest % 128) | 128;
    this.#bytes[at] = rest;
  }

  /** Writes bytes without a head. */
  raw(bytes: Uint8Array): void {
    const start = this.#reserve(bytes.length);
    this.#bytes.set(bytes, start);
  }

  #longVarint(value: bigint): void {
    const groups: number[] = [];
    for (let rest = BigInt.asUintN(64, value); rest > 0n || groups.length === 0; rest >>= 7n) {
      groups.push(Number(rest & 127n) | 128);
    }
    groups[groups.length - 1]! &= 127;
    this.raw(Uint8Array.from(groups));
  }

  /** Writes a short text of ASCII characters; returns false and writes nothing for another one. */
  #ascii(text: string): boolean {
    const { length } = text;
    if (length > SHORT_TEXT) return false;
    const start = this.#reserve(length);
    const bytes = this.#bytes;
    for (let i = 0; i < length; i++) {
      const code = text.charCodeAt(i);
      if (code > 127) {
        this.#start += length;
        return false;
      }
      bytes[start + i] = code;
    }
    return true;
  }

  /** Makes room for `count` bytes before the written bytes, and returns the start of the room. */
  #reserve(count: number): number {
    if (count > this.#start) {
      const { size } = this;
      const grown = new Uint8Array(2 * (size + count));
      grown.set(this.#bytes.subarray(this.#start), grown.length - size);
      this.#bytes = grown;
      this.#start = grown.length - size;
    }
    return this.#start -= count;
  }
}
