/** The state of one handler of an informer. */
export interface HandlerSnapshot {
  /** The name of the informer and the number of the handler, as in `pods handler 1`. */
  readonly name: string;
  /** The number of notifications that wait for the handler. The notification in progress does not count. */
  readonly pending: number;
  /** The number of finished notifications, including failed ones. */
  readonly delivered: number;
  /** The number of notifications on which the handler threw or rejected. */
  readonly errors: number;
  /** Whether the handler has handled the initial objects. */
  readonly hasSynced: boolean;
  /** The resync period of the handler, in milliseconds; 0 for no resyncs. */
  readonly resyncPeriodMs: number;
}

/** The registration of a handler with a SharedInformer. A handler that is added twice has two registrations. */
export interface HandlerRegistration {
  /** The name of the informer and the number of the handler, as in `pods handler 1`. */
  readonly name: string;
  /**
   * Reports whether the handler has synced: the informer has synced, and the handler has handled all objects that were
   * in the initial list, or in the cache when it was added. A notification on which the handler threw counts as
   * handled; in client-go, a handler that panics never syncs.
   *
   * @returns True from the sync on.
   */
  hasSynced(): boolean;
  /**
   * Waits until {@linkcode HandlerRegistration.hasSynced} is true.
   *
   * @param call The `signal` ends the wait.
   * @throws {Error} If the handler is removed or the informer stops first; `call.signal.reason` on abort.
   */
  whenSynced(call?: { readonly signal?: AbortSignal | undefined }): Promise<void>;
  /**
   * Explains why the handler has not synced yet.
   *
   * @returns A short text for an error message.
   */
  whyNotSynced(): string;
  /**
   * Returns the state of the handler: its pending, delivered and failed notifications.
   *
   * @returns A copy of the state.
   */
  snapshot(): HandlerSnapshot;
}
