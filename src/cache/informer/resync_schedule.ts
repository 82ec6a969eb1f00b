import type { Logger } from "../../base/mod.ts";

/** client-go's least resync period. */
const MIN_RESYNC_PERIOD_MS = 1_000;

/** Reconciles the resync periods that handlers ask for with how often the informer looks whose resync is due. */
export class ResyncSchedule {
  readonly #defaultPeriodMs: number;
  readonly #logger: Logger;
  #checkPeriodMs: number;

  /** @param defaultPeriodMs The period of handlers that ask for none, and the first check period; 0 for never. */
  constructor(defaultPeriodMs: number, logger: Logger) {
    this.#defaultPeriodMs = defaultPeriodMs;
    this.#checkPeriodMs = defaultPeriodMs;
    this.#logger = logger;
  }

  /** How often the informer looks whose resync is due; 0 for never. */
  get checkPeriodMs(): number {
    return this.#checkPeriodMs;
  }

  /**
   * How often a new handler is told of everything. Before the informer has started, one that wants to be told more often
   * makes it look more often, which changes nothing for the others; afterwards it is told as often as the informer looks.
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
        `${name}: resyncPeriodMs ${requestedMs} cannot be had from an informer that checks every ` +
          `${this.#checkPeriodMs} ms: using ${effectiveMs}`,
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
