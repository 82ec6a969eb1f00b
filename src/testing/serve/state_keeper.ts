import { type Clock, type Logger, type Timer, toError } from "@kubeloop/controller/base";
import type { ServerState } from "../api_server/mod.ts";

/** The delay between a change and the write, which also covers the changes made meanwhile. */
const DEBOUNCE_MS = 300;

/** Options of a {@linkcode StateKeeper}. */
export interface StateKeeperOptions {
  /** Returns the current state. */
  readonly take: () => ServerState;
  /** Writes a state. */
  readonly write: (state: ServerState) => Promise<void>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Writes the state 300 ms after a change, one write at a time, so that many changes in a row need few writes. */
export class StateKeeper {
  readonly #options: StateKeeperOptions;
  #timer: Timer | undefined;
  #writing: Promise<void> | undefined;
  #changed = false;
  #closed = false;

  /** Creates a keeper, which writes nothing until the first {@linkcode StateKeeper.changed}. */
  constructor(options: StateKeeperOptions) {
    this.#options = options;
  }

  /** Reports a change, so that the state is written. */
  changed(): void {
    this.#changed = true;
    this.#schedule();
  }

  /**
   * Writes the changes so far, if any.
   *
   * @throws The error of the write.
   */
  async save(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing;
    this.#timer?.cancel();
    this.#timer = undefined;
    if (this.#changed) await this.#write();
  }

  /**
   * Writes the last changes, if any, and stops writing.
   *
   * @throws The error of the write.
   */
  async close(): Promise<void> {
    this.#closed = true;
    await this.save();
  }

  #schedule(): void {
    if (this.#closed || this.#timer !== undefined || this.#writing !== undefined) return;
    this.#timer = this.#options.clock.setTimer(() => {
      this.#timer = undefined;
      // The next change or close() retries the write.
      this.#write().catch((error) =>
        this.#options.logger.error("Cannot save the state", toError(error))
      );
    }, DEBOUNCE_MS);
  }

  async #write(): Promise<void> {
    const { take, write } = this.#options;
    this.#changed = false;
    const written = Promise.withResolvers<void>();
    this.#writing = written.promise;
    try {
      await write(take());
    } catch (error) {
      this.#changed = true;
      throw error;
    } finally {
      this.#writing = undefined;
      written.resolve();
    }
    if (this.#changed) this.#schedule();
  }
}
