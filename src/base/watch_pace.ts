import { type BackoffOptions, ResettingBackoff } from "./backoff.ts";
import type { Clock } from "./clock.ts";
import type { Random } from "./random.ts";

/** The limits and delays of watches: of informers, of waits for an object, and of followed logs. */
export interface WatchPace {
  /** The delays after failures. */
  readonly backoff: Readonly<Required<Record<keyof BackoffOptions, number>>>;
  /** The time after which the delays start again from the first one. */
  readonly resetAfterMs: number;
  /** The limit of the answer to a watch. */
  readonly openMs: number;
  /**
   * The limit between two events. Servers send a bookmark about once a minute if the resource version has advanced, so a
   * watch that is silent for longer may be dead.
   */
  readonly idleMs: number;
  /** A watch that ends sooner, without an event, counts as failed. */
  readonly shortMs: number;
  /**
   * The number of watches in a row that may be dropped without having received anything. A server that was restored from
   * a backup is silent about a version that it has not reached yet, for as long as that takes, so the last version is
   * given up. Servers that never send bookmarks are listed once in five limits of silence when nothing changes.
   */
  readonly maxSilent: number;
}

/** The pace of client-go's reflector. */
export const WATCH_PACE: WatchPace = {
  backoff: { durationMs: 800, factor: 2, jitter: 1, steps: 38, capMs: 30_000 },
  resetAfterMs: 120_000,
  openMs: 30_000,
  idleMs: 65_000,
  shortMs: 1_000,
  maxSilent: 5,
};

const MIN_TIMEOUT_MS = 300_000;

/**
 * Returns the random `timeoutSeconds` of a watch, from `leastMs` (at least 5 minutes) to twice that. It keeps the watches
 * of many clients from ending and starting at the same time.
 */
export function watchTimeoutSeconds(random: Random, leastMs = 0): number {
  return Math.floor(Math.max(leastMs, MIN_TIMEOUT_MS) * (1 + random.next()) / 1000);
}

/** Returns a backoff with the delays of {@linkcode WATCH_PACE}. */
export function watchBackoff(sources: {
  readonly clock: Clock;
  readonly random: Random;
}): ResettingBackoff {
  return new ResettingBackoff(WATCH_PACE.backoff, WATCH_PACE.resetAfterMs, sources);
}
