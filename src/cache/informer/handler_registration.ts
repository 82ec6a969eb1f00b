/** What a {@linkcode HandlerRegistration} tells of itself. */
export interface HandlerSnapshot {
  /** The informer's name and the number of the handler, as in `pods handler 1`. */
  readonly name: string;
  /** Notifications that wait for the handler. */
  readonly pending: number;
  /** Notifications it has handled, or failed to. */
  readonly delivered: number;
  /** Notifications it threw or rejected on. */
  readonly errors: number;
  /** Whether the initial objects have been handled. */
  readonly hasSynced: boolean;
  /** How often it is told of everything again, in milliseconds; 0 for never. */
  readonly resyncPeriodMs: number;
}

/** One handler that was added to a SharedInformer. The same handler added twice has two. */
export interface HandlerRegistration {
  /** The informer's name and the number of the handler, as in `pods handler 1`. */
  readonly name: string;
  /**
   * Whether the informer has synced and this handler has handled all objects that were in the initial list, or in the
   * cache when it was added. A notification that the handler threw on counts as handled; in client-go such a handler is
   * never synced.
   *
   * @returns True from then on.
   */
  hasSynced(): boolean;
  /**
   * Waits for {@linkcode HandlerRegistration.hasSynced}.
   *
   * @param call Its `signal` ends the waiting.
   * @throws {Error} When the handler is removed, or the informer stops, before; `call.signal.reason` on abort.
   */
  whenSynced(call?: { readonly signal?: AbortSignal | undefined }): Promise<void>;
  /**
   * Why it has not synced yet, for an error message.
   *
   * @returns A few words.
   */
  whyNotSynced(): string;
  /**
   * What waits for it and how it has fared.
   *
   * @returns A copy of its state.
   */
  snapshot(): HandlerSnapshot;
}
