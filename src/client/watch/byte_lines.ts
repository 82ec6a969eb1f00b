import { letGo, LINE_FEED, LineTooLongError, requireLineWithin } from "./body_lines.ts";
import { ByteParts } from "../request/mod.ts";
import type { LineReader, LineSource } from "./line_reader.ts";

/** A line without its line break: the bytes from `start` up to, but not including, `end`. They never change. */
export interface ByteLine {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
}

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/**
 * Reads the lines of a body as bytes, in batches of all lines that have arrived. Only lines that span several chunks
 * are copied.
 *
 * As in a `TextSource`, a body that fails ends the lines like a complete body, and `failure` then contains the reason.
 */
export class ByteLines implements LineReader<ByteLine>, LineSource {
  failure: { readonly reason: unknown } | undefined;
  endedInLine = false;
  readonly #body: ReadableStreamDefaultReader<Uint8Array>;
  readonly #maxLineBytes: number;
  /** The beginning of an incomplete line. */
  #parts = new ByteParts();
  #isFirst = true;

  constructor(body: ReadableStream<Uint8Array>, maxLineBytes: number) {
    this.#body = body.getReader();
    this.#maxLineBytes = maxLineBytes;
  }

  async read(): Promise<readonly ByteLine[] | undefined> {
    try {
      while (true) {
        const { done, value } = await this.#body.read();
        if (done) return this.#last();
        const lines = this.#linesOf(value);
        if (lines.length > 0) return lines;
      }
    } catch (reason) {
      this.failure = { reason };
      if (reason instanceof LineTooLongError) await this.cancel(reason);
      return this.#last();
    }
  }

  cancel(reason: unknown): Promise<void> {
    return letGo(this.#body, reason);
  }

  #linesOf(chunk: Uint8Array): ByteLine[] {
    const lines: ByteLine[] = [];
    const find = newlineFinder(chunk);
    let start = 0;
    for (let end; (end = find(start)) >= 0; start = end + 1) {
      requireLineWithin(this.#parts.length + end - start, this.#maxLineBytes);
      if (this.#parts.length > 0) {
        lines.push(this.#join(chunk.subarray(start, end)));
      } else if (start < end) {
        lines.push(this.#line(chunk, start, end));
      } else {
        // An empty line is no event. A server can send a million of them in a second.
        this.#isFirst = false;
      }
    }
    if (start < chunk.length) this.#parts.push(chunk.subarray(start));
    requireLineWithin(this.#parts.length, this.#maxLineBytes);
    return lines;
  }

  /** Returns a line. The first line loses its byte order mark, as in a text decoder. */
  #line(bytes: Uint8Array, start: number, end: number): ByteLine {
    const isMarked = this.#isFirst && BYTE_ORDER_MARK.every((byte, i) => bytes[start + i] === byte);
    this.#isFirst = false;
    return { bytes, start: isMarked ? start + BYTE_ORDER_MARK.length : start, end };
  }

  /** Returns the line that ends with `part`. */
  #join(part: Uint8Array): ByteLine {
    this.#parts.push(part);
    const bytes = this.#parts.join();
    this.#parts = new ByteParts();
    return this.#line(bytes, 0, bytes.length);
  }

  #last(): ByteLine[] | undefined {
    if (this.#parts.length === 0) return undefined;
    this.endedInLine = true;
    return [this.#join(new Uint8Array(0))];
  }
}

/**
 * Returns a function that finds the next line break in a chunk. On Node and Bun it searches a Buffer, which is several
 * times faster.
 */
function newlineFinder(chunk: Uint8Array): (from: number) => number {
  const { Buffer } = globalThis as { Buffer?: BufferConstructor };
  if (Buffer === undefined || "Deno" in globalThis) return (from) => chunk.indexOf(LINE_FEED, from);
  const buffer = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
  return (from) => buffer.indexOf(LINE_FEED, from);
}

/** The part of Node's `Buffer` that is used. */
interface BufferConstructor {
  from(buffer: ArrayBufferLike, byteOffset: number, length: number): {
    indexOf(value: number, from: number): number;
  };
}
