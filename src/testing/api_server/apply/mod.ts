/**
 * Field ownership: managed fields and the merge of server-side apply.
 *
 * Imports `schema` and `values`.
 *
 * @module
 */

export { ConfigurationError, mergeConfiguration, showErrors } from "./merge_configuration.ts";
export { LAST_APPLIED, lastAppliedSet, lastAppliedText } from "./last_applied.ts";
export {
  capUpdaters,
  isReset,
  type Owner,
  parseOwners,
  readOwners,
  writeOwners,
} from "./managers.ts";
export { showPath } from "./path_element.ts";
export { withOwnersOf, withOwnersOfScale } from "./scale_owners.ts";
export { checkTyped } from "./typed_check.ts";
export { type ApplyConflict, TrackingError, Updater, type VersionViews } from "./updater.ts";
