import type { KubeObject, ReadEvent, WatchEvent } from "../../types/mod.ts";
import { bodyFailed, type RequestLocation } from "../request/mod.ts";
import { type ByteLine, type ByteLines, LineTooLongError } from "./byte_lines.ts";
import { decodeWatchEvent, watchDecodeError } from "./watch_event.ts";

/** Reads the events of a watch, in the batches in which the lines arrive. */
export class EventReader<T extends KubeObject, R extends KubeObject = never> {
  readonly #lines: ByteLines<ReadEvent<R>>;
  readonly #location: RequestLocation;
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  /** The error to throw after the events before it have been returned. */
  #failure: { readonly reason: unknown } | undefined;
  #ended = false;

  /** @param location The request, for error messages. */
  constructor(lines: ByteLines<ReadEvent<R>>, location: RequestLocation) {
    this.#lines = lines;
    this.#location = location;
  }

  /**
   * Reads the next events.
   *
   * @returns At least one event, or undefined at the end of the watch.
   * @throws {StatusError} If a line is not an event, or is an ERROR event.
   * @throws {Error} If the connection failed.
   */
  async read(): Promise<(WatchEvent<T> | ReadEvent<R>)[] | undefined> {
    while (!this.#ended) {
      if (this.#failure !== undefined) throw this.#failure.reason;
      const lines = await this.#lines.read();
      if (lines === undefined) {
        if (this.#lines.failure !== undefined) throw this.#brokenBy(this.#lines.failure.reason);
        return undefined;
      }
      const events = await this.#decode(lines);
      if (events.length > 0) return events;
    }
    return undefined;
  }

  async #decode(
    lines: readonly (ByteLine | ReadEvent<R>)[],
  ): Promise<(WatchEvent<T> | ReadEvent<R>)[]> {
    const events: (WatchEvent<T> | ReadEvent<R>)[] = [];
    for (const line of lines) {
      if ("type" in line) {
        events.push(line);
        continue;
      }
      const text = this.#decoder.decode(line.bytes.subarray(line.start, line.end));
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
    const source = this.#lines;
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
