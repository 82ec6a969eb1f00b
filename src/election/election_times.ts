import { checkedElsewhere, type OptionChecks, requireFinite } from "../base/mod.ts";

/** The three durations of a lease, with client-go's defaults. All replicas must use the same. */
export interface ElectionTimes {
  /**
   * How long the others wait, after they have last seen a change of the Lease, before they take it, in milliseconds. A
   * whole number of seconds, because the Lease says it in seconds. Default 15,000.
   */
  readonly leaseDurationMs?: number | undefined;
  /**
   * How long the holder acts after it has sent the last successful renewal, in milliseconds. Less than
   * `leaseDurationMs`: the ratio of the two is the difference between the rates of two clocks that is survived, so the
   * defaults survive a clock that runs 49 % faster than another. Default 10,000.
   */
  readonly renewDeadlineMs?: number | undefined;
  /**
   * The time between two renewals, and the longest time between two looks of a standby, in milliseconds. Less than
   * `renewDeadlineMs / 1.2`. Default 2,000.
   */
  readonly retryPeriodMs?: number | undefined;
}

/** {@linkcode ElectionTimes} with all defaults. */
export type Times = { readonly [K in keyof ElectionTimes]-?: number };

/** The checks of the options: {@linkcode requireTimes} does it all. */
export const TIMES_CHECKS: OptionChecks<ElectionTimes> = {
  leaseDurationMs: checkedElsewhere,
  renewDeadlineMs: checkedElsewhere,
  retryPeriodMs: checkedElsewhere,
};

/** client-go's rule: the deadline leaves room for one more try after a delay with jitter. */
const JITTER_FACTOR = 1.2;

/**
 * Returns the times with their defaults.
 *
 * @throws {RangeError} If a time is not a positive number, or the times do not leave room for each other.
 */
export function requireTimes(times: ElectionTimes): Times {
  const { leaseDurationMs = 15_000, renewDeadlineMs = 10_000, retryPeriodMs = 2_000 } = times;
  for (const [name, value] of Object.entries({ leaseDurationMs, renewDeadlineMs, retryPeriodMs })) {
    requireFinite(name, value);
    if (value <= 0) throw new RangeError(`${name} must be above 0: received ${value}`);
  }
  if (leaseDurationMs % 1000 !== 0) {
    throw new RangeError(
      `leaseDurationMs must be a whole number of seconds, which is what a Lease has: received ${leaseDurationMs}`,
    );
  }
  if (leaseDurationMs <= renewDeadlineMs) {
    throw new RangeError(
      `leaseDurationMs must be greater than renewDeadlineMs, or two replicas could lead at once: received ` +
        `${leaseDurationMs} and ${renewDeadlineMs}`,
    );
  }
  if (renewDeadlineMs <= JITTER_FACTOR * retryPeriodMs) {
    throw new RangeError(
      `renewDeadlineMs must be greater than ${JITTER_FACTOR} times retryPeriodMs, so that a renewal can be tried ` +
        `again: received ${renewDeadlineMs} and ${retryPeriodMs}`,
    );
  }
  return { leaseDurationMs, renewDeadlineMs, retryPeriodMs };
}
