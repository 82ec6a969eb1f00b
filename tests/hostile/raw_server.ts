/** A server of raw sockets, for answers that no HTTP library would send. */

import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { deflateSync, gzipSync } from "node:zlib";

const LIST = JSON.stringify({
  kind: "ConfigMapList",
  apiVersion: "v1",
  metadata: { resourceVersion: "10" },
  items: [{ metadata: { name: "a", namespace: "default", resourceVersion: "5" } }],
});

const HEAD = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n";

/** Returns an answer with a body of the right length. */
export function answer(body: string | Uint8Array, headers = ""): Uint8Array {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const head = new TextEncoder().encode(`${HEAD}${headers}Content-Length: ${bytes.length}\r\n\r\n`);
  const whole = new Uint8Array(head.length + bytes.length);
  whole.set(head);
  whole.set(bytes, head.length);
  return whole;
}

/** The handling of a socket whose request has arrived. */
export type RawBehaviour = (socket: Socket) => void;

const chunked = `${HEAD}Transfer-Encoding: chunked\r\n\r\n`;

/** Named behaviours at the level of sockets. Each answers a list. */
export const RAW: Readonly<Record<string, RawBehaviour>> = {
  "a socket that is closed at once": (socket) => socket.destroy(),
  "a socket that is half closed": (socket) => socket.end(),
  "half a head": (socket) => socket.end("HTTP/1.1 200 O"),
  "half a body": (socket) => socket.end(answer(LIST).subarray(0, 150)),
  "a Content-Length beyond the body": (socket) =>
    socket.end(`${HEAD}Content-Length: 100000\r\n\r\n${LIST}`),
  "a Content-Length within the body": (socket) =>
    socket.end(`${HEAD}Content-Length: 20\r\n\r\n${LIST}`),
  "a Content-Length of -1": (socket) => socket.end(`${HEAD}Content-Length: -1\r\n\r\n${LIST}`),
  "two Content-Lengths": (socket) =>
    socket.end(`${HEAD}Content-Length: 5\r\nContent-Length: 9\r\n\r\n${LIST}`),
  "a chunk of an impossible length": (socket) =>
    socket.end(`${chunked}FFFFFFFFFFFFFFFFF\r\n${LIST}`),
  "a chunk without an end": (socket) => socket.end(`${chunked}5\r\n[`),
  "no HTTP at all": (socket) => socket.end("220 mail.example ESMTP\r\n"),
  "a TLS alert": (socket) => socket.end(new Uint8Array([21, 3, 1, 0, 2, 2, 10])),
  "a status of 999": (socket) => socket.end("HTTP/1.1 999 Whatever\r\nContent-Length: 0\r\n\r\n"),
  "a redirect": (socket) =>
    socket.end("HTTP/1.1 307 Moved\r\nLocation: http://127.0.0.2:9/\r\nContent-Length: 0\r\n\r\n"),
  "a redirect to itself": (socket) =>
    socket.end("HTTP/1.1 302 Found\r\nLocation: /api/v1/configmaps\r\nContent-Length: 0\r\n\r\n"),
  "a switch of protocols": (socket) =>
    socket.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n"),
  "a hundred informational answers, then an end": (socket) =>
    socket.end("HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n".repeat(100)),
  "no answer": () => {},
  "a body of one byte": (socket) => socket.write(`${HEAD}Content-Length: 1000\r\n\r\n{`),
  "an error with half a body": (socket) =>
    socket.write("HTTP/1.1 500 No\r\nContent-Length: 1000\r\n\r\nno"),
  "a bomb of gzip": (socket) =>
    socket.end(answer(gzipSync(new Uint8Array(50_000_000)), "Content-Encoding: gzip\r\n")),
  "a bomb of deflate": (socket) =>
    socket.end(answer(deflateSync(new Uint8Array(50_000_000)), "Content-Encoding: deflate\r\n")),
  "gzip that is none": (socket) => socket.end(answer(LIST, "Content-Encoding: gzip\r\n")),
  "a second answer that nobody asked for": (socket) => {
    const forged = LIST.replace('"a"', '"forged"');
    socket.write(answer("{}"));
    socket.write(answer(forged));
  },
};

/** A server on a loopback address whose first answers are bad. */
export class RawServer {
  /** The number of requests, the watch included. */
  requests = 0;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(behaviour: RawBehaviour, times: number) {
    let left = times;
    this.#server = createServer((socket) => {
      this.#sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => this.#sockets.delete(socket));
      let received = "";
      socket.on("data", (data: Uint8Array) => {
        received += new TextDecoder().decode(data);
        if (!received.includes("\r\n\r\n")) return;
        const isWatch = received.includes("watch=true");
        received = "";
        this.requests++;
        if (left-- > 0) behaviour(socket);
        else if (isWatch) socket.write(chunked);
        else socket.write(answer(LIST));
      });
    });
  }

  /** Starts a server whose first `times` requests are answered by `behaviour`. */
  static async start(behaviour: RawBehaviour, times: number): Promise<RawServer> {
    const server = new RawServer(behaviour, times);
    await new Promise<void>((resolve) => server.#server.listen(0, "127.0.0.1", resolve));
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }
}
