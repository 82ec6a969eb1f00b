/**
 * The Reflector: lists, then watches, and writes what it learns to a `ReflectorStore`. Its backoff, its watchdogs and the state
 * it reports live here, as does the `ListerWatcher` interface that it reads from.
 *
 * Imports `store` for keys. It does not know the DeltaFIFO: whatever implements `ReflectorStore` may receive its writes.
 *
 * @module
 */

export { isBatched } from "./is_batched.ts";

export { Reflector } from "./reflector.ts";
export type {
  ObservedReflector,
  ReflectorBackoff,
  ReflectorOptions,
  ReflectorTuning,
  WatchErrorHandler,
} from "./reflector_options.ts";
export type { ReflectorCounters, ReflectorPhase, ReflectorSnapshot } from "./reflector_snapshot.ts";
export type { ReflectorStore } from "./reflector_store.ts";
export { resourceVersionMetric } from "./resource_version_metric.ts";
