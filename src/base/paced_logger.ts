import type { Clock } from "./clock.ts";
import { LineLogger, type LogLevel } from "./line_logger.ts";
import type { Logger } from "./logger.ts";

/** The number of lines in a window of time. */
const MAX_LINES = 10;
const WINDOW_MS = 10_000;

/**
 * Passes on at most ten lines in ten seconds. The next line says how many were left out. For lines about single
 * events: a server can send a million in a second.
 */
export class PacedLogger extends LineLogger {
  readonly #logger: Logger;
  readonly #clock: Clock;
  #windowEndMs = -Infinity;
  #lines = 0;
  #leftOut = 0;

  /** Creates a logger that writes to `logger`. */
  constructor(logger: Logger, clock: Clock) {
    super();
    this.#logger = logger;
    this.#clock = clock;
  }

  /** Writes the line, or counts it as left out. */
  protected override write(level: LogLevel, message: string, args: readonly unknown[]): void {
    const nowMs = this.#clock.now();
    if (nowMs >= this.#windowEndMs) {
      this.#windowEndMs = nowMs + WINDOW_MS;
      this.#lines = 0;
    }
    if (++this.#lines > MAX_LINES) {
      this.#leftOut++;
      return;
    }
    const leftOut = this.#leftOut === 0 ? "" : ` (${this.#leftOut} lines were left out before)`;
    this.#leftOut = 0;
    this.#logger[level](message + leftOut, ...args);
  }
}
