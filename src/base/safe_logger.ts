import { defaultLogger, type Logger } from "./logger.ts";
import { isPromiseLike } from "./promise_like.ts";

/** Passes lines to a user's logger and ignores its errors. */
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
      // There is nowhere left to report the error.
    }
  }
}

function ignore(): void {}

/**
 * Returns a logger that writes to `logger` and never fails. If `logger` throws, or returns a promise that rejects, the
 * error is ignored and the line is lost. Loops use it so that, for example, a full disk does not end them.
 *
 * @param logger The logger that receives the lines. Default: {@linkcode defaultLogger}.
 * @returns The wrapped logger, or `logger` itself if it is wrapped already.
 */
export function safeLogger(logger: Logger = defaultLogger): Logger {
  return logger instanceof SafeLogger ? logger : new SafeLogger(logger);
}
