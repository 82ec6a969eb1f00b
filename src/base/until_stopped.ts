import type { Clock } from "./clock.ts";
import type { Logger } from "./logger.ts";

/** Shorter than the 30 s after which a kubelet kills a process: a line must be written before. */
const HUNG_MS = 20_000;

/** Options of {@linkcode untilStopped}. */
export interface UntilStoppedOptions {
  /** The clock of the 20 s. */
  readonly clock: Clock;
  /** Receives the line. */
  readonly logger: Logger;
  /** Returns what has not ended, for the log. */
  readonly what: () => string;
}

/**
 * Settles as `work` does. Logs a warning if it has not settled after 20 s, because a function that ignores its signal
 * cannot be ended from outside.
 */
export async function untilStopped<T>(
  work: Promise<T>,
  { clock, logger, what }: UntilStoppedOptions,
): Promise<T> {
  const timer = clock.setTimer(
    () => logger.warn(`${what()} has not ended within ${HUNG_MS} ms`),
    HUNG_MS,
  );
  try {
    return await work;
  } finally {
    timer.cancel();
  }
}
