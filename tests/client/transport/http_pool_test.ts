/** Tests of the connection pool of Node and Bun: hostile answers, aborts, limits of time, and what it keeps. */

import net from "node:net";
import { gzipSync } from "node:zlib";
import { assert, assertEquals, assertRejects } from "@std/assert";
import type { TransportSettings } from "../../../src/client/config/mod.ts";
import { HttpPool } from "../../../src/client/transport/http_pool.ts";
import type { TransportRequest } from "../../../src/client/transport/mod.ts";
import { VirtualClock } from "../../../src/testing/mod.ts";
import { ConnectProxy } from "../../support/tls_server.ts";
import { TlsWorld } from "../_tls_world.ts";
import { testOn } from "../../support/kinds_of_tests.ts";

/** A server that answers each request with a fixed text, and shows its connections. */
class TextServer implements AsyncDisposable {
  readonly heads: string[] = [];
  readonly sockets = new Set<net.Socket>();
  /** The number of connections so far. */
  connections = 0;
  readonly #server: net.Server;
  #wake: () => void = () => {};

  private constructor(answer: (head: string, socket: net.Socket) => void) {
    this.#server = net.createServer((socket) => {
      this.connections++;
      this.sockets.add(socket);
      const done = () => {
        this.sockets.delete(socket);
        this.#wake();
      };
      socket.on("close", done);
      socket.on("error", done);
      let received = "";
      socket.on("data", (chunk) => {
        received += chunk;
        if (!received.includes("\r\n\r\n")) return;
        const head = received;
        received = "";
        this.heads.push(head);
        answer(head, socket);
        this.#wake();
      });
      this.#wake();
    });
  }

  static async start(answer: (head: string, socket: net.Socket) => void): Promise<TextServer> {
    const server = new TextServer(answer);
    await new Promise<void>((resolve) => server.#server.listen(0, "127.0.0.1", () => resolve()));
    return server;
  }

  get address(): string {
    return `127.0.0.1:${(this.#server.address() as net.AddressInfo).port}`;
  }

  /** Resolves when `holds` returns true. It is called after each connection, request and end of a connection. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise<void>((resolve) => this.#wake = resolve);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** Returns a server that sends `text` after each request. */
const answering = (text: string) => TextServer.start((_, socket) => void socket.write(text));

const silent = () => TextServer.start(() => {});

/** Closes a pool at the end of a block. */
class OpenPool extends HttpPool implements AsyncDisposable {
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

const open = (settings: TransportSettings = {}, clock?: VirtualClock) =>
  new OpenPool(settings, clock);

function requestWith(more: Partial<TransportRequest> = {}): TransportRequest {
  return {
    method: "GET",
    headers: [],
    body: null,
    signal: new AbortController().signal,
    redirect: "manual",
    expects: "other",
    ...more,
  };
}

/** Lets events of the network arrive. */
const turns = async () => {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setTimeout(resolve, 0));
};

const OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

for (const status of [204, 205, 304]) {
  Deno.test(`HttpPool returns status ${status} without a body, whatever the server sends`, async () => {
    await using server = await answering(
      `HTTP/1.1 ${status} Nothing\r\nContent-Length: 2\r\n\r\nok`,
    );
    await using pool = open();
    const response = await pool.fetch(`http://${server.address}/`, requestWith());
    assertEquals([response.status, response.body], [status, null]);
  });
}

for (const status of ["600", "999", "199"]) {
  Deno.test(`HttpPool fails on the status ${status}`, async () => {
    await using server = await TextServer.start((_, socket) =>
      void socket.end(`HTTP/1.1 ${status} Odd\r\nContent-Length: 2\r\n\r\nok`)
    );
    await using pool = open();
    await assertRejects(() => pool.fetch(`http://${server.address}/`, requestWith()), Error);
    await server.until(() => server.sockets.size === 0);
  });
}

for (const name of ["gzip", "GZIP", "x-gzip"]) {
  Deno.test(`HttpPool reads an answer that the server calls ${name}`, async () => {
    const body = gzipSync("long text ".repeat(100));
    await using server = await TextServer.start((_, socket) => {
      socket.write(
        `HTTP/1.1 200 OK\r\nContent-Encoding: ${name}\r\nContent-Length: ${body.length}\r\n\r\n`,
      );
      socket.write(body);
    });
    await using pool = open();
    const response = await pool.fetch(`http://${server.address}/`, requestWith());
    assertEquals((await response.text()).length, 1000);
  });
}

Deno.test("HttpPool reads an answer with trailers, and uses the connection again", async () => {
  await using server = await answering(
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n2\r\nok\r\n0\r\nX-Sum: 1\r\n\r\n",
  );
  await using pool = open();
  for (let i = 0; i < 2; i++) {
    const response = await pool.fetch(`http://${server.address}/`, requestWith());
    assertEquals(await response.text(), "ok");
  }
  assertEquals(server.connections, 1);
});

Deno.test("HttpPool makes a hundred requests at once, each over a connection", async () => {
  const answers: (() => void)[] = [];
  await using server = await TextServer.start((_, socket) => {
    answers.push(() => socket.write(OK));
    // None is answered before all have arrived.
    if (answers.length === 100) { for (const answer of answers) answer(); }
  });
  await using pool = open();
  const texts = await Promise.all(
    Array.from(
      { length: 100 },
      async () => await (await pool.fetch(`http://${server.address}/`, requestWith())).text(),
    ),
  );
  assertEquals([new Set(texts).size, server.connections], [1, 100]);
});

testOn(["deno"], "the server of the test is Deno's", "HttpPool follows no redirect", async () => {
  await using server = await answering(
    "HTTP/1.1 307 Elsewhere\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n",
  );
  await using pool = open();
  const response = await pool.fetch(`http://${server.address}/`, requestWith());
  assertEquals([response.status, await response.text()], [307, ""]);
});

Deno.test("HttpPool keeps header lines of one name separate, in any case", async () => {
  await using server = await answering(OK);
  await using pool = open();
  const headers = [["Impersonate-Group", "a"], ["impersonate-group", "b"]] as const;
  await (await pool.fetch(`http://${server.address}/`, requestWith({ headers }))).text();
  const lines = server.heads[0]!.split("\r\n").filter((line) => /^impersonate/i.test(line));
  assertEquals(lines.map((line) => line.toLowerCase()), [
    "impersonate-group: a",
    "impersonate-group: b",
  ]);
});

Deno.test("HttpPool uses a connection again, for requests that follow at once", async () => {
  await using server = await answering(OK);
  await using pool = open();
  for (let i = 0; i < 20; i++) {
    await (await pool.fetch(`http://${server.address}/`, requestWith())).text();
  }
  assertEquals(server.connections, 1);
});

Deno.test("HttpPool ignores an answer without a request", async () => {
  await using server = await answering(OK + OK.replaceAll("ok", "no"));
  await using pool = open();
  for (let i = 0; i < 3; i++) {
    const response = await pool.fetch(`http://${server.address}/`, requestWith());
    assertEquals(await response.text(), "ok");
    await turns();
  }
  assertEquals(server.connections, 3);
});

Deno.test("HttpPool does not keep a connection that the server is about to close", async () => {
  await using server = await answering(OK.replace("\r\n\r\n", "\r\nKeep-Alive: timeout=1\r\n\r\n"));
  await using pool = open();
  for (let i = 0; i < 2; i++) {
    await (await pool.fetch(`http://${server.address}/`, requestWith())).text();
    await turns();
  }
  assertEquals(server.connections, 2);
});

Deno.test("HttpPool reads no faster than its caller", async () => {
  let written = 0;
  const block = new Uint8Array(1024 * 1024);
  await using server = await TextServer.start((_, socket) => {
    socket.write("HTTP/1.1 200 OK\r\n\r\n");
    const more = () => {
      while (written < 200 && !socket.destroyed) {
        written++;
        if (!socket.write(block)) return void socket.once("drain", more);
      }
    };
    more();
  });
  await using pool = open();
  const response = await pool.fetch(`http://${server.address}/`, requestWith());
  const reader = response.body!.getReader();
  await reader.read();
  await turns();
  assert(written < 50, `${written} MiB`);
  await reader.cancel();
  await server.until(() => server.sockets.size === 0);
});

const STAGES: Readonly<Record<string, string | undefined>> = {
  "before a head": undefined,
  "within the head": "HTTP/1.1 200 OK\r\nContent-",
  "before the body": "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n",
  "within the body": "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf",
  "within a chunk": "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\na\r\nhalf",
};

for (const [stage, text] of Object.entries(STAGES)) {
  Deno.test(`HttpPool rejects with the reason of an abort ${stage}, and closes the connection`, async () => {
    await using server = await (text === undefined ? silent() : answering(text));
    await using pool = open();
    const stop = new AbortController();
    const reason = new Error("enough");
    const request = requestWith({ signal: stop.signal });
    const reading = pool.fetch(`http://${server.address}/`, request)
      .then((response) => response.text());
    const failed = reading.then(() => undefined, (error) => error);
    await server.until(() => server.heads.length === 1);
    await turns();
    stop.abort(reason);
    assertEquals(await failed, reason);
    await server.until(() => server.sockets.size === 0);
    const late = await pool.fetch(`http://${server.address}/`, request)
      .then(() => undefined, (error) => error);
    assertEquals([late, server.connections], [reason, 1]);
  });

  Deno.test(`HttpPool reports a connection that is closed ${stage}`, async () => {
    await using server = await TextServer.start((_, socket) => void socket.end(text ?? ""));
    await using pool = open();
    await assertRejects(
      async () => await (await pool.fetch(`http://${server.address}/`, requestWith())).text(),
      Error,
    );
  });
}

Deno.test("HttpPool gives up a connection that does not open in 30 s", async () => {
  const clock = new VirtualClock();
  // It accepts the connection, and does not answer the handshake.
  await using server = await silent();
  await using pool = open({}, clock);
  const failing = assertRejects(
    () => pool.fetch(`https://${server.address}/`, requestWith()),
    Error,
    "Connection timed out: not open after 30 s",
  );
  await server.until(() => server.connections === 1);
  await clock.advance(30_000);
  await failing;
  await server.until(() => server.sockets.size === 0);
});

Deno.test("HttpPool gives up a proxy that does not open the tunnel in 30 s", async () => {
  const clock = new VirtualClock();
  await using proxy = await silent();
  await using pool = open({ proxyUrl: `http://${proxy.address}` }, clock);
  const failing = assertRejects(
    () => pool.fetch("https://10.0.0.1/", requestWith()),
    Error,
    "Connection timed out: not open after 30 s",
  );
  await proxy.until(() => proxy.heads.length === 1);
  assertEquals(proxy.heads[0]!.split("\r\n")[0], "CONNECT 10.0.0.1:443 HTTP/1.1");
  await clock.advance(30_000);
  await failing;
  await proxy.until(() => proxy.sockets.size === 0);
});

for (const how of ["an abort", "close()"]) {
  Deno.test(`HttpPool ends a connection that is being opened: ${how}`, async () => {
    await using server = await silent();
    for (
      const [url, settings] of [
        [`https://${server.address}/`, {}],
        ["http://10.0.0.1/", { proxyUrl: `http://${server.address}` }],
      ] as const
    ) {
      const before = server.connections;
      await using pool = open(settings);
      const stop = new AbortController();
      const reason = new Error("enough");
      const failing = pool.fetch(url, requestWith({ signal: stop.signal }))
        .then(() => undefined, (error) => error);
      await server.until(() => server.connections > before);
      await turns();
      if (how === "close()") await pool.close();
      else stop.abort(reason);
      const error = await failing;
      if (how === "close()") assert(/closed/.test(`${error}`), `${error}`);
      else assertEquals(error, reason);
      await server.until(() => server.sockets.size === 0);
    }
  });
}

Deno.test("HttpPool.drain() resolves when the last answer has been read, and closes the connections", async () => {
  await using server = await answering("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\no");
  await using pool = open();
  const response = await pool.fetch(`http://${server.address}/`, requestWith());
  let drained = false;
  const draining = pool.drain().then(() => drained = true);
  await turns();
  assertEquals([drained, server.sockets.size], [false, 1]);
  for (const socket of server.sockets) socket.write("k");
  assertEquals(await response.text(), "ok");
  await draining;
  await server.until(() => server.sockets.size === 0);
});

Deno.test("HttpPool.drain() waits for a request that has just begun", async () => {
  await using server = await answering(OK);
  await using pool = open();
  const answer = pool.fetch(`http://${server.address}/`, requestWith());
  const draining = pool.drain();
  assertEquals(await (await answer).text(), "ok");
  await draining;
});

Deno.test("HttpPool sends plain requests through the tunnel of a proxy, too", async () => {
  await using server = await answering(OK);
  await using proxy = await ConnectProxy.start();
  await using pool = open({ proxyUrl: proxy.url });
  for (let i = 0; i < 5; i++) {
    const response = await pool.fetch(`http://${server.address}/`, requestWith());
    assertEquals(await response.text(), "ok");
  }
  assertEquals([proxy.tunnels.length, server.connections], [1, 1]);
});

Deno.test("HttpPool names each address that it has tried", async () => {
  await using server = await silent();
  const { port } = new URL(`http://${server.address}`);
  await server[Symbol.asyncDispose]();
  await using pool = open();
  await assertRejects(
    () => pool.fetch(`http://localhost:${port}/`, requestWith()),
    Error,
    "ECONNREFUSED",
  );
});

testOn(
  ["deno", "node"],
  "servers of Bun do not see client certificates",
  "HttpPool shows its certificate to a TLS server, once for several requests",
  async () => {
    await using world = await TlsWorld.create();
    await using pool = open({
      caData: world.authority.cert,
      certData: world.me.cert,
      keyData: world.me.key,
    });
    for (let i = 0; i < 3; i++) {
      const response = await pool.fetch(`${world.server.url}/`, requestWith());
      assertEquals((await response.json()).metadata.name, "me");
    }
    assertEquals(world.server.sessions, 1);
  },
);
