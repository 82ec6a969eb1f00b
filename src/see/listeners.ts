import type { Clock, Timer } from "../base/mod.ts";

/** The time between two notes that the state may have changed, in milliseconds. */
const PERIOD_MS = 500;

/** Options of {@linkcode Listeners}. */
export interface ListenersOptions {
  readonly clock: Clock;
  /** Called when the first page is opened. */
  readonly opened: () => void;
  /** Called when the last page is closed. */
  readonly closed: () => void;
}

/** The open pages of a source. It calls each every half second, because the state may have changed; without one, no timer runs. */
export class Listeners {
  readonly #options: ListenersOptions;
  readonly #listeners = new Set<() => void>();
  #timer: Timer | undefined;

  constructor(options: ListenersOptions) {
    this.#options = options;
  }

  /** Whether a page is open. */
  get isOpen(): boolean {
    return this.#timer !== undefined;
  }

  /** Calls `changed` until the returned function is called. */
  add(changed: () => void): () => void {
    // Each call has its own entry, also with the same function.
    const listener = () => changed();
    this.#listeners.add(listener);
    if (this.#timer === undefined) {
      this.#options.opened();
      this.#arm();
    }
    return () => {
      if (!this.#listeners.delete(listener) || this.#listeners.size > 0) return;
      this.#stop();
      this.#options.closed();
    };
  }

  /** Removes all. */
  clear(): void {
    this.#listeners.clear();
    this.#stop();
  }

  #stop(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #arm(): void {
    this.#timer = this.#options.clock.setTimer(() => {
      this.#arm();
      for (const listener of [...this.#listeners]) listener();
    }, PERIOD_MS);
  }
}
