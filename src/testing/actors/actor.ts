import type { Clock, Logger, Random } from "@kubeloop/controller/base";
import type { Client } from "@kubeloop/controller/client";

/** What every actor needs. */
export interface ActorOptions {
  /** Talks to the cluster. Its user agent becomes the field manager of what the actor writes. */
  readonly client: Client;
  /** Where every delay comes from. Default: the real clock. */
  readonly clock?: Clock | undefined;
  /** Where every choice comes from. Default: the machine's own source. */
  readonly random?: Random | undefined;
  /** Where failures go, which are all retried. Default: the console. */
  readonly logger?: Logger | undefined;
}

/** A part of a cluster that reacts to what is written to its API server. It runs once. */
export interface Actor {
  /** What it is called in a cluster. */
  readonly name: string;
  /**
   * Reacts until `signal` aborts; resolves when nothing of it is left.
   *
   * @param call Its `signal` is the way to stop.
   */
  run(call: { readonly signal: AbortSignal }): Promise<void>;
}
