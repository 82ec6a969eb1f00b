/** Streams whose output is not read end all the same: by their owner, the client, and the death of the server. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  type Clock,
  delay,
  realClock,
  silentLogger,
  TerminalError,
} from "../../../src/base/mod.ts";
import { Client, type ContainerStreams, type PortConnection } from "../../../src/client/mod.ts";
import { type PodProgram, VirtualClock } from "../../../src/testing/mod.ts";
import { NAMESPACE, PodWorld } from "./_pods.ts";

const namespace = NAMESPACE;
const MIB = 1024 * 1024;

/** A command and a port that send more than the connection holds. */
const flood: PodProgram = {
  exec: async ({ stdout }) => {
    for (let sent = 0; sent < 64; sent++) await stdout.write(new Uint8Array(MIB));
    return 0;
  },
  ports: {
    80: async ({ write }) => {
      for (let sent = 0; sent < 64; sent++) await write(new Uint8Array(MIB));
    },
  },
};

class FloodWorld implements AsyncDisposable {
  readonly clock = new VirtualClock();
  readonly world: PodWorld;
  readonly client: Client;

  private constructor(world: PodWorld) {
    this.world = world;
    this.client = new Client({ ...world.server.clientOptions, clock: this.clock });
  }

  static async create(): Promise<FloodWorld> {
    return new FloodWorld(await PodWorld.create([flood]));
  }

  /** Lets the program send until it has to wait. */
  async fill(): Promise<void> {
    for (let turn = 0; turn < 100; turn++) await delay(0);
  }

  exec(signal?: AbortSignal): Promise<ContainerStreams> {
    return this.client.openExec("web", ["flood"], { namespace, signal });
  }

  port(signal?: AbortSignal): Promise<PortConnection> {
    return this.client.openPort("web", 80, { namespace, signal });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.close();
    await this.world[Symbol.asyncDispose]();
  }
}

Deno.test("close() ends streams whose output is not read", async () => {
  await using flooded = await FloodWorld.create();
  const { clock, world } = flooded;
  const streams = await flooded.exec();
  const port = await flooded.port();
  await flooded.fill();
  await clock.run(Promise.all([streams.close(), port.close()]));
  await assertRejects(() => streams.exited, Error, "closed before an exit code came");
  await world.untilQuiet();
});

Deno.test("await using ends streams whose output is not read", async () => {
  await using flooded = await FloodWorld.create();
  const { clock, world } = flooded;
  const streams = await flooded.exec();
  const port = await flooded.port();
  await flooded.fill();
  const leave = async () => {
    await using _streams = streams;
    await using _port = port;
  };
  await clock.run(leave());
  await world.untilQuiet();
});

Deno.test("an abort ends streams whose output is not read", async () => {
  await using flooded = await FloodWorld.create();
  const stop = new AbortController();
  const streams = await flooded.exec(stop.signal);
  const port = await flooded.port(stop.signal);
  await flooded.fill();
  const reason = new Error("enough");
  stop.abort(reason);
  assertEquals(await assertRejects(() => streams.exited), reason);
  for (const stream of [streams.stdout!, streams.stderr!, port.readable]) {
    assertEquals(await assertRejects(() => stream.getReader().read()), reason);
  }
  await flooded.world.untilQuiet();
});

Deno.test("Client.close() ends streams whose output is not read", async () => {
  await using flooded = await FloodWorld.create();
  const streams = await flooded.exec();
  const port = await flooded.port();
  await flooded.fill();
  await flooded.client.close();
  await assertRejects(() => streams.exited, TerminalError);
  await assertRejects(() => port.readable.getReader().read(), TerminalError);
  await flooded.world.untilQuiet();
});

Deno.test("the death of the server ends streams whose output is not read", async () => {
  await using flooded = await FloodWorld.create();
  const { clock, world } = flooded;
  const streams = await flooded.exec();
  const port = await flooded.port();
  await flooded.fill();
  world.server.restart();
  const ended = Promise.all([
    assertRejects(() => streams.exited, Error, "failed: "),
    assertRejects(() => port.writable.getWriter().closed, Error, "failed: "),
  ]);
  await clock.advance(20_000);
  await ended;
  await clock.run(Promise.all([streams.close(), port.close()]));
});

/** Seconds pass in hundredths, as real sockets need it, but not the minute in which a stream must have started. */
const fastClock: Clock = {
  ...realClock,
  setTimer: (callback, delayMs) =>
    realClock.setTimer(callback, delayMs < 60_000 ? delayMs / 100 : delayMs),
};

Deno.test("streams over sockets whose output is not read end in every way", async () => {
  await using world = await PodWorld.create([flood], { over: "socket" });
  const { url } = await world.server.serve();
  const reason = new Error("enough");
  const ways: Record<string, (client: Client, stop: AbortController) => unknown> = {
    "an abort": (_client, stop) => stop.abort(reason),
    "the client": (client) => client.close(),
    "the server": () => world.server.restart(),
  };
  for (const [what, end] of Object.entries(ways)) {
    await using client = new Client({ server: url, logger: silentLogger, clock: fastClock });
    const stop = new AbortController();
    const options = { namespace, signal: stop.signal };
    await using streams = await client.openExec("web", ["flood"], options);
    await using port = await client.openPort("web", 80, options);
    for (let turn = 0; turn < 200; turn++) await delay(0);
    await end(client, stop);
    await assertRejects(() => streams.exited, Error, undefined, what);
    await assertRejects(() => port.writable.getWriter().closed, Error, undefined, what);
    await Promise.all([streams.close(), port.close()]);
    await world.untilQuiet();
  }
  await using client = new Client({ server: url, logger: silentLogger, clock: fastClock });
  const streams = await client.openExec("web", ["flood"], { namespace });
  const port = await client.openPort("web", 80, { namespace });
  for (let turn = 0; turn < 200; turn++) await delay(0);
  await Promise.all([streams.close(), port.close()]);
  await world.untilQuiet();
});

Deno.test("the end of a command is reported also if its output is not read, and no output is lost", async () => {
  const clock = new VirtualClock();
  const sent = new Uint8Array(3 * MIB).map((_, at) => at % 251);
  await using world = await PodWorld.create([{
    exec: async ({ stdout }) => {
      await stdout.write(sent);
      return 7;
    },
  }]);
  await using client = new Client({ ...world.server.clientOptions, clock });
  await using streams = await client.openExec("web", ["a"], { namespace, stderr: false });
  for (let turn = 0; turn < 100; turn++) await delay(0);
  await clock.advance(20_000);
  assertEquals(await streams.exited, 7);
  let at = 0;
  for await (const chunk of streams.stdout!) {
    assertEquals(chunk, sent.subarray(at, at + chunk.length));
    at += chunk.length;
  }
  assertEquals(at, sent.length);
});

Deno.test("a reader that pauses for minutes loses nothing", async () => {
  const clock = new VirtualClock();
  let written = 0;
  await using world = await PodWorld.create([{
    exec: async ({ stdout }) => {
      for (; written < 64; written++) await stdout.write(new Uint8Array(MIB).fill(written));
      return 0;
    },
  }]);
  await using client = new Client({ ...world.server.clientOptions, clock });
  await using streams = await client.openExec("web", ["a"], { namespace, stderr: false });
  const reader = streams.stdout!.getReader();
  for (let received = 0; received < 64 * MIB;) {
    const { value } = await reader.read();
    for (const byte of [value![0], value!.at(-1)]) assert(byte! >= 0 && byte! < 64);
    received += value!.length;
    if (received % (4 * MIB) === 0) await clock.advance(600_000);
    assert(written * MIB - received <= 10 * MIB, `${written * MIB - received} bytes are held`);
  }
  assertEquals((await reader.read()).done, true);
  assertEquals(await streams.exited, 0);
});
