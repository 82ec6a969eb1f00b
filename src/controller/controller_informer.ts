import type { HandlerRegistration, ResourceEventHandler, SyncableCache } from "../cache/mod.ts";
import type { KubeObject } from "../types/mod.ts";

/** What a {@linkcode Controller} needs of an informer whose cache it only reads. */
export interface SyncedInformer extends SyncableCache {
  /** Whether it has been run, by whomever. */
  readonly hasStarted: boolean;
  /**
   * Fills the cache and keeps it up to date.
   *
   * @param call Its `signal` is the way to stop.
   * @returns Resolves when it has stopped.
   */
  run(call: { readonly signal: AbortSignal }): Promise<void>;
}

/**
 * What a {@linkcode Controller} needs of the informer whose objects it reconciles. A `SharedInformer` fits.
 *
 * @typeParam T The interface of the objects.
 */
export interface ControllerInformer<T extends KubeObject = KubeObject> extends SyncedInformer {
  /**
   * Adds a handler, which is first told of everything that is in the cache.
   *
   * @param handler The handler.
   * @returns What stands for it.
   */
  addEventHandler(handler: ResourceEventHandler<T>): HandlerRegistration;
  /**
   * Takes a handler off again.
   *
   * @param registration What stands for it.
   */
  removeEventHandler(registration: HandlerRegistration): void;
}
