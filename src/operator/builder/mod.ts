/**
 * The declaration and the execution of the controllers of a manager.
 *
 * A {@linkcode ControllerBuilder} collects a declaration. A {@linkcode ManagedController} turns changes of caches into keys
 * with causes, holds keys until the caches show their own writes, and calls `reconcile` with a
 * {@linkcode Reconciliation}. It builds on the `Controller` of the library.
 *
 * @module
 */

export type { Change } from "./change.ts";
export {
  ControllerBuilder,
  type ControllerHandle,
  type ManagedSnapshot,
} from "./controller_builder.ts";
export {
  requireNamespaces,
  requireResource,
  requireScope,
  SCOPE_CHECKS,
} from "./declaration_checks.ts";
export type { CacheReader } from "./cache_reader.ts";
export { KindCache } from "./kind_cache.ts";
export { type KeyLike, keyOf, type Mapped } from "./mapped_keys.ts";
export { type ControllerHost, ManagedController } from "./managed_controller.ts";
export type { EveryOptions } from "./periodic_keys.ts";
export {
  type CacheScope,
  type ControllerBuilderOptions,
  type ControllerPlan,
  type FinalizerSteps,
  type OwnsOptions,
  type PassResult,
  type ReconcileObject,
  type ReferencesOptions,
  type WatchesOptions,
  writesStatus,
} from "./plan.ts";
export type { Referenced } from "./reference_names.ts";
export type { ReferencesSnapshot } from "./referenced_kind.ts";
export {
  allOf,
  annotationsChanged,
  anyChange,
  anyOf,
  changed,
  generationChanged,
  labelsChanged,
  not,
  type Predicate,
} from "./predicates.ts";
export { RecentVersions } from "./recent_versions.ts";
export { type EventDetails, Reconciliation } from "./reconciliation.ts";
