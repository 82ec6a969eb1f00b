import type { Logger } from "../../src/base/mod.ts";

/** Records log lines with their level, except those of the level `debug`. */
export class RecordingLogger implements Logger {
  /** The lines, such as `warn pods: …`. */
  readonly lines: string[] = [];
  /** The additional arguments of the lines that have any. */
  readonly args: unknown[][] = [];

  debug(): void {}

  info(message: string, ...args: unknown[]): void {
    this.#write("info", message, args);
  }

  warn(message: string, ...args: unknown[]): void {
    this.#write("warn", message, args);
  }

  error(message: string, ...args: unknown[]): void {
    this.#write("error", message, args);
  }

  /** Returns the lines of one level, without the level. */
  of(level: keyof Logger): string[] {
    const prefix = `${level} `;
    return this.lines.filter((line) => line.startsWith(prefix))
      .map((line) => line.slice(prefix.length));
  }

  #write(level: keyof Logger, message: string, args: unknown[]): void {
    this.lines.push(`${level} ${message}`);
    if (args.length > 0) this.args.push(args);
  }
}
