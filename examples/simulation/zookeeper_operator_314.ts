/**
 * The operator of ZooKeeper runs a Pod with a volume for each member of an ensemble. When there are fewer members than
 * before, it deletes the Pods that are too many, and their volumes with them.
 *
 * The bug: an operator that starts anew reads from an API server whose cache is behind. It learns that one member is
 * wanted, which was so for a while, before the user wanted three again. So it deletes two running members and their
 * data. Nobody notices from the objects: when the cache has caught up, they are created again, with empty volumes.
 *
 * Provoked by a restart on a replica of the API server that stands at the version with one member. The rule that is
 * broken is the one for deletes on stale knowledge, since the end state is right. In cloud-on-k8s#5274, the same happens
 * to the StatefulSets of Elasticsearch.
 *
 * The repair: before it deletes anything, the operator asks the server itself how many members are wanted. A read without
 * a resource version is never stale. There is still a moment between that read and the delete, in which a user may want
 * something else; no operator can rule that out.
 *
 * @module
 */

import {
  type Cached,
  type Client,
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
import { type Bug, demonstrate, type Logic } from "./_bug.ts";

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
  readonly #controller: Controller;
  readonly #wantedMembers: WantedMembers;

  constructor({ client, logger }: ProcessEnv, wantedMembers: WantedMembers) {
    this.#client = client;
    this.#wantedMembers = wantedMembers;
    const informers = new SharedInformerFactory(client, { logger });
    this.#clusters = informers.informer(ZookeeperClusters);
    this.#pods = informers.informer(Pods);
    this.#controller = new Controller({
      informer: this.#clusters,
      waitFor: [this.#pods],
      logger,
      reconcile: (key) => this.#reconcile(key),
    });
    const enqueueOwner = (pod: Cached<Pod> | undefined) => {
      const owner = pod === undefined ? undefined : controllerOf(pod, ZookeeperClusters);
      if (owner !== undefined) this.#controller.enqueue(`${pod?.metadata.namespace}/${owner.name}`);
    };
    this.#pods.addEventHandler({
      onAdd: enqueueOwner,
      onUpdate: (_old, pod) => enqueueOwner(pod),
      onDelete: (last) => enqueueOwner(DeletedFinalStateUnknown.lastKnownState(last)),
    });
  }

  run(signal: AbortSignal): Promise<void> {
    return this.#controller.run({ signal, workers: 2 });
  }

  async #reconcile(key: string): Promise<void> {
    const cluster = this.#clusters.indexer.getByKey(key);
    if (cluster === undefined || cluster.metadata.deletionTimestamp !== undefined) return;
    const { name, namespace, uid } = cluster.metadata;
    const call = { namespace };
    const members = this.#pods.indexer.list().filter((pod) => controllerOf(pod)?.uid === uid);
    for (let i = 0; i < cluster.spec.replicas; i++) {
      const member = `${name}-${i}`;
      if (members.some(({ metadata }) => metadata.name === member)) continue;
      const metadata = { ownerReferences: [controllerReference(cluster, ZookeeperClusters)] };
      await this.#client.create(ConfigMaps, { metadata: { ...metadata, name: `data-${member}` } }, {
        ...call,
      }).catch(ignore(isAlreadyExists));
      await this.#client.create(Pods, {
        metadata: { ...metadata, name: member },
        spec: { containers: [{ name: "zookeeper", image: "zookeeper:3.8" }] },
      }, call).catch(ignore(isAlreadyExists));
    }
    const surplus = members.filter(({ metadata }) =>
      ordinalOf(metadata.name) >= cluster.spec.replicas
    );
    if (surplus.length > 0) {
      const wanted = await this.#wantedMembers(this.#client, cluster);
      for (const { metadata } of surplus) {
        if (ordinalOf(metadata.name) < wanted) continue;
        await this.#client.delete(Pods, metadata.name, call).catch(ignore(isNotFound));
        await this.#client.delete(ConfigMaps, `data-${metadata.name}`, call)
          .catch(ignore(isNotFound));
      }
    }
    if (cluster.status?.replicas !== members.length) {
      const status = { replicas: members.length };
      await this.#client.patchStatus(ZookeeperClusters, name, { status }, call);
    }
  }
}

function ordinalOf(name: string): number {
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
    says:
      /deletes pods default\/zk-\d by its name, because of zookeeperclusters.*"replicas":1.*"replicas":3/,
    story: /started again on a replica that stands at/,
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
