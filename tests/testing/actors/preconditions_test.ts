import { assert, assertEquals } from "@std/assert";
import {
  Client,
  Deployments,
  Leases,
  type Node,
  Nodes,
  Pods,
  type Resource,
} from "../../../mod.ts";
import { silentLogger } from "../../../src/base/mod.ts";
import {
  Kubelet,
  NodeController,
  PersistentVolumeBinder,
  PersistentVolumeReclaimer,
} from "../../../src/testing/mod.ts";
import {
  DaemonSets,
  ReplicaSets,
  StatefulSets,
} from "../../../src/testing/actors/workloads/apps_kinds.ts";
import { CronJobs, Jobs } from "../../../src/testing/actors/workloads/batch_kinds.ts";
import { EndpointSliceController } from "../../../src/testing/actors/services/endpoint_slice_controller.ts";
import { Services } from "../../../src/testing/actors/services/service_kinds.ts";
import {
  PersistentVolumeClaims,
  PersistentVolumes,
} from "../../../src/testing/actors/control/mod.ts";
import { workloadControllers } from "../../../src/testing/actors/workloads/workload_controllers.ts";
import { Alone } from "./workloads/alone.ts";
import { named, template } from "./workloads/cluster.ts";

/** Fields that a patch replaces completely, so it needs a precondition on the version that it was made from. */
const REPLACED = ["claimRef", "finalizers", "ownerReferences", "taints"];

/**
 * A cluster that notes each deletion by a controller, and whether it names the UID; and each patch that replaces
 * something whole, and whether it names the version or the UID.
 */
class Noted extends Alone {
  readonly deletions = new Map<string, boolean>();
  readonly patches = new Map<string, boolean>();

  override get options(): Alone["options"] {
    const options = super.options;
    const fetch: typeof this.server.fetch = async (input, init) => {
      const request = new Request(input, init);
      const [, plural = ""] = /\/(\w+)\/[^/]+$/.exec(new URL(request.url).pathname) ?? [];
      if (request.method === "DELETE") {
        const text = await request.clone().text();
        const { preconditions } = JSON.parse(text === "" ? "{}" : text);
        const before = this.deletions.get(plural) ?? true;
        this.deletions.set(plural, before && typeof preconditions?.uid === "string");
      }
      if (request.method === "PATCH") {
        const { metadata = {}, spec = {} } = JSON.parse(await request.clone().text());
        const replaced = REPLACED.filter((field) => field in metadata || field in spec);
        const key = `${plural} ${replaced}`;
        const isExact = "resourceVersion" in metadata || "uid" in metadata;
        if (replaced.length > 0) this.patches.set(key, (this.patches.get(key) ?? true) && isExact);
      }
      return await this.server.fetch(request);
    };
    return { ...options, client: new Client({ fetch, clock: this.clock, logger: silentLogger }) };
  }

  static async start(): Promise<Noted> {
    const world = new Noted();
    const { options } = world;
    for (
      const actor of [
        ...workloadControllers(options),
        new EndpointSliceController(options),
        new NodeController(options),
        new PersistentVolumeBinder(options),
        new PersistentVolumeReclaimer(options),
      ]
    ) await world.start(actor);
    return world;
  }

  async make(resource: unknown, spec: object, name = "w"): Promise<void> {
    await this.create(resource as Resource, { metadata: named(name), spec } as never);
    await this.clock.advance(100);
  }
}

const WORK = {
  spec: { restartPolicy: "Never" as const, containers: [{ name: "main", image: "i" }] },
};

function app(rest: object, image?: string): object {
  return { selector: { matchLabels: { app: "w" } }, template: template("w", image), ...rest };
}

Deno.test("Controllers delete only the object that they mean, not another one of its name", async () => {
  await using world = await Noted.start();
  const change = (resource: unknown, spec: object) =>
    world.patch(resource as Resource, "w", { spec }, 200);
  await world.make(Deployments, app({ replicas: 1, revisionHistoryLimit: 0 }));
  await world.runPods();
  await change(Deployments, { template: template("w", "nginx:2") });
  await world.runPods();
  await world.runPods();
  await world.delete(Deployments as Resource, "w");
  await world.make(StatefulSets, app({ replicas: 1, revisionHistoryLimit: 0, serviceName: "s" }));
  await world.runPods();
  await change(StatefulSets, { template: template("w", "nginx:2") });
  await world.runPods();
  await change(StatefulSets, { replicas: 0 });
  await world.make(ReplicaSets, app({ replicas: 1 }), "set");
  await world.patch(ReplicaSets as Resource, "set", { spec: { replicas: 0 } }, 200);
  await world.make(Jobs, { template: WORK, parallelism: 2, ttlSecondsAfterFinished: 1 });
  await change(Jobs, { parallelism: 0 });
  const time = "2026-01-01T00:00:01Z";
  await world.patchStatus(Jobs as Resource, "w", {
    startTime: time,
    conditions: ["FailureTarget", "Failed"].map((type) => ({
      type,
      status: "True",
      lastTransitionTime: time,
    })),
  }, 5000);
  await world.make(CronJobs, {
    schedule: "* * * * *",
    concurrencyPolicy: "Replace",
    jobTemplate: { spec: { template: WORK } },
  });
  await world.clock.advance(125_000);
  await world.make(Services, { selector: { app: "many" }, ports: [{ port: 80, targetPort: "p" }] });
  for (const [name, containerPort] of [["a", 1], ["b", 2]] as const) {
    await world.create(Pods, {
      metadata: { ...named(name), labels: { app: "many" } },
      spec: {
        containers: [{ name: "c", image: "i", ports: [{ name: "p", containerPort }] }] as never,
      },
    });
    await world.patchStatus(Pods as Resource, name, { phase: "Running", podIP: "10.0.0.1" });
  }
  await world.delete(Pods as Resource, "a");
  assertEquals(
    [...world.deletions].sort().map(([plural, isExact]) => `${plural} ${isExact}`),
    [
      "controllerrevisions true",
      "endpointslices true",
      "jobs true",
      "pods true",
      "replicasets true",
    ],
  );
});

Deno.test("DaemonSets and lost nodes delete only the Pods that they mean", async () => {
  await using world = await Noted.start();
  await world.create(Nodes, { metadata: { name: "n" } });
  await world.patch(Nodes as Resource, "n", { spec: { taints: [] } });
  await world.make(DaemonSets, app({}));
  const evicted = { nodeName: "n", containers: [{ name: "c", image: "i" }] };
  await world.create(Pods, { metadata: named("p"), spec: evicted });
  await world.delete(Nodes as Resource, "n", 1000);
  assertEquals([...world.deletions], [["pods", true]]);
  assertEquals(world.names(Pods), "");
  await world.create(Nodes, { metadata: { name: "m" } });
  await world.create(Pods, { metadata: named("q"), spec: { ...evicted, nodeName: "m" } });
  world.deletions.clear();
  await world.patch(Nodes as Resource, "m", {
    spec: { taints: [{ key: "k", effect: "NoExecute" }] },
  });
  assertEquals([...world.deletions], [["pods", true]]);
  assertEquals(
    world.server.get(Pods, "q", "default")?.metadata.deletionTimestamp !== undefined,
    true,
  );
});

Deno.test("Kubelets and reclaimers delete only what they mean", async () => {
  await using world = await Noted.start();
  await world.start(new Kubelet({ ...world.options, nodeName: "n" }));
  const spec = { nodeName: "n", containers: [{ name: "c", image: "i" }] };
  await world.create(Pods, { metadata: named("p"), spec });
  await world.clock.advance(5000);
  await world.clock.run(world.client.delete(Pods, "p", { namespace: "default" }));
  await world.create(PersistentVolumes, {
    metadata: { name: "v" },
    spec: {
      accessModes: ["ReadWriteOnce"],
      capacity: { storage: "1Gi" },
      claimRef: { name: "gone", namespace: "default", uid: "gone" },
      hostPath: { path: "/x" },
      persistentVolumeReclaimPolicy: "Delete",
    },
  });
  await world.clock.advance(40_000);
  assertEquals([...world.deletions].sort(), [["persistentvolumes", true], ["pods", true]]);
});

Deno.test("Controllers replace a list or a reference only in the version that they have read", async () => {
  await using world = await Noted.start();
  await world.create(Nodes, { metadata: { name: "n" } });
  await world.patchStatus(Nodes as Resource, "n", {
    conditions: [{ type: "Ready", status: "True" }],
  });
  const claim = {
    metadata: { name: "data" },
    spec: {
      accessModes: ["ReadWriteOnce"],
      resources: { requests: { storage: "1Gi" } },
      storageClassName: "",
    },
  };
  await world.create(PersistentVolumes, {
    metadata: { name: "v" },
    spec: {
      accessModes: ["ReadWriteOnce"],
      capacity: { storage: "1Gi" },
      hostPath: { path: "/x" },
    },
  });
  await world.make(
    StatefulSets,
    app({
      replicas: 1,
      serviceName: "s",
      volumeClaimTemplates: [claim],
      persistentVolumeClaimRetentionPolicy: { whenDeleted: "Delete", whenScaled: "Retain" },
    }),
  );
  await world.runPods();
  await world.patch(StatefulSets as Resource, "w", { spec: { replicas: 0 } }, 200);
  await world.endPods();
  await world.delete(PersistentVolumeClaims as Resource, "data-w-0", 1000);
  await world.delete(PersistentVolumes as Resource, "v", 1000);
  await world.create(Pods, {
    metadata: { ...named("orphan"), labels: { app: "w" } },
    spec: { containers: [{ name: "c", image: "i" }] },
  });
  await world.make(ReplicaSets, app({ replicas: 1 }), "set");
  await world.patch(Pods as Resource, "orphan", { metadata: { labels: { app: "x" } } }, 200);
  assertEquals([...world.patches].sort().map(([what, isExact]) => `${what} ${isExact}`), [
    "nodes taints true",
    "persistentvolumeclaims finalizers true",
    "persistentvolumeclaims ownerReferences true",
    "persistentvolumes claimRef true",
    "persistentvolumes finalizers true",
    "pods ownerReferences true",
  ]);
});

Deno.test("NodeController gives a node that comes back its whole grace period", async () => {
  await using world = await Noted.start();
  const ready = async () => {
    await world.create(Nodes, { metadata: { name: "n" } });
    await world.patchStatus(Nodes as Resource, "n", {
      conditions: [{ type: "Ready", status: "True" }],
    });
  };
  const status = () => (world.server.get(Nodes, "n") as Node).status?.conditions?.[0]?.status;
  await world.create(Leases, {
    metadata: { name: "n", namespace: "kube-node-lease" },
    spec: { holderIdentity: "n", renewTime: "2026-01-01T00:00:00.000000Z" },
  });
  await ready();
  await world.clock.advance(30_000);
  await world.delete(Nodes as Resource, "n", 30_000);
  await ready();
  await world.clock.advance(40_000);
  assertEquals(status(), "True");
  await world.clock.advance(12_000);
  assertEquals(status(), "Unknown");
  assert(world.warnings.length === 0, world.warnings.join());
});
