/**
 * What kubectl does, as functions.
 *
 * Each takes a client. They are small, and nothing else of the library needs them.
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
