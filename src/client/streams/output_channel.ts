/** The bytes of a stream that wait for its reader. */
const BUFFER_BYTES = 256 * 1024;

/**
 * A stream from a container. It holds a bounded number of bytes, and then makes the connection wait, until the
 * connection has ended: the few bytes that are left then do not wait for a reader, who may never come.
 */
export class OutputChannel {
  /** The stream for the reader. */
  readonly stream: ReadableStream<Uint8Array>;
  #controller!: ReadableStreamDefaultController<Uint8Array>;
  #room: PromiseWithResolvers<void> | undefined;
  #open = true;
  #isConnected = true;

  /** @param closed Resolves when the connection has ended. */
  constructor(closed: Promise<void>) {
    closed.then(() => {
      this.#isConnected = false;
      this.#room?.resolve();
    });
    this.stream = new ReadableStream<Uint8Array>({
      start: (controller) => void (this.#controller = controller),
      pull: () => this.#room?.resolve(),
      // Output after a cancellation is dropped, so that it does not stop the command.
      cancel: () => {
        this.#open = false;
        this.#room?.resolve();
      },
    }, { highWaterMark: BUFFER_BYTES, size: (chunk) => chunk.length });
  }

  /** Passes bytes on. Resolves when there is room for more, or the connection has ended. */
  async push(bytes: Uint8Array): Promise<void> {
    if (!this.#open || bytes.length === 0) return;
    this.#controller.enqueue(bytes);
    if (!this.#isConnected || (this.#controller.desiredSize ?? 0) > 0) return;
    this.#room = Promise.withResolvers();
    await this.#room.promise;
    this.#room = undefined;
  }

  /** Ends the stream after the bytes in it. */
  close(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#controller.close();
  }

  /** Breaks the stream. */
  fail(reason: unknown): void {
    this.#room?.resolve();
    if (!this.#open) return;
    this.#open = false;
    this.#controller.error(reason);
  }
}
