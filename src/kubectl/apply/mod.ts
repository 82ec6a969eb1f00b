/**
 * Applies, compares and deletes any number of objects of any kinds, in the order of their dependencies, and prunes former
 * members of apply sets.
 *
 * @module
 */

export { applyAll, type ApplyAllOptions } from "./apply_all.ts";
export type { ApplyProgress } from "./apply_run.ts";
export type { ApplySetParent } from "./apply_set.ts";
export { deleteAll, type DeleteAllOptions, type DeleteResult } from "./delete_all.ts";
export { diffAll, type DiffAllOptions, type DiffResult, type FieldDifference } from "./diff_all.ts";
export type { ManifestObject, Manifests } from "./manifests.ts";
export { ApplyError, type ApplyResult } from "./results.ts";
