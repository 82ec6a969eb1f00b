import {
  type BackoffOptions,
  checkedElsewhere,
  type Environment,
  type OptionChecks,
  ResettingBackoff,
  WATCH_PACE,
} from "../../base/mod.ts";

/** A source of delays between attempts. `ResettingBackoff` implements it. */
export interface ReflectorBackoff {
  /** Returns the next delay in milliseconds. */
  step(): number;
}

/** The delays of a reflector, as numbers. */
export interface ReflectorBackoffOptions extends BackoffOptions {
  /** The time after which the delays start again from the first one, in milliseconds. Default 120,000. */
  readonly resetAfterMs?: number | undefined;
}

/**
 * The delays of client-go's reflector (`reflector.go`): 800 ms, doubled each time up to 30 s, each lengthened by a
 * random factor of up to two; the first delay again after two minutes. The delay reaches its cap after six steps;
 * client-go allows 38.
 *
 * @example Retry more often
 * ```ts
 * import { defaultReflectorBackoff, SharedInformer } from "@kubeloop/controller/cache";
 * import { FakeControllerSource } from "@kubeloop/testing";
 *
 * new SharedInformer(new FakeControllerSource(), {
 *   backoff: { ...defaultReflectorBackoff, capMs: 5_000 },
 * });
 * ```
 */
export const defaultReflectorBackoff: Readonly<Record<keyof ReflectorBackoffOptions, number>> = {
  ...WATCH_PACE.backoff,
  resetAfterMs: WATCH_PACE.resetAfterMs,
};

/** The known options. {@linkcode ResettingBackoff} checks their values. */
export const BACKOFF_CHECKS: OptionChecks<ReflectorBackoffOptions> = {
  durationMs: checkedElsewhere,
  factor: checkedElsewhere,
  jitter: checkedElsewhere,
  steps: checkedElsewhere,
  capMs: checkedElsewhere,
  resetAfterMs: checkedElsewhere,
};

/** Returns the backoff of an option: the given backoff, or a new one with the given numbers. */
export function backoffOf(
  backoff: ReflectorBackoff | ReflectorBackoffOptions,
  environment: Environment,
): ReflectorBackoff {
  if ("step" in backoff) return backoff;
  const { resetAfterMs = defaultReflectorBackoff.resetAfterMs, ...delays } = backoff;
  return new ResettingBackoff(delays, resetAfterMs, environment);
}
