/** Port forwards whose local programs leave early or read nothing, and forwards that are stopped while they start. */

import { assertEquals, assertRejects } from "@std/assert";
import { connect, createServer, Server, type Socket } from "node:net";
import { delay } from "../../../src/base/mod.ts";
import type { PodProgram } from "../../../src/testing/mod.ts";
import { NAMESPACE, PodWorld } from "./_pods.ts";

const namespace = NAMESPACE;
const MIB = 1024 * 1024;

const program: PodProgram = {
  ports: {
    7: async ({ incoming, write }) => {
      for await (const bytes of incoming) await write(bytes);
    },
    // More than anything on the way holds.
    80: async ({ write }) => {
      for (let sent = 0; sent < 64; sent++) await write(new Uint8Array(MIB));
    },
    // As much as the connection holds, but not the local program's socket.
    81: ({ write }) => write(new Uint8Array(8 * MIB)),
  },
};

function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect({ port, host: "127.0.0.1" }, () => resolve(socket));
    socket.on("error", (error: Error & { code?: string }) => {
      if (error.code !== "ECONNRESET") reject(error);
    });
  });
}

const closed = (socket: Socket) =>
  new Promise<void>((resolve) => socket.once("close", () => resolve()));

for (const over of ["process", "socket"] as const) {
  Deno.test(`portForward() over a ${over} outlives more downloads that were left early than it takes at once`, async () => {
    await using world = await PodWorld.create([program], { over });
    await using forward = await world.client.portForward("web", [80, 7], {
      namespace,
      maxConnections: 4,
    });
    const [download, echo] = forward.ports.map(({ localPort }) => localPort);
    for (let count = 0; count < 12; count++) {
      const socket = await open(download!);
      await new Promise((resolve) => socket.once("data", resolve));
      const gone = closed(socket);
      socket.destroy();
      await gone;
      // The Pod learns of it, so that the place is free.
      await world.untilQuiet();
    }
    const socket = await open(echo!);
    const answer = new Promise<Uint8Array>((resolve) => socket.once("data", resolve));
    socket.write("a");
    assertEquals([...await answer], [97]);
    const gone = closed(socket);
    socket.destroy();
    await gone;
  });

  Deno.test(`portForward() over a ${over} closes while a local program reads nothing`, async () => {
    await using world = await PodWorld.create([program], { over });
    const forward = await world.client.portForward("web", [80, 81], { namespace });
    const sockets = await Promise.all(forward.ports.map(({ localPort }) => open(localPort)));
    for (const socket of sockets) socket.pause();
    for (let turn = 0; turn < 200; turn++) await delay(0);
    const gone = sockets.map(closed);
    await forward.close();
    await forward.finished;
    for (const socket of sockets) socket.destroy();
    await Promise.all(gone);
    await world.untilQuiet();
  });
}

Deno.test("portForward() that is aborted while it starts to listen frees its ports", async () => {
  await using world = await PodWorld.create([program]);
  const { listen } = Server.prototype;
  for (const before of [0, 1]) {
    const stop = new AbortController();
    const reason = new Error("enough");
    const servers: Server[] = [];
    Server.prototype.listen = function (this: Server, ...args: unknown[]) {
      servers.push(this);
      const listening = listen.apply(this, args as never);
      if (servers.length > before) stop.abort(reason);
      return listening;
    } as never;
    try {
      const options = { namespace, signal: stop.signal };
      const starting = world.client.portForward("web", [80, 7], options);
      assertEquals(await assertRejects(() => starting), reason);
    } finally {
      Server.prototype.listen = listen;
    }
    assertEquals(servers.map((server) => server.listening), [false, false].slice(0, before + 1));
  }
});

Deno.test("portForward() that cannot listen on all ports frees the others", async () => {
  await using world = await PodWorld.create([program]);
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
  const { port: localPort } = taken.address() as { port: number };
  await assertRejects(
    () => world.client.portForward("web", [80, { port: 7, localPort }], { namespace }),
    Error,
    `Cannot listen on port ${localPort}`,
  );
  await new Promise((resolve) => taken.close(resolve));
});
