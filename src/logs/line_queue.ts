import { RingBuffer, Waiters } from "../base/mod.ts";

/** A line of one of several logs. */
export interface FollowedLine {
  /** The name of the Pod. */
  readonly pod: string;
  /** The namespace of the Pod. */
  readonly namespace: string;
  /** The name of the container. */
  readonly container: string;
  /** The line, without its time. */
  readonly line: string;
  /** The time at which the container wrote the line, in RFC 3339 with nanoseconds. */
  readonly time: string;
}

/** The number of lines that wait for the reader. Logs are read no further while there are as many. */
const MAX_WAITING = 1_000;

/** The same limit in characters: a line may have a million of them. */
const MAX_CHARACTERS = 8 * 1024 * 1024;

/** The lines of many logs on their way to one reader. */
export class LineQueue {
  readonly #lines = new RingBuffer<FollowedLine>();
  readonly #readers = new Waiters();
  readonly #writers = new Waiters();
  #characters = 0;
  #end: { readonly error?: unknown } | undefined;

  /** Adds a line, when there is room. */
  async put(line: FollowedLine, signal: AbortSignal): Promise<void> {
    while (this.#lines.length >= MAX_WAITING || this.#characters >= MAX_CHARACTERS) {
      await this.#writers.wait(signal);
    }
    signal.throwIfAborted();
    this.#lines.push(line);
    this.#characters += line.line.length;
    this.#readers.wakeAll();
  }

  /**
   * Takes the next line; undefined at the end.
   *
   * @throws The error of {@linkcode LineQueue.end}, once, after the lines before it.
   */
  async take(): Promise<FollowedLine | undefined> {
    while (this.#lines.length === 0) {
      if (this.#end !== undefined) {
        const end = this.#end;
        this.#end = {};
        if ("error" in end) throw end.error;
        return undefined;
      }
      await this.#readers.wait();
    }
    const line = this.#lines.shift();
    this.#characters -= line?.line.length ?? 0;
    this.#writers.wakeAll();
    return line;
  }

  /** Ends the queue. Only the first call counts. */
  end(end: { readonly error?: unknown } = {}): void {
    this.#end ??= end;
    this.#readers.wakeAll();
  }

  /** Drops the lines that wait. */
  clear(): void {
    this.#lines.clear();
    this.#characters = 0;
  }
}
