import {
  type CacheEnvironment,
  type Clock,
  ENVIRONMENT_CHECKS,
  inherit,
  isDelay,
  isFlag,
  isFunction,
  isText,
  LinkedAbort,
  type Logger,
  type OptionChecks,
  realClock,
  requireMethods,
  requireOptions,
  safeLogger,
} from "../../base/mod.ts";
import {
  keptPart,
  type KubeObject,
  type ListerWatcherSource,
  type ListWatchScope,
  type Resource,
  resourceName,
} from "../../types/mod.ts";
import { metaNamespaceIndexFunc, NAMESPACE_INDEX } from "../store/mod.ts";
import { type ReflectorTuning, TUNING_CHECKS, type WatchErrorHandler } from "../reflector/mod.ts";
import { SharedInformer } from "./shared_informer.ts";
import type { SharedInformerSnapshot } from "./shared_informer_options.ts";
import {
  type SyncableCache,
  waitForCacheSync,
  type WaitForCacheSyncOptions,
} from "./wait_for_cache_sync.ts";

/** Options of a {@linkcode SharedInformerFactory}. */
export interface SharedInformerFactoryOptions extends CacheEnvironment, ReflectorTuning {
  /** The resync period, after which handlers are notified of every object again, in milliseconds. Default 0: never. */
  readonly resyncPeriodMs?: number | undefined;
  /** The namespace of informers that are requested without a namespace. Default: all namespaces. */
  readonly namespace?: string | undefined;
  /** Changes objects of every kind before they are cached. It may be called twice with an object. Default: none. */
  readonly transform?: (<T extends KubeObject>(obj: T) => T) | undefined;
  /** Called with failed lists and watches of all informers. Default: writes a log line. */
  readonly watchErrorHandler?: WatchErrorHandler | undefined;
  /** Whether all informers keep parsed objects from the start; see {@linkcode SharedInformer.keepParsed}. Default false. */
  readonly keepParsed?: boolean | undefined;
  /**
   * Reports whether the field sets of a field manager are kept; see {@linkcode SharedInformerOptions.keepsFieldsOf}. Default:
   * all are kept.
   */
  readonly keepsFieldsOf?: ((manager: string) => boolean) | undefined;
}

const CHECKS: OptionChecks<SharedInformerFactoryOptions> = {
  ...ENVIRONMENT_CHECKS,
  ...TUNING_CHECKS,
  resyncPeriodMs: isDelay,
  namespace: isText,
  transform: isFunction,
  watchErrorHandler: isFunction,
  keepParsed: isFlag,
  keepsFieldsOf: isFunction,
};

/** One informer of the factory. */
interface Entry {
  readonly informer: AnyInformer;
  /**
   * Resolves when the informer has stopped; undefined if the factory did not start it. It never rejects, since the
   * informer logs its failure.
   */
  running: Promise<void> | undefined;
}

/** The part of an informer that the factory needs, for every type of object. */
type AnyInformer = Pick<
  SharedInformer,
  "hasStarted" | "run" | "runShared" | "snapshot" | keyof SyncableCache
>;

/**
 * Creates one informer for each resource and selection, so that all parts of a program share the caches, and starts and
 * stops the informers together.
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
  readonly #logger: Logger;
  readonly #entries = new Map<string, Entry>();
  /** Stops the informers that were started without a signal. */
  readonly #ownSignal = new LinkedAbort();
  /** One for each running informer that the factory started, so that disposal can stop them all. */
  readonly #links = new Set<LinkedAbort>();
  #isShutDown = false;

  /**
   * Creates a factory without informers.
   *
   * @param source The source of lister-watchers, such as a Client.
   * @param options Options that all informers share.
   * @throws {RangeError} If a number of the options is out of its range.
   * @throws {TypeError} If the source cannot make lister-watchers.
   */
  constructor(source: ListerWatcherSource, options: SharedInformerFactoryOptions = {}) {
    requireMethods("a source of lister-watchers, such as a Client", source, "listerWatcher");
    requireOptions("SharedInformerFactory", options, CHECKS);
    this.#source = source;
    const environment = inherit(options, source.environment);
    this.#options = { ...options, ...environment };
    this.#clock = environment.clock ?? realClock;
    this.#logger = safeLogger(environment.logger);
  }

  /**
   * Returns the informer of a resource: the same one for the same resource and options. It has an index by namespace.
   *
   * @typeParam T The interface of the objects.
   * @param resource The resource.
   * @param scope The selection of objects.
   * @returns The informer, which {@linkcode SharedInformerFactory.start} starts.
   */
  informer<T extends KubeObject>(
    resource: Resource<T>,
    scope: ListWatchScope = {},
  ): SharedInformer<T> {
    const selection = { ...scope, namespace: scope.namespace ?? this.#options.namespace };
    const { group, version, plural } = resource;
    const key = JSON.stringify([
      group,
      version,
      plural,
      keptPart(resource),
      selection.namespace ?? "",
      selection.labelSelector ?? "",
      selection.fieldSelector ?? "",
    ]);
    const known = this.#entries.get(key);
    if (known !== undefined) return known.informer as unknown as SharedInformer<T>;

    const { namespace: _namespace, ...options } = this.#options;
    const informer = new SharedInformer<T>(this.#source.listerWatcher(resource, selection), {
      ...options,
      resource,
      name: nameOf(resource, selection),
      indexers: { [NAMESPACE_INDEX]: metaNamespaceIndexFunc },
    });
    this.#entries.set(key, { informer, running: undefined });
    return informer;
  }

  /**
   * Starts all informers that have not been started yet. Call it again after requesting further informers.
   *
   * The factory owns the informers that it starts: they stop for all users when the signal aborts. Informers that run
   * already, for example because a controller has started them, are kept running for the users of the factory.
   *
   * @param call The `signal` stops the informers; without a signal, {@linkcode SharedInformerFactory.shutdown} does.
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
      // An informer that another user runs, such as a controller, is kept running for the factory's other users.
      const { informer } = entry;
      const running = informer.hasStarted() ? informer.runShared(link) : informer.run(link);
      entry.running = running.then(ended, ended);
    }
  }

  /**
   * Forgets an informer: the factory makes a new one when it is requested again. The informer itself is not stopped.
   *
   * @param informer The informer.
   */
  forget(informer: Pick<SharedInformer, "name">): void {
    for (const [key, entry] of this.#entries) {
      if ((entry.informer as unknown) === informer) this.#entries.delete(key);
    }
  }

  /**
   * Waits until the caches of all started informers have synced.
   *
   * @param options The timeout and the signal of the wait.
   * @throws {Error} On timeout, or if an informer stops first. The message names the informers that have not synced,
   * and why. If there are informers and none was started, it resolves at once, as in client-go, and logs a warning.
   */
  async waitForCacheSync(options: Omit<WaitForCacheSyncOptions, "clock"> = {}): Promise<void> {
    const informers = Array.from(this.#entries.values(), ({ informer }) => informer);
    const started = informers.filter((informer) => informer.hasStarted());
    if (informers.length > 0 && started.length === 0) {
      const names = informers.map(({ name }) => name).join(", ");
      this.#logger.warn(
        `waitForCacheSync() has nothing to wait for: call start() first, which starts ${names}`,
      );
    }
    await waitForCacheSync({ ...options, clock: this.#clock }, ...started);
  }

  /**
   * Stops the informers that the factory started without a signal, and waits until all informers that it started have
   * stopped. An informer that was started with a signal stops when that signal aborts. The factory starts no further
   * informers.
   */
  async shutdown(): Promise<void> {
    this.#isShutDown = true;
    this.#ownSignal.abort();
    await Promise.all(Array.from(this.#entries.values(), ({ running }) => running));
  }

  /** Stops all informers that the factory started, and waits for their end. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const link of [...this.#links]) link.abort();
    await this.shutdown();
  }

  /**
   * Returns the states of all informers.
   *
   * @returns Copies of the states.
   */
  snapshot(): SharedInformerSnapshot[] {
    return Array.from(this.#entries.values(), ({ informer }) => informer.snapshot());
  }
}

/**
 * Returns the name of an informer: the resource and the selection, so that log lines distinguish two informers of a
 * resource.
 */
function nameOf<T extends KubeObject>(
  resource: Resource<T>,
  { namespace, labelSelector, fieldSelector }: ListWatchScope,
): string {
  const { fields, metadataOnly } = resource;
  const form = metadataOnly && "metadata";
  const kept = fields && `fields ${fields.map((names) => names.join(".")).join(" ")}`;
  const parts = [form, kept, namespace && `in ${namespace}`, labelSelector, fieldSelector].filter(
    Boolean,
  );
  const name = resourceName(resource);
  return parts.length === 0 ? name : `${name} (${parts.join(", ")})`;
}
