/**
 * An operator that registers each of its objects with a service and notes that in the status.
 *
 * The bug: it remembers in memory which objects it has registered. After a restart it registers all of them again, until
 * the service refuses to answer it.
 *
 * The repair: the status says what is registered.
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

interface Connection extends KubeObject {
  spec?: { service?: string };
  status?: { registered?: string };
}

const Connections: Resource<Connection> = defineResource<Connection>({
  group: "example.com",
  version: "v1",
  plural: "connections",
  kind: "Connection",
  namespaced: true,
});

async function operator({ client, signal }: ProcessEnv, logic: Logic): Promise<void> {
  const connections = new SharedInformerFactory(client).informer(Connections);
  const registered = new Map<string, string>();
  const controller = new Controller({
    informer: connections,
    async reconcile(key) {
      const connection = connections.indexer.getByKey(key);
      if (connection === undefined) return;
      const { metadata: { name, namespace }, spec: { service = "queue" } = {} } = connection;
      const known = logic === "broken" ? registered.get(key) : connection.status?.registered;
      if (known === service) return;
      await client.patchStatus(
        Connections,
        name,
        { status: { registered: service } },
        { namespace },
      );
      registered.set(key, service);
    },
  });
  await controller.run({ signal });
}

/** The bug, broken and repaired. */
export const bug: CostBug = {
  upstream: "https://github.com/redhat-developer/app-services-operator/issues/136",
  bounds: { quiet: "O(1)", change: "O(1)", restart: { requests: "O(1)", writes: 0 } },
  says: [
    "restart requests: O(n) instead of O(1)",
    "patch connections.example.com/status: 2, 8, 32 (n)",
    "Cause: each reconcile sends it once",
    "restart writes: more than 0: 2, 8, 32 for 2, 8, 32 objects",
  ],
  line: "await client.patchStatus(",
  cost: {
    each: (i) => create(Connections, `connection-${i}`),
    change: (i) => patch(Connections, `connection-${i}`, { spec: { service: "cache" } }),
  },
  simulate: (logic) =>
    simulation({
      name: "app-services-operator 136",
      process: (env) => operator(env, logic),
      workload: [],
    }),
};

if (import.meta.main) await demonstrate(bug);
