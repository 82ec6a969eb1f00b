/** Tests that connections are closed when a call is aborted or the client closes. */

import http from "node:http";
import net from "node:net";
import zlib from "node:zlib";
import { assertEquals, assertRejects } from "@std/assert";
import { silentLogger } from "../../../src/base/mod.ts";
import { Client } from "../../../src/client/mod.ts";
import { type KubeObject, type ObjectReader, Pods } from "../../../src/types/mod.ts";

const pod = { metadata: { name: "p" } };
const LIST = JSON.stringify({ metadata: {}, items: Array(500).fill(pod) });

/** The part of a response that a {@linkcode RawServer} sends. The server keeps the connection open. */
type Manner =
  | "whole"
  | "whole, compressed"
  | "half"
  | "half, compressed"
  | "head only"
  | "nothing";

/**
 * An HTTP server that can send incomplete responses and counts its connections. It never closes a connection itself.
 */
class RawServer implements AsyncDisposable {
  manner: Manner = "whole";
  /** The heads of all requests so far. */
  readonly heads: string[] = [];
  readonly #sockets = new Set<net.Socket>();
  readonly #server: net.Server;
  #wake: () => void = () => {};

  constructor() {
    this.#server = net.createServer((socket) => {
      this.#sockets.add(socket);
      const done = () => {
        this.#sockets.delete(socket);
        this.#wake();
      };
      socket.on("close", done);
      // A client that resets the connection has released it.
      socket.on("error", done);
      let received = "";
      socket.on("data", (chunk) => {
        received += chunk;
        if (!received.includes("\r\n\r\n")) return;
        this.heads.push(received);
        received = "";
        this.#answer(socket);
        this.#wake();
      });
    });
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(this.#server.address() as net.AddressInfo).port}`;
  }

  get connections(): number {
    return this.#sockets.size;
  }

  /** Resolves when `holds` returns true. It is called after each request and after each closed connection. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise<void>((resolve) => this.#wake = resolve);
  }

  /** Destroys all connections. */
  hangUp(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  #answer(socket: net.Socket): void {
    const isCompressed = this.manner.endsWith("compressed");
    const body = isCompressed ? zlib.gzipSync(LIST) : new TextEncoder().encode(LIST);
    if (this.manner === "nothing") return;
    socket.write(
      "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n" +
        (isCompressed ? "Content-Encoding: gzip\r\n" : "") +
        `Content-Length: ${body.length}\r\n\r\n`,
    );
    if (this.manner !== "head only") {
      socket.write(this.manner.startsWith("half") ? body.subarray(0, body.length / 2) : body);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.hangUp();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

async function setUp(): Promise<{ server: RawServer; client: Client }> {
  const server = new RawServer();
  return { server, client: new Client({ server: await server.listen(), logger: silentLogger }) };
}

const reader: ObjectReader<KubeObject> = { readList: () => undefined, readEvent: () => undefined };

const LISTS: Readonly<Record<string, (client: Client, signal: AbortSignal) => Promise<unknown>>> = {
  "a list": (client, signal) => client.list(Pods, { signal }),
  "a list as bytes": (client, signal) =>
    client.listerWatcher(Pods).readBy!(reader).list({}, { signal }),
  "eachListItem()": (client, signal) => client.eachListItem(Pods, () => {}, { signal }),
};

for (const manner of ["half", "half, compressed", "head only", "nothing"] as const) {
  for (const [name, list] of Object.entries(LISTS)) {
    Deno.test(`Client closes the connection when ${name} is aborted (the server sent: ${manner})`, async () => {
      const { server, client } = await setUp();
      await using _server = server;
      await using _client = client;
      server.manner = manner;
      const stop = new AbortController();
      const listing = assertRejects(() => list(client, stop.signal), Error, "enough");
      await server.until(() => server.heads.length === 1);
      // Lets the client read the received part of the response.
      for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setTimeout(resolve, 0));
      stop.abort(new Error("enough"));
      await listing;
      await server.until(() => server.connections === 0);
    });
  }
}

Deno.test("Client.close() closes idle connections", async () => {
  const { server, client } = await setUp();
  await using _server = server;
  const get = () => client.get(Pods, "p", { namespace: "n" });
  await Promise.all([1, 2, 3].map(get));
  await get();
  assertEquals(server.connections, 3, "connections are kept for the next request");
  // Bun keeps no connection of a list.
  await Promise.all([1, 2, 3].map(() => client.list(Pods)));
  await client.close();
  await server.until(() => server.connections === 0);
});

Deno.test("Client requests compressed responses and reads them", async () => {
  const { server, client } = await setUp();
  await using _server = server;
  await using _client = client;
  server.manner = "whole, compressed";
  for (const list of Object.values(LISTS)) await list(client, new AbortController().signal);
  assertEquals((await client.list(Pods)).items.length, 500);
  const asks = server.heads.map((head) => /^accept-encoding:.*\bgzip\b/im.test(head));
  assertEquals(asks, [true, true, true, true]);
});

Deno.test("Client reports an incomplete compressed response", async () => {
  const { server, client } = await setUp();
  await using _server = server;
  await using _client = client;
  server.manner = "half, compressed";
  const listing = assertRejects(() => client.list(Pods, { maxRetries: 0 }), Error, "failed:");
  await server.until(() => server.heads.length === 1);
  server.hangUp();
  await listing;
});

Deno.test("Client sends the body of a request with every verb", async () => {
  const seen: string[] = [];
  const server = http.createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const { method, headers } = request;
    seen.push(`${method} ${headers["content-length"] ?? "-"} ${body.length}`);
    response.setHeader("Content-Type", "application/json");
    response.end(JSON.stringify(pod));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as net.AddressInfo;
  const call = { namespace: "n" };
  try {
    await using client = new Client({ server: `http://127.0.0.1:${port}` });
    await client.get(Pods, "p", call);
    await client.create(Pods, pod, call);
    await client.update(Pods, pod, call);
    await client.patch(Pods, "p", { metadata: { labels: { ä: "ö" } } }, call);
    await client.delete(Pods, "p", call);
    await client.delete(Pods, "p", { ...call, gracePeriodSeconds: 0 });
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
  assertEquals(seen, [
    "GET - 0",
    "POST 56 56",
    "PUT 56 56",
    // The length in bytes and in characters.
    "PATCH 35 33",
    "DELETE - 0",
    "DELETE 65 65",
  ]);
});
