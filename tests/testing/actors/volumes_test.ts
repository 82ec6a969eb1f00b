import { assertEquals } from "@std/assert";
import { Pods } from "../../../mod.ts";
import {
  type PersistentVolume,
  PersistentVolumeClaims,
  PersistentVolumes,
  StorageClasses,
} from "../../../src/testing/actors/control/mod.ts";
import { Cluster, named } from "./workloads/cluster.ts";

async function claim(cluster: Cluster, name: string, spec: object = {}): Promise<void> {
  await cluster.create(PersistentVolumeClaims, {
    metadata: named(name),
    spec: {
      accessModes: ["ReadWriteOnce"],
      resources: { requests: { storage: "5Gi" } },
      storageClassName: "",
      ...spec,
    },
  });
}

async function volume(
  cluster: Cluster,
  name: string,
  storage: string,
  spec: PersistentVolume["spec"] = {},
): Promise<void> {
  await cluster.create(PersistentVolumes, {
    metadata: { name },
    spec: {
      accessModes: ["ReadWriteOnce"],
      capacity: { storage },
      hostPath: { path: `/${name}` },
      ...spec,
    },
  });
}

async function storageClass(cluster: Cluster, volumeBindingMode: string): Promise<void> {
  const provisioner = "disks.example.com";
  const metadata = { name: "disks" };
  await cluster.create(StorageClasses, { metadata, provisioner, volumeBindingMode });
}

function claims(cluster: Cluster): string[] {
  return cluster.server.objects(PersistentVolumeClaims, "default").map((
    { metadata, spec, status },
  ) =>
    [metadata.name, status?.phase, spec?.volumeName?.slice(0, 5), status?.capacity?.storage]
      .filter(Boolean).join(" ")
  );
}

function volumes(cluster: Cluster): string[] {
  return cluster.server.objects(PersistentVolumes).map(({ metadata, status }) =>
    `${metadata.name?.slice(0, 5)} ${status?.phase}`
  );
}

Deno.test("PersistentVolumeBinder binds a claim to the smallest volume that fits", async () => {
  await using cluster = await Cluster.start();
  await claim(cluster, "data");
  await cluster.clock.advance(1000);
  assertEquals([claims(cluster), cluster.events("data")], [["data Pending"], [
    "FailedBinding: no persistent volumes available for this claim and no storage class is set",
  ]]);
  await volume(cluster, "small", "1Gi");
  await volume(cluster, "other", "6Gi", { storageClassName: "other" });
  await volume(cluster, "large", "100Gi");
  await cluster.clock.advance(1000);
  assertEquals(claims(cluster), ["data Bound large 100Gi"]);
  assertEquals(volumes(cluster), ["large Bound", "other Available", "small Available"]);
  const { annotations } = cluster.get(PersistentVolumeClaims, "data").metadata;
  assertEquals(annotations, {
    "pv.kubernetes.io/bind-completed": "yes",
    "pv.kubernetes.io/bound-by-controller": "yes",
  });
  await cluster.delete(PersistentVolumeClaims, "data", 1000);
  assertEquals(volumes(cluster), ["large Released", "other Available", "small Available"]);
  // A released volume is not used again.
  await claim(cluster, "next");
  await cluster.clock.advance(1000);
  assertEquals(claims(cluster), ["next Pending"]);
  assertEquals(cluster.warnings, []);
});

Deno.test("PersistentVolumeBinder makes a volume, which goes with its claim", async () => {
  await using cluster = await Cluster.start();
  await storageClass(cluster, "Immediate");
  await claim(cluster, "data", { storageClassName: "disks" });
  await claim(cluster, "bad", { storageClassName: "none" });
  await cluster.clock.advance(1000);
  assertEquals(claims(cluster), ["bad Pending", "data Bound pvc-" + uid(cluster)[0] + " 5Gi"]);
  assertEquals(cluster.events("bad"), [
    'ProvisioningFailed: storageclass.storage.k8s.io "none" not found',
  ]);
  const found = cluster.server.objects(PersistentVolumes)[0] as PersistentVolume;
  assertEquals([found.metadata.name, found.spec?.persistentVolumeReclaimPolicy], [
    `pvc-${uid(cluster)}`,
    "Delete",
  ]);
  const { resourceVersion } = cluster.server;
  await cluster.clock.advance(5000);
  assertEquals(cluster.server.resourceVersion, resourceVersion);
  await cluster.delete(PersistentVolumeClaims, "data", 2000);
  assertEquals([claims(cluster), volumes(cluster)], [["bad Pending"], []]);
});

function uid(cluster: Cluster): string {
  return cluster.get(PersistentVolumeClaims, "data").metadata.uid ?? "";
}

Deno.test("PersistentVolumeBinder waits for the first consumer if the class says so", async () => {
  await using cluster = await Cluster.start({ nodes: 1 });
  await storageClass(cluster, "WaitForFirstConsumer");
  await claim(cluster, "data", { storageClassName: "disks" });
  await cluster.clock.advance(2000);
  assertEquals([claims(cluster), cluster.events("data")], [["data Pending"], [
    "WaitForFirstConsumer: waiting for first consumer to be created before binding",
  ]]);
  await cluster.create(Pods, {
    metadata: named("consumer"),
    spec: {
      containers: [{ name: "main", image: "i" }],
      volumes: [{ name: "data", persistentVolumeClaim: { claimName: "data" } }],
    } as never,
  });
  await cluster.clock.advance(2000);
  const { annotations } = cluster.get(PersistentVolumeClaims, "data").metadata;
  assertEquals(annotations?.["volume.kubernetes.io/selected-node"], "node-1");
  assertEquals(claims(cluster)[0]?.slice(0, 10), "data Bound");
});

Deno.test("PersistentVolumeBinder reports a claim whose volume is lost, and honours a reservation", async () => {
  await using cluster = await Cluster.start();
  await volume(cluster, "mine", "10Gi", { claimRef: { namespace: "default", name: "data" } });
  await volume(cluster, "free", "5Gi");
  await claim(cluster, "data");
  await cluster.clock.advance(1000);
  assertEquals(claims(cluster), ["data Bound mine 10Gi"]);
  await cluster.clock.run(
    cluster.client.patch(PersistentVolumes, "mine", { metadata: { finalizers: null } }),
  );
  await cluster.clock.run(cluster.client.delete(PersistentVolumes, "mine"));
  await cluster.clock.advance(1000);
  assertEquals(claims(cluster)[0]?.slice(0, 9), "data Lost");
});
