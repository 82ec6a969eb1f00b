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

/** What a client tells besides its methods. A stand-in for a client need not have it. */
export type ClientDefaults = Partial<Pick<Client, "namespace" | "environment" | "observed">>;

/** Where the Leases are, who wants them, and with what. */
export interface Place {
  readonly name: string;
  readonly namespace: string;
  readonly identity: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: MetricsProvider;
}

/** What options say about a {@linkcode Place}. */
export interface PlaceOptions extends Environment {
  readonly name: string;
  readonly namespace?: string | undefined;
  readonly identity?: string | undefined;
}

/** The checks of the options: {@linkcode placeOf} does it all. */
export const PLACE_CHECKS: OptionChecks<PlaceOptions> = {
  ...ENVIRONMENT_CHECKS,
  name: checkedElsewhere,
  namespace: checkedElsewhere,
  identity: checkedElsewhere,
};

/**
 * Returns the place of an election, with the defaults of the client.
 *
 * @throws {TypeError} If there is no name or no namespace, or the client lacks a method.
 */
export function placeOf(
  what: string,
  client: ClientDefaults,
  options: PlaceOptions,
  methods: readonly string[],
): Place {
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
  return {
    name,
    namespace,
    identity,
    clock,
    random,
    logger: safeLogger(environment.logger),
    metrics,
  };
}

function requireText(what: string, value: unknown): void {
  if (typeof value === "string" && value !== "") return;
  throw new TypeError(
    `${what} must be a text that is not empty: received ${
      value === "" ? "an empty one" : `a value of type ${typeof value}`
    }`,
  );
}
