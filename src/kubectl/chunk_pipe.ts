/**
 * Passes chunks from a sink to one reader, one at a time: the sink waits until the reader has taken the chunk. If the pipe
 * fails, both sides fail at once.
 */
export class ChunkPipe {
  /** The side that writes the chunks. */
  readonly sink: WritableStream<Uint8Array> = new WritableStream({
    write: (chunk) => this.#write(chunk),
    close: () => this.end(),
    abort: (reason) => this.fail(reason),
  });
  #waiting: { readonly chunk: Uint8Array; readonly taken: PromiseWithResolvers<void> } | undefined;
  #reader: PromiseWithResolvers<Uint8Array | undefined> | undefined;
  #isEnded = false;
  #failure: { readonly reason: unknown } | undefined;

  /** The reason of the failure; undefined if the pipe has not failed. */
  get failure(): { readonly reason: unknown } | undefined {
    return this.#failure;
  }

  /** Yields the chunks. Throws the reason if the pipe fails. */
  async *chunks(): AsyncGenerator<Uint8Array> {
    for (let chunk = await this.#read(); chunk !== undefined; chunk = await this.#read()) {
      yield chunk;
    }
  }

  /** Ends the chunks. */
  end(): void {
    this.#isEnded = true;
    this.#reader?.resolve(undefined);
  }

  /** Fails both sides. Only the first reason is kept. */
  fail(reason: unknown): void {
    if (this.#failure !== undefined) return;
    this.#failure = { reason };
    this.#reader?.reject(reason);
    this.#waiting?.taken.reject(reason);
  }

  #write(chunk: Uint8Array): Promise<void> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure.reason);
    const reader = this.#reader;
    this.#reader = undefined;
    if (reader !== undefined) {
      reader.resolve(chunk);
      return Promise.resolve();
    }
    this.#waiting = { chunk, taken: Promise.withResolvers() };
    return this.#waiting.taken.promise;
  }

  #read(): Promise<Uint8Array | undefined> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure.reason);
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting !== undefined) {
      waiting.taken.resolve();
      return Promise.resolve(waiting.chunk);
    }
    if (this.#isEnded) return Promise.resolve(undefined);
    this.#reader = Promise.withResolvers();
    return this.#reader.promise;
  }
}
