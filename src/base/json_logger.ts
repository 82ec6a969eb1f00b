import { type Clock, realClock } from "./clock.ts";
import { describeError } from "./errors.ts";
import { LineLogger, type LogLevel } from "./line_logger.ts";
import { type LogFields, type Logger, printLine } from "./logger.ts";
import {
  ENVIRONMENT_CHECKS,
  isFunction,
  isOneOf,
  type OptionChecks,
  requireOptions,
} from "./options.ts";
import { isError } from "./safe_arguments.ts";
import { visibleJson } from "./visible_text.ts";

const LEVELS: readonly LogLevel[] = ["debug", "info", "warn", "error"];

/** Options of {@linkcode jsonLogger}. */
export interface JsonLoggerOptions {
  /** The lowest level that is written. Default `info`. */
  readonly level?: LogLevel | undefined;
  /** Receives each line, without a line break. Default: writes to the console's standard output. */
  readonly write?: ((line: string) => unknown) | undefined;
  /** The clock of the times. Default: the real clock. */
  readonly clock?: Clock | undefined;
}

const CHECKS: OptionChecks<JsonLoggerOptions> = {
  level: isOneOf("debug", "info", "warn", "error"),
  write: isFunction,
  clock: ENVIRONMENT_CHECKS.clock,
};

/**
 * Returns a logger that writes each line as a JSON object: `time` (RFC 3339), `level`, `msg`, the fields of the line, and
 * `error` and `stack` of an error after it. The lines about a reconcile have the fields `controller`, `key`, `attempt`, and,
 * with the `tracer` of a manager, `trace`, the id of its trace.
 *
 * @param options The level, the output and the clock.
 * @returns The logger, for the option `logger` of a client or a manager.
 * @throws {TypeError} If an option is unknown or of another type.
 *
 * @example
 * ```ts
 * import { jsonLogger } from "@kubeloop/controller/base";
 * import { VirtualClock } from "@kubeloop/testing";
 * import { assertEquals } from "@std/assert";
 *
 * const lines: string[] = [];
 * const logger = jsonLogger({ clock: new VirtualClock(), write: (line) => lines.push(line) });
 * logger.with?.({ controller: "widgets", key: "default/web" }).info("it is ready");
 * assertEquals(lines, [
 *   '{"time":"2026-01-01T00:00:00.000Z","level":"info","msg":"it is ready","controller":"widgets","key":"default/web"}',
 * ]);
 * ```
 */
export function jsonLogger(options: JsonLoggerOptions = {}): Logger {
  requireOptions("jsonLogger()", options, CHECKS);
  const { clock = realClock, level = "info", write = printLine } = options;
  return new JsonLogger({ clock, write, from: LEVELS.indexOf(level) }, {});
}

/** The parts that a logger shares with the loggers of its fields. */
interface Output {
  readonly clock: Clock;
  readonly write: (line: string) => unknown;
  /** The index of the lowest level that is written. */
  readonly from: number;
}

class JsonLogger extends LineLogger {
  readonly #output: Output;
  readonly #fields: LogFields;

  constructor(output: Output, fields: LogFields) {
    super();
    this.#output = output;
    this.#fields = fields;
  }

  with(fields: LogFields): Logger {
    return new JsonLogger(this.#output, { ...this.#fields, ...fields });
  }

  protected override write(level: LogLevel, message: string, args: readonly unknown[]): void {
    const { clock, from, write } = this.#output;
    if (LEVELS.indexOf(level) < from) return;
    const error = args.find(isError);
    const others = args.filter((arg) => arg !== error);
    const line = {
      time: new Date(clock.wallNow()).toISOString(),
      level,
      msg: message,
      ...this.#fields,
      ...(error !== undefined && { error: describeError(error), stack: error.stack }),
      ...(others.length > 0 && { args: others }),
    };
    write(visibleJson(jsonOf(line)));
  }
}

/** Returns a value as JSON. A value that JSON cannot express, such as a cycle, is left out. */
function jsonOf(line: Readonly<Record<string, unknown>>): string {
  try {
    return JSON.stringify(line);
  } catch {
    return JSON.stringify({ ...line, args: "(values that JSON cannot express)" });
  }
}
