import type { Clock, Logger, Random } from "@kubeloop/controller/internal/base";
import type { Client } from "@kubeloop/controller/client";
import type {
  ApplyConfiguration,
  CustomResourceDefinition,
  KubeObject,
  ResourceDescriptor,
} from "@kubeloop/controller/types";
import type { StartActorsOptions } from "../../actors/mod.ts";
import type { Neighbour } from "./neighbours.ts";
import type { Scene, Step } from "../plans/mod.ts";

/** The environment of a simulated process: everything that connects it to the world. */
export interface ProcessEnv<C = undefined> {
  /** The client of the API server. Informers and controllers that are made from it inherit its environment. */
  readonly client: Client;
  /** The virtual clock of the process. It stands still when the process is killed or paused. */
  readonly clock: Clock;
  /** The random source of the process. */
  readonly random: Random;
  /** Aborts when the process is asked to stop, as by SIGTERM. A process that is killed is not asked. */
  readonly signal: AbortSignal;
  /** The logger. Its lines become part of the story of a failed run. */
  readonly logger: Logger;
  /** The external world, as `world.cloud` returned it. It outlives the process. */
  readonly cloud: C;
  /** The name of the process. */
  readonly name: string;
  /** A name that is unique to this life of the process, for the holder of a Lease. */
  readonly identity: string;
}

/**
 * A program to simulate: it starts a controller, or anything else that uses `env.client`. It may return at once or run
 * until `env.signal` aborts. It has ended when it has returned and none of its timers, requests and watches is left; or when
 * its promise rejects. It is then started again after a delay, as the kubelet does.
 */
export type Process<C = undefined> = (env: ProcessEnv<C>) => unknown;

/** Optional methods of an external world for the simulation, besides the methods that processes call. */
export interface Cloud {
  /** Returns the state of the external world, as JSON values. It is part of the end state that runs are compared by. */
  state?(): unknown;
  /** Returns true, or an error message. It is checked after each write and at the end. */
  invariant?(): true | string;
}

/** The environment of an external world. */
export interface CloudEnv {
  /** The virtual clock. */
  readonly clock: Clock;
  /** The random source of the external world. */
  readonly random: Random;
}

/** The world around the processes, which outlives them. */
export interface World<C = undefined> {
  /**
   * Kubelets, a scheduler and the other actors: `true` for one node, or the options of `startActors`. Default: none; Pods
   * then do not run. The dependents of a deleted owner are deleted in any case: by a collector that is faster than the
   * actor, unless the option `garbageCollector` is true.
   */
  readonly actors?: boolean | Omit<StartActorsOptions, "token"> | undefined;
  /** Other programs in the cluster, with wishes of their own: see {@linkcode Neighbour}. Default: none. */
  readonly neighbours?: readonly Neighbour[] | undefined;
  /** Creates the external world of a run, such as a cloud with load balancers. Each run has a fresh one. */
  readonly cloud?: ((env: CloudEnv) => C) | undefined;
}

/** A condition that must hold after each write: returns true, or an error message. It may throw as well. */
export type Invariant<C = undefined> = (scene: Scene<C>) => boolean | string | void;

/** The limits of one run, which end a run that would never end by itself. */
export interface RunLimits {
  /** The time without a change after which a `settle` step is done, in milliseconds of virtual time. Default 30,000. */
  readonly quietMs?: number | undefined;
  /** The longest time of a `settle` or another step, in milliseconds of virtual time. Default 900,000, or 15 minutes. */
  readonly stepMs?: number | undefined;
  /** The longest time from the last fault to the end state, in milliseconds of virtual time. Default 1,800,000, or 30 minutes. */
  readonly recoveryMs?: number | undefined;
  /** The number of requests that the processes may make within ten minutes of virtual time. Default 5,000. */
  readonly requests?: number | undefined;
  /** The number of times that one process may change one object within a minute of virtual time. Default 60. */
  readonly writesPerMinute?: number | undefined;
  /** The longest virtual time of a run, in milliseconds. Default 43,200,000, or 12 hours. */
  readonly virtualMs?: number | undefined;
}

/** Options of a simulation. */
export interface SimulationOptions<C = undefined> {
  /** The name of the simulation, for reports and for the replay of a plan when a file has several. Default: none. */
  readonly name?: string | undefined;
  /** The program to simulate, or several programs by name, which run at the same time. */
  readonly process: Process<C> | Readonly<Record<string, Process<C>>>;
  /** The number of replicas of each process. With more than one, they are named `NAME-1`, `NAME-2` … Default 1. */
  readonly replicas?: number | undefined;
  /** The world around the processes. Default: only the API server. */
  readonly world?: World<C> | undefined;
  /** The steps of the users of the cluster. */
  readonly workload: readonly Step<NoInfer<C>>[];
  /** The conditions that must hold after each write. Default: none. */
  readonly always?: readonly Invariant<NoInfer<C>>[] | undefined;
  /** The conditions that must hold at the end of each run. Default: none. */
  readonly finally?: readonly Invariant<NoInfer<C>>[] | undefined;
  /**
   * The custom resources: descriptors, for which any fields and a status subresource are allowed unless `defineResource`
   * has made them of schemas, or definitions with their schema. The resources of the workload's steps need not be repeated.
   */
  readonly resources?:
    | readonly (
      | ResourceDescriptor
      | CustomResourceDefinition
      | ApplyConfiguration<CustomResourceDefinition>
    )[]
    | undefined;
  /** Objects that exist from the start, besides the objects of a new cluster. Default: none. */
  readonly objects?:
    | readonly { readonly resource: ResourceDescriptor; readonly object: KubeObject }[]
    | undefined;
  /**
   * Removes the fields that may differ between two correct runs from a copy of an object. It is called before objects are
   * compared, after UIDs, versions, times and generated names were removed. Returns undefined to leave the object out.
   */
  readonly mask?: ((object: KubeObject) => KubeObject | undefined) | undefined;
  /** The limits of one run. */
  readonly limits?: RunLimits | undefined;
  /** The seed of the reference run, and of the choice of plans. Default 1. */
  readonly seed?: number | undefined;
}
