import type { Clock } from "./clock.ts";
import type { Logger } from "./logger.ts";
import type { MetricsProvider } from "./metrics.ts";
import type { Random } from "./random.ts";
import { redactingLike } from "./safe_logger.ts";

/**
 * The clock, the random source, the logger and the metrics of a component. Pass them to a client: its informers,
 * factories and controllers inherit the settings that they are not given themselves.
 */
export interface Environment {
  /** The source of all delays, deadlines and timestamps. Default: the real clock. */
  readonly clock?: Clock | undefined;
  /** The random source, for example for jitter. Default: the one of the runtime. */
  readonly random?: Random | undefined;
  /** Receives log lines. Default: a logger that writes warnings and errors to the console. */
  readonly logger?: Logger | undefined;
  /** Receives metrics. Default: no metrics are recorded. */
  readonly metrics?: MetricsProvider | undefined;
}

/** The environment of a component with caches. */
export interface CacheEnvironment extends Environment {
  /**
   * Whether informers freeze the objects that they cache. A program that changes a frozen object fails at that line,
   * instead of changing the cache for everyone. Freezing costs time. Default: true for a client of an in-process
   * `ApiServer`, so in tests and simulations, and false otherwise.
   */
  readonly freezeObjects?: boolean | undefined;
}

/**
 * Returns the environment of a component: its own settings, completed by inherited ones.
 *
 * @param own The settings that the component is given.
 * @param inherited The environment of the component's owner, such as its client.
 */
export function inherit(
  own: CacheEnvironment,
  inherited: CacheEnvironment | undefined,
): CacheEnvironment {
  return {
    clock: own.clock ?? inherited?.clock,
    random: own.random ?? inherited?.random,
    // A logger of its own must not show the credentials that the client's logger hides.
    logger: own.logger === undefined
      ? inherited?.logger
      : redactingLike(inherited?.logger, own.logger),
    metrics: own.metrics ?? inherited?.metrics,
    freezeObjects: own.freezeObjects ?? inherited?.freezeObjects,
  };
}
