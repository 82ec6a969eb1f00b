import { type Cleanup, onAbort } from "../../base/mod.ts";
import type { KubeObject, ObjectReader, WatchEvent } from "../../types/mod.ts";
import type { RequestLocation } from "../request/mod.ts";
import { type ByteLine, ByteLines } from "./byte_lines.ts";
import { EventReader } from "./event_reader.ts";
import { lineBatches, type LineReader, singleLines } from "./line_reader.ts";
import { TextSource } from "./text_source.ts";

/** What a {@linkcode WatchStream} is made of. */
export interface WatchStreamOptions extends RequestLocation {
  /** The answer's body; null is a watch that has ended. */
  readonly body: ReadableStream<Uint8Array> | null;
  /** Ends the watch: iteration then throws `signal.reason`. */
  readonly signal: AbortSignal;
  /** The longest line that is taken, in bytes. */
  readonly maxLineBytes: number;
  /** Called once, when the watch has ended in any way. */
  readonly onClose: Cleanup;
}

const DONE: IteratorReturnResult<undefined> = { done: true, value: undefined };

/**
 * The events of one watch request, in order: an async iterable that can be iterated once.
 *
 * - Iteration ends when the server ends the watch, as it does every few minutes, and throws when it broke.
 * - An ERROR event is thrown as a `StatusError` with its code and reason. So is a line that is no event: code 500,
 *   reason `InternalError`, with a cause `ClientWatchDecoding`.
 * - Bookmarks are events like others.
 * - A last line that was cut off is never taken for data.
 *
 * Leaving a `for await` loop, an abort, an error and the end all let the connection go. A stream that is not iterated must
 * be closed.
 *
 * @typeParam T The interface of the objects.
 *
 * @example
 * ```ts
 * import { Client } from "@kubeloop/controller/client";
 * import { Pods } from "@kubeloop/controller/types";
 * import { assertEquals } from "@std/assert";
 *
 * const line = '{"type":"ADDED","object":{"metadata":{"name":"web","resourceVersion":"7"}}}\n';
 * const client = new Client({ fetch: () => Promise.resolve(new Response(line)) });
 *
 * const seen: string[] = [];
 * for await (const event of await client.watch(Pods, { resourceVersion: "6" })) {
 *   seen.push(event.type);
 * }
 * assertEquals(seen, ["ADDED"]);
 * ```
 */
export class WatchStream<T extends KubeObject = KubeObject>
  implements AsyncIterable<WatchEvent<T>>, AsyncDisposable {
  readonly #location: RequestLocation;
  readonly #signal: AbortSignal;
  readonly #release: Cleanup | undefined;
  readonly #onClose: Cleanup;
  readonly #body: ReadableStream<Uint8Array> | null;
  readonly #maxLineBytes: number;
  /** What reads the body, once it is read; lets it go. */
  #source: { cancel(reason: unknown): Promise<void> } | undefined;
  #closing: Promise<void> | undefined;
  #taken = false;

  /** Made by `Client.watch`. */
  constructor(options: WatchStreamOptions) {
    this.#location = { method: options.method, url: options.url };
    this.#signal = options.signal;
    this.#onClose = options.onClose;
    this.#body = options.body;
    this.#maxLineBytes = options.maxLineBytes;
    this.#release = onAbort(options.signal, () => void this.close());
  }

  /**
   * The events, one at a time.
   *
   * @throws {TypeError} When they have been asked for before.
   */
  [Symbol.asyncIterator](): AsyncIterator<WatchEvent<T>, undefined> {
    return this.#iterate(
      this.#textReader(singleLines),
      (events) => events[0] as WatchEvent<T>,
    );
  }

  /**
   * The events, all at a time that are at hand: for those who handle thousands a second, such as informers.
   *
   * @throws {TypeError} When they have been asked for before.
   */
  batches(): AsyncIterableIterator<readonly WatchEvent<T>[], undefined>;
  /** The events in batches, where `reader` is given the bytes of each first; what it does not understand is parsed. */
  batches<R extends KubeObject>(
    reader: ObjectReader<R>,
  ): AsyncIterableIterator<readonly (WatchEvent<R> | WatchEvent<T>)[], undefined>;
  batches<R extends KubeObject>(
    reader?: ObjectReader<R>,
  ): AsyncIterableIterator<readonly (WatchEvent<R> | WatchEvent<T>)[], undefined> {
    return reader === undefined
      ? this.#iterate(this.#textReader(lineBatches), (events) => events)
      : this.#iterate(this.#byteReader(reader), (events) => events);
  }

  /** Ends the watch and lets the connection go; iteration ends too. May be called at any time, and again. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** {@linkcode WatchStream.close}. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    // Not there yet when the signal had aborted before the stream was made.
    this.#release?.();
    const reason = new DOMException("The watch was closed", "AbortError");
    // A body that has failed already rejects with why; there is nothing left to let go.
    await (this.#source ?? this.#body)?.cancel(reason).catch(() => {});
    this.#onClose();
  }

  #take(): ReadableStream<Uint8Array> | null {
    if (this.#taken) {
      throw new TypeError("Cannot iterate a watch twice: open another with Client.watch()");
    }
    this.#taken = true;
    return this.#body;
  }

  #textReader(
    linesOf: (text: TextSource) => LineReader<string>,
  ): EventReader<T, string> | undefined {
    const body = this.#take();
    if (body === null) return undefined;
    const source = new TextSource(body, this.#maxLineBytes);
    const lines = linesOf(source);
    this.#source = {
      cancel: async (reason) => {
        await source.cancel(reason);
        await lines.cancel(reason);
      },
    };
    return new EventReader({
      lines,
      source,
      textOf: (line) => line,
      eventOf: undefined,
      location: this.#location,
    });
  }

  #byteReader<R extends KubeObject>(
    reader: ObjectReader<R>,
  ): EventReader<T, ByteLine, WatchEvent<R>> | undefined {
    const body = this.#take();
    if (body === null) return undefined;
    const lines = new ByteLines(body, this.#maxLineBytes);
    this.#source = lines;
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    return new EventReader({
      lines,
      source: lines,
      textOf: ({ bytes, start, end }) => decoder.decode(bytes.subarray(start, end)),
      eventOf: ({ bytes, start, end }) => reader.readEvent(bytes, start, end),
      location: this.#location,
    });
  }

  #iterate<E, V>(
    reader: { read(): Promise<E[] | undefined> } | undefined,
    valueOf: (events: readonly E[]) => V,
  ): AsyncIterableIterator<V, undefined> {
    const iterator: AsyncIterableIterator<V, undefined> = {
      next: async () => {
        const events = await this.#next(reader);
        return events === undefined ? DONE : { done: false, value: valueOf(events) };
      },
      return: async () => {
        await this.close();
        return DONE;
      },
      [Symbol.asyncIterator]: () => iterator,
    };
    return iterator;
  }

  /** The next events; undefined when the server or the reader has ended the watch. */
  async #next<E>(
    reader: { read(): Promise<E[] | undefined> } | undefined,
  ): Promise<E[] | undefined> {
    try {
      const events = await reader?.read();
      this.#signal.throwIfAborted();
      if (events !== undefined && this.#closing === undefined) return events;
    } catch (error) {
      await this.close();
      this.#signal.throwIfAborted();
      throw error;
    }
    await this.close();
    return undefined;
  }
}
