import { requireDelay, requireEach } from "@kubeloop/controller/internal/base";

/**
 * How late a realistic world is. Each number is the most that a delay can be; the delays are drawn from the random
 * source of the server, uniformly from 0 to that number. 0 turns a kind of lateness off.
 */
export interface LagOptions {
  /**
   * The delay of each request before it reaches the storage, and again of each answer, in milliseconds. So requests
   * that run at the same time are committed in any order, and their answers arrive in any order. Default: 20, as within
   * one data center.
   */
  readonly requestMs?: number | undefined;
  /**
   * The delay of each event of each watch, in milliseconds. The events of one watch stay in order, but a change of one
   * resource is seen before or after a change of another one. Default: 100, more than a request takes, so that often
   * a client does not see its own write yet when it has the answer.
   */
  readonly eventMs?: number | undefined;
  /**
   * The delay of an event that is delayed for long, as by a pause of the server or of the network, in milliseconds.
   * Default: 2,000: longer than most controllers wait, and less than the 3 s for which a server waits for its cache.
   */
  readonly pauseMs?: number | undefined;
  /** The share of events that are delayed for long, from 0 to 1. Default: 0.01. */
  readonly pauseRate?: number | undefined;
  /**
   * How far the watch cache of a resource is behind, in milliseconds. It is drawn once for each resource, and does not
   * change when a watch reconnects. Default: 300, a few times `eventMs`, so that one resource is often far behind
   * another one.
   */
  readonly resourceMs?: number | undefined;
  /**
   * How far the server that answers a read from its watch cache is behind, in milliseconds. It is drawn for each read,
   * so a later read can show an older state, as two API servers do behind one load balancer. Default: 1,000.
   */
  readonly staleReadMs?: number | undefined;
}

/** All options, with their defaults. */
export type WorldOptions = { readonly [Name in keyof Required<LagOptions>]: number };

const DEFAULTS: WorldOptions = {
  requestMs: 20,
  eventMs: 100,
  pauseMs: 2000,
  pauseRate: 0.01,
  resourceMs: 300,
  staleReadMs: 1000,
};

/**
 * Returns the options with their defaults, or undefined for a server without lag.
 *
 * @throws {TypeError} If `lag` is neither true, false nor an object.
 * @throws {RangeError} If one of the numbers is out of its range.
 */
export function lagOptionsOf(lag: boolean | LagOptions | undefined): WorldOptions | undefined {
  if (lag === undefined || lag === false) return undefined;
  if (lag !== true && (typeof lag !== "object" || lag === null || Array.isArray(lag))) {
    throw new TypeError("lag must be true, false or an object of LagOptions");
  }
  const options: Record<string, number> = { ...DEFAULTS };
  for (const [name, value] of Object.entries(lag === true ? {} : lag)) {
    if (!Object.hasOwn(DEFAULTS, name)) {
      throw new TypeError(
        `lag has no option "${name}": expected one of ${Object.keys(DEFAULTS).join(", ")}`,
      );
    }
    if (value !== undefined) options[name] = value;
  }
  const { pauseRate, ...delays } = options as WorldOptions;
  requireEach(requireDelay, delays);
  if (!(pauseRate >= 0 && pauseRate <= 1)) {
    throw new RangeError(`pauseRate must be a number from 0 to 1: received ${pauseRate}`);
  }
  return options as WorldOptions;
}
