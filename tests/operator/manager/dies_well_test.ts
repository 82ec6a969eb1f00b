import { assertEquals, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import { type Client, ConfigMaps, Manager } from "@kubeloop/controller";
import { LeaderElector, LeadershipLostError } from "@kubeloop/controller/operator";
import type { ManagerOptions } from "@kubeloop/controller";
import { namespace, Widgets, widgetWorld, type World } from "../_world.ts";

const never = () => new Promise<never>(() => {});
const LEASE = { name: "widgets", namespace };

/** Returns a client whose requests that match get no answer, and a manager of it. */
function deafManager(
  world: World,
  isLost: (request: Request) => boolean,
  options: ManagerOptions = {},
): { readonly client: Client; readonly manager: Manager } {
  const client = world.clientWith((request) => isLost(request) ? never() : undefined);
  return { client, manager: new Manager(client, options) };
}

async function probe(manager: Manager, path: string): Promise<string> {
  const response = await manager.handler(new Request(`http://manager${path}`));
  return `${response.status} ${await response.text()}`;
}

function state(manager: Manager): string | undefined {
  const text = manager.metrics.text();
  return /kubeloop_manager_state\{state="([^"]*)"\} 1\n/.exec(text)?.[1];
}

Deno.test("a lost lease ends run() within gracefulStopTimeoutMs, even if a reconcile ignores its signal", async () => {
  await using world = await widgetWorld();
  let isCut = false;
  const { client, manager } = deafManager(world, ({ url }) => isCut && url.includes("/leases/"), {
    leaderElection: LEASE,
    gracefulStopTimeoutMs: 5_000,
  });
  await using _ = client;
  manager.controller(Widgets, { workers: 2 }).reconcile(({ name }) =>
    name === "hung" ? never() : undefined
  );
  let ended = 0;
  const running = manager.run().catch((error) => {
    ended = world.clock.now();
    return error;
  });
  await world.widget("hung");
  await world.pass(5_000);
  isCut = true;
  const cutAt = world.clock.now();
  const error = await world.do(running);
  assertEquals(LeadershipLostError.is(error), true);
  // The lease is lost 10 s after its last renewal, at most 2 s before the cut.
  assertEquals(ended - cutAt <= 15_000, true, `${ended - cutAt}`);
  const late = world.lines.filter((line) => line.includes("not everything has stopped"));
  assertEquals(late, [
    'error operator: not everything has stopped within 5000 ms: controller "widget" (reconciling default/hung)',
  ]);
  assertEquals(state(manager), "stopped");
  assertStringIncludes(await probe(manager, "/readyz"), "503");
  assertStringIncludes(await probe(manager, "/healthz"), "503");
});

Deno.test("a manager whose reconcile ignores the stop abandons its lease", async () => {
  await using world = await widgetWorld();
  const manager = world.manager({ leaderElection: LEASE, gracefulStopTimeoutMs: 5_000 });
  manager.controller(Widgets).reconcile(() => never());
  const stop = new AbortController();
  const running = manager.run({ signal: stop.signal });
  await world.widget("hung");
  await world.pass(5_000);
  stop.abort();
  const error = await assertRejects(() => world.do(running), Error);
  assertStringIncludes(error.message, 'controller "widget" (reconciling default/hung)');

  const next = world.manager({ name: "next", leaderElection: LEASE });
  let reconciled = 0;
  next.controller(Widgets).reconcile(() => void reconciled++);
  world.start(next);
  await world.pass(20_000);
  assertEquals([state(next), reconciled], ["leading", 1]);
});

Deno.test("a reconcile that has not ended at its deadline is one warning with its key", async () => {
  await using world = await widgetWorld();
  const manager = world.manager({ gracefulStopTimeoutMs: 1_000, unhealthyWhenHung: true });
  let aborted: unknown;
  let tries = 0;
  manager.controller(Widgets, { workers: 2, reconcileTimeoutMs: 60_000 })
    .reconcile(async (pass) => {
      // It looks at its signal only after the deadline.
      if (pass.name === "deaf") await never();
      if (pass.name === "late" && tries++ === 0) {
        await new Promise<void>((resolve) => void pass.clock.setTimer(resolve, 90_000));
        aborted = pass.signal.reason;
        pass.signal.throwIfAborted();
      }
    });
  const stop = new AbortController();
  const running = manager.run({ signal: stop.signal });
  await world.widget("deaf");
  await world.widget("late");
  await world.pass(59_000);
  assertStringIncludes(await probe(manager, "/healthz"), "200");
  await world.pass(1_000);
  assertEquals(
    world.lines.filter((line) => line.includes("has not ended within 60000 ms")).length,
    2,
    "at the deadline",
  );
  assertMatch(await probe(manager, "/healthz"), /^503 .*\[-\]reconciles failed: reason withheld/s);
  await world.pass(600_000);
  const lines = world.lines.filter((line) => line.includes("has not ended within 60000 ms"));
  assertEquals(
    lines[0],
    'warn widget: reconcile of "default/deaf" has not ended within 60000 ms: its signal is aborted, and the key is retried when it ends',
  );
  assertEquals(
    lines.filter((line) => line.startsWith('warn widget: reconcile of "default/deaf" has not'))
      .length,
    1,
  );
  assertStringIncludes(String(aborted), 'reconcile of "default/late" took longer than 60000 ms');
  assertStringIncludes(manager.metrics.text(), 'reconcile_timeouts_total{controller="widget"}');
  stop.abort();
  await assertRejects(() => world.do(running), Error, "(reconciling default/deaf");
});

Deno.test("/healthz passes with reconciles in time, and without the option also with a hung one", async () => {
  await using world = await widgetWorld();
  const manager = world.manager({ gracefulStopTimeoutMs: 1_000 });
  manager.controller(Widgets, { reconcileTimeoutMs: 1_000 }).reconcile(() => never());
  const stop = new AbortController();
  const running = manager.run({ signal: stop.signal });
  await world.widget("hung");
  await world.pass(5_000);
  assertStringIncludes(await probe(manager, "/healthz"), "200 [+]ping ok\n[+]state ok: leading\n");
  stop.abort();
  await assertRejects(() => world.do(running), Error);
});

Deno.test("a lost answer to the write of a status occupies the worker for 30 s, and the key is retried", async () => {
  await using world = await widgetWorld();
  let lost = 0;
  const { client, manager } = deafManager(
    world,
    ({ method, url }) => method === "PATCH" && url.includes("/a/status") && lost++ === 0,
  );
  await using _ = client;
  const seen: string[] = [];
  manager.controller(Widgets).reconcile(({ name, status }) => {
    seen.push(name);
    status({ ready: 1 });
  });
  world.start(manager);
  await world.widget("a");
  await world.pass(1_000);
  await world.widget("b");
  await world.pass(28_000);
  assertEquals(seen, ["a"]);
  await world.pass(3_000);
  assertEquals(seen, ["a", "b", "a"]);
  assertStringIncludes(world.lines.join("\n"), "the status was not written within 30000 ms");
  for (const name of ["a", "b"]) {
    const { status } = await world.do(world.client.get(Widgets, name, { namespace }));
    assertEquals(status?.ready, 1);
  }
});

Deno.test("a short reconcileTimeoutMs limits the write of the status as well", async () => {
  await using world = await widgetWorld();
  const { client, manager } = deafManager(world, ({ url }) => url.includes("/a/status"));
  await using _ = client;
  const seen: string[] = [];
  manager.controller(Widgets, { reconcileTimeoutMs: 2_000 }).reconcile(({ name, status }) => {
    seen.push(name);
    status({ ready: 1 });
  });
  world.start(manager);
  await world.widget("a");
  await world.pass(100);
  await world.widget("b");
  await world.pass(3_000);
  assertEquals(seen.includes("b"), true);
});

Deno.test("a lost answer to an early write of a status does not hang the reconcile", async () => {
  await using world = await widgetWorld();
  const { client, manager } = deafManager(world, ({ url }) => url.includes("/a/status"));
  await using _ = client;
  const failures: string[] = [];
  manager.controller(Widgets).reconcile(async ({ status }) => {
    try {
      await status({ ready: 1 }).write();
    } catch (error) {
      failures.push(String(error));
      throw error;
    }
  });
  world.start(manager);
  await world.widget("a");
  await world.pass(95_000);
  assertMatch(failures.join(), /PATCH .*\/a\/status timed out: no answer within 90 s/);
});

Deno.test("lost answers to the checks of a start only delay it", async () => {
  await using world = await widgetWorld();
  const { client, manager } = deafManager(
    world,
    ({ url }) => url.includes("selfsubject") || url.includes("limit=1&") || url.endsWith("limit=1"),
  );
  await using _ = client;
  let reconciled = 0;
  manager.controller(Widgets).reconcile(() => void reconciled++);
  world.start(manager);
  await world.widget("a");
  await world.pass(200_000);
  assertEquals(reconciled, 1);
  assertStringIncludes(
    world.lines.join("\n"),
    "the rights were not checked: the server has not answered within 30000 ms",
  );
});

Deno.test("a start is one log line with the running parts", async () => {
  await using world = await widgetWorld();
  const manager = world.manager({ name: "widgets" });
  manager.controller(Widgets).owns(ConfigMaps).reconcile(() => {});
  world.start(manager);
  await world.pass(1_000);
  assertEquals(
    world.lines.filter((line) => line.startsWith("info widgets: ")),
    ["info widgets: starting", "info widgets: 1 controller, 2 caches, synced in 0 ms, leading"],
  );
});

Deno.test("the phases of a manager are in its log, its probes and its metrics", async () => {
  await using world = await widgetWorld();
  const first = world.manager({ name: "first", leaderElection: LEASE });
  first.controller(Widgets).reconcile(() => {});
  const second = world.manager({ name: "second", leaderElection: LEASE });
  second.controller(Widgets).reconcile(() => {});
  assertEquals(state(first), "created");
  assertStringIncludes(await probe(first, "/readyz"), "[-]state failed: created");
  const stop = new AbortController();
  const running = first.run({ signal: stop.signal });
  await world.pass(1_000);
  world.start(second);
  await world.pass(1_000);
  assertEquals([state(first), state(second)], ["leading", "standing by"]);
  assertStringIncludes(
    await probe(second, "/readyz"),
    "200 [+]caches ok\n[+]state ok: standing by",
  );
  stop.abort();
  assertStringIncludes(await probe(first, "/readyz"), "[-]state failed: stopping");
  assertStringIncludes(await probe(first, "/healthz"), "200");
  await world.do(running);
  await world.pass(5_000);
  assertEquals([state(first), state(second)], ["stopped", "leading"]);
  assertEquals(
    world.lines.filter((line) => line.startsWith("info first: ")).map((line) => line.slice(12)),
    [
      "starting",
      "1 controller, 1 cache, synced in 0 ms, standing by",
      "leading",
      "stopping",
      "stopped",
    ],
  );
});

Deno.test("run() a second time is an error", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  manager.controller(Widgets).reconcile(() => {});
  const running = world.start(manager);
  await world.pass(100);
  await assertRejects(() => manager.run(), Error, "was run before and cannot be run twice");
  await manager[Symbol.asyncDispose]();
  await world.do(running);
  await assertRejects(() => manager.run(), Error, "was run before and cannot be run twice");
});

Deno.test("a cache that cannot sync ends run() with the reason", async () => {
  await using world = await widgetWorld();
  const { client, manager } = deafManager(
    world,
    ({ url }) => url.includes("/widgets") && !url.includes("limit=1"),
    { cacheSyncTimeoutMs: 20_000 },
  );
  await using _ = client;
  manager.controller(Widgets).reconcile(() => {});
  const error = await assertRejects(() => world.do(manager.run()), Error);
  assertMatch(
    error.message,
    /Timed out after 20000 ms waiting for caches to sync: widgets\.acme\.io/,
  );
  assertEquals(state(manager), "stopped");
});

Deno.test("a sharded manager whose reconcile ignores the stop ends in time, and its shards go to others", async () => {
  await using world = await widgetWorld();
  const sharding = { name: "widgets", namespace, shards: 2 };
  const manager = world.manager({ sharding, gracefulStopTimeoutMs: 5_000 });
  manager.controller(Widgets).reconcile(() => never());
  const stop = new AbortController();
  const running = manager.run({ signal: stop.signal });
  await world.widget("hung");
  await world.pass(30_000);
  stop.abort();
  const stoppedMs = world.clock.now();
  const error = await assertRejects(() => world.do(running), Error);
  assertStringIncludes(error.message, 'controller "widget" (reconciling default/hung)');
  assertEquals(world.clock.now() - stoppedMs <= 5_000, true);

  const next = world.manager({ name: "next", sharding });
  let reconciled = 0;
  next.controller(Widgets).reconcile(() => void reconciled++);
  world.start(next);
  await world.pass(60_000);
  assertEquals(reconciled, 1);
});

Deno.test("LeaderElector logs a function that has not ended a minute after its signal", async () => {
  await using world = await widgetWorld();
  const elector = new LeaderElector(world.client, LEASE);
  const stop = new AbortController();
  const abandon = new AbortController();
  const running = elector.run(() => never(), { signal: stop.signal, abandon: abandon.signal });
  await world.pass(5_000);
  stop.abort();
  await world.pass(59_000);
  assertEquals(world.lines.filter((line) => line.startsWith("warn ")), []);
  await world.pass(2_000);
  assertEquals(world.lines.filter((line) => line.startsWith("warn ")), [
    "warn widgets: lead() has not ended within 60000 ms after its signal has aborted",
  ]);
  abandon.abort();
  await world.do(running);
});

Deno.test("a part that does not stop when it is removed is an error", async () => {
  await using world = await widgetWorld();
  const manager = world.manager({ gracefulStopTimeoutMs: 2_000 });
  manager.controller(Widgets).reconcile(() => {});
  const stop = new AbortController();
  const running = manager.run({ signal: stop.signal });
  running.catch(() => {});
  await world.pass(100);
  const deaf = { name: "deaf", run: never };
  manager.add(deaf);
  await assertRejects(
    () => world.do(manager.remove(deaf)),
    Error,
    "deaf has not stopped within 2000 ms",
  );
  stop.abort();
  await assertRejects(() => world.do(running), Error, "within 2000 ms: deaf");
});
