const LINE_FEED = 10;

/** Why a {@linkcode TextSource} ended before its body did. */
export interface TextSourceFailure {
  readonly reason: unknown;
}

/** A line was longer than allowed. */
export class LineTooLongError extends RangeError {
  override readonly name: string = "LineTooLongError";
}

/**
 * The stage between a response body and TextLineStream: decodes UTF-8, a character cut in two by a chunk included, and
 * bounds the length of a line, which TextLineStream does not.
 *
 * When the body breaks, the text ends as if it were complete, and `failure` says that it was not: an error in a stream
 * would throw away what has been received and not yet been read.
 */
export class TextSource {
  /** The text. */
  readonly readable: ReadableStream<string>;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #decoder = new TextDecoder();
  readonly #maxLineBytes: number;
  #lineBytes = 0;
  #failure: TextSourceFailure | undefined;
  #ended = false;
  #cancelled = false;

  constructor(body: ReadableStream<Uint8Array>, maxLineBytes: number) {
    this.#reader = body.getReader();
    this.#maxLineBytes = maxLineBytes;
    this.readable = new ReadableStream<string>({
      pull: (controller) => this.#pull(controller),
      cancel: (reason) => {
        this.#cancelled = true;
        return this.cancel(reason);
      },
    }, { highWaterMark: 0 });
  }

  /** What ended the text early, once it has ended. */
  get failure(): TextSourceFailure | undefined {
    return this.#failure;
  }

  /** Whether the text has ended, and not at the end of a line. */
  get endedInLine(): boolean {
    return this.#ended && this.#lineBytes > 0;
  }

  /** Ends the text and lets the body go. */
  async cancel(reason: unknown): Promise<void> {
    try {
      await this.#reader.cancel(reason);
    } catch {
      // A body that has failed already rejects with why; there is nothing left to let go.
    }
  }

  async #pull(controller: ReadableStreamDefaultController<string>): Promise<void> {
    try {
      const { done, value } = await this.#reader.read();
      if (done || this.#cancelled) {
        this.#end(controller);
        return;
      }
      this.#measure(value);
      controller.enqueue(this.#decoder.decode(value, { stream: true }));
    } catch (reason) {
      this.#failure = { reason };
      this.#end(controller);
      if (reason instanceof LineTooLongError) await this.cancel(reason);
    }
  }

  #end(controller: ReadableStreamDefaultController<string>): void {
    this.#ended = true;
    if (!this.#cancelled) controller.close();
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
    if (this.#lineBytes > this.#maxLineBytes) {
      throw new LineTooLongError(`a line is longer than the bound of ${this.#maxLineBytes} bytes`);
    }
  }
}
