import { isCount, isFlag, type OptionChecks, requireOptions } from "../base/mod.ts";

/** The kinds of frames. */
export const OPCODES = {
  continuation: 0x0,
  text: 0x1,
  binary: 0x2,
  close: 0x8,
  ping: 0x9,
  pong: 0xa,
} as const;

/** The peer does not keep to the protocol, or sends more than it may. `code` is the status code to close with. */
export class WebSocketError extends Error {
  /** The name of the class. */
  override readonly name: string = "WebSocketError";
  /** The status code of RFC 6455, section 7.4. */
  readonly code: number;

  /** Creates the error for a status code. */
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** One frame, unmasked. */
export interface Frame {
  /** The kind, one of {@linkcode OPCODES}. */
  readonly opcode: number;
  /** Whether it is the last frame of its message. */
  readonly final: boolean;
  /** The content. */
  readonly payload: Uint8Array;
}

/** Options of {@linkcode FrameParser}. */
export interface FrameParserOptions {
  /** Whether the frames must be masked. Frames of clients must be, frames of servers must not be. */
  readonly masked: boolean;
  /** The largest payload, in bytes. */
  readonly maxPayloadBytes: number;
}

const CHECKS: OptionChecks<FrameParserOptions> = { masked: isFlag, maxPayloadBytes: isCount(0) };

/** The largest payload of a close, ping or pong. */
const MAX_CONTROL_BYTES = 125;

const KNOWN_OPCODES: readonly number[] = Object.values(OPCODES);

/** Returns the bytes of a frame, masked if there is a mask of four bytes. */
export function encodeFrame(
  opcode: number,
  payload: Uint8Array,
  { mask, final = true }: { readonly mask?: Uint8Array; readonly final?: boolean } = {},
): Uint8Array {
  const { length } = payload;
  const lengthBytes = length < 126 ? 0 : length < 65_536 ? 2 : 8;
  const maskAt = 2 + lengthBytes;
  const payloadAt = maskAt + (mask === undefined ? 0 : 4);
  const frame = new Uint8Array(payloadAt + length);
  frame[0] = (final ? 0x80 : 0) | opcode;
  frame[1] = (mask === undefined ? 0 : 0x80) |
    (lengthBytes === 0 ? length : lengthBytes === 2 ? 126 : 127);
  const view = new DataView(frame.buffer);
  if (lengthBytes === 2) view.setUint16(2, length);
  if (lengthBytes === 8) view.setBigUint64(2, BigInt(length));
  frame.set(payload, payloadAt);
  if (mask !== undefined) {
    frame.set(mask, maskAt);
    applyMask(frame.subarray(payloadAt), mask);
  }
  return frame;
}

/** Reads frames from the chunks of a connection. Holds one frame at most. */
export class FrameParser {
  readonly #options: FrameParserOptions;
  /** The bytes of the head of a frame that have been read. */
  readonly #head = new Uint8Array(14);
  #headBytes = 0;
  /** The payload of the frame whose head is read. */
  #payload: Uint8Array | undefined;
  #payloadBytes = 0;

  /**
   * Creates a parser of one direction of a connection.
   *
   * @throws {TypeError | RangeError} If an option cannot be used.
   */
  constructor(options: FrameParserOptions) {
    requireOptions("FrameParser", options, CHECKS);
    this.#options = options;
  }

  /**
   * Returns the frames that end in `chunk`.
   *
   * @throws {WebSocketError} If the peer does not keep to the protocol.
   */
  push(chunk: Uint8Array): Frame[] {
    const frames: Frame[] = [];
    let at = 0;
    while (at < chunk.length || this.#isWhole()) {
      if (this.#payload === undefined) {
        this.#head[this.#headBytes++] = chunk[at++]!;
        this.#readHead();
      } else {
        const missing = this.#payload.length - this.#payloadBytes;
        const part = chunk.subarray(at, at + missing);
        this.#payload.set(part, this.#payloadBytes);
        this.#payloadBytes += part.length;
        at += part.length;
      }
      if (this.#isWhole()) frames.push(this.#take());
    }
    return frames;
  }

  #isWhole(): boolean {
    return this.#payload !== undefined && this.#payloadBytes === this.#payload.length;
  }

  /** Begins the payload if the head is complete. */
  #readHead(): void {
    if (this.#headBytes < 2) return;
    const [first, second] = [this.#head[0]!, this.#head[1]!];
    if (this.#headBytes === 2) this.#check(first, second);
    const short = second & 0x7f;
    const lengthBytes = short < 126 ? 0 : short === 126 ? 2 : 8;
    if (this.#headBytes < 2 + lengthBytes + ((second & 0x80) === 0 ? 0 : 4)) return;
    const view = new DataView(this.#head.buffer);
    const length = lengthBytes === 0
      ? short
      : lengthBytes === 2
      ? view.getUint16(2)
      : Number(view.getBigUint64(2));
    const { maxPayloadBytes } = this.#options;
    if (length > maxPayloadBytes) {
      throw new WebSocketError(
        1009,
        `The peer sent a WebSocket frame of ${length} bytes, the limit is ${maxPayloadBytes}`,
      );
    }
    this.#payload = new Uint8Array(length);
    this.#payloadBytes = 0;
  }

  #check(first: number, second: number): void {
    const opcode = first & 0x0f;
    const isControl = opcode >= OPCODES.close;
    if ((first & 0x70) !== 0 || !KNOWN_OPCODES.includes(opcode)) {
      throw new WebSocketError(1002, "The peer sent a WebSocket frame of an unknown kind");
    }
    if (isControl && ((first & 0x80) === 0 || (second & 0x7f) > MAX_CONTROL_BYTES)) {
      throw new WebSocketError(
        1002,
        "The peer sent a WebSocket control frame in parts, or too long",
      );
    }
    if (((second & 0x80) !== 0) !== this.#options.masked) {
      throw new WebSocketError(
        1002,
        `The peer sent a WebSocket frame that is ${this.#options.masked ? "not " : ""}masked`,
      );
    }
  }

  #take(): Frame {
    const first = this.#head[0]!;
    const payload = this.#payload!;
    if (this.#options.masked) {
      applyMask(payload, this.#head.slice(this.#headBytes - 4, this.#headBytes));
    }
    this.#payload = undefined;
    this.#headBytes = 0;
    return { opcode: first & 0x0f, final: (first & 0x80) !== 0, payload };
  }
}

/** Masks or unmasks bytes in place. */
function applyMask(bytes: Uint8Array, mask: Uint8Array): void {
  const [a, b, c, d] = mask;
  const whole = bytes.length - bytes.length % 4;
  let at = 0;
  for (; at < whole; at += 4) {
    bytes[at]! ^= a!;
    bytes[at + 1]! ^= b!;
    bytes[at + 2]! ^= c!;
    bytes[at + 3]! ^= d!;
  }
  for (; at < bytes.length; at++) bytes[at]! ^= mask[at % 4]!;
}
