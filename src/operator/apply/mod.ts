/**
 * Applies desired objects: compares them with the cache first, so that nothing is sent that changes nothing, and deletes
 * what is no longer desired.
 *
 * Enters: desired objects, cached ones, a client. Leaves: server-side applies and deletions, and what is known of them.
 *
 * @module
 */

export { AppliedMemory, type AppliedMemoryOptions } from "./applied_memory.ts";
export { type ApplyCallOptions, ApplyPass, type ApplyPassOptions } from "./apply_pass.ts";
export { requireFieldManager } from "./apply_pass.ts";
export {
  describeDiff,
  type FieldChange,
  fieldChanges,
  logDryRun,
  withoutServerMetadata,
} from "./describe_diff.ts";
export type { ApplyOwner } from "./desired_object.ts";
export { extractOwned } from "./extract_owned.ts";
export { hasValues, isApplied } from "./is_applied.ts";
export {
  type Applier,
  at,
  type FieldTree,
  isStripped,
  isWhole,
  managedFieldsOf,
} from "./managed_fields.ts";
export { NotOwnedError } from "./not_owned_error.ts";
export { plainJson } from "./plain_json.ts";
