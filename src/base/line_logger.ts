import type { Logger } from "./logger.ts";

/** The level of a line. */
export type LogLevel = "debug" | "info" | "warn" | "error";

/** The base class of loggers that do the same with the lines of all levels: a subclass has one method, `write`. */
export abstract class LineLogger implements Logger {
  debug(message: string, ...args: unknown[]): void {
    this.write("debug", message, args);
  }

  info(message: string, ...args: unknown[]): void {
    this.write("info", message, args);
  }

  warn(message: string, ...args: unknown[]): void {
    this.write("warn", message, args);
  }

  error(message: string, ...args: unknown[]): void {
    this.write("error", message, args);
  }

  /** Writes a line of any level. */
  protected abstract write(level: LogLevel, message: string, args: readonly unknown[]): void;
}
