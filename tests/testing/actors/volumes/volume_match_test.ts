import { assertEquals } from "@std/assert";
import type { Cached, Pod } from "../../../../mod.ts";
import type {
  PersistentVolume,
  PersistentVolumeClaim,
} from "../../../../src/testing/actors/control/storage_kinds.ts";
import {
  bestVolume,
  claimsOfPod,
  isVolumeOf,
} from "../../../../src/testing/actors/volumes/volume_match.ts";

const REF = { name: "c", namespace: "default" };

function claim(spec: object = {}): Cached<PersistentVolumeClaim> {
  const resources = { requests: { storage: "5Gi" } };
  return {
    metadata: { ...REF, uid: "u" },
    spec: { accessModes: ["ReadWriteOnce"], storageClassName: "fast", resources, ...spec },
  } as unknown as Cached<PersistentVolumeClaim>;
}

function volume(name: string, spec: object = {}, metadata: object = {}): Cached<PersistentVolume> {
  return {
    metadata: { name, ...metadata },
    spec: {
      accessModes: ["ReadWriteOnce", "ReadOnlyMany"],
      capacity: { storage: "10Gi" },
      storageClassName: "fast",
      ...spec,
    },
  } as unknown as Cached<PersistentVolume>;
}

function best(one: Cached<PersistentVolumeClaim>, ...volumes: Cached<PersistentVolume>[]) {
  return bestVolume(one, volumes)?.metadata.name;
}

Deno.test("bestVolume() takes a volume that fits in every way", () => {
  assertEquals(best(claim(), volume("v")), "v");
  for (
    const [name, ask, has, metadata] of [
      ["class", {}, { storageClassName: "slow" }, {}],
      ["no class", {}, { storageClassName: undefined }, {}],
      ["mode", {}, { volumeMode: "Block" }, {}],
      ["mode", { volumeMode: "Block" }, {}, {}],
      ["access", { accessModes: ["ReadWriteOnce", "ReadWriteMany"] }, {}, {}],
      ["size", {}, { capacity: { storage: "5119Mi" } }, {}],
      ["selector", { selector: { matchLabels: { disk: "ssd" } } }, {}, { labels: { disk: "hdd" } }],
      ["deleted", {}, {}, { deletionTimestamp: "2026-01-01T00:00:00Z" }],
      ["name", { volumeName: "w" }, {}, {}],
      ["taken", {}, { claimRef: { ...REF, name: "d" } }, {}],
      ["namespace", {}, { claimRef: { ...REF, namespace: "other" } }, {}],
      ["earlier claim", {}, { claimRef: { ...REF, uid: "old" } }, {}],
    ] as const
  ) assertEquals(best(claim(ask), volume("v", has, metadata)), undefined, name);
  for (
    const [name, ask, has, metadata] of [
      ["no class", { storageClassName: "" }, { storageClassName: undefined }, {}],
      ["mode", { volumeMode: "Filesystem" }, {}, {}],
      ["access", { accessModes: ["ReadOnlyMany", "ReadWriteOnce"] }, {}, {}],
      ["size", {}, { capacity: { storage: "5Gi" } }, {}],
      ["selector", { selector: { matchLabels: { disk: "ssd" } } }, {}, { labels: { disk: "ssd" } }],
      ["name, though it does not fit", { volumeName: "v" }, { storageClassName: "slow" }, {}],
      ["reserved", {}, { claimRef: REF }, {}],
      ["bound", {}, { claimRef: { ...REF, uid: "u" } }, {}],
    ] as const
  ) assertEquals(best(claim(ask), volume("v", has, metadata)), "v", name);
});

Deno.test("bestVolume() prefers what is reserved, then the smallest, then the first by name", () => {
  const sized = (name: string, storage: string, rest: object = {}) =>
    volume(name, { capacity: { storage }, ...rest });
  const [large, small] = [sized("a", "9Gi"), sized("b", "6Gi")];
  assertEquals([best(claim(), large, small), best(claim(), small, large)], ["b", "b"]);
  const reserved = sized("z", "99Gi", { claimRef: REF });
  assertEquals([best(claim(), large, reserved), best(claim(), reserved, small)], ["z", "z"]);
  const equal = sized("c", "6Gi");
  assertEquals([best(claim(), equal, small), best(claim(), small, equal)], ["b", "b"]);
});

Deno.test("isVolumeOf() compares the uid only if the volume has one", () => {
  const of = (claimRef?: object) => isVolumeOf(claim(), volume("v", { claimRef }));
  assertEquals([of(), of(REF), of({ ...REF, uid: "u" }), of({ ...REF, uid: "w" })], [
    false,
    true,
    true,
    false,
  ]);
});

Deno.test("claimsOfPod() knows named claims and claims of ephemeral volumes", () => {
  const volumes = [
    { name: "a", persistentVolumeClaim: { claimName: "data" } },
    { name: "b", ephemeral: {} },
    { name: "c", emptyDir: {} },
  ];
  const pod = { metadata: { name: "p" }, spec: { volumes } } as unknown as Cached<Pod>;
  assertEquals(claimsOfPod(pod), ["data", "p-b"]);
  assertEquals(claimsOfPod({ metadata: { name: "p" } } as Cached<Pod>), []);
});
