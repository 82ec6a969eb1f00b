import { assert, assertEquals } from "@std/assert";
import { ConfigMaps, defineResource, Secrets } from "@kubeloop/controller";
import { namespace, Widgets, widgetWorld } from "../_world.ts";

const Gadgets = defineResource({
  group: "acme.io",
  version: "v1",
  kind: "Gadget",
  spec: { type: "object", properties: { size: { type: "integer" } } },
});

Deno.test("A dry run writes nothing, and logs its changes", async () => {
  await using world = await widgetWorld();
  const finalizer = "acme.io/bucket";
  await world.widget("a");
  const metadata = { name: "b", namespace, finalizers: [finalizer] };
  await world.do(world.client.create(Widgets, { metadata, spec: { size: 1 } }));
  await world.do(world.client.delete(Widgets, "b", { namespace }));
  await world.do(world.client.create(Secrets, { metadata: { name: "old", namespace } }));
  const before = world.server.resourceVersion;
  const external: string[] = [];
  const manager = world.manager({
    dryRun: true,
    definitions: [Gadgets],
    leaderElection: { name: "widgets", namespace },
    webhooks: { service: { name: "widgets", namespace } },
  });
  manager.controller(Widgets).owns(ConfigMaps)
    .finalizer(finalizer, {
      apply: () => void external.push("apply"),
      cleanup: () => void external.push("cleanup"),
    })
    .reconcile(async ({ name, apply, client, event, object, status }) => {
      await apply(ConfigMaps, { metadata: { name }, data: { size: `${object.spec.size}` } });
      await client.create(Secrets, { metadata: { name: "new", namespace } });
      await client.patch(Secrets, "old", { metadata: { labels: { a: "b" } } }, { namespace });
      await client.delete(Secrets, "old", { namespace });
      await client.deleteCollection(Secrets, { namespace });
      await client.patchStatus(Widgets, name, { status: { ready: 9 } }, { namespace });
      status({ ready: 1 }).condition("Available", "True", "Applied");
      event("Normal", "Rolled", "all of it");
      return { prune: true };
    });
  world.start(manager);
  await world.pass(60_000);
  assertEquals(world.server.resourceVersion, before);
  assertEquals(external, []);
  const { lines } = world;
  assertEquals(lines.filter((line) => !/^info (Dry run: would|[+-]|operator:) /.test(line)), []);
  assert(lines.includes('info + data.size: "1"'), lines.join("\n"));
  for (
    const what of [
      "create ConfigMap default/a",
      "change the status of Widget default/a",
      "add the finalizer acme.io/bucket of Widget default/a",
      "clean up for and remove the finalizer acme.io/bucket of Widget default/b",
      "record Normal Rolled of Widget default/a: all of it",
    ]
  ) assert(lines.includes(`info Dry run: would ${what}`), lines.join("\n"));
});
