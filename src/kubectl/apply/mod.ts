/**
 * Applying any number of objects of any kinds: in order, as a set whose former members are pruned, or only compared.
 *
 * In come manifests and a client, out come server-side applies and what happened to each object.
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
