import { abortable, delay } from "./abort.ts";
import { Backoff, type BackoffOptions } from "./backoff.ts";
import { type Clock, realClock } from "./clock.ts";
import { isPromiseLike } from "./promise_like.ts";
import { type Random, realRandom } from "./random.ts";

/** Options of functions that wait between attempts. */
export interface WaitOptions {
  /** Stops the wait; the promise then rejects with `signal.reason`. */
  readonly signal?: AbortSignal | undefined;
  /** The clock that measures the delays. Default: {@linkcode realClock}. */
  readonly clock?: Clock | undefined;
  /** The random source of the jitter. Default: {@linkcode realRandom}. */
  readonly random?: Random | undefined;
}

/** Options of {@linkcode exponentialBackoff}. */
export interface ExponentialBackoffOptions extends WaitOptions {
  /** The maximum number of attempts and the delays between them. */
  readonly backoff: BackoffOptions;
}

/**
 * Calls `condition` until it returns true, with growing delays in between: apimachinery's `wait.ExponentialBackoff`.
 *
 * `condition` is called at most `backoff.steps` times, with no delay after the last call. Once the next delay would
 * exceed `backoff.capMs`, the current delay still passes, but `condition` is not called again. An error of `condition`
 * ends the calls.
 *
 * @param condition Reports whether the wait is over.
 * @param options The backoff, and the signal, clock and random source of the wait.
 * @throws {DOMException} `TimeoutError`, if `condition` never returned true. With 0 steps it is not called at all.
 * @throws {RangeError} If a number of the backoff is negative or not a number.
 * @throws The error of `condition`, or `signal.reason`.
 *
 * @example
 * ```ts
 * import { exponentialBackoff } from "@kubeloop/controller/base";
 * import { assertEquals } from "@std/assert";
 *
 * let tries = 0;
 * await exponentialBackoff(() => ++tries === 3, {
 *   backoff: { durationMs: 1, factor: 2, steps: 5 },
 * });
 * assertEquals(tries, 3);
 * ```
 */
export async function exponentialBackoff(
  condition: () => boolean | Promise<boolean>,
  options: ExponentialBackoffOptions,
): Promise<void> {
  if (await holdsInTime(condition, options)) return;
  throw new DOMException(
    "Condition timed out: it returned false on every attempt",
    "TimeoutError",
  );
}

/**
 * Calls `condition` like {@linkcode exponentialBackoff}, but resolves with false if it never returned true.
 *
 * @param condition Reports whether the wait is over.
 * @param options The backoff, and the signal, clock and random source of the wait.
 * @returns Whether `condition` returned true.
 */
export async function holdsInTime(
  condition: () => boolean | Promise<boolean>,
  options: ExponentialBackoffOptions,
): Promise<boolean> {
  const { backoff, signal, clock = realClock, random = realRandom } = options;
  const delays = new Backoff(backoff, random);
  while (delays.steps > 0) {
    signal?.throwIfAborted();
    const holds = condition();
    // The wait must end even if the condition ignores the signal.
    if (isPromiseLike(holds) ? await abortable(holds, signal) : holds) return true;
    if (delays.steps === 1) break;
    await delay(delays.step(), { clock, signal });
  }
  return false;
}
