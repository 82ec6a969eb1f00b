/** The bytes that wait for a program before the connection is not read any more. */
const BUFFER_BYTES = 256 * 1024;

/** The counted size of an item that is not bytes. */
const SMALL_BYTES = 64;

/** The bytes that wait in the queues of one writer, which have a limit together. */
export class Room {
  readonly #limit: number;
  #bytes = 0;
  #wake: (() => void) | undefined;

  /** Creates room for `limit` bytes. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Whether the writer has to wait. */
  get isFull(): boolean {
    return this.#bytes >= this.#limit;
  }

  /** Counts bytes of a queue. A negative number removes them. */
  add(bytes: number): void {
    this.#bytes += bytes;
    if (!this.isFull) this.#wake?.();
  }

  /** Resolves when there is room for more. Only one caller waits at a time: the writer. */
  async whenFree(): Promise<void> {
    if (this.isFull) await new Promise<void>((resolve) => void (this.#wake = resolve));
  }
}

/** The messages of a client to a program. Above a number of bytes, the connection waits. */
export class MessageQueue<T extends object> implements AsyncIterable<T> {
  readonly #items: T[] = [];
  readonly #room: Room;
  #bytes = 0;
  #ended = false;
  #wake: (() => void) | undefined;

  /** Creates a queue. Its default room is 256 KiB of its own. */
  constructor(room: Room = new Room(BUFFER_BYTES)) {
    this.#room = room;
  }

  /** The bytes that wait in the queue. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Adds an item. Resolves when there is room for more. */
  async push(item: T): Promise<void> {
    if (this.#ended) return;
    this.#items.push(item);
    this.#count(sizeOf(item));
    this.#wake?.();
    await this.#room.whenFree();
  }

  /** Ends the queue after the items in it. */
  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  /** Ends the queue, and drops what is in it. */
  drop(): void {
    this.#items.length = 0;
    this.#count(-this.#bytes);
    this.end();
  }

  /** Returns the items, in order. A program that stops reading drops the rest. */
  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    try {
      while (true) {
        const item = this.#items.shift();
        if (item !== undefined) {
          this.#count(-sizeOf(item));
          yield item;
        } else if (this.#ended) return;
        else await new Promise<void>((resolve) => void (this.#wake = resolve));
      }
    } finally {
      this.drop();
    }
  }

  #count(bytes: number): void {
    this.#bytes += bytes;
    this.#room.add(bytes);
  }
}

function sizeOf(item: object): number {
  return item instanceof Uint8Array ? item.length : SMALL_BYTES;
}
