import { ByteParts, isRecord } from "../../base/mod.ts";
import type { KubeObject, ProtobufReader, WatchEvent } from "../../types/mod.ts";
import { bodyFailed, type ChunkReader, chunkReader, type RequestLocation } from "../request/mod.ts";
import { cancelQuietly } from "./body_lines.ts";
import { watchDecodeError, watchErrorOf } from "./watch_event.ts";

/** The length of a frame precedes it, as four bytes, the highest first. */
const HEADER_BYTES = 4;

/**
 * Reads the events of a watch in Kubernetes' protobuf, in batches of all events that have arrived. Only frames that span
 * several chunks are copied. As in JSON, an incomplete event at the end is dropped.
 */
export class EventFrames<R extends KubeObject> {
  readonly #body: ChunkReader;
  readonly #maxBytes: number;
  readonly #reader: ProtobufReader<R>;
  readonly #location: RequestLocation;
  /** The bytes of an incomplete header, or of a frame whose header is complete. */
  #parts = new ByteParts();
  /** The length of the frame that `#parts` is the beginning of; -1 while its header is incomplete. */
  #length = -1;
  /** The error to throw after the events before it have been returned. */
  #failure: { readonly reason: unknown } | undefined;

  constructor(
    body: ReadableStream<Uint8Array>,
    maxBytes: number,
    reader: ProtobufReader<R>,
    location: RequestLocation,
  ) {
    this.#body = chunkReader(body);
    this.#maxBytes = maxBytes;
    this.#reader = reader;
    this.#location = location;
  }

  /**
   * Reads the next events.
   *
   * @returns At least one event, or undefined at the end of the watch.
   * @throws {StatusError} If a frame is not an event, or is an ERROR event.
   * @throws {Error} If the connection failed.
   */
  async read(): Promise<WatchEvent<R>[] | undefined> {
    while (this.#failure === undefined) {
      const chunk = await this.#next();
      if (chunk === undefined) return undefined;
      const events: WatchEvent<R>[] = [];
      try {
        this.#readChunk(chunk, events);
      } catch (reason) {
        this.#failure = { reason };
      }
      if (events.length > 0) return events;
    }
    throw this.#failure.reason;
  }

  cancel(reason: unknown): Promise<void> {
    return cancelQuietly(this.#body, reason);
  }

  async #next(): Promise<Uint8Array | undefined> {
    try {
      const { done, value } = await this.#body.read();
      return done ? undefined : value;
    } catch (cause) {
      throw bodyFailed("Watch", this.#location, cause);
    }
  }

  #readChunk(chunk: Uint8Array, events: WatchEvent<R>[]): void {
    let at = 0;
    while (at < chunk.length) {
      if (this.#length < 0 && this.#parts.length === 0 && at + HEADER_BYTES <= chunk.length) {
        this.#length = this.#lengthAt(chunk, at);
        at += HEADER_BYTES;
        if (at + this.#length <= chunk.length) {
          at += this.#length;
          events.push(this.#eventIn(chunk, at - this.#length, at));
          this.#length = -1;
          continue;
        }
      }
      at = this.#collect(chunk, at);
      if (this.#parts.length < (this.#length < 0 ? HEADER_BYTES : this.#length)) return;
      const bytes = this.#parts.join();
      this.#parts = new ByteParts();
      if (this.#length < 0) {
        this.#length = this.#lengthAt(bytes, 0);
        if (this.#length > 0) continue;
      }
      events.push(this.#eventIn(bytes, 0, this.#length));
      this.#length = -1;
    }
  }

  /** Adds the part of a chunk that belongs to the incomplete header or frame. Returns the position after it. */
  #collect(chunk: Uint8Array, at: number): number {
    const wanted = this.#length < 0 ? HEADER_BYTES : this.#length;
    const end = Math.min(chunk.length, at + wanted - this.#parts.length);
    if (end > at) this.#parts.push(chunk.subarray(at, end));
    return end;
  }

  #lengthAt(bytes: Uint8Array, at: number): number {
    const length = new DataView(bytes.buffer, bytes.byteOffset + at).getUint32(0);
    if (length <= this.#maxBytes) return length;
    throw watchDecodeError(
      `an event is longer than the maximum of ${this.#maxBytes} bytes`,
      this.#location,
    );
  }

  #eventIn(bytes: Uint8Array, start: number, end: number): WatchEvent<R> {
    const event = this.#reader.readEvent(bytes, start, end);
    if (event === undefined) {
      throw watchDecodeError("a frame is not an event in Kubernetes' protobuf", this.#location);
    }
    if (event.type !== "ERROR") return event;
    const { object } = event;
    throw watchErrorOf(isRecord(object) ? object : {}, this.#location);
  }
}
