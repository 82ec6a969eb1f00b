import type { Clock, Logger, Random } from "@kubeloop/controller/base";
import type { Client } from "@kubeloop/controller/client";

/** The options that all actors share. */
export interface ActorOptions {
  /** The client of the API server. Its user agent becomes the field manager of what the actor writes. */
  readonly client: Client;
  /** The clock of all delays. Default: the real clock. */
  readonly clock?: Clock | undefined;
  /** The random source. Default: the random source of the machine. */
  readonly random?: Random | undefined;
  /** The logger of failures. All failures are retried. Default: the console. */
  readonly logger?: Logger | undefined;
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
