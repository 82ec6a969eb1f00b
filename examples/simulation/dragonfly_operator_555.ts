/**
 * A cache that runs in a StatefulSet. A new version of the operator wants another value of a field that cannot change.
 *
 * The bug: the API server refuses the update each time. So nothing else of the cache is reconciled after the upgrade.
 *
 * https://github.com/dragonflydb/dragonfly-operator/issues/555
 *
 * What finds it: the step that upgrades the operator. No fault is needed: the run without faults is wrong, since a write
 * is refused again and again until its end.
 *
 * @module
 */

import { defineResource, isInvalid, type KubeObject, type Resource } from "@kubeloop/controller";
import { create, patch, settle, simulation, upgrade } from "@kubeloop/testing/simulation";
import { ownerController } from "./_owner.ts";
import { type Bug, demonstrate, type Logic } from "./_bug.ts";

interface Dragonfly extends KubeObject {
  spec: { replicas: number };
}
interface StatefulSet extends KubeObject {
  spec: { replicas: number; serviceName: string; selector: unknown; template: unknown };
}
const StatefulSets = defineResource<StatefulSet>({
  group: "apps",
  version: "v1",
  plural: "statefulsets",
  kind: "StatefulSet",
  namespaced: true,
});
const Dragonflies = defineResource<Dragonfly>({
  group: "example.com",
  version: "v1",
  plural: "dragonflies",
  kind: "Dragonfly",
  namespaced: true,
});

const operator = (release: 1 | 2, logic: Logic) =>
  ownerController<Dragonfly>(
    Dragonflies,
    [StatefulSets as Resource],
    async ({ client, owner, metadata, call, find }) => {
      const labels = { app: metadata.name };
      const spec: StatefulSet["spec"] = {
        replicas: owner.spec.replicas,
        serviceName: release === 1 ? metadata.name : `${metadata.name}-headless`,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: { containers: [{ name: "dragonfly", image: `dragonfly:${release}` }] },
        },
      };
      const set = find(StatefulSets);
      if (set?.metadata.deletionTimestamp !== undefined) return { requeueAfterMs: 1000 };
      if (set === undefined) {
        await client.create(StatefulSets, { metadata, spec }, call);
        return {};
      }
      if (
        set.spec!.replicas === spec.replicas && set.spec!.serviceName === spec.serviceName
      ) return {};
      try {
        await client.update(StatefulSets, { ...set, spec } as never, call);
      } catch (error) {
        if (logic === "broken" || !isInvalid(error)) throw error;
        const { uid } = set.metadata;
        await client.delete(StatefulSets, metadata.name, {
          ...call,
          propagationPolicy: "Orphan",
          preconditions: { uid },
        });
        return { requeueAfterMs: 1000 };
      }
      return {};
    },
  );

/** The bug. */
export const bug: Bug = {
  upstream: "https://github.com/dragonflydb/dragonfly-operator/issues/555",
  finding: {
    oracle: "process",
    says: ["[operator update statefulsets.apps default/cache] is answered with 422 each time"],
  },
  simulate: (logic) =>
    simulation({
      name: "dragonfly-operator#555",
      process: operator(1, logic),
      workload: [
        create(Dragonflies, "cache", { spec: { replicas: 2 } }),
        settle(),
        upgrade(operator(2, logic)),
        settle(),
        patch(Dragonflies, "cache", { spec: { replicas: 3 } }),
        settle(),
      ],
    }),
};

if (import.meta.main) await demonstrate(bug);
