import { type Clock, visibleText } from "@kubeloop/controller/internal/base";
import { cutText } from "./text_width.ts";

/** The longest line before it is cut to the width of the terminal, in characters. */
const MAX_LINE = 500;

/** The shortest time between two pictures, in milliseconds: work of thousands of steps must not wait for the terminal. */
const PACE_MS = 100;

/** Where text goes: a terminal, or a file or a pipe. */
export interface Screen {
  /** Whether it is a terminal. */
  readonly isTerminal: boolean;
  /** The width of the terminal, in characters. */
  readonly columns: number;
}

/** Where progress is drawn. */
export interface ProgressHost {
  readonly clock: Clock;
  readonly stderr: Screen;
  /** Writes to standard error. */
  readonly draw: (text: string) => void;
}

/** One line on standard error that says how far long work is. There is none if standard error is no terminal. */
export class Progress {
  readonly #host: ProgressHost;
  #drawn = false;
  #lastMs = -Infinity;

  constructor(host: ProgressHost) {
    this.#host = host;
  }

  /** Shows how far the work is, unless it was shown just before. */
  show(line: string): void {
    const { clock, stderr } = this.#host;
    if (!stderr.isTerminal || clock.now() - this.#lastMs < PACE_MS) return;
    this.#lastMs = clock.now();
    this.#drawn = true;
    // The last column stays free: a terminal may begin a new line after it.
    const shown = cutText(visibleText(line, MAX_LINE), Math.max(1, stderr.columns - 1));
    this.#host.draw(`\r\u001b[K${shown}`);
  }

  /** Removes the line, before something else is written, and at the end. */
  clear(): void {
    if (!this.#drawn) return;
    this.#drawn = false;
    this.#lastMs = -Infinity;
    this.#host.draw("\r\u001b[K");
  }
}
