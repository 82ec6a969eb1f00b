import { IndexedStore } from "./indexed_store.ts";
import type { Indexer, Indexers } from "./indexer.ts";
import type { KeyFunc } from "./keys.ts";
import type { Store } from "./store.ts";

/**
 * Creates an empty {@linkcode Store} that computes the keys of its objects with `keyFunc`.
 *
 * @typeParam T The type of the objects.
 *
 * @example
 * ```ts
 * import { metaNamespaceKeyFunc, newStore } from "@kubeloop/controller/cache";
 * import type { Pod } from "@kubeloop/controller/types";
 * import { assertEquals } from "@std/assert";
 *
 * const store = newStore<Pod>(metaNamespaceKeyFunc);
 * store.add({ metadata: { namespace: "default", name: "a", resourceVersion: "7" } });
 * assertEquals(store.getByKey("default/a")?.metadata.name, "a");
 * assertEquals(store.getByKey("default/b"), undefined);
 * assertEquals(store.lastStoreSyncResourceVersion(), "7");
 * ```
 */
export function newStore<T>(keyFunc: KeyFunc<T>): Store<T> {
  return new IndexedStore(keyFunc);
}

/**
 * Creates an empty {@linkcode Indexer} that computes the keys of its objects with `keyFunc`.
 *
 * @typeParam T The type of the objects.
 *
 * @example Pods by node
 * ```ts
 * import { metaNamespaceKeyFunc, newIndexer } from "@kubeloop/controller/cache";
 * import type { Pod } from "@kubeloop/controller/types";
 * import { assertEquals } from "@std/assert";
 *
 * const pods = newIndexer<Pod>(metaNamespaceKeyFunc, {
 *   node: (pod) => pod.spec?.nodeName ? [pod.spec.nodeName] : [],
 * });
 * pods.add({ metadata: { namespace: "x", name: "a" }, spec: { nodeName: "n1", containers: [] } });
 * pods.add({ metadata: { namespace: "x", name: "b" } });
 * assertEquals(pods.indexKeys("node", "n1"), ["x/a"]);
 * ```
 */
export function newIndexer<T>(keyFunc: KeyFunc<T>, indexers: Indexers<T> = {}): Indexer<T> {
  return new IndexedStore(keyFunc, indexers);
}
