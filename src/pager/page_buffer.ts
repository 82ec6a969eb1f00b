import { abortable, type Deferred, deferred, RingBuffer } from "../base/mod.ts";

/**
 * Hands pages from the one that lists them to the one that uses them. A full buffer holds the lister back: at most
 * `capacity` pages wait, and one more that the lister could not put down yet.
 */
export class PageBuffer<P> {
  readonly #capacity: number;
  readonly #pages = new RingBuffer<P>();
  #room: Deferred<void> | undefined;
  #arrival: Deferred<void> | undefined;
  #ended = false;
  #error: { readonly reason: unknown } | undefined;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Puts a page down; resolves once the next may be listed. Rejects with `signal.reason`. */
  async push(page: P, signal: AbortSignal): Promise<void> {
    this.#pages.push(page);
    this.#arrival?.resolve();
    if (this.#pages.length <= this.#capacity) return;
    this.#room = deferred();
    await abortable(this.#room.promise, signal);
  }

  /** No page follows. Those that wait are still handed out; after them, `error` if one is given. */
  end(error?: { readonly reason: unknown }): void {
    this.#ended = true;
    this.#error = error;
    this.#arrival?.resolve();
  }

  /** The next page, when there is one; undefined after the last. Throws what {@linkcode PageBuffer.end} was told. */
  async shift(signal: AbortSignal): Promise<P | undefined> {
    if (this.#pages.length === 0 && !this.#ended) {
      this.#arrival = deferred();
      await abortable(this.#arrival.promise, signal);
    }
    const page = this.#pages.shift();
    if (page === undefined && this.#error !== undefined) throw this.#error.reason;
    if (this.#pages.length <= this.#capacity) this.#room?.resolve();
    return page;
  }
}
