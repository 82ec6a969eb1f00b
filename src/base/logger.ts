import { errorText, isError } from "./safe_arguments.ts";

/**
 * The logger that the library writes its log lines to. `console` is one, and so is a logger of `@std/log`.
 *
 * Log lines contain no tokens, keys or passwords. A line is visible text of at most 10,000 characters, with a remark if it was
 * cut. Errors after a line are safe to print: if the message or the stack of one would act on a terminal, forge a line or
 * fill a disk, a copy of the same class follows in its place.
 *
 * @example Prefix every line
 * ```ts
 * import type { Logger } from "@kubeloop/controller";
 *
 * const lines: string[] = [];
 * const logger: Logger = {
 *   debug: () => {},
 *   info: (message) => lines.push(`[kubeloop] ${message}`),
 *   warn: (message) => lines.push(`[kubeloop] ${message}`),
 *   error: (message) => lines.push(`[kubeloop] ${message}`),
 * };
 * logger.warn("watch closed");
 * ```
 */
export interface Logger {
  /** Writes a line for maintainers of the library. */
  debug(message: string, ...args: unknown[]): unknown;
  /** Writes a line for operators. */
  info(message: string, ...args: unknown[]): unknown;
  /** Reports a failure that is retried. */
  warn(message: string, ...args: unknown[]): unknown;
  /** Reports a failure that is not retried, or an error thrown by user code. */
  error(message: string, ...args: unknown[]): unknown;
  /**
   * Returns a logger whose lines have these fields too. A logger without it, such as `console`, gets lines that begin with
   * the names of what they are about. `jsonLogger` has it.
   */
  with?(fields: LogFields): Logger;
}

/** The fields of a log line by name, such as `controller`, `key`, `attempt` and `trace`. */
export type LogFields = Readonly<Record<string, string | number>>;

/** Returns a logger whose lines have these fields, if it can have fields; `logger` itself otherwise. */
export function withFields(logger: Logger, fields: LogFields): Logger {
  return logger.with?.(fields) ?? logger;
}

const nothing = (): void => {};

/** A logger that writes nothing. */
export const silentLogger: Logger = {
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
};

/** Writes a line to the standard output. */
export function printLine(line: string): void {
  globalThis.console.log(line);
}

/** Returns what follows a line, with errors as text that is safe to print on every runtime. */
function shown(args: readonly unknown[]): unknown[] {
  return args.map((arg) => isError(arg) ? errorText(arg) : arg);
}

/**
 * A logger that writes only warnings and errors, to the console: the default where a {@linkcode Logger} is an option.
 */
export const defaultLogger: Logger = {
  debug: nothing,
  info: nothing,
  warn: (message, ...args) => globalThis.console.warn(message, ...shown(args)),
  error: (message, ...args) => globalThis.console.error(message, ...shown(args)),
};
