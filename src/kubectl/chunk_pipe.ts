/**
 * Hands chunks from a sink to one reader, one at a time: the sink waits until the reader has taken the chunk. Both sides
 * end at once when the pipe fails, whatever they wait for.
 */
export class ChunkPipe {
  /** Takes the chunks. */
  readonly sink: WritableStream<Uint8Array> = new WritableStream({
    write: (chunk) => this.#write(chunk),
    close: () => this.end(),
    abort: (reason) => this.fail(reason),
  });
  #waiting: { readonly chunk: Uint8Array; readonly taken: PromiseWithResolvers<void> } | undefined;
  #reader: PromiseWithResolvers<Uint8Array | undefined> | undefined;
  #isEnded = false;
  #failure: { readonly reason: unknown } | undefined;

  /** Why the pipe has failed; undefined if it has not. */
  get failure(): { readonly reason: unknown } | undefined {
    return this.#failure;
  }

  /** Returns the chunks. It throws the reason with which the pipe fails. */
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

  /** Makes both sides fail. Only the first reason counts. */
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
