import { LineLogger, type LogLevel } from "./line_logger.ts";
import { defaultLogger, type LogFields, type Logger } from "./logger.ts";
import { isPromiseLike } from "./promise_like.ts";
import { isError, safeArguments } from "./safe_arguments.ts";
import { visibleText } from "./visible_text.ts";

/** The longest line, in characters. Names, URLs and messages of a server fit into it many times. */
const MAX_LINE_LENGTH = 10_000;

/** The longest value of a field, in characters. */
const MAX_FIELD_LENGTH = 1_000;

/** Replaces what must not be in a log line or after it, such as a token that a server has repeated. */
export type Redact = (text: string) => string;

/** Passes lines to a user's logger and ignores its errors. */
class SafeLogger extends LineLogger {
  readonly redact: Redact;
  readonly #logger: Logger;

  constructor(logger: Logger, redact: Redact) {
    super();
    this.#logger = logger;
    this.redact = redact;
  }

  /** Returns a logger that applies `redact` too. */
  redactingToo(redact: Redact): SafeLogger {
    return new SafeLogger(this.#logger, (text) => redact(this.redact(text)));
  }

  /** Returns a logger with fields, if the user's logger has them. A logger that fails then has none. */
  with(fields: LogFields): Logger {
    try {
      const own: unknown = this.#logger.with?.(this.#safeFields(fields));
      return isLogger(own) ? new SafeLogger(own, this.redact) : this;
    } catch {
      return this;
    }
  }

  #safeFields(fields: LogFields): LogFields {
    return Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [
        name,
        typeof value === "string" ? visibleText(this.redact(value), MAX_FIELD_LENGTH) : value,
      ]),
    );
  }

  /** Whether the user's logger keeps the line and its fields apart. */
  get hasFields(): boolean {
    return typeof this.#logger.with === "function";
  }

  protected override write(level: LogLevel, message: string, args: readonly unknown[]): void {
    try {
      const line = visibleText(this.redact(message), MAX_LINE_LENGTH);
      const more = safeArguments(args, this.redact);
      const isFormat = more.length > 0 && more.every(isError) && !this.hasFields;
      const text = isFormat ? withoutDirectives(line) : line;
      const written = this.#logger[level](text, ...more);
      if (isPromiseLike(written)) written.then(undefined, ignore);
    } catch {
      // There is nowhere left to report the error.
    }
  }
}

/** Reports whether a user's function has returned a logger. */
function isLogger(value: unknown): value is Logger {
  return typeof (value as Partial<Logger> | null | undefined)?.info === "function";
}

/** Reports whether the lines of a logger have fields, so that they need not begin with the names of what they are about. */
export function hasFields(logger: Logger): boolean {
  return logger instanceof SafeLogger ? logger.hasFields : typeof logger.with === "function";
}

function ignore(): void {}

/**
 * Returns a line that consoles and loggers show as `line` if arguments follow, which makes them take it as a format: a name
 * with `%c` in it would swallow the error after the line.
 */
function withoutDirectives(line: string): string {
  return line.replace(/%(?=[%cdfijoOs])/g, "%%");
}

function unchanged(text: string): string {
  return text;
}

/**
 * Returns a logger that writes to `logger` and never fails. If `logger` throws, or returns a promise that rejects, the
 * error is ignored and the line is lost. Loops use it so that, for example, a full disk does not end them.
 *
 * All lines of the library pass through it: it makes each a single, visible line of bounded length
 * ({@linkcode visibleText}), since names and messages of a server are in many of them, and the arguments after it as well
 * ({@linkcode safeArguments}). If only errors follow a line, its percent signs are
 * shown, and do not format anything.
 *
 * @param logger The logger that receives the lines. Default: {@linkcode defaultLogger}.
 * @param redact Applied to each line and to the texts after it. Default: nothing is replaced, unless `logger` already redacts.
 * @returns The wrapped logger, or `logger` itself if it is wrapped already.
 */
export function safeLogger(logger: Logger = defaultLogger, redact: Redact = unchanged): Logger {
  if (!(logger instanceof SafeLogger)) return new SafeLogger(logger, redact);
  return redact === unchanged ? logger : logger.redactingToo(redact);
}

/** Returns what `logger` applies to its lines, for other text that people see. */
export function redactOf(logger: Logger): Redact {
  return logger instanceof SafeLogger ? logger.redact : unchanged;
}

/** Returns `own` as a logger that redacts its lines as `inherited` does. */
export function redactingLike(inherited: Logger | undefined, own: Logger): Logger {
  return inherited instanceof SafeLogger ? safeLogger(own, inherited.redact) : own;
}
