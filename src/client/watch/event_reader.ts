import type { KubeObject, WatchEvent } from "../../types/mod.ts";
import { bodyFailed, type RequestLocation } from "../request/mod.ts";
import { LineTooLongError } from "./body_lines.ts";
import type { LineReader, LineSource } from "./line_reader.ts";
import { decodeWatchEvent, watchDecodeError } from "./watch_event.ts";

/** Options of an {@linkcode EventReader}. */
export interface EventReaderOptions<L, E> {
  /** The lines of the watch, and events that were read from them. */
  readonly lines: LineReader<L | E>;
  /** The source of the lines, which records how it ended. */
  readonly source: LineSource;
  /** Returns the text of a line. */
  readonly textOf: (line: L) => string;
  /** Tells events from lines, whose text is parsed as JSON. Default: all are lines. */
  readonly isEvent?: (line: L | E) => line is E;
  /** The request, for error messages. */
  readonly location: RequestLocation;
}

/** Reads the events of a watch, in the batches in which the lines arrive. */
export class EventReader<T extends KubeObject, L, E = never> {
  readonly #lines: LineReader<L | E>;
  readonly #source: LineSource;
  readonly #textOf: (line: L) => string;
  readonly #isEvent: ((line: L | E) => line is E) | undefined;
  readonly #location: RequestLocation;
  /** The error to throw after the events before it have been returned. */
  #failure: { readonly reason: unknown } | undefined;
  #ended = false;

  constructor(options: EventReaderOptions<L, E>) {
    this.#lines = options.lines;
    this.#source = options.source;
    this.#textOf = options.textOf;
    this.#isEvent = options.isEvent;
    this.#location = options.location;
  }

  /**
   * Reads the next events.
   *
   * @returns At least one event, or undefined at the end of the watch.
   * @throws {StatusError} If a line is not an event, or is an ERROR event.
   * @throws {Error} If the connection failed.
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

  async #decode(lines: readonly (L | E)[]): Promise<(WatchEvent<T> | E)[]> {
    const events: (WatchEvent<T> | E)[] = [];
    for (const line of lines) {
      if (this.#isEvent?.(line)) {
        events.push(line);
        continue;
      }
      const text = this.#textOf(line as L);
      if (text.trim() === "") continue;
      try {
        events.push(decodeWatchEvent<T>(text, this.#location, this.#lines.mayHaveBigInteger));
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
    // A line without a line break at the end of the body may be incomplete.
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
    return bodyFailed("Watch", this.#location, cause);
  }
}
