import { connect, type Socket } from "node:net";
import { connect as connectTls, type ConnectionOptions } from "node:tls";
import { type ByteSocket, byteSocketOf } from "../../websocket/mod.ts";
import { onAbort } from "../../base/mod.ts";
import { proxyAuthorization, splitProxyUrl, type TransportSettings } from "../config/mod.ts";
import { readAnswer } from "./http_answer.ts";
import { serverNameOptions } from "./server_name.ts";

/** A host without brackets, and a port. */
interface Address {
  readonly host: string;
  readonly port: number;
}

/**
 * Opens a connection to the server at `url`, through the proxy and with the certificates of `settings`. The sockets are those
 * of `node:net` and `node:tls` on every runtime: `fetch` gives no connection away.
 *
 * @throws `signal.reason`, if the signal aborts before the connection is open.
 */
export async function dial(
  url: URL,
  settings: TransportSettings,
  signal: AbortSignal,
): Promise<ByteSocket> {
  signal.throwIfAborted();
  const { caData, certData, keyData, tlsServerName, insecureSkipTlsVerify, proxyUrl } = settings;
  const trust = {
    ...(caData === undefined ? {} : { ca: caData }),
    ...(insecureSkipTlsVerify ? { rejectUnauthorized: false } : {}),
  };
  const isTls = url.protocol === "https:";
  const target = addressOf(url);
  const tls: ConnectionOptions = {
    ...trust,
    ...(certData === undefined || keyData === undefined ? {} : { cert: certData, key: keyData }),
    ...await serverNameOptions(tlsServerName ?? target.host),
    ALPNProtocols: ["http/1.1"],
  };
  if (proxyUrl === undefined) {
    const socket = isTls ? connectTls({ ...target, ...tls }) : connect(target);
    return byteSocketOf(await opened(socket, isTls, signal));
  }
  const proxy = new URL(splitProxyUrl(proxyUrl).url);
  const isTlsProxy = proxy.protocol === "https:";
  const near = isTlsProxy
    ? connectTls({ ...addressOf(proxy), ...trust, ...await serverNameOptions(proxy.hostname) })
    : connect(addressOf(proxy));
  await opened(near, isTlsProxy, signal);
  const tunnel = byteSocketOf(near);
  await openTunnel(tunnel, target, proxyUrl, signal);
  if (!isTls) return tunnel;
  release(near);
  return byteSocketOf(await opened(connectTls({ socket: near, ...tls }), true, signal));
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
      reject(error);
    };
    const closed = () => fail(new Error("The connection was closed while it was opened (EOF)"));
    socket.on("error", fail);
    socket.once("close", closed);
    socket.once(isTls ? "secureConnect" : "connect", () => {
      release();
      socket.off("close", closed);
      resolve(socket);
    });
  });
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
