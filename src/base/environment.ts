import type { Clock } from "./clock.ts";
import type { Logger } from "./logger.ts";
import type { MetricsProvider } from "./metrics.ts";
import type { Random } from "./random.ts";

/**
 * What a program takes from its surroundings. A client is given one, and its informers, factories and controllers inherit
 * what they are not given themselves.
 */
export interface Environment {
  /** The source of all delays, deadlines and timestamps. Default: the real clock. */
  readonly clock?: Clock | undefined;
  /** The source of randomness, such as jitter. Default: the machine's own. */
  readonly random?: Random | undefined;
  /** Receives log lines. Default: warnings and errors go to the console. */
  readonly logger?: Logger | undefined;
  /** Receives metrics. Default: none are recorded. */
  readonly metrics?: MetricsProvider | undefined;
}

/**
 * The environment of a part: what it is given itself, and the rest from where it belongs to.
 *
 * @param own What the part is given.
 * @param inherited The environment of what it belongs to.
 */
export function inherit(own: Environment, inherited: Environment | undefined): Environment {
  return {
    clock: own.clock ?? inherited?.clock,
    random: own.random ?? inherited?.random,
    logger: own.logger ?? inherited?.logger,
    metrics: own.metrics ?? inherited?.metrics,
  };
}
