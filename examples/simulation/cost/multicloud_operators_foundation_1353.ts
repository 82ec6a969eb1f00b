/**
 * The agent of a managed cluster publishes facts about it as ClusterClaims. One of them depends on the Nodes, so a change
 * of a Node reconciles the claims.
 *
 * The bug: each update of a Node counts as a change, also the status that its kubelet renews although nothing has changed.
 * Every claim is then reconciled, and read from the server. The more claims, the more requests in a cluster where nothing
 * happens.
 *
 * The repair: heartbeats are ignored, and claims are read from the cache.
 *
 * @module
 */

import {
  Controller,
  defineResource,
  type KubeObject,
  Nodes,
  type Resource,
  SharedInformerFactory,
} from "@kubeloop/controller";
import { create, patch, type ProcessEnv, simulation } from "@kubeloop/testing/simulation";
import type { Logic } from "../_bug.ts";
import { type CostBug, demonstrate } from "./_cost_bug.ts";

interface ClusterClaim extends KubeObject {
  spec?: { value?: string };
}

const ClusterClaims: Resource<ClusterClaim> = defineResource<ClusterClaim>({
  group: "example.com",
  version: "v1",
  plural: "clusterclaims",
  kind: "ClusterClaim",
  namespaced: false,
});

async function operator({ client, signal }: ProcessEnv, logic: Logic): Promise<void> {
  const informers = new SharedInformerFactory(client);
  const claims = informers.informer(ClusterClaims);
  const nodes = informers.informer(Nodes);
  const controller = new Controller({
    informer: claims,
    waitFor: [nodes],
    async reconcile(key) {
      const claim = logic === "broken"
        ? await client.get(ClusterClaims, key)
        : claims.indexer.getByKey(key);
      const value = String(nodes.indexer.list().some((node) => !node.spec?.unschedulable));
      if (claim === undefined || claim.spec?.value === value) return;
      await client.patch(ClusterClaims, key, { spec: { value } });
    },
  });
  const enqueueAll = () => {
    for (const key of claims.indexer.listKeys()) controller.enqueue(key);
  };
  nodes.addEventHandler({
    onAdd: enqueueAll,
    onUpdate: (old, node) => {
      const isHeartbeat = old.spec?.unschedulable === node.spec?.unschedulable;
      if (logic === "broken" || !isHeartbeat) enqueueAll();
    },
    onDelete: enqueueAll,
  });
  await controller.run({ signal });
}

/** The bug, broken and repaired. */
export const bug: CostBug = {
  upstream: "https://github.com/stolostron/multicloud-operators-foundation/pull/1353",
  bounds: { quiet: "O(1)", change: "O(1)", restart: { writes: 0 } },
  says: [
    "quiet requests: O(n) instead of O(1): ",
    "get clusterclaims.example.com: 24, 96, 384 (12 n)",
    "each reconcile sends it once",
    "each event of nodes (there are 12) reconciles 2, 8, 32 of clusterclaims.example.com",
    "its handler adds all of them",
    "Handler: ",
  ],
  line: "await client.get(ClusterClaims",
  cost: {
    each: (i) => create(ClusterClaims, `claim-${i}`),
    change: (i) => patch(ClusterClaims, `claim-${i}`, { spec: { value: "?" } }),
  },
  simulate: (logic) =>
    simulation({
      name: "multicloud-operators-foundation 1353",
      process: (env) => operator(env, logic),
      objects: [{ resource: Nodes, object: { metadata: { name: "node-1" } } }],
      workload: [],
    }),
};

if (import.meta.main) await demonstrate(bug);
