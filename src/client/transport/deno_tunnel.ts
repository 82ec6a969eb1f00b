import { describeError, encodeBase64 } from "../../base/mod.ts";
import { proxyAuthorization, splitProxyUrl } from "../config/mod.ts";

/** The part of the `Deno` API that {@linkcode DenoTunnel} uses. */
export interface DenoNet {
  listen(options: { hostname: string; port: number }): Listener;
  connect(options: { hostname: string; port: number }): Promise<Connection>;
  connectTls(options: {
    hostname: string;
    port: number;
    caCerts?: string[];
  }): Promise<Connection>;
}

interface Connection {
  readonly readable: ReadableStream<Uint8Array<ArrayBuffer>>;
  readonly writable: WritableStream<Uint8Array<ArrayBuffer>>;
  close(): void;
}

interface Listener {
  readonly addr: { readonly port: number };
  accept(): Promise<Connection>;
  close(): void;
  unref(): void;
}

/** The destination of a {@linkcode DenoTunnel}. */
export interface TunnelEnd {
  /** The URL of the API server. */
  readonly server: URL;
  /** The URL of the proxy in front of the API server. */
  readonly proxyUrl: string | undefined;
  /** The certificate authority of the proxy's certificate, as PEM. */
  readonly caData: string | undefined;
}

/** The maximum size of a request or response head. No proxy sends more before the tunnel starts. */
const MAX_HEAD_BYTES = 16 * 1024;

/**
 * A local proxy for Deno's HTTP client. It connects to one fixed server, whatever host the client requests, and
 * requires a password that only this process knows.
 *
 * The tunnel works around two limits of Deno's HTTP client. The client cannot expect a name in the server's certificate
 * that differs from the host it connects to. The client also sends the user and password of a proxy to the server.
 */
export class DenoTunnel {
  /** The URL, the user and the password of this proxy. */
  readonly proxy: { readonly url: string; readonly username: string; readonly password: string };
  readonly #net: DenoNet;
  readonly #end: TunnelEnd;
  readonly #listener: Listener;
  readonly #authorization: string;
  readonly #connections = new Set<Connection>();
  #failure: unknown;

  /** Starts to listen on a free port of 127.0.0.1. */
  constructor(net: DenoNet, end: TunnelEnd) {
    this.#net = net;
    this.#end = end;
    this.#listener = net.listen({ hostname: "127.0.0.1", port: 0 });
    this.#listener.unref();
    const password = [...crypto.getRandomValues(new Uint8Array(16))].join("-");
    this.proxy = {
      url: `http://127.0.0.1:${this.#listener.addr.port}`,
      username: "kubeloop",
      password,
    };
    this.#authorization = `Basic ${encodeBase64(`kubeloop:${password}`)}`;
    this.#accept();
  }

  /** Returns the reason why the tunnel could not be opened if it caused `error`, and `error` otherwise. */
  explain(error: unknown): unknown {
    const failure = this.#failure;
    if (failure === undefined || !/tunnel/.test(describeError(error))) return error;
    this.#failure = undefined;
    return failure;
  }

  /** Stops accepting connections. Open connections continue. */
  drain(): void {
    try {
      this.#listener.close();
    } catch {
      // The listener is already closed.
    }
  }

  /** Stops accepting connections and closes the open ones. */
  close(): void {
    this.drain();
    for (const connection of this.#connections) closeQuietly(connection);
    this.#connections.clear();
  }

  async #accept(): Promise<void> {
    while (true) {
      let connection: Connection;
      try {
        connection = await this.#listener.accept();
      } catch {
        return; // The listener was closed.
      }
      this.#serve(connection).catch(() => closeQuietly(connection));
    }
  }

  async #serve(near: Connection): Promise<void> {
    this.#connections.add(near);
    let far: Connection | undefined;
    try {
      const head = await readHead(near);
      if (!head.includes(this.#authorization)) {
        await write(near, "HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
        return;
      }
      try {
        far = await this.#open();
      } catch (error) {
        this.#failure = error;
        await write(near, "HTTP/1.1 502 Bad Gateway\r\n\r\n");
        return;
      }
      this.#connections.add(far);
      await write(near, "HTTP/1.1 200 OK\r\n\r\n");
      await Promise.allSettled([
        near.readable.pipeTo(far.writable),
        far.readable.pipeTo(near.writable),
      ]);
    } finally {
      for (const connection of [near, far]) {
        if (connection === undefined) continue;
        this.#connections.delete(connection);
        closeQuietly(connection);
      }
    }
  }

  /** Opens a connection to the server, through the proxy if one is configured. */
  async #open(): Promise<Connection> {
    const { server, proxyUrl, caData } = this.#end;
    if (proxyUrl === undefined) return await this.#net.connect(addressOf(server));
    const proxy = new URL(splitProxyUrl(proxyUrl).url);
    const authorization = proxyAuthorization(proxyUrl);
    const connection = proxy.protocol === "https:"
      ? await this.#net.connectTls({
        ...addressOf(proxy),
        ...(caData === undefined ? {} : { caCerts: [caData] }),
      })
      : await this.#net.connect(addressOf(proxy));
    const target = `${server.hostname}:${addressOf(server).port}`;
    const lines = [`CONNECT ${target} HTTP/1.1`, `Host: ${target}`];
    if (authorization !== undefined) lines.push(`Proxy-Authorization: ${authorization}`);
    try {
      await write(connection, `${lines.join("\r\n")}\r\n\r\n`);
      const [status = ""] = (await readHead(connection)).split("\r\n");
      if (/^HTTP\/1\.[01] 2\d\d/.test(status)) return connection;
      throw new Error(`Proxy refused to open a tunnel: ${status.replace(/^\S+ /, "")}`);
    } catch (error) {
      closeQuietly(connection);
      throw error;
    }
  }
}

function addressOf(url: URL): { readonly hostname: string; readonly port: number } {
  const port = url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
  return { hostname: url.hostname.replace(/^\[|\]$/g, ""), port };
}

/** Reads the head of a request or a response. The sender sends nothing after it until it gets a reply. */
async function readHead({ readable }: Connection): Promise<string> {
  const reader = readable.getReader();
  const decoder = new TextDecoder();
  let head = "";
  try {
    while (!head.includes("\r\n\r\n")) {
      const { done, value } = await reader.read();
      if (done) throw new Error("Proxy closed the connection before it opened a tunnel");
      if (head.length > MAX_HEAD_BYTES) {
        throw new Error(`Proxy answered with a head of more than ${MAX_HEAD_BYTES} bytes`);
      }
      head += decoder.decode(value, { stream: true });
    }
    return head;
  } finally {
    reader.releaseLock();
  }
}

async function write({ writable }: Connection, text: string): Promise<void> {
  const writer = writable.getWriter();
  try {
    await writer.write(new TextEncoder().encode(text));
  } finally {
    writer.releaseLock();
  }
}

function closeQuietly(connection: Connection): void {
  try {
    connection.close();
  } catch {
    // The streams of the connection have already closed it.
  }
}
