/** Smaller chunks are copied together, since each has a fixed cost. */
const LARGE = 4_096;
const MAX_BLOCK = 65_536;

/**
 * Collects the chunks of a body or of a line. Small chunks are copied together, so a peer that sends single bytes
 * costs no extra memory.
 *
 * @internal
 */
export class ByteParts {
  readonly #parts: Uint8Array[] = [];
  /** The free end of the last block. */
  #block: Uint8Array = new Uint8Array(0);
  #used = 0;
  #length = 0;

  /** The number of bytes. */
  get length(): number {
    return this.#length;
  }

  /** Adds a chunk, which must not change any more. */
  push(chunk: Uint8Array): void {
    if (isWorthKeeping(chunk)) {
      this.#seal();
      this.#parts.push(chunk);
    } else {
      if (this.#used + chunk.length > this.#block.length) {
        this.#seal();
        this.#block = new Uint8Array(
          Math.max(chunk.length, Math.min(MAX_BLOCK, Math.max(2 * chunk.length, this.#length))),
        );
      }
      this.#block.set(chunk, this.#used);
      this.#used += chunk.length;
    }
    this.#length += chunk.length;
  }

  /** Returns all bytes. A single chunk is not copied. */
  join(): Uint8Array {
    this.#seal();
    const [first] = this.#parts;
    if (first !== undefined && this.#parts.length === 1) return first;
    return concatBytes(this.#parts);
  }

  #seal(): void {
    if (this.#used === 0) return;
    this.#parts.push(this.#block.subarray(0, this.#used));
    this.#block = this.#block.subarray(this.#used);
    this.#used = 0;
  }
}

/**
 * Reports whether a chunk is kept without a copy. Deno's decompression gives 4 KiB in a buffer of 64 KiB,
 * which would stay in memory as a whole.
 */
function isWorthKeeping(chunk: Uint8Array): boolean {
  return chunk.length >= LARGE && 2 * chunk.length >= chunk.buffer.byteLength;
}

/** Copies chunks into one array. */
export function concatBytes(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const part of parts) {
    bytes.set(part, end);
    end += part.length;
  }
  return bytes;
}
