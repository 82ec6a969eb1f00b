/**
 * The operator toolkit: what controller-runtime adds to client-go.
 *
 * Start with {@linkcode Manager}: it runs controllers, which are declared with a {@linkcode ControllerBuilder} and get a
 * {@linkcode Reconciliation}. {@linkcode ApplyPass}, {@linkcode StatusDraft}, {@linkcode StoryBook} and
 * {@linkcode ensureFinalizer} also work without a manager.
 *
 * The entry points `./crd`, `./election`, `./events`, `./metrics`, `./rights` and `./webhooks` hold the parts that know
 * nothing of a manager. This one exports them too.
 *
 * @module
 */

export {
  AppliedMemory,
  type AppliedMemoryOptions,
  changedFields,
  describeDiff,
} from "../fields/mod.ts";
export {
  type ApplyCallOptions,
  type ApplyOwner,
  ApplyPass,
  type ApplyPassOptions,
  NotOwnedError,
  type SkippedApply,
} from "./apply/mod.ts";
export {
  allOf,
  annotationsChanged,
  anyChange,
  anyOf,
  type CacheReader,
  type CacheScope,
  type Change,
  changed,
  ControllerBuilder,
  type ControllerBuilderOptions,
  type ControllerHandle,
  type EventDetails,
  type EveryOptions,
  type FinalizerSteps,
  generationChanged,
  type KeyLike,
  labelsChanged,
  type ManagedSnapshot,
  type Mapped,
  not,
  type OwnsOptions,
  type PassResult,
  type Predicate,
  type ReconcileObject,
  Reconciliation,
  type Referenced,
  type ReferencesOptions,
  type ReferencesSnapshot,
  type WatchesOptions,
} from "./builder/mod.ts";
export { ensureFinalizer, type FinalizerOptions, removeFinalizer } from "./finalizer/mod.ts";
export {
  type Check,
  type Checks,
  Manager,
  type ManagerOptions,
  type ManagerRbacOptions,
  type ManagerSeeOptions,
  type NamespaceSelection,
  type Part,
} from "./manager/mod.ts";
export {
  type SetStatus,
  type StatusConditions,
  StatusDraft,
  type StatusDraftOptions,
  type StatusFields,
  type StatusOf,
} from "./status/mod.ts";
export {
  type Cause,
  type CauseEvent,
  type CauseKind,
  causeText,
  debugReconciles,
  type DeepReadonly,
  describeFlip,
  type Flip,
  flipOf,
  type KubeObject,
  type ManagedFieldsEntry,
  type ObjectMeta,
  type OwnerReference,
  PendingCauses,
  type SentFields,
  type SentRequest,
  type SkippedWrite,
  type SpanAttributesLike,
  type SpanLike,
  storiesText,
  type Story,
  StoryBook,
  type StoryBookOptions,
  type StoryBookSnapshot,
  type StoryEnd,
  type StoryQuery,
  type StoryRecorder,
  type StoryRequest,
  type StoryResult,
  type StoryStart,
  type StoryWaits,
  type TakenCauses,
  type TracedReconcile,
  traceReconcile,
  type TracerLike,
} from "./stories/mod.ts";
export type { SeePage } from "../see/mod.ts";
export * from "../crd/mod.ts";
export * from "../election/mod.ts";
export * from "../events/mod.ts";
export * from "../metrics/mod.ts";
export * from "../rights/mod.ts";
export * from "../webhooks/mod.ts";
