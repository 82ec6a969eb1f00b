/** Servers that refuse to open a WebSocket, at the level of bytes. */

import { assertEquals, assertRejects } from "@std/assert";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { openUpgraded } from "../../../src/client/transport/open_upgraded.ts";
import { VirtualClock } from "../../../src/testing/mod.ts";

/** A server that answers each request with parts, each in a packet of its own, and then says nothing. */
class PartServer implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** Resolves when the parts are sent. */
  readonly sent: Promise<void>;

  private constructor(parts: readonly string[]) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.sent = promise;
    this.#server = createServer((socket) => {
      this.#sockets.add(socket);
      socket.on("error", () => {});
      socket.setNoDelay(true);
      socket.once("data", async () => {
        for (const part of parts) {
          await new Promise((resolve) => socket.write(part, resolve));
          // A turn for the reader, so that the next part comes with another read.
          for (let turn = 0; turn < 20; turn++) await new Promise((next) => setTimeout(next, 0));
        }
        resolve();
      });
    });
  }

  static async start(parts: readonly string[]): Promise<PartServer> {
    const server = new PartServer(parts);
    await new Promise<void>((resolve) => server.#server.listen(0, "127.0.0.1", resolve));
    return server;
  }

  get url(): URL {
    return new URL(`http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/exec`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.sent;
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }
}

const open = (server: PartServer, clock: VirtualClock, signal = new AbortController().signal) =>
  openUpgraded(server.url, { headers: [], protocols: ["p"], signal }, {}, clock);

async function bodyOf(answer: Awaited<ReturnType<typeof openUpgraded>>) {
  if (!(answer instanceof Response)) throw new Error("the connection was opened");
  return [answer.status, await answer.text()];
}

const CHUNKED = "HTTP/1.1 403 Forbidden\r\nTransfer-Encoding: chunked\r\n\r\n";

Deno.test("openUpgraded() reads a refusal whose last chunk comes in two packets", async () => {
  for (
    const parts of [["2\r\nno\r\n0\r\n", "\r\n"], ["2\r\nno\r\n0", "\r\n\r\n"], [
      "2\r\nno\r\n",
      "0\r\n\r\n",
    ]]
  ) {
    await using server = await PartServer.start([CHUNKED, ...parts]);
    assertEquals(await bodyOf(await open(server, new VirtualClock())), [403, "no"]);
  }
});

Deno.test("openUpgraded() uses the received part of a refusal after ten seconds", async () => {
  const clock = new VirtualClock();
  await using server = await PartServer.start([CHUNKED, "2\r\nno\r\n"]);
  const answer = open(server, clock);
  await server.sent;
  await clock.advance(10_000);
  assertEquals(await bodyOf(await answer), [403, "no"]);
  assertEquals(clock.pendingTimers, 0);
});

Deno.test("openUpgraded() ends with its signal, whatever the server has sent by then", async () => {
  for (const parts of [[], ["HTTP/1.1 101 S"], [CHUNKED, "2\r\n"]]) {
    const clock = new VirtualClock();
    const stop = new AbortController();
    await using server = await PartServer.start(parts);
    const reason = new Error("enough");
    const answer = assertRejects(() => open(server, clock, stop.signal));
    await server.sent;
    stop.abort(reason);
    assertEquals(await answer, reason);
    assertEquals(clock.pendingTimers, 0);
  }
});

Deno.test("openUpgraded() refuses an answer that is not a WebSocket of its subprotocols", async () => {
  const upgrade = "HTTP/1.1 101 x\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: ";
  for (
    const [answer, message] of [
      ["HTTP/1.1 101 x\r\n\r\n", "does not speak WebSocket"],
      [`${upgrade}forged\r\n\r\n`, "does not speak WebSocket"],
      ["HTTP/1.1 ???\r\n\r\n", "is not HTTP/1.1"],
    ] as const
  ) {
    await using server = await PartServer.start([answer]);
    await assertRejects(() => open(server, new VirtualClock()), Error, message);
  }
});
