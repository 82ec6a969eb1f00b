import { LineLogger, type LogLevel } from "../../src/base/mod.ts";

/** Records log lines with their level, except those of the level `debug`. */
export class RecordingLogger extends LineLogger {
  /** The lines, such as `warn pods: …`. */
  readonly lines: string[] = [];
  /** The additional arguments of the lines that have any. */
  readonly args: (readonly unknown[])[] = [];

  /** Returns the lines of one level, without the level. */
  of(level: LogLevel): string[] {
    const prefix = `${level} `;
    return this.lines.filter((line) => line.startsWith(prefix))
      .map((line) => line.slice(prefix.length));
  }

  protected override write(level: LogLevel, message: string, args: readonly unknown[]): void {
    if (level === "debug") return;
    this.lines.push(`${level} ${message}`);
    if (args.length > 0) this.args.push(args);
  }
}
