import {
  ByteParts,
  type Clock,
  ENVIRONMENT_CHECKS,
  isOneOf,
  isText,
  type OptionChecks,
  requireOptions,
  type Timer,
  toError,
} from "../base/mod.ts";
import type { ByteSocket } from "./byte_socket.ts";
import { encodeFrame, type Frame, FrameParser, OPCODES, WebSocketError } from "./frames.ts";

/** The bytes of messages that wait for `receive` before the connection is not read any more. */
const QUEUE_BYTES = 256 * 1024;

/**
 * The same limit once a reader has paused for the time between two pings. The end of a connection comes after the bytes
 * before it, so without reading on, a peer that is gone would go unnoticed. The sockets of both machines hold about 5
 * MB.
 */
const READ_AHEAD_BYTES = 8 * 1024 * 1024;

/** Added to the size of each message, so that empty messages are bounded, too. */
const MESSAGE_COST = 64;

/** The largest message. API servers and kubelets send messages of at most 64 KiB; kubectl sends up to 32 KiB. */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

/** How often a ping is sent, in milliseconds. */
const PING_EVERY_MS = 10_000;

/** How long a peer that owes an answer may send nothing, in milliseconds. */
const SILENCE_MS = 60_000;

/**
 * How long a peer may send nothing after it was sent messages, in milliseconds. A server answers no ping while the
 * program behind it does not read its input. A connection that is gone ends before, by the retransmissions of TCP.
 */
const BUSY_SILENCE_MS = 15 * 60_000;

/** How long the other end has to answer a close, in milliseconds. */
const CLOSE_MS = 2_000;

/** Options of {@linkcode MessageSocket}. */
export interface MessageSocketOptions {
  /** Which end this is. */
  readonly role: "client" | "server";
  /** The clock of the pings. */
  readonly clock: Clock;
  /** The subprotocol that was agreed on; empty if none was. */
  readonly protocol: string;
}

const CHECKS: OptionChecks<MessageSocketOptions> = {
  role: isOneOf("client", "server"),
  clock: ENVIRONMENT_CHECKS.clock,
  protocol: isText,
};

/**
 * One end of a WebSocket, after the handshake. Messages are bytes; a text message is received as its UTF-8.
 *
 * Both directions have backpressure. A ping is sent every ten seconds; a peer that sends nothing for a minute is lost,
 * and the socket ends with an error. After an error, `receive` and `send` reject with it. If messages are not
 * received, at most 8 MiB of them are kept; the end of the connection is then noticed within a minute.
 *
 * @example Both ends in one process
 * ```ts
 * import { bytePipe, MessageSocket } from "@kubeloop/controller/websocket";
 * import { realClock } from "@kubeloop/controller/base";
 * import { assertEquals } from "@std/assert";
 *
 * const [near, far] = bytePipe();
 * const client = new MessageSocket(near, { role: "client", clock: realClock, protocol: "" });
 * const server = new MessageSocket(far, { role: "server", clock: realClock, protocol: "" });
 * await client.send(new TextEncoder().encode("hello"));
 * assertEquals(new TextDecoder().decode(await server.receive()), "hello");
 * await client.close();
 * await server.closed;
 * ```
 */
export class MessageSocket {
  /** The subprotocol that was agreed on; empty if none was. */
  readonly protocol: string;
  /** Resolves when the connection is closed, whatever the reason. */
  readonly closed: Promise<void>;
  readonly #bytes: ByteSocket;
  readonly #role: "client" | "server";
  readonly #clock: Clock;
  readonly #queue: Uint8Array[] = [];
  readonly #settleClosed: () => void;
  /** The frames of a message whose end has not come. */
  #parts = new ByteParts();
  #queuedBytes = 0;
  #inMessage = false;
  #receiver: PromiseWithResolvers<Uint8Array | undefined> | undefined;
  /** Set while messages wait for their reader, and the connection is not read. */
  #room: PromiseWithResolvers<void> | undefined;
  #maxQueuedBytes = QUEUE_BYTES;
  /** Whether the peer has closed: nothing more will come. */
  #ended = false;
  #failure: { readonly reason: unknown } | undefined;
  #closing = false;
  #finished = false;
  #timer: Timer | undefined;
  #heardMs: number;
  /** Whether messages were sent since the peer was heard. */
  #sentSince = false;
  /** Whether the connection has not yet taken the last ping. */
  #isPinging = false;
  /** Whether the connection has not yet taken the last pong. */
  #isPonging = false;
  /** The content of the newest ping that has no answer. Older ones need none (RFC 6455, section 5.5.3). */
  #unanswered: Uint8Array | undefined;

  /**
   * Takes over a connection after the handshake.
   *
   * @throws {TypeError} If an option cannot be used.
   */
  constructor(bytes: ByteSocket, options: MessageSocketOptions) {
    requireOptions("MessageSocket", options, CHECKS);
    const { role, clock, protocol } = options;
    this.#bytes = bytes;
    this.#role = role;
    this.#clock = clock;
    this.protocol = protocol;
    this.#heardMs = clock.now();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.closed = promise;
    this.#settleClosed = resolve;
    this.#watch();
    this.#pump().catch((error) => this.#closing ? this.#finish() : this.#fail(error));
  }

  /** Returns the next message, or undefined after the peer has closed. Only one call may wait at a time. */
  receive(): Promise<Uint8Array | undefined> {
    const message = this.#queue.shift();
    if (message !== undefined) {
      this.#queuedBytes -= message.length + MESSAGE_COST;
      if (this.#queuedBytes < QUEUE_BYTES) {
        this.#maxQueuedBytes = QUEUE_BYTES;
        this.#room?.resolve();
      }
      return Promise.resolve(message);
    }
    if (this.#failure !== undefined) return Promise.reject(this.#failure.reason);
    if (this.#ended) return Promise.resolve(undefined);
    if (this.#finished) return Promise.reject(isClosed());
    if (this.#receiver !== undefined) {
      return Promise.reject(new Error("Cannot receive: another receive() waits for a message"));
    }
    this.#receiver = Promise.withResolvers();
    return this.#receiver.promise;
  }

  /** Sends a message. Resolves when more may be sent. Messages arrive in the order of the calls. */
  send(message: Uint8Array): Promise<void> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure.reason);
    if (this.#closing || this.#finished) return Promise.reject(isClosed());
    this.#sentSince = true;
    return this.#write(OPCODES.binary, message);
  }

  /**
   * Closes the connection after the messages that were sent, and gives the peer two seconds to answer.
   *
   * @returns A promise that resolves when the connection is closed. It never rejects.
   */
  close(code = 1000, reason = ""): Promise<void> {
    if (this.#finished || this.#closing) return this.closed;
    this.#startClosing();
    // Later messages have no reader.
    this.#drop();
    this.#room?.resolve();
    this.#write(OPCODES.close, closePayload(code, reason)).then(
      () => this.#bytes.end(),
      () => this.#finish(),
    );
    return this.closed;
  }

  /**
   * Closes the connection immediately, and drops what was not received. `receive` and `send` then reject with `reason`.
   */
  destroy(reason: unknown): void {
    if (this.#finished) return;
    this.#drop();
    this.#fail(reason);
  }

  #drop(): void {
    this.#queue.length = 0;
    this.#queuedBytes = 0;
  }

  /** Gives the peer a limited time for the rest. */
  #startClosing(): void {
    this.#closing = true;
    this.#timer?.cancel();
    this.#timer = this.#clock.setTimer(() => this.#finish(), CLOSE_MS);
  }

  async #pump(): Promise<void> {
    const parser = new FrameParser({
      masked: this.#role === "server",
      maxPayloadBytes: MAX_MESSAGE_BYTES,
    });
    while (!this.#finished) {
      const chunk = await this.#bytes.read();
      if (chunk === undefined) break;
      this.#heard();
      for (const frame of parser.push(chunk)) this.#take(frame);
      if (this.#ended) return;
      if (this.#queuedBytes >= this.#maxQueuedBytes) {
        this.#room = Promise.withResolvers();
        await this.#room.promise;
        this.#room = undefined;
        this.#heard();
      }
    }
    if (this.#closing) this.#finish();
    else throw new Error("The connection was closed without a goodbye: the other end is gone");
  }

  #take({ opcode, final, payload }: Frame): void {
    if (opcode === OPCODES.ping) {
      this.#unanswered = payload;
      if (!this.#isPonging) this.#pong();
      return;
    }
    if (opcode === OPCODES.pong) return;
    if (opcode === OPCODES.close) return this.#peerClosed(payload);
    if ((opcode === OPCODES.continuation) !== this.#inMessage) {
      throw new WebSocketError(1002, "The peer sent the parts of a WebSocket message in disorder");
    }
    if (this.#parts.length + payload.length > MAX_MESSAGE_BYTES) {
      throw new WebSocketError(
        1009,
        `The peer sent a WebSocket message of more than ${MAX_MESSAGE_BYTES} bytes`,
      );
    }
    this.#parts.push(payload);
    this.#inMessage = !final;
    if (!final) return;
    const message = this.#parts.join();
    this.#parts = new ByteParts();
    if (this.#closing) return;
    const receiver = this.#receiver;
    this.#receiver = undefined;
    if (receiver !== undefined) return receiver.resolve(message);
    this.#queue.push(message);
    this.#queuedBytes += message.length + MESSAGE_COST;
  }

  #peerClosed(payload: Uint8Array): void {
    this.#ended = true;
    const code = payload.length < 2 ? 1005 : payload[0]! << 8 | payload[1]!;
    const isGood = code === 1000 || code === 1001 || code === 1005;
    if (!isGood && !this.#closing) {
      const reason = new TextDecoder().decode(payload.subarray(2));
      throw new WebSocketError(
        code,
        `The peer closed the WebSocket with ${code}${reason === "" ? "" : `: ${reason}`}`,
      );
    }
    if (!this.#closing) {
      // A peer that reads nothing must not hold this side.
      this.#startClosing();
      this.#write(OPCODES.close, payload.subarray(0, 2)).catch(() => {}).finally(() => {
        this.#bytes.end();
        this.#finish();
      });
    } else this.#finish();
    this.#receiver?.resolve(undefined);
    this.#receiver = undefined;
  }

  #write(opcode: number, payload: Uint8Array): Promise<void> {
    const mask = this.#role === "client"
      ? { mask: crypto.getRandomValues(new Uint8Array(4)) }
      : undefined;
    return this.#bytes.write(encodeFrame(opcode, payload, mask));
  }

  #heard(): void {
    this.#heardMs = this.#clock.now();
    this.#sentSince = false;
  }

  /** Answers pings, one at a time: a peer that sends pings and reads nothing fills no memory. */
  async #pong(): Promise<void> {
    this.#isPonging = true;
    try {
      while (this.#unanswered !== undefined && !this.#closing) {
        const payload = this.#unanswered;
        this.#unanswered = undefined;
        await this.#write(OPCODES.pong, payload);
      }
    } catch {
      // A peer that is gone is noticed by the next read.
    } finally {
      this.#isPonging = false;
    }
  }

  /** Sends a ping every ten seconds, and ends the connection when the peer is silent for too long. */
  #watch(): void {
    this.#timer = this.#clock.setTimer(() => {
      if (this.#room === undefined) this.#listen();
      else this.#readAhead(this.#room);
      if (!this.#finished) this.#watch();
    }, PING_EVERY_MS);
  }

  #listen(): void {
    const silentMs = this.#clock.now() - this.#heardMs;
    const limitMs = this.#sentSince ? BUSY_SILENCE_MS : SILENCE_MS;
    if (silentMs >= limitMs) {
      const seconds = Math.round(silentMs / 1000);
      return this.#fail(
        new Error(`The other end is gone: it has answered no ping for ${seconds} s`),
      );
    }
    // The next read notices a peer that is gone.
    this.#ping().catch(() => {});
  }

  /** Looks for the end of a connection that is not read, because messages wait for their reader. */
  #readAhead(room: PromiseWithResolvers<void>): void {
    if (this.#maxQueuedBytes < READ_AHEAD_BYTES) {
      this.#maxQueuedBytes = READ_AHEAD_BYTES;
      return room.resolve();
    }
    // The answer is not read, but a ping cannot be sent to a peer that has left. A socket that fails so loses what has
    // arrived and was not read: hence the read-ahead before, which finds the end of most connections.
    this.#ping().catch((error) => this.#fail(error));
  }

  async #ping(): Promise<void> {
    if (this.#isPinging) return;
    this.#isPinging = true;
    try {
      await this.#write(OPCODES.ping, new Uint8Array(0));
    } finally {
      this.#isPinging = false;
    }
  }

  #fail(reason: unknown): void {
    if (this.#finished) return;
    if (reason instanceof WebSocketError && !this.#closing) {
      this.#write(OPCODES.close, closePayload(reason.code === 1009 ? 1009 : 1002, ""))
        .catch(() => {});
    }
    this.#failure = { reason };
    this.#receiver?.reject(reason);
    this.#receiver = undefined;
    this.#finish();
  }

  #finish(): void {
    this.#finished = true;
    this.#timer?.cancel();
    this.#room?.resolve();
    this.#bytes.destroy(this.#failure === undefined ? isClosed() : toError(this.#failure.reason));
    this.#receiver?.resolve(undefined);
    this.#receiver = undefined;
    this.#settleClosed();
  }
}

function isClosed(): Error {
  return new Error("The WebSocket is closed");
}

function closePayload(code: number, reason: string): Uint8Array {
  const text = new TextEncoder().encode(reason).subarray(0, 123);
  const payload = new Uint8Array(2 + text.length);
  payload[0] = code >> 8;
  payload[1] = code & 0xff;
  payload.set(text, 2);
  return payload;
}
