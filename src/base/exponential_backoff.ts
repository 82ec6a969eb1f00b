import { delay } from "./abort.ts";
import { Backoff, type BackoffOptions } from "./backoff.ts";
import { type Clock, realClock } from "./clock.ts";
import { type Random, realRandom } from "./random.ts";

/** What waiting between tries needs. */
export interface WaitOptions {
  /** Stops the waiting; it rejects with `signal.reason`. */
  readonly signal?: AbortSignal | undefined;
  /** Where timers come from. Default: the real clock. */
  readonly clock?: Clock | undefined;
  /** Where jitter comes from. Default: the machine's own source. */
  readonly random?: Random | undefined;
}

/**
 * Asks `condition` until it answers true, waiting longer and longer in between: apimachinery's `wait.ExponentialBackoff`.
 *
 * It asks at most `backoff.steps` times and does not wait after the last. A delay that reaches `backoff.capMs` is the last
 * too. What `condition` throws ends it.
 *
 * @param backoff How long to wait, and how often.
 * @param condition Whether it is done.
 * @throws {DOMException} `TimeoutError`, when the condition never held; with 0 steps it is not asked at all.
 *
 * @example
 * ```ts
 * import { exponentialBackoff } from "@kubeloop/controller/base";
 * import { assertEquals } from "@std/assert";
 *
 * let tries = 0;
 * await exponentialBackoff({ durationMs: 1, factor: 2, steps: 5 }, () => ++tries === 3);
 * assertEquals(tries, 3);
 * ```
 */
export async function exponentialBackoff(
  backoff: BackoffOptions,
  condition: () => boolean | Promise<boolean>,
  options: WaitOptions = {},
): Promise<void> {
  if (await holdsInTime(backoff, condition, options)) return;
  throw new DOMException(
    "Condition timed out: it did not hold in any of the tries",
    "TimeoutError",
  );
}

/** Like {@linkcode exponentialBackoff}, but answers false when the condition never held. */
export async function holdsInTime(
  backoff: BackoffOptions,
  condition: () => boolean | Promise<boolean>,
  options: WaitOptions = {},
): Promise<boolean> {
  const { signal, clock = realClock, random = realRandom } = options;
  const delays = new Backoff(backoff, random);
  while (delays.steps > 0) {
    signal?.throwIfAborted();
    if (await condition()) return true;
    if (delays.steps === 1) break;
    await delay(delays.step(), { clock, signal });
  }
  return false;
}
