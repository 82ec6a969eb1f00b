import type { Clock, Random } from "@kubeloop/controller/base";
import type { Client } from "@kubeloop/controller/client";
import type { Actors } from "../../actors/mod.ts";
import type { ApiServer } from "../../api_server/mod.ts";

/** The parts of a simulated world that an invariant and a custom step see. */
export interface Scene<C = undefined> {
  /** The API server, to read from: `server.get`, `server.objects`, `server.count`. */
  readonly server: ApiServer;
  /** The virtual clock. */
  readonly clock: Clock;
  /** The external world. */
  readonly cloud: C;
}

/** The parts of a simulated world that a custom step sees. */
export interface StepScene<C = undefined> extends Scene<C> {
  /** A client that acts as the user of the cluster. */
  readonly client: Client;
  /** The actors, such as kubelets; undefined without `world.actors`. */
  readonly actors: Actors | undefined;
  /** The random source of the step. */
  readonly random: Random;
}
