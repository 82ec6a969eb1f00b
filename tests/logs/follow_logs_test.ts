import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { silentLogger, TerminalError } from "@kubeloop/controller/base";
import { Client } from "@kubeloop/controller/client";
import {
  type FollowedLine,
  type FollowFailure,
  followLogs,
  type FollowLogsOptions,
} from "@kubeloop/controller/logs";
import { isForbidden, type Pod, Pods } from "@kubeloop/controller/types";
import {
  type Actors,
  ApiServer,
  type ApiServerOptions,
  SeededRandom,
  startActors,
  type StartActorsOptions,
  VirtualClock,
} from "@kubeloop/testing";
import { forEachSeed } from "../support/seeded_runs.ts";

const namespace = "default";

interface World extends AsyncDisposable {
  readonly clock: VirtualClock;
  readonly server: ApiServer;
  readonly client: Client;
  readonly actors: Actors;
  /** Creates a Pod of the app `web`, and waits until it runs. */
  create(name: string, containers?: readonly string[]): Promise<void>;
  /** Follows the Pods of the app, and collects the lines. */
  follow(options?: FollowLogsOptions): { readonly lines: FollowedLine[]; stop(): Promise<void> };
}

async function world(
  random: SeededRandom = new SeededRandom(1),
  options: ApiServerOptions = {},
  kubelet: StartActorsOptions["kubelet"] = {},
): Promise<World> {
  const clock = new VirtualClock();
  const server = new ApiServer({ clock, random, logger: silentLogger, ...options });
  const client = new Client(server.clientOptions);
  // Without heartbeats, hours pass quickly.
  const actors = startActors(server, {
    workloads: false,
    nodeController: { gracePeriodMs: 360_000_000 },
    kubelet: { startDelayMs: 100, heartbeatMs: 36_000_000, ...kubelet },
  });
  await clock.advance(1000);
  return {
    clock,
    server,
    client,
    actors,
    async create(name, containers = ["main"]) {
      const pod: Pod = {
        metadata: { name, namespace, labels: { app: "web" } },
        spec: { containers: containers.map((name) => ({ name, image: "i" })) },
      };
      await clock.run(client.create(Pods, pod));
      await clock.advance(1000);
    },
    follow(options = {}) {
      const lines: FollowedLine[] = [];
      const log = followLogs(client, { namespace, labelSelector: "app=web", ...options });
      const running = (async () => {
        for await (const line of log) lines.push(line);
      })();
      return {
        lines,
        async stop() {
          await clock.run(log.close());
          await running;
        },
      };
    },
    async [Symbol.asyncDispose]() {
      await clock.run(actors.stop());
      await client.close();
      await server.close();
    },
  };
}

const textOf = (lines: readonly FollowedLine[]) => lines.map(({ line }) => line);

Deno.test("followLogs() returns each line with its container and its time", async () => {
  await using t = await world();
  await t.create("web-0", ["main", "side"]);
  t.server.logs.write("default/web-0", { container: "main", text: "hello\n" });
  const follow = t.follow();
  await t.clock.advance(1000);
  const time = new Date(t.clock.wallNow()).toISOString().replace("Z", "000000Z");
  t.server.logs.write("default/web-0", { container: "side", text: "\n" });
  await t.clock.advance(1000);
  assertEquals(follow.lines.map(({ time: _, ...line }) => line), [
    { pod: "web-0", namespace, container: "main", line: "hello" },
    { pod: "web-0", namespace, container: "side", line: "" },
  ]);
  assertEquals(follow.lines[1]?.time, time);
  await follow.stop();
  assertEquals(t.server.logs.openStreams, 0);
});

Deno.test("followLogs() begins at the given time, and with the first line of later Pods", async () => {
  await using t = await world();
  await t.create("old");
  for (let i = 0; i < 5; i++) {
    t.server.logs.write("default/old", { text: `old ${i}\n` });
    await t.clock.advance(10_000);
  }
  const all = t.follow();
  const none = t.follow({ tailLines: 0 });
  const since = t.follow({ sinceSeconds: 25 });
  await t.clock.advance(1000);
  await t.create("new");
  t.server.logs.write("default/new", { text: "new\n" });
  await t.clock.advance(1000);
  assertEquals(textOf(all.lines), ["old 0", "old 1", "old 2", "old 3", "old 4", "new"]);
  assertEquals(textOf(none.lines), ["new"]);
  assertEquals(textOf(since.lines), ["old 3", "old 4", "new"]);
  // Also a log without delivered lines loses and repeats nothing.
  t.server.logs.endStreams({ broken: true });
  t.server.logs.write("default/old", { text: "meanwhile\n" });
  await t.clock.advance(5_000);
  assertEquals(textOf(none.lines), ["new", "meanwhile"]);
  for (const follow of [all, none, since]) await follow.stop();
});

Deno.test("followLogs() follows the chosen containers, of new Pods from their first line", async () => {
  await using t = await world();
  const follow = t.follow({ containers: ["main", "other"], tailLines: 0 });
  await t.clock.advance(1000);
  const containers = ["main", "side"].map((name) => ({ name, image: "i" }));
  await t.clock.run(t.client.create(Pods, {
    metadata: { name: "web-0", namespace, labels: { app: "web" } },
    spec: { containers },
  }));
  // The container writes before anybody reads.
  t.server.logs.write("default/web-0", { container: "main", text: "first\n" });
  t.server.logs.write("default/web-0", { container: "side", text: "no\n" });
  await t.clock.advance(1000);
  t.server.logs.write("default/web-0", { container: "main", text: "second\n" });
  await t.clock.advance(1000);
  assertEquals(textOf(follow.lines), ["first", "second"]);
  await follow.stop();
});

Deno.test("followLogs() leaves out what it has left out at the start, also when a connection breaks", async () => {
  await using t = await world();
  await t.create("web-0");
  t.server.logs.write("default/web-0", { text: "before\n" });
  t.server.logs.start("default/web-0");
  for (const line of ["a", "b", "c"]) {
    await t.clock.advance(1);
    t.server.logs.write("default/web-0", { text: `${line}\n` });
  }
  const [all, last] = [t.follow(), t.follow({ tailLines: 1 })];
  await t.clock.advance(100);
  t.server.logs.endStreams({ broken: true });
  t.server.logs.write("default/web-0", { text: "d\n" });
  await t.clock.advance(5000);
  assertEquals(textOf(all.lines), ["a", "b", "c", "d"]);
  assertEquals(textOf(last.lines), ["c", "d"]);
  for (const follow of [all, last]) await follow.stop();
});

Deno.test("followLogs() follows Pods that come and go, also under the same name", async () => {
  await using t = await world();
  const follow = t.follow();
  const expected: string[] = [];
  for (let round = 0; round < 3; round++) {
    await t.create("web-0");
    for (let i = 0; i < 3; i++) {
      t.server.logs.write("default/web-0", { text: `${round} ${i}\n` });
      expected.push(`${round} ${i}`);
      await t.clock.advance(700);
    }
    await t.clock.run(t.client.delete(Pods, "web-0", { namespace }));
    t.server.logs.write("default/web-0", { text: `${round} bye\n` });
    expected.push(`${round} bye`);
    await t.clock.advance(3000);
  }
  assertEquals(textOf(follow.lines), expected);
  await follow.stop();
});

Deno.test("followLogs() delivers each line once, over restarts, cut connections and restarts of the server", async () => {
  await forEachSeed(8, async (random) => {
    await using t = await world(random.fork("world"));
    const below = (n: number) => Math.floor(random.next() * n);
    await t.create("web-0");
    await t.create("web-1", ["main", "side"]);
    const logs = [["web-0", "main"], ["web-1", "main"], ["web-1", "side"]] as const;
    const follow = t.follow();
    await t.clock.advance(1000);
    const written = new Map<string, string[]>(
      logs.map(([pod, container]) => [`${pod} ${container}`, []]),
    );
    let count = 0;
    const write = (which: readonly [string, string], lines: number) => {
      const [pod, container] = which;
      for (let i = 0; i < lines; i++) {
        // Equal lines at equal times are different lines.
        const line = below(3) === 0 ? "same" : `line ${count++}`;
        t.server.logs.write(`default/${pod}`, { container, text: `${line}\n` });
        written.get(`${pod} ${container}`)!.push(line);
      }
    };
    for (let restart = 0; restart < 10; restart++) {
      for (const which of logs) write(which, below(8));
      await t.clock.advance(below(1500));
      if (below(3) === 0) t.server.logs.endStreams({ broken: true });
      if (below(4) === 0) t.server.logs.endStreams();
      for (const which of logs) write(which, below(4));
      if (below(4) === 0) t.server.restart();
      await t.clock.advance(below(2) * 20);
      for (const which of logs) write(which, below(4));
      // The last lines of the instance are written while the connection may be broken.
      const [pod, container] = logs[below(3)]!;
      t.actors.crash(`default/${pod}`, { container });
      const running = () =>
        t.server.get(Pods, pod, namespace)?.status?.containerStatuses?.every(({ state }) =>
          state?.["running"]
        );
      await t.clock.advance(1);
      for (let i = 0; i < 40 && !running(); i++) await t.clock.advance(10_000);
      assert(running(), "the container does not run again");
    }
    await t.clock.advance(120_000);
    for (const [which, lines] of written) {
      const got = follow.lines.filter((line) => `${line.pod} ${line.container}` === which);
      assertEquals(textOf(got), lines, which);
    }
    await follow.stop();
  });
});

Deno.test("followLogs() reports a log that fails and retries it with growing pauses, while other logs continue", async () => {
  await using t = await world();
  await t.create("good");
  await t.create("bad");
  const fault = t.server.faults.fail(500, { when: ({ url }) => url.pathname.endsWith("/bad/log") });
  const failures: FollowFailure[] = [];
  const follow = t.follow({ onError: (failure) => void failures.push(failure) });
  for (let i = 0; i < 60; i++) {
    t.server.logs.write("default/good", { text: `${i}\n` });
    t.server.logs.write("default/bad", { text: `bad ${i}\n` });
    await t.clock.advance(10_000);
  }
  const got = (pod: string) => textOf(follow.lines.filter((line) => line.pod === pod));
  assertEquals(got("good").length, 60);
  assertEquals(got("bad"), []);
  assert(failures.length >= 8 && failures.length <= 40, `${failures.length} failures`);
  assert(failures.every(({ pod, container }) => pod === "bad" && container === "main"));
  fault.remove();
  await t.clock.advance(120_000);
  assertEquals(got("bad").length, 60);
  await follow.stop();
});

Deno.test("followLogs() waits for a container that does not start, without asking again and again", async () => {
  await using t = await world(undefined, {}, {
    lives: [{ selector: "app=web", stuck: { reason: "ImagePullBackOff" } }],
  });
  let requests = 0;
  t.server.faults.delay(0, { when: ({ subresource }) => subresource === "log" && ++requests > 0 });
  await t.create("web-0");
  const follow = t.follow();
  await t.clock.advance(3_600_000);
  assertEquals([requests, follow.lines], [0, []]);
  await follow.stop();
});

Deno.test("followLogs() ends with the log of a container that will not start again", async () => {
  await using t = await world(undefined, {}, {
    lives: [{
      selector: "app=web",
      logs: [{ text: "done" }],
      exits: [{ afterMs: 500, exitCode: 0 }],
    }],
  });
  let requests = 0;
  t.server.faults.delay(0, { when: ({ subresource }) => subresource === "log" && ++requests > 0 });
  const follow = t.follow();
  await t.clock.run(t.client.create(Pods, {
    metadata: { name: "job", namespace, labels: { app: "web" } },
    spec: { restartPolicy: "Never", containers: [{ name: "main", image: "i" }] },
  }));
  await t.clock.advance(10_000);
  const before = requests;
  assertEquals(textOf(follow.lines), ["done"]);
  await t.clock.advance(3_600_000);
  assertEquals(requests, before);
  await follow.stop();
});

Deno.test("followLogs() opens a silent log again, because its connection may be dead", async () => {
  await using t = await world();
  await t.create("web-0");
  t.server.logs.write("default/web-0", { text: "a\n" });
  // A connection that is dead without a sign.
  let dead = true;
  const { fetch, ...rest } = t.server.clientOptions;
  await using client = new Client({
    ...rest,
    fetch: async (request) => {
      const response = await fetch(request);
      if (!dead || !request.url.includes("follow=true")) return response;
      dead = false;
      await response.body?.cancel();
      return new Response(new ReadableStream());
    },
  });
  const lines: FollowedLine[] = [];
  const log = followLogs(client, { namespace });
  const running = (async () => {
    for await (const line of log) lines.push(line);
  })();
  await t.clock.advance(60_000);
  t.server.logs.write("default/web-0", { text: "b\n" });
  await t.clock.advance(200_000);
  assertEquals(lines, []);
  await t.clock.advance(60_000);
  assertEquals(textOf(lines), ["a", "b"]);
  // A quiet container costs a few requests in five minutes, and its log stays open.
  await t.clock.advance(3_600_000);
  t.server.logs.write("default/web-0", { text: "c\n" });
  await t.clock.advance(10);
  assertEquals(textOf(lines), ["a", "b", "c"]);
  await t.clock.run(log.close());
  await running;
});

Deno.test("followLogs() follows no more logs at once than it may", async () => {
  await using t = await world();
  for (const name of ["a", "b", "c"]) {
    await t.create(name);
    t.server.logs.write(`default/${name}`, { text: `${name}\n` });
  }
  const follow = t.follow({ maxStreams: 2 });
  await t.clock.advance(5000);
  assertEquals(t.server.logs.openStreams, 2);
  assertEquals(textOf(follow.lines), ["a", "b"]);
  await t.clock.run(t.client.delete(Pods, "a", { namespace }));
  await t.clock.advance(5000);
  assertEquals(textOf(follow.lines), ["a", "b", "c"]);
  await follow.stop();
  assertEquals(t.server.logs.openStreams, 0);
});

Deno.test("followLogs() forgets the Pods that have gone while they waited for their turn", async () => {
  await using t = await world();
  await t.create("long");
  const asked: string[] = [];
  const client = t.client.observed({ ended: ({ path }) => void asked.push(path) });
  const log = followLogs(client, { namespace, maxStreams: 1 });
  const lines: FollowedLine[] = [];
  const running = (async () => {
    for await (const line of log) lines.push(line);
  })();
  await t.clock.advance(1000);
  for (let run = 0; run < 20; run++) {
    await t.create(`job-${run}`);
    await t.clock.run(t.client.delete(Pods, `job-${run}`, { namespace, gracePeriodSeconds: 0 }));
    await t.clock.advance(1000);
  }
  await t.create("last");
  t.server.logs.write("default/last", { text: "last\n" });
  await t.clock.run(t.client.delete(Pods, "long", { namespace, gracePeriodSeconds: 0 }));
  await t.clock.advance(60_000);
  assertEquals(textOf(lines), ["last"]);
  assertEquals(asked.filter((path) => path.includes("/job-")), []);
  await t.clock.run(log.close());
  await running;
});

Deno.test("followLogs() reads no faster than its lines are taken", async () => {
  await using t = await world();
  await t.create("web-0");
  for (let i = 0; i < 50_000; i++) t.server.logs.write("default/web-0", { text: `${i}\n` });
  const log = followLogs(t.client, { namespace });
  for (let i = 0; i < 3; i++) assertEquals((await t.clock.run(log.next())).value?.line, `${i}`);
  await t.clock.advance(1000);
  for (let i = 3; i < 50_000; i++) {
    assertEquals((await t.clock.run(log.next())).value?.line, `${i}`);
  }
  await t.clock.run(log.close());
  assertEquals((await log.next()).done, true);
});

Deno.test("followLogs() says at once why it cannot list Pods", async () => {
  await using t = await world();
  t.server.faults.fail(403);
  const error = await t.clock.run(followLogs(t.client).next().catch((reason) => reason));
  assert(isForbidden(error));
});

Deno.test("followLogs() ends with the reason of the signal, and with its client", async () => {
  await using t = await world();
  await t.create("web-0");
  const stop = new AbortController();
  const aborted = followLogs(t.client, { namespace, signal: stop.signal });
  const next = aborted.next().catch((error) => error.message);
  await t.clock.advance(1000);
  stop.abort(new Error("enough"));
  assertEquals(await t.clock.run(next), "enough");
  assertEquals((await aborted.next()).done, true);

  const client = new Client(t.server.clientOptions);
  const closed = followLogs(client, { namespace });
  const last = closed.next().catch((error) => error);
  await t.clock.advance(1000);
  await client.close();
  assert(TerminalError.is(await t.clock.run(last)));
  await t.clock.run(closed.close());
  await t.clock.advance(1000);
  assertEquals(t.server.logs.openStreams, 0);
});

Deno.test("followLogs() refuses options that are not what they should be", async () => {
  await using client = new Client({ fetch: () => Promise.reject(new Error("no request")) });
  const refuses = (options: unknown, message: string) =>
    assertThrows(() => followLogs(client, options as FollowLogsOptions), Error, message);
  refuses({ containers: "main" }, "Invalid containers of followLogs(): expected an array of names");
  refuses({ containers: [""] }, "Invalid containers");
  refuses({ maxStreams: 0 }, "maxStreams must be a whole number of at least 1");
  refuses({ onError: 7 }, "onError");
  refuses({ signal: {} }, "an AbortSignal");
  refuses({ maxStream: 5 }, 'followLogs() has no option "maxStream": did you mean "maxStreams"?');
  refuses(null, "followLogs() takes an object with options");
  refuses({ tailLines: -1 }, "tailLines must be");
  refuses({ sinceTime: "now" }, "Invalid sinceTime");
  refuses({ namespace: "" }, "Missing namespace");
  refuses({ labelSelector: {} }, "Invalid labelSelector");
  await assertRejects(() => followLogs(client, { namespace }).next(), Error, "no request");
});
