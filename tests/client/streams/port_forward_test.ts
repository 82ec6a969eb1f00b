import { assert, assertEquals, assertRejects } from "@std/assert";
import { Buffer } from "node:buffer";
import { connect, createServer } from "node:net";
import { type Clock, type Logger, realClock, TerminalError } from "../../../src/base/mod.ts";
import { Client } from "../../../src/client/mod.ts";
import { Pods, StatusError } from "../../../src/types/mod.ts";
import type { PodProgram } from "../../../src/testing/mod.ts";
import { NAMESPACE, PodWorld } from "./_pods.ts";

const namespace = NAMESPACE;
const MIB = 1024 * 1024;

const program: PodProgram = {
  ports: {
    // Repeats what it is sent.
    7: async ({ incoming, write }) => {
      for await (const bytes of incoming) await write(bytes);
    },
    // Answers a request with one line, and closes.
    80: async ({ incoming, write, port, pod }) => {
      for await (const bytes of incoming) {
        const request = new TextDecoder().decode(bytes);
        return await write(`${pod.metadata.name}:${port} got ${request}`);
      }
    },
    81: () => {
      throw new Error("out of order");
    },
    // Sends more than anybody reads.
    82: async ({ write }) => {
      for (let sent = 0; sent < 64; sent++) await write(new Uint8Array(MIB));
    },
  },
};

/** Sends a text to a local port, and returns everything that comes back. */
function ask(port: number, text: string, keepOpen = true): Promise<string> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    const socket = connect({ port, host: "127.0.0.1" }, () => {
      socket.write(text);
      if (!keepOpen) socket.end();
    });
    socket.on("data", (part) => void parts.push(part as Buffer));
    socket.on("error", (error: Error & { code?: string }) => {
      if (error.code !== "ECONNRESET") reject(error);
    });
    socket.on("close", () => resolve(Buffer.concat(parts).toString()));
  });
}

function recorder(): Logger & { readonly lines: string[] } {
  const lines: string[] = [];
  const keep = (line: unknown) => void lines.push(String(line));
  return { lines, debug: () => {}, info: () => {}, warn: keep, error: keep };
}

for (const over of ["process", "socket"] as const) {
  Deno.test(`portForward() over a ${over} forwards 200 connections at once`, async () => {
    await using world = await PodWorld.create([program], { over });
    const forward = await world.client.portForward("web", [{ port: 80 }, 7], { namespace });
    assertEquals([forward.address, forward.ports.map(({ port }) => port)], ["127.0.0.1", [80, 7]]);
    const { localPort } = forward.ports[0]!;
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, at) => ask(localPort, `request ${at}`)),
    );
    assertEquals(answers, answers.map((_, at) => `web:80 got request ${at}`));
    await world.untilQuiet();
    await forward.close();
    await forward.finished;
    await assertRejects(() => ask(localPort, "x"), Error, "ECONNREFUSED");
  });

  Deno.test(`openPort() over a ${over} is a stream in both directions`, async () => {
    await using world = await PodWorld.create([program], { over });
    const connection = await world.client.openPort("web", 7, { namespace });
    const sent = new Uint8Array(5 * MIB).map((_, at) => at % 253);
    const writer = connection.writable.getWriter();
    const writing = writer.write(sent);
    const reader = connection.readable.getReader();
    let at = 0;
    while (at < sent.length) {
      const { value } = await reader.read();
      assertEquals(value, sent.subarray(at, at + value!.length));
      at += value!.length;
    }
    await writing;
    await connection.close();
    await world.untilQuiet();
  });

  Deno.test(`openPort() over a ${over} says why a port cannot be reached`, async () => {
    await using world = await PodWorld.create([program], { over });
    const { client } = world;
    const read = async (port: number) => {
      const connection = await client.openPort("web", port, { namespace });
      return await connection.readable.getReader().read();
    };
    await assertRejects(
      () => read(81),
      Error,
      "cannot reach port 81 of Pod default/web: error forwarding port 81 to pod web, uid : out of order",
    );
    await assertRejects(() => read(9), Error, "connection refused");
    const missing = await assertRejects(() => client.openPort("nope", 80, { namespace }));
    assert(StatusError.is(missing) && missing.code === 404, `${missing}`);
    await world.setPhase("web", "Failed");
    await assertRejects(
      () => client.openPort("web", 80, { namespace }),
      Error,
      'pod not found ("web_default")',
    );
    await world.untilQuiet();
  });

  Deno.test(`openPort() over a ${over} makes a Pod wait for a slow reader`, async () => {
    let sent = 0;
    await using world = await PodWorld.create([{
      ports: {
        1: async ({ write }) => {
          for (; sent < 64; sent++) await write(new Uint8Array(MIB));
        },
      },
    }], { over });
    const connection = await world.client.openPort("web", 1, { namespace });
    const reader = connection.readable.getReader();
    let received = (await reader.read()).value!.length;
    await new Promise((resolve) => setTimeout(resolve, 100));
    assert(sent < 32, `${sent} MiB were sent to a reader that waits`);
    while (true) {
      const { done, value } = await reader.read();
      if (done) break;
      received += value.length;
    }
    assertEquals(received, 64 * MIB);
  });

  Deno.test(`openPort() over a ${over} ends with its signal, the client and the server`, async () => {
    await using world = await PodWorld.create([program], { over });
    const { client, server } = world;
    const stop = new AbortController();
    const ended = await client.openPort("web", 7, { namespace, signal: stop.signal });
    const reason = new Error("enough");
    stop.abort(reason);
    assertEquals(await assertRejects(() => ended.readable.getReader().read()), reason);
    const broken = await client.openPort("web", 7, { namespace });
    server.restart();
    await assertRejects(() => broken.readable.getReader().read(), Error, "portforward failed: ");
    const closed = await client.openPort("web", 7, { namespace });
    await client.close();
    await assertRejects(() => closed.readable.getReader().read(), TerminalError);
    await world.untilQuiet();
  });
}

Deno.test("portForward() logs and closes a connection that fails, and stays open", async () => {
  const logger = recorder();
  await using world = await PodWorld.create([program], { logger });
  await using forward = await world.client.portForward("web", 80, { namespace });
  const { localPort } = forward.ports[0]!;
  await world.client.delete(Pods, "web", { namespace, gracePeriodSeconds: 0 });
  assertEquals(await ask(localPort, "a"), "");
  assert(/Port forward: .*pods "web" not found/.test(logger.lines.join()), logger.lines.join());
  await world.run("web");
  assertEquals(await ask(localPort, "b"), "web:80 got b");
});

Deno.test("portForward() waits for a Pod that restarts, with the option", async () => {
  await using world = await PodWorld.create([program]);
  await using forward = await world.client.portForward("web", 80, {
    namespace,
    waitForPodMs: 60_000,
  });
  await world.client.delete(Pods, "web", { namespace, gracePeriodSeconds: 0 });
  const answer = ask(forward.ports[0]!.localPort, "a");
  await world.run("web");
  assertEquals(await answer, "web:80 got a");
});

Deno.test("portForward() asks for a Pod once a second until its time is over, or the server refuses", async () => {
  for (
    const [code, waitForPodMs, waits] of [
      [503, 2_000, 2],
      [503, 1_999, 1],
      [401, 2_000, 0],
      [403, 2_000, 0],
    ] as const
  ) {
    const logger = recorder();
    await using world = await PodWorld.create([program]);
    let nowMs = 0;
    let waited = 0;
    // A second passes at once.
    const clock: Clock = {
      ...realClock,
      now: () => nowMs,
      setTimer: (callback, delayMs) => {
        if (delayMs !== 1_000) return realClock.setTimer(callback, delayMs);
        waited++;
        nowMs += delayMs;
        return realClock.setTimer(callback, 0);
      },
    };
    world.server.faults.fail(code, { when: ({ url }) => url.pathname.endsWith("/portforward") });
    await using client = new Client({ ...world.server.clientOptions, clock, logger });
    await using forward = await client.portForward("web", 80, { namespace, waitForPodMs });
    assertEquals(await ask(forward.ports[0]!.localPort, "a"), "");
    assertEquals([waited, logger.lines.length], [waits, 1], `${code} within ${waitForPodMs} ms`);
  }
});

Deno.test("portForward() still delivers the answer to a program that has ended its side", async () => {
  await using world = await PodWorld.create([program]);
  await using forward = await world.client.portForward("web", 80, { namespace });
  assertEquals(await ask(forward.ports[0]!.localPort, "a", false), "web:80 got a");
});

Deno.test("portForward() lets a Pod go some time after the local program has left", async () => {
  await using world = await PodWorld.create([program]);
  // Half a minute is one hundred milliseconds.
  const clock: Clock = {
    ...realClock,
    setTimer: (callback, delayMs) => realClock.setTimer(callback, delayMs / 300),
  };
  await using client = new Client({ ...world.server.clientOptions, clock });
  await using forward = await client.portForward("web", 7, { namespace });
  const socket = connect({ port: forward.ports[0]!.localPort, host: "127.0.0.1" });
  await new Promise((resolve) => socket.write("a", () => socket.once("data", resolve)));
  assertEquals(world.server.openStreams, 1);
  socket.destroy();
  await world.untilQuiet();
});

Deno.test("portForward() closes its connections when the client closes", async () => {
  await using world = await PodWorld.create([program]);
  const forward = await world.client.portForward("web", 7, { namespace });
  const answer = ask(forward.ports[0]!.localPort, "a");
  while (world.server.openStreams === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  await world.client.close();
  await forward.finished;
  assertEquals(["", "a"].includes(await answer), true);
});

Deno.test("portForward() refuses more connections than maxConnections", async () => {
  await using world = await PodWorld.create([program]);
  await using forward = await world.client.portForward("web", 7, { namespace, maxConnections: 1 });
  const { localPort } = forward.ports[0]!;
  const first = connect({ port: localPort, host: "127.0.0.1" });
  await new Promise((resolve) => first.write("a", () => first.once("data", resolve)));
  assertEquals(await ask(localPort, "").catch(() => ""), "");
  first.destroy();
});

Deno.test("portForward() names a local port that is taken", async () => {
  await using world = await PodWorld.create([program]);
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
  const { port: localPort } = taken.address() as { port: number };
  await assertRejects(
    () => world.client.portForward("web", { port: 80, localPort }, { namespace }),
    Error,
    `Cannot listen on port ${localPort} of 127.0.0.1`,
  );
  await new Promise((resolve) => taken.close(resolve));
});

Deno.test("portForward() checks its arguments before it listens", async () => {
  await using client = new Client({ fetch: () => Promise.reject(new Error("a request was made")) });
  const forward = client.portForward.bind(client) as (...args: unknown[]) => Promise<unknown>;
  const cases: readonly (readonly [unknown[], string])[] = [
    [["web", 80], "namespace"],
    [["web", [], { namespace }], "at least one"],
    [["web", 0, { namespace }], "port must be"],
    [["web", "80", { namespace }], "port must be"],
    [["web", { port: 80, localPort: 70_000 }, { namespace }], "localPort must be"],
    [["web", 80, { namespace, address: 5 }], "Invalid address"],
    [["web", 80, { namespace, waitForPodMs: -1 }], "waitForPodMs"],
    [["web", 80, { namespace, waitForPodMs: NaN }], "waitForPodMs"],
    [["web", 80, { namespace, maxConnections: "5" }], "maxConnections must be a whole number"],
    [["web", 80, { namespace, localPort: 80 }], 'portForward() has no option "localPort"'],
    [["web", [null], { namespace }], "port must be a number, or { port, localPort }"],
  ];
  for (const [args, message] of cases) {
    const error = await assertRejects(() => forward(...args), Error);
    assert(error.message.includes(message), error.message);
  }
});
