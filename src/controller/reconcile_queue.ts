/**
 * The queue of a {@linkcode Controller}. A `RateLimitingQueue` fits, and so does any other queue that never hands the
 * same item to two workers at the same time.
 */
export interface ReconcileQueue {
  /** The number of keys that wait for a worker. */
  readonly length: number;
  /** Adds a key. */
  add(key: string): void;
  /** Adds a key after `delayMs` milliseconds. */
  addAfter(key: string, delayMs: number): void;
  /**
   * Counts a failure of a key, and adds the key after the delay of the rate limiter, but not before `atLeastMs` have
   * passed.
   */
  addRateLimited(key: string, atLeastMs?: number): void;
  /** Resets the failures of a key. */
  forget(key: string): void;
  /** Returns the number of failures of a key since it was last forgotten. */
  numRequeues(key: string): number;
  /** Takes the next key; returns undefined if none is queued. */
  tryGet(): string | undefined;
  /** Waits for the next key and takes it. `shutdown` is true if the queue is shut down and empty. */
  get(): Promise<
    | { readonly item: string; readonly shutdown: false }
    | { readonly item: undefined; readonly shutdown: true }
  >;
  /** Marks a key that was taken as processed. */
  done(key: string): void;
  /** Shuts the queue down: new keys are ignored, and calls of `get` end when the queue is empty. */
  shutDown(): void;
}
