import { type Clock, type Logger, toError } from "@kubeloop/controller/internal/base";
import type { KubeObject } from "@kubeloop/controller/types";
import type { ByteSocket, MessageSocket } from "@kubeloop/controller/websocket";
import { badRequest, internalFailure, readJson } from "../../values/mod.ts";
import { MessageQueue } from "./message_queue.ts";
import {
  type ContainerProcess,
  findProgram,
  type PodProgram,
  type PortStream,
} from "./pod_program.ts";

/** The protocol with a message that closes a channel. */
export const V5 = "v5.channel.k8s.io";

/** The protocol without one. */
const V4 = "v4.channel.k8s.io";

/** The protocol of `kubectl port-forward`. */
export const TUNNEL = "SPDY/3.1+portforward.k8s.io";

const STDIN = 0;
const STDOUT = 1;
const STDERR = 2;
const STATUS = 3;
const RESIZE = 4;
const CLOSE = 255;

/** The largest message to a client, in bytes, as a kubelet's. */
export const MESSAGE_BYTES: number = 32 * 1024;

const encoder = new TextEncoder();

/** The exit code of a command that was killed. */
const KILLED = 137;

/** The Pod that a client has connected to, and the server around it. */
export interface ServedPod {
  readonly programs: readonly PodProgram[];
  readonly pod: KubeObject;
  /** Calls a function when the Pod is deleted. The returned function undoes it. */
  readonly onDeleted: (callback: () => void) => () => void;
  readonly streams: OpenStreams;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Returns the subprotocol for a client: the first of its offers that the server speaks.
 *
 * @throws {ApiError} 400, if there is none.
 */
export function requireSubprotocol(offered: string, served: "container" | "ports"): string {
  const known = served === "container" ? [V5, V4] : [V4, TUNNEL];
  const found = offered.split(",").map((one) => one.trim()).find((one) => known.includes(one));
  if (found !== undefined) return found;
  throw badRequest(`unable to upgrade: none of the requested protocols is supported: ${offered}`);
}

/** Serves a command in a container, or an attachment to a container. */
export async function serveContainer(
  socket: ByteSocket,
  protocol: string,
  { container, query, ...served }: ServedPod & {
    readonly container: string;
    readonly query: URLSearchParams;
  },
): Promise<void> {
  const { pod, programs } = served;
  const command = query.getAll("command");
  const part = command.length > 0 ? "exec" : "attach";
  const wants = (name: string) => /^(1|true)$/i.test(query.get(name) ?? "");
  await withSocket(socket, protocol, served, async (messages, signal) => {
    const stdin = new MessageQueue<Uint8Array>();
    const resized = new MessageQueue<{ readonly columns: number; readonly rows: number }>();
    // Input that the client did not announce is dropped.
    if (!wants("stdin")) stdin.end();
    const reading = (async () => {
      while (true) {
        const message = await messages.receive();
        if (message === undefined) break;
        const [channel, closed] = message;
        if (channel === STDIN) await stdin.push(message.subarray(1));
        if (channel === RESIZE) await resized.push(sizeOf(message.subarray(1)));
        if (channel === CLOSE && closed === STDIN && protocol === V5) stdin.end();
      }
      throw new Error("The client has left");
    })();
    const stop = () => {
      stdin.drop();
      resized.drop();
    };
    reading.catch(stop);
    signal.addEventListener("abort", stop, { once: true });
    const writer = (channel: number, wanted: boolean) => ({
      write: async (data: string | Uint8Array) => {
        signal.throwIfAborted();
        if (wanted) await sendParts(messages, channel, data);
      },
    });
    const process: ContainerProcess = {
      command,
      stdin,
      stdout: writer(STDOUT, wants("stdout")),
      stderr: writer(STDERR, wants("stderr") && !wants("tty")),
      tty: wants("tty"),
      resized,
      signal,
      pod,
      container,
    };
    const program = findProgram(programs, pod, part, container)!;
    const status = await statusOf(async () => await program[part]!(process), signal);
    await sendParts(messages, STATUS, JSON.stringify(status));
    stop();
  });
}

/** Tells a client over its WebSocket why there is no process. */
export async function refuseContainer(
  socket: ByteSocket,
  protocol: string,
  served: ServedPod,
  status: unknown,
): Promise<void> {
  await withSocket(
    socket,
    protocol,
    served,
    (messages) => sendParts(messages, STATUS, JSON.stringify(status)),
  );
}

/** Serves connections to ports of a Pod, two channels for each. */
export async function servePorts(
  socket: ByteSocket,
  protocol: string,
  { ports, ...served }: ServedPod & { readonly ports: readonly number[] },
): Promise<void> {
  const { pod, programs } = served;
  await withSocket(socket, protocol, served, async (messages, signal) => {
    const incoming = ports.map(() => new MessageQueue<Uint8Array>());
    const drop = () => incoming.forEach((queue) => queue.drop());
    const reading = (async () => {
      while (true) {
        const message = await messages.receive();
        if (message === undefined) return incoming.forEach((queue) => queue.end());
        const [channel = 1] = message;
        if (channel % 2 === 0) await incoming[channel / 2]?.push(message.subarray(1));
      }
    })();
    reading.catch(drop);
    signal.addEventListener("abort", drop, { once: true });
    await Promise.all(ports.map(async (port, at) => {
      const number = Uint8Array.of(port & 0xff, port >> 8);
      await sendParts(messages, 2 * at, number);
      await sendParts(messages, 2 * at + 1, number);
      const write = (data: string | Uint8Array) => sendParts(messages, 2 * at, data);
      const failure = await servePort(
        { incoming: incoming[at]!, write, signal, pod, port },
        programs,
      );
      if (failure !== undefined) await sendParts(messages, 2 * at + 1, failure);
    }));
    drop();
  });
}

/** Serves one connection to a port. Returns the error for the client if that fails. */
export async function servePort(
  stream: PortStream,
  programs: readonly PodProgram[],
): Promise<string | undefined> {
  const { pod, port, signal } = stream;
  try {
    const served = findProgram(programs, pod, "ports")?.ports;
    const serve = typeof served === "function" ? served : served?.[port];
    if (serve === undefined) {
      throw new Error(
        `failed to connect to localhost:${port} inside namespace: connection refused`,
      );
    }
    await serve(stream);
    return undefined;
  } catch (error) {
    if (signal.aborted) return undefined;
    const { message } = toError(error);
    return `error forwarding port ${port} to pod ${pod.metadata.name}, uid : ${message}`;
  }
}

/** Runs `serve` over a WebSocket until it ends, the client leaves, the Pod is deleted or the server closes. */
export async function withSocket(
  socket: ByteSocket,
  protocol: string,
  { clock, logger, onDeleted, streams }: ServedPod,
  serve: (messages: MessageSocket, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  // Servers without streams do not load WebSockets.
  const { MessageSocket } = await import("@kubeloop/controller/websocket");
  const messages = new MessageSocket(socket, { role: "server", clock, protocol });
  const stop = new AbortController();
  const remove = streams.add((reason) => messages.destroy(reason));
  const release = onDeleted(() => stop.abort(new Deleted("The Pod was deleted")));
  messages.closed.then(() => stop.abort(new Error("The connection was closed")));
  try {
    await serve(messages, stop.signal);
  } catch (error) {
    // A disconnected client is not a failure.
    if (!stop.signal.aborted) logger.error("A program of a Pod failed", error);
  } finally {
    release();
    await messages.close();
    remove();
  }
}

/** The reason of the abort when the Pod is deleted. */
class Deleted extends Error {}

/** Returns the Status with the exit code or the error of a command. */
async function statusOf(run: () => Promise<number | void>, signal: AbortSignal): Promise<unknown> {
  const killed = Promise.withResolvers<number>();
  const kill = () => {
    if (signal.reason instanceof Deleted) killed.resolve(KILLED);
    else killed.reject(signal.reason);
  };
  signal.addEventListener("abort", kill, { once: true });
  if (signal.aborted) kill();
  let code: number;
  try {
    const ended = run().then((returned) => returned ?? 0);
    code = await new Promise<number>((resolve, reject) => {
      ended.then(resolve, reject);
      killed.promise.then(resolve, reject);
    });
  } catch (error) {
    if (signal.aborted) {
      if (!(signal.reason instanceof Deleted)) throw error;
      code = KILLED;
    } else {
      const { message } = toError(error);
      return internalFailure(`error executing command in container: ${message}`).status;
    }
  } finally {
    signal.removeEventListener("abort", kill);
  }
  if (code === 0) return { metadata: {}, status: "Success" };
  return {
    metadata: {},
    status: "Failure",
    message: `command terminated with non-zero exit code: exit status ${code}`,
    reason: "NonZeroExitCode",
    details: { causes: [{ reason: "ExitCode", message: `${code}` }] },
  };
}

async function sendParts(
  messages: MessageSocket,
  channel: number,
  data: string | Uint8Array,
): Promise<void> {
  const bytes = typeof data === "string" ? encoder.encode(data) : data;
  for (let at = 0; at < bytes.length; at += MESSAGE_BYTES) {
    const part = bytes.subarray(at, at + MESSAGE_BYTES);
    const message = new Uint8Array(part.length + 1);
    message[0] = channel;
    message.set(part, 1);
    await messages.send(message);
  }
}

function sizeOf(bytes: Uint8Array): { columns: number; rows: number } {
  try {
    const { Width: columns, Height: rows } = readJson<{ Width: unknown; Height: unknown }>(
      new TextDecoder().decode(bytes),
    );
    return { columns: Number(columns), rows: Number(rows) };
  } catch {
    return { columns: 0, rows: 0 };
  }
}

/** The open streams of a server: commands, attachments and forwarded ports. */
export class OpenStreams {
  readonly #open = new Set<(reason: Error) => void>();

  /** The number of open streams. */
  get size(): number {
    return this.#open.size;
  }

  /** Registers what breaks a stream. The returned function removes it. */
  add(destroy: (reason: Error) => void): () => void {
    this.#open.add(destroy);
    return () => this.#open.delete(destroy);
  }

  /** Breaks all streams. */
  end(reason: Error): void {
    for (const destroy of [...this.#open]) destroy(reason);
  }
}
