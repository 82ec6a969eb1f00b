/** Many pieces of text as bytes, one after the other in one buffer. */
export class Slab {
  #bytes: Uint8Array<ArrayBuffer>;
  #length = 0;
  readonly #starts: number[] = [];
  readonly #encoder = new TextEncoder();

  /** An empty slab with room for `capacity` bytes; it grows when that is too little. */
  constructor(capacity: number) {
    this.#bytes = new Uint8Array(capacity);
  }

  /** How many pieces there are. */
  get count(): number {
    return this.#starts.length;
  }

  /** Where the piece begins; for `count`, where the last one ends. */
  start(index: number): number {
    return this.#starts[index] ?? this.#length;
  }

  /** Adds a piece. */
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

  /** The bytes of the pieces `from` … `to` - 1, not copied. */
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
