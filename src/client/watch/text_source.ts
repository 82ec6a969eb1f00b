import { letGo, LINE_FEED, LineTooLongError, requireLineWithin } from "./body_lines.ts";

/** Why a {@linkcode TextSource} ended before its body did. */
export interface TextSourceFailure {
  readonly reason: unknown;
}

/**
 * The text of a response body: decodes UTF-8, a character cut in two by a chunk included, and bounds the length of a line.
 *
 * When the body breaks, the text ends as if it were complete, and `failure` says that it was not: an error in a stream
 * would throw away what has been received and not yet been read.
 */
export class TextSource {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #decoder = new TextDecoder();
  readonly #maxLineBytes: number;
  #lineBytes = 0;
  #failure: TextSourceFailure | undefined;
  #ended = false;

  constructor(body: ReadableStream<Uint8Array>, maxLineBytes: number) {
    this.#reader = body.getReader();
    this.#maxLineBytes = maxLineBytes;
  }

  /** What ended the text early, once it has ended. */
  get failure(): TextSourceFailure | undefined {
    return this.#failure;
  }

  /** Whether the text has ended, and not at the end of a line. */
  get endedInLine(): boolean {
    return this.#ended && this.#lineBytes > 0;
  }

  /** The text of the next chunk; undefined at the end. */
  async read(): Promise<string | undefined> {
    try {
      const { done, value } = await this.#reader.read();
      if (!done) {
        this.#measure(value);
        return this.#decoder.decode(value, { stream: true });
      }
    } catch (reason) {
      this.#failure = { reason };
      if (reason instanceof LineTooLongError) void this.cancel(reason);
    }
    this.#ended = true;
    return undefined;
  }

  /** The text as a stream, for TextLineStream, which does not bound the length of a line; instead of `read`. */
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

  /** Ends the text and lets the body go. */
  cancel(reason: unknown): Promise<void> {
    return letGo(this.#reader, reason);
  }

  #measure(chunk: Uint8Array): void {
    let start = 0;
    if (this.#lineBytes + chunk.length > this.#maxLineBytes) {
      for (let end; (end = chunk.indexOf(LINE_FEED, start)) >= 0; start = end + 1) {
        this.#grow(end - start);
        this.#lineBytes = 0;
      }
    } else {
      // No line that ends in it can be too long: only what goes on in the next chunk has to be measured.
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
