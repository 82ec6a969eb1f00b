import { assert, assertEquals, assertRejects } from "@std/assert";
import { Client, ConfigMaps, Leases, Manager } from "@kubeloop/controller";
import { namespace, Widgets, widgetWorld, type World } from "../_world.ts";

const leaderElection = { name: "widgets", namespace };

function managerOf(world: World, identity: string, seen: string[]) {
  const manager = world.manager({ leaderElection: { ...leaderElection, identity } });
  manager.controller(Widgets).owns(ConfigMaps).reconcile(async ({ key, object, apply }) => {
    seen.push(`${identity} ${key} ${object.spec.size}`);
    await apply(ConfigMaps, { metadata: { name: object.metadata.name } });
  });
  return manager;
}

const ready = async (world: World, manager: ReturnType<World["manager"]>) =>
  (await world.do(manager.handler(new Request("http://pod/readyz")))).status;

Deno.test("One of two managers reconciles; the other is ready, and takes over within 2 s after a clean stop", async () => {
  await using world = await widgetWorld();
  const seen: string[] = [];
  const [a, b] = [managerOf(world, "a", seen), managerOf(world, "b", seen)];
  const stop = new AbortController();
  const running = a.run({ signal: stop.signal });
  await world.pass(100);
  world.start(b);
  await world.pass(5_000);
  await world.widget("w");
  await world.pass(100);
  assertEquals(seen, ["a default/w 1", "a default/w 1"]);
  assertEquals([await ready(world, a), await ready(world, b)], [200, 200]);
  stop.abort();
  await world.do(running);
  const { spec } = await world.do(world.client.get(Leases, "widgets", { namespace }));
  assertEquals(spec?.holderIdentity, "");
  await world.pass(2_000);
  assertEquals(seen.slice(2), ["b default/w 1"]);
});

Deno.test("The lease is released only after running reconciles have ended", async () => {
  await using world = await widgetWorld();
  const manager = world.manager({ leaderElection: { ...leaderElection, identity: "a" } });
  const hung = Promise.withResolvers<void>();
  manager.controller(Widgets).reconcile(() => hung.promise);
  const stop = new AbortController();
  const running = manager.run({ signal: stop.signal });
  await world.widget("w");
  await world.pass(3_000);
  stop.abort();
  const holder = async () => {
    const { spec } = await world.do(world.client.get(Leases, "widgets", { namespace }));
    return spec?.holderIdentity;
  };
  await world.pass(20_000);
  assertEquals(await holder(), "a");
  hung.resolve();
  await world.do(running);
  assertEquals(await holder(), "");
});

Deno.test("A manager that loses its lease stops its reconciles, and says so", async () => {
  await using world = await widgetWorld();
  const manager = world.manager({ leaderElection: { ...leaderElection, identity: "a" } });
  let aborted: number | undefined;
  manager.controller(Widgets).reconcile(async ({ signal }) => {
    await new Promise<void>((resolve) => {
      signal.addEventListener("abort", () => {
        aborted = world.clock.now();
        resolve();
      });
    });
  });
  const running = manager.run();
  running.catch(() => {});
  await world.widget("w");
  await world.pass(100);
  const lostAt = world.clock.now();
  world.server.faults.fail(503, { when: ({ resource }) => resource === "leases" });
  await world.pass(15_000);
  assert(aborted !== undefined && aborted - lostAt <= 12_000, `${aborted} ${lostAt}`);
  await assertRejects(() => world.do(running), Error, "widgets");
});

for (
  const [what, options] of [
    ["lease", { leaderElection: { ...leaderElection, identity: "a" } }],
    ["shards", { sharding: leaderElection }],
  ] as const
) {
  Deno.test(`A client with a limit of requests does not lose its ${what} to the requests of reconciles`, async () => {
    await using world = await widgetWorld();
    for (let i = 0; i < 60; i++) await world.widget(`w-${i}`);
    await using client = new Client({ ...world.server.clientOptions, qps: 2 });
    const manager = new Manager(client, options);
    manager.controller(Widgets, { workers: 60 }).owns(ConfigMaps).reconcile(
      async ({ name, apply, signal }) => {
        await apply(ConfigMaps, { metadata: { name } });
        assert(!signal.aborted);
      },
    );
    const stop = new AbortController();
    const running = manager.run({ signal: stop.signal });
    await world.pass(60_000);
    const { items } = await world.do(world.client.list(ConfigMaps, { namespace }));
    assertEquals(items.length, 60);
    stop.abort();
    await world.do(running);
  });
}
