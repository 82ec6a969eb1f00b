/**
 * The operator of ZooKeeper runs a Pod with a volume for each member of an ensemble. When there are fewer members than
 * before, it deletes the Pods that are too many, and their volumes with them.
 *
 * The bug: an operator that starts anew reads from an API server whose cache is behind. It learns that one member is
 * wanted, which was so for a while, before the user wanted three again. So it deletes two running members and their
 * data. The objects show no trace of it: when the cache has caught up, they are created again, with empty volumes.
 *
 * Provoked by a restart on a replica of the API server that stands at the version with one member. The rule that is
 * broken is the one for deletes on stale knowledge, since the end state is right. In cloud-on-k8s#5274, the same happens
 * to the StatefulSets of Elasticsearch.
 *
 * The repair: before it deletes anything, the operator asks the server itself how many members are wanted. A read without
 * a resource version is never stale. There is still a moment between that read and the delete, in which a user may want
 * something else; no operator can rule that out. Simulation found one more bug in the first version of this controller,
 * which looked for Pods alone: the volume of a member whose Pod was not created in time stayed for ever.
 *
 * @module
 */

import {
  type Cached,
  type Client,
  type ConfigMap,
  ConfigMaps,
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
  type SharedInformer,
  SharedInformerFactory,
} from "@kubeloop/controller";
import { create, patch, type ProcessEnv, settle, simulation } from "@kubeloop/testing/simulation";
import { type Bug, demonstrate } from "./_bug.ts";

interface ZookeeperCluster extends KubeObject {
  spec: { replicas: number };
  status?: { replicas?: number };
}

const ZookeeperClusters: Resource<ZookeeperCluster> = defineResource<ZookeeperCluster>({
  group: "zookeeper.example.com",
  version: "v1beta1",
  plural: "zookeeperclusters",
  kind: "ZookeeperCluster",
  namespaced: true,
});

/** Returns the number of members that may be relied on before any of them is deleted. */
type WantedMembers = (client: Client, cached: Cached<ZookeeperCluster>) => Promise<number>;

const broken: WantedMembers = (_client, cached) => Promise.resolve(cached.spec.replicas);

const repaired: WantedMembers = async (client, { metadata, spec }) => {
  const { namespace, name, uid } = metadata;
  const now = await client.get(ZookeeperClusters, name, { namespace });
  return now.metadata.uid === uid ? now.spec.replicas : spec.replicas;
};

class ZookeeperController {
  readonly #client: Client;
  readonly #clusters: SharedInformer<ZookeeperCluster>;
  readonly #pods: SharedInformer<Pod>;
  readonly #volumes: SharedInformer<ConfigMap>;
  readonly #controller: Controller;
  readonly #wantedMembers: WantedMembers;

  constructor({ client, logger }: ProcessEnv, wantedMembers: WantedMembers) {
    this.#client = client;
    this.#wantedMembers = wantedMembers;
    const informers = new SharedInformerFactory(client, { logger });
    this.#clusters = informers.informer(ZookeeperClusters);
    this.#pods = informers.informer(Pods);
    this.#volumes = informers.informer(ConfigMaps);
    this.#controller = new Controller({
      informer: this.#clusters,
      waitFor: [this.#pods, this.#volumes],
      logger,
      reconcile: (key) => this.#reconcile(key),
    });
    const enqueueOwner = (owned: Cached<KubeObject> | undefined) => {
      const owner = owned === undefined ? undefined : controllerOf(owned, ZookeeperClusters);
      if (owner === undefined) return;
      this.#controller.enqueue(`${owned?.metadata.namespace}/${owner.name}`);
    };
    for (const informer of [this.#pods, this.#volumes]) {
      informer.addEventHandler({
        onAdd: enqueueOwner,
        onUpdate: (_old, owned) => enqueueOwner(owned),
        onDelete: (last) => enqueueOwner(DeletedFinalStateUnknown.lastKnownState(last)),
      });
    }
  }

  run(signal: AbortSignal): Promise<void> {
    return this.#controller.run({ signal, workers: 2 });
  }

  async #reconcile(key: string): Promise<void> {
    const cluster = this.#clusters.indexer.getByKey(key);
    if (cluster === undefined || cluster.metadata.deletionTimestamp !== undefined) return;
    const { name, namespace, uid } = cluster.metadata;
    const call = { namespace };
    const isOwned = (object: Cached<KubeObject>) => controllerOf(object)?.uid === uid;
    const members = new Set(this.#pods.indexer.list().filter(isOwned).map(ordinalOf));
    const volumes = new Set(this.#volumes.indexer.list().filter(isOwned).map(ordinalOf));
    const owned = { ownerReferences: [controllerReference(cluster, ZookeeperClusters)] };
    for (let i = 0; i < cluster.spec.replicas; i++) {
      if (!volumes.has(i)) {
        const volume = { metadata: { ...owned, name: `data-${name}-${i}` } };
        await this.#client.create(ConfigMaps, volume, call).catch(ignore(isAlreadyExists));
      }
      if (!members.has(i)) {
        const spec = { containers: [{ name: "zookeeper", image: "zookeeper:3.8" }] };
        await this.#client.create(
          Pods,
          { metadata: { ...owned, name: `${name}-${i}` }, spec },
          call,
        )
          .catch(ignore(isAlreadyExists));
      }
    }
    const surplus = [...members, ...volumes].filter((i) => i >= cluster.spec.replicas);
    const wanted = surplus.length > 0 ? await this.#wantedMembers(this.#client, cluster) : 0;
    for (const i of surplus) {
      if (i < wanted) continue;
      await this.#client.delete(Pods, `${name}-${i}`, call).catch(ignore(isNotFound));
      await this.#client.delete(ConfigMaps, `data-${name}-${i}`, call).catch(ignore(isNotFound));
    }
    if (cluster.status?.replicas !== members.size) {
      const status = { replicas: members.size };
      await this.#client.patchStatus(ZookeeperClusters, name, { status }, call);
    }
  }
}

function ordinalOf({ metadata: { name } }: Cached<KubeObject>): number {
  return Number(name.slice(name.lastIndexOf("-") + 1));
}

function ignore(expected: (error: unknown) => boolean): (error: unknown) => void {
  return (error) => {
    if (!expected(error)) throw error;
  };
}

/** The bug, broken and repaired. */
export const bug: Bug = {
  upstream: "https://github.com/pravega/zookeeper-operator/issues/314",
  finding: {
    oracle: "stale delete",
    says: [
      "deletes pods default/zk-",
      " by its name, because of zookeeperclusters",
      '"replicas":1',
      '"replicas":3',
    ],
    story: ["started again on a replica that stands at"],
  },
  simulate: (logic) =>
    simulation({
      name: "zookeeper-operator 314",
      process: (env) =>
        new ZookeeperController(env, logic === "broken" ? broken : repaired).run(env.signal),
      workload: [
        create(ZookeeperClusters, "zk", { spec: { replicas: 3 } }),
        settle(),
        patch(ZookeeperClusters, "zk", { spec: { replicas: 1 } }),
        settle(),
        patch(ZookeeperClusters, "zk", { spec: { replicas: 3 } }),
        settle(),
      ],
    }),
};

if (import.meta.main) await demonstrate(bug);
