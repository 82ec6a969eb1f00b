/**
 * Collects the status and the conditions of a reconcile, and writes them once, with a server-side apply to the subresource
 * `status`.
 *
 * @module
 */

export { storedConditions } from "./next_status.ts";
export { StatusDraft, type StatusDraftOptions } from "./status_draft.ts";
export type { SetStatus, StatusConditions, StatusFields, StatusOf } from "./status_types.ts";
