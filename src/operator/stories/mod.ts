/**
 * Answers "Why did it reconcile?": the causes of each reconcile, its requests, and its result, in bounded memory. Stories are
 * available as data, as text, and as spans of OpenTelemetry.
 *
 * @module
 */

export {
  type Cause,
  type CauseEvent,
  type CauseKind,
  type ComparedVersions,
  HeldCause,
  type RecentVersion,
} from "./cause.ts";
export { debugReconciles } from "./debug_reconciles.ts";
export { describeFlip, type Flip, flipOf } from "./flip.ts";
export { KeyCauses, NO_CAUSES, PendingCauses, type TakenCauses } from "./pending_causes.ts";
export type { KeyTrouble } from "./key_trouble.ts";
export type {
  SentFields,
  SkippedWrite,
  Story,
  StoryRequest,
  StoryResult,
  StoryWaits,
} from "./story.ts";
export {
  StoryBook,
  type StoryBookOptions,
  type StoryBookSnapshot,
  type StoryKey,
  type StoryQuery,
} from "./story_book.ts";
export type { SentRequest, StoryEnd, StoryRecorder, StoryStart } from "./story_recorder.ts";
export { causeText, storiesText } from "./story_text.ts";
export {
  type SpanAttributesLike,
  type SpanLike,
  type TracedReconcile,
  traceReconcile,
  type TracerLike,
} from "./trace_reconcile.ts";
export type {
  DeepReadonly,
  KubeObject,
  ManagedFieldsEntry,
  ObjectMeta,
  OwnerReference,
} from "../../types/mod.ts";
