import type { Logger } from "../base/mod.ts";

/** client-go's least resync period. */
export const MIN_RESYNC_PERIOD_MS = 1_000;

/** A resync period that a handler asks for, raised to the least there is. */
export function atLeastMinimum(requestedMs: number, name: string, logger: Logger): number {
  if (requestedMs <= 0) return 0;
  if (requestedMs >= MIN_RESYNC_PERIOD_MS) return requestedMs;
  logger.warn(
    `${name}: resyncPeriodMs ${requestedMs} is too small, using the minimum of ${MIN_RESYNC_PERIOD_MS}`,
  );
  return MIN_RESYNC_PERIOD_MS;
}

/** The period a handler gets from an informer that looks every `checkMs`, 0 meaning never. */
export function determineResyncPeriod(requestedMs: number, checkMs: number): number {
  if (requestedMs === 0 || checkMs === 0) return 0;
  return Math.max(requestedMs, checkMs);
}
