import { assertEquals } from "@std/assert";
import { type Pod, Pods } from "../../../../mod.ts";
import { PersistentVolumeClaims } from "../../../../src/testing/actors/control/mod.ts";
import {
  ControllerRevisions,
  type StatefulSet,
  StatefulSets,
} from "../../../../src/testing/actors/workloads/apps_kinds.ts";
import { Cluster, named, template } from "./cluster.ts";

type Spec = NonNullable<StatefulSet["spec"]>;

async function stateful(cluster: Cluster, spec: Partial<Spec> = {}): Promise<void> {
  await cluster.create(StatefulSets, {
    metadata: named("db"),
    spec: {
      serviceName: "db",
      selector: { matchLabels: { app: "db" } },
      template: template("db"),
      ...spec,
    },
  });
}

function images(cluster: Cluster): string[] {
  return cluster.pods.map(({ metadata, spec }) => `${metadata.name} ${spec?.containers[0]?.image}`)
    .sort();
}

/** Records when each Pod is created and when it is gone, in seconds. */
async function lives(cluster: Cluster): Promise<() => string[]> {
  const seen = await cluster.watch(Pods, ({ metadata }) => metadata.name ?? "");
  return () => seen.filter((one) => !one.includes("MODIFIED")).map((one) => one.replace(".0", ""));
}

const CLAIM = {
  metadata: { name: "data" },
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
};

Deno.test("StatefulSetController creates its Pods in order and deletes them in reverse", async () => {
  await using cluster = await Cluster.start({ kubelet: { readyDelayMs: 1000 } });
  const seen = await lives(cluster);
  await stateful(cluster, { replicas: 3 });
  await cluster.clock.advance(9000);
  const [pod] = cluster.pods;
  const { hostname, subdomain } = pod?.spec as { hostname?: string; subdomain?: string };
  assertEquals([hostname, subdomain], ["db-0", "db"]);
  const { updateRevision, ...status } = cluster.get(StatefulSets, "db").status ?? {};
  assertEquals(pod?.metadata.labels, {
    app: "db",
    "apps.kubernetes.io/pod-index": "0",
    "controller-revision-hash": updateRevision,
    "statefulset.kubernetes.io/pod-name": "db-0",
  } as Record<string, string>);
  assertEquals(
    status,
    {
      observedGeneration: 1,
      replicas: 3,
      readyReplicas: 3,
      availableReplicas: 3,
      currentReplicas: 3,
      updatedReplicas: 3,
      currentRevision: updateRevision,
      collisionCount: 0,
    } as typeof status,
  );
  await cluster.patch(StatefulSets, "db", { spec: { replicas: 1 } }, 9000);
  assertEquals(seen(), [
    "0 ADDED db-0",
    "2 ADDED db-1",
    "4 ADDED db-2",
    "10 DELETED db-2",
    "11 DELETED db-1",
  ]);
  assertEquals(cluster.events("db"), [
    "SuccessfulCreate: Create Pod db-0 in StatefulSet db successful",
    "SuccessfulCreate: Create Pod db-1 in StatefulSet db successful",
    "SuccessfulCreate: Create Pod db-2 in StatefulSet db successful",
    "SuccessfulDelete: Delete Pod db-2 in StatefulSet db successful",
    "SuccessfulDelete: Delete Pod db-1 in StatefulSet db successful",
  ]);
  assertEquals(cluster.warnings, []);
  const { resourceVersion } = cluster.get(StatefulSets, "db").metadata;
  await cluster.clock.advance(60_000);
  assertEquals(cluster.get(StatefulSets, "db").metadata.resourceVersion, resourceVersion);
});

Deno.test("StatefulSetController creates all Pods at once with the policy Parallel", async () => {
  await using cluster = await Cluster.start();
  const seen = await lives(cluster);
  await stateful(cluster, { replicas: 3, podManagementPolicy: "Parallel", ordinals: { start: 5 } });
  await cluster.clock.advance(3000);
  assertEquals(seen().sort(), ["0 ADDED db-5", "0 ADDED db-6", "0 ADDED db-7"]);
});

Deno.test("StatefulSetController updates from the highest ordinal down to the partition", async () => {
  await using cluster = await Cluster.start();
  await stateful(cluster, {
    replicas: 3,
    updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 1 } },
  });
  await cluster.clock.advance(9000);
  const before = cluster.get(StatefulSets, "db").status;
  const next = { spec: { template: template("db", "nginx:2") } };
  await cluster.patch(StatefulSets, "db", next, 1500);
  assertEquals(images(cluster), ["db-0 nginx:1", "db-1 nginx:1", "db-2 nginx:2"]);
  await cluster.clock.advance(9000);
  assertEquals(images(cluster), ["db-0 nginx:1", "db-1 nginx:2", "db-2 nginx:2"]);
  const { currentReplicas, currentRevision, updatedReplicas } =
    cluster.get(StatefulSets, "db").status ?? {};
  assertEquals([currentReplicas, updatedReplicas, currentRevision], [1, 2, before?.updateRevision]);
  // A Pod below the partition comes back as it was.
  await cluster.delete(Pods, "db-0", 5000);
  assertEquals(images(cluster)[0], "db-0 nginx:1");
  const all = { spec: { updateStrategy: { rollingUpdate: { partition: 0 } } } };
  await cluster.patch(StatefulSets, "db", all, 9000);
  assertEquals(images(cluster)[0], "db-0 nginx:2");
  const { currentRevision: last, updateRevision } = cluster.get(StatefulSets, "db").status ?? {};
  assertEquals(last, updateRevision);
});

Deno.test("StatefulSetController keeps revisions, and uses an old one again", async () => {
  await using cluster = await Cluster.start();
  await stateful(cluster, { replicas: 1, revisionHistoryLimit: 1 });
  for (const image of ["nginx:2", "nginx:3", "nginx:2"]) {
    await cluster.clock.advance(5000);
    await cluster.patch(StatefulSets, "db", { spec: { template: template("db", image) } });
  }
  await cluster.clock.advance(5000);
  const revisions = cluster.server.objects(ControllerRevisions, "default")
    .map(({ data, revision }) => {
      const { spec } = data as {
        spec: { template: { spec: { containers: { image: string }[] } } };
      };
      return `${revision} ${spec.template.spec.containers[0]?.image}`;
    });
  assertEquals(revisions.sort(), ["3 nginx:3", "4 nginx:2"]);
});

Deno.test("StatefulSetController makes a claim for each Pod, which outlives it unless the policy says Delete", async () => {
  await using cluster = await Cluster.start();
  await stateful(cluster, {
    replicas: 2,
    volumeClaimTemplates: [CLAIM],
    persistentVolumeClaimRetentionPolicy: { whenDeleted: "Retain", whenScaled: "Delete" },
  });
  await cluster.clock.advance(9000);
  assertEquals(cluster.names(PersistentVolumeClaims), "data-db-0 data-db-1");
  const { volumes } = cluster.get(Pods, "db-0").spec as unknown as { volumes: unknown[] };
  assertEquals(volumes, [{ name: "data", persistentVolumeClaim: { claimName: "data-db-0" } }]);
  await cluster.patch(StatefulSets, "db", { spec: { replicas: 1 } }, 9000);
  assertEquals(cluster.names(PersistentVolumeClaims), "data-db-0");
  await cluster.delete(StatefulSets, "db", 9000);
  assertEquals([cluster.names(PersistentVolumeClaims), cluster.names(Pods)], ["data-db-0", ""]);
  await stateful(cluster, {
    replicas: 1,
    volumeClaimTemplates: [CLAIM],
    persistentVolumeClaimRetentionPolicy: { whenDeleted: "Delete", whenScaled: "Retain" },
  });
  await cluster.clock.advance(5000);
  await cluster.delete(StatefulSets, "db", 9000);
  assertEquals(cluster.names(PersistentVolumeClaims), "");
});

Deno.test("StatefulSetController replaces a Pod that has ended, under the same name", async () => {
  await using cluster = await Cluster.start();
  await stateful(cluster, { replicas: 1 });
  await cluster.clock.advance(3000);
  const first = cluster.get(Pods, "db-0") as Pod;
  await cluster.clock.run(
    cluster.client.patchStatus(Pods, "db-0", { status: { phase: "Failed" } }, {
      namespace: "default",
    }),
  );
  await cluster.clock.advance(5000);
  const second = cluster.get(Pods, "db-0") as Pod;
  assertEquals([second.status?.phase, second.metadata.uid === first.metadata.uid], [
    "Running",
    false,
  ]);
});
