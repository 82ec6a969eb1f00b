import { type Clock, visibleText } from "@kubeloop/controller/internal/base";
import { cutText } from "./text_width.ts";

/** The maximum length of a line before it is cut to the width of the terminal, in characters. */
const MAX_LINE = 500;

/** The minimum time between two updates, in milliseconds, so that fast work does not wait for the terminal. */
const PACE_MS = 100;

/** An output: a terminal, a file or a pipe. */
export interface Screen {
  /** Whether the output is a terminal. */
  readonly isTerminal: boolean;
  /** The width of the terminal, in characters. */
  readonly columns: number;
}

/** The clock and the output of a {@linkcode Progress}. */
export interface ProgressHost {
  readonly clock: Clock;
  readonly stderr: Screen;
  /** Writes to standard error. */
  readonly draw: (text: string) => void;
}

/** A line on standard error with the progress of long work. Without a terminal, nothing is shown. */
export class Progress {
  readonly #host: ProgressHost;
  #drawn = false;
  #lastMs = -Infinity;

  constructor(host: ProgressHost) {
    this.#host = host;
  }

  /** Shows a line, unless the last one was shown less than 100 ms ago. */
  show(line: string): void {
    const { clock, stderr } = this.#host;
    if (!stderr.isTerminal || clock.now() - this.#lastMs < PACE_MS) return;
    this.#lastMs = clock.now();
    this.#drawn = true;
    // Leave the last column free, because some terminals wrap after it.
    const shown = cutText(visibleText(line, MAX_LINE), Math.max(1, stderr.columns - 1));
    this.#host.draw(`\r\u001b[K${shown}`);
  }

  /** Removes the line. Called before other output, and at the end. */
  clear(): void {
    if (!this.#drawn) return;
    this.#drawn = false;
    this.#lastMs = -Infinity;
    this.#host.draw("\r\u001b[K");
  }
}
