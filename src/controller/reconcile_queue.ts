/**
 * What a {@linkcode Controller} needs of its queue. A `RateLimitingQueue` fits, and so does any other queue that never has an
 * item with two workers.
 */
export interface ReconcileQueue {
  /** How many keys wait for a worker. */
  readonly length: number;
  /** Adds a key. */
  add(key: string): void;
  /** Adds a key after `delayMs` milliseconds. */
  addAfter(key: string, delayMs: number): void;
  /** Counts a failure of a key, and adds the key when the rate limiter allows it, but not before `atLeastMs` have passed. */
  addRateLimited(key: string, atLeastMs?: number): void;
  /** Resets the failures of a key. */
  forget(key: string): void;
  /** Returns how many failures of a key have been counted. */
  numRequeues(key: string): number;
  /** Takes the next key; returns undefined when none is queued. */
  tryGet(): string | undefined;
  /** Waits for the next key and takes it; `shutdown` says that there will be none. */
  get(): Promise<
    | { readonly item: string; readonly shutdown: false }
    | { readonly item: undefined; readonly shutdown: true }
  >;
  /** Ends the work on a key that was taken. */
  done(key: string): void;
  /** Stops taking keys in. Those who wait in `get` learn it when the queue is empty. */
  shutDown(): void;
}
