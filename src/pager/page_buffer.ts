import { abortable, RingBuffer } from "../base/mod.ts";

/**
 * A queue of pages between one producer, which lists them, and one consumer. While more than `capacity` pages are
 * queued, {@linkcode PageBuffer.push} waits; so at most `capacity` + 1 pages are queued.
 */
export class PageBuffer<P> {
  readonly #capacity: number;
  readonly #pages = new RingBuffer<P>();
  #room: PromiseWithResolvers<void> | undefined;
  #arrival: PromiseWithResolvers<void> | undefined;
  #ended = false;
  #error: { readonly reason: unknown } | undefined;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Adds a page. Resolves when the next page may be listed, or rejects with `signal.reason`. */
  async push(page: P, signal: AbortSignal): Promise<void> {
    this.#pages.push(page);
    this.#arrival?.resolve();
    if (this.#pages.length <= this.#capacity) return;
    this.#room = Promise.withResolvers<void>();
    await abortable(this.#room.promise, signal);
  }

  /** Marks the end: no page follows. The consumer still gets the queued pages, and then `error` if one is given. */
  end(error?: { readonly reason: unknown }): void {
    this.#ended = true;
    this.#error = error;
    this.#arrival?.resolve();
  }

  /**
   * Waits for the next page and removes it; undefined after the last page. Throws the error that was passed to
   * {@linkcode PageBuffer.end}.
   */
  async shift(signal: AbortSignal): Promise<P | undefined> {
    if (this.#pages.length === 0 && !this.#ended) {
      this.#arrival = Promise.withResolvers<void>();
      await abortable(this.#arrival.promise, signal);
    }
    const page = this.#pages.shift();
    if (page === undefined && this.#error !== undefined) throw this.#error.reason;
    if (this.#pages.length <= this.#capacity) this.#room?.resolve();
    return page;
  }
}
