import { assertEquals } from "@std/assert";
import { CLAIM_QUOTA } from "../../../../../../src/testing/api_server/kinds/core/volumes/claim_quota.ts";

const claim = (storage: string, spec: object = {}, more: object = {}) => ({
  spec: { resources: { requests: { storage } }, ...spec } as never,
  ...more,
});

Deno.test("CLAIM_QUOTA counts claims and their size, also by StorageClass", () => {
  assertEquals(CLAIM_QUOTA.usage(claim("5Gi"), 0), {
    "count/persistentvolumeclaims": "1",
    persistentvolumeclaims: "1",
    "requests.storage": "5Gi",
  });
  const gold = {
    "count/persistentvolumeclaims": "1",
    persistentvolumeclaims: "1",
    "requests.storage": "5Gi",
    "gold.storageclass.storage.k8s.io/persistentvolumeclaims": "1",
    "gold.storageclass.storage.k8s.io/requests.storage": "5Gi",
  };
  assertEquals(CLAIM_QUOTA.usage(claim("5Gi", { storageClassName: "gold" }), 0), gold);
  const annotations = { "volume.beta.kubernetes.io/storage-class": "gold" };
  const old = claim("5Gi", { storageClassName: "lead" }, { metadata: { annotations } as never });
  assertEquals(CLAIM_QUOTA.usage(old, 0), gold);
  assertEquals(CLAIM_QUOTA.usage({ spec: { storageClassName: "gold" } }, 0), {
    "count/persistentvolumeclaims": "1",
    persistentvolumeclaims: "1",
    "gold.storageclass.storage.k8s.io/persistentvolumeclaims": "1",
  });
});

Deno.test("CLAIM_QUOTA counts what a claim holds if it asks for less, in whole bytes", () => {
  const held = (storage: string) => ({ status: { allocatedResources: { storage } } as never });
  const cases = [
    [claim("5Gi", {}, held("8Gi")), "8Gi"],
    [claim("5Gi", {}, held("4Gi")), "5Gi"],
    [claim("5Gi", {}, { status: {} }), "5Gi"],
    [claim("1500m"), "2"],
    [claim("1", {}, held("2500m")), "3"],
    [claim("2"), "2"],
  ] as const;
  for (const [object, size] of cases) {
    assertEquals(CLAIM_QUOTA.usage(object, 0)["requests.storage"], size);
  }
});

Deno.test("CLAIM_QUOTA counts under the names of claims only", () => {
  const names = [
    "count/persistentvolumeclaims",
    "persistentvolumeclaims",
    "requests.storage",
    "gold.storageclass.storage.k8s.io/persistentvolumeclaims",
    "gold.storageclass.storage.k8s.io/requests.storage",
    "gold.storageclass.storage.k8s.io/pods",
    "gold.example.com/requests.storage",
    "requests.cpu",
  ];
  assertEquals(names.filter(CLAIM_QUOTA.counts), names.slice(0, 5));
  const grows = (part: string) => CLAIM_QUOTA.grows?.({}, {}, part);
  assertEquals(["", "status", "other"].map(grows), [true, true, false]);
});

Deno.test("CLAIM_QUOTA selects claims by the VolumeAttributesClasses that they have, had or get", () => {
  const scope = { scopeName: "VolumeAttributesClass", operator: "In", values: ["fast"] };
  const cases = [
    [claim("1"), false],
    [claim("1", { volumeAttributesClassName: "fast" }), true],
    [claim("1", { volumeAttributesClassName: "slow" }), false],
    [claim("1", {}, { status: { currentVolumeAttributesClassName: "fast" } }), true],
    [
      claim("1", {}, {
        status: { modifyVolumeStatus: { targetVolumeAttributesClassName: "fast" } as never },
      }),
      true,
    ],
  ] as const;
  for (const [object, included] of cases) {
    assertEquals([object, CLAIM_QUOTA.inScope?.(object, scope)], [object, included]);
  }
  const fast = claim("1", { volumeAttributesClassName: "fast" });
  assertEquals(CLAIM_QUOTA.inScope?.(fast, { ...scope, scopeName: "PriorityClass" }), false);
});
