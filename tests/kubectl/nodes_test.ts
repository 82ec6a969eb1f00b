import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import type { Client } from "@kubeloop/controller/client";
import { cordon, drain, type DrainProgress, evict, topNodes, topPods } from "@kubeloop/kubectl";
import {
  defineResource,
  type KubeObject,
  Nodes,
  type Pod,
  Pods,
  type Stored,
} from "@kubeloop/controller/types";
import { startActors } from "@kubeloop/testing";
import { namespace, refusal, World } from "./_world.ts";

const Budgets = defineResource<KubeObject & { spec?: object; status?: object }>({
  group: "policy",
  version: "v1",
  plural: "poddisruptionbudgets",
  kind: "PodDisruptionBudget",
  namespaced: true,
});

/** Creates a Pod that runs on the Node `n1`, and is ready. */
async function runningPod(
  { client, run }: { client: Client; run: World["run"] },
  name: string,
  metadata: object = {},
  spec: object = {},
): Promise<Stored<Pod>> {
  await run(client.create(Pods, {
    metadata: { name, namespace, labels: { app: "web" }, ...metadata },
    spec: { nodeName: "n1", containers: [{ name: "main", image: "nginx" }], ...spec },
  }));
  return await run(client.patchStatus(Pods, name, {
    status: { phase: "Running", conditions: [{ type: "Ready", status: "True" }] },
  }, { namespace }));
}

function ownedBy(kind: string): object {
  return {
    ownerReferences: [{ apiVersion: "apps/v1", kind, name: "owner", uid: "u1", controller: true }],
  };
}

function worldWithRun(world: World): { client: Client; run: World["run"] } {
  return { client: world.client, run: (promise) => world.run(promise) };
}

Deno.test("evict() waits for the budget, as long as the server asks", async () => {
  await using world = new World();
  const { client } = world;
  const pod = await runningPod(worldWithRun(world), "a");
  await world.run(client.create(Budgets, {
    metadata: { name: "b", namespace },
    spec: { minAvailable: 1, selector: { matchLabels: { app: "web" } } },
  }));
  // No controller has seen the budget yet: the server asks for ten seconds.
  await world.run(client.patchStatus(Budgets, "b", {
    status: {
      disruptionsAllowed: 0,
      desiredHealthy: 1,
      currentHealthy: 1,
      expectedPods: 1,
    },
  }, { namespace }));
  const start = world.clock.now();
  const late = await assertRejects(
    () => world.run(evict(client, pod, { timeoutMs: 25_000 })),
    DOMException,
  );
  assertStringIncludes(
    late.message,
    "Pod default/a was not evicted within 25000 ms: Cannot evict pod",
  );
  assertEquals(world.clock.now() - start, 25_000);
  assertEquals(world.requests.filter((line) => line.endsWith("/eviction")).length, 3);
  const evicting = evict(client, pod);
  await world.clock.advance(15_000);
  const status = { observedGeneration: 1, disruptionsAllowed: 1 };
  await world.run(client.patchStatus(Budgets, "b", { status }, { namespace }));
  assertEquals(await world.run(evicting), "evicted");
});

Deno.test("evict() leaves a new Pod of the same name alone, and accepts a missing Pod", async () => {
  await using world = new World();
  const { client } = world;
  const old = await runningPod(worldWithRun(world), "a");
  await world.run(client.delete(Pods, "a", { namespace, gracePeriodSeconds: 0 }));
  assertEquals(await world.run(evict(client, old)), "gone");
  await runningPod(worldWithRun(world), "a");
  assertEquals(await world.run(evict(client, old)), "gone");
  assertEquals(
    await world.run(evict(client, { name: "a", namespace }, { dryRun: true })),
    "evicted",
  );
  const { metadata } = await world.run(client.get(Pods, "a", { namespace }));
  assertEquals(metadata.deletionTimestamp, undefined);
});

Deno.test("evict() tries again without Retry-After, and stops at other refusals and at an abort", async () => {
  await using world = new World();
  const { client } = world;
  const pod = await runningPod(worldWithRun(world), "a");
  let refusals = 2;
  world.answer = (line) =>
    line.endsWith("/eviction") && refusals-- > 0
      ? refusal(429, "TooManyRequests", "no")
      : undefined;
  const start = world.clock.now();
  assertEquals(await world.run(evict(client, pod)), "evicted");
  assertEquals(world.clock.now() - start, 10_000);
  world.answer = (line) =>
    line.endsWith("/eviction") ? refusal(500, "InternalError", "two budgets") : undefined;
  await assertRejects(() => world.run(evict(client, pod)), Error, "two budgets");
  world.answer = (line) =>
    line.endsWith("/eviction") ? refusal(429, "TooManyRequests", "no") : undefined;
  const stop = new AbortController();
  const evicting = evict(client, pod, { signal: stop.signal });
  await world.clock.advance(1000);
  stop.abort(new Error("enough"));
  await assertRejects(() => world.run(evicting), Error, "enough");
});

Deno.test("drain() evicts Pods, waits until they are gone, and leaves Pods of DaemonSets and mirror Pods", async () => {
  await using world = new World();
  const { client } = world;
  await using _actors = startActors(world.server, {
    nodes: ["n1"],
    garbageCollector: false,
    workloads: false,
  });
  await world.clock.advance(1000);
  const setup = worldWithRun(world);
  await runningPod(setup, "daemon", ownedBy("DaemonSet"));
  await runningPod(setup, "mirror", { annotations: { "kubernetes.io/config.mirror": "x" } });
  for (let i = 0; i < 12; i++) await runningPod(setup, `p${i}`, ownedBy("ReplicaSet"));
  await runningPod(setup, "elsewhere", ownedBy("ReplicaSet"), { nodeName: "n2" });
  const told: DrainProgress[] = [];
  const drained = await world.run(drain(client, "n1", {
    concurrency: 3,
    onProgress: (progress) => void told.push(progress),
  }));
  assertEquals(drained.length, 12);
  const count = (status: string) => told.filter((one) => one.status === status).length;
  assertEquals([count("ignored"), count("evicted"), count("gone")], [2, 12, 12]);
  const node = await world.run(client.get(Nodes, "n1"));
  assertEquals(node.spec?.unschedulable, true);
  const { items } = await world.run(client.list(Pods, { namespace }));
  assertEquals(items.map(({ metadata }) => metadata.name), ["daemon", "elsewhere", "mirror"]);
});

Deno.test("drain() evicts nothing if a Pod must stay, and names the Pods", async () => {
  await using world = new World();
  const { client } = world;
  const node = await world.run(client.create(Nodes, { metadata: { name: "n1" } }));
  const setup = worldWithRun(world);
  await runningPod(setup, "bare");
  await runningPod(setup, "data", ownedBy("ReplicaSet"), {
    volumes: [{ name: "d", emptyDir: {} }],
  });
  await runningPod(setup, "fine", ownedBy("ReplicaSet"));
  const error = await assertRejects(() => world.run(drain(client, node)), AggregateError);
  assertEquals(error.errors.map(String), [
    "Error: Pod default/bare has no controller that would create it again: give { force: true }",
    "Error: Pod default/data has data in an emptyDir: give { deleteEmptyDirData: true } to lose it",
  ]);
  assertEquals(world.requests.filter((line) => line.endsWith("/eviction")), []);
  // There is no kubelet that stops the containers.
  const options = { force: true, deleteEmptyDirData: true, timeoutMs: 60_000 };
  const late = await assertRejects(() => world.run(drain(client, node, options)), AggregateError);
  assertEquals(late.errors.length, 3);
  assertStringIncludes(late.message, "Pod default/bare: Node n1 was not drained within 60000 ms");
});

Deno.test("the errors of drain() and cordon() name the cause", async () => {
  await using world = new World();
  const { client } = world;
  for (
    const [promise, message] of [
      [drain(client, "n1", { concurrency: 0 }), "concurrency must be"],
      [drain(client, "n1", { timeoutMs: NaN }), "timeoutMs must be"],
      [drain(client, "n1", { onProgress: 1 as never }), "onProgress must be a function"],
      [
        drain(client, undefined as never),
        "drain() needs the name of a Node, or a Node: received undefined",
      ],
      [evict(client, "web" as never), "evict() needs { name, namespace }"],
      [
        evict(client, { name: "a", namespace }, { gracePeriodSeconds: -1 }),
        "gracePeriodSeconds must be",
      ],
    ] as const
  ) {
    const error = await assertRejects(() => promise, Error);
    assertStringIncludes(error.message, message);
  }
  assertEquals(world.requests, []);
  await assertRejects(
    () => world.run(cordon(client, "nowhere")),
    Error,
    'nodes "nowhere" not found',
  );
});

Deno.test("topPods() and topNodes() read the usage from a metrics server", async () => {
  await using world = new World();
  const { client, server } = world;
  const missing = await assertRejects(() => world.run(topPods(client)), Error);
  assertStringIncludes(missing.message, "is a metrics server installed in it?");
  await runningPod(worldWithRun(world), "a");
  server.metrics.setPod("default/a", { cpu: "1500u", memory: "1Ki" });
  server.metrics.setPod("default/b", {
    containers: { main: { cpu: "250m", memory: "1Mi" }, side: { cpu: "1", memory: "1M" } },
  });
  server.metrics.setPod("kube-public/c", { cpu: "0", memory: "0" });
  server.metrics.setNode("n1", { cpu: "500m", memory: "1Gi" });
  assertEquals((await world.run(topPods(client))).map(({ name }) => name), ["a", "b", "c"]);
  assertEquals(await world.run(topPods(client, { namespace })), [
    {
      name: "a",
      namespace,
      cpuMillicores: 2,
      memoryBytes: 1024,
      containers: [{ name: "main", cpuMillicores: 2, memoryBytes: 1024 }],
    },
    {
      name: "b",
      namespace,
      cpuMillicores: 1250,
      memoryBytes: 2_048_576,
      containers: [
        { name: "main", cpuMillicores: 250, memoryBytes: 1_048_576 },
        { name: "side", cpuMillicores: 1000, memoryBytes: 1_000_000 },
      ],
    },
  ]);
  const selected = await world.run(topPods(client, { labelSelector: "app=web" }));
  assertEquals(selected.map(({ name }) => name), ["a"]);
  const [n1] = await world.run(topNodes(client));
  assertEquals(n1, {
    name: "n1",
    cpuMillicores: 500,
    memoryBytes: 1024 ** 3,
    cpuPercent: undefined,
    memoryPercent: undefined,
  });
  world.answer = (line) =>
    line.endsWith("/pods")
      ? Response.json({
        metadata: {},
        items: [{ metadata: { name: "x" }, containers: [{ usage: { cpu: "lots" } }, 7] }],
      })
      : undefined;
  const [garbage] = await world.run(topPods(client));
  assertEquals([garbage?.cpuMillicores, garbage?.containers.length], [undefined, 1]);
  assert(garbage !== undefined);
});
