import { type Cleanup, onAbort } from "../../base/mod.ts";
import type {
  KubeObject,
  ObjectReader,
  ProtobufReader,
  ReadEvent,
  WatchEvent,
} from "../../types/mod.ts";
import type { RequestLocation } from "../request/mod.ts";
import { type ByteLine, ByteLines } from "./byte_lines.ts";
import { EventFrames } from "./event_frames.ts";
import { EventReader } from "./event_reader.ts";
import { lineBatches, type LineReader, singleLines } from "./line_reader.ts";
import { TextSource } from "./text_source.ts";

/** Options of a {@linkcode WatchStream}. */
export interface WatchStreamOptions extends RequestLocation {
  /** The body of the response. Null means that the watch has ended. */
  readonly body: ReadableStream<Uint8Array> | null;
  /** Ends the watch. Iteration then throws `signal.reason`. */
  readonly signal: AbortSignal;
  /** The maximum length of a line, in bytes. */
  readonly maxLineBytes: number;
  /** Whether the body is in Kubernetes' protobuf. */
  readonly isProtobuf: boolean;
  /** Called once when the watch ends, for whatever reason. */
  readonly onClose: Cleanup;
}

const DONE: IteratorReturnResult<undefined> = { done: true, value: undefined };

/**
 * The events of one watch request, in order. The stream is an async iterable that can be iterated once.
 *
 * - Iteration ends when the server ends the watch, usually after some minutes. It throws if the connection fails.
 * - An ERROR event is thrown as a `StatusError` with the code and reason of the event. A line that is not an event is
 *   thrown as a `StatusError` with code 500, reason `InternalError` and a cause `ClientWatchDecoding`.
 * - Bookmarks are delivered like other events.
 * - An incomplete last line is never delivered as an event.
 *
 * The connection is released when a `for await` loop is left, after an abort, after an error, and at the end of the
 * watch. A stream that is not iterated must be closed.
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
  readonly #isProtobuf: boolean;
  /** The reader of the body, set when iteration starts. */
  #source: { cancel(reason: unknown): Promise<void> } | undefined;
  #closing: Promise<void> | undefined;
  #taken = false;

  /** Creates the stream of a watch. Use `Client.watch` instead. */
  constructor(options: WatchStreamOptions) {
    const { method, url, redact } = options;
    this.#location = { method, url, redact };
    this.#signal = options.signal;
    this.#onClose = options.onClose;
    this.#body = options.body;
    this.#maxLineBytes = options.maxLineBytes;
    this.#isProtobuf = options.isProtobuf;
    this.#release = onAbort(options.signal, () => void this.close());
  }

  /**
   * Returns an iterator of the events.
   *
   * @throws {TypeError} If the stream has been iterated before.
   */
  [Symbol.asyncIterator](): AsyncIterator<WatchEvent<T>, undefined> {
    return this.#iterate(
      this.#textReader(singleLines),
      (events) => events[0] as WatchEvent<T>,
    );
  }

  /**
   * Returns the events in batches of all events that have arrived. This is for readers of thousands of events per
   * second, such as informers.
   *
   * @throws {TypeError} If the stream has been iterated before.
   */
  batches(): AsyncIterableIterator<readonly WatchEvent<T>[], undefined>;
  /**
   * Returns the events in batches, read by `reader` from their bytes. Lines that `reader` cannot read are parsed as
   * JSON. If the server answers in protobuf, `protobuf` reads them.
   */
  batches<R extends KubeObject>(
    reader: ObjectReader<R>,
    protobuf?: ProtobufReader<R> | undefined,
  ): AsyncIterableIterator<readonly (WatchEvent<R> | WatchEvent<T>)[], undefined>;
  batches<R extends KubeObject>(
    reader?: ObjectReader<R>,
    protobuf?: ProtobufReader<R> | undefined,
  ): AsyncIterableIterator<readonly (WatchEvent<R> | WatchEvent<T>)[], undefined> {
    if (protobuf !== undefined && this.#isProtobuf) {
      return this.#iterate(this.#frameReader(protobuf), (events) => events);
    }
    return reader === undefined
      ? this.#iterate(this.#textReader(lineBatches), (events) => events)
      : this.#iterate(this.#byteReader(reader), (events) => events);
  }

  /** Ends the watch and its iteration, and releases the connection. It may be called at any time and repeatedly. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** Closes the watch: {@linkcode WatchStream.close}. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    // Not set yet if the signal has already aborted: onAbort() then calls close() before it returns.
    this.#release?.();
    const reason = new DOMException("The watch was closed", "AbortError");
    // cancel() of a failed body rejects with the reason of the failure. There is nothing left to release.
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
    return new EventReader<T, string>({
      lines,
      source,
      textOf: (line) => line,
      location: this.#location,
    });
  }

  #byteReader<R extends KubeObject>(
    reader: ObjectReader<R>,
  ): EventReader<T, ByteLine, ReadEvent<R>> | undefined {
    const body = this.#take();
    if (body === null) return undefined;
    const lines = new ByteLines(
      body,
      this.#maxLineBytes,
      (bytes, start, end) => reader.readEvent(bytes, start, end),
    );
    this.#source = lines;
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    return new EventReader<T, ByteLine, ReadEvent<R>>({
      lines,
      source: lines,
      textOf: ({ bytes, start, end }) => decoder.decode(bytes.subarray(start, end)),
      isEvent,
      location: this.#location,
    });
  }

  #frameReader<R extends KubeObject>(reader: ProtobufReader<R>): EventFrames<R> | undefined {
    const body = this.#take();
    if (body === null) return undefined;
    const frames = new EventFrames<R>(body, this.#maxLineBytes, reader, this.#location);
    this.#source = frames;
    return frames;
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

  /** Returns the next events, or undefined if the server has ended the watch or the watch was closed. */
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

function isEvent<R extends KubeObject>(line: ByteLine | ReadEvent<R>): line is ReadEvent<R> {
  return "type" in line;
}
