import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  Client,
  ConfigMaps,
  CustomResourceDefinitions,
  type KubeObject,
  Leases,
  Namespaces,
  Nodes,
  Pods,
  type Resource,
} from "../../../mod.ts";
import { silentLogger } from "../../../src/base/mod.ts";
import * as actors from "../../../src/testing/actors/mod.ts";
import {
  type Actor,
  ApiServer,
  SeededRandom,
  startActors,
  VirtualClock,
} from "../../../src/testing/mod.ts";
import { NAMESPACE, ownedBy, WIDGET_DEFINITION, WIDGETS, World } from "./world.ts";

Deno.test("each actor has a name", () => {
  const { client, server } = new World();
  const options = { client, server, nodeName: "n" };
  const names = Object.entries(actors).flatMap(([exported, Class]) => {
    if (typeof Class !== "function" || !("run" in Class.prototype)) return [];
    const actor = new (Class as new (options: unknown) => Actor)(options);
    return [`${exported}: ${actor.name}`];
  });
  assertEquals(names.sort(), [
    "CronJobController: cronjob-controller",
    "DaemonSetController: daemonset-controller",
    "DeploymentController: deployment-controller",
    "EndpointSliceController: endpoint-slice-controller",
    "EndpointsController: endpoint-controller",
    "GarbageCollector: garbage-collector",
    "HorizontalPodAutoscalerController: horizontal-pod-autoscaler",
    "JobController: job-controller",
    "Kubelet: kubelet n",
    "NamespaceController: namespace-controller",
    "NamespaceDefaults: serviceaccount-controller",
    "NodeController: node-controller",
    "PersistentVolumeBinder: persistentvolume-controller",
    "PersistentVolumeReclaimer: persistentvolume-reclaimer",
    "ReplicaSetController: replicaset-controller",
    "ResourceQuotaController: resourcequota-controller",
    "Scheduler: scheduler",
    "StatefulSetController: statefulset-controller",
    "StorageVersionMigrator: storage-version-migrator-controller",
  ]);
});

Deno.test("startActors() sends nothing but the renewals of Leases while nothing happens", async () => {
  const clock = new VirtualClock();
  await using server = new ApiServer({ clock, random: new SeededRandom(1) });
  const sent = new Map<string, number>();
  const { clientOptions } = server;
  const fetch = (request: Request) => {
    const what = `${request.method} ${new URL(request.url).pathname}`;
    sent.set(what, (sent.get(what) ?? 0) + 1);
    return server.fetch(request);
  };
  await using _actors = startActors({ clientOptions: { ...clientOptions, fetch } }, { nodes: 3 });
  await clock.advance(120_000);
  sent.clear();
  await clock.advance(600_000);
  const leases = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases";
  const nodes = ["node-1", "node-2", "node-3"];
  assertEquals([...sent].sort(), nodes.map((name) => [`PATCH ${leases}/${name}`, 60]));
});

/** Returns all events of fifteen busy minutes on a cluster of two nodes, or of the first minute, as complete text. */
async function busyTime(seed: number, isShort = false): Promise<string[]> {
  await using world = new World(seed);
  const { client, clock, random, server } = world;
  const trace: string[] = [];
  const stop = new AbortController();
  const { signal } = stop;
  const follow = async (resource: Resource) => {
    const events = await client.watch(resource, { signal });
    for await (const { type, object } of events) {
      trace.push(`${clock.now()} ${type} ${JSON.stringify(object)}`);
    }
  };
  const followOn = async (resource: Resource) => {
    while (!signal.aborted) await follow(resource).catch(() => {});
  };
  const following = [Pods, Nodes, ConfigMaps, Namespaces, Leases].map((resource) =>
    followOn(resource as Resource)
  );
  await clock.settle();
  const actors = startActors(server, {
    clock,
    random,
    logger: silentLogger,
    nodes: 2,
    kubelet: { meanTimeToCrashMs: 120_000 },
  });
  await world.create(Namespaces, { metadata: { name: "shop" } });
  await world.create(CustomResourceDefinitions, WIDGET_DEFINITION);
  await clock.advance(3000);
  const owner = await world.create(WIDGETS, { metadata: { name: "owner", ...NAMESPACE } });
  for (const [i, namespace] of ["default", "shop", "default", "shop", "default"].entries()) {
    await world.create<KubeObject>(Pods, {
      metadata: { name: `pod-${i}`, namespace, ...(namespace === "default" && ownedBy(owner)) },
      spec: { containers: [{ name: "main", image: "nginx" }] },
    } as KubeObject);
  }
  await clock.advance(60_000);
  if (!isShort) {
    server.restart();
    actors.kubelet("node-2")?.crashNode();
    await clock.advance(400_000);
    actors.kubelet("node-2")?.restartNode();
    await clock.run(client.delete(Namespaces, "shop"));
    await clock.advance(60_000);
    await clock.run(client.delete(WIDGETS, "owner", NAMESPACE));
    await clock.advance(380_000);
    assertEquals([world.names(Pods), world.names(WIDGETS)], ["", ""]);
    assertEquals(server.get(Namespaces, "shop"), undefined);
  }
  await actors.stop();
  stop.abort();
  await Promise.all(following);
  assertEquals([server.openWatches, clock.pendingTimers], [0, 0]);
  return trace;
}

Deno.test("startActors() repeats the same events with the same seed, and others with another seed", async () => {
  const first = await busyTime(1);
  assert(first.length > 200, `only ${first.length} events`);
  assertEquals(await busyTime(1), first);
  const other = await busyTime(2, true);
  assert(JSON.stringify(other) !== JSON.stringify(first.slice(0, other.length)));
});

Deno.test("startActors() schedules, runs, crashes and removes Pods", async () => {
  await using world = new World();
  const { client, clock, random, server } = world;
  await using actors = startActors(server, { clock, random, nodes: ["east", "west"] });
  for (const name of ["a", "b"]) {
    await world.create(Pods, {
      metadata: { name, ...NAMESPACE },
      spec: { containers: [{ name: "main", image: "nginx" }] },
    });
  }
  await clock.advance(5000);
  const pods = server.objects(Pods);
  assertEquals(pods.map(({ status }) => status?.phase), ["Running", "Running"]);
  assertEquals(new Set(pods.map(({ spec }) => spec?.nodeName)), new Set(["east", "west"]));
  assertEquals(new Set(pods.map(({ status }) => status?.hostIP)).size, 2);
  assertEquals([actors.crash("default/a"), actors.crash("default/none")], [true, false]);
  await clock.advance(2000);
  const [main] = server.get(Pods, "a", "default")?.status?.containerStatuses ?? [];
  assertEquals(main?.restartCount, 1);
  await client.delete(Pods, "a", NAMESPACE);
  await clock.advance(5000);
  assertEquals(world.names(Pods), "b");
});

Deno.test("startActors() does not start actors that are switched off", async () => {
  await using world = new World();
  const { client, clock, server } = world;
  await using actors = startActors(server, {
    clock,
    nodes: 0,
    scheduler: false,
    nodeController: false,
    namespaceController: false,
    garbageCollector: false,
    workloads: false,
  });
  const owner = await world.configMap("owner");
  await world.configMap("child", ownedBy(owner));
  await client.delete(ConfigMaps, "owner", NAMESPACE);
  await clock.advance(10_000);
  assertEquals([actors.kubelets.length, world.names(ConfigMaps)], [0, "child"]);
  assertEquals(server.openWatches, 0);
  assertThrows(() => startActors(server, { clock, nodes: 1.5 }), RangeError, "nodes");
});

Deno.test("startActors() sends its token to a server that requires tokens", async () => {
  const clock = new VirtualClock();
  const random = new SeededRandom(1);
  const admin = { user: "admin", groups: ["system:masters"] };
  await using server = new ApiServer({ clock, random, tokens: { secret: admin } });
  await using client = new Client({ fetch: server.fetch, clock, token: "secret" });
  await using _actors = startActors(server, { clock, random, token: "secret" });
  await clock.advance(1000);
  assertEquals((await client.list(Nodes)).items.length, 1);
});

Deno.test("Actors.stop() stops actors while they work, and may be called again", async () => {
  await using world = new World();
  const { clock, random, server } = world;
  const actors = startActors(server, { clock, random, nodes: 2 });
  await world.create(Pods, {
    metadata: { name: "a", ...NAMESPACE },
    spec: { containers: [{ name: "main", image: "nginx" }] },
  });
  await clock.advance(500);
  await actors.stop();
  await actors.stop();
  assertEquals([server.openWatches, clock.pendingTimers], [0, 0]);
  const { resourceVersion } = server;
  await clock.advance(60_000);
  assertEquals(server.resourceVersion, resourceVersion);
});
