import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { delay, describeError, onAbort, type Timer } from "../../base/mod.ts";
import { StatusError } from "../../types/mod.ts";
import { byteSocketOf } from "../../websocket/mod.ts";
import { describePod, type Requester } from "../request/mod.ts";
import { openPort, type PortConnection } from "./port_connection.ts";
import type { ForwardedPort, ForwardPlan, PortForward } from "./forward_options.ts";

/** How long to wait before the next try to reach a Pod, in milliseconds. */
const RETRY_MS = 1_000;

/**
 * How long a local program that has ended its direction still waits for what the Pod sends, in milliseconds after the
 * last bytes. The Pod does not learn of that end, and a program that has left looks the same.
 */
const LINGER_MS = 30_000;

/** Listens on local ports, with one connection to the Pod for each local connection. */
export class PortListener implements PortForward {
  readonly address: string;
  readonly finished: Promise<void>;
  #ports: readonly ForwardedPort[] = [];
  readonly #requester: Requester;
  readonly #plan: ForwardPlan;
  readonly #servers: Server[] = [];
  readonly #running = new Set<Promise<void>>();
  readonly #sockets = new Set<Socket>();
  readonly #stop = new AbortController();
  readonly #signal: AbortSignal;
  readonly #finish: () => void;
  readonly #release: () => void;
  #closing: Promise<void> | undefined;

  private constructor(requester: Requester, plan: ForwardPlan, signal: AbortSignal | undefined) {
    this.#requester = requester;
    this.#plan = plan;
    this.address = plan.address;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.finished = promise;
    this.#finish = resolve;
    const call = requester.begin(signal, "portForward()");
    const release = onAbort(call.signal, (reason) => void this.#close(reason));
    this.#signal = this.#stop.signal;
    this.#release = () => {
      release();
      call.release();
    };
  }

  /**
   * Starts to listen.
   *
   * @throws {Error} If a port cannot be listened on.
   */
  static async start(
    requester: Requester,
    plan: ForwardPlan,
    signal: AbortSignal | undefined,
  ): Promise<PortListener> {
    const listener = new PortListener(requester, plan, signal);
    try {
      const ports: ForwardedPort[] = [];
      for (const port of plan.ports) ports.push(await listener.#listen(port));
      listener.#ports = ports;
      return listener;
    } catch (error) {
      await listener.close();
      throw error;
    }
  }

  get ports(): readonly ForwardedPort[] {
    return this.#ports;
  }

  close(): Promise<void> {
    return this.#close(new Error("The port forward is closed"));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #close(reason: unknown): Promise<void> {
    this.#closing ??= this.#shutDown(reason);
    return this.#closing;
  }

  async #shutDown(reason: unknown): Promise<void> {
    this.#stop.abort(reason);
    const closed = this.#servers.map(close);
    for (const socket of this.#sockets) socket.destroy();
    await Promise.all([...closed, ...this.#running]);
    this.#release();
    this.#finish();
  }

  async #listen({ port, localPort }: ForwardedPort): Promise<ForwardedPort> {
    // The local program may end its direction and still read.
    const server = createServer({ allowHalfOpen: true }, (socket) => this.#accept(socket, port));
    const listening = Promise.withResolvers<void>();
    server.on("error", listening.reject);
    server.listen(localPort, this.address, listening.resolve);
    try {
      await listening.promise;
    } catch (error) {
      throw new Error(
        `Cannot listen on port ${localPort} of ${this.address}: ${describeError(error)}`,
        { cause: error },
      );
    }
    // A server that does not listen yet cannot be closed, so an abort leaves it to this place.
    if (this.#signal.aborted) {
      await close(server);
      throw this.#signal.reason;
    }
    this.#servers.push(server);
    return { port, localPort: (server.address() as AddressInfo).port };
  }

  #accept(socket: Socket, port: number): void {
    socket.on("error", () => {});
    if (this.#signal.aborted || this.#sockets.size >= this.#plan.maxConnections) {
      socket.destroy();
      return;
    }
    this.#sockets.add(socket);
    // It counts until it is closed: its program may read the rest of an answer long after the Pod has sent it.
    socket.once("close", () => this.#sockets.delete(socket));
    const running = this.#forward(socket, port).catch((error) => {
      socket.destroy();
      if (this.#signal.aborted) return;
      this.#plan.logger.warn(`Port forward: ${describeError(error)}`);
    });
    this.#running.add(running);
    running.finally(() => this.#running.delete(running));
  }

  /** Forwards one connection, until both directions have ended or one is lost. */
  async #forward(socket: Socket, port: number): Promise<void> {
    const local = byteSocketOf(socket);
    const left = new AbortController();
    const release = onAbort(this.#signal, (reason) => left.abort(reason));
    socket.once("close", () => left.abort(new LocalEnd()));
    const { clock } = this.#requester;
    let connection: PortConnection | undefined;
    let linger: Timer | undefined;
    let isOver = false;
    const lingerOn = () => {
      linger?.cancel();
      if (isOver) return;
      linger = clock.setTimer(() => left.abort(new LocalEnd()), LINGER_MS);
    };
    try {
      connection = await this.#reach(port, left.signal);
      const reader = connection.readable.getReader();
      const writer = connection.writable.getWriter();
      writer.closed.catch(() => {});
      const sending = (async () => {
        while (true) {
          const chunk = await local.read();
          if (chunk === undefined) return lingerOn();
          await writer.write(chunk);
        }
      })();
      // The error of the Pod says more than that of the writer.
      sending.catch(() => {});
      while (true) {
        const { done, value } = await reader.read();
        if (done) break;
        await local.write(value).catch((error) => {
          left.abort(new LocalEnd());
          throw error;
        });
        if (linger !== undefined) lingerOn();
      }
      local.end();
    } catch (error) {
      if (!(left.signal.reason instanceof LocalEnd)) throw error;
    } finally {
      release();
      isOver = true;
      linger?.cancel();
      await connection?.close();
      // The Pod has closed its side, so further bytes of the local program have no reader.
      socket.destroySoon();
    }
  }

  async #reach(port: number, signal: AbortSignal): Promise<PortConnection> {
    const { pod, namespace, waitForPodMs, logger } = this.#plan;
    const { clock } = this.#requester;
    const deadlineMs = clock.now() + waitForPodMs;
    while (true) {
      try {
        return await openPort(this.#requester, pod, port, { namespace, signal });
      } catch (error) {
        signal.throwIfAborted();
        const isFinal = StatusError.is(error) && (error.code === 401 || error.code === 403);
        if (isFinal || clock.now() + RETRY_MS > deadlineMs) throw error;
        logger.debug(
          `Port forward waits for Pod ${describePod(pod, namespace)}: ${describeError(error)}`,
        );
        await delay(RETRY_MS, { clock, signal });
      }
    }
  }
}

/** Stops a server. Resolves when its connections are closed too. */
function close(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}

/** The local program has closed its connection: no error. */
class LocalEnd extends Error {}
