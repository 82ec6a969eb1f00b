import { type Clock, realClock } from "./clock.ts";

/** A function that undoes something, such as the registration of a listener. */
export type Cleanup = () => void;

/**
 * Calls `callback` with `signal.reason` when `signal` aborts, or immediately if it has aborted already.
 *
 * @param signal The signal to listen to. If undefined, `callback` is never called.
 * @param callback The function to call, at most once.
 * @returns A function that removes the listener.
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

/** An `AbortController` that also aborts when its parent signal aborts, until it is released. */
export class LinkedAbort {
  readonly #controller = new AbortController();
  readonly #release: Cleanup;

  /** Creates a signal that is linked to `parent`. */
  constructor(parent?: AbortSignal) {
    this.#release = onAbort(parent, (reason) => this.#controller.abort(reason));
  }

  /** The signal that aborts with the parent or on {@linkcode LinkedAbort.abort}. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Aborts this signal, but not the parent. */
  abort(reason?: unknown): void {
    this.#release();
    this.#controller.abort(reason);
  }

  /** Removes the listener from the parent, so that a long-lived parent does not retain this object. */
  release(): void {
    this.#release();
  }
}

/** Options of {@linkcode withTimeLimit}. */
export interface TimeLimit {
  /** The clock that measures the time. */
  readonly clock: Clock;
  /** Aborts the signal of the work, too. */
  readonly signal?: AbortSignal | undefined;
  /** How long the work may take, in milliseconds; `Infinity` sets no timer. */
  readonly limitMs: number;
  /** Returns the reason of the abort when the time is up. Text becomes a `DOMException` named `TimeoutError`. */
  readonly late: () => Error | string;
}

/**
 * Runs work with a signal that aborts when the time is up. Settles as the work does, so the work must end with the
 * signal, for example by {@linkcode abortable}.
 */
export async function withTimeLimit<T>(
  { clock, signal, limitMs, late }: TimeLimit,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new LinkedAbort(signal);
  const timer = limitMs === Infinity ? undefined : clock.setTimer(() => {
    const reason = late();
    limit.abort(typeof reason === "string" ? new DOMException(reason, "TimeoutError") : reason);
  }, limitMs);
  try {
    return await work(limit.signal);
  } finally {
    timer?.cancel();
    limit.release();
  }
}

/** Options of {@linkcode delay}. */
export interface DelayOptions {
  /** The clock that measures the delay. Default: the real clock. */
  readonly clock?: Clock | undefined;
  /** Stops the wait; the promise then rejects with `signal.reason`. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Resolves after `delayMs` milliseconds. With 0, it resolves after one turn of the event loop.
 *
 * @throws `signal.reason`, as soon as `signal` aborts.
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
 * Returns a promise that settles like `promise`, or rejects with `signal.reason` if `signal` aborts first. Unlike
 * `Promise.race`, the result leaves no listener on the signal once it has settled.
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
