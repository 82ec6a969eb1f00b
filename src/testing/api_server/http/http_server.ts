import {
  createServer,
  type IncomingMessage,
  METHODS,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import { createServer as createTlsServer } from "node:https";
import { lookup } from "node:dns/promises";
import { type AddressInfo, isIP, type Socket } from "node:net";
import { onAbort, realClock } from "@kubeloop/controller/base";
import { ApiError, badRequest, failure, methodNotAllowed } from "../values/mod.ts";
import { AcceptedHosts } from "./accepted_hosts.ts";
import { headOf, requestOf, sendResponse } from "./node_messages.ts";
import { urlOf } from "./request_head.ts";
import type { Responder, ServedApi, ServeOptions } from "./serve_types.ts";

/** The time, in milliseconds, that open responses have to end before their connections are cut. */
const CLOSE_GRACE_MS = 500;

/** How long a connection may wait for its next request, as in kube-apiserver. */
const IDLE_MS = 90_000;

/** The maximum size of the head of a request, as in kube-apiserver. */
const HEAD_BYTES_MAX = 1024 * 1024;

/** How long a client may take to send what it has begun. */
export interface RequestLimits {
  /** For a TLS handshake, and for the head of a request, in milliseconds. */
  readonly headMs: number;
  /** For a request with its body, in milliseconds. The response, such as a watch, may take any time. */
  readonly requestMs: number;
  /** The interval in which the server checks both, in milliseconds. */
  readonly checkMs: number;
}

const LIMITS: RequestLimits = { headMs: 10_000, requestMs: 30_000, checkMs: 1_000 };

/**
 * Serves with `node:http`, on every runtime: `Deno.serve` waits for the rest of a request for ever, and cannot drop a
 * connection.
 *
 * @throws {RangeError} If a host to accept is not a host name or an IP address.
 */
export async function listen(
  responder: Responder,
  options: ServeOptions,
  limits: RequestLimits = LIMITS,
): Promise<ServedApi> {
  const { port = 0, hostname = "127.0.0.1", signal, tls } = options;
  const address = await addressOf(hostname, port);
  const hosts = new AcceptedHosts([hostname, address], options.acceptHosts);
  const scheme = tls === undefined ? "http" : "https";
  const settings = {
    headersTimeout: limits.headMs,
    requestTimeout: limits.requestMs,
    connectionsCheckingInterval: limits.checkMs,
    keepAliveTimeout: IDLE_MS,
    maxHeaderSize: HEAD_BYTES_MAX,
    // A missing host is refused with a Status.
    requireHostHeader: false,
  };
  const server = tls === undefined
    ? createServer(settings)
    : createTlsServer({ ...settings, ...tls, handshakeTimeout: limits.headMs });
  const sockets = new Set<Socket>();
  /** The responses that are not sent to their end, by socket. */
  const responses = new Map<Socket, ServerResponse>();
  /** The sockets that HTTP can be sent on: those with TLS only after the handshake. */
  const ready = new WeakSet<Socket>();
  /** The sockets that are closed after an error. */
  const refused = new WeakSet<Socket>();
  let closing = false;

  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  server.on(scheme === "http" ? "connection" : "secureConnection", (socket: Socket) => {
    ready.add(socket);
  });
  server.on("request", (incoming, outgoing) => {
    const { socket } = incoming;
    responses.set(socket, outgoing);
    outgoing.once("close", () => {
      responses.delete(socket);
      if (!incoming.complete && !socket.destroyed) awaitRest(incoming, socket);
      if (closing) server.closeIdleConnections();
    });
    // A client that has left is no failure of the server.
    incoming.on("error", () => {});
    outgoing.on("error", () => {});
    answer(incoming, outgoing).catch(() => outgoing.destroy());
  });
  server.on("connect", (incoming, socket) => {
    try {
      urlOf(headOf(incoming), scheme, hosts);
    } catch (error) {
      refuse(socket as Socket, toApiError(error));
    }
  });
  server.on("clientError", (error, socket) => {
    const outgoing = responses.get(socket as Socket);
    if (!ready.has(socket as Socket) || outgoing?.headersSent) socket.destroy();
    else refuse(socket as Socket, unreadable(error));
  });

  const listening = Promise.withResolvers<void>();
  // Without a listener, a connection that cannot be accepted would end the process.
  server.on("error", listening.reject);
  server.listen(port, address, listening.resolve);
  await listening.promise;
  const finished = Promise.withResolvers<void>();
  server.once("close", finished.resolve);
  const cut = () => {
    server.close();
    server.closeAllConnections();
    for (const socket of sockets) socket.destroy();
  };
  const release = onAbort(signal, cut);
  const bound = (server.address() as AddressInfo).port;
  return {
    url: `${scheme}://${inUrl(address)}:${bound}`,
    port: bound,
    finished: finished.promise.finally(release),
    close: async () => {
      closing = true;
      const timer = realClock.setTimer(cut, CLOSE_GRACE_MS);
      server.close();
      server.closeIdleConnections();
      await finished.promise;
      timer.cancel();
    },
  };

  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    if (closing) outgoing.shouldKeepAlive = false;
    let request: Request;
    try {
      const url = urlOf(headOf(incoming), scheme, hosts);
      request = requestOf(incoming, outgoing, url);
    } catch (error) {
      return await sendResponse(responder.refuse(toApiError(error)), outgoing);
    }
    await sendResponse(await responder.answer(request), outgoing);
  }

  /** Closes the connection if the rest of an answered request does not come: Deno no longer waits for it then. */
  function awaitRest(incoming: IncomingMessage, socket: Socket): void {
    const timer = realClock.setTimer(() => {
      socket.off("close", cancel);
      if (!incoming.complete) socket.destroy();
    }, limits.requestMs);
    const cancel = () => timer.cancel();
    socket.once("close", cancel);
  }

  /** Answers what is no request for `answer`, and closes the connection. */
  async function refuse(socket: Socket, error: ApiError): Promise<void> {
    // Without this, the parser would fail again on each part of what follows.
    socket.removeAllListeners("data").resume();
    if (refused.has(socket)) return;
    refused.add(socket);
    const response = responder.refuse(error);
    const { headers, status } = response;
    const lines = [...headers].map(([name, value]) => `${name}: ${value}\r\n`);
    const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}`;
    const body = await response.text();
    socket.end(`${head}Connection: close\r\n\r\n${body}`, () => socket.destroy());
  }
}

/**
 * Returns the IP address of `hostname`.
 *
 * @throws {Error} If there is none. Without a permission to listen there, Deno's `listen()` would end the process.
 */
async function addressOf(hostname: string, port: number): Promise<string> {
  const address = isIP(hostname) === 0 ? (await lookup(hostname)).address : hostname;
  if ("Deno" in globalThis) {
    const host = `${inUrl(address)}:${port}`;
    const { state } = await Deno.permissions.request({ name: "net", host });
    if (state !== "granted") throw new Error(`Requires net access to ${host}: see --allow-net`);
  }
  return address;
}

function inUrl(address: string): string {
  return address.includes(":") ? `[${address}]` : address;
}

/** Returns the error for a request that could not be read to its end. */
function unreadable(error: Error & { code?: string; rawPacket?: Uint8Array }): ApiError {
  if (error.code === "ERR_HTTP_REQUEST_TIMEOUT") {
    return failure(408, "The request was not complete in time", { reason: "Timeout" });
  }
  if (error.code === "HPE_HEADER_OVERFLOW") {
    return failure(431, `The head of the request is longer than ${HEAD_BYTES_MAX} bytes`);
  }
  // The parser of node:http knows a list of methods only.
  const text = new TextDecoder("latin1").decode(error.rawPacket?.subarray(0, 100));
  const [, method] = /^([!#$%&'*+.^_`|~\w-]+) \S/.exec(text) ?? [];
  if (method !== undefined && !METHODS.includes(method)) return methodNotAllowed();
  return badRequest("The request is not HTTP/1.1");
}

function toApiError(error: unknown): ApiError {
  if (ApiError.is(error)) return error;
  return badRequest(error instanceof Error ? error.message : String(error));
}
