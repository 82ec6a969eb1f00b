import { abortable, type Cleanup, onAbort, RingBuffer } from "../../base/mod.ts";
import { bodyFailed, type OpenAnswer } from "../request/mod.ts";
import { type LogLine, LogLines } from "./log_lines.ts";

/** Options of a {@linkcode LogStream}. */
export interface LogStreamOptions {
  /** Makes the request. Called when the first line is wanted. */
  readonly open: (signal: AbortSignal) => Promise<OpenAnswer>;
  /** The longest line, in bytes. */
  readonly maxLineBytes: number;
  /** Whether the log is followed, so that it may be silent. */
  readonly follow: boolean;
}

const DONE: IteratorReturnResult<undefined> = { done: true, value: undefined };

/**
 * The lines of one log, in order, without their line breaks, `\n` or `\r\n`. It can be iterated once, and makes its
 * request when the iteration begins.
 *
 * - Iteration ends when the log ends: with `follow`, when the container has ended.
 * - It throws a `StatusError` if the server refuses the request, as in
 *   `container "web" in pod "web-0" is waiting to start: ContainerCreating`, and an `Error` if the connection breaks.
 *   The beginning of a line before that is not delivered.
 * - The text after the last line break is a line too. An empty line is an empty string. Bytes that are not UTF-8 become
 *   U+FFFD. A line that is longer than `maxLineBytes` comes in several parts.
 * - The client reads no faster than the lines are taken.
 *
 * A log that is followed may be silent for hours, and is not ended for it. Of another one, the next part must come
 * within 90 s: a `TimeoutError` says that it has not. The connection is released when a `for await`
 * loop is left, after an abort, after an error, and at the end of the log.
 *
 * @example
 * ```ts
 * import { Client } from "@kubeloop/controller/client";
 * import { assertEquals } from "@std/assert";
 *
 * await using client = new Client({ fetch: () => Promise.resolve(new Response("one\ntwo\n")) });
 * const lines: string[] = [];
 * for await (const line of client.logs("web", { namespace: "default" })) lines.push(line);
 * assertEquals(lines, ["one", "two"]);
 * ```
 */
export class LogStream implements AsyncIterableIterator<string, undefined>, AsyncDisposable {
  readonly #options: LogStreamOptions;
  readonly #lines = new RingBuffer<LogLine>();
  readonly #stop = new AbortController();
  #answer: OpenAnswer | undefined;
  #source: LogLines | undefined;
  #unlisten: Cleanup = () => {};
  #opening: Promise<void> | undefined;
  /** The read that is under way. */
  #filling: Promise<void> | undefined;
  /** The error that the next call throws. */
  #failure: { readonly reason: unknown } | undefined;
  #isClosed = false;

  /** Creates the stream of a log. Use `Client.logs` instead. */
  constructor(options: LogStreamOptions) {
    this.#options = options;
  }

  /** Returns the next line. */
  async next(): Promise<IteratorResult<string, undefined>> {
    const line = await this.nextLine();
    return line === undefined ? DONE : { done: false, value: line.text };
  }

  /**
   * Returns the next line, and whether it is whole: for readers that have to know.
   *
   * @returns The line, or undefined at the end of the log.
   * @throws What the iteration throws.
   */
  async nextLine(): Promise<LogLine | undefined> {
    while (this.#lines.length === 0 && !this.#isClosed && this.#failure === undefined) {
      this.#filling ??= this.#fill().finally(() => this.#filling = undefined);
      await this.#filling;
    }
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure !== undefined) throw failure.reason;
    return this.#lines.shift();
  }

  /**
   * Makes the request now, unless that was done before.
   *
   * @returns A promise that resolves when the server has accepted the request, or when the log was closed.
   * @throws What the iteration would throw.
   */
  open(): Promise<void> {
    this.#opening ??= this.#open();
    return this.#opening;
  }

  /** Ends the iteration, and releases the connection. */
  async return(): Promise<IteratorReturnResult<undefined>> {
    await this.close();
    return DONE;
  }

  /** Ends the log and its iteration, and releases the connection. It may be called at any time and repeatedly. */
  close(): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    this.#isClosed = true;
    this.#unlisten();
    this.#lines.clear();
    const reason = new DOMException("The log was closed", "AbortError");
    // Not awaited: a body may never confirm it.
    void this.#source?.cancel(reason);
    this.#stop.abort(reason);
    this.#answer?.release();
    return Promise.resolve();
  }

  /** Closes the log: {@linkcode LogStream.close}. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Returns the stream itself. */
  [Symbol.asyncIterator](): this {
    return this;
  }

  async #open(): Promise<void> {
    if (this.#isClosed) return;
    try {
      const answer = await this.#options.open(this.#stop.signal);
      const { body } = answer.response;
      if (this.#isClosed) {
        answer.release();
        return await body?.cancel();
      }
      this.#answer = answer;
      if (body === null) return await this.close();
      this.#source = new LogLines(body, this.#options.maxLineBytes);
      this.#unlisten = onAbort(answer.signal, (reason) => this.#fail(reason));
    } catch (error) {
      if (this.#isClosed) return;
      await this.close();
      throw error;
    }
  }

  async #fill(): Promise<void> {
    await this.open();
    const [source, answer] = [this.#source, this.#answer];
    if (source === undefined || answer === undefined || this.#isClosed) return;
    const limit = this.#options.follow ? undefined : answer.limit;
    try {
      limit?.start();
      // A body may ignore the signal.
      const lines = await abortable(source.read(), answer.signal);
      if (this.#isClosed) return;
      if (lines === undefined) return await this.close();
      for (const line of lines) this.#lines.push(line);
    } catch (error) {
      if (!this.#isClosed) this.#fail(bodyFailed("Log", answer, error));
    } finally {
      limit?.pause();
    }
  }

  #fail(reason: unknown): void {
    this.#failure = { reason };
    void this.close();
  }
}
