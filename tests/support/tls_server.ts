/**
 * HTTPS servers on loopback that read client certificates, and a proxy, for tests of connections.
 *
 * @module
 */

import http from "node:http";
import https from "node:https";
import net from "node:net";

/** A request as seen by a {@linkcode TlsServer}. */
export interface SeenRequest {
  readonly url: string;
  /** The common name of the client certificate; undefined without a certificate of the authority. */
  readonly clientName: string | undefined;
  /** The server name of the TLS handshake (SNI). */
  readonly serverName: string | undefined;
  /** The header lines as sent. */
  readonly lines: readonly (readonly [name: string, value: string])[];
}

/** Options of a {@linkcode TlsServer}. */
export interface TlsServerOptions {
  readonly cert: string;
  readonly key: string;
  /** The certificate of the authority that signs client certificates. */
  readonly ca: string;
  /** Whether to reject connections without a certificate of the authority. */
  readonly rejectUnauthorized?: boolean;
  /** Returns the status of the response. Default: always 200. */
  readonly status?: (request: SeenRequest) => number;
}

/** Answers requests with an object, and requests with `watch=` with a stream that stays open after one event. */
export class TlsServer {
  /** Its URL. */
  readonly url: string;
  readonly requests: SeenRequest[] = [];
  /** The number of TLS sessions so far. */
  sessions = 0;
  readonly #server: https.Server;

  private constructor(server: https.Server, port: number) {
    this.#server = server;
    this.url = `https://127.0.0.1:${port}`;
  }

  static async start(options: TlsServerOptions): Promise<TlsServer> {
    const { cert, key, ca, rejectUnauthorized = false, status = () => 200 } = options;
    const server = https.createServer({ cert, key, ca, requestCert: true, rejectUnauthorized });
    const started = new TlsServer(server, await listen(server));
    server.on("secureConnection", () => started.sessions++);
    server.on("request", (request, response) => {
      const seen = seenOf(request);
      started.requests.push(seen);
      const code = status(seen);
      response.writeHead(code, { "Content-Type": "application/json" });
      const metadata = { name: seen.clientName ?? "anonymous", namespace: "default" };
      if (code === 200 && seen.url.includes("watch=")) {
        response.write(`${JSON.stringify({ type: "ADDED", object: { metadata } })}\n`);
        return;
      }
      const failure = { kind: "Status", status: "Failure", code, message: `Says ${code}` };
      response.end(JSON.stringify(code === 200 ? { metadata } : failure));
    });
    return started;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await close(this.#server);
  }
}

function seenOf(request: http.IncomingMessage): SeenRequest {
  // deno-lint-ignore no-explicit-any
  const socket = request.socket as any;
  const lines: [string, string][] = [];
  const { rawHeaders } = request;
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    lines.push([rawHeaders[i]!.toLowerCase(), rawHeaders[i + 1]!]);
  }
  return {
    url: request.url ?? "",
    clientName: socket.authorized ? socket.getPeerCertificate?.()?.subject?.CN : undefined,
    serverName: socket.servername || undefined,
    lines,
  };
}

/** A proxy that opens tunnels or rejects them. */
export class ConnectProxy {
  /** Its URL. */
  readonly url: string;
  /** The requested tunnels, with their Proxy-Authorization. */
  readonly tunnels: { readonly to: string; readonly authorization: string | undefined }[] = [];
  readonly #server: http.Server;
  readonly #sockets = new Set<net.Socket>();

  private constructor(server: http.Server, port: number) {
    this.#server = server;
    this.url = `http://127.0.0.1:${port}`;
  }

  static async start(options: { readonly refuses?: boolean } = {}): Promise<ConnectProxy> {
    const server = http.createServer();
    const proxy = new ConnectProxy(server, await listen(server));
    server.on("connect", (request, socket: net.Socket) => {
      proxy.#keep(socket);
      const to = request.url ?? "";
      proxy.tunnels.push({ to, authorization: request.headers["proxy-authorization"] });
      if (options.refuses) {
        socket.end("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n");
        return;
      }
      const { hostname, port } = new URL(`http://${to}`);
      const upstream = net.connect(Number(port), hostname, () => {
        socket.write("HTTP/1.1 200 OK\r\n\r\n");
        upstream.pipe(socket);
        socket.pipe(upstream);
      });
      proxy.#keep(upstream);
    });
    return proxy;
  }

  #keep(socket: net.Socket): void {
    this.#sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => this.#sockets.delete(socket));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await close(this.#server);
  }
}

function listen(server: net.Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as net.AddressInfo).port));
  });
}

async function close(server: http.Server | https.Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
}
