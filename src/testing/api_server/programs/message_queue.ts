/** The bytes that wait for a program before the connection is not read any more. */
const BUFFER_BYTES = 256 * 1024;

/** The counted size of an item that is not bytes. */
const SMALL_BYTES = 64;

/** The messages of a client to a program. Above a number of bytes, the connection waits. */
export class MessageQueue<T extends object> implements AsyncIterable<T> {
  readonly #items: T[] = [];
  #bytes = 0;
  #ended = false;
  #wake: (() => void) | undefined;
  #room: (() => void) | undefined;

  /** Adds an item. Resolves when there is room for more. */
  async push(item: T): Promise<void> {
    if (this.#ended) return;
    this.#items.push(item);
    this.#bytes += sizeOf(item);
    this.#wake?.();
    if (this.#bytes < BUFFER_BYTES) return;
    await new Promise<void>((resolve) => void (this.#room = resolve));
  }

  /** Ends the queue after the items in it. */
  end(): void {
    this.#ended = true;
    this.#wake?.();
    this.#room?.();
  }

  /** Ends the queue, and drops what is in it. */
  drop(): void {
    this.#items.length = 0;
    this.end();
  }

  /** Returns the items, in order. A program that stops reading drops the rest. */
  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    try {
      while (true) {
        const item = this.#items.shift();
        if (item !== undefined) {
          this.#bytes -= sizeOf(item);
          if (this.#bytes < BUFFER_BYTES) this.#room?.();
          yield item;
        } else if (this.#ended) return;
        else await new Promise<void>((resolve) => void (this.#wake = resolve));
      }
    } finally {
      this.drop();
    }
  }
}

function sizeOf(item: object): number {
  return item instanceof Uint8Array ? item.length : SMALL_BYTES;
}
