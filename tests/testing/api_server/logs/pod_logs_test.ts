import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { Client, type LogsOptions } from "@kubeloop/controller/client";
import { type Pod, Pods } from "@kubeloop/controller/types";
import { ApiServer, type ApiServerOptions, VirtualClock } from "@kubeloop/testing";

const namespace = "default";
const WEB = "default/web";

async function world(options: ApiServerOptions = {}, containers: readonly string[] = ["main"]) {
  const clock = new VirtualClock();
  const server = new ApiServer({ clock, ...options });
  const client = new Client(server.clientOptions);
  const pod: Pod = {
    metadata: { name: "web", namespace },
    spec: { containers: containers.map((name) => ({ name, image: "i" })) },
  };
  await clock.run(client.create(Pods, pod));
  const start = async (options: LogsOptions = {}) => {
    const lines: string[] = [];
    for await (const line of client.logs("web", { namespace, ...options })) lines.push(line);
    return lines;
  };
  const read = (options?: LogsOptions) => clock.run(start(options));
  return {
    clock,
    server,
    client,
    start,
    read,
    async [Symbol.asyncDispose]() {
      await client.close();
      await server.close();
    },
  };
}

Deno.test("ApiServer serves what was written, by time and by number of lines", async () => {
  await using t = await world();
  const startMs = t.clock.wallNow();
  for (let i = 0; i < 5; i++) {
    t.server.logs.write(WEB, { text: `line ${i}\n` });
    await t.clock.advance(1500);
  }
  assertEquals(await t.read(), ["line 0", "line 1", "line 2", "line 3", "line 4"]);
  assertEquals(await t.read({ tailLines: 2 }), ["line 3", "line 4"]);
  assertEquals(await t.read({ tailLines: 0 }), []);
  assertEquals(await t.read({ tailLines: 99 }), await t.read());
  assertEquals(await t.read({ sinceSeconds: 3 }), ["line 3", "line 4"]);
  assertEquals(await t.read({ sinceSeconds: 3, tailLines: 1 }), ["line 4"]);
  // The fraction of the second is ignored, as by the real server.
  const sinceTime = new Date(startMs + 3900);
  assertEquals(await t.read({ sinceTime }), ["line 2", "line 3", "line 4"]);
  const stamp = (ms: number) => new Date(startMs + ms).toISOString().replace("Z", "000000Z");
  assertEquals(await t.read({ timestamps: true, tailLines: 2 }), [
    `${stamp(4500)} line 3`,
    `${stamp(6000)} line 4`,
  ]);
  assertEquals(await t.read({ limitBytes: 10 }), ["line 0", "lin"]);
});

Deno.test("ApiServer shows a line once it is whole, or its container has ended", async () => {
  await using t = await world();
  t.server.logs.write(WEB, { text: "one\ntw" });
  assertEquals(await t.read(), ["one"]);
  t.server.logs.write(WEB, { text: new TextEncoder().encode("o\nthree") });
  assertEquals(await t.read(), ["one", "two"]);
  t.server.logs.end(WEB);
  assertEquals(await t.read(), ["one", "two", "three"]);
});

Deno.test("ApiServer shows a long line in pieces, with one time", async () => {
  await using t = await world();
  const text = "x".repeat(40_000);
  t.server.logs.write(WEB, { text });
  assertEquals((await t.read())[0]?.length, 32_768);
  t.server.logs.write(WEB, { text: "y\nz\n" });
  const [long, short] = await t.read({ timestamps: true });
  assertEquals(long?.slice(31), `${text}y`);
  assertEquals(short?.slice(31), "z");
  assertEquals(await t.read({ tailLines: 2 }), [`${text}y`, "z"]);
});

Deno.test("ApiServer keeps the log of the instance before, and no other", async () => {
  await using t = await world();
  await assertRejects(
    async () => (t.server.logs.admit(WEB), await t.read({ previous: true })),
    Error,
    'container "main" in pod "web" is not available',
  );
  t.server.logs.write(WEB, { text: "first\n" });
  for (const text of ["second\n", "third\n"]) {
    t.server.logs.start(WEB);
    t.server.logs.write(WEB, { text });
  }
  assertEquals(await t.read(), ["third"]);
  assertEquals(await t.read({ previous: true }), ["second"]);
  t.server.logs.end(WEB);
  assertEquals(await t.read(), ["third"]);
  t.server.logs.write(WEB, { text: "fourth\n" });
  assertEquals([await t.read(), await t.read({ previous: true })], [["fourth"], ["third"]]);
});

Deno.test("ApiServer lets a log be followed until the container ends", async () => {
  await using t = await world();
  t.server.logs.write(WEB, { text: "before\n" });
  const lines: string[] = [];
  const reading = (async () => {
    const follow = { namespace, follow: true, tailLines: 0 };
    for await (const line of t.client.logs("web", follow)) lines.push(line);
    lines.push("(end)");
  })();
  await t.clock.advance(10);
  assertEquals(t.server.logs.openStreams, 1);
  // A silent log lives for hours.
  await t.clock.advance(5 * 3_600_000);
  t.server.logs.write(WEB, { text: "a\n" });
  t.server.logs.write(WEB, { text: "b\nc" });
  await t.clock.advance(0);
  assertEquals(lines, ["a", "b"]);
  t.server.logs.end(WEB);
  await t.clock.run(reading);
  assertEquals(lines, ["a", "b", "c", "(end)"]);
  assertEquals(t.server.logs.openStreams, 0);
});

Deno.test("ApiServer ends the streams of a Pod that is removed, and a new Pod of its name has no log", async () => {
  await using t = await world();
  t.server.logs.write(WEB, { text: "a\n" });
  const following = t.start({ follow: true });
  await t.clock.advance(10);
  await t.clock.run(t.client.delete(Pods, "web", { namespace, gracePeriodSeconds: 0 }));
  assertEquals(await following, ["a"]);
  await t.clock.run(t.client.create(Pods, {
    metadata: { name: "web", namespace },
    spec: { containers: [{ name: "main", image: "i" }] },
  }));
  assertEquals(await t.read(), []);
  t.server.logs.write(WEB, { text: "b\n" });
  assertEquals(await t.read(), ["b"]);
});

Deno.test("ApiServer ends logs when readers leave, when it restarts, and when it closes", async () => {
  const t = await world();
  t.server.logs.write(WEB, { text: "a\n" });
  const log = t.client.logs("web", { namespace, follow: true });
  assertEquals((await t.clock.run(log.next())).value, "a");
  await t.clock.run(log.close());
  await t.clock.advance(10);
  assertEquals(t.server.logs.openStreams, 0);

  const broken = t.client.logs("web", { namespace, follow: true });
  await t.clock.run(broken.next());
  const next = broken.next().catch((error) => error.message);
  await t.clock.advance(1);
  t.server.restart();
  assert((await t.clock.run(next)).includes("broke off"));

  const closed = t.start({ follow: true });
  await t.clock.advance(10);
  await t.server.close();
  assertEquals(await closed, ["a"]);
  await t.client.close();
});

Deno.test("ApiServer drops the oldest lines of a long log, also before a slow reader", async () => {
  await using t = await world({ containerLogBytesLimit: 1000 });
  const log = t.client.logs("web", { namespace, follow: true });
  t.server.logs.write(WEB, { text: "first\n" });
  assertEquals((await t.clock.run(log.next())).value, "first");
  for (let i = 0; i < 500; i++) t.server.logs.write(WEB, { text: `line ${i}\n` });
  const lines = await t.read();
  assertEquals(lines.at(-1), "line 499");
  assert(lines.length >= 50 && lines.length <= 112, `${lines.length} lines`);
  await log.close();
});

Deno.test("ApiServer sends all of a log that has ended before its reader has come far", async () => {
  await using t = await world();
  const line = `${"x".repeat(9999)}\n`;
  for (let i = 0; i < 20; i++) t.server.logs.write(WEB, { text: line });
  t.server.logs.end(WEB);
  assertEquals((await t.read()).length, 20);
  assertEquals((await t.read({ follow: true })).length, 20);
  assertEquals((await t.read({ limitBytes: 150_000 })).length, 15);
});

Deno.test("ApiServer refuses a log that has not begun in the words of a kubelet", async () => {
  await using t = await world({}, ["a", "b"]);
  t.server.logs.admit(WEB);
  const refused = (container: string, message: string) =>
    assertRejects(
      () => t.read({ container }),
      Error,
      `container "${container}" in pod "web" ${message}`,
    );
  await refused("a", "is not available");
  const setState = (name: string, state: Record<string, unknown>) =>
    t.clock.run(t.client.patchStatus(Pods, "web", {
      status: {
        containerStatuses: [{
          name,
          state,
          ready: false,
          restartCount: 0,
          image: "i",
          imageID: "",
        }],
      },
    } as never, { namespace }));
  for (
    const [reason, words] of [
      ["ContainerCreating", "ContainerCreating"],
      ["ErrImagePull", "image can't be pulled"],
      ["ImagePullBackOff", "trying and failing to pull image"],
    ]
  ) {
    await setState("a", { waiting: { reason } });
    await refused("a", `is waiting to start: ${words}`);
  }
  await setState("a", {});
  await refused("a", "is waiting to start - no logs yet");
  await assertRejects(() => t.read(), Error, "a container name must be specified for pod web");
  t.server.logs.write(WEB, { container: "b", text: "b\n" });
  assertEquals(await t.read({ container: "b" }), ["b"]);
});

Deno.test("PodLogs refuses Pods and containers that do not exist", async () => {
  await using t = await world({}, ["a", "b"]);
  const { logs } = t.server;
  const text = "x\n";
  assertThrows(() => logs.write("default/none", { text }), RangeError, 'No Pod "default/none"');
  assertThrows(() => logs.write(undefined as never, { text }), RangeError, "No Pod");
  assertThrows(() => logs.start(WEB), RangeError, "has several containers: name one of a, b");
  assertThrows(() => logs.end(WEB, { container: "c" }), RangeError, 'has no container "c"');
  assertThrows(() => logs.write(WEB, { container: "a", text: 7 as never }), TypeError, '"text"');
  assertThrows(
    () => new ApiServer({ containerLogBytesLimit: 0 }),
    RangeError,
    "containerLogBytesLimit",
  );
});
