import { assertEquals, assertRejects } from "@std/assert";
import {
  Client,
  ConfigMaps,
  CustomResourceDefinitions,
  type KubeObject,
  Namespaces,
  Pods,
  type Resource,
  Secrets,
  Services,
} from "../../../mod.ts";
import { delay } from "../../../src/base/mod.ts";
import { PersistentVolumeClaims } from "../../../src/testing/actors/control/mod.ts";
import { type ResourceQuota, ResourceQuotas } from "../../../src/testing/actors/quota_kinds.ts";
import { ResourceQuotaController } from "../../../src/testing/mod.ts";
import { playQuotaStory } from "./quota_story.ts";
import recorded from "./quota_story.json" with { type: "json" };
import { NAMESPACE, WIDGET_DEFINITION, WIDGETS, World } from "./world.ts";
import { Cluster } from "./workloads/cluster.ts";

type Amounts = Record<string, string>;

/** Starts the controller in a world of its own. */
async function quotaWorld(): Promise<World> {
  const world = new World();
  await world.start(new ResourceQuotaController(world.options));
  return world;
}

async function limit(world: World, hard: Amounts, spec: object = {}, name = "q"): Promise<void> {
  await world.create(ResourceQuotas, { metadata: { name, ...NAMESPACE }, spec: { hard, ...spec } });
  await world.clock.advance(100);
}

function quotaOf({ server }: World, name = "q"): ResourceQuota {
  return server.get(ResourceQuotas, name, "default") as ResourceQuota;
}

/** Returns what is used, as in `pods=1 requests.cpu=2`. */
function used(world: World, name = "q"): string {
  const amounts = quotaOf(world, name).status?.used ?? {};
  return Object.entries(amounts).map(([one, amount]) => `${one}=${amount}`).join(" ");
}

async function make<T extends KubeObject>(
  world: World,
  resource: Resource<T>,
  name: string,
  rest: object = {},
): Promise<void> {
  await world.create(resource as Resource, { metadata: { name, ...NAMESPACE }, ...rest });
  await world.clock.advance(100);
}

async function remove<T extends KubeObject>(
  world: World,
  resource: Resource<T>,
  name: string,
): Promise<void> {
  await world.clock.run(world.client.delete(resource as Resource, name, NAMESPACE));
  await world.clock.advance(100);
}

async function change<T extends KubeObject>(
  world: World,
  resource: Resource<T>,
  name: string,
  patch: object,
  subresource?: string,
): Promise<void> {
  const call = { ...NAMESPACE, ...(subresource === undefined ? {} : { subresource }) };
  await world.clock.run(world.client.patch(resource as Resource, name, patch, call));
  await world.clock.advance(100);
}

const pod = (requests: Amounts, spec: object = {}) => ({
  spec: { containers: [{ name: "main", image: "i", resources: { requests } }], ...spec },
});

Deno.test("ResourceQuotaController says what is allowed and used, and gives back what is deleted", async () => {
  await using world = await quotaWorld();
  await make(world, ConfigMaps, "before");
  const hard = { configmaps: "3", "count/configmaps": "4", "count/deployments.apps": "1" };
  await limit(world, hard);
  assertEquals(quotaOf(world).status, {
    hard,
    used: { configmaps: "1", "count/configmaps": "1", "count/deployments.apps": "0" },
  });
  const { managedFields = [] } = quotaOf(world).metadata;
  assertEquals(managedFields.map(({ subresource }) => subresource).filter(Boolean), ["status"]);
  await make(world, ConfigMaps, "a");
  await make(world, ConfigMaps, "b");
  const full = "configmaps=3 count/configmaps=3 count/deployments.apps=0";
  assertEquals(used(world), full);
  await assertRejects(
    () => make(world, ConfigMaps, "c"),
    Error,
    "exceeded quota: q, requested: configmaps=1, used: configmaps=3, limited: configmaps=3",
  );
  await remove(world, ConfigMaps, "before");
  await make(world, ConfigMaps, "c");
  await remove(world, ConfigMaps, "a");
  assertEquals(used(world), "configmaps=2 count/configmaps=2 count/deployments.apps=0");
  assertEquals(world.warnings, []);
});

Deno.test("ResourceQuotaController follows a change of what a quota limits", async () => {
  await using world = await quotaWorld();
  await limit(world, { configmaps: "3", secrets: "1" });
  await make(world, Secrets, "s");
  await change(world, ResourceQuotas, "q", {
    spec: { hard: { configmaps: "2", secrets: null, services: "1" } },
  });
  assertEquals(quotaOf(world).status, {
    hard: { configmaps: "2", services: "1" },
    // The Service `kubernetes`.
    used: { configmaps: "0", services: "1" },
  });
  await change(world, ResourceQuotas, "q", { spec: { hard: null } });
  assertEquals(quotaOf(world).status, {});
});

Deno.test("ResourceQuotaController counts Services by type and claims by StorageClass", async () => {
  await using world = await quotaWorld();
  const disks = "disks.storageclass.storage.k8s.io/requests.storage";
  await limit(world, { "services.nodeports": "9", "services.loadbalancers": "9" });
  await limit(world, { [disks]: "1Ti", persistentvolumeclaims: "9" }, {}, "storage");
  const ports = [{ name: "a", port: 80 }, { name: "b", port: 81 }];
  await make(world, Services, "web", { spec: { type: "LoadBalancer", ports } });
  assertEquals(used(world), "services.loadbalancers=1 services.nodeports=2");
  await change(world, Services, "web", { spec: { type: "ClusterIP" } });
  assertEquals(used(world), "services.loadbalancers=0 services.nodeports=0");
  for (const storageClassName of ["disks", "tapes"]) {
    await make(world, PersistentVolumeClaims, storageClassName, {
      spec: {
        accessModes: ["ReadWriteOnce"],
        resources: { requests: { storage: "5Gi" } },
        storageClassName,
      },
    });
  }
  assertEquals(used(world, "storage"), `${disks}=5Gi persistentvolumeclaims=2`);
  const allocatedResources = { storage: "8Gi" };
  await change(
    world,
    PersistentVolumeClaims,
    "disks",
    { status: { allocatedResources } },
    "status",
  );
  assertEquals(used(world, "storage"), `${disks}=8Gi persistentvolumeclaims=2`);
  // The controller does not handle the finalizer that protects claims in use.
  await change(world, PersistentVolumeClaims, "disks", { metadata: { finalizers: null } });
  await remove(world, PersistentVolumeClaims, "disks");
  assertEquals(used(world, "storage"), `${disks}=0 persistentvolumeclaims=1`);
});

Deno.test("ResourceQuotaController gives back what a Pod uses when it has ended", async () => {
  await using world = await quotaWorld();
  await limit(world, { pods: "2", "count/pods": "9", "requests.cpu": "4" });
  await make(world, Pods, "a", pod({ cpu: "1" }));
  await make(world, Pods, "b", pod({ cpu: "1500m" }));
  assertEquals(used(world), "count/pods=2 pods=2 requests.cpu=2500m");
  await change(world, Pods, "a", { status: { phase: "Running" } }, "status");
  assertEquals(used(world), "count/pods=2 pods=2 requests.cpu=2500m");
  await change(world, Pods, "a", { status: { phase: "Succeeded" } }, "status");
  assertEquals(used(world), "count/pods=2 pods=1 requests.cpu=1500m");
  await make(world, Pods, "c", pod({ cpu: "2" }));
  assertEquals(used(world), "count/pods=3 pods=2 requests.cpu=3500m");
});

Deno.test("ResourceQuotaController gives back what a Pod uses that outlives its grace period, in 5 minutes", async () => {
  await using world = await quotaWorld();
  await limit(world, { pods: "2" });
  await make(world, Pods, "a", pod({}, { nodeName: "lost", terminationGracePeriodSeconds: 30 }));
  await remove(world, Pods, "a");
  await world.clock.advance(200_000);
  assertEquals([world.names(Pods), used(world)], ["a", "pods=1"]);
  await world.clock.advance(100_000);
  assertEquals([world.names(Pods), used(world)], ["a", "pods=0"]);
});

Deno.test("ResourceQuotaController counts the Pods in the scopes of a quota", async () => {
  await using world = await quotaWorld();
  const exists = (scopeName: string) => ({ scopeName, operator: "Exists" });
  await limit(world, { pods: "9" }, { scopes: ["BestEffort"] }, "best");
  await limit(world, { pods: "9" }, { scopes: ["Terminating"] }, "long");
  const both = { matchExpressions: [exists("NotBestEffort"), exists("NotTerminating")] };
  await limit(world, { pods: "9", "requests.cpu": "9" }, { scopeSelector: both }, "both");
  await make(world, Pods, "a", pod({}));
  await make(world, Pods, "b", pod({ cpu: "1" }));
  await make(world, Pods, "c", pod({ cpu: "1" }, { activeDeadlineSeconds: 100 }));
  const all = () => ["best", "long", "both"].map((name) => used(world, name));
  assertEquals(all(), ["pods=1", "pods=1", "pods=1 requests.cpu=1"]);
  await change(world, Pods, "b", { spec: { activeDeadlineSeconds: 100 } });
  assertEquals(all(), ["pods=1", "pods=2", "pods=0 requests.cpu=0"]);
});

Deno.test("ResourceQuotaController counts custom resources from the moment at which they are served", async () => {
  await using world = await quotaWorld();
  const count = "count/widgets.demo.example.com";
  await limit(world, { [count]: "2", configmaps: "1" });
  assertEquals(quotaOf(world).status, {
    hard: { [count]: "2", configmaps: "1" },
    used: { configmaps: "0" },
  });
  await world.create(CustomResourceDefinitions, WIDGET_DEFINITION);
  await world.clock.advance(100);
  assertEquals(used(world), `configmaps=0 ${count}=0`);
  await make(world, WIDGETS, "a");
  await make(world, WIDGETS, "b");
  await assertRejects(() => make(world, WIDGETS, "c"), Error, "exceeded quota: q");
  await remove(world, WIDGETS, "a");
  assertEquals(used(world), `configmaps=0 ${count}=1`);
  await remove(world, WIDGETS, "b");
  await world.clock.run(
    world.client.delete(CustomResourceDefinitions, "widgets.demo.example.com"),
  );
  await world.clock.advance(100);
  await make(world, ConfigMaps, "a");
  await remove(world, ConfigMaps, "a");
  assertEquals(used(world), `configmaps=0 ${count}=0`);
  await world.create(CustomResourceDefinitions, WIDGET_DEFINITION);
  await world.clock.advance(100);
  await make(world, WIDGETS, "c");
  await remove(world, WIDGETS, "c");
  assertEquals(used(world), `configmaps=0 ${count}=0`);
  assertEquals(world.warnings, []);
});

Deno.test("ResourceQuotaController watches only what quotas limit", async () => {
  await using world = await quotaWorld();
  await make(world, ConfigMaps, "a");
  await world.create(CustomResourceDefinitions, WIDGET_DEFINITION);
  await world.clock.advance(600_000);
  // It does not even ask what is served.
  assertEquals(world.requestsFor("authentication.k8s.io"), 0);
  assertEquals(world.requestsFor("configmaps"), 0);
});

Deno.test("ResourceQuotaController writes nothing while nothing changes, and stops watching without quotas", async () => {
  await using world = await quotaWorld();
  await limit(world, { configmaps: "9" });
  await make(world, ConfigMaps, "a");
  const { resourceVersion } = world.server;
  await world.clock.advance(1_000_000);
  assertEquals(world.server.resourceVersion, resourceVersion);
  await change(world, ConfigMaps, "a", { data: { a: "b" } });
  const before = world.actorRequests;
  await change(world, ConfigMaps, "a", { data: { a: "c" } });
  assertEquals(world.actorRequests, before);
  await remove(world, ResourceQuotas, "q");
  const watched = world.requestsFor("configmaps");
  await make(world, ConfigMaps, "b");
  await world.clock.advance(1_000_000);
  assertEquals(world.requestsFor("configmaps"), watched);
});

Deno.test("ResourceQuotaController never undoes a charge of admission", async () => {
  await using cluster = await Cluster.start({ nodes: 1 });
  await limit(cluster, { pods: "3" });
  const seen = await cluster.watch(ResourceQuotas, ({ status }) => status?.used?.["pods"] ?? "");
  const requests = Array.from({ length: 6 }, (_, i) =>
    cluster.client.create(Pods as Resource, {
      metadata: { name: `p${i}`, ...NAMESPACE },
      ...pod({}),
    } as KubeObject).then(() => "created", () => "refused"));
  const answers = await cluster.clock.run(Promise.all(requests));
  await cluster.clock.advance(5000);
  assertEquals(answers.sort().join(" "), "created created created refused refused refused");
  assertEquals(seen.map((line) => line.split(" ").slice(1).join(" ")), [
    "MODIFIED 1",
    "MODIFIED 2",
    "MODIFIED 3",
  ]);
  for (const { metadata } of cluster.pods) {
    await cluster.delete(Pods, metadata.name ?? "", 0, { gracePeriodSeconds: 0 });
  }
  await cluster.clock.advance(5000);
  assertEquals(used(cluster), "pods=0");
  assertEquals(cluster.warnings, []);
});

Deno.test("ResourceQuotaController counts the amounts that admission has charged", async () => {
  await using world = await quotaWorld();
  const ofPods = [
    "pods",
    "count/pods",
    "cpu",
    "requests.memory",
    "limits.cpu",
    "limits.memory",
    "requests.ephemeral-storage",
    "requests.hugepages-2Mi",
    "requests.example.com/gpu",
  ];
  const others = [
    "services.loadbalancers",
    "services.nodeports",
    "requests.storage",
    "fast.storageclass.storage.k8s.io/persistentvolumeclaims",
    "count/configmaps",
  ];
  await limit(world, Object.fromEntries([...ofPods, ...others].map((name) => [name, "1Pi"])));
  await limit(world, { pods: "9" }, { scopes: ["NotTerminating"] }, "scoped");
  await world.stop();
  const amounts = (cpu: string, rest: Amounts = {}) => {
    const limits = { cpu, memory: "100Mi", "ephemeral-storage": "1Gi", ...rest };
    return { requests: limits, limits };
  };
  const container = (name: string, resources: object, rest: object = {}) => ({
    name,
    image: "i",
    resources,
    ...rest,
  });
  await make(world, Pods, "large", {
    spec: {
      initContainers: [
        container("first", amounts("3")),
        container("sidecar", amounts("250m"), { restartPolicy: "Always" }),
        container("second", amounts("1")),
      ],
      containers: [
        container("main", amounts("500m", { "example.com/gpu": "2", "hugepages-2Mi": "4Mi" })),
        container("side", amounts("1")),
      ],
    },
  });
  await make(world, Pods, "ends", {
    spec: { activeDeadlineSeconds: 60, containers: [container("main", amounts("1"))] },
  });
  const ports = [{ port: 80 }, { name: "b", port: 81 }];
  for (const type of ["ClusterIP", "NodePort", "LoadBalancer"]) {
    const named = ports.map((port) => ({ name: "a", ...port }));
    await make(world, Services, type.toLowerCase(), { spec: { type, ports: named } });
  }
  await make(world, PersistentVolumeClaims, "claim", {
    spec: {
      storageClassName: "fast",
      accessModes: ["ReadWriteOnce"],
      resources: { requests: { storage: "1500m" } },
    },
  });
  await make(world, ConfigMaps, "map");
  const charged = [used(world), used(world, "scoped")];
  assertEquals(charged[0]?.split(" ").filter((amount) => amount.endsWith("=0")), []);
  assertEquals(charged[1], "pods=1");
  const { resourceVersion } = quotaOf(world).metadata;
  const stop = new AbortController();
  const running = new ResourceQuotaController(world.options).run({ signal: stop.signal });
  await world.clock.advance(1000);
  assertEquals([used(world), used(world, "scoped")], charged);
  assertEquals(quotaOf(world).metadata.resourceVersion, resourceVersion);
  stop.abort();
  await running;
});

Deno.test("ResourceQuotaController counts again after a restart of the API server", async () => {
  await using world = await quotaWorld();
  await limit(world, { configmaps: "9" });
  await make(world, ConfigMaps, "a");
  world.server.restart();
  await world.clock.advance(10_000);
  await remove(world, ConfigMaps, "a");
  await world.clock.advance(10_000);
  assertEquals(used(world), "configmaps=0");
});

Deno.test("ResourceQuotaController says what the one of kube-controller-manager says", async () => {
  await using world = await quotaWorld();
  const { clock, server } = world;
  await world.create(Namespaces, { metadata: { name: "story" } });
  await using client = new Client({ ...server.clientOptions, warningHandler: () => {} });
  const playing = playQuotaStory(client, "story", () => delay(100, { clock }));
  assertEquals<unknown>(await clock.run(playing), recorded);
});
