import { assert, assertEquals, assertThrows } from "@std/assert";
import { Leases, Nodes, type Pod, Pods } from "../../../mod.ts";
import { Kubelet, type KubeletOptions } from "../../../src/testing/mod.ts";
import { nightlyTest } from "../../support/kinds_of_tests.ts";
import { pod } from "../../support/world.ts";
import { NAMESPACE, World } from "./world.ts";

type Life = Omit<KubeletOptions, "client" | "nodeName">;

async function node(options: Life = {}, seed?: number): Promise<[World, Kubelet]> {
  const world = new World(seed);
  const kubelet = new Kubelet({ ...world.options, nodeName: "node-1", ...options });
  return [world, await world.start(kubelet)];
}

async function runPod(
  world: World,
  name = "web",
  { spec, metadata }: Partial<Pod> = {},
): Promise<void> {
  const options = { metadata: { ...metadata }, spec: { nodeName: "node-1", ...spec } };
  await world.create(Pods, pod(name, options));
}

/** Returns the phase, the container state, the number of restarts, and the conditions that are true. */
function show({ metadata, status }: Pod): string {
  const [container] = status?.containerStatuses ?? [];
  const { waiting, terminated } = container?.state ?? {};
  const [state = "-"] = Object.keys(container?.state ?? {});
  const reason = (waiting ?? terminated)?.reason;
  const what = [state, reason].filter(Boolean).join(" ");
  const ready = status?.conditions?.some((one) => one.type === "Ready" && one.status === "True");
  const parts = [
    status?.phase,
    what,
    `x${container?.restartCount ?? 0}`,
    ready && "ready",
    metadata.deletionTimestamp && `-${metadata.deletionGracePeriodSeconds}`,
  ];
  return parts.filter(Boolean).join(", ");
}

function now(world: World, name = "web"): string {
  const found = world.server.get(Pods, name, "default");
  return found === undefined ? "gone" : show(found);
}

/** The part of the spec of a Pod that ends. */
const ONCE = { restartPolicy: "Never" } as NonNullable<Pod["spec"]>;

Deno.test("Kubelet runs a Pod through its life cycle: created, running, ready, stopping, gone", async () => {
  const [world] = await node({ startDelayMs: 1000, readyDelayMs: 500, stopDelayMs: 2000 });
  await using _ = world;
  const events = await world.watch(Pods, show);
  await runPod(world);
  await world.clock.advance(5000);
  const { status } = world.server.get(Pods, "web", "default") ?? {};
  assertEquals(status?.podIP, "10.244.0.2");
  assertEquals(status?.hostIP, "172.18.0.2");
  assertEquals(status?.startTime, "2026-01-01T00:00:00Z");
  assertEquals(
    status?.conditions?.map(({ type, status, lastTransitionTime }) =>
      `${type} ${status} ${lastTransitionTime?.slice(17)}`
    ).sort(),
    [
      "ContainersReady True 01Z",
      "Initialized True 00Z",
      "PodReadyToStartContainers True 01Z",
      "PodScheduled True 00Z",
      "Ready True 01Z",
    ],
  );
  await world.client.delete(Pods, "web", NAMESPACE);
  await world.clock.advance(5000);
  assertEquals(events, [
    "0.0 ADDED Pending, -, x0",
    "0.0 MODIFIED Pending, waiting ContainerCreating, x0",
    "1.0 MODIFIED Running, running, x0",
    "1.5 MODIFIED Running, running, x0, ready",
    "5.0 MODIFIED Running, running, x0, ready, -30",
    // The kubelet has seen the new generation.
    "5.0 MODIFIED Running, running, x0, ready, -30",
    "7.0 MODIFIED Succeeded, terminated Completed, x0, -30",
    "7.0 MODIFIED Succeeded, terminated Completed, x0, -0",
    "7.0 DELETED Succeeded, terminated Completed, x0, -0",
  ]);
  assertEquals(world.warnings, []);
});

Deno.test("Kubelet kills containers that do not stop within the grace period", async () => {
  const [world] = await node({ stopDelayMs: 60_000 });
  await using _ = world;
  await runPod(world);
  await world.clock.advance(2000);
  await world.client.delete(Pods, "web", { ...NAMESPACE, gracePeriodSeconds: 10 });
  await world.clock.advance(5000);
  assertEquals(now(world), "Running, running, x0, ready, -10");
  const events = await world.watch(Pods, show);
  // A second deletion can shorten the grace period.
  await world.client.delete(Pods, "web", { ...NAMESPACE, gracePeriodSeconds: 2 });
  await world.clock.advance(2000);
  assertEquals(now(world), "gone");
  assertEquals(events[1]?.slice(0, 36), "2.0 MODIFIED Failed, terminated Erro");
});

Deno.test("Kubelet stops a Pod with a finalizer, which is removed once the finalizer is gone", async () => {
  const [world] = await node();
  await using _ = world;
  await runPod(world, "web", { metadata: { finalizers: ["example.com/f"] } });
  await world.clock.advance(2000);
  await world.client.delete(Pods, "web", NAMESPACE);
  await world.clock.advance(10_000);
  assertEquals(now(world), "Succeeded, terminated Completed, x0, -0");
  const { actorRequests: requests } = world;
  await world.client.patch(Pods, "web", { metadata: { labels: { a: "b" } } }, NAMESPACE);
  await world.clock.advance(0);
  assertEquals(world.actorRequests, requests);
  await world.client.patch(Pods, "web", { metadata: { finalizers: null } }, NAMESPACE);
  assertEquals(now(world), "gone");
});

Deno.test("Kubelet.crash() ends containers, which restart with an increasing back-off", async () => {
  const [world, kubelet] = await node({ startDelayMs: 1000 });
  await using _ = world;
  assertEquals(kubelet.crash("default/web"), false);
  await runPod(world);
  await world.clock.advance(2000);
  const waits: number[] = [];
  const states: string[] = [];
  for (let i = 0; i < 8; i++) {
    assertEquals(kubelet.crash("default/web", { exitCode: 3 }), true);
    await world.clock.advance(0);
    states.push(now(world));
    const crashedMs = world.clock.now();
    while (!now(world).includes("ready")) await world.clock.advance(1000);
    waits.push(world.clock.now() - crashedMs);
  }
  assertEquals(waits, [1000, 10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000]);
  assertEquals(states.slice(0, 2), [
    "Running, terminated Error, x0",
    "Running, waiting CrashLoopBackOff, x1",
  ]);
  assertEquals(now(world), "Running, running, x8, ready");
  const [main] = world.server.get(Pods, "web", "default")?.status?.containerStatuses ?? [];
  const { lastState } = main as unknown as { lastState: { terminated: { exitCode: number } } };
  assertEquals(lastState.terminated.exitCode, 3);
  await world.clock.advance(600_000);
  kubelet.crash("default/web");
  await world.clock.advance(1000);
  assertEquals(now(world), "Running, running, x9, ready");
});

Deno.test("Kubelet ends Pods according to their annotations and restartPolicy", async () => {
  const [world] = await node({ startDelayMs: 1000 });
  await using _ = world;
  const run = (name: string, restartPolicy: "OnFailure" | "Never", exitCode: number) =>
    runPod(world, name, {
      metadata: {
        annotations: {
          "kubeloop.dev/exit-after-ms": "2000",
          "kubeloop.dev/exit-code": String(exitCode),
        },
      },
      spec: { nodeName: "node-1", restartPolicy, containers: [{ name: "main", image: "i" }] },
    });
  await run("good", "Never", 0);
  await run("bad", "Never", 1);
  await run("finished", "OnFailure", 0);
  await run("again", "OnFailure", 1);
  await world.clock.advance(3000);
  assertEquals(["good", "bad", "finished", "again"].map((name) => now(world, name)), [
    "Succeeded, terminated Completed, x0",
    "Failed, terminated Error, x0",
    "Succeeded, terminated Completed, x0",
    "Running, terminated Error, x0",
  ]);
  const { actorRequests: requests } = world;
  await world.clock.advance(1000);
  assertEquals(now(world, "again"), "Running, running, x1, ready");
  assert(world.actorRequests <= requests + 2);
  const reason = world.server.get(Pods, "good", "default")?.status?.conditions
    ?.find(({ type }) => type === "Ready")?.reason;
  assertEquals(reason, "PodCompleted");
});

Deno.test("Kubelet ends a Pod according to options.outcome", async () => {
  const [world] = await node({ outcome: () => ({ afterMs: 500, exitCode: 7 }) });
  await using _ = world;
  await runPod(world, "web", {
    spec: {
      nodeName: "node-1",
      restartPolicy: "Never",
      containers: [{ name: "main", image: "i" }],
    },
  });
  await world.clock.advance(1600);
  assertEquals(now(world), "Failed, terminated Error, x0");
});

Deno.test("Kubelet crashes Pods at random, in the same way with the same seed", async () => {
  const crashes = async (seed: number) => {
    const [world] = await node({ meanTimeToCrashMs: 60_000, startDelayMs: 100 }, seed);
    await using _ = world;
    for (const name of ["a", "b"]) await runPod(world, name);
    const events = await world.watch(
      Pods,
      ({ metadata, ...rest }) => `${metadata.name} ${show({ metadata, ...rest })}`,
    );
    await world.clock.advance(600_000);
    return events;
  };
  const first = await crashes(3);
  assert(first.filter((event) => event.includes("CrashLoopBackOff")).length > 4);
  assertEquals(await crashes(3), first);
  assert(JSON.stringify(await crashes(2)) !== JSON.stringify(first));
});

Deno.test("Kubelet registers its node and renews its Lease", async () => {
  const nodeLabels = { disk: "ssd", "kubernetes.io/arch": "arm64" };
  const nodeInfo = { kubeletVersion: "v1.35.0" };
  const [world] = await node({ nodeInfo, nodeLabels, capacity: { pods: "5" }, subnet: 3 });
  await using _ = world;
  const found = world.server.get(Nodes, "node-1");
  assertEquals(found?.metadata.labels, {
    disk: "ssd",
    "kubernetes.io/arch": "arm64",
    "kubernetes.io/hostname": "node-1",
    "kubernetes.io/os": "linux",
  });
  const { kubeletVersion, osImage } = found?.status?.nodeInfo ?? {};
  assertEquals([kubeletVersion, osImage], ["v1.35.0", ""]);
  assertEquals(found?.status?.allocatable, { pods: "5" });
  assertEquals(found?.status?.addresses?.[0], { type: "InternalIP", address: "172.18.0.5" });
  const ready = found?.status?.conditions?.map(({ type, status }) => `${type} ${status}`);
  assertEquals(ready, ["Ready True"]);
  await world.clock.advance(25_000);
  const lease = world.server.get(Leases, "node-1", "kube-node-lease");
  assertEquals(lease?.spec, {
    holderIdentity: "node-1",
    leaseDurationSeconds: 40,
    renewTime: "2026-01-01T00:00:20.000000Z",
  });
  assertEquals(lease?.metadata.ownerReferences?.[0]?.uid, found?.metadata.uid);
});

Deno.test("Kubelet.crashNode() stops all updates; restartNode() restarts the containers", async () => {
  const [world, kubelet] = await node();
  await using _ = world;
  await runPod(world, "service");
  await runPod(world, "task", {
    spec: {
      nodeName: "node-1",
      restartPolicy: "Never",
      containers: [{ name: "main", image: "i" }],
    },
  });
  await runPod(world, "doomed");
  await world.clock.advance(2000);
  kubelet.crashNode();
  await world.client.delete(Pods, "doomed", NAMESPACE);
  const { actorRequests: requests } = world;
  await world.clock.advance(60_000);
  assertEquals([kubelet.isDown(), world.actorRequests, kubelet.crash("default/service")], [
    true,
    requests,
    false,
  ]);
  assertEquals(now(world, "service"), "Running, running, x0, ready");
  assertEquals(now(world, "doomed"), "Running, running, x0, ready, -30");
  kubelet.restartNode();
  await world.clock.advance(2000);
  assertEquals(now(world, "service"), "Running, running, x1, ready");
  assertEquals(now(world, "task"), "Failed, terminated Error, x0");
  assertEquals(now(world, "doomed"), "gone");
  const lease = world.server.get(Leases, "node-1", "kube-node-lease");
  assertEquals(lease?.spec?.renewTime, "2026-01-01T00:01:02.000000Z");
});

Deno.test("Kubelet that starts anew takes over its Pods, and counts their restarts on", async () => {
  const world = new World();
  await using _ = world;
  const stop = new AbortController();
  const kubelet = new Kubelet({ ...world.options, nodeName: "node-1" });
  const running = kubelet.run({ signal: stop.signal });
  await runPod(world);
  for (let i = 0; i < 2; i++) {
    await world.clock.advance(20_000);
    kubelet.crash("default/web");
  }
  await world.clock.advance(20_000);
  assertEquals(now(world), "Running, running, x2, ready");
  stop.abort();
  await running;
  await world.start(new Kubelet({ ...world.options, nodeName: "node-1" }));
  await world.clock.advance(20_000);
  assertEquals(now(world), "Running, running, x3, ready");
});

Deno.test("Kubelet that starts anew leaves each Pod its address", async () => {
  const world = new World();
  await using _ = world;
  const stop = new AbortController();
  const running = new Kubelet({ ...world.options, nodeName: "node-1" })
    .run({ signal: stop.signal });
  for (const name of ["c", "b"]) {
    await runPod(world, name);
    await world.clock.advance(2000);
  }
  stop.abort();
  await running;
  await runPod(world, "a");
  await world.start(new Kubelet({ ...world.options, nodeName: "node-1" }));
  await world.clock.advance(5000);
  const addressOf = (name: string) => world.server.get(Pods, name, "default")?.status?.podIPs;
  assertEquals(["a", "b", "c"].map((name) => [now(world, name), addressOf(name)]), [
    ["Running, running, x0, ready", [{ ip: "10.244.0.4" }]],
    ["Running, running, x1, ready", [{ ip: "10.244.0.3" }]],
    ["Running, running, x1, ready", [{ ip: "10.244.0.2" }]],
  ]);
});

Deno.test("Kubelet corrects a status that another client has written", async () => {
  const [world] = await node();
  await using _ = world;
  await runPod(world);
  await world.clock.advance(2000);
  await world.client.patchStatus(Pods, "web", { status: { phase: "Failed" } }, NAMESPACE);
  await world.clock.advance(0);
  assertEquals(now(world), "Running, running, x0, ready");
});

Deno.test("Kubelet gives each Pod its own address, and distinguishes a recreated Pod from the old one", async () => {
  const [world] = await node();
  await using _ = world;
  for (const name of ["a", "b"]) await runPod(world, name);
  await world.clock.advance(2000);
  await world.client.delete(Pods, "a", { ...NAMESPACE, gracePeriodSeconds: 0 });
  await runPod(world, "a");
  await world.clock.advance(2000);
  const addresses = world.server.objects(Pods).map(({ status }) => status?.podIP);
  assertEquals(addresses, ["10.244.0.4", "10.244.0.3"]);
  assertEquals(now(world, "a"), "Running, running, x0, ready");
});

Deno.test("Kubelet reuses only the addresses of Pods that are gone", async () => {
  const [world] = await node({ startDelayMs: 0 });
  await using _ = world;
  await runPod(world, "keeper");
  await world.clock.advance(0);
  const addresses = new Set<string | undefined>();
  for (let i = 0; i < 260; i++) {
    await runPod(world, "guest");
    await world.clock.advance(0);
    addresses.add(world.server.get(Pods, "guest", "default")?.status?.podIP);
    await world.client.delete(Pods, "guest", { ...NAMESPACE, gracePeriodSeconds: 0 });
  }
  assertEquals(addresses.size, 252);
  const keeper = world.server.get(Pods, "keeper", "default")?.status?.podIP;
  assertEquals([keeper, addresses.has(keeper), addresses.has(undefined)], [
    "10.244.0.2",
    false,
    false,
  ]);
});

nightlyTest("Kubelet gives two running Pods two addresses after many ended ones", async () => {
  const [world] = await node({ startDelayMs: 0 });
  await using _ = world;
  const ended = { annotations: { "kubeloop.dev/exit-after-ms": "0" } };
  const runJobs = async (prefix: string, count: number) => {
    for (let i = 0; i < count; i++) {
      await runPod(world, `${prefix}-${i}`, { metadata: ended, spec: ONCE });
    }
    await world.clock.advance(0);
    assertEquals(now(world, `${prefix}-${count - 1}`), "Succeeded, terminated Completed, x0");
  };
  const names = ["a", "b", "c", "d", "e", "f"];
  await runJobs("first", 252);
  for (const name of names.slice(0, 3)) await runPod(world, name);
  await world.clock.advance(0);
  // An ended Pod that is deleted does not free the address that another one has now.
  for (const i of [0, 1]) await world.client.delete(Pods, `first-${i}`, NAMESPACE);
  await runJobs("second", 250);
  for (const name of names.slice(3)) await runPod(world, name);
  await world.clock.advance(0);
  const addresses = names.map((name) => world.server.get(Pods, name, "default")?.status?.podIP);
  assertEquals(new Set(addresses).size, names.length, String(addresses));
});

Deno.test("Kubelet does not register its node again after it was deleted", async () => {
  const [world] = await node();
  await using _ = world;
  await world.client.delete(Nodes, "node-1");
  await world.clock.advance(15_000);
  const { actorRequests: requests } = world;
  await world.clock.advance(60_000);
  assertEquals([world.names(Nodes), world.actorRequests], ["", requests]);
});

Deno.test("Kubelet makes few requests when nothing happens, and stops completely", async () => {
  const [world] = await node();
  await using _ = world;
  await runPod(world);
  await world.clock.advance(5000);
  const { actorRequests: requests } = world;
  await world.client.patch(Pods, "web", { metadata: { labels: { a: "b" } } }, NAMESPACE);
  await world.clock.advance(60_000);
  // One request per heartbeat.
  assertEquals(world.actorRequests - requests, 6);
  await world.stop();
  assertEquals([world.server.openWatches, world.clock.pendingTimers], [0, 0]);
});

Deno.test("Kubelet rejects options that are out of range", () => {
  const { options } = new World();
  const make = (life: Life) => () => new Kubelet({ ...options, nodeName: "n", ...life });
  assertThrows(make({ startDelayMs: -1 }), RangeError, "startDelayMs");
  assertThrows(make({ heartbeatMs: 0 }), RangeError, "heartbeatMs");
  assertThrows(make({ meanTimeToCrashMs: NaN }), RangeError, "meanTimeToCrashMs");
  assertThrows(make({ subnet: 251 }), RangeError, "subnet");
  assertThrows(make({ subnet: -1 }), RangeError, "subnet");
  for (const options of [{ subnet: 0 }, { subnet: 250 }, { heartbeatMs: 0.5 }]) make(options)();
});

Deno.test("Kubelet neither deletes nor reports a Pod that took the name of its own", async () => {
  for (const method of ["PATCH", "DELETE"]) {
    const [world] = await node();
    await using _ = world;
    await runPod(world);
    if (method === "DELETE") {
      await world.clock.advance(2000);
      await world.client.delete(Pods, "web", NAMESPACE);
    }
    // The request that removes the Pod, or reports it as running, arrives late.
    await world.clock.advance(500);
    world.server.faults.delay(5000, { times: 1, when: (request) => request.method === method });
    await world.clock.advance(1000);
    await world.client.delete(Pods, "web", { ...NAMESPACE, gracePeriodSeconds: 0 }).catch(() => {});
    await runPod(world, "web", {
      spec: { nodeName: "node-2", containers: [{ name: "main", image: "nginx" }] },
    });
    await world.clock.advance(10_000);
    assertEquals([method, now(world)], [method, "Pending, -, x0"]);
  }
});

Deno.test("Kubelet gives no address to two Pods that run, however many have ended", async () => {
  const [world] = await node({
    startDelayMs: 0,
    outcome: ({ metadata }) =>
      metadata.name?.startsWith("job") ? { afterMs: 0, exitCode: 0 } : undefined,
  });
  await using _ = world;
  await runPod(world, "first");
  for (let i = 0; i < 252; i++) {
    await runPod(world, `job-${i}`, { spec: { restartPolicy: "Never" } as never });
  }
  await world.clock.advance(1000);
  await runPod(world, "second");
  await runPod(world, "third");
  await world.clock.advance(1000);
  const addresses = ["first", "second", "third"].map((name) =>
    world.server.get(Pods, name, "default")?.status?.podIP
  );
  assertEquals(addresses, ["10.244.0.2", "10.244.0.3", "10.244.0.4"]);
});
