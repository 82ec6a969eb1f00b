/**
 * Lag: what makes the server late. It keeps back the events of watches, answers reads at an old resource version, and
 * delays requests. It enters between the log of changes, the reads of the handlers, and their clients; without lag,
 * each of them passes at the price of one check.
 *
 * This folder imports `http`, `storage` and `values`.
 *
 * @module
 */

export type { CacheView } from "./cache_view.ts";
export { LagInjector } from "./lag_injector.ts";
export type {
  CoalesceOptions,
  FreezeOptions,
  HoldOptions,
  Lag,
  LagEvent,
  ShuffleOptions,
} from "./lag_types.ts";
export { LagReader } from "./lag_reader.ts";
export { Lags } from "./lags.ts";
export { type LagOptions, lagOptionsOf } from "./world_options.ts";
