import { type Clock, type Logger, type Timer, toError } from "@kubeloop/controller/base";
import type { ServerState } from "../api_server/mod.ts";

/** How long a change may wait for others before they are written together. */
const DEBOUNCE_MS = 300;

/** What a {@linkcode StateKeeper} works with. */
export interface StateKeeperOptions {
  /** Takes the present state. */
  readonly take: () => ServerState;
  /** Writes a state. */
  readonly write: (state: ServerState) => Promise<void>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Writes the state some time after a change, one write at a time, so that a flood of changes costs few writes. */
export class StateKeeper {
  readonly #options: StateKeeperOptions;
  #timer: Timer | undefined;
  #writing: Promise<void> | undefined;
  #changed = false;
  #closed = false;

  /** A keeper that has seen no change yet. */
  constructor(options: StateKeeperOptions) {
    this.#options = options;
  }

  /** Notes that there is something to write. */
  changed(): void {
    this.#changed = true;
    this.#schedule();
  }

  /**
   * Writes what is not written yet, and nothing from then on.
   *
   * @throws What the write threw.
   */
  async close(): Promise<void> {
    this.#closed = true;
    this.#timer?.cancel();
    await this.#writing;
    if (this.#changed) await this.#write();
  }

  #schedule(): void {
    if (this.#closed || this.#timer !== undefined || this.#writing !== undefined) return;
    this.#timer = this.#options.clock.setTimer(() => {
      this.#timer = undefined;
      this.#writing = this.#save();
    }, DEBOUNCE_MS);
  }

  async #save(): Promise<void> {
    try {
      await this.#write();
    } catch (error) {
      this.#writing = undefined;
      // The next change, or the end of the program, tries again.
      this.#options.logger.error("Cannot save the state", toError(error));
      return;
    }
    this.#writing = undefined;
    if (this.#changed) this.#schedule();
  }

  async #write(): Promise<void> {
    const { take, write } = this.#options;
    this.#changed = false;
    try {
      await write(take());
    } catch (error) {
      this.#changed = true;
      throw error;
    }
  }
}
