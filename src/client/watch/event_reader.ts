import { describeError } from "../../base/mod.ts";
import type { KubeObject, WatchEvent } from "../../types/mod.ts";
import type { RequestLocation } from "../request/mod.ts";
import { LineTooLongError } from "./body_lines.ts";
import type { LineReader, LineSource } from "./line_reader.ts";
import { decodeWatchEvent, watchDecodeError } from "./watch_event.ts";

/** What an {@linkcode EventReader} reads. */
export interface EventReaderOptions<L, E> {
  /** The lines of the watch. */
  readonly lines: LineReader<L>;
  /** Where they come from, which knows how it ended. */
  readonly source: LineSource;
  /** The text of a line. */
  readonly textOf: (line: L) => string;
  /** Reads a line without its text; what it gives nothing for is decoded. */
  readonly eventOf: ((line: L) => E | undefined) | undefined;
  /** The request, for errors. */
  readonly location: RequestLocation;
}

/** Reads the events of a watch, as many at a time as its lines come in. */
export class EventReader<T extends KubeObject, L, E = never> {
  readonly #lines: LineReader<L>;
  readonly #source: LineSource;
  readonly #textOf: (line: L) => string;
  readonly #eventOf: ((line: L) => E | undefined) | undefined;
  readonly #location: RequestLocation;
  /** What is to be thrown once the events before it have been handed out. */
  #failure: { readonly reason: unknown } | undefined;
  #ended = false;

  constructor(options: EventReaderOptions<L, E>) {
    this.#lines = options.lines;
    this.#source = options.source;
    this.#textOf = options.textOf;
    this.#eventOf = options.eventOf;
    this.#location = options.location;
  }

  /**
   * The next events, at least one; undefined at the end.
   *
   * @throws {StatusError} When a line is no event, or an ERROR event.
   * @throws {Error} When the connection broke.
   */
  async read(): Promise<(WatchEvent<T> | E)[] | undefined> {
    while (!this.#ended) {
      if (this.#failure !== undefined) throw this.#failure.reason;
      const lines = await this.#lines.read();
      if (lines === undefined) {
        if (this.#source.failure !== undefined) throw this.#brokenBy(this.#source.failure.reason);
        return undefined;
      }
      const events = await this.#decode(lines);
      if (events.length > 0) return events;
    }
    return undefined;
  }

  async #decode(lines: readonly L[]): Promise<(WatchEvent<T> | E)[]> {
    const events: (WatchEvent<T> | E)[] = [];
    for (const line of lines) {
      const event = this.#eventOf?.(line);
      if (event !== undefined) {
        events.push(event);
        continue;
      }
      const text = this.#textOf(line);
      if (text.trim() === "") continue;
      try {
        events.push(decodeWatchEvent<T>(text, this.#location));
      } catch (error) {
        if (error instanceof SyntaxError) await this.#notJson(text, error);
        else this.#failure = { reason: error };
        break;
      }
    }
    return events;
  }

  async #notJson(line: string, { message }: SyntaxError): Promise<void> {
    const source = this.#source;
    // What follows the last line break may have been cut off; nothing comes after it.
    const isLast = source.endedInLine && (await this.#lines.read()) === undefined;
    if (isLast && source.failure !== undefined) {
      this.#failure = { reason: this.#brokenBy(source.failure.reason) };
    } else if (isLast && line.startsWith("{")) {
      this.#ended = true;
    } else {
      this.#failure = { reason: watchDecodeError(message, this.#location) };
    }
  }

  #brokenBy(cause: unknown): Error {
    if (cause instanceof LineTooLongError) return watchDecodeError(cause.message, this.#location);
    return new Error(
      `Watch of ${this.#location.url} broke off, connection closed: ${describeError(cause)}`,
      { cause },
    );
  }
}
