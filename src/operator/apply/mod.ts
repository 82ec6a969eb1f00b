/**
 * Applies the desired objects of a reconcile with server-side apply, unless the cached objects are already as desired, and
 * deletes the objects that are no longer desired.
 *
 * @module
 */

export {
  type ApplyCallOptions,
  ApplyPass,
  type ApplyPassOptions,
  type SkippedApply,
} from "./apply_pass.ts";
export { logDryRun, requireFieldManager } from "./apply_pass.ts";
export type { ApplyOwner } from "./desired_object.ts";
export { NotOwnedError } from "./not_owned_error.ts";
