import { assertEquals } from "@std/assert";
import { Nodes, Pods, type Resource } from "../../../../mod.ts";
import {
  ControllerRevisions,
  type DaemonSet,
  DaemonSets,
} from "../../../../src/testing/actors/workloads/apps_kinds.ts";
import { DaemonSetController } from "../../../../src/testing/actors/workloads/daemon_set_controller.ts";
import { Alone } from "./alone.ts";
import { named, template } from "./cluster.ts";

const SETS = DaemonSets as Resource;

type Spec = NonNullable<DaemonSet["spec"]>;

async function node(world: Alone, name: string): Promise<void> {
  await world.create(Nodes, { metadata: { name } });
  await world.patch(Nodes as Resource, name, { spec: { taints: [] } });
}

async function daemon(spec: Partial<Spec>, nodes: readonly string[]): Promise<Alone> {
  const world = await Alone.run(DaemonSetController);
  for (const name of nodes) await node(world, name);
  await world.create(DaemonSets, {
    metadata: named("d"),
    spec: { selector: { matchLabels: { app: "d" } }, template: template("d"), ...spec },
  });
  await world.clock.advance(100);
  return world;
}

/** Binds the new Pods to their nodes and runs them; or makes all Pods not ready. */
async function run(world: Alone, ready = true): Promise<void> {
  for (const { metadata, spec } of world.pods) {
    if (spec?.nodeName) continue;
    const target = { apiVersion: "v1", kind: "Node", name: nodeOf(spec) };
    const path = `/api/v1/namespaces/default/pods/${metadata.name}/binding`;
    await world.clock.run(world.server.fetch(`http://x${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        apiVersion: "v1",
        kind: "Binding",
        metadata: { name: metadata.name },
        target,
      }),
    }));
  }
  const fresh = world.pods.filter(({ status }) => !ready || status?.phase !== "Running");
  await world.runPods(fresh.map(({ metadata }) => metadata.name!), { ready });
}

function nodeOf(spec: unknown): string {
  const { affinity, nodeName } = spec as { affinity?: unknown; nodeName?: string };
  return nodeName || /"values":\["(\w+)"\]/.exec(JSON.stringify(affinity))?.[1] || "";
}

/** Returns `node:version` of the Pods that are not being deleted. */
function pods(world: Alone): string {
  return world.pods.map(({ spec }) => `${nodeOf(spec)}:${spec?.containers[0]?.image?.slice(6)}`)
    .sort().join(" ");
}

async function image(world: Alone, version: number): Promise<void> {
  await world.patch(SETS, "d", { spec: { template: template("d", `nginx:${version}`) } });
}

function counts(world: Alone): string {
  const {
    currentNumberScheduled: current,
    desiredNumberScheduled: desired,
    numberAvailable: available = 0,
    numberMisscheduled: misscheduled,
    numberReady: ready,
    numberUnavailable: unavailable = 0,
    updatedNumberScheduled: updated = 0,
  } = world.get(DaemonSets, "d").status ?? {};
  return [desired, current, ready, available, unavailable, updated, misscheduled].join(" ");
}

Deno.test("DaemonSetController follows the nodes, their labels and their taints", async () => {
  await using world = await daemon({}, ["a", "b"]);
  assertEquals(pods(world), "a:1 b:1");
  assertEquals(counts(world), "2 2 0 0 2 2 0");
  await run(world);
  assertEquals(counts(world), "2 2 2 2 0 2 0");
  await node(world, "c");
  assertEquals(pods(world), "a:1 b:1 c:1");
  // The Pod of a node that is gone goes too, if it was never bound.
  await world.delete(Nodes as Resource, "c");
  assertEquals(pods(world), "a:1 b:1");
  await world.delete(Nodes as Resource, "b");
  assertEquals(pods(world), "a:1 b:1");
  await world.patch(Nodes as Resource, "a", {
    spec: { taints: [{ key: "k", effect: "NoSchedule" }] },
  });
  assertEquals([pods(world), counts(world)], ["a:1 b:1", "0 0 0 0 0 0 1"]);
  await world.patch(Nodes as Resource, "a", {
    spec: { taints: [{ key: "k", effect: "NoExecute" }] },
  });
  assertEquals(pods(world), "b:1");
});

Deno.test("DaemonSetController replaces old Pods one at a time, and unavailable Pods at once", async () => {
  await using world = await daemon({}, ["a", "b", "c"]);
  await run(world);
  await image(world, 2);
  assertEquals(world.pods.length, 2);
  await world.endPods(1000);
  assertEquals(pods(world).match(/:2/g)?.length, 1);
  // The next one waits until the new one is available.
  await world.clock.advance(10_000);
  assertEquals(pods(world).match(/:1/g)?.length, 2);
  await run(world);
  await world.endPods();
  await run(world);
  await world.endPods();
  await run(world);
  assertEquals(pods(world), "a:2 b:2 c:2");
  await run(world, false);
  await image(world, 3);
  await world.endPods();
  assertEquals(pods(world), "a:3 b:3 c:3");
});

Deno.test("DaemonSetController surges: the old Pod goes when the new one is available", async () => {
  const rollingUpdate = { maxSurge: 1, maxUnavailable: 0 };
  await using world = await daemon({
    minReadySeconds: 5,
    updateStrategy: { type: "RollingUpdate", rollingUpdate },
  }, ["a", "b"]);
  await run(world);
  await world.clock.advance(6000);
  await image(world, 2);
  const both = pods(world);
  assertEquals(world.pods.length, 3);
  await run(world);
  await world.clock.advance(4000);
  assertEquals(pods(world), both);
  await world.clock.advance(1200);
  await world.endPods();
  assertEquals(pods(world).includes("a:1 a:2") || pods(world).includes("b:1 b:2"), true);
  await run(world);
  await world.clock.advance(6000);
  await world.endPods();
  assertEquals(pods(world), "a:2 b:2");
});

Deno.test("DaemonSetController replaces a Pod with OnDelete only after a deletion", async () => {
  await using world = await daemon({ updateStrategy: { type: "OnDelete" } }, ["a", "b"]);
  await run(world);
  await image(world, 2);
  await world.clock.advance(5000);
  assertEquals([pods(world), counts(world)], ["a:1 b:1", "2 2 2 2 0 0 0"]);
  const [pod] = world.pods.filter(({ spec }) => spec?.nodeName === "a");
  await world.delete(Pods as Resource, pod!.metadata.name!);
  assertEquals(pods(world), "a:2 b:1");
});

Deno.test("DaemonSetController replaces Pods that have ended, and tells why", async () => {
  await using world = await daemon({}, ["a"]);
  for (const [phase, reason] of [["Failed", "Failed"], ["Succeeded", "Succeeded"]] as const) {
    await run(world);
    const [{ metadata }] = world.pods as [typeof world.pods[0]];
    await world.patchStatus(Pods as Resource, metadata.name!, { phase });
    await world.endPods();
    const does = phase === "Failed" ? "kill" : "delete";
    assertEquals(
      world.events("d").filter((text) => text.startsWith(`${reason}DaemonPod`)),
      [
        `${reason}DaemonPod: Found ${phase.toLowerCase()} daemon pod default/${metadata.name} ` +
        `on node a, will try to ${does} it`,
      ],
    );
    assertEquals(pods(world), "a:1");
  }
});

Deno.test("DaemonSetController keeps revisions that are in use, and as many others as the limit", async () => {
  await using world = await daemon({ revisionHistoryLimit: 0 }, ["a"]);
  const revisions = () =>
    world.server.objects(ControllerRevisions, "default").map(({ revision }) => revision).sort()
      .join(" ");
  await run(world);
  await image(world, 2);
  assertEquals(revisions(), "1 2");
  await world.endPods();
  await run(world);
  assertEquals([revisions(), pods(world)], ["2", "a:2"]);
});

Deno.test("DaemonSetController that is being deleted counts, and creates nothing", async () => {
  await using world = await daemon({}, ["a"]);
  await world.patch(SETS, "d", { metadata: { finalizers: ["a.io/b"] } });
  await world.delete(SETS, "d");
  await node(world, "b");
  assertEquals([pods(world), counts(world)], ["a:1", "2 1 0 0 2 1 0"]);
});
