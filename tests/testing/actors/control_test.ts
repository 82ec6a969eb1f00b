import { assertEquals, assertRejects } from "@std/assert";
import { type Cached, type Pod, Pods } from "../../../mod.ts";
import {
  claim,
  Expectations,
  isSame,
  scaledValue,
  setCondition,
  slowStart,
  templateHash,
} from "../../../src/testing/actors/control/mod.ts";
import { type ReplicaSet, ReplicaSets } from "../../../src/testing/actors/workloads/apps_kinds.ts";
import { VirtualClock } from "../../../src/testing/mod.ts";
import { World } from "./world.ts";

Deno.test("slowStart() acts in batches that double, and stops after a batch with a failure", async () => {
  let running = 0;
  const most: number[] = [];
  const act = async (failsAt: number) =>
    await slowStart(20, async (index) => {
      running++;
      await Promise.resolve();
      most[index] = running;
      await Promise.resolve();
      running--;
      if (index === failsAt) throw new Error(`no ${index}`);
    });
  assertEquals(await act(-1), { succeeded: 20 });
  assertEquals([most[0], most[1], most[3], most[7], most[15]], [1, 2, 4, 8, 5]);
  const { error, succeeded } = await act(4);
  assertEquals([succeeded, (error as Error).message], [6, "no 4"]);
});

Deno.test("isSame() ignores the order of fields, and fields that say nothing", () => {
  assertEquals(isSame({ a: 1, b: { c: 0 }, d: [] }, { d: undefined, a: 1 }), true);
  assertEquals(isSame({ a: [1, 2] }, { a: [2, 1] }), false);
  assertEquals(isSame({ a: 1, b: 2 }, { b: 2, a: 1 }), true);
});

Deno.test("scaledValue() rounds percentages as asked", () => {
  const values = ["25%", "100%", "0%", 3, undefined]
    .map((value) => [scaledValue(value, 10, { up: true }), scaledValue(value, 10, { up: false })]);
  assertEquals(values, [[3, 2], [10, 10], [0, 0], [3, 3], [0, 0]]);
});

Deno.test("setCondition() changes lastTransitionTime only with the status", () => {
  const at = (status: "True" | "False", reason: string, lastTransitionTime: string) => ({
    type: "Ready",
    status,
    reason,
    lastTransitionTime,
  });
  const first = [at("True", "a", "1")];
  assertEquals(setCondition(first, at("True", "a", "2")), first);
  assertEquals(setCondition(first, at("True", "b", "2")), [at("True", "b", "1")]);
  assertEquals(setCondition(first, at("False", "b", "2")), [at("False", "b", "2")]);
});

Deno.test("templateHash() is the same for equal templates, and another one after a collision", () => {
  const hash = templateHash({ spec: { containers: [{ name: "a" }] } });
  assertEquals(templateHash({ spec: { containers: [{ name: "a" }], volumes: [] } }), hash);
  const others = [templateHash({ spec: { containers: [{ name: "b" }] } }), templateHash({}, 1)];
  assertEquals(new Set([hash, templateHash({}), ...others]).size, 4);
});

const LABELS = { app: "web" };
const TEMPLATE = {
  metadata: { labels: LABELS },
  spec: { containers: [{ name: "main", image: "nginx" }] },
};

/** Returns what claims the orphan `pod` of a world for `set`, and the owner that the Pod then has. */
function claimIn(
  world: World,
  set: ReplicaSet,
  pod: Pod,
): { run: () => Promise<number>; owner: () => string | undefined } {
  const { client } = world;
  const run = async () => {
    const claimed = await claim({
      client,
      owner: set as Cached<ReplicaSet>,
      ownerResource: ReplicaSets,
      resource: Pods,
      owned: [],
      orphans: [pod as Cached<Pod>],
      signal: new AbortController().signal,
    });
    return claimed.length;
  };
  const owner = () => world.server.get(Pods, "web", "default")?.metadata.ownerReferences?.[0]?.name;
  return { run, owner };
}

async function setAndPod(world: World): Promise<{ set: ReplicaSet; pod: Pod }> {
  const set = await world.create(ReplicaSets, {
    metadata: { name: "set", namespace: "default" },
    spec: { replicas: 1, selector: { matchLabels: LABELS }, template: TEMPLATE },
  });
  const pod = await world.create(Pods, {
    ...TEMPLATE,
    metadata: { name: "web", namespace: "default", labels: LABELS },
  });
  return { set, pod };
}

Deno.test("claim() adopts an orphan that matches", async () => {
  await using world = new World();
  const { set, pod } = await setAndPod(world);
  const { owner, run } = claimIn(world, set, pod);
  assertEquals([await run(), owner()], [1, "set"]);
});

Deno.test("claim() adopts nothing for an owner that was replaced or is being deleted, whatever the cache says", async () => {
  await using world = new World();
  const { set, pod } = await setAndPod(world);
  const before = {
    ...set,
    metadata: { ...set.metadata, uid: "00000000-0000-4000-8000-000000000000" },
  };
  const replaced = claimIn(world, before, pod);
  assertEquals([await replaced.run(), replaced.owner()], [0, undefined]);
  await world.client.delete(ReplicaSets, "set", {
    namespace: "default",
    propagationPolicy: "Foreground",
  });
  const deleted = claimIn(world, set, pod);
  assertEquals([await deleted.run(), deleted.owner()], [0, undefined]);
});

Deno.test("claim() does not adopt an object that took the name of an orphan", async () => {
  await using world = new World();
  const { set, pod } = await setAndPod(world);
  await world.client.delete(Pods, "web", { namespace: "default" });
  await world.create(Pods, {
    ...TEMPLATE,
    metadata: { name: "web", namespace: "default", labels: LABELS },
  });
  const { owner, run } = claimIn(world, set, pod);
  await assertRejects(run, Error, "uid");
  assertEquals(owner(), undefined);
});

Deno.test("Expectations are waited for until they are met, and at most five minutes", async () => {
  const clock = new VirtualClock();
  const expectations = new Expectations(clock);
  expectations.expect("default/a", 1, ["uid"]);
  await clock.advance(1000);
  assertEquals(expectations.waitMs("default/a"), 299_000);
  expectations.creationObserved("default/a");
  assertEquals(expectations.waitMs("default/a"), 299_000);
  expectations.deletionObserved("default/a", "uid");
  assertEquals(expectations.waitMs("default/a"), 0);
  expectations.expect("default/a", 1);
  await clock.advance(400_000);
  assertEquals(expectations.waitMs("default/a"), 0);
  assertEquals(expectations.waitMs("default/b"), 0);
});
