import type { Environment } from "../base/mod.ts";
import type {
  HandlerRegistration,
  Named,
  ResourceEventHandler,
  SyncableCache,
} from "../cache/mod.ts";

/** What a {@linkcode Controller} needs of an informer whose cache it reads. A `SharedInformer` fits. */
export interface SyncedInformer extends SyncableCache {
  /**
   * Uses the informer together with others: starts it unless it has been started, and keeps it running until the signal
   * aborts.
   *
   * @param call Its `signal` ends the use.
   * @throws {Error} When the informer stops although the signal has not aborted: its cache is not updated any more.
   */
  runShared(call: { readonly signal: AbortSignal }): Promise<void>;
  /** Clock, randomness, logger and metrics, for a controller that is not given its own. */
  readonly environment?: Environment | undefined;
}

/** What a {@linkcode Controller} needs of the informer whose objects it reconciles. A `SharedInformer` fits. */
export interface ControllerInformer extends SyncedInformer {
  /**
   * Adds a handler, which is first notified of everything that is in the cache.
   *
   * @param handler The handler.
   * @returns The registration, to remove the handler again.
   */
  addEventHandler(handler: ResourceEventHandler<Named>): HandlerRegistration;
  /**
   * Removes a handler.
   *
   * @param registration The registration.
   */
  removeEventHandler(registration: HandlerRegistration): void;
}
