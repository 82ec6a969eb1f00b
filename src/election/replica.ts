import {
  checkedElsewhere,
  type Clock,
  type Environment,
  ENVIRONMENT_CHECKS,
  inherit,
  type Logger,
  type MetricsProvider,
  noopMetrics,
  type OptionChecks,
  type Random,
  randomUuid,
  realClock,
  realRandom,
  requireMethods,
  safeLogger,
} from "../base/mod.ts";
import type { Client } from "../client/mod.ts";
import { type ElectionTimes, requireTimes, type Times, TIMES_CHECKS } from "./election_times.ts";

/** The defaults that a client passes on. A stand-in for a client may omit them. */
export type ClientDefaults = Partial<Pick<Client, "namespace" | "environment" | "observed">>;

/** One replica of a program: its Lease, its identity, its times, and its environment. */
export interface Replica extends Times {
  readonly name: string;
  readonly namespace: string;
  readonly identity: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: MetricsProvider;
}

/** The options of a {@linkcode Replica}. */
export interface ReplicaOptions extends Environment, ElectionTimes {
  readonly name: string;
  readonly namespace?: string | undefined;
  readonly identity?: string | undefined;
}

/** The checks of the environment; {@linkcode replicaOf} checks the other options. */
export const REPLICA_CHECKS: OptionChecks<ReplicaOptions> = {
  ...ENVIRONMENT_CHECKS,
  ...TIMES_CHECKS,
  name: checkedElsewhere,
  namespace: checkedElsewhere,
  identity: checkedElsewhere,
};

/**
 * Returns the replica that the options describe, with the defaults of the client.
 *
 * @throws {TypeError} If the name or the namespace is missing, or the client lacks a method.
 * @throws {RangeError} If the times do not fit together.
 */
export function replicaOf(
  what: string,
  client: ClientDefaults,
  options: ReplicaOptions,
  methods: readonly string[],
): Replica {
  requireMethods(`a Client as the first argument of ${what}`, client, ...methods);
  const { name } = options;
  requireText(`The name of a ${what}`, name);
  const namespace = options.namespace ?? client.namespace;
  if (namespace === undefined) {
    throw new TypeError(
      `The ${what} "${name}" needs a namespace for its Lease: pass namespace, because the client has none`,
    );
  }
  requireText(`The namespace of the ${what} "${name}"`, namespace);
  const environment = inherit(options, client.environment);
  const { clock = realClock, random = realRandom, metrics = noopMetrics } = environment;
  // Not a fork of the random source: forks for one purpose are the same, and two replicas would have one identity.
  const identity = options.identity ?? `${name}_${randomUuid(random)}`;
  requireText(`The identity of the ${what} "${name}"`, identity);
  const logger = safeLogger(environment.logger);
  return { ...requireTimes(options), name, namespace, identity, clock, random, logger, metrics };
}

function requireText(what: string, value: unknown): void {
  if (typeof value === "string" && value !== "") return;
  throw new TypeError(
    `${what} must be a text that is not empty: received ${
      value === "" ? "an empty one" : `a value of type ${typeof value}`
    }`,
  );
}
