import type { Clock, Logger, Random } from "@kubeloop/controller/internal/base";
import type { SharedInformer, SharedInformerFactory } from "@kubeloop/controller/cache";
import type { Client } from "@kubeloop/controller/client";
import { Controller, type ReconcileResult } from "@kubeloop/controller/controller";
import {
  type Cached,
  type DeepReadonly,
  isConflict,
  type KubeObject,
  type Resource,
} from "@kubeloop/controller/types";
import { actorInformers, type ActorOptions, environmentOf } from "./actor.ts";
import { unlessNotFound } from "./errors.ts";
import { EventWriter } from "./event_writer.ts";
import { actorRetries } from "./retries.ts";

/** The number of objects that are reconciled at the same time. */
const WORKERS = 4;

/** Options of a {@linkcode Reconciler}. */
export interface ReconcilerOptions<T extends KubeObject> {
  /** The name of the actor, which is also the source of its events, such as `replicaset-controller`. */
  readonly name: string;
  /** The resource of the objects to reconcile. */
  readonly resource: Resource<T>;
  /** Makes the observed state of an object equal to its desired state. */
  readonly reconcile: (
    object: Cached<T>,
    signal: AbortSignal,
  ) => Promise<ReconcileResult | void>;
  /** Called with the key of an object that does not exist. Default: nothing is done. */
  readonly gone?: ((key: string, signal: AbortSignal) => Promise<void> | void) | undefined;
}

/**
 * The frame of a controller of kube-controller-manager: caches, a queue, workers, and a writer of events. A reconcile
 * that meets a conflict is tried again with a growing delay, on the newer object. So is a reconcile that meets another
 * error, which is logged. An object that vanishes meanwhile is not an error.
 */
export class Reconciler<T extends KubeObject> {
  /** The client of the actor. */
  readonly client: Client;
  /** The clock of the actor. */
  readonly clock: Clock;
  /** The random source of the actor. */
  readonly random: Random;
  /** The logger of the actor. */
  readonly logger: Logger;
  /** Writes events in the name of the actor. */
  readonly events: EventWriter;
  /** The objects to reconcile. */
  readonly objects: SharedInformer<T>;
  readonly #options: ReconcilerOptions<T>;
  readonly #informers: SharedInformerFactory;
  readonly #related = new Set<SharedInformer<never>>();
  #controller: Controller | undefined;

  /** Creates the frame; nothing happens until {@linkcode Reconciler.run} is called. */
  constructor(actor: ActorOptions, options: ReconcilerOptions<T>) {
    this.client = actor.client;
    const { clock, logger, random } = environmentOf(actor, options.name);
    this.clock = clock;
    this.random = random;
    this.logger = logger;
    this.#options = options;
    this.events = new EventWriter(options.name, this);
    this.#informers = actor.informers ??
      actorInformers(this.client, { clock, random, logger });
    this.objects = this.#informers.informer(options.resource);
  }

  /** Returns the cache of another resource, which has synced before the first reconcile. */
  related<R extends KubeObject>(resource: Resource<R>): SharedInformer<R> {
    const informer = this.#informers.informer(resource);
    this.#related.add(informer as unknown as SharedInformer<never>);
    return informer;
  }

  /** Reconciles the object with that key soon. */
  readonly enqueue = (key: string): void => this.#controller?.enqueue(key);

  /** Writes an event about an object of the controller. */
  async writeEvent(
    object: DeepReadonly<T>,
    type: "Normal" | "Warning",
    reason: string,
    message: string,
    signal: AbortSignal,
  ): Promise<void> {
    await this.events.write(this.#options.resource, object, { type, reason, message }, signal);
  }

  /** Runs the controller until `signal` aborts. */
  async run({ signal }: { readonly signal: AbortSignal }): Promise<void> {
    this.#controller = new Controller({
      ...actorRetries(),
      name: this.#options.name,
      informer: this.objects,
      waitFor: [...this.#related],
      clock: this.clock,
      logger: this.logger,
      reconcile: (key, call) => this.#reconcile(key, call.signal),
    });
    await this.#controller.run({ workers: WORKERS, signal });
  }

  async #reconcile(key: string, signal: AbortSignal): Promise<ReconcileResult | void> {
    const object = this.objects.indexer.getByKey(key);
    try {
      if (object === undefined) return await this.#options.gone?.(key, signal);
      return await this.#options.reconcile(object, signal);
    } catch (error) {
      // The delay of the rate limiter, which grows each time.
      if (isConflict(error)) return { requeueAfterMs: 0 };
      unlessNotFound(error);
    }
  }
}

/** Returns the key of an object in caches: its namespace and name. */
export function keyOf({ metadata }: DeepReadonly<KubeObject>): string {
  const { name = "", namespace } = metadata;
  return namespace ? `${namespace}/${name}` : name;
}
