import type { Logger } from "../../base/mod.ts";

/** The minimal resync period, as in client-go. */
const MIN_RESYNC_PERIOD_MS = 1_000;

/**
 * Matches the resync periods that handlers request with the period at which the informer checks which resyncs are due.
 */
export class ResyncSchedule {
  readonly #defaultPeriodMs: number;
  readonly #logger: Logger;
  #checkPeriodMs: number;

  /**
   * @param defaultPeriodMs The period of handlers that request none, and the initial check period; 0 for no resyncs.
   */
  constructor(defaultPeriodMs: number, logger: Logger) {
    this.#defaultPeriodMs = defaultPeriodMs;
    this.#checkPeriodMs = defaultPeriodMs;
    this.#logger = logger;
  }

  /** The period at which the informer checks which handlers are due for a resync, in milliseconds; 0 for never. */
  get checkPeriodMs(): number {
    return this.#checkPeriodMs;
  }

  /**
   * Returns the resync period of a new handler, in milliseconds. Before the informer has started, a handler with a
   * shorter period shortens the check period, and the other handlers keep their own periods. After the start, a shorter
   * period is raised to the check period.
   */
  periodFor(
    name: string,
    wantedMs: number | undefined,
    informer: { hasStarted(): boolean },
  ): number {
    const requestedMs = this.#atLeastMinimum(name, wantedMs ?? this.#defaultPeriodMs);
    if (requestedMs > 0 && requestedMs < this.#checkPeriodMs && !informer.hasStarted()) {
      this.#checkPeriodMs = requestedMs;
    }
    const effectiveMs = this.#rounded(requestedMs);
    if (effectiveMs !== requestedMs) {
      this.#logger.warn(
        `${name}: resyncPeriodMs ${requestedMs} is not possible, since the informer checks every ` +
          `${this.#checkPeriodMs} ms (0: never): using ${effectiveMs}`,
      );
    }
    return effectiveMs;
  }

  #atLeastMinimum(name: string, wantedMs: number): number {
    if (wantedMs <= 0) return 0;
    if (wantedMs >= MIN_RESYNC_PERIOD_MS) return wantedMs;
    this.#logger.warn(
      `${name}: resyncPeriodMs ${wantedMs} is too small, using the minimum of ${MIN_RESYNC_PERIOD_MS}`,
    );
    return MIN_RESYNC_PERIOD_MS;
  }

  #rounded(requestedMs: number): number {
    if (requestedMs === 0 || this.#checkPeriodMs === 0) return 0;
    return Math.max(requestedMs, this.#checkPeriodMs);
  }
}
