/**
 * A controller that runs the Pods of a Redis failover, and waits until they are ready before it does anything else.
 *
 * When the user has asked for something that cannot run, such as a node that does not exist, the Pods never become
 * ready. The controller waits for them, also after the user has corrected the mistake: what would mend the Pods comes
 * after the waiting. So the correction is never applied.
 *
 * https://github.com/spotahome/redis-operator/issues/552
 *
 * What finds it: the mistake first, and the correction then. The workload marks the mistake as `bad`. Without the mark
 * it is found as well, since the same wish leads to something else without the mistake.
 *
 * @module
 */

import {
  type Cached,
  type Client,
  Controller,
  controllerReference,
  defineResource,
  DeletedFinalStateUnknown,
  isControlledBy,
  isNotFound,
  isStatusConditionTrue,
  type KubeObject,
  type Pod,
  Pods,
  type Resource,
  SharedInformerFactory,
} from "@kubeloop/controller";
import {
  bad,
  create,
  patch,
  type ProcessEnv,
  settle,
  simulation,
} from "@kubeloop/testing/simulation";
import { type Bug, demonstrate } from "./_bug.ts";

interface Failover extends KubeObject {
  spec: { image: string; node: string; replicas: number };
}

const Failovers: Resource<Failover> = defineResource<Failover>({
  group: "example.com",
  version: "v1",
  plural: "failovers",
  kind: "Failover",
  namespaced: true,
});

/** A step of a reconcile. Steps run in order; a step returns whether the next step may run. */
type Step = (
  client: Client,
  failover: Cached<Failover>,
  pods: readonly Cached<Pod>[],
) => Promise<boolean>;

const broken: readonly Step[] = [createMissing, waitUntilReady, replaceChanged];
const repaired: readonly Step[] = [createMissing, replaceChanged, waitUntilReady];

/** Creates the Pods that do not exist yet. */
async function createMissing(
  client: Client,
  failover: Cached<Failover>,
  pods: readonly Cached<Pod>[],
): Promise<boolean> {
  const { metadata: { name, namespace }, spec: { image, node, replicas } } = failover;
  for (let i = 0; i < replicas; i++) {
    const podName = `rfr-${name}-${i}`;
    if (pods.some(({ metadata }) => metadata.name === podName)) continue;
    await client.create(Pods, {
      metadata: { name: podName, ownerReferences: [controllerReference(failover, Failovers)] },
      spec: {
        containers: [{ name: "redis", image }],
        nodeSelector: { "kubernetes.io/hostname": node },
      },
    }, { namespace });
  }
  return true;
}

/** Reports whether all Pods are ready. */
async function waitUntilReady(
  _client: Client,
  { spec }: Cached<Failover>,
  pods: readonly Cached<Pod>[],
): Promise<boolean> {
  const isReady = ({ status }: Cached<Pod>) => isStatusConditionTrue(status?.conditions, "Ready");
  return await pods.filter(isReady).length >= spec.replicas;
}

/** Deletes a Pod that is not as wanted any more, one at a time. It is created again after that. */
async function replaceChanged(
  client: Client,
  { spec: { image, node } }: Cached<Failover>,
  pods: readonly Cached<Pod>[],
): Promise<boolean> {
  const changed = pods.find(({ metadata, spec }) =>
    metadata.deletionTimestamp === undefined &&
    (spec?.containers[0]?.image !== image ||
      spec.nodeSelector?.["kubernetes.io/hostname"] !== node)
  );
  if (changed === undefined) return true;
  const { name, namespace, uid } = changed.metadata;
  await client.delete(Pods, name, { namespace, preconditions: { uid } }).catch((error) => {
    if (!isNotFound(error)) throw error;
  });
  return false;
}

function operator(steps: readonly Step[]) {
  return async ({ client, signal }: ProcessEnv) => {
    const informers = new SharedInformerFactory(client);
    const failovers = informers.informer(Failovers);
    const pods = informers.informer(Pods);
    const controller = new Controller({
      informer: failovers,
      waitFor: [pods],
      async reconcile(key) {
        const failover = failovers.indexer.getByKey(key);
        if (failover === undefined || failover.metadata.deletionTimestamp !== undefined) {
          return undefined;
        }
        const mine = pods.indexer.list().filter((pod) => isControlledBy(pod, failover));
        for (const step of steps) {
          if (!await step(client, failover, mine)) return { requeueAfterMs: 30_000 };
        }
        return undefined;
      },
    });
    const wake = ({ metadata: { namespace, ownerReferences } }: Cached<Pod>) => {
      for (const { name } of ownerReferences ?? []) controller.enqueue(`${namespace}/${name}`);
    };
    pods.addEventHandler({
      onUpdate: (_old, pod) => wake(pod),
      onDelete(last) {
        const pod = DeletedFinalStateUnknown.lastKnownState(last);
        if (pod !== undefined) wake(pod);
      },
    });
    await controller.run({ signal });
  };
}

/** The bug. */
export const bug: Bug = {
  upstream: "https://github.com/spotahome/redis-operator/issues/552",
  finding: {
    oracle: "end state",
    says: ['kubernetes.io/hostname should be "west" and is "esat"'],
  },
  simulate: (logic) =>
    simulation({
      name: "spotahome/redis-operator#552",
      process: operator(logic === "broken" ? broken : repaired),
      world: { actors: { nodes: ["east", "west"], workloads: false } },
      workload: [
        create(Failovers, "shop", { spec: { replicas: 2, image: "redis:7", node: "east" } }),
        settle(),
        bad(patch(Failovers, "shop", { spec: { node: "esat" } })),
        patch(Failovers, "shop", { spec: { node: "west" } }),
        settle(),
      ],
    }),
};

if (import.meta.main) await demonstrate(bug);
