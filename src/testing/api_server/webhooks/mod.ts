/**
 * Webhooks that the server calls: admission webhooks before it stores an object, and conversion webhooks between the
 * versions of a custom resource; and the policies that are evaluated before webhooks. Attributes of a request or stored objects enter; admitted or converted objects leave.
 *
 * Imports `access`, `cel`, `kinds`, `patch`, `schema`, `storage` and `values`.
 *
 * @module
 */

export type { AdmissionAttributes, Operation } from "./admission_request.ts";
export { AdmissionWebhooks } from "./admission_webhooks.ts";
export { NAMES_UNREADABLE, ObjectConverter, type UnreadableObject } from "./object_converter.ts";
export { WebhookCaller, type WebhookConnection, type WebhookHandler } from "./webhook_caller.ts";
