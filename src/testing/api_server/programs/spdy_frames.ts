import { ByteParts, concatBytes } from "@kubeloop/controller/internal/base";
import { spdyDictionary } from "./spdy_dictionary.ts";

/** A frame of SPDY/3.1 from a client. Frames without meaning for streams are left out. */
export type SpdyFrame =
  | {
    readonly type: "open";
    readonly stream: number;
    readonly headers: ReadonlyMap<string, string>;
    readonly isLast: boolean;
  }
  | {
    readonly type: "data";
    readonly stream: number;
    readonly bytes: Uint8Array;
    readonly isLast: boolean;
  }
  | { readonly type: "reset"; readonly stream: number }
  | { readonly type: "ping"; readonly id: number };

/** Inflates the beginning of a compressed stream. Fails if the result has more than `maxBytes` bytes. */
export type Inflate = (
  bytes: Uint8Array,
  options: { readonly dictionary: Uint8Array; readonly maxBytes: number },
) => Uint8Array;

const HEAD_BYTES = 8;
/** The maximum size of a frame. kubectl sends at most 32 KiB at once. */
const MAX_FRAME_BYTES = 1024 * 1024;
/**
 * The maximum size of the compressed headers of a connection, which are one stream, so that all are inflated again for
 * the next. It is enough for some thousand ports.
 */
const MAX_HEADER_BYTES = 256 * 1024;
const MAX_INFLATED_BYTES = 4 * 1024 * 1024;

const SYN_STREAM = 1;
const SYN_REPLY = 2;
const RST_STREAM = 3;
const PING = 6;
const FIN = 1;

const decoder = new TextDecoder();

/** Reads the frames of a client. */
export class SpdyReader {
  readonly #inflate: Inflate;
  readonly #dictionary = spdyDictionary();
  #rest = new ByteParts();
  /** The size of the next frame if its head has arrived, or else the size of a head. */
  #needed = HEAD_BYTES;
  #compressed: Uint8Array = new Uint8Array();
  #inflatedBytes = 0;

  /** Creates the reader of one connection. */
  constructor(inflate: Inflate) {
    this.#inflate = inflate;
  }

  /**
   * Returns the frames that end in the next bytes.
   *
   * @throws {RangeError} If a frame or the headers are too large, or the headers do not fit into their frame.
   * @throws {Error} If headers cannot be inflated.
   */
  read(bytes: Uint8Array): SpdyFrame[] {
    this.#rest.push(bytes);
    if (this.#rest.length < this.#needed) return [];
    this.#needed = HEAD_BYTES;
    const all = this.#rest.join();
    const frames: SpdyFrame[] = [];
    let at = 0;
    while (all.length - at >= HEAD_BYTES) {
      const head = new DataView(all.buffer, all.byteOffset + at, HEAD_BYTES);
      const length = head.getUint32(4) & 0xffffff;
      if (length > MAX_FRAME_BYTES) throw new RangeError(`A frame of ${length} bytes is too large`);
      this.#needed = HEAD_BYTES + length;
      if (all.length - at < this.#needed) break;
      this.#needed = HEAD_BYTES;
      const frame = this.#decode(head, all.slice(at + HEAD_BYTES, at + HEAD_BYTES + length));
      if (frame !== undefined) frames.push(frame);
      at += HEAD_BYTES + length;
    }
    this.#rest = new ByteParts();
    this.#rest.push(all.subarray(at));
    return frames;
  }

  #decode(head: DataView, body: Uint8Array): SpdyFrame | undefined {
    const first = head.getUint32(0);
    const isLast = (head.getUint8(4) & FIN) !== 0;
    if (first < 0x8000_0000) return { type: "data", stream: first, bytes: body, isLast };
    const view = new DataView(body.buffer, body.byteOffset, body.length);
    switch (first & 0xffff) {
      case SYN_STREAM: {
        const headers = this.#headers(body.subarray(10));
        return { type: "open", stream: view.getUint32(0) & 0x7fff_ffff, headers, isLast };
      }
      case RST_STREAM:
        return { type: "reset", stream: view.getUint32(0) & 0x7fff_ffff };
      case PING:
        return { type: "ping", id: view.getUint32(0) };
      default:
        return undefined;
    }
  }

  #headers(block: Uint8Array): Map<string, string> {
    if (this.#compressed.length + block.length > MAX_HEADER_BYTES) {
      throw new RangeError("Too many streams for one connection");
    }
    const compressed = concatBytes([this.#compressed, block]);
    const options = { dictionary: this.#dictionary, maxBytes: MAX_INFLATED_BYTES };
    const inflated = this.#inflate(compressed, options);
    const bytes = inflated.subarray(this.#inflatedBytes);
    this.#compressed = compressed;
    this.#inflatedBytes = inflated.length;
    return readHeaders(bytes);
  }
}

/** Reads a block of headers: their number, then each name and value with its length before it. */
function readHeaders(bytes: Uint8Array): Map<string, string> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const headers = new Map<string, string>();
  let at = 4;
  const text = () => {
    const length = view.getUint32(at);
    const start = at + 4;
    at = start + length;
    if (at > bytes.length) throw new RangeError("A header is longer than its frame");
    return decoder.decode(bytes.subarray(start, at));
  };
  for (let left = view.getUint32(0); left > 0; left--) {
    const name = text();
    headers.set(name, text());
  }
  return headers;
}

/** Makes the frames of a server. */
export class SpdyWriter {
  #isFirst = true;

  /** Returns the frame that accepts a stream, without headers. */
  reply(stream: number): Uint8Array {
    // An empty list of headers in a stored block, so that nothing needs to be compressed, and an empty block that flushes
    // it; at first, the head of zlib with the checksum of the dictionary.
    const start = this.#isFirst ? [0x78, 0x20, 0xe3, 0xc6, 0xa7, 0xc2] : [];
    this.#isFirst = false;
    const block = [...start, 0, 4, 0, 0xfb, 0xff, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff];
    return control(SYN_REPLY, [...number(stream), ...block]);
  }

  /** Returns the frame that refuses or ends a stream. */
  reset(stream: number): Uint8Array {
    const refused = 3;
    return control(RST_STREAM, [...number(stream), ...number(refused)]);
  }

  /** Returns the answer to a ping. */
  ping(id: number): Uint8Array {
    return control(PING, number(id));
  }

  /** Returns a frame with data of a stream. */
  data(stream: number, bytes: Uint8Array, { isLast }: { readonly isLast: boolean }): Uint8Array {
    const frame = new Uint8Array(HEAD_BYTES + bytes.length);
    frame.set(number(stream));
    frame.set(number(bytes.length), 4);
    frame[4] = isLast ? FIN : 0;
    frame.set(bytes, HEAD_BYTES);
    return frame;
  }
}

function control(type: number, body: readonly number[]): Uint8Array {
  return Uint8Array.of(0x80, 3, 0, type, ...number(body.length), ...body);
}

function number(value: number): number[] {
  return [value >>> 24, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff];
}
