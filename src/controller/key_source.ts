import type { CacheEnvironment } from "../base/mod.ts";
import type { SyncableCache } from "../cache/mod.ts";

/** The part of an informer that a {@linkcode Controller} uses to read its cache. A `SharedInformer` fits. */
export interface SyncedInformer extends SyncableCache {
  /**
   * Uses the informer together with other users: starts it unless it has been started, and keeps it running until the
   * signal aborts.
   *
   * @param call A `signal` that ends the use.
   * @throws {Error} When the informer stops before the signal aborts: its cache is no longer updated.
   */
  runShared(call: { readonly signal: AbortSignal }): Promise<void>;
  /** The clock, random source, logger and metrics for controllers that have none of their own. */
  readonly environment?: CacheEnvironment | undefined;
}

/** The source of the keys that a {@linkcode Controller} reconciles. A `SharedInformer` is one. */
export interface KeySource extends SyncedInformer {
  /**
   * Adds a handler, which is called with the key of each changed object, and first with the keys of all cached objects.
   *
   * @param handler The handler.
   * @returns The registration, with which the handler can be removed.
   */
  addChangeHandler(handler: (change: { readonly key: string }) => void): unknown;
  /**
   * Removes a handler.
   *
   * @param registration The result of `addChangeHandler`.
   */
  removeEventHandler(registration: unknown): void;
}
