import { describeValue, onAbort, requireOptions, visibleText } from "../../base/mod.ts";
import { MessageSocket } from "../../websocket/mod.ts";
import {
  describePod,
  type OpenSocket,
  podPath,
  type PodReference,
  type Requester,
  requestFailed,
} from "../request/mod.ts";
import { sendOn, V4 } from "./channels.ts";
import type { OpenPortOptions } from "./forward_options.ts";
import { PORT_CHECKS } from "./option_checks.ts";
import { OutputChannel } from "./output_channel.ts";

/**
 * A connection to a port of a Pod.
 *
 * The protocol cannot tell the Pod that nothing more will be sent while the connection is open: closing `writable` only
 * waits until everything is sent.
 */
export interface PortConnection extends AsyncDisposable {
  /**
   * The bytes from the Pod. The stream ends when the Pod closes the connection, and fails if the Pod cannot be reached.
   */
  readonly readable: ReadableStream<Uint8Array>;
  /** The bytes to the Pod. */
  readonly writable: WritableStream<Uint8Array>;
  /** Closes the connection. Resolves when it is closed. */
  close(): Promise<void>;
}

/** The data of the first port. The errors of the first port are on the channel after it. */
const DATA = 0;

/** The longest error of a Pod that is shown, in characters. */
const MAX_FAILURE_LENGTH = 1_000;

/** The first message of each channel is the port: two bytes, the lower one first. */
const PORT_BYTES = 2;

/** Opens a connection to one port of a Pod. */
export async function openPort(
  requester: Requester,
  pod: PodReference,
  port: number,
  options: OpenPortOptions,
): Promise<PortConnection> {
  requireOptions("openPort()", options, PORT_CHECKS);
  const { namespace, signal } = options;
  const path = podPath(pod, namespace, "portforward");
  requirePort("port", port, 1);
  const query = new URLSearchParams({ ports: `${port}` });
  const opened = await requester.upgrade({ method: "GET", path, query, signal }, [V4]);
  return new Connection(opened, requester, `port ${port} of Pod ${describePod(pod, namespace)}`);
}

/**
 * Checks the number of a port.
 *
 * @throws {RangeError} If it is not a whole number from `min` to 65535.
 */
export function requirePort(name: string, port: number, min: 0 | 1): void {
  if (Number.isInteger(port) && port >= min && port <= 65_535) return;
  throw new RangeError(
    `${name} must be a whole number from ${min} to 65535: received ${describeValue(port)}`,
  );
}

class Connection implements PortConnection {
  readonly writable: WritableStream<Uint8Array>;
  readonly #socket: MessageSocket;
  readonly #opened: OpenSocket;
  readonly #what: string;
  readonly #output: OutputChannel;
  readonly #over: Promise<void>;
  #input!: WritableStreamDefaultController;

  constructor(opened: OpenSocket, requester: Requester, what: string) {
    const { protocol, signal, socket } = opened;
    this.#opened = opened;
    this.#what = what;
    this.#socket = new MessageSocket(socket, { role: "client", clock: requester.clock, protocol });
    this.#output = new OutputChannel(this.#socket.closed);
    this.writable = new WritableStream<Uint8Array>({
      start: (controller) => void (this.#input = controller),
      write: async (chunk) => {
        if (!(chunk instanceof Uint8Array)) {
          throw new TypeError(
            `A port takes bytes (Uint8Array): received ${describeValue(chunk)}`,
          );
        }
        if (chunk.length > 0) await sendOn(this.#socket, DATA, chunk);
      },
      abort: (reason) => this.#socket.destroy(reason),
    });
    const release = onAbort(signal, (reason) => this.#socket.destroy(reason));
    this.#over = this.#pump().finally(() => {
      release();
      opened.release();
    });
  }

  get readable(): ReadableStream<Uint8Array> {
    return this.#output.stream;
  }

  async close(): Promise<void> {
    await this.#socket.close();
    await this.#over;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #pump(): Promise<void> {
    try {
      await this.#forward();
      this.#output.close();
      this.#input.error(new Error(`The connection to ${this.#what} is closed`));
    } catch (error) {
      const { signal } = this.#opened;
      const reason = signal.aborted ? signal.reason : requestFailed(this.#opened, error, "");
      this.#socket.destroy(reason);
      this.#output.fail(reason);
      this.#input.error(reason);
    }
  }

  async #forward(): Promise<void> {
    // The number of bytes of each channel that are its port.
    const ofPort = [PORT_BYTES, PORT_BYTES];
    let failure = "";
    while (true) {
      const message = await this.#socket.receive();
      if (message === undefined) break;
      const [channel = -1] = message;
      const skipped = Math.min(ofPort[channel] ?? 0, message.length - 1);
      if (channel in ofPort) ofPort[channel]! -= skipped;
      const bytes = message.subarray(1 + skipped);
      if (channel === DATA) await this.#output.push(bytes);
      else if (bytes.length > 0) {
        const text = new TextDecoder().decode(bytes);
        failure = visibleText(this.#opened.redact(text), MAX_FAILURE_LENGTH);
        break;
      }
    }
    this.#socket.close();
    if (failure !== "") throw new Error(`cannot reach ${this.#what}: ${failure}`);
  }
}
