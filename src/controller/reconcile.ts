/** What {@linkcode Reconcile} may return. */
export interface ReconcileResult {
  /**
   * Reconcile the key again after this many milliseconds. Zero and negative numbers mean again, with the delays of the rate
   * limiter, which grow from time to time. Left out: not before something changes.
   */
  readonly requeueAfterMs?: number | undefined;
}

/** What a reconcile gets besides its key. */
export interface ReconcileContext {
  /** Aborts when the controller stops, which then waits for the reconcile: pass it on to whatever takes long. */
  readonly signal: AbortSignal;
}

/**
 * Makes the observed state equal to the desired state of one object. It gets the key of the object, reads the object from the
 * cache (it may not exist any more) and writes to the API server. It must be safe to run again.
 *
 * If it throws or rejects, the key is retried with exponential backoff; for a `TerminalError` it is not.
 */
export type Reconcile = (
  key: string,
  context: ReconcileContext,
) => ReconcileResult | void | PromiseLike<ReconcileResult | void>;

/**
 * Reads the `requeueAfterMs` of what a reconcile returned. Any other return value is ignored.
 *
 * @returns The delay; undefined when there is none.
 * @throws {TypeError} When no timer can be set to it.
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
