/**
 * The Cassandra operator makes a node leave the ring before its Pod is deleted. Which Pod that is, is not for the operator
 * to say: it lowers the number of replicas of a StatefulSet, and the controller of StatefulSets deletes the Pod with the
 * highest number.
 *
 * The bug: the operator takes the last Pod of a list for the one with the highest number. But a list from a cache has no
 * order. So the wrong node may leave the ring. The Pod with the highest number is deleted although it holds data, and a
 * node that has left stays.
 *
 * Provoked by lists whose items come in another order.
 *
 * The repair: the operator compares the numbers. Simulation then found #410 of the same operator as well, which stands in
 * a file of its own: a change that is taken back while a node leaves. So the repaired operator takes a node away that has
 * left, whatever is wanted.
 *
 * @module
 */

import {
  type Cached,
  type Client,
  Controller,
  controllerReference,
  defineResource,
  isAlreadyExists,
  isNotFound,
  type KubeObject,
  type Pod,
  Pods,
  type Resource,
  SharedInformerFactory,
} from "@kubeloop/controller";
import { create, patch, type ProcessEnv, settle, simulation } from "@kubeloop/testing/simulation";
import { type Bug, demonstrate, type Logic } from "./_bug.ts";

interface NodeSet extends KubeObject {
  spec: { replicas: number };
}

/** The user's resource. */
const CassandraDataCenters: Resource<NodeSet> = defineResource<NodeSet>({
  group: "cassandra.example.com",
  version: "v1alpha1",
  plural: "cassandradatacenters",
  kind: "CassandraDataCenter",
  namespaced: true,
});

/** The resource that the StatefulSet controller reconciles. */
const StatefulSets: Resource<NodeSet> = defineResource<NodeSet>({
  group: "apps.example.com",
  version: "v1",
  plural: "statefulsets",
  kind: "StatefulSet",
  namespaced: true,
});

/** The annotation that simulates the mode that the node in the Pod reports. */
const MODE = "cassandra.example.com/mode";

type Members = readonly Cached<Pod>[];

/** How a set of Pods is made smaller. */
interface ScaleDown {
  /** Returns the Pod that will be deleted. */
  newest(pods: Members): Cached<Pod>;
  /** Reports whether there is to be one Pod less. */
  isDue(wanted: number, pods: Members): boolean;
}

const broken: ScaleDown = {
  newest: (pods) => pods.at(-1)!,
  isDue: (wanted, pods) => wanted < pods.length,
};

const repaired: ScaleDown = {
  newest: (pods) => pods.reduce((a, b) => ordinalOf(a) > ordinalOf(b) ? a : b),
  isDue: (wanted, pods) => wanted < pods.length || pods.some(hasLeft),
};

/** Reports whether the node in a Pod has left the ring. */
function hasLeft({ metadata }: Cached<Pod>): boolean {
  return metadata.annotations?.[MODE] === "DECOMMISSIONED";
}

async function operator({ client, logger, signal }: ProcessEnv, logic: Logic): Promise<void> {
  const scaleDown = logic === "broken" ? broken : repaired;
  const informers = new SharedInformerFactory(client, { logger });
  const dataCenters = informers.informer(CassandraDataCenters);
  const sets = informers.informer(StatefulSets);
  const pods = informers.informer(Pods);
  pods.addIndexers({ set: ({ metadata }) => [`default/${metadata.labels?.set}`] });

  const scaling = new Controller({
    name: "datacenters",
    informer: dataCenters,
    waitFor: [sets, pods],
    async reconcile(key) {
      const dataCenter = dataCenters.indexer.getByKey(key);
      if (dataCenter === undefined || dataCenter.metadata.deletionTimestamp !== undefined) return;
      const { metadata: { name, namespace }, spec: { replicas } } = dataCenter;
      const set = sets.indexer.getByKey(key);
      if (set === undefined) {
        const ownerReferences = [controllerReference(dataCenter, CassandraDataCenters)];
        await client.create(StatefulSets, {
          metadata: { name, ownerReferences },
          spec: { replicas },
        }, {
          namespace,
        }).catch(ignore(isAlreadyExists));
        return;
      }
      // One node after the other: a Pod that is still to be created or deleted is waited for.
      const current = set.spec.replicas;
      const members = pods.indexer.byIndex("set", key);
      if (members.length !== current) return;
      const isDue = scaleDown.isDue(replicas, members);
      if (isDue && !members.some(hasLeft)) {
        await client.patch(Pods, scaleDown.newest(members).metadata.name, {
          metadata: { annotations: { [MODE]: "DECOMMISSIONED" } },
        }, { namespace });
      } else if (isDue || replicas > current) {
        const next = isDue ? current - 1 : current + 1;
        await client.patch(StatefulSets, name, { spec: { replicas: next } }, { namespace });
      }
    },
  });
  const statefulSets = new Controller({
    name: "statefulsets",
    informer: sets,
    waitFor: [pods],
    reconcile: (key) =>
      syncStatefulSet(client, sets.indexer.getByKey(key), pods.indexer.byIndex("set", key)),
  });
  const enqueue = ({ metadata }: Cached<KubeObject>) => {
    const key = `${metadata.namespace}/${metadata.labels?.set ?? metadata.name}`;
    scaling.enqueue(key);
    statefulSets.enqueue(key);
  };
  for (const informer of [sets, pods]) {
    informer.addEventHandler({
      onAdd: enqueue,
      onUpdate: (_old, object) => enqueue(object),
      onDelete: (last) => {
        if ("metadata" in last) enqueue(last);
      },
    });
  }
  await Promise.all([scaling.run({ signal }), statefulSets.run({ signal })]);
}

/** Simulates the StatefulSet controller of Kubernetes. */
async function syncStatefulSet(
  client: Client,
  set: Cached<NodeSet> | undefined,
  pods: Members,
): Promise<void> {
  if (set === undefined || set.metadata.deletionTimestamp !== undefined) return;
  const { metadata: { name, namespace }, spec: { replicas } } = set;
  for (let i = 0; i < replicas; i++) {
    if (pods.some((pod) => ordinalOf(pod) === i)) continue;
    const ownerReferences = [controllerReference(set, StatefulSets)];
    const metadata = { name: `${name}-${i}`, labels: { set: name }, ownerReferences };
    const spec = { containers: [{ name: "cassandra", image: "cassandra:3.11" }] };
    await client.create(Pods, { metadata, spec }, { namespace }).catch(ignore(isAlreadyExists));
  }
  for (const pod of pods) {
    if (ordinalOf(pod) < replicas) continue;
    const { name, uid } = pod.metadata;
    await client.delete(Pods, name, { namespace, preconditions: { uid } })
      .catch(ignore(isNotFound));
  }
}

function ordinalOf({ metadata: { name } }: Cached<Pod>): number {
  return Number(name.slice(name.lastIndexOf("-") + 1));
}

function ignore(expected: (error: unknown) => boolean): (error: unknown) => void {
  return (error) => {
    if (!expected(error)) throw error;
  };
}

/** The bug, broken and repaired. */
export const bug: Bug = {
  upstream: "https://github.com/instaclustr/cassandra-operator/issues/400",
  finding: {
    oracle: "end state",
    says: ["pods default/dc-", ": metadata.annotations should be absent and is ", "DECOMMISSIONED"],
    story: ["lists come in another order"],
  },
  simulate: (logic) =>
    simulation({
      name: "cassandra-operator 400",
      process: (env) => operator(env, logic),
      resources: [StatefulSets],
      workload: [
        create(CassandraDataCenters, "dc", { spec: { replicas: 3 } }),
        settle(),
        patch(CassandraDataCenters, "dc", { spec: { replicas: 2 } }),
        settle(),
      ],
    }),
};

if (import.meta.main) await demonstrate(bug);
