import {
  createServer,
  type IncomingMessage,
  METHODS,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import { createServer as createTlsServer, type Server as TlsServer } from "node:https";
import { lookup } from "node:dns/promises";
import { type AddressInfo, isIP, type Socket } from "node:net";
import { createPrivateKey, X509Certificate } from "node:crypto";
import { describeError, hostInUrl, realClock } from "../base/mod.ts";
import { writeLatin1 } from "./latin1_writes.ts";
import { headOf, requestOf, sendResponse, upgradeRequestOf } from "./node_messages.ts";
import { UnreadableRequest } from "./request_head.ts";
import type { Listening, ListenLimits, ListenOptions, Service } from "./service.ts";
import { requireTls, type TlsMaterial, unusableTls } from "./tls.ts";

/** How long a connection may wait for its next request, as in kube-apiserver. */
const IDLE_MS = 90_000;

/** The maximum size of the head of a request, as in kube-apiserver. */
const HEAD_BYTES_MAX = 1024 * 1024;

const LIMITS: ListenLimits = {
  headMs: 10_000,
  requestMs: 30_000,
  checkMs: 1_000,
  maxConnections: Infinity,
  maxBodyBytes: Infinity,
};

/**
 * Serves with `node:http`, on every runtime: `Deno.serve` waits for the rest of a request for ever, and cannot drop a
 * connection.
 *
 * @throws {Error} If the port cannot be listened on, or the certificate and the key cannot be used.
 */
export async function listen(
  serviceAt: (address: string, scheme: "http" | "https") => Service,
  options: ListenOptions,
): Promise<Listening> {
  const { port, hostname, tls } = options;
  if (tls !== undefined) requireUsable(tls);
  const address = await addressOf(hostname, port);
  const scheme = tls === undefined ? "http" : "https";
  const service = serviceAt(address, scheme);
  const socketServer = new SocketServer(service, { ...LIMITS, ...options.limits });
  const bound = await socketServer.open(port, address, tls);
  return {
    url: `${scheme}://${hostInUrl(address)}:${bound}`,
    scheme,
    port: bound,
    finished: socketServer.finished,
    replaceTls: async (next) => {
      requireUsable(next);
      await socketServer.replaceTls(bound, address, next);
    },
    close: (graceMs) => socketServer.close(graceMs),
    cut: () => socketServer.cut(),
  };
}

/** The sockets, requests and responses of a server. */
class SocketServer {
  /** Resolves when everything is closed. */
  readonly finished: Promise<void>;
  readonly #service: Service;
  readonly #limits: ListenLimits;
  readonly #finish: () => void;
  /** The servers of node:http: one, and on Bun also servers that still have connections with an older certificate. */
  readonly #servers = new Set<Server | TlsServer>();
  /** The sockets of the network, in the order in which they became idle. */
  readonly #sockets = new Set<Socket>();
  /** The last request of each socket of the network that is answered at the moment. */
  readonly #requests = new Map<Socket, IncomingMessage>();
  /** The network socket below each TLS socket. */
  readonly #below = new WeakMap<Socket, Socket>();
  /** The responses that are not sent to their end, by socket. */
  readonly #responses = new Map<Socket, ServerResponse>();
  /** The sockets that HTTP can be sent on. A TLS socket is ready after the handshake. */
  readonly #ready = new Set<Socket>();
  /** The sockets that are closed after an error. */
  readonly #refused = new WeakSet<Socket>();
  #current: Server | TlsServer | undefined;
  #closing = false;
  /** Whether a server is closed and another one, which takes its place, does not listen yet. */
  #isReplacing = false;

  constructor(service: Service, limits: ListenLimits) {
    this.#service = service;
    this.#limits = limits;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.finished = promise;
    this.#finish = resolve;
  }

  /** Starts to listen. Returns the port. */
  async open(port: number, address: string, tls: TlsMaterial | undefined): Promise<number> {
    const server = this.#create(tls);
    const listening = Promise.withResolvers<void>();
    // Without a listener, a connection that cannot be accepted would end the process.
    server.on("error", listening.reject);
    server.listen(port, address, listening.resolve);
    try {
      await listening.promise;
    } catch (error) {
      throw cannotListen(error, address, port);
    }
    this.#current = server;
    this.#servers.add(server);
    server.once("close", () => {
      this.#servers.delete(server);
      this.#finishIfClosed();
    });
    return (server.address() as AddressInfo).port;
  }

  /** Serves new connections with `tls`. */
  async replaceTls(port: number, address: string, tls: TlsMaterial): Promise<void> {
    const server = this.#current;
    if (server === undefined || this.#closing) return;
    if ("setSecureContext" in server) {
      server.setSecureContext({ ...tls });
      return;
    }
    // Bun has no other way. The old server keeps its open connections.
    this.#isReplacing = true;
    server.close();
    server.closeIdleConnections();
    try {
      await this.open(port, address, tls);
    } finally {
      this.#isReplacing = false;
      // It may have been closed meanwhile, without the new server.
      if (this.#closing) this.#current?.close();
      this.#finishIfClosed();
    }
  }

  #finishIfClosed(): void {
    if (this.#servers.size === 0 && !this.#isReplacing) this.#finish();
  }

  async close(graceMs: number): Promise<void> {
    this.#closing = true;
    const timer = realClock.setTimer(() => this.cut(), graceMs);
    for (const server of this.#servers) {
      server.close();
      server.closeIdleConnections();
    }
    // An incomplete request could keep the server open until the grace ends.
    for (const socket of this.#ready) if (!this.#responses.has(socket)) socket.destroy();
    await this.finished;
    timer.cancel();
  }

  cut(): void {
    this.#closing = true;
    for (const server of this.#servers) {
      server.close();
      server.closeAllConnections();
    }
    for (const socket of this.#sockets) socket.destroy();
  }

  #create(tls: TlsMaterial | undefined): Server | TlsServer {
    const { headMs, requestMs, checkMs, maxConnections } = this.#limits;
    const settings = {
      headersTimeout: headMs,
      requestTimeout: requestMs,
      connectionsCheckingInterval: checkMs,
      keepAliveTimeout: IDLE_MS,
      maxHeaderSize: HEAD_BYTES_MAX,
      // The service refuses a missing host.
      requireHostHeader: false,
    };
    const server = tls === undefined
      ? createServer(settings)
      : createTlsServer({ ...settings, ...tls, handshakeTimeout: headMs });
    server.on("connection", (socket: Socket) => {
      // A reset by the client is not a failure of the server.
      socket.on("error", () => {});
      if (this.#sockets.size >= maxConnections && !this.#dropIdle()) {
        socket.destroy();
        return;
      }
      this.#sockets.add(socket);
      socket.once("close", () => {
        this.#sockets.delete(socket);
        this.#requests.delete(socket);
      });
    });
    server.on(tls === undefined ? "connection" : "secureConnection", (socket: Socket) => {
      if (tls !== undefined) this.#noteBelow(socket);
      writeLatin1(socket);
      this.#ready.add(socket);
      socket.once("close", () => this.#ready.delete(socket));
    });
    server.on("request", (incoming, outgoing) => this.#request(server, incoming, outgoing));
    const { upgrade } = this.#service;
    if (upgrade !== undefined) {
      server.on("upgrade", (incoming, socket, first) => {
        this.#upgrade(incoming, socket as Socket, first, upgrade).catch(() => socket.destroy());
      });
    }
    server.on("connect", (incoming, socket) => {
      try {
        this.#service.urlOf(headOf(incoming));
      } catch (error) {
        this.#refuse(socket as Socket, error).catch(() => socket.destroy());
      }
    });
    server.on("clientError", (error, socket) => {
      const outgoing = this.#responses.get(socket as Socket);
      if (!this.#ready.has(socket as Socket) || outgoing?.headersSent) socket.destroy();
      else this.#refuse(socket as Socket, unreadable(error)).catch(() => socket.destroy());
    });
    return server;
  }

  /** Notes the socket of the network below one with TLS, which no runtime tells: no two have the same remote port. */
  #noteBelow(secure: Socket): void {
    for (const socket of this.#sockets) {
      if (
        socket.remotePort !== secure.remotePort || socket.remoteAddress !== secure.remoteAddress
      ) continue;
      this.#below.set(secure, socket);
      return;
    }
  }

  /**
   * Drops a connection to make room for another one: the connection that has been idle for the longest time, or else
   * the oldest connection with an incomplete request. So clients that only hold connections do not lock others out.
   *
   * @returns Whether there was one.
   */
  #dropIdle(): boolean {
    let incomplete: Socket | undefined;
    let idle: Socket | undefined;
    for (const socket of this.#sockets) {
      const incoming = this.#requests.get(socket);
      if (incoming === undefined) {
        idle = socket;
        break;
      }
      if (!incoming.complete) incomplete ??= socket;
    }
    const dropped = idle ?? incomplete;
    if (dropped === undefined) return false;
    this.#sockets.delete(dropped);
    dropped.destroy();
    return true;
  }

  #request(server: Server | TlsServer, incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { socket } = incoming;
    const below = this.#below.get(socket) ?? socket;
    this.#responses.set(socket, outgoing);
    this.#requests.set(below, incoming);
    outgoing.once("close", () => {
      this.#responses.delete(socket);
      if (this.#requests.get(below) === incoming) this.#requests.delete(below);
      // It is the last to be dropped now.
      if (this.#sockets.delete(below)) this.#sockets.add(below);
      if (!incoming.complete && !socket.destroyed) this.#awaitRest(incoming, socket);
      if (this.#closing) server.closeIdleConnections();
    });
    // A client that has left is not a failure of the server.
    incoming.on("error", () => {});
    outgoing.on("error", () => {});
    this.#answer(incoming, outgoing).catch((error) => {
      if (!hasLeft(error)) this.#service.unsent?.(error);
      outgoing.destroy();
    });
  }

  async #answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    if (this.#closing) outgoing.shouldKeepAlive = false;
    let request: Request;
    try {
      const url = this.#service.urlOf(headOf(incoming));
      request = requestOf(incoming, outgoing, url, this.#limits.maxBodyBytes);
    } catch (error) {
      return await sendResponse(this.#service.refuse(error), outgoing);
    }
    await sendResponse(await this.#service.answer(request), outgoing);
  }

  /** Answers a request to upgrade the connection, and gives the connection away if it is accepted. */
  async #upgrade(
    incoming: IncomingMessage,
    socket: Socket,
    first: Uint8Array,
    upgrade: NonNullable<Service["upgrade"]>,
  ): Promise<void> {
    // An upgraded connection is in use until it closes.
    this.#requests.set(this.#below.get(socket) ?? socket, incoming);
    const left = new AbortController();
    const leave = () => left.abort();
    socket.once("close", leave);
    let answer: Awaited<ReturnType<typeof upgrade>>;
    try {
      const url = this.#service.urlOf(headOf(incoming));
      answer = await upgrade(upgradeRequestOf(incoming, url, left.signal));
    } catch (error) {
      // A rejection drops the connection, as that of an answer does.
      if (!(error instanceof UnreadableRequest)) throw error;
      answer = this.#service.refuse(error);
    }
    if (answer instanceof Response) return await this.#write(socket, answer);
    socket.off("close", leave);
    if (!socket.destroyed) answer(socket, first);
  }

  /** Closes the connection if the rest of an answered request does not come: Deno no longer waits for it then. */
  #awaitRest(incoming: IncomingMessage, socket: Socket): void {
    const timer = realClock.setTimer(() => {
      socket.off("close", cancel);
      if (!incoming.complete) socket.destroy();
    }, this.#limits.requestMs);
    const cancel = () => timer.cancel();
    socket.once("close", cancel);
  }

  /** Answers a malformed request, and closes the connection. */
  async #refuse(socket: Socket, error: unknown): Promise<void> {
    // Without this, the parser would fail again on each part of what follows.
    socket.removeAllListeners("data").resume();
    if (this.#refused.has(socket)) return;
    this.#refused.add(socket);
    await this.#write(socket, this.#service.refuse(error));
  }

  /** Writes a response, and closes the connection. */
  async #write(socket: Socket, response: Response): Promise<void> {
    const { headers, status } = response;
    const lines = [...headers].map(([name, value]) => `${name}: ${value}\r\n`);
    const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}`;
    const body = await response.text();
    socket.end(`${head}Connection: close\r\n\r\n${body}`, () => socket.destroy());
  }
}

/** Reports whether a response could not be sent because its client has left. */
function hasLeft(error: unknown): boolean {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  return name === "AbortError" || code === "ERR_STREAM_PREMATURE_CLOSE" || code === "ECONNRESET" ||
    code === "EPIPE";
}

/** @throws {Error} If the certificate or the key cannot be used. */
function requireUsable(tls: TlsMaterial): void {
  requireTls(tls);
  let fits: boolean;
  try {
    // Deno's TLS accepts a certificate and a key that do not belong together, and then fails each handshake.
    fits = new X509Certificate(tls.cert).checkPrivateKey(createPrivateKey(tls.key));
  } catch (error) {
    throw unusableTls(error);
  }
  if (!fits) throw unusableTls("the key is not that of the certificate");
}

/**
 * Returns the IP address of `hostname`.
 *
 * @throws {Error} If there is none. Without a permission to listen there, Deno's `listen()` would end the process.
 */
async function addressOf(hostname: string, port: number): Promise<string> {
  const address = isIP(hostname) === 0 ? (await lookup(hostname)).address : hostname;
  if ("Deno" in globalThis) {
    const host = `${hostInUrl(address)}:${port}`;
    const { state } = await Deno.permissions.request({ name: "net", host });
    if (state !== "granted") throw new Error(`Requires net access to ${host}: see --allow-net`);
  }
  return address;
}

function cannotListen(error: unknown, address: string, port: number): Error {
  const code = (error as { code?: string }).code;
  const why = code === "EADDRINUSE"
    ? "another program listens there: stop it, or choose another port"
    : code === "EACCES"
    ? "this user may not listen there: choose a port above 1023"
    : describeError(error);
  return new Error(`Cannot listen on port ${port} of ${address}: ${why}`, { cause: error });
}

/** Returns the error for a request that could not be read to its end. */
function unreadable(error: Error & { code?: string; rawPacket?: Uint8Array }): UnreadableRequest {
  if (error.code === "ERR_HTTP_REQUEST_TIMEOUT") {
    return new UnreadableRequest(408, "The request was not complete in time");
  }
  if (error.code === "HPE_HEADER_OVERFLOW") {
    return new UnreadableRequest(
      431,
      `The head of the request is longer than ${HEAD_BYTES_MAX} bytes`,
    );
  }
  // The parser of node:http knows a list of methods only.
  const text = new TextDecoder("latin1").decode(error.rawPacket?.subarray(0, 100));
  const [, method] = /^([!#$%&'*+.^_`|~\w-]+) \S/.exec(text) ?? [];
  if (method !== undefined && !METHODS.includes(method)) {
    return new UnreadableRequest(405, "The server does not know the method of the request");
  }
  return new UnreadableRequest(400, "The request is not HTTP/1.1");
}
