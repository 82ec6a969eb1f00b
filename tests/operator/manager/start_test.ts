import { assertEquals } from "@std/assert";
import { ConfigMaps } from "@kubeloop/controller";
import { namespace, Widgets, widgetWorld } from "../_world.ts";

Deno.test("A manager does not start on a state older than the writes of the previous process", async () => {
  await using world = await widgetWorld();
  await world.widget("old");
  const at = world.server.resourceVersion;
  await world.do(world.client.delete(Widgets, "old", { namespace }));
  await world.widget("new");
  // A replica that is behind, of a version without streaming lists.
  world.server.lag.freeze({ at });
  world.server.faults.fail(422, { when: ({ url }) => url.searchParams.has("sendInitialEvents") });
  const manager = world.manager();
  const seen: string[] = [];
  manager.controller(Widgets).reconcile(({ name }) => void seen.push(name));
  world.start(manager);
  await world.pass(2_000);
  assertEquals(seen, ["new"]);
});

Deno.test("A settled restart of 200 objects writes nothing, and a reconcile that changes nothing makes no request", async () => {
  await using world = await widgetWorld();
  const declare = () => {
    const manager = world.manager();
    const controller = manager.controller(Widgets, { workers: 4 })
      .owns(ConfigMaps)
      .finalizer("acme.io/bucket", { cleanup: () => {} })
      .reconcile(async ({ name, object, apply, status }) => {
        const { data } = await apply(ConfigMaps, {
          metadata: { name, labels: { app: name } },
          data: { size: `${object.spec.size}` },
        });
        status({ ready: Number(data?.["size"]) }).condition("Available", "True", "Applied");
        return { prune: true };
      });
    return { manager, controller };
  };
  const count = 200;
  await world.do(Promise.all(
    Array.from({ length: count }, (_, i) =>
      world.client.create(Widgets, {
        metadata: { name: `w${i}`, namespace },
        spec: { size: i },
      })),
  ));
  const first = declare();
  world.start(first.manager);
  await world.pass(60_000);
  assertEquals(world.server.count(ConfigMaps, namespace), count);
  await world.do(first.manager[Symbol.asyncDispose]());

  world.writes.length = 0;
  const second = declare();
  world.start(second.manager);
  await world.pass(60_000);
  assertEquals(second.controller.snapshot().reconciles, count);
  assertEquals(world.writes.filter((line) => !line.includes("selfsubject")), []);
  const before = world.requests;
  for (let i = 0; i < count; i++) second.controller.trigger(`default/w${i}`);
  await world.pass(1_000);
  assertEquals(second.controller.snapshot().reconciles, 2 * count);
  assertEquals(world.requests, before);
});
