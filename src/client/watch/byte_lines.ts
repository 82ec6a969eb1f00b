import { ByteParts } from "../../base/mod.ts";
import { cancelQuietly, LINE_FEED, LineTooLongError, requireLineWithin } from "./body_lines.ts";
import { type ChunkReader, chunkReader } from "../request/mod.ts";
import type { LineReader, LineSource } from "./line_reader.ts";

/** A line without its line break: the bytes from `start` up to, but not including, `end`. They never change. */
export interface ByteLine {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
}

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/**
 * Reads a value from the line that begins at `start`, of the whole lines up to `end`. Returns undefined if it cannot.
 *
 * @typeParam V The type of the value. Its `end` is the position of the line break, or the end of the bytes.
 */
export type ReadLine<V extends { readonly end: number }> = (
  bytes: Uint8Array,
  start: number,
  end: number,
) => V | undefined;

/**
 * Reads the lines of a body in batches of all lines that have arrived: the values that `readLine` makes of them, and
 * the lines that it cannot read. Only lines that span several chunks are copied.
 *
 * As in a `TextSource`, a body that fails ends the lines like a complete body, and `failure` then contains the reason.
 */
export class ByteLines<V extends { readonly end: number }>
  implements LineReader<ByteLine | V>, LineSource {
  failure: { readonly reason: unknown } | undefined;
  endedInLine = false;
  readonly #body: ChunkReader;
  readonly #maxLineBytes: number;
  readonly #readLine: ReadLine<V>;
  /** The beginning of an incomplete line. */
  #parts = new ByteParts();
  #isFirst = true;

  constructor(body: ReadableStream<Uint8Array>, maxLineBytes: number, readLine: ReadLine<V>) {
    this.#body = chunkReader(body);
    this.#maxLineBytes = maxLineBytes;
    this.#readLine = readLine;
  }

  async read(): Promise<readonly (ByteLine | V)[] | undefined> {
    try {
      while (true) {
        const { done, value } = await this.#body.read();
        if (done || value === undefined) return this.#last();
        const lines = this.#linesOf(value);
        if (lines.length > 0) return lines;
      }
    } catch (reason) {
      this.failure = { reason };
      if (!(reason instanceof LineTooLongError)) return this.#last();
      // It cannot be an event, and to parse it would take long: V8 takes 50 ms for a megabyte of `[`.
      this.#parts = new ByteParts();
      await this.cancel(reason);
      return undefined;
    }
  }

  cancel(reason: unknown): Promise<void> {
    return cancelQuietly(this.#body, reason);
  }

  #linesOf(chunk: Uint8Array): (ByteLine | V)[] {
    const lines: (ByteLine | V)[] = [];
    let start = 0;
    if (this.#parts.length > 0) {
      const end = lineEnd(chunk, 0);
      this.#parts.push(chunk.subarray(0, end));
      requireLineWithin(this.#parts.length, this.#maxLineBytes);
      if (end === chunk.length) return lines;
      lines.push(this.#join());
      start = end + 1;
    }
    const wholeEnd = chunk.lastIndexOf(LINE_FEED) + 1;
    while (start < wholeEnd) {
      // Empty lines are skipped: a server can send a million of them in a second.
      if (chunk[start] === LINE_FEED) {
        this.#isFirst = false;
        start++;
        continue;
      }
      const line = this.#lineOf(chunk, start, wholeEnd);
      requireLineWithin(line.end - start, this.#maxLineBytes);
      lines.push(line);
      start = line.end + 1;
    }
    if (start < chunk.length) this.#parts.push(chunk.subarray(start));
    requireLineWithin(this.#parts.length, this.#maxLineBytes);
    return lines;
  }

  /** Reads the line at `start`. The first line loses its byte order mark, as in a text decoder. */
  #lineOf(bytes: Uint8Array, start: number, end: number): ByteLine | V {
    const isMarked = this.#isFirst && BYTE_ORDER_MARK.every((byte, i) => bytes[start + i] === byte);
    this.#isFirst = false;
    if (isMarked) start += BYTE_ORDER_MARK.length;
    return this.#readLine(bytes, start, end) ?? { bytes, start, end: lineEnd(bytes, start) };
  }

  /** Reads the line whose parts have arrived. */
  #join(): ByteLine | V {
    const bytes = this.#parts.join();
    this.#parts = new ByteParts();
    return this.#lineOf(bytes, 0, bytes.length);
  }

  #last(): (ByteLine | V)[] | undefined {
    if (this.#parts.length === 0) return undefined;
    this.endedInLine = true;
    return [this.#join()];
  }
}

/** Returns the position of the first line break from `start` on, or the end of the bytes. */
function lineEnd(bytes: Uint8Array, start: number): number {
  const at = bytes.indexOf(LINE_FEED, start);
  return at < 0 ? bytes.length : at;
}
