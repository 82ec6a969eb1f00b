/**
 * kubeloop's informer, with Pods in the cache.
 *
 * @module
 */

import {
  Client,
  Controller,
  type KubeObject,
  metadataOf,
  type Pod,
  Pods,
  type Resource,
  SharedInformer,
} from "@kubeloop/controller";
import {
  type SharedInformerOptions,
  transformStripManagedFields,
} from "@kubeloop/controller/cache";
import type { KeySource } from "@kubeloop/controller/controller";
import type {
  Handlers,
  InformerClient,
  PodView,
  RunningInformer,
  Scope,
} from "./informer_client.ts";

/** Returns a client with plain informers, as in the README. */
export function plain(): InformerClient<Pod> {
  return informerOf(Pods);
}

/** Returns a client whose informers strip managed fields, as many controllers do. */
export function stripped(): InformerClient<Pod> {
  return informerOf(Pods, { transform: transformStripManagedFields });
}

/** Returns a client whose informers request only metadata. */
export function metadataOnly(): InformerClient<KubeObject> {
  return informerOf(metadataOf(Pods));
}

function informerOf<T extends KubeObject>(
  resource: Resource<T>,
  options: Pick<SharedInformerOptions<T>, "transform"> = {},
): InformerClient<T> {
  return {
    start({ server, namespace }: Scope, handlers: Handlers<T>): RunningInformer {
      const source = clientOf(server).listerWatcher(resource, { namespace });
      const informer = new SharedInformer<T>(source, { resource, ...options });
      informer.addEventHandler({
        onAdd: (object) => handlers.add(object as T),
        onUpdate: (_, object) => handlers.update(object as T),
      });
      return runInformer(informer, handlers);
    },
    nameOf: ({ metadata }) => metadata.name ?? "",
    podOf: (object) => object,
  };
}

const clients = new Map<string, Client>();

/** Returns the client of a server, which all informers of a program share. */
export function clientOf(server: string): Client {
  const client = clients.get(server) ?? new Client({ server });
  clients.set(server, client);
  return client;
}

/** An informer of any cache type. */
type AnyInformer = KeySource & {
  run(call: { readonly signal: AbortSignal }): Promise<void>;
  readonly indexer: { readonly size: number; getByKey(key: string): PodView | undefined };
};

/** Runs an informer, with a controller if `handlers` has `reconcile`. */
export function runInformer(
  informer: AnyInformer,
  { reconcile }: Pick<Handlers<never>, "reconcile">,
): RunningInformer {
  const { signal } = new AbortController();
  if (reconcile === undefined) {
    informer.run({ signal });
  } else {
    new Controller({
      informer,
      reconcile: (key) => {
        const pod = informer.indexer.getByKey(key);
        if (pod !== undefined) reconcile(pod);
      },
    }).run({ signal });
  }
  return { size: () => informer.indexer.size };
}
