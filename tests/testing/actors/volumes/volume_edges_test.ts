import { assert, assertEquals } from "@std/assert";
import { type Event, Events, Pods, type Resource } from "../../../../mod.ts";
import {
  type PersistentVolume,
  type PersistentVolumeClaim,
  PersistentVolumeClaims,
  PersistentVolumes,
  StorageClasses,
} from "../../../../src/testing/actors/control/mod.ts";
import {
  PersistentVolumeBinder,
  PersistentVolumeReclaimer,
} from "../../../../src/testing/actors/volumes/mod.ts";
import { Alone } from "../workloads/alone.ts";
import { named } from "../workloads/cluster.ts";

const VOLUMES = PersistentVolumes as Resource;
const CLAIMS = PersistentVolumeClaims as Resource;

class Disks extends Alone {
  static async start(): Promise<Disks> {
    const world = new Disks();
    await world.start(new PersistentVolumeBinder(world.options));
    await world.start(new PersistentVolumeReclaimer(world.options));
    return world;
  }

  async volume(name: string, spec: PersistentVolume["spec"] = {}): Promise<void> {
    await this.create(PersistentVolumes, {
      metadata: { name },
      spec: {
        accessModes: ["ReadWriteOnce"],
        capacity: { storage: "5Gi" },
        hostPath: { path: "/x" },
        ...spec,
      },
    });
    await this.clock.advance(100);
  }

  async claim(name: string, spec: object = {}): Promise<void> {
    const resources = { requests: { storage: "1Gi" } };
    const all = { accessModes: ["ReadWriteOnce"], resources, storageClassName: "", ...spec };
    await this.create(PersistentVolumeClaims, { metadata: named(name), spec: all } as never);
    await this.clock.advance(100);
  }

  async storage(name: string, rest: object): Promise<void> {
    await this.create(StorageClasses, { metadata: { name }, ...rest } as never);
  }

  async pod(name: string, claimName: string, spec: object = {}): Promise<void> {
    const volumes = [{ name: "v", persistentVolumeClaim: { claimName } }];
    const containers = [{ name: "main", image: "i" }];
    await this.create(Pods, {
      metadata: named(name),
      spec: { containers, volumes, ...spec } as never,
    });
    await this.clock.advance(100);
  }

  /** The phase of a claim, and the phase of each volume. */
  phases(claim: string): string {
    const found = this.server.get(PersistentVolumeClaims, claim, "default");
    const { status } = (found ?? {}) as PersistentVolumeClaim;
    const volumes = (this.server.objects(PersistentVolumes) as PersistentVolume[])
      .map(({ metadata, status }) => `${metadata.name?.slice(0, 4)} ${status?.phase}`);
    return [status?.phase ?? "gone", ...volumes].join(", ");
  }
}

Deno.test("A volume is bound with its claim, marked, and told in both", async () => {
  await using world = await Disks.start();
  await world.volume("free");
  await world.volume("kept", { claimRef: { name: "data", namespace: "default" } });
  assertEquals(world.phases("data"), "gone, free Available, kept Available");
  await world.claim("data");
  assertEquals(world.phases("data"), "Bound, free Available, kept Bound");
  const kept = world.server.get(PersistentVolumes, "kept")!;
  assertEquals(kept.metadata.annotations, undefined);
  assertEquals(kept.spec?.claimRef?.uid, world.get(PersistentVolumeClaims, "data").metadata.uid);
  await world.claim("more");
  assertEquals(world.phases("more"), "Bound, free Bound, kept Bound");
  const { metadata, spec } = world.server.get(PersistentVolumes, "free")!;
  assertEquals(metadata.annotations, { "pv.kubernetes.io/bound-by-controller": "yes" });
  const { apiVersion, kind, name, namespace } = spec!.claimRef! as Record<string, string>;
  assertEquals([apiVersion, kind, name, namespace], [
    "v1",
    "PersistentVolumeClaim",
    "more",
    "default",
  ]);
  const completed = { "pv.kubernetes.io/bind-completed": "yes" };
  await world.volume("wanted");
  await world.claim("named", { volumeName: "wanted" });
  assertEquals(
    ["more", "named"].map((one) => world.get(PersistentVolumeClaims, one).metadata.annotations),
    [{ ...completed, "pv.kubernetes.io/bound-by-controller": "yes" }, completed],
  );
  const { accessModes, capacity } = world.get(PersistentVolumeClaims, "more").status!;
  assertEquals([accessModes, capacity], [["ReadWriteOnce"], { storage: "5Gi" }]);
});

Deno.test("A claim without a volume says why, in the words of its class", async () => {
  await using world = await Disks.start();
  await world.storage("by-hand", { provisioner: "kubernetes.io/no-provisioner" });
  await world.claim("none");
  await world.claim("unknown", { storageClassName: "fast" });
  await world.claim("manual", { storageClassName: "by-hand" });
  const told = (world.server.objects(Events, "default") as Event[])
    .map(({ involvedObject, message, reason, type }) =>
      `${involvedObject.name}: ${type} ${reason}: ${message}`
    );
  assertEquals(told.sort(), [
    "none: Normal FailedBinding: no persistent volumes available for this claim and no storage class is set",
    'unknown: Warning ProvisioningFailed: storageclass.storage.k8s.io "fast" not found',
  ]);
  assertEquals(["none", "unknown", "manual"].map((name) => world.phases(name)), [
    "Pending",
    "Pending",
    "Pending",
  ]);
});

Deno.test("A claim that waits for its first consumer looks at no Pod of another claim, and any provisioner will do", async () => {
  await using world = await Disks.start();
  await world.storage("late", {
    provisioner: "example.com/fast_disks",
    volumeBindingMode: "WaitForFirstConsumer",
  });
  await world.claim("data", { storageClassName: "late" });
  await world.pod("other", "else", { nodeName: "m" });
  assertEquals(world.phases("data"), "Pending");
  await world.pod("mine", "data", { nodeName: "n" });
  assertEquals(world.warnings, []);
  assertEquals(world.phases("data"), "Bound, pvc- Bound");
  const { annotations } = world.get(PersistentVolumeClaims, "data").metadata;
  assertEquals(annotations?.["volume.kubernetes.io/selected-node"], "n");
  assertEquals(annotations?.["volume.kubernetes.io/storage-provisioner"], "example.com/fast_disks");
  const told = (world.server.objects(Events, "default") as Event[])
    .map(({ reason, type }) => `${type} ${reason}`);
  assertEquals(told.sort(), ["Normal ProvisioningSucceeded", "Normal WaitForFirstConsumer"]);
  const [volume] = world.server.objects(PersistentVolumes) as PersistentVolume[];
  const { claimRef, csi } = volume!.spec as { claimRef: Record<string, string>; csi: unknown };
  // No driver has a slash in its name.
  assertEquals(csi, { driver: "example.com-fast-disks", volumeHandle: volume!.metadata.name });
  const { apiVersion, kind, name, namespace } = claimRef;
  assertEquals([apiVersion, kind, name, namespace], [
    "v1",
    "PersistentVolumeClaim",
    "data",
    "default",
  ]);
});

Deno.test("A claim that has lost its volume is Lost, once", async () => {
  await using world = await Disks.start();
  await world.volume("disk");
  await world.claim("data");
  await world.patch(VOLUMES, "disk", { metadata: { finalizers: [] } });
  await world.delete(VOLUMES, "disk");
  assertEquals(world.phases("data"), "Lost");
  await world.patch(CLAIMS, "data", { metadata: { labels: { look: "again" } } });
  assertEquals(world.events("data").filter((text) => text.startsWith("ClaimLost")), [
    "ClaimLost: Bound claim has lost its PersistentVolume. Data on the volume is lost!",
  ]);
  const events = world.server.objects(Events, "default") as Event[];
  const lost = events.find(({ reason }) => reason === "ClaimLost");
  assertEquals([lost?.type, lost?.count], ["Warning", 1]);
});

Deno.test("A volume whose claim is gone is deleted or kept, as its policy says", async () => {
  await using world = await Disks.start();
  for (const persistentVolumeReclaimPolicy of ["Delete", "Retain"] as const) {
    await world.volume(persistentVolumeReclaimPolicy.toLowerCase(), {
      persistentVolumeReclaimPolicy,
    });
    await world.claim("data");
    assertEquals(world.phases("data").split(",")[0], "Bound");
    await world.delete(CLAIMS, "data", 1000);
  }
  assertEquals(world.phases("data"), "gone, reta Released");
  // A new claim of that name is another one.
  await world.claim("data");
  assertEquals(world.phases("data"), "Pending, reta Released");
});

Deno.test("A claim that a Pod uses stays until the Pod is over; a volume until its claim is gone", async () => {
  await using world = await Disks.start();
  await world.volume("disk");
  await world.claim("data");
  await world.pod("p", "data");
  await world.delete(CLAIMS, "data");
  await world.delete(VOLUMES, "disk");
  assertEquals(world.phases("data"), "Bound, disk Bound");
  await world.patchStatus(Pods as Resource, "p", { phase: "Succeeded" });
  assertEquals(world.phases("data"), "gone");
});

Deno.test("A claim waits for its first consumer, and its event names the Pod", async () => {
  await using world = await Disks.start();
  await world.storage("late", {
    provisioner: "disks.example.com",
    volumeBindingMode: "WaitForFirstConsumer",
  });
  await world.claim("data", { storageClassName: "late" });
  await world.pod("p", "data");
  await world.pod("q", "data");
  await world.pod("other", "none");
  assertEquals(world.events("data"), [
    "WaitForFirstConsumer: waiting for first consumer to be created before binding",
    "WaitForPodScheduled: waiting for pod p to be scheduled",
    "WaitForPodScheduled: waiting for pods p,q to be scheduled",
  ]);
  assertEquals(world.phases("data"), "Pending");
  await world.pod("r", "data", { nodeName: "n1" });
  assertEquals(world.phases("data"), "Bound, pvc- Bound");
  const { annotations } = world.get(PersistentVolumeClaims, "data").metadata;
  assertEquals(annotations?.["volume.kubernetes.io/selected-node"], "n1");
});

Deno.test("A claim that names its volume waits for no consumer", async () => {
  await using world = await Disks.start();
  await world.storage("late", {
    provisioner: "disks.example.com",
    volumeBindingMode: "WaitForFirstConsumer",
  });
  await world.volume("mine", { storageClassName: "late" });
  await world.claim("data", { storageClassName: "late", volumeName: "mine" });
  assertEquals([world.phases("data"), world.events("data")], ["Bound, mine Bound", []]);
});

Deno.test("A volume is made as its class says, and a claim without one says why", async () => {
  await using world = await Disks.start();
  await world.claim("none", { storageClassName: "none" });
  assertEquals(world.events("none"), [
    'ProvisioningFailed: storageclass.storage.k8s.io "none" not found',
  ]);
  await world.storage("manual", { provisioner: "kubernetes.io/no-provisioner" });
  await world.claim("manual", { storageClassName: "manual" });
  assertEquals([world.phases("manual"), world.events("manual")], ["Pending", []]);
  await world.storage("fast", { provisioner: "disks.example.com", reclaimPolicy: "Retain" });
  await world.claim("data", { storageClassName: "fast", volumeMode: "Block" });
  const { metadata, spec } = world.get(PersistentVolumeClaims, "data");
  const name = `pvc-${metadata.uid}`;
  assertEquals([spec?.volumeName, world.phases("data")], [name, "Bound, pvc- Bound"]);
  const volume = world.server.get(PersistentVolumes, name)!;
  const { claimRef: _, ...rest } = volume.spec!;
  assertEquals(rest as object, {
    accessModes: ["ReadWriteOnce"],
    capacity: { storage: "1Gi" },
    csi: { driver: "disks.example.com", volumeHandle: name },
    persistentVolumeReclaimPolicy: "Retain",
    storageClassName: "fast",
    volumeMode: "Block",
  });
  assertEquals(world.events("data").map((text) => text.split(":")[0]), ["ProvisioningSucceeded"]);
});

Deno.test("Volumes are bound, made and reclaimed although a request fails once", async () => {
  for (
    const failing of [
      "patch persistentvolumes",
      "patch persistentvolumes/status",
      "patch persistentvolumeclaims",
      "patch persistentvolumeclaims/status",
      "create persistentvolumes",
      "get persistentvolumeclaims",
      "delete persistentvolumes",
    ]
  ) {
    await using world = await Disks.start();
    await world.storage("fast", { provisioner: "disks.example.com" });
    const fault = world.server.faults.fail(500, {
      times: 1,
      when: ({ resource, subresource, verb }) =>
        `${verb} ${resource}${subresource && `/${subresource}`}` === failing,
    });
    await world.clock.advance(0);
    await world.claim("data", { storageClassName: "fast" });
    await world.clock.advance(1000);
    assertEquals(world.phases("data"), "Bound, pvc- Bound", failing);
    await world.delete(CLAIMS, "data", 1000);
    assertEquals([world.phases("data"), fault.hits], ["gone", 1], failing);
    assert(world.warnings.length > 0, `${failing} is not told`);
  }
});
