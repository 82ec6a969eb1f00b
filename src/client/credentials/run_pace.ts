import type { Clock } from "../../base/mod.ts";

/** Why a plugin must run again: its credentials have expired, the server refused them, or the last run gave none. */
export type RunCause = "expired" | "refused" | "useless";

/** Minimum delay after a run that returned unusable credentials. It doubles with each such run. */
const FIRST_DELAY_MS = 1_000;

const MAX_DELAY_MS = 60_000;

/** The number of unusable runs after which refused credentials are still replaced at once: the user may log in again. */
const FREE_REFUSALS = 1;

/** CredentialsProvider that are refused after a longer time were good. Longer than the longest delay. */
const GOOD_MS = 120_000;

/**
 * The pace at which a plugin may run. After the first run that returned unusable credentials the plugin may run again
 * at once, because credentials may be replaced while it runs; after the next one it must wait, longer each time.
 */
export class RunPace {
  readonly #clock: Clock;
  #endedAtMs: number | undefined;
  #inVain = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Reports whether the plugin may run now. */
  allows(cause: RunCause): boolean {
    if (this.#endedAtMs === undefined || this.#inVain === 0) return true;
    const isFree = cause === "refused" && this.#inVain <= FREE_REFUSALS;
    return isFree || this.#ageMs >= this.#delayMs || this.#wasGood(cause);
  }

  /** Notes that the plugin starts. */
  begin(cause: RunCause): void {
    if (this.#endedAtMs === undefined) return;
    this.#inVain = this.#wasGood(cause) ? 0 : this.#inVain + 1;
  }

  /** Notes that the plugin has ended. */
  end(): void {
    this.#endedAtMs = this.#clock.now();
  }

  /** The time since the last run. */
  get #ageMs(): number {
    return this.#clock.now() - (this.#endedAtMs ?? -Infinity);
  }

  get #delayMs(): number {
    return Math.min(FIRST_DELAY_MS * 2 ** (this.#inVain - 1), MAX_DELAY_MS);
  }

  /** Reports whether the last run returned usable credentials, judged by `cause`: credentials may be short-lived. */
  #wasGood(cause: RunCause): boolean {
    return this.#ageMs >= (cause === "expired" ? FIRST_DELAY_MS : GOOD_MS);
  }
}
