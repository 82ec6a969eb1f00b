/**
 * The RabbitMQ cluster operator makes the volumes of a cluster larger when its user wants so. The size of volumes is fixed
 * in a StatefulSet. So the operator deletes the StatefulSet, without its Pods, makes the volumes larger, and creates the
 * StatefulSet again.
 *
 * The bug: it does so whenever the two sizes differ. An operator that starts anew and reads from an API server whose cache
 * is behind learns of the size before the last change, and deletes the StatefulSet of a cluster that is as it should be.
 * It does not read the StatefulSet from a cache, so a precondition with its UID would not help.
 *
 * Provoked by a restart on a replica of the API server that stands at a version with the smaller size. The end state is
 * right, since the StatefulSet is created again. The rule that is broken is the one for deletes on stale knowledge.
 *
 * The repair follows the report's proposal: volumes only grow, so a smaller size is ignored.
 *
 * @module
 */

import {
  type Cached,
  type Client,
  ConfigMaps,
  Controller,
  controllerReference,
  defineResource,
  isAlreadyExists,
  isNotFound,
  type KubeObject,
  type ReconcileResult,
  type Resource,
  SharedInformerFactory,
} from "@kubeloop/controller";
import { create, patch, type ProcessEnv, settle, simulation } from "@kubeloop/testing/simulation";
import { type Bug, demonstrate, type Logic } from "./_bug.ts";

interface RabbitmqCluster extends KubeObject {
  spec: { storageGi: number };
}

interface StatefulSet extends KubeObject {
  spec: { storageGi: number };
}

const RabbitmqClusters: Resource<RabbitmqCluster> = defineResource<RabbitmqCluster>({
  group: "rabbitmq.example.com",
  version: "v1beta1",
  plural: "rabbitmqclusters",
  kind: "RabbitmqCluster",
  namespaced: true,
});

/** Like the StatefulSets of Kubernetes: the size of the volumes cannot be changed. */
const StatefulSets: Resource<StatefulSet> = defineResource<StatefulSet>({
  group: "apps.example.com",
  version: "v1",
  plural: "statefulsets",
  kind: "StatefulSet",
  namespaced: true,
});

/** Decides whether the StatefulSet must make way for one with another size. */
type NeedsResize = (currentGi: number, wantedGi: number) => boolean;

const broken: NeedsResize = (currentGi, wantedGi) => currentGi !== wantedGi;

const repaired: NeedsResize = (currentGi, wantedGi) => currentGi < wantedGi;

async function operator({ client, logger, signal }: ProcessEnv, logic: Logic): Promise<void> {
  const needsResize = logic === "broken" ? broken : repaired;
  const informers = new SharedInformerFactory(client, { logger });
  const clusters = informers.informer(RabbitmqClusters);
  const controller = new Controller({
    informer: clusters,
    logger,
    async reconcile(key): Promise<ReconcileResult> {
      const cluster = clusters.indexer.getByKey(key);
      if (cluster === undefined || cluster.metadata.deletionTimestamp !== undefined) return {};
      const { name, namespace } = cluster.metadata;
      const call = { namespace };
      const { storageGi } = cluster.spec;
      const current = await getOrUndefined(client, `${name}-server`, call);
      if (current?.metadata.deletionTimestamp !== undefined) return { requeueAfterMs: 1000 };
      if (current !== undefined && needsResize(current.spec.storageGi, storageGi)) {
        await client.delete(StatefulSets, `${name}-server`, {
          ...call,
          propagationPolicy: "Orphan",
        }).catch(ignore(isNotFound));
        return { requeueAfterMs: 1000 };
      }
      await ensureVolume(client, cluster);
      await client.create(StatefulSets, {
        metadata: {
          name: `${name}-server`,
          ownerReferences: [controllerReference(cluster, RabbitmqClusters)],
        },
        spec: { storageGi },
      }, call).catch(ignore(isAlreadyExists));
      return {};
    },
  });
  await controller.run({ signal });
}

async function ensureVolume(client: Client, cluster: Cached<RabbitmqCluster>): Promise<void> {
  const { name, namespace } = cluster.metadata;
  const data = { storage: `${cluster.spec.storageGi}Gi` };
  const metadata = {
    name: `persistence-${name}-server-0`,
    ownerReferences: [controllerReference(cluster, RabbitmqClusters)],
  };
  try {
    await client.create(ConfigMaps, { metadata, data }, { namespace });
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    const volume = await client.get(ConfigMaps, metadata.name, { namespace });
    // The API server refuses to make a volume smaller.
    if (parseInt(volume.data?.storage ?? "0") >= cluster.spec.storageGi) return;
    await client.patch(ConfigMaps, metadata.name, { data }, { namespace });
  }
}

async function getOrUndefined(
  client: Client,
  name: string,
  call: { namespace?: string | undefined },
): Promise<StatefulSet | undefined> {
  try {
    return await client.get(StatefulSets, name, call);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

function ignore(expected: (error: unknown) => boolean): (error: unknown) => void {
  return (error) => {
    if (!expected(error)) throw error;
  };
}

/** The bug, broken and repaired. */
export const bug: Bug = {
  upstream: "https://github.com/rabbitmq/cluster-operator/issues/653",
  finding: {
    oracle: "stale delete",
    says: [
      "deletes statefulsets",
      " because of rabbitmqclusters",
      '"storageGi":10',
      '"storageGi":15',
    ],
    story: ["started again on a replica that stands at"],
  },
  simulate: (logic) =>
    simulation({
      name: "rabbitmq cluster-operator 653",
      process: (env) => operator(env, logic),
      resources: [StatefulSets],
      workload: [
        create(RabbitmqClusters, "rabbit", { spec: { storageGi: 10 } }),
        settle(),
        patch(RabbitmqClusters, "rabbit", { spec: { storageGi: 15 } }),
        settle(),
      ],
    }),
};

if (import.meta.main) await demonstrate(bug);
