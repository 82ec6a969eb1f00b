/**
 * A controller that counts the Pods of a batch that have succeeded, each once.
 *
 * To count a Pod even if it is deleted soon after, the controller gives it a finalizer. It writes the UID of a Pod that
 * has succeeded into `status.uncounted`, then takes the finalizer away, and then moves the UID from there to the count.
 * The count is wrong if the cache shows the Batch after these steps, and the Pod before them: the Pod still has its
 * finalizer, so the controller counts it once more.
 *
 * https://github.com/kubernetes/kubernetes/issues/105200
 *
 * What finds it: any plan that delays the events of Pods a little more than those of Batches. It takes so little that
 * it may happen without any fault, when both come at the same moment.
 *
 * Upstream, the controller remembers in memory the Pods whose finalizer it has taken away. The simulation found that
 * this does not help a process that was restarted on a replica of the API server that lags behind. So the repaired
 * controller reads each Pod from the server before it counts the Pod.
 *
 * @module
 */

import {
  type Cached,
  type Client,
  Controller,
  controllerOf,
  controllerReference,
  defineResource,
  isNotFound,
  joinMetaNamespaceKey,
  type KubeObject,
  type Pod,
  Pods,
  type Resource,
  SharedInformerFactory,
} from "@kubeloop/controller";
import {
  create,
  patchStatus,
  type ProcessEnv,
  settle,
  simulation,
} from "@kubeloop/testing/simulation";
import { type Bug, demonstrate } from "./_bug.ts";

interface Batch extends KubeObject {
  spec: { completions: number };
  status?: { succeeded?: number; uncounted?: string[] };
}

const Batches: Resource<Batch> = defineResource<Batch>({
  group: "example.com",
  version: "v1",
  plural: "batches",
  kind: "Batch",
  namespaced: true,
});

const FINALIZER = "example.com/counted";

type Count = (client: Client, pods: readonly Cached<Pod>[]) => Promise<readonly Cached<Pod>[]>;

/** Returns the Pods to count: Pods in the cache that have succeeded and still have their finalizer. */
async function broken(_client: Client, pods: readonly Cached<Pod>[]): Promise<Cached<Pod>[]> {
  return await pods.filter(isUncounted);
}

/** As above, but the server has the last word. */
async function repaired(client: Client, pods: readonly Cached<Pod>[]): Promise<Cached<Pod>[]> {
  const uncounted: Cached<Pod>[] = [];
  for (const { metadata: { name, namespace, uid } } of pods.filter(isUncounted)) {
    const pod = await client.get(Pods, name, { namespace });
    if (pod.metadata.uid === uid && isUncounted(pod)) uncounted.push(pod);
  }
  return uncounted;
}

function isUncounted({ metadata, status }: Cached<Pod>): boolean {
  return status?.phase === "Succeeded" && (metadata.finalizers?.includes(FINALIZER) ?? false);
}

function operator(podsToCount: Count) {
  return async ({ client, signal }: ProcessEnv) => {
    const informers = new SharedInformerFactory(client);
    const batches = informers.informer(Batches);
    const pods = informers.informer(Pods);

    const release = async ({ metadata: { name, namespace, uid } }: Cached<Pod>) => {
      const patch = { metadata: { uid, "$deleteFromPrimitiveList/finalizers": [FINALIZER] } };
      try {
        await client.patch(Pods, name, patch, { namespace, type: "strategic" });
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    };

    const reconcile = async (key: string) => {
      const batch = batches.indexer.getByKey(key);
      const ofKey = pods.indexer.list().filter(({ metadata }) => keyOfBatch(metadata) === key);
      const isMine = (pod: Cached<Pod>) => controllerOf(pod, Batches)?.uid === batch?.metadata.uid;
      for (const pod of ofKey) {
        if (!isMine(pod) && pod.metadata.finalizers?.includes(FINALIZER)) await release(pod);
      }
      if (batch === undefined || batch.metadata.deletionTimestamp !== undefined) return;
      const mine = ofKey.filter(isMine);
      const call = { namespace: batch.metadata.namespace };
      for (let i = 0; i < batch.spec.completions; i++) {
        const name = `${batch.metadata.name}-${i}`;
        if (mine.some(({ metadata }) => metadata.name === name)) continue;
        await client.create(Pods, {
          metadata: {
            name,
            finalizers: [FINALIZER],
            ownerReferences: [controllerReference(batch, Batches)],
          },
          spec: { containers: [{ name: "main", image: "work" }], restartPolicy: "Never" },
        }, call);
      }
      const done = await podsToCount(client, mine);
      const { succeeded = 0, uncounted = [] } = batch.status ?? {};
      const uids = [...new Set([...uncounted, ...done.map(({ metadata }) => metadata.uid)])];
      if (uids.length === 0) return;
      const promised = { ...batch, status: { succeeded, uncounted: uids } };
      const { metadata } = await client.updateStatus(Batches, promised, call);
      for (const pod of done) await release(pod);
      const counted = { succeeded: succeeded + uids.length, uncounted: [] };
      await client.updateStatus(Batches, { ...batch, metadata, status: counted }, call);
    };

    const controller = new Controller({ informer: batches, waitFor: [pods], reconcile });
    const wake = ({ metadata }: Cached<Pod>) => {
      const key = keyOfBatch(metadata);
      if (key !== undefined) controller.enqueue(key);
    };
    pods.addEventHandler({ onAdd: wake, onUpdate: (_old, pod) => wake(pod) });
    await controller.run({ signal });
  };
}

function keyOfBatch({ namespace, ownerReferences }: Cached<Pod>["metadata"]): string | undefined {
  const owner = ownerReferences?.find(({ kind }) => kind === Batches.kind);
  return owner && joinMetaNamespaceKey(namespace, owner.name);
}

/** The bug. */
export const bug: Bug = {
  upstream: "https://github.com/kubernetes/kubernetes/issues/105200",
  finding: {
    oracle: "invariant",
    says: ["Batch sums has counted 2 of 1 Pods"],
  },
  simulate: (logic) =>
    simulation({
      name: "kubernetes#105200",
      process: operator(logic === "broken" ? broken : repaired),
      workload: [
        create(Batches, "sums", { spec: { completions: 1 } }),
        settle(),
        patchStatus(Pods, "sums-0", { phase: "Succeeded" }),
        settle(),
      ],
      always: [({ server }) => {
        const wrong = server.objects(Batches)
          .find(({ spec, status }) => (status?.succeeded ?? 0) > spec.completions);
        return wrong === undefined ||
          `Batch ${wrong.metadata.name} has counted ${wrong.status?.succeeded} of ${wrong.spec.completions} Pods`;
      }],
    }),
};

if (import.meta.main) await demonstrate(bug);
