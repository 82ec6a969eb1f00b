/**
 * Functions that do what the commands of kubectl do, such as apply, drain, scale and copy. Each takes a client.
 *
 * @module
 */

export {
  applyAll,
  type ApplyAllOptions,
  ApplyError,
  type ApplyProgress,
  type ApplyResult,
  type ApplySetParent,
  deleteAll,
  type DeleteAllOptions,
  type DeleteResult,
  diffAll,
  type DiffAllOptions,
  type DiffResult,
  type FieldDifference,
  type ManifestObject,
  type Manifests,
} from "./apply/mod.ts";
export {
  type AccessOptions,
  type AccessQuestion,
  canI,
  type ClientIdentity,
  whoAmI,
} from "./access.ts";
export { copyFrom, copyTo } from "./copy.ts";
export type { ContainerPath, CopyOptions, CopyProgress, CopyResult } from "./copy_options.ts";
export { cordon, type CordonOptions, type NodeTarget, uncordon } from "./cordon.ts";
export { drain, type DrainOptions, type DrainProgress } from "./drain.ts";
export { evict } from "./evict.ts";
export type { EvictOptions } from "./evict_options.ts";
export { type RequestedToken, requestToken, type RequestTokenOptions } from "./request_token.ts";
export { rolloutHistory, type RolloutRevision } from "./rollout_history.ts";
export { type RolloutProgress, rolloutStatus } from "./rollout_status.ts";
export {
  type RolloutOptions,
  rolloutRestart,
  rolloutUndo,
  type RolloutUndoOptions,
} from "./rollout_undo.ts";
export { type Scale, scale, type ScaleOptions } from "./scale.ts";
export type { NamedTarget, ObjectTarget } from "./target.ts";
export {
  type NodeUsage,
  type PodUsage,
  topNodes,
  type TopOptions,
  topPods,
  type TopPodsOptions,
  type Usage,
} from "./top.ts";
