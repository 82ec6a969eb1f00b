/**
 * The cache half of a controller: key functions, stores and indexers, the DeltaFIFO, reflectors and informers that keep a
 * local copy of what the API server has, and listers to read it.
 *
 * @module
 */

export * from "./async_tracker.ts";
export * from "./deep_freeze.ts";
export * from "./delta.ts";
export * from "./delta_fifo.ts";
export * from "./deleted_final_state_unknown.ts";
export * from "./expiration_cache.ts";
export * from "./fifo.ts";
export * from "./fifo_closed_error.ts";
export * from "./filtering_resource_event_handler.ts";
export * from "./generic_lister.ts";
export * from "./handler_registration.ts";
export * from "./index_funcs.ts";
export * from "./indexed_store.ts";
export * from "./indexer.ts";
export * from "./informer.ts";
export type { JsonPath } from "./_json_path.ts";
export { KeyError } from "./key_error.ts";
export * from "./keyed_heap.ts";
export * from "./keys.ts";
export * from "./lazy.ts";
export * from "./list_all.ts";
export * from "./lister_watcher.ts";
export * from "./mutation_cache.ts";
export * from "./new_informer.ts";
export * from "./new_store.ts";
export { type ObjectIdentity, ObjectRef, StaleReferenceError } from "./object_ref.ts";
export { pathFilterFunc, type PathIndexFunc, pathIndexFunc } from "./path_funcs.ts";
export * from "./process_deltas.ts";
export * from "./reflector.ts";
export * from "./reflector_options.ts";
export * from "./reflector_snapshot.ts";
export * from "./reflector_store.ts";
export * from "./resource_event_handler.ts";
export * from "./shared_informer.ts";
export * from "./shared_informer_factory.ts";
export * from "./shared_informer_options.ts";
export * from "./single_file_tracker.ts";
export * from "./store.ts";
export * from "./transform_strip_managed_fields.ts";
export * from "./undelta_store.ts";
export * from "./wait_for_cache_sync.ts";
