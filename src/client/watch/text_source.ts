import { isDigit, mayHaveBigInteger } from "../../base/mod.ts";
import { type ChunkReader, chunkReader } from "../request/mod.ts";
import { cancelQuietly, LINE_FEED, LineTooLongError, requireLineWithin } from "./body_lines.ts";

/** The reason why a {@linkcode TextSource} ended before the end of its body. */
export interface TextSourceFailure {
  readonly reason: unknown;
}

/**
 * Decodes a response body as UTF-8 and limits the length of its lines. A character may span two chunks.
 *
 * If the body fails, the text ends like that of a complete body, and `failure` contains the reason. An error in the
 * stream would discard text that has been received but not yet read.
 */
export class TextSource {
  readonly #reader: ChunkReader;
  /**
   * The decoder keeps byte order marks, because that of Deno 2.9 also removes U+FEFF from the text, if it is the first
   * character of a later chunk.
   */
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  #isFirst = true;
  readonly #maxLineBytes: number;
  #lineBytes = 0;
  #failure: TextSourceFailure | undefined;
  #ended = false;
  #mayHaveBigInteger = false;
  #hadBigInteger = false;
  #endsInDigit = false;

  constructor(body: ReadableStream<Uint8Array>, maxLineBytes: number) {
    this.#reader = chunkReader(body);
    this.#maxLineBytes = maxLineBytes;
  }

  /** The reason of a failure. It is set when the text of a failed body ends. */
  get failure(): TextSourceFailure | undefined {
    return this.#failure;
  }

  /** Whether the text has ended without a line break at its end. */
  get endedInLine(): boolean {
    return this.#ended && this.#lineBytes > 0;
  }

  /**
   * Whether the last chunk may have integers that a number cannot represent, or the end of an integer that began in the
   * chunk before.
   */
  get mayHaveBigInteger(): boolean {
    return this.#mayHaveBigInteger;
  }

  /** Whether `mayHaveBigInteger` was true of this chunk or one before. */
  get hadBigInteger(): boolean {
    return this.#hadBigInteger;
  }

  /** Returns the text of the next chunk, or undefined at the end. */
  async read(): Promise<string | undefined> {
    try {
      const { done, value } = await this.#reader.read();
      if (!done && value !== undefined) {
        this.#measure(value);
        this.#search(value);
        return this.#withoutMark(this.#decoder.decode(value, { stream: true }));
      }
    } catch (reason) {
      this.#failure = { reason };
      if (reason instanceof LineTooLongError) void this.cancel(reason);
    }
    this.#ended = true;
    return undefined;
  }

  /** Returns the text as a stream, for TextLineStream, which does not limit the length of lines. Replaces `read`. */
  stream(): ReadableStream<string> {
    let isCancelled = false;
    return new ReadableStream<string>({
      pull: async (controller) => {
        const text = await this.read();
        if (isCancelled) return;
        if (text === undefined) controller.close();
        else controller.enqueue(text);
      },
      cancel: (reason) => {
        isCancelled = true;
        return this.cancel(reason);
      },
    }, { highWaterMark: 0 });
  }

  /** Cancels the body, which ends the text. */
  cancel(reason: unknown): Promise<void> {
    return cancelQuietly(this.#reader, reason);
  }

  /** Removes the byte order mark at the start of the body. */
  #withoutMark(text: string): string {
    if (!this.#isFirst || text === "") return text;
    this.#isFirst = false;
    return text.startsWith("\ufeff") ? text.slice(1) : text;
  }

  #search(chunk: Uint8Array): void {
    if (chunk.length === 0) return;
    this.#mayHaveBigInteger = (this.#endsInDigit && isDigit(chunk[0])) || mayHaveBigInteger(chunk);
    this.#hadBigInteger ||= this.#mayHaveBigInteger;
    this.#endsInDigit = isDigit(chunk.at(-1));
  }

  #measure(chunk: Uint8Array): void {
    let start = 0;
    if (this.#lineBytes + chunk.length > this.#maxLineBytes) {
      for (let end; (end = chunk.indexOf(LINE_FEED, start)) >= 0; start = end + 1) {
        this.#grow(end - start);
        this.#lineBytes = 0;
      }
    } else {
      // No line that ends in this chunk can be too long. Only the last line, which continues in the next chunk, counts.
      start = chunk.lastIndexOf(LINE_FEED) + 1;
      if (start > 0) this.#lineBytes = 0;
    }
    this.#grow(chunk.length - start);
  }

  #grow(bytes: number): void {
    this.#lineBytes += bytes;
    requireLineWithin(this.#lineBytes, this.#maxLineBytes);
  }
}
