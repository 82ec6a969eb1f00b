import { ByteParts } from "../../base/mod.ts";
import { type ChunkReader, chunkReader } from "../request/mod.ts";

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** A line of a log, or a part of a line that is longer than the bound. */
export interface LogLine {
  /** The text, without its line break. Bytes that are not UTF-8 are U+FFFD. */
  readonly text: string;
  /** Whether this is the end of a line that had a line break. */
  readonly isComplete: boolean;
  /** The number of parts of the same line before this one. */
  readonly part: number;
}

/**
 * Reads the lines of a log in batches of all lines that have arrived. A line that is longer than the bound is cut into
 * parts of at most that many bytes, between two characters, so that memory stays bounded.
 */
export class LogLines {
  readonly #body: ChunkReader;
  readonly #maxLineBytes: number;
  /** Keeps byte order marks: they are part of what the container wrote. */
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  /** The beginning of an incomplete line, or of its next part. */
  #rest = new ByteParts();
  #part = 0;

  constructor(body: ReadableStream<Uint8Array>, maxLineBytes: number) {
    this.#body = chunkReader(body);
    this.#maxLineBytes = maxLineBytes;
  }

  /**
   * Reads the next lines.
   *
   * @returns At least one line, or undefined at the end of the body. Text after the last line break is the last line.
   * @throws The error of the body. The incomplete line before it is lost.
   */
  async read(): Promise<LogLine[] | undefined> {
    for (;;) {
      const { done, value } = await this.#body.read();
      if (done || value === undefined) return this.#last();
      const lines = this.#linesOf(value);
      if (lines.length > 0) return lines;
    }
  }

  /** Cancels the body in any state. */
  async cancel(reason: unknown): Promise<void> {
    try {
      await this.#body.cancel(reason);
    } catch {
      // cancel() of a failed body rejects with the reason of the failure. There is nothing left to release.
    }
  }

  #linesOf(chunk: Uint8Array): LogLine[] {
    const lines: LogLine[] = [];
    let start = 0;
    for (let end; (end = chunk.indexOf(LINE_FEED, start)) >= 0; start = end + 1) {
      const piece = chunk.subarray(start, end);
      // Most lines are within one chunk, and are not copied.
      const bytes = this.#rest.length === 0 ? piece : this.#join(piece);
      this.#add(lines, withoutReturn(bytes), true);
    }
    if (start < chunk.length) this.#rest.push(chunk.subarray(start));
    // One more byte may be the carriage return of the line break.
    if (this.#rest.length > this.#maxLineBytes + 1) {
      const rest = this.#cut(lines, this.#join());
      this.#rest.push(rest);
    }
    return lines;
  }

  /** Takes the rest, and the bytes that follow it. */
  #join(piece?: Uint8Array): Uint8Array {
    if (piece !== undefined) this.#rest.push(piece);
    const bytes = this.#rest.join();
    this.#rest = new ByteParts();
    return bytes;
  }

  /** Adds the parts that are full; returns the bytes after them. */
  #cut(lines: LogLine[], bytes: Uint8Array): Uint8Array {
    let start = 0;
    while (bytes.length - start > this.#maxLineBytes) {
      const end = characterStart(bytes, start, start + this.#maxLineBytes);
      const text = this.#decoder.decode(bytes.subarray(start, end));
      lines.push({ text, isComplete: false, part: this.#part++ });
      start = end;
    }
    return bytes.subarray(start);
  }

  #add(lines: LogLine[], bytes: Uint8Array, isComplete: boolean): void {
    const text = this.#decoder.decode(this.#cut(lines, bytes));
    lines.push({ text, isComplete, part: this.#part });
    this.#part = 0;
  }

  #last(): LogLine[] | undefined {
    if (this.#rest.length === 0) return undefined;
    const lines: LogLine[] = [];
    this.#add(lines, this.#join(), false);
    return lines;
  }
}

function withoutReturn(bytes: Uint8Array): Uint8Array {
  return bytes[bytes.length - 1] === CARRIAGE_RETURN ? bytes.subarray(0, -1) : bytes;
}

/** Returns the start of the character at `end`, or `end` if the bytes before it are not UTF-8. */
function characterStart(bytes: Uint8Array, start: number, end: number): number {
  for (let at = end; at > start && end - at < 4; at--) {
    // Every byte of a character but the first one begins with the bits 10.
    if ((bytes[at]! & 0xc0) !== 0x80) return at;
  }
  return end;
}
