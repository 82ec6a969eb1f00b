import { Buffer } from "node:buffer";
import type { Slab } from "./slab.ts";

/** About how many bytes a watch is given at a time: whole events, as an API server flushes them under load. */
const CHUNK_BYTES = 64 * 1024;

/** What stands for the send time, of 16 digits, until an event is sent. */
export const NOT_SENT = "0000000000000000";

/**
 * One serialised event per Pod, sent over and over with the next resource version in it. What is done while a client is
 * being measured is copying and writing digits, which costs less than a tenth of what the cheapest client does.
 */
export class EventFrames {
  readonly #slab: Slab;
  readonly #firstVersion: number;
  /** Where in each frame the resource version and the send time are. */
  readonly #versionAt: Uint32Array;
  readonly #sentAtAt: Uint32Array;

  /** Frame `i` must hold, as text, the version `firstVersion` + i and {@linkcode NOT_SENT}. */
  constructor(frames: Slab, firstVersion: number) {
    this.#slab = frames;
    this.#firstVersion = firstVersion;
    this.#versionAt = new Uint32Array(frames.count);
    this.#sentAtAt = new Uint32Array(frames.count);
    for (let i = 0; i < frames.count; i++) {
      const frame = Buffer.from(frames.view(i, i + 1).buffer, frames.start(i), lengthOf(frames, i));
      this.#versionAt[i] = requireFound(frame.indexOf(`${firstVersion + i}`), i);
      this.#sentAtAt[i] = requireFound(frame.indexOf(NOT_SENT), i);
    }
  }

  /** How many events, from number `from` on and before number `to`, go into one chunk. */
  chunkEnd(from: number, to: number): number {
    const { count } = this.#slab;
    const first = from % count;
    const most = Math.min(count, first + to - from);
    const limit = this.#slab.start(first) + CHUNK_BYTES;
    let end = first + 1;
    while (end < most && this.#slab.start(end + 1) <= limit) end++;
    return from + end - first;
  }

  /** The events `from` … `to` - 1, as {@linkcode EventFrames.chunkEnd} has cut them. */
  chunk(from: number, to: number, sentAtUs: (event: number) => number): Uint8Array<ArrayBuffer> {
    const { count } = this.#slab;
    const first = from % count;
    const end = first + to - from;
    const base = this.#slab.start(first);
    const bytes = this.#slab.view(first, end).slice();
    for (let i = first; i < end; i++) {
      const event = from + i - first;
      const at = this.#slab.start(i) - base;
      writeDigits(bytes, at + (this.#versionAt[i] ?? 0) + 10, this.#firstVersion + event);
      const sentAt = sentAtUs(event);
      if (sentAt > 0) writeDigits(bytes, at + (this.#sentAtAt[i] ?? 0) + 16, sentAt);
    }
    return bytes;
  }
}

function lengthOf(slab: Slab, index: number): number {
  return slab.start(index + 1) - slab.start(index);
}

function requireFound(position: number, frame: number): number {
  if (position < 0) throw new Error(`Frame ${frame} has no place to write to`);
  return position;
}

/** Writes the digits of `value` so that they end before `end`. */
function writeDigits(bytes: Uint8Array, end: number, value: number): void {
  for (let rest = value, at = end - 1; rest > 0; at--) {
    const tenth = Math.floor(rest / 10);
    bytes[at] = 48 + rest - tenth * 10;
    rest = tenth;
  }
}
