import { Waiters } from "../../base/mod.ts";
import { FIFOClosedError } from "./fifo_closed_error.ts";

/** Where the consumers of a queue wait until there is something to take, or the queue is closed and there never will be. */
export class PopGate {
  readonly #queue: { readonly length: number };
  readonly #name: string;
  readonly #waiters = new Waiters();
  #isClosed = false;

  /** The gate of `queue`, which messages call `name`. */
  constructor(queue: { readonly length: number }, name: string) {
    this.#queue = queue;
    this.#name = name;
  }

  /** Whether it was closed. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /**
   * Resolves when there is something to take.
   *
   * @throws {FIFOClosedError} When the queue is closed and empty; or `signal.reason`.
   */
  async wait(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    while (this.#queue.length === 0) {
      if (this.#isClosed) throw new FIFOClosedError(`The ${this.#name} is closed and empty`);
      await this.#waiters.wait(signal);
    }
  }

  /** Something was added: wakes all who wait. */
  open(): void {
    this.#waiters.wakeAll();
  }

  /** Ends the waiting: who waits, now or later, takes what is left and then gets a {@linkcode FIFOClosedError}. */
  close(): void {
    this.#isClosed = true;
    this.#waiters.wakeAll();
  }
}
