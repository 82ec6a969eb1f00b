import { ByteParts, parseCount } from "../../base/mod.ts";

/** The longest line with the length of a chunk, in bytes. */
const MAX_LINE_BYTES = 1_024;

/** Decodes a body in chunks (RFC 9112, section 7.1), however its bytes are cut by the network. */
export class ChunkedBody {
  readonly #maxBytes: number;
  readonly #content = new ByteParts();
  /** The part of a length line that has been read. */
  #line = "";
  /** The bytes of the current chunk that are missing, the line break after it included. */
  #missing = 0;
  #isWhole = false;

  /** @param maxBytes The bytes of the content that are kept. More count as the end. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Whether nothing follows: the last chunk has come, or what has come is malformed, or is enough. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** Returns the content. */
  content(): Uint8Array {
    return this.#content.join().subarray(0, this.#maxBytes);
  }

  /** Takes the next bytes. */
  push(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length && !this.#isWhole;) {
      if (this.#missing === 0) this.#readLine(bytes[at++]!);
      else {
        const part = bytes.subarray(at, at + this.#missing);
        at += part.length;
        this.#content.push(part.subarray(0, Math.max(0, this.#missing - LINE_BREAK_BYTES)));
        this.#missing -= part.length;
        if (this.#content.length >= this.#maxBytes) this.#isWhole = true;
      }
    }
  }

  #readLine(byte: number): void {
    if (byte !== LINE_FEED) {
      this.#line += String.fromCharCode(byte);
      if (this.#line.length > MAX_LINE_BYTES) this.#isWhole = true;
      return;
    }
    // Extensions after the length are ignored.
    const [length = ""] = this.#line.split(/[;\s]/);
    const size = parseCount(length, Number.MAX_SAFE_INTEGER - LINE_BREAK_BYTES, 16);
    this.#line = "";
    // The trailers after the last chunk are left out.
    if (size === undefined || size === 0) this.#isWhole = true;
    else this.#missing = size + LINE_BREAK_BYTES;
  }
}

const LINE_FEED = 10;
const LINE_BREAK_BYTES = 2;
