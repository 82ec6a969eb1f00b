import { describeValue, onAbort } from "../../base/mod.ts";
import { MessageSocket } from "../../websocket/mod.ts";
import { type OpenSocket, type Requester, requestFailed } from "../request/mod.ts";
import { CHANNELS, sendOn, V5 } from "./channels.ts";
import { exitCodeOf } from "./exit_status.ts";
import { OutputChannel } from "./output_channel.ts";

/** The size of a terminal, in characters. */
export interface TerminalSize {
  /** The number of columns. */
  readonly columns: number;
  /** The number of rows. */
  readonly rows: number;
}

/**
 * The open streams of a command in a container, or of a container itself.
 *
 * All streams share one connection. A caller that opens several of them must read all of them: the connection waits
 * for the slowest reader. A stream that is cancelled is read and dropped.
 */
export interface ContainerStreams extends AsyncDisposable {
  /** The standard input. Closing it ends the input of the command. Undefined if it was not opened. */
  readonly stdin: WritableStream<Uint8Array> | undefined;
  /** The standard output. Undefined if it was not opened. */
  readonly stdout: ReadableStream<Uint8Array> | undefined;
  /** The standard error. Undefined if it was not opened. */
  readonly stderr: ReadableStream<Uint8Array> | undefined;
  /**
   * Resolves with the exit code when the command ends, or with 0 when the container ends. Rejects with a `StatusError` if the
   * command could not run, and with an `Error` if the connection is lost.
   */
  readonly exited: Promise<number>;
  /** Whether the connection can tell the end of the standard input: the server speaks `v5.channel.k8s.io`. */
  readonly canEndStdin: boolean;
  /** Tells the terminal its size. */
  resize(size: TerminalSize): Promise<void>;
  /** Ends the connection. Resolves when it is closed. The command continues without streams. */
  close(): Promise<void>;
}

/** The connection and its channels. */
export interface OpenedStreams {
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
  readonly tty: boolean;
}

/** The longest Status, in bytes. */
const MAX_STATUS_BYTES = 64 * 1024;

/** Serves the streams over a connection that the server has opened. */
export class ChannelStreams implements ContainerStreams {
  readonly stdin: WritableStream<Uint8Array> | undefined;
  readonly exited: Promise<number>;
  readonly #socket: MessageSocket;
  readonly #opened: OpenSocket;
  readonly #tty: boolean;
  readonly #outputs: ReadonlyMap<number, OutputChannel>;
  readonly #release: () => void;
  #stdin: WritableStreamDefaultController | undefined;
  /** The error of this side that has ended the connection. */
  #given: { readonly reason: unknown } | undefined;

  /** Takes over the connection. */
  constructor(opened: OpenSocket, requester: Requester, streams: OpenedStreams) {
    const { protocol, signal, socket } = opened;
    this.#opened = opened;
    this.#tty = streams.tty;
    this.#socket = new MessageSocket(socket, { role: "client", clock: requester.clock, protocol });
    const { stdout, stderr } = CHANNELS;
    this.#outputs = new Map(
      [...streams.stdout ? [stdout] : [], ...streams.stderr ? [stderr] : []]
        .map((channel) => [channel, new OutputChannel(this.#socket.closed)]),
    );
    this.stdin = streams.stdin ? this.#openStdin() : undefined;
    this.#release = onAbort(signal, (reason) => this.#socket.destroy(reason));
    this.exited = this.#pump();
    // A caller that does not await `exited` learns of a lost connection from the streams.
    this.exited.catch(() => {});
  }

  get stdout(): ReadableStream<Uint8Array> | undefined {
    return this.#outputs.get(CHANNELS.stdout)?.stream;
  }

  get stderr(): ReadableStream<Uint8Array> | undefined {
    return this.#outputs.get(CHANNELS.stderr)?.stream;
  }

  get canEndStdin(): boolean {
    return this.#socket.protocol === V5;
  }

  async resize({ columns, rows }: TerminalSize): Promise<void> {
    for (const [name, value] of Object.entries({ columns, rows })) {
      if (Number.isInteger(value) && value >= 0 && value <= 65_535) continue;
      throw new RangeError(
        `${name} must be a whole number from 0 to 65535: received ${describeValue(value)}`,
      );
    }
    const size = JSON.stringify({ Width: columns, Height: rows });
    await sendOn(this.#socket, CHANNELS.resize, new TextEncoder().encode(size));
  }

  async close(): Promise<void> {
    // Bytes that were written are still sent.
    await this.#socket.close();
    await this.exited.catch(() => {});
  }

  /** Ends the connection because of an error of this side, with which the streams and `exited` fail. */
  fail(reason: unknown): void {
    this.#given ??= { reason };
    this.#socket.destroy(reason);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #openStdin(): WritableStream<Uint8Array> {
    return new WritableStream<Uint8Array>({
      start: (controller) => void (this.#stdin = controller),
      write: async (chunk) => {
        if (!(chunk instanceof Uint8Array)) {
          throw new TypeError(`stdin takes bytes (Uint8Array): received ${describeValue(chunk)}`);
        }
        if (chunk.length > 0) await sendOn(this.#socket, CHANNELS.stdin, chunk);
      },
      close: async () => {
        if (this.canEndStdin) {
          await this.#socket.send(Uint8Array.of(CHANNELS.close, CHANNELS.stdin));
        } else if (!this.#tty) {
          const reason = cannotEndStdin();
          this.fail(reason);
          throw reason;
        }
      },
      abort: (reason) => this.fail(reason),
    });
  }

  async #pump(): Promise<number> {
    try {
      const code = await this.#readToStatus();
      this.#end(undefined);
      // The Status is the last message. The command has ended, and what still waits in stdin has no reader.
      this.#socket.close();
      return code;
    } catch (error) {
      const { signal } = this.#opened;
      const reason = signal.aborted ? signal.reason : this.#given?.reason ?? error;
      this.#socket.destroy(reason);
      this.#end({ reason });
      throw reason;
    } finally {
      this.#release();
      this.#opened.release();
    }
  }

  async #readToStatus(): Promise<number> {
    while (true) {
      const message = await this.#receive();
      const [channel] = message;
      const bytes = message.subarray(1);
      if (channel === CHANNELS.error) {
        // Every stream begins with an empty message.
        if (bytes.length === 0) continue;
        const text = new TextDecoder().decode(bytes.subarray(0, MAX_STATUS_BYTES));
        return exitCodeOf(text, this.#opened);
      }
      await this.#outputs.get(channel ?? -1)?.push(bytes);
    }
  }

  async #receive(): Promise<Uint8Array> {
    let message: Uint8Array | undefined;
    try {
      message = await this.#socket.receive();
    } catch (error) {
      throw requestFailed(this.#opened, error, "");
    }
    if (message !== undefined) return message;
    throw requestFailed(
      this.#opened,
      new Error("the connection was closed before an exit code came"),
      "",
    );
  }

  #end(failure: { readonly reason: unknown } | undefined): void {
    for (const output of this.#outputs.values()) {
      if (failure === undefined) output.close();
      else output.fail(failure.reason);
    }
    this.#stdin?.error(
      failure === undefined
        ? new Error("The command has ended, its stdin is closed")
        : failure.reason,
    );
  }
}

/** Returns the error for a server without a way to end stdin. */
export function cannotEndStdin(): Error {
  return new Error(
    "The server cannot tell a command the end of its stdin: that needs v5.channel.k8s.io, which kube-apiserver has since 1.30. " +
      "Use openExec() with a command that knows the end itself, such as head -c",
  );
}
