import { delay } from "./abort.ts";
import { Backoff, type BackoffOptions } from "./backoff.ts";
import { type Clock, realClock } from "./clock.ts";
import { type Random, realRandom } from "./random.ts";

/** Options of everything that waits between tries. */
export interface WaitOptions {
  /** Stops the wait; the promise then rejects with `signal.reason`. */
  readonly signal?: AbortSignal | undefined;
  /** The source of delays. Default: the real clock. */
  readonly clock?: Clock | undefined;
  /** The source of jitter. Default: the machine's own randomness. */
  readonly random?: Random | undefined;
}

/** Options of {@linkcode exponentialBackoff}. */
export interface ExponentialBackoffOptions extends WaitOptions {
  /** How often to try and how long to wait in between. */
  readonly backoff: BackoffOptions;
}

/**
 * Calls `condition` until it returns true, with growing delays in between: apimachinery's `wait.ExponentialBackoff`.
 *
 * The condition is called at most `backoff.steps` times, with no delay after the last call. A delay that reaches
 * `backoff.capMs` is the last one too. An error of the condition ends the calls.
 *
 * @param condition Reports whether to stop.
 * @param options The backoff, and what it runs on.
 * @throws {DOMException} `TimeoutError`, if the condition never returned true; with 0 steps it is not called at all.
 * @throws {RangeError} If a number of the backoff is negative or not a number.
 * @throws What `condition` throws, and `signal.reason`.
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
    "Condition timed out: it did not hold in any of the tries",
    "TimeoutError",
  );
}

/**
 * Like {@linkcode exponentialBackoff}, but resolves with false if the condition never returned true.
 *
 * @param condition Reports whether to stop.
 * @param options The backoff, and what it runs on.
 * @returns Whether the condition returned true.
 */
export async function holdsInTime(
  condition: () => boolean | Promise<boolean>,
  options: ExponentialBackoffOptions,
): Promise<boolean> {
  const { backoff, signal, clock = realClock, random = realRandom } = options;
  const delays = new Backoff(backoff, random);
  while (delays.steps > 0) {
    signal?.throwIfAborted();
    if (await condition()) return true;
    if (delays.steps === 1) break;
    await delay(delays.step(), { clock, signal });
  }
  return false;
}
