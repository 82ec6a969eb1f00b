/**
 * Informers: a Reflector that fills a DeltaFIFO, and a loop that pops the queue, updates the Indexer and notifies the
 * handlers. Only this loop writes to the Indexer of an informer.
 *
 * Imports all other folders of `cache`. None of them imports this one.
 *
 * @module
 */

export {
  FilteringResourceEventHandler,
  type FilteringResourceEventHandlerOptions,
} from "./filtering_resource_event_handler.ts";
export type { HandlerRegistration, HandlerSnapshot } from "./handler_registration.ts";
export { Informer, type InformerConfig, type InformerSnapshot } from "./informer.ts";
export { newInformer, type NewInformerOptions } from "./new_informer.ts";
export { processDeltas } from "./process_deltas.ts";
export type { ResourceEventHandler } from "./resource_event_handler.ts";
export { SharedInformer } from "./shared_informer.ts";
export {
  SharedInformerFactory,
  type SharedInformerFactoryOptions,
} from "./shared_informer_factory.ts";
export type { ChangeObserver, Notification } from "./notification.ts";
export type { ChangeHandler, ObjectChange, ObjectIdentity } from "./object_change.ts";
export type {
  EventHandlerOptions,
  SharedInformerOptions,
  SharedInformerSnapshot,
} from "./shared_informer_options.ts";
export { SingleFileTracker } from "./single_file_tracker.ts";
export { transformStripManagedFields } from "./transform_strip_managed_fields.ts";
export {
  type SyncableCache,
  waitForCacheSync,
  type WaitForCacheSyncOptions,
} from "./wait_for_cache_sync.ts";
