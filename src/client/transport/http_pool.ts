import type { Agent, IncomingMessage, request } from "node:http";
import type { Socket } from "node:net";
import type { Duplex, Readable } from "node:stream";
import type { createGunzip } from "node:zlib";
import { type Clock, LinkedAbort, onAbort, realClock } from "../../base/mod.ts";
import type { TransportSettings } from "../config/mod.ts";
import type { SessionCache } from "./dial.ts";
import type { Transport, TransportRequest } from "./transport.ts";

/**
 * The time limit for opening a connection, with its tunnel and TLS handshake. It is that of client-go for the
 * connection alone.
 */
const MAX_CONNECT_MS = 30_000;

/**
 * The time after which an unused connection is closed. API servers close theirs after 90 s, and many load balancers
 * forget a connection after a few minutes without telling.
 */
const MAX_IDLE_MS = 60_000;

/** A connection is closed this much earlier than the server says that it closes it, so that no request meets that. */
const IDLE_MARGIN_MS = 1_000;

/** The time without data after which the kernel asks whether the other end is still there, as in client-go. */
const KEEP_ALIVE_MS = 30_000;

/** The functions and the agent for the requests of one protocol. */
interface ProtocolAgent {
  readonly request: typeof request;
  readonly agent: Agent;
  readonly createGunzip: typeof createGunzip;
}

/**
 * The transport of Node, and of Bun for most requests: a connection pool on `node:http` and `node:https`.
 *
 * The built-in `fetch` of Node takes certificates and proxies only through the package undici, which bundlers do not
 * find. It needs 1.3 to 2 times the CPU per request, about the same for large bodies, and twice the memory.
 *
 * The pool does not limit the number of concurrent requests, keeps header lines of the same name separate, follows no
 * redirects, asks no proxy of the environment, and does not end a body that sends nothing for minutes.
 */
export class HttpPool implements Transport {
  readonly fetch: Transport["fetch"] = (url, request) => this.#request(url, request);
  readonly #settings: TransportSettings;
  readonly #clock: Clock;
  readonly #agents: Agent[] = [];
  readonly #protocolAgents = new Map<string, Promise<ProtocolAgent>>();
  readonly #sessions: SessionCache = {};
  /** Aborts connections that are being opened. */
  readonly #stop = new AbortController();
  #running = 0;
  #drained: PromiseWithResolvers<void> | undefined;

  /**
   * Creates a pool without connections.
   *
   * @param clock Measures the time that a connection takes to open.
   */
  constructor(settings: TransportSettings, clock: Clock = realClock) {
    this.#settings = settings;
    this.#clock = clock;
  }

  async #request(url: string, request: TransportRequest): Promise<Response> {
    this.#running++;
    let over = false;
    const end = () => {
      if (over) return;
      over = true;
      this.#running--;
      this.#closeIfDrained();
    };
    try {
      const protocolAgent = await this.#agentOf(new URL(url).protocol);
      request.signal.throwIfAborted();
      this.#stop.signal.throwIfAborted();
      return await send(protocolAgent, url, request, end);
    } catch (error) {
      // The request may still be open. Then it has already been destroyed.
      end();
      throw error;
    }
  }

  drain(): Promise<void> {
    this.#drained ??= Promise.withResolvers();
    this.#closeIfDrained();
    return this.#drained.promise;
  }

  close(): Promise<void> {
    this.#stop.abort(new Error("Connection closed before a response: the pool is closed"));
    for (const agent of this.#agents) agent.destroy();
    return Promise.resolve();
  }

  #closeIfDrained(): void {
    if (this.#drained === undefined || this.#running > 0) return;
    void this.close();
    this.#drained.resolve();
  }

  #agentOf(protocol: string): Promise<ProtocolAgent> {
    let opened = this.#protocolAgents.get(protocol);
    if (opened === undefined) {
      opened = this.#openAgent(protocol);
      this.#protocolAgents.set(protocol, opened);
    }
    return opened;
  }

  /** Imports the modules on first use, because importing them takes longer than importing the rest of a program. */
  async #openAgent(protocol: string): Promise<ProtocolAgent> {
    const { Agent, request } = protocol === "https:"
      ? await import("node:https")
      : await import("node:http");
    const { createGunzip } = await import("node:zlib");
    const agent = new Agent({ keepAlive: true, keepAliveMsecs: KEEP_ALIVE_MS });
    agent.createConnection = (options, callback) => {
      const { url, signal } = (options as unknown as RequestTarget).kubeloop;
      this.#connect(url, signal).then(
        (socket) => callback?.(null, socket),
        (error) => callback?.(error, undefined as unknown as Duplex),
      );
      // Node then waits for the callback.
      return undefined as unknown as Duplex;
    };
    limitIdleTime(agent);
    this.#agents.push(agent);
    return { request, agent, createGunzip };
  }

  /** Opens a connection for a request, in limited time. */
  async #connect(url: string, signal: AbortSignal): Promise<Socket> {
    const { CLOSED_EARLY, dialSocket } = await import("./dial.ts");
    const link = new LinkedAbort(signal);
    const release = onAbort(this.#stop.signal, (reason) => link.abort(reason));
    const timer = this.#clock.setTimer(() => {
      link.abort(new Error(`Connection timed out: not open after ${MAX_CONNECT_MS / 1000} s`));
    }, MAX_CONNECT_MS);
    try {
      const socket = await dialSocket(new URL(url), this.#settings, link.signal, this.#sessions);
      // Its events have already passed.
      if (socket.destroyed) throw socket.errored ?? new Error(CLOSED_EARLY);
      return socket;
    } finally {
      timer.cancel();
      release();
      link.release();
    }
  }
}

/** The options of a request that the function that opens its connection receives. */
interface RequestTarget {
  readonly kubeloop: { readonly url: string; readonly signal: AbortSignal };
}

/**
 * Sends a request.
 *
 * @param end Called when the request is over and its connection is free or closed.
 */
function send(
  { request, agent, createGunzip }: ProtocolAgent,
  url: string,
  { method, headers, body, signal }: TransportRequest,
  end: () => void,
): Promise<Response> {
  const lines = new Map<string, string[]>();
  for (const [name, value] of headers) {
    const values = lines.get(name.toLowerCase());
    if (values === undefined) lines.set(name.toLowerCase(), [value]);
    else values.push(value);
  }
  // Without Content-Length, node:http sends the body of a DELETE outside of the request, and the server would ignore
  // the preconditions in it.
  const bytes = body === null ? undefined : new TextEncoder().encode(body);
  if (bytes !== undefined) lines.set("content-length", [`${bytes.length}`]);
  // As `fetch` does.
  if (!lines.has("accept-encoding")) lines.set("accept-encoding", ["gzip"]);
  const target: RequestTarget = { kubeloop: { url, signal } };
  return new Promise((resolve, reject) => {
    const options = { method, headers: Object.fromEntries(lines), agent, ...target };
    const outgoing = request(url, options);
    const release = onAbort(signal, (reason) => {
      reject(reason);
      outgoing.destroy();
    });
    outgoing.on("close", () => {
      release();
      end();
      reject(unanswered());
    });
    outgoing.on("error", (error) => {
      // The message of node:http does not say what happened.
      reject(error.message === "socket hang up" ? unanswered(error) : error);
    });
    outgoing.on("response", (message: IncomingMessage) => {
      rememberIdleTime(message);
      try {
        resolve(responseOf(message, createGunzip, signal));
      } catch (error) {
        reject(error);
        outgoing.destroy();
      }
    });
    outgoing.end(bytes);
  });
}

/** The status codes of answers without a body. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * Returns the answer of the server.
 *
 * @throws {Error} If its status is not one of HTTP.
 */
function responseOf(
  message: IncomingMessage,
  createGunzip: ProtocolAgent["createGunzip"],
  signal: AbortSignal,
): Response {
  const { statusCode: status = 0 } = message;
  if (status < 200 || status > 599) {
    throw new Error(`The server answered with the status ${status}, expected 200 to 599`);
  }
  const headers = headersOf(message);
  if (!WITHOUT_BODY.has(status)) {
    return new Response(bodyOf(unzipped(message, createGunzip), signal), { status, headers });
  }
  message.on("error", () => {});
  message.resume();
  return new Response(null, { status, headers });
}

/** How long the server keeps an unused connection, if it says so (`Keep-Alive: timeout=5`), in milliseconds. */
const idleTimes = new WeakMap<object, number>();

function rememberIdleTime({ headers, socket }: IncomingMessage): void {
  const [, seconds] = /\btimeout=(\d{1,9})/.exec(String(headers["keep-alive"] ?? "")) ?? [];
  if (seconds !== undefined) idleTimes.set(socket, Number(seconds) * 1000);
}

/** Makes an agent close the connections that it has not used for some time. */
function limitIdleTime(agent: Agent): void {
  const keep = agent.keepSocketAlive;
  const reuse = agent.reuseSocket;
  // Node's types declare the socket as a stream.
  agent.keepSocketAlive = function (stream): boolean {
    const socket = stream as Socket;
    const limit = Math.min(MAX_IDLE_MS, (idleTimes.get(socket) ?? Infinity) - IDLE_MARGIN_MS);
    // The types say that it returns nothing, the documentation says that it tells whether to keep the connection.
    const isKept: unknown = keep?.call(this, socket);
    if (isKept === false || limit <= 0) return false;
    socket.setTimeout(limit);
    return true;
  };
  agent.reuseSocket = function (stream, outgoing): void {
    (stream as Socket).setTimeout(0);
    reuse?.call(this, stream, outgoing);
  };
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    headers.append(rawHeaders[i]!, rawHeaders[i + 1]!);
  }
  return headers;
}
/** Returns the uncompressed body of `message`. If either stream breaks off, so does the other. */
function unzipped(message: IncomingMessage, createGunzip: ProtocolAgent["createGunzip"]): Readable {
  if (!/^(?:x-)?gzip$/i.test(message.headers["content-encoding"] ?? "")) return message;
  const gunzip = createGunzip();
  message.on("error", (error) => gunzip.destroy(error));
  message.on("close", () => {
    if (!message.complete) gunzip.destroy(brokenOff());
  });
  gunzip.on("close", () => {
    if (!message.complete) message.destroy();
  });
  return message.pipe(gunzip);
}

function unanswered(cause?: unknown): Error {
  return new Error("Connection closed before a response", { cause });
}

function brokenOff(): Error {
  return new Error("Connection closed before the end of the body");
}

/** Returns the body of `message` as a stream. `message` is paused while the stream is not read. */
function bodyOf(message: Readable, signal: AbortSignal): ReadableStream<Uint8Array> {
  let over = false;
  return new ReadableStream({
    start(controller) {
      message.pause();
      message.on("data", (chunk: Uint8Array) => {
        if (over) return;
        controller.enqueue(chunk);
        if ((controller.desiredSize ?? 0) <= 0) message.pause();
      });
      message.on("end", () => {
        if (!over) controller.close();
        over = true;
      });
      const fail = (error: unknown) => {
        if (!over) controller.error(signal.aborted ? signal.reason : error);
        over = true;
      };
      message.on("error", fail);
      message.on("close", () => fail(brokenOff()));
    },
    pull: () => void message.resume(),
    cancel() {
      over = true;
      message.destroy();
    },
  }, { highWaterMark: 1 });
}
