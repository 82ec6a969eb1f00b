import { RingBuffer } from "@kubeloop/controller/internal/base";

/** A callback that waits for a turn of the event loop. */
export interface QueuedTurn {
  readonly callback: () => void;
  /** Sorts it among the callbacks that were queued in the same turn. */
  readonly order: string;
  /** Where it was queued, if that is recorded. */
  readonly origin: string | undefined;
}

/**
 * Callbacks that each want a turn of the event loop of their own: first in, first out. Callbacks that were queued in one
 * turn are sorted.
 *
 * Runtimes spend different numbers of microtasks inside of the bodies of requests and responses, so what happens within
 * one turn has another order on each of them. From one turn to the next, the order is the same everywhere.
 */
export class TurnQueue {
  readonly #ready = new RingBuffer<QueuedTurn>();
  /** The callbacks that were queued since the last turn of the event loop. */
  #arrivals: QueuedTurn[] = [];

  /** The number of callbacks. */
  get length(): number {
    return this.#ready.length + this.#arrivals.length;
  }

  /** Adds a callback. */
  push(turn: QueuedTurn): void {
    this.#arrivals.push(turn);
  }

  /** Records that the event loop has turned: what is queued from now on comes after everything that is queued already. */
  turned(): void {
    if (this.#arrivals.length === 0) return;
    const arrivals = this.#arrivals;
    this.#arrivals = [];
    if (arrivals.length > 1) arrivals.sort(byOrder);
    for (const turn of arrivals) this.#ready.push(turn);
  }

  /** Returns the next callback without removing it; undefined if there is none. */
  peek(): QueuedTurn | undefined {
    if (this.#ready.length === 0) this.turned();
    return this.#ready.peek();
  }

  /** Removes the callback that {@linkcode TurnQueue.peek} returned. */
  shift(): void {
    this.#ready.shift();
  }
}

/** By code units, which every runtime compares alike. The sort is stable. */
function byOrder(a: QueuedTurn, b: QueuedTurn): number {
  return a.order < b.order ? -1 : a.order > b.order ? 1 : 0;
}
