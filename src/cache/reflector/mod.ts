/**
 * The Reflector: lists, then watches, and writes the objects to a `ReflectorStore`. Its retry rules, its watchdogs and
 * the state that it reports are here. The `ListerWatcher` interface that it reads from is in `types`.
 *
 * Imports `store` for keys. It does not depend on the DeltaFIFO: anything that implements `ReflectorStore` can receive
 * its writes.
 *
 * @module
 */

export { Reflector } from "./reflector.ts";
export {
  defaultReflectorBackoff,
  type ReflectorBackoff,
  type ReflectorBackoffOptions,
} from "./reflector_backoff.ts";
export {
  type ObservedReflector,
  REFLECTOR_CHECKS,
  type ReflectorOptions,
  type ReflectorTuning,
  TUNING_CHECKS,
  type WatchErrorHandler,
} from "./reflector_options.ts";
export type { ReflectorStore } from "./reflector_store.ts";
export {
  type ReflectorCounters,
  type ReflectorPhase,
  type ReflectorSnapshot,
  resourceVersionMetric,
} from "./reflector_status.ts";
