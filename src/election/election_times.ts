import { checkedElsewhere, type OptionChecks, requireFinite } from "../base/mod.ts";

/** The three durations of a lease, with client-go's defaults. All replicas must use the same. */
export interface ElectionTimes {
  /**
   * The time without a change of the Lease after which another replica takes it, in milliseconds. A whole number of
   * seconds, the unit of the field in the Lease. Default 15,000.
   */
  readonly leaseDurationMs?: number | undefined;
  /**
   * The time for which the holder acts after it sent its last successful renewal, in milliseconds. Less than
   * `leaseDurationMs`. The ratio of the two is the tolerated difference between the rates of two clocks: the defaults
   * tolerate a clock that runs 49 % faster than another. Default 10,000.
   */
  readonly renewDeadlineMs?: number | undefined;
  /**
   * The time between two renewals, and the longest time between two reads of a standby, in milliseconds. Less than
   * `renewDeadlineMs / 1.2`. Default 2,000.
   */
  readonly retryPeriodMs?: number | undefined;
}

/** {@linkcode ElectionTimes} with all defaults. */
export type Times = { readonly [K in keyof ElectionTimes]-?: number };

/** The names of the options; {@linkcode requireTimes} checks them. */
export const TIMES_CHECKS: OptionChecks<ElectionTimes> = {
  leaseDurationMs: checkedElsewhere,
  renewDeadlineMs: checkedElsewhere,
  retryPeriodMs: checkedElsewhere,
};

/** client-go's factor: the deadline must leave time for a second try after a delay with jitter. */
const JITTER_FACTOR = 1.2;

/**
 * Returns the times, with defaults.
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
