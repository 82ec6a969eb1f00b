/**
 * A negative control: a report that does not hold, as it stands. The simulation must find nothing in `control`.
 *
 * The controller restarts three cluster managers with a new version, one after the other. It deletes a Pod only if all
 * three are ready in its cache, so that two of them, the quorum, always run. The report says that a cache that does not
 * show the last deletion yet makes it delete a second Pod. It does not: the same cache also picks the Pod to delete. If
 * it shows neither the deletion nor the new Pod, it picks the Pod that is deleted already. If it shows the deletion, or
 * a new Pod that is not ready, too few are ready.
 *
 * https://github.com/opensearch-project/opensearch-k8s-operator/issues/1471, and what became of it in
 * https://github.com/opensearch-project/opensearch-k8s-operator/pull/1494
 *
 * The simulation found two things that neither of them says. The first form of this port deleted Pods by their names
 * alone: an operator that is started again on a replica that lags behind goes through the whole restart once more, with
 * the events of the past, and deletes all three new Pods at once. A precondition with the UID prevents that, and is
 * part of the port now. And the argument above needs a user who does not change his mind: if the version is taken back
 * while the second Pod is being deleted, the old cache picks the first Pod, and two of three are down. That is `bug`. Its
 * repaired controller asks the server, and not its cache, how many are ready.
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
  isAlreadyExists,
  isNotFound,
  isStatusConditionTrue,
  type KubeObject,
  type Pod,
  Pods,
  type Resource,
  SharedInformerFactory,
} from "@kubeloop/controller";
import {
  act,
  patch,
  type ProcessEnv,
  settle,
  type Simulation,
  simulation,
  type Step,
} from "@kubeloop/testing/simulation";
import { type Bug, demonstrate } from "./_bug.ts";

interface Cluster extends KubeObject {
  spec: { version: string };
}

const Clusters: Resource<Cluster> = defineResource<Cluster>({
  group: "example.com",
  version: "v1",
  plural: "clusters",
  kind: "Cluster",
  namespaced: true,
});

const MANAGERS = 3;
const QUORUM = 2;

function isReady({ metadata, status }: Cached<Pod>): boolean {
  return metadata.deletionTimestamp === undefined &&
    isStatusConditionTrue(status?.conditions, "Ready");
}

/** Runs `reconcile` for each Cluster, and again whenever one of its Pods changes. */
function controllerOfPods(
  reconcile: (
    env: ProcessEnv<Quorum>,
    cluster: Cached<Cluster>,
    pods: readonly Cached<Pod>[],
  ) => Promise<unknown>,
) {
  return async (env: ProcessEnv<Quorum>) => {
    const informers = new SharedInformerFactory(env.client);
    const clusters = informers.informer(Clusters);
    const pods = informers.informer(Pods);
    const controller = new Controller({
      informer: clusters,
      waitFor: [pods],
      async reconcile(key) {
        const cluster = clusters.indexer.getByKey(key);
        if (cluster === undefined || cluster.metadata.deletionTimestamp !== undefined) return;
        const mine = pods.indexer.list()
          .filter((pod) => pod.metadata.ownerReferences?.[0]?.uid === cluster.metadata.uid)
          .sort((a, b) => a.metadata.name < b.metadata.name ? -1 : 1);
        await reconcile(env, cluster, mine);
      },
    });
    const wake = ({ metadata: { namespace, ownerReferences } }: Cached<Pod>) =>
      ownerReferences?.forEach(({ name }) => controller.enqueue(`${namespace}/${name}`));
    pods.addEventHandler({
      onAdd: wake,
      onUpdate: (_old, pod) => wake(pod),
      onDelete(last) {
        const pod = DeletedFinalStateUnknown.lastKnownState(last);
        if (pod !== undefined) wake(pod);
      },
    });
    await controller.run({ signal: env.signal });
  };
}

/** Returns the Pods that the quorum check counts. */
type Look = (client: Client, cached: readonly Cached<Pod>[]) => Promise<readonly Cached<Pod>[]>;

const broken: Look = async (_client, cached) => await cached;

const repaired: Look = async (client, cached) => {
  const namespace = cached[0]?.metadata.namespace;
  if (namespace === undefined) return [];
  const { items } = await client.list(Pods, { namespace });
  return items.filter(({ metadata }) => cached.some((pod) => pod.metadata.name === metadata.name));
};

/** The operator: deletes the next Pod that has the old version, if the quorum allows it. */
const operator = (look: Look) =>
  controllerOfPods(async ({ client }, { spec }, pods) => {
    if ((await look(client, pods)).filter(isReady).length - 1 < QUORUM) return;
    const next = pods.find((pod) => pod.spec?.containers[0]?.image !== spec.version);
    if (next === undefined) return;
    const { name, namespace, uid } = next.metadata;
    await client.delete(Pods, name, { namespace, preconditions: { uid } }).catch((error) => {
      if (!isNotFound(error)) throw error;
    });
  });

/** A StatefulSet whose update strategy is OnDelete: creates the Pods that are missing. */
const statefulSet = controllerOfPods(async ({ client }, cluster, pods) => {
  const { name, namespace } = cluster.metadata;
  for (let i = 0; i < MANAGERS; i++) {
    if (pods.some(({ metadata }) => metadata.name === `${name}-${i}`)) continue;
    await client.create(Pods, {
      metadata: { name: `${name}-${i}`, ownerReferences: [controllerReference(cluster, Clusters)] },
      spec: { containers: [{ name: "manager", image: cluster.spec.version }] },
    }, { namespace }).catch((error) => {
      if (!isAlreadyExists(error)) throw error;
    });
  }
});

/** Watches over the quorum, from the moment at which all managers run. */
class Quorum {
  #isComplete = false;

  check(pods: readonly Pod[]): true | string {
    const ready = pods.filter((pod) => isReady(pod as Cached<Pod>)).length;
    if (ready === MANAGERS) this.#isComplete = true;
    return !this.#isComplete || ready >= QUORUM || `only ${ready} of ${MANAGERS} managers run`;
  }
}

const upgrade = { spec: { version: "opensearch:3" } };

function simulate(look: Look, change: Step<Quorum>): Simulation<Quorum> {
  return simulation<Quorum>({
    name: "opensearch-k8s-operator#1471",
    process: { operator: operator(look), statefulset: statefulSet },
    world: { actors: { workloads: false }, cloud: () => new Quorum() },
    objects: [{
      resource: Clusters,
      object: { metadata: { name: "logs" }, spec: { version: "opensearch:2" } } as Cluster,
    }],
    workload: [settle(), change, settle()],
    always: [
      ({ server, cloud }) => cloud.check(server.objects(Pods)),
    ],
  });
}

/** The simulation of the report's scenario. No plan undoes a step of the kind `act`. */
export function control(): Simulation<Quorum> {
  const namespace = "default";
  const change = act<Quorum>(
    "upgrade to opensearch:3",
    ({ client }) => client.patch(Clusters, "logs", upgrade, { namespace }),
  );
  return simulate(broken, change);
}

/** A bug that the report does not mention. */
export const bug: Bug = {
  upstream: "https://github.com/opensearch-project/opensearch-k8s-operator/issues/1471",
  finding: {
    oracle: "invariant",
    says: ["only 1 of 3 managers run"],
    story: ["is taken back at [operator delete pods default/logs-1"],
  },
  simulate: (logic) =>
    simulate(logic === "broken" ? broken : repaired, patch(Clusters, "logs", upgrade)),
};

if (import.meta.main) {
  console.log(`=== control: ${await control().explore({ budget: { plans: 500, ms: 30_000 } })}`);
  await demonstrate(bug);
}
