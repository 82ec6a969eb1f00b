/**
 * The fields of objects: their paths, their managers, and the differences between two versions of an object.
 *
 * - **Managed fields**: {@linkcode managedFieldsOf} and {@linkcode managerEntries} read them, {@linkcode extractOwned} returns the
 *   owned part of an object, {@linkcode fieldPaths} writes them as text, {@linkcode writersOf} names who has written a change.
 * - **"Is the desired state stored already?"**: {@linkcode isApplied}, {@linkcode hasValues}, and {@linkcode AppliedMemory}.
 * - **Differences**: {@linkcode Differ} finds them; {@linkcode describeDiff}, {@linkcode changedFields} and
 *   {@linkcode mergePatch} present them.
 *
 * @module
 */

export { AppliedMemory, type AppliedMemoryOptions } from "./applied_memory.ts";
export { changedFields, compareVersions, type Comparison, pathTexts } from "./changed_fields.ts";
export { describeDiff, type FieldChange, fieldChanges, LAST_APPLIED } from "./describe_diff.ts";
export { Differ, type ItemPair, pairByIndex, type PairedItems } from "./differ.ts";
export { extractOwned } from "./extract_owned.ts";
export { type ElementPath, fieldPaths, groupedPaths, isBelow, valueAt } from "./field_path.ts";
export { hasValues, isApplied } from "./is_applied.ts";
export {
  type Applier,
  at,
  type FieldTree,
  isStripped,
  isWhole,
  type ManagedFields,
  managedFieldsOf,
  managerEntries,
  type ManagerEntry,
  managerName,
} from "./managed_fields.ts";
export { maskedValue, mayHoldCredentials } from "./masked_values.ts";
export { clientFields, mergePatch } from "./merge_patch.ts";
export { plainJson } from "./plain_json.ts";
export { type SentPaths, sentPaths } from "./sent_paths.ts";
export { SERVER_METADATA, withoutMetadata } from "./server_metadata.ts";
export { writersOf } from "./writers.ts";
