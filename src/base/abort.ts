import { type Clock, realClock } from "./clock.ts";

/** Something to undo, once. */
export type Cleanup = () => void;

/**
 * Calls `callback` with `signal.reason` when `signal` aborts, at once when it has; the returned function takes the
 * listener off again.
 */
export function onAbort(
  signal: AbortSignal | undefined,
  callback: (reason: unknown) => void,
): Cleanup {
  if (signal === undefined) return () => {};
  if (signal.aborted) {
    callback(signal.reason);
    return () => {};
  }
  const listener = () => callback(signal.reason);
  signal.addEventListener("abort", listener, { once: true });
  return () => signal.removeEventListener("abort", listener);
}

/** An `AbortController` that also aborts when its parent does, until it is released. */
export class LinkedAbort {
  readonly #controller = new AbortController();
  readonly #release: Cleanup;

  /** Links a new signal to `parent`. */
  constructor(parent?: AbortSignal) {
    this.#release = onAbort(parent, (reason) => this.#controller.abort(reason));
  }

  /** Aborts with the parent or by {@linkcode LinkedAbort.abort}. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Aborts this signal, not the parent. */
  abort(reason?: unknown): void {
    this.#release();
    this.#controller.abort(reason);
  }

  /** Takes the listener off the parent, so that a long-lived parent retains nothing. */
  release(): void {
    this.#release();
  }
}

/** A promise with its two ends in hand (`Promise.withResolvers`, which Node 20 lacks). */
export interface Deferred<T> {
  /** The promise. */
  readonly promise: Promise<T>;
  /** Fulfils it. */
  resolve(value: T): void;
  /** Rejects it. */
  reject(reason: unknown): void;
}

/** A {@linkcode Deferred} that is still pending. */
export function deferred<T = void>(): Deferred<T> {
  let resolve!: (value: T) => void;
  let reject!: (reason: unknown) => void;
  const promise = new Promise<T>((res, rej) => {
    resolve = res;
    reject = rej;
  });
  return { promise, resolve, reject };
}

/** Options of {@linkcode delay}. */
export interface DelayOptions {
  /** What measures the delay. Default: the real clock. */
  readonly clock?: Clock | undefined;
  /** Ends the waiting. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Resolves `delayMs` milliseconds from now, 0 meaning after the event loop has turned once.
 *
 * @throws `signal.reason`, at once, when `signal` aborts.
 */
export function delay(delayMs: number, options: DelayOptions = {}): Promise<void> {
  const { clock = realClock, signal } = options;
  if (signal?.aborted) return Promise.reject(signal.reason);
  return new Promise((resolve, reject) => {
    const timer = clock.setTimer(() => {
      release();
      resolve();
    }, delayMs);
    const release = onAbort(signal, (reason) => {
      timer.cancel();
      reject(reason);
    });
  });
}

/**
 * Settles as `promise` does, or rejects with `signal.reason` when `signal` aborts first. Unlike `Promise.race`, it
 * leaves nothing behind on the signal.
 */
export function abortable<T>(promise: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const release = onAbort(signal, reject);
    promise.then(
      (value) => {
        release();
        resolve(value);
      },
      (reason) => {
        release();
        reject(reason);
      },
    );
  });
}
