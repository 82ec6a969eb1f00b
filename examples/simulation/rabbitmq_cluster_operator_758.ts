/**
 * The RabbitMQ cluster operator does not take nodes away from a cluster, since messages would be lost. When fewer nodes
 * are wanted than there are, it leaves the StatefulSet unchanged.
 *
 * The bug: what is wanted is compared with what there is. When a user wants three nodes instead of one, and then two, the
 * outcome should be three. But if the operator is slow and never sees that three were wanted, it is two. So the same wish
 * has two outcomes, and which one it is depends on what was seen on the way.
 *
 * Provoked by any plan in which the three are not seen: two updates that become one, a watch that is late, a workload that
 * does not wait; and, first of all, by a user who wants two at once.
 *
 * The repair: upstream, only the log says more now. Here, nodes are taken away, and what they hold is moved before. So
 * the outcome depends on nothing but the newest wish. (To refuse the change when the user makes it, in the schema, would
 * be as good.)
 *
 * @module
 */

import {
  type Client,
  type ConfigMap,
  ConfigMaps,
  controllerReference,
  defaultControllerRateLimiter,
  defineResource,
  deletionHandlingMetaNamespaceKeyFunc,
  isAlreadyExists,
  isNotFound,
  type KubeObject,
  RateLimitingQueue,
  type Resource,
  SharedInformerFactory,
  waitForCacheSync,
} from "@kubeloop/controller";
import { create, patch, type ProcessEnv, settle, simulation } from "@kubeloop/testing/simulation";
import { type Bug, demonstrate, type Logic } from "./_bug.ts";

interface RabbitmqCluster extends KubeObject {
  spec: { replicas: number };
}

const RabbitmqClusters: Resource<RabbitmqCluster> = defineResource<RabbitmqCluster>({
  group: "rabbitmq.example.com",
  version: "v1beta1",
  plural: "rabbitmqclusters",
  kind: "RabbitmqCluster",
  namespaced: true,
});

/** Returns the number of nodes that the StatefulSet is to have. */
type NextReplicas = (current: number, wanted: number) => number;

/** Nodes are not taken away, since that is not supported. */
const broken: NextReplicas = (current, wanted) => Math.max(current, wanted);

/** Here, the real operator would move away what the surplus nodes hold. */
const repaired: NextReplicas = (_current, wanted) => wanted;

async function operator(
  { client, clock, logger, signal }: ProcessEnv,
  logic: Logic,
): Promise<void> {
  const nextReplicas = logic === "broken" ? broken : repaired;
  const clusters = new SharedInformerFactory(client, { logger }).informer(RabbitmqClusters);
  const queue = new RateLimitingQueue<string>(defaultControllerRateLimiter({ clock }), { clock });
  clusters.addEventHandler({
    onAdd: (cluster) => queue.add(deletionHandlingMetaNamespaceKeyFunc(cluster)),
    onUpdate: (_old, cluster) => queue.add(deletionHandlingMetaNamespaceKeyFunc(cluster)),
    onDelete: (cluster) => queue.add(deletionHandlingMetaNamespaceKeyFunc(cluster)),
  });
  const informing = clusters.run({ signal });
  await waitForCacheSync({ signal, clock }, clusters);
  signal.addEventListener("abort", () => queue.shutDown(), { once: true });

  async function reconcile(key: string): Promise<void> {
    const cluster = clusters.indexer.getByKey(key);
    if (cluster === undefined || cluster.metadata.deletionTimestamp !== undefined) return;
    const { name, namespace } = cluster.metadata;
    const call = { namespace };
    const current = await statefulSet(client, `${name}-server`, call);
    const replicas = nextReplicas(Number(current?.data?.replicas ?? 0), cluster.spec.replicas);
    const data = { replicas: String(replicas) };
    if (current === undefined) {
      const ownerReferences = [controllerReference(cluster, RabbitmqClusters)];
      const metadata = { name: `${name}-server`, ownerReferences };
      await client.create(ConfigMaps, { metadata, data }, call).catch((error) => {
        if (!isAlreadyExists(error)) throw error;
      });
    } else if (current.data?.replicas !== data.replicas) {
      await client.patch(ConfigMaps, `${name}-server`, { data }, call);
    }
  }

  for (;;) {
    const { item: key, shutdown } = await queue.get();
    if (shutdown) break;
    try {
      await reconcile(key);
      queue.forget(key);
    } catch (error) {
      logger.error(`${key}: ${(error as Error).message}`);
      queue.addRateLimited(key);
    } finally {
      queue.done(key);
    }
  }
  await informing;
}

async function statefulSet(
  client: Client,
  name: string,
  call: { namespace?: string | undefined },
): Promise<ConfigMap | undefined> {
  try {
    return await client.get(ConfigMaps, name, call);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** The bug, broken and repaired. */
export const bug: Bug = {
  upstream: "https://github.com/rabbitmq/cluster-operator/issues/758",
  finding: {
    oracle: "end state",
    says: [
      'configmaps default/rabbit-server: data.replicas is "3" after the steps of the workload',
      'is "2" if the objects are created as they are wanted in the end',
    ],
    story: ["the objects are created as they are wanted in the end"],
  },
  simulate: (logic) =>
    simulation({
      name: "rabbitmq cluster-operator 758",
      process: (env) => operator(env, logic),
      workload: [
        create(RabbitmqClusters, "rabbit", { spec: { replicas: 1 } }),
        settle(),
        patch(RabbitmqClusters, "rabbit", { spec: { replicas: 3 } }),
        settle(),
        patch(RabbitmqClusters, "rabbit", { spec: { replicas: 2 } }),
        settle(),
      ],
    }),
};

if (import.meta.main) await demonstrate(bug);
