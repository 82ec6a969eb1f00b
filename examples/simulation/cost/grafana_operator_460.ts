/**
 * An operator that gives Grafana the dashboards that are defined in the cluster.
 *
 * The bug: every ten seconds it reconciles, and reads each dashboard from the server, although nothing has changed.
 *
 * The repair: it watches the dashboards and reads them from the cache. Their events reconcile.
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

const Grafanas: Resource<KubeObject> = defineResource({
  group: "example.com",
  version: "v1",
  plural: "grafanas",
  kind: "Grafana",
  namespaced: true,
});

interface Dashboard extends KubeObject {
  spec?: { title?: string };
}

const Dashboards: Resource<Dashboard> = defineResource<Dashboard>({
  group: "example.com",
  version: "v1",
  plural: "dashboards",
  kind: "Dashboard",
  namespaced: true,
});

const RELOAD_MS = 10_000;

async function operator({ client, signal }: ProcessEnv, logic: Logic): Promise<void> {
  const informers = new SharedInformerFactory(client);
  const grafanas = informers.informer(Grafanas);
  const dashboards = informers.informer(Dashboards);
  const titles = new Map<string, string>();
  const controller = new Controller({
    informer: grafanas,
    waitFor: [dashboards],
    async reconcile() {
      for (const cached of dashboards.indexer.list()) {
        const { name, namespace } = cached.metadata;
        const dashboard = logic === "broken"
          ? await client.get(Dashboards, name, { namespace })
          : cached;
        titles.set(name, dashboard.spec?.title ?? "");
      }
      return logic === "broken" ? { requeueAfterMs: RELOAD_MS } : undefined;
    },
  });
  const enqueueAll = () => grafanas.indexer.listKeys().forEach((key) => controller.enqueue(key));
  if (logic === "repaired") dashboards.addEventHandler({ onAdd: enqueueAll, onUpdate: enqueueAll });
  await controller.run({ signal });
}

/** The bug, broken and repaired. */
export const bug: CostBug = {
  upstream: "https://github.com/grafana/grafana-operator/issues/460",
  bounds: { start: { requests: 5 }, quiet: "O(1)", change: "O(1)", restart: { requests: "O(1)" } },
  says: [
    "quiet requests: O(n) instead of O(1)",
    "get dashboards.example.com: 72, 288, 1,152 (36 n)",
    "Cause: each reconcile sends it 2, 8, 32 times, as if for each object",
    "a timer (a delay or a resync) adds 36 keys of grafanas.example.com",
  ],
  line: "await client.get(Dashboards",
  cost: {
    each: (i) => create(Dashboards, `dashboard-${i}`),
    change: (i) => patch(Dashboards, `dashboard-${i}`, { spec: { title: "Costs" } }),
    quietHours: 0.1,
  },
  simulate: (logic) =>
    simulation({
      name: "grafana-operator 460",
      process: (env) => operator(env, logic),
      objects: [{ resource: Grafanas, object: { metadata: { name: "grafana" } } }],
      workload: [],
    }),
};

if (import.meta.main) await demonstrate(bug);
