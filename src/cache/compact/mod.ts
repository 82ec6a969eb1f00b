/**
 * Compact caches: objects are kept as JSON bytes outside the JavaScript heap, and are parsed when they are read.
 *
 * Imports `store` and `reflector`. The folder `informer` chooses between a compact and a plain cache.
 *
 * @module
 */

export { CompactListerWatcher } from "./compact_lister_watcher.ts";
export { CompactStore, type Deliveries } from "./compact_store.ts";
export type { JsonPath } from "./json_path.ts";
export {
  type NotAtHand,
  type ObjectIdentity,
  ObjectRef,
  StaleReferenceError,
} from "./object_ref.ts";
export { ParsedIndexer } from "./parsed_indexer.ts";
export { pathFilterFunc, type PathIndexFunc, pathIndexFunc } from "./path_funcs.ts";
export { RefReader } from "./ref_reader.ts";
