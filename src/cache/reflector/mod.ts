/** TODO room. @module */

export { isBatched } from "./is_batched.ts";
export type {
  BatchedWatch,
  ListerWatcher,
  ListerWatcherCall,
  ListerWatcherOptions,
  ListerWatcherSource,
} from "./lister_watcher.ts";
export { Reflector } from "./reflector.ts";
export type {
  CacheEnvironment,
  ObservedReflector,
  ReflectorBackoff,
  ReflectorOptions,
  ReflectorTuning,
  WatchErrorHandler,
} from "./reflector_options.ts";
export type { ReflectorCounters, ReflectorPhase, ReflectorSnapshot } from "./reflector_snapshot.ts";
export type { ReflectorStore } from "./reflector_store.ts";
export { resourceVersionMetric } from "./resource_version_metric.ts";
