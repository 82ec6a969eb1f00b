import { assertEquals, assertRejects } from "@std/assert";
import { Client } from "../../../src/client/mod.ts";
import { type PodProgram, VirtualClock } from "../../../src/testing/mod.ts";
import { NAMESPACE, PodWorld, shell } from "./_pods.ts";

const namespace = NAMESPACE;

/** Greets, repeats its input, and says goodbye. */
const program: PodProgram = {
  ...shell,
  attach: async ({ command, stdin, stdout, stderr, container }) => {
    await stdout.write(`${container} ${command.length}\n`);
    for await (const bytes of stdin) await stdout.write(bytes);
    await stderr.write("bye\n");
  },
};

/** Returns the text of a chunk. */
function textOf({ value }: ReadableStreamReadResult<Uint8Array>): string {
  return new TextDecoder().decode(value);
}

/** Returns a client whose server speaks only version 4, as before Kubernetes 1.30. */
function olderClient({ server }: PodWorld): Client {
  return new Client({
    ...server.clientOptions,
    upgrade: (request) => {
      const headers = new Headers(request.headers);
      headers.set("sec-websocket-protocol", "v4.channel.k8s.io");
      return server.upgrade(new Request(request, { headers }));
    },
  });
}

for (const over of ["process", "socket"] as const) {
  Deno.test(`attach() over a ${over} returns what the container writes until it ends`, async () => {
    await using world = await PodWorld.create([program], { over });
    const { client } = world;
    assertEquals(await client.attach("web", { namespace }), { stdout: "web 0\n", stderr: "bye\n" });
    assertEquals(await client.attach("web", { namespace, stdin: "a" }), {
      stdout: "web 0\na",
      stderr: "bye\n",
    });
    await world.untilQuiet();
  });
}

Deno.test("openAttach() gives the streams of a container", async () => {
  await using world = await PodWorld.create([program]);
  await using streams = await world.client.openAttach("web", { namespace, stdin: true });
  const reader = streams.stdout!.getReader();
  assertEquals(textOf(await reader.read()), "web 0\n");
  await streams.stdin!.close();
  assertEquals(await new Response(streams.stderr).text(), "bye\n");
  assertEquals(await streams.exited, 0);
});

Deno.test("close() of streams ends the connection, and leaves none open", async () => {
  await using world = await PodWorld.create([program]);
  const streams = await world.client.openExec("web", ["sleep"], { namespace });
  assertEquals(world.server.openStreams, 1);
  await streams.close();
  await assertRejects(() => streams.exited);
  await world.untilQuiet();
});

Deno.test("exec() refuses stdin for a server without a way to end it, before it sends any", async () => {
  await using world = await PodWorld.create([program]);
  await using client = olderClient(world);
  assertEquals((await client.exec("web", ["echo", "a"], { namespace })).stdout, "a\n");
  await assertRejects(
    () => client.exec("web", ["cat"], { namespace, stdin: "a" }),
    Error,
    "needs v5.channel.k8s.io",
  );
  await world.untilQuiet();
});

Deno.test("openExec() on a server that cannot tell the end of stdin works until that end", async () => {
  await using world = await PodWorld.create([program]);
  await using client = olderClient(world);
  const streams = await client.openExec("web", ["cat"], { namespace, stdin: true });
  assertEquals(streams.canEndStdin, false);
  const writer = streams.stdin!.getWriter();
  await writer.write(new TextEncoder().encode("a"));
  const reader = streams.stdout!.getReader();
  assertEquals(textOf(await reader.read()), "a");
  await assertRejects(() => writer.close(), Error, "needs v5.channel.k8s.io");
  await assertRejects(() => streams.exited, Error, "needs v5.channel.k8s.io");
  await assertRejects(() => reader.read());
  await world.untilQuiet();
});

Deno.test("exec() works on a virtual clock", async () => {
  const clock = new VirtualClock();
  const world = await clock.run(PodWorld.create([program], { clock }));
  const exec = world.client.exec("web", ["cat"], { namespace, stdin: "a" });
  assertEquals(await clock.run(exec), { exitCode: 0, stdout: "a", stderr: "" });
  await clock.run(world[Symbol.asyncDispose]());
  assertEquals(clock.pendingTimers, 0);
});
