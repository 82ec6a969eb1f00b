import { type Clock, type Environment, inherit, LinkedAbort, realClock } from "../../base/mod.ts";
import {
  type KubeObject,
  type ListerWatcherSource,
  type ListWatchScope,
  type Resource,
  resourceName,
} from "../../types/mod.ts";
import { metaNamespaceIndexFunc, NAMESPACE_INDEX } from "../store/mod.ts";
import type { ReflectorTuning, WatchErrorHandler } from "../reflector/mod.ts";
import { SharedInformer } from "./shared_informer.ts";
import type { CacheKind, SharedInformerSnapshot } from "./shared_informer_options.ts";
import {
  type SyncableCache,
  waitForCacheSync,
  type WaitForCacheSyncOptions,
} from "./wait_for_cache_sync.ts";

/** Options of a {@linkcode SharedInformerFactory}. */
export interface SharedInformerFactoryOptions extends Environment, ReflectorTuning {
  /** How often handlers are told of everything again, in milliseconds. Default 0: never. */
  readonly resyncPeriodMs?: number | undefined;
  /** The namespace of informers that are not asked for with one. Default: all. */
  readonly namespace?: string | undefined;
  /** Changes objects of every kind before they are cached; it may see an object twice. Default: none. */
  readonly transform?: (<T extends KubeObject>(obj: T) => T) | undefined;
  /** Called with failed lists and watches of all informers. Default: writes a log line. */
  readonly watchErrorHandler?: WatchErrorHandler | undefined;
  /** Whether cached objects are frozen; for development and tests. Default false. */
  readonly freezeObjects?: boolean | undefined;
}

/** Options of {@linkcode SharedInformerFactory.informer}. */
export interface InformerOptions<C extends CacheKind = "plain"> extends ListWatchScope {
  /** How the objects are kept; see {@linkcode SharedInformerOptions.cache}. Default `"plain"`. */
  readonly cache?: C | undefined;
}

/** One informer of the factory. */
interface Entry {
  readonly informer: AnyInformer;
  /** Settles when the informer has stopped, if it was started here; never rejects, since the informer logs why it failed. */
  running: Promise<void> | undefined;
}

/** An informer of any kind, as far as the factory needs it. */
type AnyInformer = Pick<
  SharedInformer,
  "hasStarted" | "run" | "runShared" | "snapshot" | keyof SyncableCache
>;

/**
 * Makes informers, one for each resource and selection, so that all parts of a program share their caches; and starts and
 * stops them together.
 *
 * @example
 * ```ts
 * import { SharedInformerFactory } from "@kubeloop/controller/cache";
 * import { FakeControllerSource, VirtualClock } from "@kubeloop/testing";
 * import { type ListerWatcherSource, Pods } from "@kubeloop/controller/types";
 * import { assertEquals } from "@std/assert";
 *
 * // In a program this is a Client.
 * const source: ListerWatcherSource = { listerWatcher: () => new FakeControllerSource() };
 *
 * const clock = new VirtualClock();
 * await using informers = new SharedInformerFactory(source, { clock });
 * const pods = informers.informer(Pods, { namespace: "default" });
 * informers.start();
 * await clock.run(informers.waitForCacheSync({ timeoutMs: 5000 }));
 * assertEquals(pods.lister().list(), []);
 * assertEquals(informers.informer(Pods, { namespace: "default" }), pods);
 * ```
 */
export class SharedInformerFactory {
  readonly #source: ListerWatcherSource;
  readonly #options: SharedInformerFactoryOptions;
  readonly #clock: Clock;
  readonly #entries = new Map<string, Entry>();
  /** Stops the informers that were started without a signal; all of them at disposal. */
  readonly #ownSignal = new LinkedAbort();
  readonly #links = new Set<LinkedAbort>();
  #isShutDown = false;

  /**
   * A factory without informers.
   *
   * @param source Where the objects come from: a Client.
   * @param options What all informers have in common.
   */
  constructor(source: ListerWatcherSource, options: SharedInformerFactoryOptions = {}) {
    this.#source = source;
    const environment = inherit(options, source.environment);
    this.#options = { ...options, ...environment };
    this.#clock = environment.clock ?? realClock;
  }

  /**
   * The informer of a resource; the same one whenever the same is asked for. It has an index by namespace.
   *
   * @typeParam T The interface of the objects.
   * @typeParam C The kind of the cache.
   * @param resource The resource.
   * @param options Which of its objects, and how they are kept.
   * @returns The informer, which {@linkcode SharedInformerFactory.start} starts.
   */
  informer<T extends KubeObject, C extends CacheKind = "plain">(
    resource: Resource<T>,
    { cache, ...options }: InformerOptions<C> = {},
  ): SharedInformer<T, C> {
    const selection = this.#selectionOf(options);
    const { group, version, plural, metadataOnly = false } = resource;
    const key = JSON.stringify([
      group,
      version,
      plural,
      metadataOnly,
      selection.namespace ?? "",
      selection.labelSelector ?? "",
      selection.fieldSelector ?? "",
      cache ?? "plain",
    ]);
    const known = this.#entries.get(key);
    if (known !== undefined) return known.informer as unknown as SharedInformer<T, C>;

    const informer = new SharedInformer<T, C>(this.#source.listerWatcher(resource, selection), {
      ...this.#options,
      ...(cache !== undefined && { cache }),
      resource,
      name: nameOf(resource, selection),
      indexers: { [NAMESPACE_INDEX]: metaNamespaceIndexFunc },
    });
    this.#entries.set(key, { informer, running: undefined });
    return informer;
  }

  /**
   * Starts all informers that have not been started. Call it again after asking for more.
   *
   * The factory owns those that it starts: they stop for everyone when the signal aborts. Those that run already, it uses
   * together with those who run them.
   *
   * @param call Its `signal` stops them; without one {@linkcode SharedInformerFactory.shutdown} does.
   */
  start(call: { readonly signal?: AbortSignal | undefined } = {}): void {
    if (this.#isShutDown) return;
    for (const entry of this.#entries.values()) {
      if (entry.running !== undefined) continue;
      const link = new LinkedAbort(call.signal ?? this.#ownSignal.signal);
      this.#links.add(link);
      const ended = () => {
        link.release();
        this.#links.delete(link);
      };
      // An informer that others run, such as a controller, is kept running for the factory's other users.
      const { informer } = entry;
      const running = informer.hasStarted() ? informer.runShared(link) : informer.run(link);
      entry.running = running.then(ended, ended);
    }
  }

  /**
   * Waits until the caches of all informers that have been started are synced.
   *
   * @param options How long to wait.
   * @throws {Error} When the time is over; the message says which informers have not synced, and why.
   */
  waitForCacheSync(options: Omit<WaitForCacheSyncOptions, "clock"> = {}): Promise<void> {
    const started = [...this.#entries.values()]
      .map(({ informer }) => informer)
      .filter((informer) => informer.hasStarted());
    return waitForCacheSync({ ...options, clock: this.#clock }, ...started);
  }

  /**
   * Starts nothing any more, and resolves when all informers that were started here have stopped. Those that were started
   * with a signal stop when it aborts, before or while this waits; the others are stopped.
   */
  async shutdown(): Promise<void> {
    this.#isShutDown = true;
    this.#ownSignal.abort();
    await Promise.all(Array.from(this.#entries.values(), ({ running }) => running));
  }

  /** Stops all informers that were started here, and waits for their end. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const link of [...this.#links]) link.abort();
    await this.shutdown();
  }

  /**
   * What each informer is doing and how it has fared.
   *
   * @returns Copies of their states.
   */
  snapshot(): SharedInformerSnapshot[] {
    return Array.from(this.#entries.values(), ({ informer }) => informer.snapshot());
  }

  #selectionOf(options: ListWatchScope): ListWatchScope {
    return { ...options, namespace: options.namespace ?? this.#options.namespace };
  }
}

/** The resource, and what of it, so that log lines tell two informers of one resource apart. */
function nameOf<T extends KubeObject>(
  resource: Resource<T>,
  { namespace, labelSelector, fieldSelector }: ListWatchScope,
): string {
  const form = resource.metadataOnly && "metadata";
  const parts = [form, namespace && `in ${namespace}`, labelSelector, fieldSelector].filter(
    Boolean,
  );
  const name = resourceName(resource);
  return parts.length === 0 ? name : `${name} (${parts.join(", ")})`;
}
