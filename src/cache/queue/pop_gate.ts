import { Waiters } from "../../base/mod.ts";
import { FIFOClosedError } from "./fifo_closed_error.ts";

/** Lets the consumers of a queue wait until the queue has an item, or is closed and empty. */
export class PopGate {
  readonly #queue: { readonly length: number };
  readonly #name: string;
  readonly #waiters = new Waiters();
  #isClosed = false;

  /** Creates the gate of `queue`. Error messages call the queue `name`. */
  constructor(queue: { readonly length: number }, name: string) {
    this.#queue = queue;
    this.#name = name;
  }

  /** Whether the queue is closed. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /**
   * Resolves when the queue has an item to pop.
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

  /** Wakes all waiting consumers. The queue calls this method when an item is added. */
  open(): void {
    this.#waiters.wakeAll();
  }

  /**
   * Closes the queue. Consumers pop the remaining items; then current and future waits reject with a
   * {@linkcode FIFOClosedError}.
   */
  close(): void {
    this.#isClosed = true;
    this.#waiters.wakeAll();
  }
}
