import { assertEquals } from "@std/assert";
import {
  controllerReference,
  type Pod,
  Pods,
  type Resource,
  type Stored,
} from "../../../../mod.ts";
import {
  type ReplicaSet,
  ReplicaSets,
} from "../../../../src/testing/actors/workloads/apps_kinds.ts";
import { ReplicaSetController } from "../../../../src/testing/actors/workloads/replica_set_controller.ts";
import { Alone } from "../workloads/alone.ts";
import { named, template } from "../workloads/cluster.ts";

const PODS = Pods as Resource;

async function start(replicas: number): Promise<Alone> {
  const world = await Alone.run(ReplicaSetController);
  await create(world, "web", replicas);
  return world;
}

async function create(world: Alone, name: string, replicas: number): Promise<void> {
  await world.create(ReplicaSets, {
    metadata: named(name),
    spec: { replicas, selector: { matchLabels: { app: name } }, template: template(name) },
  });
  await world.clock.advance(100);
}

/** Returns `owner:number` of the Pods that have owners, and the names of the Pods without owners. */
function owners(world: Alone): string {
  const counts = new Map<string, number>();
  for (const { metadata } of world.pods) {
    const owner = metadata.ownerReferences?.find(({ controller }) => controller)?.name;
    const key = owner === undefined ? `(${metadata.name})` : owner;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts].map(([key, count]) => `${key}:${count}`).sort().join(" ");
}

async function orphan(world: Alone, name: string, metadata: Pod["metadata"] = {}): Promise<void> {
  const spec = { containers: [{ name: "main", image: "i" }] };
  await world.create(Pods, { metadata: { ...named(name), ...metadata }, spec });
  await world.clock.advance(100);
}

Deno.test("A ReplicaSet adopts an orphan when it appears, or when its labels match", async () => {
  await using world = await start(2);
  assertEquals(owners(world), "web:2");
  await orphan(world, "a", { labels: { app: "web" } });
  assertEquals(owners(world), "web:2");
  await orphan(world, "z", { labels: { app: "other" } });
  assertEquals(owners(world), "(z):1 web:2");
  await world.patch(PODS, "z", { metadata: { labels: { app: "web" } } });
  assertEquals(owners(world), "web:2");
});

Deno.test("A ReplicaSet releases a Pod whose labels no longer match, and replaces it", async () => {
  await using world = await start(1);
  const [{ metadata }] = world.pods as [Pod];
  await world.patch(PODS, metadata.name!, { metadata: { labels: { app: "debug" } } });
  assertEquals(owners(world), `(${metadata.name}):1 web:1`);
  // Back again, there is one too many.
  await world.patch(PODS, metadata.name!, { metadata: { labels: { app: "web" } } });
  assertEquals(owners(world), "web:1");
});

Deno.test("A Pod that loses its owner is adopted by the next owner that selects it", async () => {
  await using world = await start(1);
  const [{ metadata }] = world.pods as [Pod];
  await create(world, "other", 0);
  await world.patch(PODS, metadata.name!, {
    metadata: { labels: { app: "other" }, ownerReferences: [] },
  });
  // The set `other` wants none, so it deletes the Pod that it has adopted.
  assertEquals(owners(world), "web:1");
  assertEquals(world.events("other").length, 1);
});

Deno.test("A ReplicaSet leaves alone what another controller owns, in whatever namespace", async () => {
  await using world = await start(0);
  const stranger = { apiVersion: "v1", kind: "ConfigMap", name: "x", uid: "x", controller: true };
  await orphan(world, "a", { labels: { app: "web" }, ownerReferences: [stranger] });
  assertEquals(owners(world), "x:1");
  const set = world.get(ReplicaSets, "web") as Stored<ReplicaSet>;
  const owned = { ownerReferences: [controllerReference(set, ReplicaSets)] };
  await orphan(world, "b", { labels: { app: "web" }, ...owned });
  assertEquals(owners(world), "x:1");
});

Deno.test("A ReplicaSet does not count a Pod that is deleted before it was seen", async () => {
  await using world = await start(1);
  const [{ metadata }] = world.pods as [Pod];
  await world.patch(PODS, metadata.name!, { metadata: { finalizers: ["a.io/b"] } });
  await world.delete(PODS, metadata.name!);
  assertEquals(owners(world), "web:1");
  assertEquals(world.server.objects(Pods, "default").length, 2);
  await world.delete(PODS, world.pods[0]!.metadata.name!);
  assertEquals(owners(world), "web:1");
});

Deno.test("A ReplicaSet that is being deleted neither adopts nor releases", async () => {
  await using world = await start(1);
  const [{ metadata }] = world.pods as [Pod];
  await world.patch(ReplicaSets as Resource, "web", { metadata: { finalizers: ["a.io/b"] } });
  await world.delete(ReplicaSets as Resource, "web");
  await orphan(world, "a", { labels: { app: "web" } });
  await world.patch(PODS, metadata.name!, { metadata: { labels: { app: "debug" } } }, 1000);
  assertEquals(owners(world), "(a):1 web:1");
});
