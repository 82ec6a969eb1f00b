/**
 * Objects by key: key functions, tombstones, the `Store` and `Indexer` interfaces, their implementation in memory, and
 * listers that read them. Everything here is synchronous.
 *
 * Imports `base` and `types`. The other folders of `cache` build on this one.
 *
 * @module
 */

export { deepFreeze } from "./deep_freeze.ts";
export { DeletedFinalStateUnknown } from "./deleted_final_state_unknown.ts";
export {
  GenericLister,
  type GenericListerOptions,
  type GenericNamespaceLister,
} from "./generic_lister.ts";
export {
  indexFuncToKeyFuncAdapter,
  metaNamespaceIndexFunc,
  NAMESPACE_INDEX,
} from "./index_funcs.ts";
export { IndexedStore } from "./indexed_store.ts";
export type { Indexer, Indexers, IndexFunc, ReadonlyIndexer } from "./indexer.ts";
export { computeKey, deletionKey, describeObject, KeyError } from "./key_error.ts";
export {
  deletionHandlingMetaNamespaceKeyFunc,
  ExplicitKey,
  joinMetaNamespaceKey,
  type KeyFunc,
  metaNamespaceKeyFunc,
  type Named,
  type NamespacedName,
  splitMetaNamespaceKey,
} from "./keys.ts";
export {
  listAll,
  listAllByNamespace,
  type ListAllByNamespaceOptions,
  type ListSelector,
  type SelectingIndexer,
} from "./list_all.ts";
export { newIndexer, newStore } from "./new_store.ts";
export { resourceVersionOf } from "./resource_version.ts";
export type { KeyListerGetter, ReadonlyStore, Store } from "./store.ts";
