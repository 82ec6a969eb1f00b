import { defaultLogger, type Logger } from "./logger.ts";
import { isPromiseLike } from "./promise_like.ts";

/** Passes lines on to a logger of the user's, and lets nothing come back. */
class SafeLogger implements Logger {
  readonly #logger: Logger;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  debug(message: string, ...args: unknown[]): void {
    this.#write("debug", message, args);
  }

  info(message: string, ...args: unknown[]): void {
    this.#write("info", message, args);
  }

  warn(message: string, ...args: unknown[]): void {
    this.#write("warn", message, args);
  }

  error(message: string, ...args: unknown[]): void {
    this.#write("error", message, args);
  }

  #write(level: keyof Logger, message: string, args: unknown[]): void {
    try {
      const written = this.#logger[level](message, ...args);
      if (isPromiseLike(written)) written.then(undefined, ignore);
    } catch {
      // There is no place left to tell it.
    }
  }
}

function ignore(): void {}

/**
 * A logger that writes to `logger` and never fails: what that one throws, and a promise of its that rejects, are dropped
 * with their line. For whoever has a loop to keep going that a full disk under the log must not end.
 *
 * @param logger Where the lines go. Default: the console.
 * @returns The same again where it is such a logger already.
 */
export function safeLogger(logger: Logger = defaultLogger): Logger {
  return logger instanceof SafeLogger ? logger : new SafeLogger(logger);
}
