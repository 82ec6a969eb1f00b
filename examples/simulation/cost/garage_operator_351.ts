/**
 * An operator that asks each storage node once a minute whether it is there, and shows the answer in the status.
 *
 * The bug: the status has the time of the last answer, and is written each time. Each write is an event, which reconciles
 * the node once more. A cluster where nothing happens has writes for each node, for ever.
 *
 * The repair: the status is only written if more than the time has changed.
 *
 * @module
 */

import {
  Controller,
  defineResource,
  type KubeObject,
  type Resource,
  SharedInformerFactory,
} from "@kubeloop/controller";
import { formatTime } from "@kubeloop/controller/types";
import { create, patch, type ProcessEnv, simulation } from "@kubeloop/testing/simulation";
import type { Logic } from "../_bug.ts";
import { type CostBug, demonstrate } from "./_cost_bug.ts";

interface GarageNode extends KubeObject {
  spec?: { zone?: string };
  status?: { connected?: boolean; lastSeen?: string; zone?: string };
}

const GarageNodes: Resource<GarageNode> = defineResource<GarageNode>({
  group: "example.com",
  version: "v1",
  plural: "garagenodes",
  kind: "GarageNode",
  namespaced: true,
});

const MINUTE_MS = 60_000;

async function operator({ client, clock, signal }: ProcessEnv, logic: Logic): Promise<void> {
  const nodes = new SharedInformerFactory(client).informer(GarageNodes);
  const controller = new Controller({
    informer: nodes,
    async reconcile(key) {
      const node = nodes.indexer.getByKey(key);
      if (node === undefined) return;
      const { metadata: { name, namespace }, spec: { zone = "here" } = {}, status } = node;
      const isSame = status?.connected === true && status.zone === zone;
      if (logic === "broken" || !isSame) {
        const lastSeen = formatTime(clock.wallNow());
        const next = { connected: true, lastSeen, zone };
        await client.patchStatus(GarageNodes, name, { status: next }, { namespace });
      }
      return { requeueAfterMs: MINUTE_MS };
    },
  });
  await controller.run({ signal });
}

/** The bug, broken and repaired. */
export const bug: CostBug = {
  upstream: "https://github.com/rajsinghtech/garage-operator/issues/351",
  bounds: {
    quiet: { requests: "O(1)", writes: 0 },
    change: { sent: "O(1)" },
    restart: { writes: 0 },
  },
  says: [
    "quiet requests: O(n) instead of O(1)",
    "patch garagenodes.example.com/status: ",
    "Cause: each reconcile sends it once; ",
    "quiet writes: more than 0",
    "restart writes: more than 0",
  ],
  line: "await client.patchStatus(",
  cost: {
    each: (i) => create(GarageNodes, `node-${i}`),
    change: (i) => patch(GarageNodes, `node-${i}`, { spec: { zone: "there" } }),
  },
  simulate: (logic) =>
    simulation({
      name: "garage-operator 351",
      process: (env) => operator(env, logic),
      workload: [],
    }),
};

if (import.meta.main) await demonstrate(bug);
