/** Logs over real sockets, with the transport of the runtime. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { silentLogger } from "@kubeloop/controller/base";
import { Client } from "@kubeloop/controller/client";
import { followLogs } from "@kubeloop/controller/logs";
import { Pods } from "@kubeloop/controller/types";
import { ApiServer, startActors } from "@kubeloop/testing";

const namespace = "default";
const follow = { namespace, follow: true };

async function served() {
  const server = new ApiServer({ logger: silentLogger });
  const { url } = await server.serve();
  const client = new Client({ server: url, logger: silentLogger });
  await client.create(Pods, {
    metadata: { name: "web", namespace },
    spec: { containers: [{ name: "main", image: "i" }] },
  });
  server.logs.write("default/web", { text: "a\n" });
  return {
    server,
    client,
    async [Symbol.asyncDispose]() {
      await client.close();
      await server.close();
    },
  };
}

/** Waits until no client reads a log of the server. */
async function untilClosed(server: ApiServer): Promise<void> {
  while (server.logs.openStreams > 0) await new Promise((resolve) => setTimeout(resolve, 5));
}

Deno.test("a log that is followed over a socket arrives line by line, and is closed with its loop", async () => {
  await using t = await served();
  const seen: string[] = [];
  for await (const line of t.client.logs("web", follow)) {
    seen.push(line);
    if (seen.length === 3) break;
    t.server.logs.write("default/web", { text: `${seen.length}\nrest` });
  }
  assertEquals(seen, ["a", "1", "rest2"]);
  await untilClosed(t.server);
});

Deno.test("an abort closes the socket of a silent log", async () => {
  await using t = await served();
  const stop = new AbortController();
  const log = t.client.logs("web", { ...follow, signal: stop.signal });
  assertEquals((await log.next()).value, "a");
  const next = log.next();
  stop.abort(new Error("enough"));
  await assertRejects(() => next, Error, "enough");
  await untilClosed(t.server);
});

Deno.test("a hundred logs are followed at once, beside other requests", async () => {
  await using t = await served();
  const logs = Array.from({ length: 100 }, () => t.client.logs("web", follow));
  assertEquals(
    new Set((await Promise.all(logs.map((log) => log.next()))).map(({ value }) => value)),
    new Set(["a"]),
  );
  assertEquals(t.server.logs.openStreams, 100);
  assertEquals((await t.client.list(Pods)).items.length, 1);
  t.server.logs.write("default/web", { text: "b\n" });
  assertEquals(
    new Set((await Promise.all(logs.map((log) => log.next()))).map(({ value }) => value)),
    new Set(["b"]),
  );
  for (const log of logs) await log.close();
  await untilClosed(t.server);
});

Deno.test("a socket that is reset within a line breaks the log off after the lines before", async () => {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => {
      const chunk = "one\ntwo\nhal";
      const head =
        "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n";
      socket.write(`${head}${chunk.length.toString(16)}\r\n${chunk}\r\n`, () => {
        setTimeout(() => socket.resetAndDestroy?.() ?? socket.destroy(), 50);
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await using client = new Client({ server: `http://127.0.0.1:${port}`, logger: silentLogger });
  const lines: string[] = [];
  const error = await assertRejects(
    async () => {
      for await (const line of client.logs("web", follow)) lines.push(line);
    },
    Error,
    "broke off, connection closed",
  );
  assertEquals(lines, ["one", "two"]);
  assert(!error.message.includes("hal\n"));
  await new Promise((resolve) => server.close(resolve));
});

Deno.test("followLogs() over sockets outlives broken connections and a restart, each line once", async () => {
  await using t = await served();
  await using actors = startActors(t.server, {
    logger: silentLogger,
    workloads: false,
    kubelet: { startDelayMs: 10 },
  });
  await t.client.waitFor(Pods, "web", (pod) => pod?.status?.phase === "Running", { namespace });
  const expected: string[] = [];
  const write = (count: number) => {
    for (let i = 0; i < count; i++) {
      const line = i % 2 === 0 ? "same" : `line ${expected.length}`;
      expected.push(line);
      t.server.logs.write("default/web", { text: `${line}\n` });
    }
  };
  write(10);
  const log = followLogs(t.client, { namespace });
  const seen: string[] = [];
  const read = async () => {
    while (seen.length < expected.length) seen.push((await log.next()).value!.line);
    assertEquals(seen, expected);
  };
  await read();
  write(500);
  t.server.logs.endStreams({ broken: true });
  write(500);
  await read();
  actors.crash("default/web");
  await t.client.waitFor(
    Pods,
    "web",
    (pod) => pod?.status?.containerStatuses?.[0]?.restartCount === 1,
    { namespace },
  );
  write(50);
  t.server.restart();
  write(50);
  await read();
  await log.close();
  await untilClosed(t.server);
});
