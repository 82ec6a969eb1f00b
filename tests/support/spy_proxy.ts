/**
 * A server and a proxy that must not be asked, for tests of proxies in the environment.
 *
 * @module
 */

import http from "node:http";
import net from "node:net";

/** An API server on loopback, and a listener that the environment calls a proxy and that records what it gets. */
export class SpiedWorld implements AsyncDisposable {
  /** The URL of the server. */
  readonly server: string;
  /** Everything that the proxy got. */
  readonly overheard: string[] = [];
  /** The requests that the server got: method, path and credentials. */
  readonly requests: string[] = [];
  readonly #proxy: string;
  readonly #listeners: readonly net.Server[];

  private constructor(listeners: readonly [net.Server, net.Server]) {
    this.#listeners = listeners;
    const [server, proxy] = listeners.map((listener) =>
      `http://127.0.0.1:${(listener.address() as net.AddressInfo).port}`
    );
    this.server = server!;
    this.#proxy = proxy!;
  }

  /** Starts the server and the proxy. */
  static async start(): Promise<SpiedWorld> {
    const world: { current?: SpiedWorld } = {};
    const server = http.createServer(({ method, url = "", headers }, response) => {
      world.current!.requests.push(`${method} ${url} ${headers.authorization}`);
      response.setHeader("Content-Type", "application/json");
      response.end(
        url.includes("watch=")
          ? '{"type":"ADDED","object":{"metadata":{"name":"n"}}}\n'
          : '{"metadata":{"name":"n"},"items":[]}',
      );
    });
    const proxy = net.createServer((socket) => {
      socket.on("error", () => {});
      socket.on("data", (data) => {
        world.current!.overheard.push(`${data}`);
        socket.end("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}");
      });
    });
    for (const listener of [server, proxy]) {
      await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", () => resolve()));
    }
    return world.current = new SpiedWorld([server, proxy]);
  }

  /** The environments of a process that all want the proxy to be used. */
  get environments(): Record<string, string>[] {
    const names = ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"];
    const without = { NO_PROXY: "", no_proxy: "", NODE_USE_ENV_PROXY: "1" };
    return names.map((name) => ({ ...without, [name]: this.#proxy }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const listener of this.#listeners) {
      const closed = new Promise((resolve) => listener.close(resolve));
      if (listener instanceof http.Server) listener.closeAllConnections();
      await closed;
    }
  }
}
