/**
 * Applies desired objects: compares them with the cache first, so that nothing is sent that changes nothing, and deletes
 * what is no longer desired.
 *
 * Enters: desired objects, cached ones, a client. Leaves: server-side applies and deletions, and what is known of them.
 *
 * @module
 */

export { type ApplyCallOptions, ApplyPass, type ApplyPassOptions } from "./apply_pass.ts";
export { logDryRun, requireFieldManager } from "./apply_pass.ts";
export type { ApplyOwner } from "./desired_object.ts";
export { NotOwnedError } from "./not_owned_error.ts";
