/** The result of a {@linkcode Reconcile}. */
export interface ReconcileResult {
  /**
   * The delay after which the key is reconciled again, in milliseconds. With 0 or less, the key is reconciled again
   * after the delay of the rate limiter, which grows each time. Default: the key is only reconciled again after the
   * next change.
   */
  readonly requeueAfterMs?: number | undefined;
}

/** The context of a reconcile, besides its key. */
export interface ReconcileContext {
  /**
   * Aborts when the controller stops. The controller waits for running reconciles, so pass the signal to everything
   * that takes long.
   */
  readonly signal: AbortSignal;
}

/**
 * Makes the observed state equal to the desired state of one object. The function gets the key of the object, reads the
 * object from the cache, where it may no longer exist, and writes to the API server. It must be safe to call again.
 *
 * If it throws or rejects, the key is retried with exponential backoff. A `TerminalError` is not retried.
 */
export type Reconcile = (
  key: string,
  context: ReconcileContext,
) => ReconcileResult | void | PromiseLike<ReconcileResult | void>;

/**
 * Returns the `requeueAfterMs` of the result of a reconcile. Any other return value is ignored.
 *
 * @returns The delay, in milliseconds; undefined if the result has none.
 * @throws {TypeError} When the delay is not a finite number.
 */
export function requeueAfterMs(returned: unknown): number | undefined {
  if (typeof returned !== "object" || returned === null) return undefined;
  const { requeueAfterMs: delayMs } = returned as { requeueAfterMs?: unknown };
  if (delayMs === undefined) return undefined;
  if (typeof delayMs === "number" && Number.isFinite(delayMs)) return delayMs;
  throw new TypeError(
    `reconcile() returned a requeueAfterMs that is not a finite number: ${String(delayMs)}`,
  );
}
