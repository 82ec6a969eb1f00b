/**
 * Parts of client-go that kubeloop's own machinery does not use, for controllers that know them from Go: other queues
 * (`FIFO`, `KeyedHeap`), other stores (`ExpirationCache`, `MutationCache`, `UndeltaStore`), trackers,
 * `parallelizeUntil` and a backoff per key.
 *
 * No other part of kubeloop imports this module.
 *
 * @module
 */

export { AsyncTracker } from "./async_tracker.ts";
export { ExpirationCache, type ExpirationCacheOptions } from "./expiration_cache.ts";
export { FIFO } from "./fifo.ts";
export { KeyedBackoff, type KeyedBackoffOptions } from "./keyed_backoff.ts";
export { KeyedHeap, type KeyedHeapOptions } from "./keyed_heap.ts";
export { Lazy } from "./lazy.ts";
export { MutationCache, type MutationCacheOptions } from "./mutation_cache.ts";
export { type ParallelizeOptions, parallelizeUntil } from "../base/mod.ts";
export { UndeltaStore } from "./undelta_store.ts";
