/**
 * A Redis cluster whose volumes have the size that its user wants. When the user wants smaller volumes, the operator asks for
 * them, the API server refuses, and the operator tries again, for ever: nothing else of the cluster is reconciled.
 *
 * https://github.com/OT-CONTAINER-KIT/redis-operator/issues/1668, and the same in
 * https://github.com/radondb/radondb-mysql-kubernetes/issues/436
 *
 * What finds it: a campaign from the schema, which sets the size to its minimum. A new cluster of that size settles.
 *
 * @module
 */

import {
  ConfigMaps,
  defineResource,
  isInvalid,
  type ObjectOf,
  type Resource,
} from "@kubeloop/controller";
import { campaign, simulation } from "@kubeloop/testing/simulation";
import { type Bug, demonstrate } from "./_bug.ts";
import { ownerController } from "./_owner.ts";

const RedisClusters = defineResource({
  group: "example.com",
  version: "v1",
  kind: "RedisCluster",
  spec: {
    type: "object",
    properties: {
      maxMemory: { type: "string", default: "64mb" },
      storageGi: { type: "integer", minimum: 1, maximum: 64, default: 4 },
    },
  },
});

/** Like the PersistentVolumeClaims of Kubernetes: they can grow and not shrink. */
const Volumes = defineResource({
  group: "example.com",
  version: "v1",
  kind: "Volume",
  spec: {
    type: "object",
    properties: { storageGi: { type: "integer" } },
    required: ["storageGi"],
  },
  rules: [{
    rule: "self.storageGi >= oldSelf.storageGi",
    message: "can not be less than the previous value",
  }],
});

/** Decides whether a volume must be resized. */
type NeedsResize = (hasGi: number, wantsGi: number) => boolean;

const broken: NeedsResize = (hasGi, wantsGi) => hasGi !== wantsGi;
const repaired: NeedsResize = (hasGi, wantsGi) => hasGi < wantsGi;

const operator = (needsResize: NeedsResize) =>
  ownerController<ObjectOf<typeof RedisClusters>>(
    RedisClusters,
    [Volumes as unknown as Resource, ConfigMaps as Resource],
    async ({ call, client, find, metadata, owner }) => {
      const { maxMemory = "", storageGi = 4 } = owner.spec;
      const volume = find(Volumes);
      if (volume === undefined) {
        await client.create(Volumes, { metadata, spec: { storageGi } }, call);
      } else if (needsResize(volume.spec.storageGi, storageGi)) {
        try {
          await client.patch(Volumes, metadata.name, { spec: { storageGi } }, call);
        } catch (error) {
          if (!isInvalid(error)) throw error;
          return { requeueAfterMs: 10_000 };
        }
      }
      const data = { "redis.conf": `maxmemory ${maxMemory}` };
      await client.apply(ConfigMaps, { metadata, data }, { ...call, fieldManager: "redis" });
      return {};
    },
  );

/** The bug. */
export const bug: Bug = {
  upstream: "https://github.com/OT-CONTAINER-KIT/redis-operator/issues/1668",
  finding: {
    oracle: "liveness",
    says: ["It has not settled"],
    story: ["a user changes spec.storageGi: 4 → 1 → 4"],
  },
  simulate: (logic) =>
    simulation({
      name: "redis-operator#1668",
      process: operator(logic === "broken" ? broken : repaired),
      workload: campaign(RedisClusters),
      resources: [Volumes],
    }),
};

if (import.meta.main) await demonstrate(bug);
