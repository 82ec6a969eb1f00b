import { connect, type Socket } from "node:net";
import { connect as connectTls, type ConnectionOptions, type PeerCertificate } from "node:tls";
import { describeError, onAbort } from "../../base/mod.ts";
import { type ByteSocket, byteSocketOf } from "../../websocket/mod.ts";
import { proxyAuthorization, splitProxyUrl, type TransportSettings } from "../config/mod.ts";
import { readAnswer } from "./http_answer.ts";
import { tlsOptions, trustOptions } from "./tls_options.ts";

/** A host without brackets, and a port. */
interface Address {
  readonly host: string;
  readonly port: number;
}

/** The error of a connection that the other end has closed before it was of any use. */
export const CLOSED_EARLY = "The connection was closed while it was opened (EOF)";

/** The TLS session of the last connection to a server. The next connection resumes it, which saves both ends work. */
export interface SessionCache {
  session?: Uint8Array | undefined;
}

/**
 * Opens a connection to the server at `url`, like {@linkcode dialSocket}, as a stream of bytes.
 *
 * @throws `signal.reason`, if the signal aborts before the connection is open.
 */
export async function dial(
  url: URL,
  settings: TransportSettings,
  signal: AbortSignal,
): Promise<ByteSocket> {
  return byteSocketOf(await dialSocket(url, settings, signal));
}

/**
 * Opens a connection to the server at `url`, through the proxy and with the certificates of `settings`. The sockets
 * come from `node:net` and `node:tls` on every runtime. An error of the socket after it has opened is ignored,
 * unless the caller listens for it.
 *
 * @param cache Remembers the TLS session. Default: none is resumed.
 * @throws `signal.reason`, if the signal aborts before the connection is open.
 */
export async function dialSocket(
  url: URL,
  settings: TransportSettings,
  signal: AbortSignal,
  cache?: SessionCache,
): Promise<Socket> {
  signal.throwIfAborted();
  const { tlsServerName, proxyUrl } = settings;
  const isTls = url.protocol === "https:";
  const target = addressOf(url);
  const tls: ConnectionOptions = {
    ...tlsOptions(settings),
    ...await serverNameOptions(tlsServerName ?? target.host),
    ...(cache?.session === undefined ? {} : { session: cache.session as Buffer }),
    ALPNProtocols: ["http/1.1"],
  };
  if (proxyUrl === undefined) {
    if (!isTls) return await opened(connect(target), false, signal);
    return await opened(remembered(connectTls({ ...target, ...tls }), cache), true, signal);
  }
  const tunnel = await dialThrough(proxyUrl, target, settings, signal);
  // Nothing arrives before the first request, so nothing is lost while the socket has no reader.
  if (!isTls) return tunnel.resume();
  return await opened(remembered(connectTls({ socket: tunnel, ...tls }), cache), true, signal);
}

/** Opens a connection to a proxy, and makes it a tunnel to `target`. */
async function dialThrough(
  proxyUrl: string,
  target: Address,
  settings: TransportSettings,
  signal: AbortSignal,
): Promise<Socket> {
  const proxy = new URL(splitProxyUrl(proxyUrl).url);
  const isTls = proxy.protocol === "https:";
  const trust = { ...trustOptions(settings), ...await serverNameOptions(proxy.hostname) };
  const socket = isTls ? connectTls({ ...addressOf(proxy), ...trust }) : connect(addressOf(proxy));
  await opened(socket, isTls, signal);
  await openTunnel(byteSocketOf(socket), target, proxyUrl, signal);
  release(socket);
  return socket;
}

/** Keeps the TLS session of a connection in `cache`. */
function remembered(socket: Socket, cache: SessionCache | undefined): Socket {
  if (cache !== undefined) {
    socket.on("session", (session: Uint8Array) => {
      cache.session = session;
    });
    // The server may no longer accept the session.
    socket.once("error", () => {
      cache.session = undefined;
    });
  }
  return socket;
}

/** Removes the listeners of a socket, so that another owner may read it. */
function release(socket: Socket): void {
  for (const event of ["data", "drain", "end", "error", "close"]) socket.removeAllListeners(event);
  socket.on("error", () => {});
}

function addressOf(url: URL): Address {
  const port = url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
  return { host: url.hostname.replace(/^\[|\]$/g, ""), port };
}
/** Resolves when a socket is connected, and its TLS session is open. */
function opened(socket: Socket, isTls: boolean, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const release = onAbort(signal, (reason) => {
      reject(reason);
      socket.destroy();
    });
    const fail = (error: Error) => {
      release();
      reject(withMessage(error));
    };
    const closed = () => fail(new Error(CLOSED_EARLY));
    socket.on("error", fail);
    socket.once("close", closed);
    socket.once(isTls ? "secureConnect" : "connect", () => {
      release();
      socket.off("close", closed);
      resolve(socket);
    });
  });
}

/**
 * Returns `error`, or an error with a message in its place: when Node has tried several addresses of a host, its error
 * has no message of its own.
 */
function withMessage(error: Error): Error {
  if (!(error instanceof AggregateError) || error.message !== "") return error;
  return new Error(error.errors.map(describeError).join(", "), { cause: error });
}

/** Asks a proxy to connect to `target`. */
async function openTunnel(
  tunnel: ByteSocket,
  { host, port }: Address,
  proxyUrl: string,
  signal: AbortSignal,
): Promise<void> {
  const release = onAbort(signal, (reason) => tunnel.destroy(reason));
  try {
    const name = `${host.includes(":") ? `[${host}]` : host}:${port}`;
    const authorization = proxyAuthorization(proxyUrl);
    const lines = [`CONNECT ${name} HTTP/1.1`, `Host: ${name}`];
    if (authorization !== undefined) lines.push(`Proxy-Authorization: ${authorization}`);
    await tunnel.write(new TextEncoder().encode(`${lines.join("\r\n")}\r\n\r\n`));
    const { status } = await readAnswer(tunnel);
    if (status >= 200 && status < 300) return;
    throw new Error(`Proxy refused to open a tunnel: it answered ${status}`);
  } catch (error) {
    tunnel.destroy(error);
    throw error;
  } finally {
    release();
  }
}

/** The options of `node:tls` that set the expected name in the server's certificate. */
export interface ServerNameOptions {
  readonly servername?: string;
  readonly checkServerIdentity?: (host: string, certificate: PeerCertificate) => Error | undefined;
}

/**
 * Returns the options to request and expect `name`. An IP address is only expected, because TLS does not allow
 * addresses in the server name indication (SNI).
 */
export async function serverNameOptions(name: string | undefined): Promise<ServerNameOptions> {
  if (name === undefined) return {};
  if (!/^[\d.]+$|:/.test(name)) return { servername: name };
  const { checkServerIdentity } = await import("node:tls");
  return { checkServerIdentity: (_, certificate) => checkServerIdentity(name, certificate) };
}
