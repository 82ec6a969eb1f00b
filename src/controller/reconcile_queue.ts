/**
 * What a {@linkcode Controller} needs of its queue: a `RateLimitingQueue` fits, and so does any other queue that never
 * has an item with two workers.
 */
export interface ReconcileQueue {
  /** How many keys wait for a worker. */
  readonly length: number;
  /** Adds a key now. */
  add(key: string): void;
  /** Adds a key when `delayMs` milliseconds have passed. */
  addAfter(key: string, delayMs: number): void;
  /** Adds a key that failed when it may be tried again, and counts the failure. */
  addRateLimited(key: string): void;
  /** Ends the counting of a key's failures. */
  forget(key: string): void;
  /** How many failures of a key have been counted. */
  numRequeues(key: string): number;
  /** Takes the next key, if there is one. */
  tryGet(): string | undefined;
  /** Takes the next key when there is one; `shutdown` says that there will be none. */
  get(): Promise<
    | { readonly item: string; readonly shutdown: false }
    | { readonly item: undefined; readonly shutdown: true }
  >;
  /** Ends the work on a key that was taken. */
  done(key: string): void;
  /** Takes no more keys in; those who wait in `get` are told when it is empty. */
  shutDown(): void;
}
