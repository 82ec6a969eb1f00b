import {
  type Clock,
  type Counter,
  LinkedAbort,
  type Logger,
  noopMetrics,
  onAbort,
  realClock,
  safeLogger,
  Waiters,
} from "../../base/mod.ts";
import {
  explainError,
  type KubeObject,
  type ListerWatcher,
  resourceName,
} from "../../types/mod.ts";
import { CacheUpdater } from "./cache_updater.ts";
import type { Deliveries } from "../compact/mod.ts";
import { compactCache, type ObjectCache, plainCache } from "./object_cache.ts";
import { type ListenerContext, ProcessorListener } from "./processor_listener.ts";
import { ResyncSchedule } from "./resync_schedule.ts";
import { SharedProcessor } from "./shared_processor.ts";
import { untilSynced } from "./until_synced.ts";
import { DeltaFIFO, type TransformFunc } from "../queue/mod.ts";
import { GenericLister, type Indexer, type Indexers } from "../store/mod.ts";
import type { HandlerRegistration } from "./handler_registration.ts";
import { Informer } from "./informer.ts";
import type { WatchErrorHandler } from "../reflector/mod.ts";
import type { ResourceEventHandler } from "./resource_event_handler.ts";
import type {
  CacheKind,
  EventHandlerOptions,
  Handed,
  SharedInformerOptions,
  SharedInformerSnapshot,
} from "./shared_informer_options.ts";

/**
 * Keeps an indexed cache of a resource and tells any number of handlers what happens to it: client-go's
 * `SharedIndexInformer`. It is made for one resource and run once; while it runs it mends whatever breaks.
 *
 * What handlers may rely on:
 * - They are called after the cache has changed, one call at a time and in order. A handler that returns a promise gets its
 *   next notification when the promise has settled. Handlers do not wait for each other, nor the cache for them.
 * - A handler that is added late is first told of everything in the cache, with `isInInitialList`.
 * - What a handler throws is logged and counted, and the notification counts as delivered. The next one follows without the
 *   pause of a second that client-go makes.
 * - An update with the same resource version is a replay: of a resync, or of a list after a gap. It reaches those whose
 *   resync is due, and everyone before the first resync check.
 * - After the stop signal nothing more is delivered; what was pending is dropped. A call that has begun finishes, and
 *   {@linkcode SharedInformer.run} waits for it.
 *
 * The objects are shared: read-only. What waits for slow handlers has no bound, but shows in
 * {@linkcode SharedInformer.snapshot} and is warned of at 10,000.
 *
 * @typeParam T The interface of the objects.
 * @typeParam C The kind of the cache; with `"compact"` the handlers are given references.
 *
 * @example
 * ```ts
 * import { SharedInformer } from "@kubeloop/controller/cache";
 * import { FakeControllerSource, VirtualClock } from "@kubeloop/testing";
 * import type { Pod } from "@kubeloop/controller/types";
 * import { assertEquals } from "@std/assert";
 *
 * const clock = new VirtualClock();
 * const source = new FakeControllerSource<Pod>();
 * source.add({ metadata: { namespace: "default", name: "a" } });
 *
 * const pods = new SharedInformer<Pod>(source, { name: "pods", clock });
 * const lines: string[] = [];
 * pods.addEventHandler({
 *   onAdd: (pod, isInInitialList) => void lines.push(`${pod.metadata.name} ${isInInitialList}`),
 * });
 * const stop = new AbortController();
 * const running = pods.run({ signal: stop.signal });
 * await clock.run(pods.whenSynced());
 * source.add({ metadata: { namespace: "default", name: "b" } });
 * await clock.advance(10);
 * assertEquals(lines, ["a true", "b false"]);
 * assertEquals(pods.indexer.getByKey("default/a")?.metadata.resourceVersion, "1");
 *
 * stop.abort();
 * await clock.run(running);
 * ```
 */
export class SharedInformer<T extends KubeObject = KubeObject, C extends CacheKind = "plain"> {
  /** What log lines and metrics call it. */
  readonly name: string;
  /** The cache: to be read, and never to be written to. */
  readonly indexer: Indexer<T>;

  readonly #cache: ObjectCache<T, Handed<T, C>>;
  readonly #options: SharedInformerOptions<T, C>;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #processor = new SharedProcessor<Handed<T, C>>();
  readonly #listenerContext: ListenerContext;
  readonly #syncWaiters = new Waiters();
  readonly #resyncs: ResyncSchedule;
  #transform: TransformFunc<T> | undefined;
  #watchErrorHandler: WatchErrorHandler | undefined;
  #informer: Informer<Handed<T, C>> | undefined;
  #isStopped = false;
  #handlerCount = 0;

  /**
   * An informer that does nothing until it is run.
   *
   * @param listerWatcher Where the objects come from.
   * @param options How they are kept.
   */
  constructor(listerWatcher: ListerWatcher<T>, options: SharedInformerOptions<T, C> = {}) {
    const { resource, resyncPeriodMs = 0, metrics = noopMetrics } = options;
    this.name = options.name ?? (resource === undefined ? "<unspecified>" : resourceName(resource));
    this.#options = options;
    this.#clock = options.clock ?? realClock;
    this.#logger = safeLogger(options.logger);
    this.#resyncs = new ResyncSchedule(resyncPeriodMs, this.#logger);
    this.#transform = options.transform;
    this.#cache = makeCache(listerWatcher, options, this.#processor);
    this.indexer = this.#cache.indexer;
    const errors: Counter = metrics.counter("informer_handler_errors_total", { name: this.name });
    this.#listenerContext = {
      clock: this.#clock,
      logger: this.#logger,
      upstreamHasSynced: () => this.hasSynced(),
      whyNotSynced: () => this.whyNotSynced(),
      countError: () => errors.inc(),
      onDelivered: this.#cache.reclaim,
    };
  }

  /** Whether it was run. */
  get hasStarted(): boolean {
    return this.#informer !== undefined;
  }

  /** Whether it was stopped. It cannot be started again. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  /**
   * Whether the first list is in the cache. Handlers may still have to be told: their registrations know.
   *
   * @returns True from then on.
   */
  hasSynced(): boolean {
    return this.#informer?.hasSynced() ?? false;
  }

  /**
   * Waits for {@linkcode SharedInformer.hasSynced}; the informer need not have been started.
   *
   * @param call Its `signal` ends the waiting.
   * @throws {Error} When it is stopped before; `call.signal.reason` on abort.
   */
  whenSynced(call: { readonly signal?: AbortSignal } = {}): Promise<void> {
    return untilSynced(this, this.#syncWaiters, call.signal);
  }

  /**
   * Why it has not synced yet, for an error message: most often the last error.
   *
   * @returns A few words.
   */
  whyNotSynced(): string {
    if (this.#informer === undefined) return "it was not started";
    const { lastError, phase } = this.#informer.snapshot();
    if (lastError !== undefined) return explainError(lastError);
    return phase === "listing" || phase === "streaming-list"
      ? "the server has not answered the list yet"
      : `it is ${phase}`;
  }

  /**
   * The version of the last list, event or bookmark.
   *
   * @returns The version; empty before the informer was started and has listed.
   */
  lastSyncResourceVersion(): string {
    return this.#informer?.lastSyncResourceVersion() ?? "";
  }

  /**
   * Reads the cache the way one reads the API.
   *
   * @returns A lister.
   * @throws {TypeError} When the informer was made without a resource.
   */
  lister(): GenericLister<T> {
    const { resource } = this.#options;
    if (resource === undefined) {
      throw new TypeError("Cannot make a lister: the informer was made without a resource");
    }
    return new GenericLister(this.indexer, resource, { logger: this.#logger });
  }

  /**
   * Sets what changes objects before they are cached.
   *
   * @param transform The function; it may see an object twice.
   * @throws {Error} When the informer has been started.
   */
  setTransform(transform: TransformFunc<T>): void {
    this.#requireNotStarted("transform");
    this.#transform = transform;
  }

  /**
   * Sets what learns of failed lists and watches, in place of a log line.
   *
   * @param handler The function.
   * @throws {Error} When the informer has been started.
   */
  setWatchErrorHandler(handler: WatchErrorHandler): void {
    this.#requireNotStarted("watchErrorHandler");
    this.#watchErrorHandler = handler;
  }

  /**
   * Adds indices to the cache, also while it is in use.
   *
   * @param indexers The index functions, by name.
   * @throws {Error} When a name is taken, or the informer was stopped.
   */
  addIndexers(indexers: Indexers<T>): void {
    if (this.#isStopped) {
      throw new Error(`Indexers were not added to ${this.name} because it has stopped already`);
    }
    this.indexer.addIndexers(indexers);
  }

  /**
   * Adds a handler. When the informer runs, the handler is told of everything that is in the cache first.
   *
   * @param handler The handler; one that is added twice is told twice.
   * @param options How often it is told of everything again.
   * @returns The registration: to know when it has synced, and to remove it.
   * @throws {Error} When the informer was stopped.
   */
  addEventHandler(
    handler: ResourceEventHandler<Handed<T, C>>,
    options: EventHandlerOptions = {},
  ): HandlerRegistration {
    const name = `${this.name} handler ${this.#handlerCount + 1}`;
    if (this.#isStopped) {
      throw new Error(`${name} was not added to shared informer because it has stopped already`);
    }
    this.#handlerCount++;
    const resyncPeriodMs = this.#resyncs.periodFor(name, options.resyncPeriodMs, this);
    const listener = new ProcessorListener<Handed<T, C>>(name, handler, {
      context: this.#listenerContext,
      resyncPeriodMs,
    });
    if (this.hasStarted) {
      const index = this.#processor.lastIndex;
      for (const obj of this.#cache.store.list()) {
        listener.push({ kind: "add", obj, isInInitialList: true, index });
      }
    }
    this.#processor.add(listener);
    return listener;
  }

  /**
   * Removes a handler at once: what is pending for it is dropped, and only a call that has begun still finishes. Harmless
   * when it was removed before, belongs to another informer, or the informer was stopped.
   *
   * @param registration What {@linkcode SharedInformer.addEventHandler} returned.
   */
  removeEventHandler(registration: HandlerRegistration): void {
    if (registration instanceof ProcessorListener) this.#remove(registration);
  }

  /**
   * Removes a handler and waits until its last call has finished.
   *
   * @param registration What {@linkcode SharedInformer.addEventHandler} returned.
   * @throws {Error} When it is called by the handler itself, whose end it would wait for.
   */
  async shutDownEventHandler(registration: HandlerRegistration): Promise<void> {
    if (!(registration instanceof ProcessorListener)) return;
    if (registration.isCalling) {
      throw new Error(`Cannot wait for the end of ${registration.name} from within it`);
    }
    if (this.#remove(registration)) await registration.finished;
  }

  /**
   * Fills the cache and keeps it up to date until the signal aborts. Resolves when everything has stopped, the last calls
   * of handlers included.
   *
   * It can be run once: a second time it logs a warning and returns at once.
   *
   * @param call Its `signal` is the only way to stop.
   */
  async run(call: { readonly signal?: AbortSignal } = {}): Promise<void> {
    if (this.hasStarted) {
      this.#logger.warn(
        `${this.name}: the informer has been started before and cannot be run twice`,
      );
      return;
    }
    const { listerWatcher, keyFunc, store, sharesObjects, reclaim } = this.#cache;
    const queue = new DeltaFIFO<Handed<T, C>>({
      keyFunc,
      knownObjects: store,
      emitDeltaTypeReplaced: true,
      transformer: this.#transform && this.#cache.transformOf(this.#transform),
      logger: this.#logger,
    });
    const informer = new Informer<Handed<T, C>>({
      ...this.#options,
      name: this.name,
      queue,
      listerWatcher,
      process: new CacheUpdater(store, this.#processor, {
        freezeObjects: (this.#options.freezeObjects ?? false) && sharesObjects,
        reclaim,
        storeVersion: this.#options.metrics?.gauge("informer_store_resource_version", {
          name: this.name,
        }),
      }).process,
      resyncPeriodMs: this.#resyncs.checkPeriodMs,
      shouldResync: () => this.#processor.shouldResync(this.#clock.now()),
      ...(this.#watchErrorHandler && { watchErrorHandler: this.#watchErrorHandler }),
    });
    this.#informer = informer;
    const link = new LinkedAbort(call.signal);
    const { signal } = link;
    const release = onAbort(signal, () => this.#stop());
    this.#processor.start();
    const syncing = informer.whenSynced({ signal }).then(() => this.#noteSynced(), () => {});
    await informer.run({ signal });
    link.abort();
    this.#stop();
    release();
    await syncing;
    await this.#processor.finished();
  }

  /**
   * What it is doing and how it has fared, handler by handler.
   *
   * @returns A copy of its state.
   */
  snapshot(): SharedInformerSnapshot {
    return {
      name: this.name,
      hasStarted: this.hasStarted,
      isStopped: this.#isStopped,
      hasSynced: this.hasSynced(),
      objects: this.indexer.size,
      informer: this.#informer?.snapshot(),
      handlers: Array.from(this.#processor.listeners, (listener) => listener.snapshot()),
    };
  }

  #requireNotStarted(what: string): void {
    if (this.hasStarted) {
      throw new Error(`Cannot set the ${what} of ${this.name}: informer has already started`);
    }
  }

  #remove(listener: ProcessorListener<Handed<T, C>>): boolean {
    const isRemoved = this.#processor.remove(listener);
    if (isRemoved) this.#cache.reclaim();
    return isRemoved;
  }

  #noteSynced(): void {
    this.#syncWaiters.wakeAll();
    for (const listener of this.#processor.listeners) listener.checkSynced();
  }

  #stop(): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#processor.stop();
    this.#cache.reclaim();
    this.#syncWaiters.wakeAll();
    this.#logger.debug(`${this.name}: stopped`);
  }
}

function makeCache<T extends KubeObject, C extends CacheKind>(
  listerWatcher: ListerWatcher<T>,
  { cache, keyFunc, indexers = {} }: SharedInformerOptions<T, C>,
  deliveries: Deliveries,
): ObjectCache<T, Handed<T, C>> {
  const options = { keyFunc, indexers };
  const made = cache === "compact"
    ? compactCache(listerWatcher, options, deliveries)
    : plainCache(listerWatcher, options);
  return made as unknown as ObjectCache<T, Handed<T, C>>;
}
