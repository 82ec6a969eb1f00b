import type { Clock, Logger, Random } from "@kubeloop/controller/internal/base";
import type { Client } from "@kubeloop/controller/client";
import type {
  ApplyConfiguration,
  CustomResourceDefinition,
  KubeObject,
  ResourceDescriptor,
} from "@kubeloop/controller/types";
import type { StartActorsOptions } from "../../actors/mod.ts";
import type { Scene, Step } from "../plans/mod.ts";

/** What a simulated process gets instead of the real world. */
export interface ProcessEnv<C = undefined> {
  /** The client of the API server. Informers and controllers that are made from it inherit its environment. */
  readonly client: Client;
  /** The virtual clock of the process. It stands still when the process is killed or paused. */
  readonly clock: Clock;
  /** The source of all chance in the process. */
  readonly random: Random;
  /** Aborts when the simulation stops the process in peace, which a kill does not. */
  readonly signal: AbortSignal;
  /** The logger. Its lines become part of the story of a failed run. */
  readonly logger: Logger;
  /** The external world, as `world.cloud` returned it. It outlives the process. */
  readonly cloud: C;
  /** The name of the process. */
  readonly name: string;
  /** A name that no other process and no earlier life of this one has, for the holder of a Lease. */
  readonly identity: string;
}

/**
 * A program to simulate: it starts a controller, or whatever uses `env.client`. It may return at once or run until
 * `env.signal` aborts. When its promise rejects, it is started again after a delay, as the kubelet does.
 */
export type Process<C = undefined> = (env: ProcessEnv<C>) => unknown;

/** What an external world may have, besides the methods that processes call. */
export interface Cloud {
  /** Returns the state of the external world, as JSON values. It is part of the end state that runs are compared by. */
  state?(): unknown;
  /** Returns true, or what is wrong. It is checked after each write and at the end. */
  invariant?(): true | string;
}

/** What the factory of an external world gets. */
export interface CloudEnv {
  /** The virtual clock. */
  readonly clock: Clock;
  /** The source of chance of the external world. */
  readonly random: Random;
}

/** What outlives the processes. */
export interface World<C = undefined> {
  /**
   * Kubelets, a scheduler and so on: `true` for one node, or the options of `startActors`. Default: none; Pods then do
   * not run. The dependents of a deleted owner are deleted in any case, by a collector that is faster than that of
   * `startActors`, unless its `garbageCollector` is true.
   */
  readonly actors?: boolean | Omit<StartActorsOptions, "token"> | undefined;
  /** Creates the external world of a run, such as a cloud with load balancers. Each run has a fresh one. */
  readonly cloud?: ((env: CloudEnv) => C) | undefined;
}

/** Something that must hold at every moment: returns true, or says what is wrong. It may throw as well. */
export type Invariant<C = undefined> = (scene: Scene<C>) => boolean | string | void;

/** The limits of one run. They are what ends a run that would go on for ever. */
export interface RunLimits {
  /** How long nothing may change until a `settle` step is done, in milliseconds of virtual time. Default 30,000. */
  readonly quietMs?: number | undefined;
  /** How long a `settle` or another step may take, in milliseconds of virtual time. Default 15 minutes. */
  readonly stepMs?: number | undefined;
  /** How long the end state may take after the last fault, in milliseconds of virtual time. Default 30 minutes. */
  readonly recoveryMs?: number | undefined;
  /** The number of requests that the processes may make within ten minutes of virtual time. Default 5,000. */
  readonly requests?: number | undefined;
}

/** Options of a simulation. */
export interface SimulationOptions<C = undefined> {
  /** The name of the simulation, for reports and for the replay of a plan when a file has several. Default: none. */
  readonly name?: string | undefined;
  /** The program to simulate; or several by name, which run at the same time. */
  readonly process: Process<C> | Readonly<Record<string, Process<C>>>;
  /** The number of replicas of each process. With more than one, they are named `NAME-1`, `NAME-2` … Default 1. */
  readonly replicas?: number | undefined;
  /** What outlives the processes. Default: only the API server. */
  readonly world?: World<C> | undefined;
  /** What the users of the cluster do, step by step. */
  readonly workload: readonly Step<NoInfer<C>>[];
  /** What must hold after each write. Default: nothing. */
  readonly always?: readonly Invariant<NoInfer<C>>[] | undefined;
  /**
   * The custom resources: descriptors, for which any fields and a status subresource are allowed, or definitions with
   * their schema. Those of the workload's steps need not be repeated.
   */
  readonly resources?:
    | readonly (
      | ResourceDescriptor
      | CustomResourceDefinition
      | ApplyConfiguration<CustomResourceDefinition>
    )[]
    | undefined;
  /** Objects that exist from the start. Default: those of a fresh cluster. */
  readonly objects?:
    | readonly { readonly resource: ResourceDescriptor; readonly object: KubeObject }[]
    | undefined;
  /**
   * Removes from a copy of an object what may differ between two correct runs. It runs before objects are compared, and
   * after UIDs, versions, times and generated names were removed. Returns undefined to leave the object out.
   */
  readonly mask?: ((object: KubeObject) => KubeObject | undefined) | undefined;
  /** The limits of one run. */
  readonly limits?: RunLimits | undefined;
  /** The seed of the reference run, and of what is drawn for plans. Default 1. */
  readonly seed?: number | undefined;
}
