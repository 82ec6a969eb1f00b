/**
 * Collects the status and the conditions that a reconcile wants, and writes them once.
 *
 * Enters: fields and conditions, the cached object, a client. Leaves: a server-side apply to the subresource `status`.
 *
 * @module
 */

export { StatusDraft, type StatusDraftOptions } from "./status_draft.ts";
export type { SetStatus, StatusConditions, StatusFields, StatusOf } from "./status_types.ts";
