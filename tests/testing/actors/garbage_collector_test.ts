import { assertEquals } from "@std/assert";
import { nightlyTest } from "../../support/kinds_of_tests.ts";
import {
  ConfigMaps,
  CustomResourceDefinitions,
  type KubeObject,
  Namespaces,
  Nodes,
  type OwnerReference,
  Pods,
  Secrets,
} from "../../../mod.ts";
import { GarbageCollector } from "../../../src/testing/mod.ts";
import { NAMESPACE, ownedBy, WIDGET_DEFINITION, WIDGETS, World } from "./world.ts";

const BLOCKING = { blockOwnerDeletion: true };

async function collected(seed?: number): Promise<World> {
  const world = new World(seed);
  await world.start(new GarbageCollector(world.options));
  return world;
}

Deno.test("GarbageCollector deletes all descendants of a deleted object in the background", async () => {
  await using world = await collected();
  const owner = await world.configMap("owner");
  const child = await world.configMap("child", ownedBy(owner));
  await world.configMap("grandchild", ownedBy(child));
  await world.configMap("bystander");
  await world.client.delete(ConfigMaps, "owner", { ...NAMESPACE, propagationPolicy: "Background" });
  await world.clock.advance(100);
  assertEquals(world.names(ConfigMaps), "bystander");
  assertEquals(world.warnings, []);
});

Deno.test("GarbageCollector collects the dependents of owners that were deleted before it started", async () => {
  await using world = new World();
  const owner = await world.configMap("owner");
  await world.configMap("child", ownedBy(owner));
  await world.client.delete(ConfigMaps, "owner", NAMESPACE);
  await world.start(new GarbageCollector(world.options));
  await world.clock.advance(100);
  assertEquals(world.names(ConfigMaps), "");
});

Deno.test("GarbageCollector removes only the reference from an object that has another owner", async () => {
  await using world = await collected();
  const [first, second] = [await world.configMap("first"), await world.configMap("second")];
  const { ownerReferences: [one] } = ownedBy(first);
  const { ownerReferences: [other] } = ownedBy(second);
  await world.configMap("child", { ownerReferences: [one!, other!] });
  await world.client.delete(ConfigMaps, "first", NAMESPACE);
  await world.clock.advance(100);
  const child = world.server.get(ConfigMaps, "child", "default");
  assertEquals(child?.metadata.ownerReferences?.map(({ name }) => name), ["second"]);
  await world.client.delete(ConfigMaps, "second", NAMESPACE);
  await world.clock.advance(100);
  assertEquals(world.names(ConfigMaps), "");
});

Deno.test("GarbageCollector treats an owner with the same name and another uid as absent", async () => {
  await using world = await collected();
  const owner = await world.configMap("owner");
  await world.configMap("child", ownedBy(owner, { uid: "00000000-0000-4000-8000-000000000000" }));
  await world.clock.advance(100);
  assertEquals(world.names(ConfigMaps), "owner");
});

Deno.test("GarbageCollector treats an owner in another namespace as absent", async () => {
  await using world = await collected();
  await world.create(Namespaces, { metadata: { name: "elsewhere" } });
  const owner = await world.configMap("owner", { namespace: "elsewhere" });
  await world.configMap("child", ownedBy(owner));
  await world.clock.advance(100);
  assertEquals(world.names(ConfigMaps), "owner");
});

Deno.test("GarbageCollector accepts a cluster-scoped owner of a namespaced object, but not the reverse", async () => {
  await using world = await collected();
  const node = await world.create(Nodes, { metadata: { name: "node" } });
  await world.configMap("of-node", ownedBy(node));
  const owner = await world.configMap("owner");
  await world.create(Nodes, { metadata: { name: "odd", ...ownedBy(owner) } });
  await world.client.delete(ConfigMaps, "owner", NAMESPACE);
  await world.clock.advance(100);
  assertEquals([world.names(ConfigMaps), world.names(Nodes)], ["of-node", "node odd"]);
  await world.client.delete(Nodes, "node");
  await world.clock.advance(100);
  assertEquals(world.names(ConfigMaps), "");
});

Deno.test("GarbageCollector deletes blocking dependents before their owner in the foreground, and awaits finalizers", async () => {
  await using world = await collected();
  const owner = await world.configMap("owner");
  await world.configMap("free", ownedBy(owner, BLOCKING));
  const held = await world.configMap("held", {
    ...ownedBy(owner, BLOCKING),
    finalizers: ["example.com/hold"],
  });
  const events = await world.watch(
    ConfigMaps,
    ({ metadata }) => `${metadata.name} [${metadata.finalizers ?? ""}]`,
  );
  await world.client.delete(ConfigMaps, "owner", { ...NAMESPACE, propagationPolicy: "Foreground" });
  await world.clock.advance(1000);
  assertEquals(world.names(ConfigMaps), "held owner");
  await world.client.patch(ConfigMaps, "held", { metadata: { finalizers: null } }, NAMESPACE);
  await world.clock.advance(1000);
  // The dependents are deleted at the same time, in any order.
  assertEquals([events[0], ...events.slice(1, 3).sort(), ...events.slice(3)], [
    "0.0 MODIFIED owner [foregroundDeletion]",
    "0.0 DELETED free []",
    "0.0 MODIFIED held [example.com/hold]",
    "1.0 DELETED held [example.com/hold]",
    "1.0 DELETED owner [foregroundDeletion]",
  ]);
  assertEquals(held.metadata.deletionTimestamp, undefined);
});

Deno.test("GarbageCollector deletes all generations in the foreground, the youngest first", async () => {
  await using world = await collected();
  const owner = await world.configMap("owner");
  const child = await world.configMap("child", ownedBy(owner, BLOCKING));
  await world.configMap("grandchild", ownedBy(child, BLOCKING));
  const events = await world.watch(ConfigMaps);
  await world.client.delete(ConfigMaps, "owner", { ...NAMESPACE, propagationPolicy: "Foreground" });
  await world.clock.advance(100);
  const gone = events.filter((event) => event.includes("DELETED"));
  assertEquals(gone, ["0.0 DELETED grandchild", "0.0 DELETED child", "0.0 DELETED owner"]);
});

Deno.test("GarbageCollector does not make an owner wait for dependents that do not block it", async () => {
  await using world = await collected();
  const owner = await world.configMap("owner");
  await world.configMap("held", { ...ownedBy(owner), finalizers: ["example.com/hold"] });
  await world.client.delete(ConfigMaps, "owner", { ...NAMESPACE, propagationPolicy: "Foreground" });
  await world.clock.advance(100);
  assertEquals(world.names(ConfigMaps), "held");
  const held = world.server.get(ConfigMaps, "held", "default");
  assertEquals(held?.metadata.deletionTimestamp !== undefined, true);
});

Deno.test("GarbageCollector takes the reference to an owner that waits from a dependent that another owner keeps", async () => {
  await using world = await collected();
  const leaving = await world.configMap("leaving");
  const { ownerReferences: [one] } = ownedBy(leaving, BLOCKING);
  const { ownerReferences: [other] } = ownedBy(await world.configMap("staying"), BLOCKING);
  await world.configMap("child", { ownerReferences: [one!, other!] });
  const call = { ...NAMESPACE, propagationPolicy: "Foreground" as const };
  await world.client.delete(ConfigMaps, "leaving", call);
  await world.clock.advance(100);
  assertEquals(world.names(ConfigMaps), "child staying");
  const child = world.server.get(ConfigMaps, "child", "default");
  assertEquals(child?.metadata.ownerReferences?.map(({ name }) => name), ["staying"]);
  const { actorRequests: requests } = world;
  await world.client.patch(ConfigMaps, "child", { metadata: { labels: { a: "b" } } }, NAMESPACE);
  await world.clock.advance(100);
  assertEquals(world.actorRequests, requests);
});

Deno.test("GarbageCollector lets an owner go once nothing blocks it any more", async () => {
  await using world = await collected();
  const owner = await world.configMap("owner");
  const finalizers = ["example.com/hold"];
  await world.configMap("held", { ...ownedBy(owner, BLOCKING), finalizers });
  const call = { ...NAMESPACE, propagationPolicy: "Foreground" as const };
  await world.client.delete(ConfigMaps, "owner", call);
  await world.clock.advance(100);
  assertEquals(world.names(ConfigMaps), "held owner");
  await world.client.patch(ConfigMaps, "held", { metadata: ownedBy(owner) }, NAMESPACE);
  await world.clock.advance(100);
  assertEquals(world.names(ConfigMaps), "held");
});

Deno.test("GarbageCollector deletes a dependent in the way that its own finalizers ask for", async () => {
  for (
    const [finalizer, left, gone] of [
      ["orphan", "grandchild", ["owner", "child"]],
      ["foregroundDeletion", "", ["owner", "grandchild", "child"]],
    ] as const
  ) {
    await using world = await collected();
    const owner = await world.configMap("owner");
    const child = await world.configMap("child", { ...ownedBy(owner), finalizers: [finalizer] });
    await world.configMap("grandchild", ownedBy(child, BLOCKING));
    const events = await world.watch(ConfigMaps);
    await world.client.delete(ConfigMaps, "owner", NAMESPACE);
    await world.clock.advance(100);
    assertEquals(world.names(ConfigMaps), left);
    const deleted = events.filter((event) => event.includes("DELETED"));
    assertEquals(deleted.map((event) => event.split(" ")[2]), [...gone]);
  }
});

Deno.test("GarbageCollector breaks a cycle of objects that block each other", async () => {
  await using world = await collected();
  const first = await world.configMap("first");
  const second = await world.configMap("second", ownedBy(first, BLOCKING));
  await world.client.patch(ConfigMaps, "first", {
    metadata: ownedBy(second, BLOCKING),
  }, NAMESPACE);
  await world.client.delete(ConfigMaps, "first", { ...NAMESPACE, propagationPolicy: "Foreground" });
  await world.clock.advance(1000);
  assertEquals(world.names(ConfigMaps), "");
});

Deno.test("GarbageCollector orphans dependents: it removes the reference and keeps the object", async () => {
  await using world = await collected();
  const owner = await world.configMap("owner");
  const { ownerReferences: [reference] } = ownedBy(owner);
  const other = await world.configMap("other");
  const { ownerReferences: [otherReference] } = ownedBy(other);
  await world.configMap("child", { ownerReferences: [reference!, otherReference!] });
  await world.create(Secrets, {
    metadata: { name: "child", ...NAMESPACE, ownerReferences: [reference!] },
  });
  await world.client.delete(ConfigMaps, "owner", { ...NAMESPACE, propagationPolicy: "Orphan" });
  await world.clock.advance(100);
  assertEquals(world.names(ConfigMaps), "child other");
  const child = world.server.get(ConfigMaps, "child", "default");
  assertEquals(child?.metadata.ownerReferences?.map(({ name }) => name), ["other"]);
  const secret = world.server.get(Secrets, "child", "default");
  assertEquals(secret?.metadata.ownerReferences, undefined);
});

Deno.test("GarbageCollector starts and stops to monitor custom resources with their definitions", async () => {
  await using world = await collected();
  const definition = await world.create(CustomResourceDefinitions, WIDGET_DEFINITION);
  await world.clock.advance(3000);
  const watches = world.server.openWatches;
  for (const name of ["a", "b"]) {
    const widget = await world.create(WIDGETS, { metadata: { name, ...NAMESPACE } });
    await world.configMap(`of-${name}`, ownedBy(widget));
  }
  await world.clock.advance(100);
  assertEquals(world.names(ConfigMaps), "of-a of-b");

  await world.client.delete(WIDGETS, "a", NAMESPACE);
  await world.clock.advance(100);
  assertEquals(world.names(ConfigMaps), "of-b");

  await world.client.delete(CustomResourceDefinitions, definition.metadata.name ?? "");
  await world.clock.advance(100);
  assertEquals(world.names(ConfigMaps), "");
  await world.clock.advance(5000);
  assertEquals(world.server.openWatches, watches - 1);
  const requests = world.requestsFor("widgets");
  await world.clock.advance(60_000);
  assertEquals(world.requestsFor("widgets"), requests);
});

Deno.test("GarbageCollector collects the dependents of custom resources that went with their definition", async () => {
  await using world = await collected();
  await world.create(CustomResourceDefinitions, WIDGET_DEFINITION);
  await world.clock.advance(3000);
  const widget = await world.create(WIDGETS, { metadata: { name: "a", ...NAMESPACE } });
  await world.configMap("of-a", ownedBy(widget));
  await world.clock.advance(100);
  world.server.faults.fail(503, { when: ({ resource }) => resource === "widgets" });
  world.server.closeWatches({ resource: "widgets.demo.example.com", broken: true });
  await world.client.delete(CustomResourceDefinitions, "widgets.demo.example.com");
  await world.clock.advance(1000);
  assertEquals(world.names(ConfigMaps), "");
});

Deno.test("GarbageCollector keeps the dependents of custom resources when their definition changes", async () => {
  await using world = await collected();
  await world.create(CustomResourceDefinitions, WIDGET_DEFINITION);
  await world.clock.advance(3000);
  const widget = await world.create(WIDGETS, { metadata: { name: "a", ...NAMESPACE } });
  await world.configMap("of-a", ownedBy(widget));
  const [v1] = WIDGET_DEFINITION.spec.versions;
  const versions = [{ ...v1!, storage: false }, { ...v1!, name: "v2", storage: true }];
  const { name } = WIDGET_DEFINITION.metadata as { name: string };
  await world.client.patch(CustomResourceDefinitions, name, { spec: { versions } });
  await world.clock.advance(10_000);
  assertEquals([world.names(WIDGETS), world.names(ConfigMaps)], ["a", "of-a"]);
  await world.client.delete(WIDGETS, "a", NAMESPACE);
  await world.clock.advance(1000);
  assertEquals(world.names(ConfigMaps), "");
});

Deno.test("GarbageCollector keeps the dependents of an owner of an unknown kind until the kind is known", async () => {
  await using world = await collected();
  const stranger: OwnerReference = {
    apiVersion: "demo.example.com/v1",
    kind: "Widget",
    name: "gone",
    uid: "00000000-0000-4000-8000-000000000000",
  };
  await world.configMap("child", { ownerReferences: [stranger] });
  await world.clock.advance(60_000);
  assertEquals(world.names(ConfigMaps), "child");
  await world.create(CustomResourceDefinitions, WIDGET_DEFINITION);
  await world.clock.advance(5000);
  assertEquals(world.names(ConfigMaps), "");
});

Deno.test("GarbageCollector recovers from failing requests and broken watches", async () => {
  await using world = await collected();
  const owner = await world.configMap("owner");
  await world.configMap("child", ownedBy(owner));
  const isChild = ({ name }: { name: string }) => name === "child";
  world.server.faults.fail(500, { times: 3, when: isChild });
  world.server.restart();
  await world.client.delete(ConfigMaps, "owner", NAMESPACE);
  await world.clock.advance(20_000);
  assertEquals(world.names(ConfigMaps), "");
});

Deno.test("GarbageCollector makes no requests when nothing happens, and stops completely", async () => {
  await using world = await collected();
  const owner = await world.configMap("owner");
  await world.configMap("child", ownedBy(owner));
  await world.create(Pods, {
    metadata: { name: "pod", ...NAMESPACE, ...ownedBy(owner) },
    spec: { containers: [{ name: "c", image: "i" }] },
  });
  await world.clock.advance(1000);
  const { actorRequests: requests } = world;
  await world.clock.advance(60_000);
  assertEquals(world.actorRequests, requests);
  await world.stop();
  assertEquals(world.server.openWatches, 0);
  assertEquals(world.clock.pendingTimers, 0);
});

Deno.test("GarbageCollector keeps an object that gets an owner just before it is deleted", async () => {
  await using world = await collected();
  const [first, second] = [await world.configMap("first"), await world.configMap("second")];
  await world.configMap("child", ownedBy(first));
  world.server.faults.delay(1000, {
    when: ({ method, name }) => method === "DELETE" && name === "child",
  });
  await world.client.delete(ConfigMaps, "first", NAMESPACE);
  await world.clock.advance(500);
  await world.client.patch(ConfigMaps, "child", { metadata: ownedBy(second) }, NAMESPACE);
  await world.clock.advance(5000);
  assertEquals(world.names(ConfigMaps), "child second");
});

Deno.test("GarbageCollector keeps an owner that is added just before it removes another", async () => {
  await using world = await collected();
  const [first, second, third] = [
    await world.configMap("first"),
    await world.configMap("second"),
    await world.configMap("third"),
  ];
  const references = (...owners: KubeObject[]) =>
    owners.flatMap((owner) => ownedBy(owner).ownerReferences);
  await world.configMap("child", { ownerReferences: references(first, second) });
  world.server.faults.delay(1000, {
    times: 1,
    when: ({ method, name }) => method === "PATCH" && name === "child",
  });
  await world.client.delete(ConfigMaps, "first", NAMESPACE);
  await world.clock.advance(500);
  const ownerReferences = references(first, second, third);
  const child = world.server.get(ConfigMaps, "child", "default")!;
  await world.clock.run(
    world.client.update(ConfigMaps, { ...child, metadata: { ...child.metadata, ownerReferences } }),
  );
  await world.clock.advance(5000);
  const owners = world.server.get(ConfigMaps, "child", "default")?.metadata.ownerReferences;
  assertEquals(owners?.map(({ name }) => name), ["second", "third"]);
});

nightlyTest(
  "GarbageCollector remembers the last 500 absent owners, and looks up the others again",
  async () => {
    await using world = await collected();
    const owners = Array.from({ length: 501 }, (_, i) => `owner-${i}`);
    const made = await world.clock.run(Promise.all(owners.map(async (name) => {
      const owner = await world.client.create(ConfigMaps, { metadata: { name, ...NAMESPACE } });
      const metadata = { name: `child-of-${name}`, ...NAMESPACE, ...ownedBy(owner) };
      await world.client.create(ConfigMaps, { metadata });
      return owner;
    })));
    for (const name of owners) await world.client.delete(ConfigMaps, name, NAMESPACE);
    await world.clock.advance(1000);
    assertEquals(world.names(ConfigMaps), "");
    const lookups = async (i: number) => {
      const before = world.requestsFor(`owner-${i}`);
      await world.configMap("late", ownedBy(made[i]!));
      await world.clock.advance(1000);
      assertEquals(world.names(ConfigMaps), "");
      return world.requestsFor(`owner-${i}`) - before;
    };
    assertEquals([await lookups(0), await lookups(1), await lookups(500)], [1, 0, 0]);
  },
);

Deno.test("GarbageCollector takes its finalizer from an owner that loses another one at the same time", async () => {
  await using world = await collected();
  const finalizers = ["example.com/first", "example.com/second"];
  await world.configMap("owner", { finalizers });
  world.server.faults.delay(1000, {
    times: 1,
    when: ({ method, name }) => method === "PATCH" && name === "owner",
  });
  await world.client.delete(ConfigMaps, "owner", { ...NAMESPACE, propagationPolicy: "Orphan" });
  await world.clock.advance(500);
  const owner = world.server.get(ConfigMaps, "owner", "default")!;
  await world.clock.run(
    world.client.update(ConfigMaps, {
      ...owner,
      metadata: { ...owner.metadata, finalizers: ["example.com/second", "orphan"] },
    }),
  );
  await world.clock.advance(5000);
  const left = world.server.get(ConfigMaps, "owner", "default")?.metadata.finalizers;
  assertEquals([left, world.warnings], [["example.com/second"], []]);
});
