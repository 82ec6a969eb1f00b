/**
 * A controller that resolves which versions of all Operators fit together.
 *
 * The bug: an event of one Operator reconciles it, and each reconcile looks at all Operators and writes the status of each.
 * So n new Operators lead to n² writes, and the change of one to n.
 *
 * The repair: a status is only written if it differs from what the cache shows.
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
import { create, patch, type ProcessEnv, simulation } from "@kubeloop/testing/simulation";
import type { Logic } from "../_bug.ts";
import { type CostBug, demonstrate } from "./_cost_bug.ts";

interface Operator extends KubeObject {
  spec?: { version?: string };
  status?: { resolved?: string };
}

const Operators: Resource<Operator> = defineResource<Operator>({
  group: "example.com",
  version: "v1",
  plural: "operators",
  kind: "Operator",
  namespaced: false,
});

async function operator({ client, signal }: ProcessEnv, logic: Logic): Promise<void> {
  const operators = new SharedInformerFactory(client).informer(Operators);
  const controller = new Controller({
    informer: operators,
    async reconcile() {
      for (const { metadata: { name }, spec, status } of operators.indexer.list()) {
        const resolved = spec?.version ?? "1.0";
        if (logic === "repaired" && status?.resolved === resolved) continue;
        await client.patchStatus(Operators, name, { status: { resolved } });
      }
    },
  });
  await controller.run({ signal });
}

/** The bug, broken and repaired. */
export const bug: CostBug = {
  upstream: "https://github.com/operator-framework/operator-controller/issues/88",
  bounds: { start: { writes: "O(n)" }, quiet: "O(1)", change: "O(1)", restart: { writes: 0 } },
  says: [
    "start writes: O(n²) instead of O(n)",
    "patch operators.example.com/status: ",
    "as if for each object",
    "change requests: O(n) instead of O(1)",
    "restart writes: more than 0",
  ],
  line: "await client.patchStatus(",
  cost: {
    each: (i) => create(Operators, `operator-${i}`),
    change: (i) => patch(Operators, `operator-${i}`, { spec: { version: "2.0" } }),
  },
  simulate: (logic) =>
    simulation({
      name: "operator-controller 88",
      process: (env) => operator(env, logic),
      workload: [],
    }),
};

if (import.meta.main) await demonstrate(bug);
