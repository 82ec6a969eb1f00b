/**
 * What the library writes its log lines to: `console` fits, and so does a logger of `@std/log`.
 *
 * Lines carry no token, key or password.
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
  /** What a maintainer of the library wants to see. */
  debug(message: string, ...args: unknown[]): unknown;
  /** What an operator may want to see. */
  info(message: string, ...args: unknown[]): unknown;
  /** Something failed and is retried. */
  warn(message: string, ...args: unknown[]): unknown;
  /** Something failed and is not retried, or user code threw. */
  error(message: string, ...args: unknown[]): unknown;
}

const nothing = (): void => {};

/** Writes nothing. */
export const silentLogger: Logger = {
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
};

/** Warnings and errors to the console: the default wherever a {@linkcode Logger} is taken. */
export const defaultLogger: Logger = {
  debug: nothing,
  info: nothing,
  warn: (message, ...args) => globalThis.console.warn(message, ...args),
  error: (message, ...args) => globalThis.console.error(message, ...args),
};
