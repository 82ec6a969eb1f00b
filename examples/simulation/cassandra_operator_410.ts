/**
 * The Cassandra operator takes a node away in two steps: it makes the node leave the ring (it is then "decommissioned"),
 * and in a later reconcile, when the node has left, it deletes the Pod.
 *
 * The bug: it looks at decommissioned nodes only while fewer nodes are wanted than there are. If the user changes the
 * number back between the two steps, both numbers are equal. Then nothing is to be done, and the node stays for ever: its
 * Pod runs, and holds no data.
 *
 * Provoked by a workload whose step is taken back between the two writes.
 *
 * The repair: a decommissioned node is always deleted, whatever the numbers are. Its Pod is then created again, and joins.
 *
 * @module
 */

import {
  controllerReference,
  defineResource,
  isAlreadyExists,
  isNotFound,
  type KubeObject,
  type Pod,
  Pods,
  type Resource,
  type Stored,
} from "@kubeloop/controller";
import { create, patch, type ProcessEnv, settle, simulation } from "@kubeloop/testing/simulation";
import { type Bug, demonstrate, type Logic } from "./_bug.ts";

interface CassandraDataCenter extends KubeObject {
  spec: { nodes: number };
}

const CassandraDataCenters: Resource<CassandraDataCenter> = defineResource<CassandraDataCenter>({
  group: "cassandra.example.com",
  version: "v1alpha1",
  plural: "cassandradatacenters",
  kind: "CassandraDataCenter",
  namespaced: true,
});

/** The annotation that simulates the mode that the node in the Pod reports. */
const MODE = "cassandra.example.com/mode";

/** Returns what is to be done next, given the wanted number of nodes, that of Pods, and that of decommissioned nodes. */
type Next = (
  nodes: number,
  pods: number,
  decommissioned: number,
) => "create" | "decommission" | "delete" | "nothing";

const broken: Next = (nodes, pods, decommissioned) => {
  if (nodes > pods) return "create";
  if (nodes === pods) return "nothing";
  return decommissioned > 0 ? "delete" : "decommission";
};

const repaired: Next = (nodes, pods, decommissioned) => {
  if (decommissioned > 0) return "delete";
  if (nodes > pods) return "create";
  return nodes === pods ? "nothing" : "decommission";
};

const POLL_MS = 5000;

async function operator(
  { client, clock, logger, signal }: ProcessEnv,
  logic: Logic,
): Promise<void> {
  const next = logic === "broken" ? broken : repaired;
  const call = { namespace: "default" };

  /** Does the next step towards what is wanted. */
  async function sync(dataCenter: Stored<CassandraDataCenter>): Promise<void> {
    const { name } = dataCenter.metadata;
    const labels = { datacenter: name };
    const pods = (await client.list(Pods, { ...call, labelSelector: `datacenter=${name}` })).items
      .sort((a, b) => ordinalOf(a) - ordinalOf(b));
    const [decommissioned, ...others] = pods.filter(({ metadata }) =>
      metadata.annotations?.[MODE] === "DECOMMISSIONED"
    );
    const found = decommissioned === undefined ? 0 : 1 + others.length;
    switch (next(dataCenter.spec.nodes, pods.length, found)) {
      case "create": {
        const ownerReferences = [controllerReference(dataCenter, CassandraDataCenters)];
        const metadata = { name: `${name}-${pods.length}`, labels, ownerReferences };
        const spec = { containers: [{ name: "cassandra", image: "cassandra:3.11" }] };
        await client.create(Pods, { metadata, spec }, call).catch(ignore(isAlreadyExists));
        break;
      }
      case "decommission": {
        const metadata = { annotations: { [MODE]: "DECOMMISSIONED" } };
        await client.patch(Pods, pods.at(-1)!.metadata.name, { metadata }, call);
        break;
      }
      case "delete": {
        const { name, uid } = decommissioned!.metadata;
        await client.delete(Pods, name, { ...call, preconditions: { uid } })
          .catch(ignore(isNotFound));
      }
    }
  }

  while (!signal.aborted) {
    try {
      const { items } = await client.list(CassandraDataCenters, call);
      for (const dataCenter of items) {
        if (dataCenter.metadata.deletionTimestamp === undefined) await sync(dataCenter);
      }
    } catch (error) {
      logger.error(`reconcile failed: ${(error as Error).message}`);
    }
    await new Promise<void>((resolve) => clock.setTimer(() => resolve(), POLL_MS));
  }
}

function ordinalOf({ metadata: { name } }: Stored<Pod>): number {
  return Number(name.slice(name.lastIndexOf("-") + 1));
}

function ignore(expected: (error: unknown) => boolean): (error: unknown) => void {
  return (error) => {
    if (!expected(error)) throw error;
  };
}

/** The bug, broken and repaired. */
export const bug: Bug = {
  upstream: "https://github.com/instaclustr/cassandra-operator/issues/410",
  finding: {
    oracle: "end state",
    says: ["pods default/dc-2: metadata.annotations should be absent and is ", "DECOMMISSIONED"],
    story: ["step 3 is taken back at [operator patch pods default/dc-2 #1]"],
  },
  simulate: (logic) =>
    simulation({
      name: "cassandra-operator 410",
      process: (env) => operator(env, logic),
      workload: [
        create(CassandraDataCenters, "dc", { spec: { nodes: 3 } }),
        settle(),
        patch(CassandraDataCenters, "dc", { spec: { nodes: 2 } }),
        settle(),
      ],
    }),
};

if (import.meta.main) await demonstrate(bug);
