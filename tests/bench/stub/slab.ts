/** Many pieces of bytes in one buffer. */
export class Slab {
  #bytes: Uint8Array<ArrayBuffer>;
  #length = 0;
  readonly #starts: number[] = [];
  readonly #encoder = new TextEncoder();

  /** Creates an empty slab with `capacity` bytes; it grows when necessary. */
  constructor(capacity: number) {
    this.#bytes = new Uint8Array(capacity);
  }

  /** The number of pieces. */
  get count(): number {
    return this.#starts.length;
  }

  /** Returns the start of a piece; for `count`, the end of the last piece. */
  start(index: number): number {
    return this.#starts[index] ?? this.#length;
  }

  /** Appends a piece. */
  push(piece: string | Uint8Array): void {
    this.#reserve(piece.length * 3);
    this.#starts.push(this.#length);
    if (typeof piece === "string") {
      this.#length += this.#encoder.encodeInto(piece, this.#bytes.subarray(this.#length)).written;
    } else {
      this.#bytes.set(piece, this.#length);
      this.#length += piece.length;
    }
  }

  /** Returns the bytes of the pieces `from` … `to` - 1, without a copy. */
  view(from: number, to: number): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(this.start(from), this.start(to));
  }

  #reserve(bytes: number): void {
    if (this.#length + bytes <= this.#bytes.length) return;
    const larger = new Uint8Array(this.#bytes.length * 2 + bytes);
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}
