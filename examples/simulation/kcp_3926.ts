/**
 * Two controllers, each of which reports its own condition of a LogicalCluster.
 *
 * Each controller takes the conditions that its cache shows, sets its own one, and patches the list as a whole, with a
 * JSON merge patch. Conditions that the other controller has written since are lost. They are not written
 * again, since a controller that has done its part does not look at the cluster any more.
 *
 * https://github.com/kcp-dev/kcp/issues/3926 and https://github.com/kcp-dev/kcp/issues/3924; the same in
 * https://github.com/syntasso/kratix/issues/740
 *
 * What finds it: a cache that does not show yet what the other controller has written.
 *
 * @module
 */

import {
  type ApplyConfiguration,
  type Cached,
  type Client,
  type Condition,
  Controller,
  type CustomResourceDefinition,
  defineResource,
  type KubeObject,
  type Resource,
  setStatusCondition,
  SharedInformer,
} from "@kubeloop/controller";
import { create, type ProcessEnv, settle, simulation } from "@kubeloop/testing/simulation";
import { type Bug, demonstrate } from "./_bug.ts";

interface LogicalCluster extends KubeObject {
  status?: { conditions?: Condition[] };
}

const LogicalClusters: Resource<LogicalCluster> = defineResource<LogicalCluster>({
  group: "example.com",
  version: "v1",
  plural: "logicalclusters",
  kind: "LogicalCluster",
  namespaced: true,
});

/** Writes one condition of a cluster. */
type Report = (
  client: Client,
  cluster: Cached<LogicalCluster>,
  condition: Condition,
) => Promise<unknown>;

const broken: Report = (client, { metadata: { name, namespace }, status }, condition) => {
  const conditions = setStatusCondition(status?.conditions, condition, {
    clock: client.environment.clock,
  });
  return client.patchStatus(LogicalClusters, name, { status: { conditions } }, { namespace });
};

/** Only one condition is ours to write: the server merges it into the list by its type. */
const repaired: Report = (client, { metadata: { name, namespace } }, condition) =>
  client.apply(LogicalClusters, {
    metadata: { name, ...(namespace !== undefined && { namespace }) },
    status: { conditions: [condition] },
  }, { fieldManager: condition.type, subresource: "status" });

/** A controller that does its part for each cluster, once, and reports that it is done. */
function initializer(type: string, workMs: number, report: Report) {
  const mark = `example.com/${type}`;
  return async ({ client, clock, signal }: ProcessEnv) => {
    const clusters = new SharedInformer(client.listerWatcher(LogicalClusters), { name: type });
    const controller = new Controller({
      informer: clusters,
      async reconcile(key) {
        const cluster = clusters.indexer.getByKey(key);
        if (cluster === undefined || cluster.metadata.annotations?.[mark] === "done") return;
        await new Promise<void>((resolve) => clock.setTimer(resolve, workMs));
        const newest = clusters.indexer.getByKey(key);
        if (newest === undefined) return;
        await report(client, newest, { type, status: "True", reason: "Done" });
        const { name, namespace } = newest.metadata;
        const annotations = { [mark]: "done" };
        await client.patch(LogicalClusters, name, { metadata: { annotations } }, { namespace });
      },
    });
    await controller.run({ signal });
  };
}

const text = { type: "string" } as const;
const conditions = {
  type: "array",
  items: {
    type: "object",
    required: ["type"],
    properties: { type: text, status: text, reason: text, lastTransitionTime: text },
  },
  "x-kubernetes-list-type": "map",
  "x-kubernetes-list-map-keys": ["type"],
} as const;

const definition: ApplyConfiguration<CustomResourceDefinition> = {
  metadata: { name: "logicalclusters.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "logicalclusters", kind: "LogicalCluster" },
    versions: [{
      name: "v1",
      served: true,
      storage: true,
      subresources: { status: {} },
      schema: {
        openAPIV3Schema: {
          type: "object",
          properties: { status: { type: "object", properties: { conditions } } },
        },
      },
    }],
  },
};

/** The bug. */
export const bug: Bug = {
  upstream: "https://github.com/kcp-dev/kcp/issues/3926",
  finding: {
    oracle: "end state",
    says: ["status.conditions should have ", " and has not"],
    story: ["acted on logicalclusters default/root version"],
  },
  simulate(logic) {
    const report = logic === "broken" ? broken : repaired;
    return simulation({
      name: "kcp#3926",
      process: {
        apibinder: initializer("APIBindingsInitialized", 100, report),
        defaults: initializer("DefaultsInstalled", 3000, report),
      },
      workload: [create(LogicalClusters, "root"), settle()],
      resources: [definition],
    });
  },
};

if (import.meta.main) await demonstrate(bug);
