/** What {@linkcode Reconcile} may answer when it is done with a key for now. */
export interface ReconcileResult {
  /**
   * Reconcile the key again when this many milliseconds have passed, at once when 0 or less. Left out: not before
   * something changes.
   */
  readonly requeueAfterMs?: number | undefined;
}

/** What a reconcile is given besides its key. */
export interface ReconcileContext {
  /** Aborts when the controller stops, which then waits for the reconcile: pass it on to whatever takes long. */
  readonly signal: AbortSignal;
}

/**
 * Brings the world in line with what one object asks for. It is given the object's key, reads the object from the cache
 * (it may be gone) and writes to the API server; running it again must do no harm.
 *
 * It may throw or reject: the key is then tried again, later each time, and given up after some tries.
 */
export type Reconcile = (
  key: string,
  context: ReconcileContext,
) => ReconcileResult | void | PromiseLike<ReconcileResult | void>;

/**
 * How long after a reconcile the key is wanted again; undefined when it is not. Whatever is no result, a reconcile may
 * well return without meaning anything by it.
 *
 * @throws {TypeError} When there is a `requeueAfterMs`, but no timer can be set to it.
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
