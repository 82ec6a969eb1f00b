/**
 * Storage: the stored objects, their resource versions, and the log of events that watches read; also the order and the
 * random sources of requests.
 *
 * This folder imports `values`.
 *
 * @module
 */

export { decodeContinue, encodeContinue } from "./continue_token.ts";
export { Draws } from "./draws.ts";
export type { LiveEntry, LogEntry, RequestAuthor } from "./event_log.ts";
export { ResourceStore, type StoreObserver } from "./resource_store.ts";
export { FUTURE_REVISION_WAIT_MS, Storage } from "./storage.ts";
export { objectKey, StoredObject } from "./stored_object.ts";
export { type Lane, Turns } from "./turns.ts";
export { type OpenWatch, type WatchProgress, WatchRegistry } from "./watch_registry.ts";
export { WatchStream } from "./watch_stream.ts";
