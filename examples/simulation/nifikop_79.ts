/**
 * nifikop runs a Pod for each node of a NiFi cluster. Before it deletes the Pod of a node that is no longer wanted, it
 * moves the data of the node away. It does so only for nodes whose `actionState` in the status of the cluster says that
 * they have joined.
 *
 * The bug: the operator creates the Pod, then writes `configurationState`, and then `actionState`, with one write each,
 * and only if the Pod did not exist. If it is killed after the Pod was created and before the last write, it finds a Pod
 * after the restart and never writes the rest. From then on, the node cannot be removed.
 *
 * Provoked by a crash after the Pod was created, or by the loss of an answer, in any step.
 *
 * The repair: the two states are written together, and whenever they are missing, not only after the Pod was created. The
 * first repair did only that, and simulation found two more bugs in it. An operator that starts on a late replica of the
 * API server writes the state of a node that is gone, and nothing takes it away; so the states of such nodes are removed.
 * And then an operator whose cache of Pods is late takes away the state of a node whose Pod exists, which can never be
 * removed again; so a node that is not wanted is removed whatever its state says.
 *
 * @module
 */

import {
  type Cached,
  Controller,
  controllerOf,
  controllerReference,
  defineResource,
  DeletedFinalStateUnknown,
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

interface NodeState {
  configurationState?: "ConfigInSync";
  actionState?: "GracefulUpscaleSucceeded";
}

interface NifiCluster extends KubeObject {
  spec: { nodes: number[] };
  status?: { nodesState?: Record<string, NodeState> };
}

const NifiClusters: Resource<NifiCluster> = defineResource<NifiCluster>({
  group: "nifi.example.com",
  version: "v1",
  plural: "nificlusters",
  kind: "NifiCluster",
  namespaced: true,
});

type SetState = (node: string, state: NodeState | null) => Promise<void>;

/** Writes the state of wanted and of removed nodes, and decides when a node may be removed. */
interface Bookkeeping {
  isRemovable(state: NodeState | undefined): boolean;
  joined(node: string, state: NodeState, isNew: boolean, set: SetState): Promise<void>;
  gone(node: string, set: SetState): Promise<void>;
}

const broken: Bookkeeping = {
  async joined(node, _state, isNew, set) {
    if (!isNew) return;
    await set(node, { configurationState: "ConfigInSync" });
    await set(node, { actionState: "GracefulUpscaleSucceeded" });
  },
  isRemovable: (state) => state?.actionState === "GracefulUpscaleSucceeded",
  async gone() {},
};

const repaired: Bookkeeping = {
  async joined(node, { actionState, configurationState }, _isNew, set) {
    if (configurationState !== undefined && actionState !== undefined) return;
    await set(node, {
      configurationState: "ConfigInSync",
      actionState: "GracefulUpscaleSucceeded",
    });
  },
  isRemovable: () => true,
  gone: (node, set) => set(node, null),
};

async function operator({ client, logger, signal }: ProcessEnv, logic: Logic): Promise<void> {
  const { gone, isRemovable, joined } = logic === "broken" ? broken : repaired;
  const informers = new SharedInformerFactory(client, { logger });
  const clusters = informers.informer(NifiClusters);
  const pods = informers.informer(Pods);

  async function reconcile(key: string): Promise<void> {
    const cluster = clusters.indexer.getByKey(key);
    if (cluster === undefined || cluster.metadata.deletionTimestamp !== undefined) return;
    const { name, namespace, uid } = cluster.metadata;
    const states = cluster.status?.nodesState ?? {};
    const call = { namespace };
    const set: SetState = async (node, state) => {
      const status = { nodesState: { [node]: state } };
      await client.patchStatus(NifiClusters, name, { status }, call);
    };
    const wanted = cluster.spec.nodes.map(String);
    const existing = pods.indexer.list().filter((pod) => controllerOf(pod)?.uid === uid)
      .map((pod) => pod.metadata.labels?.node ?? "");
    for (const node of wanted) {
      const isNew = !existing.includes(node);
      if (isNew) {
        await client.create(Pods, podOf(cluster, node), call).catch((error) => {
          if (!isAlreadyExists(error)) throw error;
        });
      }
      await joined(node, states[node] ?? {}, isNew, set);
    }
    for (const node of existing) {
      if (wanted.includes(node) || !isRemovable(states[node])) continue;
      // Here, the real operator moves the data of the node away.
      await client.delete(Pods, `${name}-${node}`, call).catch((error) => {
        if (!isNotFound(error)) throw error;
      });
      await set(node, null);
    }
    for (const node of Object.keys(states)) {
      if (!wanted.includes(node) && !existing.includes(node)) await gone(node, set);
    }
  }

  const controller = new Controller({ informer: clusters, waitFor: [pods], logger, reconcile });
  const enqueueOwner = (pod: Cached<Pod> | undefined) => {
    const owner = pod === undefined ? undefined : controllerOf(pod, NifiClusters);
    if (owner !== undefined) controller.enqueue(`${pod?.metadata.namespace}/${owner.name}`);
  };
  pods.addEventHandler({
    onAdd: enqueueOwner,
    onDelete: (last) => enqueueOwner(DeletedFinalStateUnknown.lastKnownState(last)),
  });
  await controller.run({ signal });
}

function podOf(cluster: Cached<NifiCluster>, node: string): Pod {
  return {
    metadata: {
      name: `${cluster.metadata.name}-${node}`,
      labels: { node },
      ownerReferences: [controllerReference(cluster, NifiClusters)],
    },
    spec: { containers: [{ name: "nifi", image: "nifi:1.16.0" }] },
  };
}

/** The bug, broken and repaired. */
export const bug: Bug = {
  upstream: "https://github.com/konpyutaika/nifikop/issues/79",
  finding: {
    oracle: "end state",
    says: ["nificlusters", " status", " should be ", "actionState", " and is absent"],
    story: ["[operator create pods default/nifi-1 #1] is carried out, but its answer is lost"],
  },
  simulate: (logic) =>
    simulation({
      name: "nifikop 79",
      process: (env) => operator(env, logic),
      workload: [
        create(NifiClusters, "nifi", { spec: { nodes: [1, 2] } }),
        settle(),
        patch(NifiClusters, "nifi", { spec: { nodes: [1] } }),
        settle(),
      ],
    }),
};

if (import.meta.main) await demonstrate(bug);
