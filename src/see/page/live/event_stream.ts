/** An event of a stream of server-sent events. */
export interface StreamEvent {
  /** The name of the event. Default: `message`. */
  readonly name: string;
  readonly data: string;
}

/** The maximum number of characters of an event that has not ended yet. */
const MAX_PENDING = 16_000_000;

/** Parses a stream of server-sent events, chunk by chunk. */
export class EventStreamParser {
  #rest = "";
  #name = "";
  #data: string[] = [];
  #size = 0;

  /**
   * Returns the events that end in `chunk`.
   *
   * @throws {RangeError} If an event is longer than 16 million characters.
   */
  push(chunk: string): StreamEvent[] {
    const events: StreamEvent[] = [];
    // A carriage return at the end may be the first half of a line break.
    const text = this.#rest + chunk;
    const lines = text.split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop()!;
    for (const line of lines) {
      const event = this.#line(line);
      if (event !== undefined) events.push(event);
    }
    if (this.#rest.length + this.#size > MAX_PENDING) {
      throw new RangeError("An event of the stream is longer than 16 million characters");
    }
    return events;
  }

  #line(line: string): StreamEvent | undefined {
    if (line === "") return this.#end();
    const colon = line.indexOf(":");
    // A comment, such as a heartbeat.
    if (colon === 0) return undefined;
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
    if (field === "event") this.#name = value;
    if (field === "data") {
      this.#data.push(value);
      this.#size += value.length;
    }
    return undefined;
  }

  #end(): StreamEvent | undefined {
    const event = { name: this.#name || "message", data: this.#data.join("\n") };
    const isEmpty = this.#data.length === 0;
    this.#name = "";
    this.#data = [];
    this.#size = 0;
    return isEmpty ? undefined : event;
  }
}
