/**
 * The frame of the controllers in this folder that campaigns find the bugs of: an object owns objects of the same name.
 *
 * @module
 */

import {
  type Cached,
  type Client,
  Controller,
  controllerReference,
  type KubeObject,
  type ReconcileResult,
  type Resource,
  SharedInformerFactory,
} from "@kubeloop/controller";
import type { Process, ProcessEnv } from "@kubeloop/testing/simulation";

/** The parts that a reconcile works with. */
export interface Scene<T extends KubeObject, C> {
  readonly client: Client;
  readonly cloud: C;
  /** The object whose wishes are to be fulfilled. */
  readonly owner: Cached<T>;
  /** The metadata of an object that the owner has. */
  readonly metadata: KubeObject["metadata"] & { name: string };
  /** The namespace of both, for calls of the client. */
  readonly call: { readonly namespace: string };
  /** Returns the object of the same name that the cache shows. */
  find<K extends KubeObject>(resource: Resource<K>): Cached<K> | undefined;
}

/** Returns a controller that is called when an object, or an object of the same name that it owns, has changed. */
export function ownerController<T extends KubeObject, C = undefined>(
  owners: Resource<T>,
  owned: readonly Resource[],
  reconcile: (scene: Scene<T, C>) => Promise<ReconcileResult | void>,
): Process<C> {
  return async ({ client, cloud, signal }: ProcessEnv<C>) => {
    const informers = new SharedInformerFactory(client);
    const wanted = informers.informer(owners);
    const has = new Map(owned.map((resource) => [resource, informers.informer(resource)]));
    const controller = new Controller({
      informer: wanted,
      waitFor: [...has.values()],
      async reconcile(key) {
        const owner = wanted.indexer.getByKey(key);
        if (owner === undefined || owner.metadata.deletionTimestamp !== undefined) return {};
        const { name, namespace = "" } = owner.metadata;
        const ownerReferences = [controllerReference(owner as Cached<KubeObject>, owners)];
        const scene: Scene<T, C> = {
          client,
          cloud,
          owner,
          metadata: { name, ownerReferences },
          call: { namespace },
          find: (resource) => has.get(resource as Resource)?.indexer.getByKey(key) as never,
        };
        return await reconcile(scene) ?? {};
      },
    });
    for (const informer of has.values()) {
      const enqueue = ({ metadata: { name, namespace } }: Cached<KubeObject>) =>
        controller.enqueue(`${namespace}/${name}`);
      informer.addEventHandler({
        onAdd: enqueue,
        onUpdate: (_, object) => enqueue(object),
        onDelete: () => wanted.indexer.listKeys().forEach((key) => controller.enqueue(key)),
      });
    }
    await controller.run({ signal });
  };
}
