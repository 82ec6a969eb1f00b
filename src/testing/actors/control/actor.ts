import {
  type Clock,
  defaultLogger,
  type Environment,
  forkRandom,
  inherit,
  type Logger,
  type Random,
  realClock,
  realRandom,
} from "@kubeloop/controller/internal/base";
import {
  SharedInformerFactory,
  type SharedInformerFactoryOptions,
} from "@kubeloop/controller/cache";
import type { Client } from "@kubeloop/controller/client";

/** The options that all actors share. An actor inherits from its client what it is not given itself. */
export interface ActorOptions extends Pick<Environment, "clock" | "random" | "logger"> {
  /** The client of the API server. Its user agent becomes the field manager of what the actor writes. */
  readonly client: Client;
  /** The informers that the workload controllers share. Default: each has its own. */
  readonly informers?: SharedInformerFactory | undefined;
}

/**
 * Returns the clock, random source and logger of an actor. The defaults come from its client. The random source is forked
 * by the actor's name, so that no actor changes the choices of the others.
 */
export function environmentOf(
  options: ActorOptions,
  name: string,
): { readonly clock: Clock; readonly random: Random; readonly logger: Logger } {
  const { clock = realClock, random = realRandom, logger = defaultLogger } = inherit(
    options,
    options.client.environment,
  );
  return { clock, random: forkRandom(random, name), logger };
}

/**
 * The watches of actors: they last for hours and may be silent, so that an idle cluster costs little. An actor is in one
 * process with its server, where no connection is lost unnoticed.
 */
export const ACTOR_WATCHES = {
  minWatchTimeoutMs: 6 * 3_600_000,
  watchIdleLimitMs: Infinity,
} as const;

/** Returns the informers of an actor. */
export function actorInformers(
  client: Client,
  environment: SharedInformerFactoryOptions,
): SharedInformerFactory {
  return new SharedInformerFactory(client, { ...environment, ...ACTOR_WATCHES });
}

/** A cluster component, such as a scheduler, that reacts to writes to the API server. An actor runs only once. */
export interface Actor {
  /** The name of the component in a cluster. */
  readonly name: string;
  /**
   * Runs the actor until `signal` aborts; resolves when the actor has stopped completely.
   *
   * @param call `signal`: stops the actor when it aborts.
   */
  run(call: { readonly signal: AbortSignal }): Promise<void>;
}
