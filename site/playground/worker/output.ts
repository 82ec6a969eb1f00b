import type { Logger } from "@kubeloop/controller";
import { MAX_LINE_LENGTH, MAX_LINES, type OutputLine } from "../protocol.ts";

/** The last lines that a program has written. */
export class Output {
  readonly #lines: OutputLine[] = [];
  #last = 0;

  /** Adds a line, cut at its maximum length. */
  add(level: OutputLine["level"], text: string): void {
    const cut = text.length > MAX_LINE_LENGTH ? `${text.slice(0, MAX_LINE_LENGTH)} …` : text;
    this.#lines.push({ number: ++this.#last, level, text: cut });
    if (this.#lines.length > MAX_LINES) this.#lines.shift();
  }

  /** Returns the kept lines after the one with that number. */
  after(number: number): readonly OutputLine[] {
    return this.#lines.filter((line) => line.number > number);
  }

  /** Returns a logger that writes here. */
  logger(): Logger {
    const write = (level: OutputLine["level"]) => (message: string, ...more: unknown[]) =>
      this.add(level, [message, ...more].map(shown).join(" "));
    return {
      debug: () => {},
      info: write("info"),
      warn: write("warn"),
      error: write("error"),
    };
  }

  /** Replaces the console of the program. */
  captureConsole(): void {
    const write = (level: OutputLine["level"]) => (...args: unknown[]) =>
      this.add(level, args.map(shown).join(" "));
    Object.assign(globalThis.console, {
      debug: write("debug"),
      log: write("info"),
      info: write("info"),
      warn: write("warn"),
      error: write("error"),
    });
  }
}

/** Returns a value as a console shows it, without the parts that cannot be shown in a line. */
function shown(value: unknown): string {
  if (typeof value === "string") return value;
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  try {
    return JSON.stringify(value, (_, one) => typeof one === "bigint" ? `${one}n` : one) ??
      String(value);
  } catch {
    return Object.prototype.toString.call(value);
  }
}
