import {
  abortable,
  type CacheEnvironment,
  type Clock,
  describeError,
  inherit,
  LinkedAbort,
  type Logger,
  noopMetrics,
  onAbort,
  PacedLogger,
  realClock,
  requireFunctions,
  requireOptions,
  safeLogger,
  TerminalError,
  TurnBudget,
  untilStopped,
  Waiters,
} from "../../base/mod.ts";
import {
  type Cached,
  explainError,
  type KubeObject,
  type ListerWatcher,
  requireListerWatcher,
  resourceName,
} from "../../types/mod.ts";
import {
  type Item,
  keyOf,
  ObjectCache,
  PackedObject,
  packing,
  Projection,
  wantsObjects,
} from "../packed/mod.ts";
import { DeltaFIFO, type TransformFunc } from "../queue/mod.ts";
import type { WatchErrorHandler } from "../reflector/mod.ts";
import { GenericLister, type Indexers, type ReadonlyIndexer } from "../store/mod.ts";
import { applyDeltas } from "./process_deltas.ts";
import type { HandlerRegistration } from "./handler_registration.ts";
import { IndexerView } from "./indexer_view.ts";
import { Informer } from "./informer.ts";
import { keepKey } from "./keep_key.ts";
import { Lifetime } from "./lifetime.ts";
import { type ChangeObserver, notify } from "./notification.ts";
import { type ChangeHandler, changeOf } from "./object_change.ts";
import {
  type ListenerContext,
  type ListenerOptions,
  ProcessorListener,
} from "./processor_listener.ts";
import { requireHandler, type ResourceEventHandler } from "./resource_event_handler.ts";
import { ResyncSchedule } from "./resync_schedule.ts";
import {
  type EventHandlerOptions,
  HANDLER_CHECKS,
  SHARED_INFORMER_CHECKS,
  type SharedInformerOptions,
  type SharedInformerSnapshot,
} from "./shared_informer_options.ts";
import { SharedProcessor } from "./shared_processor.ts";
import { untilSynced } from "./wait_for_cache_sync.ts";

/**
 * Keeps an indexed cache of a resource and notifies any number of handlers of its changes: client-go's
 * `SharedIndexInformer`. An informer runs once. While it runs, it recovers from every failure of the server and the
 * network.
 *
 * Either one owner runs the informer with {@linkcode SharedInformer.run}, as a `SharedInformerFactory` does, or several
 * users run it together with {@linkcode SharedInformer.runShared}, as `Controller`s do. With users, it runs until the
 * last of them is done. If it stops earlier, each user gets an error that names the informer.
 *
 * Handlers can rely on these rules:
 * - A handler is called after the cache has changed, one call at a time and in order. If it returns a promise, the next
 *   notification follows when the promise has settled. Handlers do not wait for each other, and the cache does not wait
 *   for them.
 * - A handler that is added late is first notified of every object in the cache, with `isInInitialList`.
 * - If a handler throws, the error is logged and counted, and the notification counts as delivered. The next
 *   notification follows at once; client-go pauses for a second.
 * - An update with the same resource version is a replay, by a resync or by a list after a gap. It reaches the handlers
 *   that are due for a resync, and all handlers before the first resync check.
 * - After the stop, nothing more is delivered, and pending notifications are dropped. A call that has started finishes,
 *   and {@linkcode SharedInformer.run} waits for it.
 *
 * Handlers are of two kinds. {@linkcode SharedInformer.addEventHandler} adds a handler that receives objects.
 * {@linkcode SharedInformer.addChangeHandler} adds a handler that receives only the identity of the object, which is
 * enough to put a key on a queue. An informer that has only the second kind does not parse the objects that it receives:
 * it checks the JSON, keeps the bytes outside of the JavaScript heap, and parses an object when it is read. That takes
 * about half the CPU and two thirds of the memory. With the first handler that receives objects, a transform, or an
 * index function other than a path, it parses all objects once and keeps them.
 *
 * Objects are read-only, since handlers and readers may share them. The number of notifications that wait for a slow
 * handler is not bounded, but {@linkcode SharedInformer.snapshot} reports it, and a warning is logged at 10,000.
 *
 * @typeParam T The interface of the objects.
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
export class SharedInformer<T extends KubeObject = KubeObject> {
  /** The name of the informer in log lines and metrics. */
  readonly name: string;
  /** A read-only view of the cache. */
  readonly indexer: ReadonlyIndexer<Cached<T>>;
  /** Clock, random source, logger and metrics, which a Controller of this informer inherits. */
  readonly environment: CacheEnvironment;

  readonly #cache: ObjectCache<T>;
  readonly #listerWatcher: ListerWatcher<Item<T>>;
  readonly #options: SharedInformerOptions<T>;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #pacedLogger: Logger;
  readonly #processor = new SharedProcessor<T>();
  readonly #listenerContext: ListenerContext;
  readonly #syncWaiters = new Waiters();
  readonly #resyncs: ResyncSchedule;
  readonly #lifetime = new Lifetime((signal) => this.#live(signal));
  /** Aborts when the informer stops. */
  readonly #stopping = new AbortController();
  #transform: TransformFunc<T> | undefined;
  #watchErrorHandler: WatchErrorHandler | undefined;
  #informer: Informer<Item<T>> | undefined;
  #unpacking: Promise<void> | undefined;
  #failure: Error | undefined;
  #handlerCount = 0;
  #keyChanges = 0;

  /**
   * Creates an informer, which does nothing until it is run.
   *
   * @param listerWatcher Lists and watches the objects.
   * @param options Options.
   * @throws {RangeError} If a number of the options is out of its range.
   * @throws {TypeError} If the lister-watcher or an option is of the wrong type.
   */
  constructor(listerWatcher: ListerWatcher<T>, options: SharedInformerOptions<T> = {}) {
    requireListerWatcher(listerWatcher);
    const { resource, resyncPeriodMs = 0, transform, watchErrorHandler } = options;
    requireOptions<SharedInformerOptions<T>>("SharedInformer", options, SHARED_INFORMER_CHECKS);
    this.environment = inherit(options, listerWatcher.environment);
    const { clock = realClock, metrics = noopMetrics } = this.environment;
    this.name = options.name ?? (resource === undefined ? "<unspecified>" : resourceName(resource));
    this.#options = options;
    this.#clock = clock;
    this.#logger = safeLogger(this.environment.logger);
    this.#pacedLogger = new PacedLogger(this.#logger, clock);
    this.#resyncs = new ResyncSchedule(resyncPeriodMs, this.#logger);
    this.#transform = transform;
    this.#watchErrorHandler = watchErrorHandler;
    this.#cache = new ObjectCache<T>({
      keepsBytes: listerWatcher.readBy !== undefined && options.keepParsed !== true,
      freezes: this.environment.freezeObjects ?? false,
      keepsFieldsOf: options.resource?.fields ? undefined : options.keepsFieldsOf,
      onCostlyReads: (costs) => this.#logger.warn(`${this.name}: ${costs}`),
    });
    this.#listerWatcher = packing(listerWatcher, this.#cache, options.resource);
    if (transform !== undefined) this.keepParsed();
    this.#addIndexers(options.indexers ?? {});
    this.indexer = new IndexerView(
      this.#cache as unknown as ReadonlyIndexer<Cached<T>>,
      () => this.#informer?.lastStoreSyncResourceVersion() ?? "",
    );
    const errors = metrics.counter("informer_handler_errors_total", { name: this.name });
    this.#listenerContext = {
      clock,
      logger: this.#logger,
      upstreamHasSynced: () => this.hasSynced(),
      whyNotSynced: () => this.whyNotSynced(),
      countError: () => errors.inc(),
    };
  }

  /**
   * Reports whether the informer has been started.
   *
   * @returns True from the start on.
   */
  hasStarted(): boolean {
    return this.#lifetime.hasStarted;
  }

  /**
   * Reports whether the informer has stopped or is stopping. It cannot be started again.
   *
   * @returns True from the stop on.
   */
  isStopped(): boolean {
    return this.#stopping.signal.aborted;
  }

  /**
   * Reports whether the first list is in the cache. Handlers may not have been notified of all its objects yet: see
   * {@linkcode HandlerRegistration.hasSynced}.
   *
   * @returns True from the sync on.
   */
  hasSynced(): boolean {
    return this.#informer?.hasSynced() ?? false;
  }

  /**
   * Waits until {@linkcode SharedInformer.hasSynced} is true. It may be called before the start.
   *
   * @param call The `signal` ends the wait.
   * @throws {Error} If the informer stops first; `call.signal.reason` on abort.
   */
  whenSynced(call: { readonly signal?: AbortSignal | undefined } = {}): Promise<void> {
    return untilSynced(this, this.#syncWaiters, call.signal, () => this.#failure);
  }

  /**
   * Explains why the informer has not synced yet, usually with the last error.
   *
   * @returns A short text for an error message.
   */
  whyNotSynced(): string {
    if (this.#failure !== undefined) return explainError(this.#failure);
    if (this.#informer === undefined) return "it was not started";
    const { lastError, phase } = this.#informer.snapshot();
    if (lastError !== undefined) return explainError(lastError);
    return phase === "listing" || phase === "streaming-list"
      ? "the server has not answered the list yet"
      : `it is ${phase}`;
  }

  /**
   * Returns the resource version of the last list, event or bookmark that was received. The cache may not hold it yet:
   * see `indexer.lastStoreSyncResourceVersion()`.
   *
   * @returns The resource version; empty before the first list.
   */
  lastSyncResourceVersion(): string {
    return this.#informer?.lastSyncResourceVersion() ?? "";
  }

  /**
   * Returns a lister, which reads the cache by label selector or by name, as a client reads the API.
   *
   * @returns The lister.
   * @throws {TypeError} If the informer was created without a resource.
   */
  lister(): GenericLister<Cached<T>> {
    const { resource } = this.#options;
    if (resource === undefined) {
      throw new TypeError("Cannot make a lister: the informer was made without a resource");
    }
    const indexer = this.#cache as unknown as ReadonlyIndexer<Cached<T>>;
    return new GenericLister(indexer, resource, { logger: this.#logger });
  }

  /**
   * Sets a function that changes objects before they are cached. The informer keeps parsed objects.
   *
   * @param transform The function. It may be called twice with an object, and must not change its name or namespace.
   * @throws {Error} If the informer has been started.
   */
  setTransform(transform: TransformFunc<T>): void {
    requireFunctions({ transform });
    this.#requireNotStarted("transform");
    this.#transform = transform;
    this.keepParsed();
  }

  /**
   * Sets the function that is called with failed lists and watches, in place of a log line.
   *
   * @param handler The function.
   * @throws {Error} If the informer has been started.
   */
  setWatchErrorHandler(handler: WatchErrorHandler): void {
    requireFunctions({ watchErrorHandler: handler });
    this.#requireNotStarted("watchErrorHandler");
    this.#watchErrorHandler = handler;
  }

  /**
   * Adds indices to the cache, before or after the start. Unless each function is `metaNamespaceIndexFunc` or comes from
   * `pathIndexFunc`, the informer keeps parsed objects. If it runs already, this call parses them.
   *
   * @param indexers The index functions, by name.
   * @throws {Error} If an index with one of the names exists, or the informer has stopped.
   */
  addIndexers(indexers: Indexers<Cached<T>>): void {
    if (this.isStopped()) {
      throw new Error(`Indexers were not added to ${this.name} because it has stopped already`);
    }
    this.#addIndexers(indexers);
  }

  /**
   * Keeps parsed objects from now on, instead of bytes that are parsed at each read. Call it in programs that read each
   * object often, or list many objects often. Handlers and indices that need parsed objects call it by themselves.
   *
   * If the informer runs already, it parses its objects over several turns of the event loop, and logs that it does.
   * Nothing else changes for handlers and readers.
   */
  keepParsed(): void {
    const cache = this.#cache;
    if (!cache.keepsBytes) return;
    cache.keepParsed();
    if (cache.size === 0) return;
    this.#logger.info(
      `${this.name}: parses its ${cache.size} objects, to keep them parsed from now on`,
    );
    this.#unpacking = this.#unpack().catch(() => {});
  }

  /**
   * Adds a handler that wants objects. If the informer is running, the handler is first notified of every object in the
   * cache. The informer keeps parsed objects from now on.
   *
   * @param handler The handler. If it is added twice, it is notified twice.
   * @param options The resync period of the handler, and whether it wants replays.
   * @returns The registration, which reports when the handler has synced and is used to remove it.
   * @throws {Error} If the informer has stopped.
   * @throws {TypeError} If the handler is not an object, or one of its methods is not a function.
   * @throws {RangeError} If `resyncPeriodMs` is negative or not finite.
   */
  addEventHandler(
    handler: ResourceEventHandler<Cached<T>>,
    options: EventHandlerOptions = {},
  ): HandlerRegistration {
    requireHandler(handler);
    const ofObjects = handler as unknown as ResourceEventHandler<T>;
    const read = (item: Item<T>) => this.#cache.read(item);
    const listener = this.#makeListener((change) => notify(ofObjects, change, read), options);
    this.keepParsed();
    return this.#addListener(listener);
  }

  /**
   * Adds a handler that wants no more than the identity of each changed object. It is notified like the handlers of
   * {@linkcode SharedInformer.addEventHandler}, and costs the informer no parsing.
   *
   * @param handler The handler. If it is added twice, it is notified twice.
   * @param options The resync period of the handler, and whether it wants replays.
   * @returns The registration, which reports when the handler has synced and is used to remove it.
   * @throws {Error} If the informer has stopped.
   * @throws {TypeError} If the handler is not a function.
   * @throws {RangeError} If `resyncPeriodMs` is negative or not finite.
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
   * pods.addChangeHandler(({ type, key }) => void lines.push(`${type} ${key}`));
   * const stop = new AbortController();
   * const running = pods.run({ signal: stop.signal });
   * await clock.run(pods.whenSynced());
   * source.delete({ metadata: { namespace: "default", name: "a" } });
   * await clock.advance(10);
   * assertEquals(lines, ["Added default/a", "Deleted default/a"]);
   *
   * stop.abort();
   * await clock.run(running);
   * ```
   */
  addChangeHandler(handler: ChangeHandler, options: EventHandlerOptions = {}): HandlerRegistration {
    if (typeof handler !== "function") {
      throw new TypeError(
        `Expected a function that is called with changes: received ${typeof handler}`,
      );
    }
    return this.#addListener(this.#makeListener((change) => handler(changeOf(change)), options));
  }

  /**
   * Adds an observer, which gets the changes from now on within the turn in which the cache changes.
   *
   * @returns A function that removes it.
   *
   * @internal
   */
  observe(observer: ChangeObserver<T>): () => void {
    this.#cache.showsOld = true;
    return this.#processor.observe(observer);
  }

  /**
   * Returns an item of the cache; undefined if there is none. Its metadata needs no parsing.
   *
   * @internal
   */
  itemByKey(key: string): Item<T> | undefined {
    return this.#cache.items.getByKey(key);
  }

  /**
   * Returns the object of an item.
   *
   * @internal
   */
  read(item: Item<T>): Cached<T> {
    return this.#cache.read(item) as unknown as Cached<T>;
  }

  /**
   * Returns a function that returns the present version of an item, and parses it only then.
   *
   * @internal
   */
  hold(item: Item<T>): () => Cached<T> {
    return this.#cache.hold(item) as unknown as () => Cached<T>;
  }

  /**
   * Keeps parsed objects from now on, and logs why.
   *
   * @internal
   */
  keepParsedFor(why: string): void {
    if (!this.#cache.keepsBytes) return;
    this.#logger.info(`${this.name}: keeps parsed objects, which take more memory: ${why}`);
    this.keepParsed();
  }

  /**
   * Removes a handler at once. Its pending notifications are dropped; a call that has started finishes. Does nothing if
   * the handler was removed before or belongs to another informer.
   *
   * @param registration The result of {@linkcode SharedInformer.addEventHandler} or
   * {@linkcode SharedInformer.addChangeHandler}.
   */
  removeEventHandler(registration: HandlerRegistration): void {
    if (registration instanceof ProcessorListener) this.#processor.remove(registration);
  }

  /**
   * Removes a handler and waits until its last call has finished or the informer stops. An asynchronous handler that
   * awaits its own removal waits for itself: only the stop of the informer ends that wait.
   *
   * @param registration The result of {@linkcode SharedInformer.addEventHandler}.
   * @throws {Error} If the handler itself calls this function synchronously.
   */
  async shutDownEventHandler(registration: HandlerRegistration): Promise<void> {
    if (!(registration instanceof ProcessorListener)) return;
    if (registration.isCalling) {
      throw new Error(`Cannot wait for the end of ${registration.name} from within the handler`);
    }
    if (!this.#processor.remove(registration)) return;
    await abortable(registration.finished, this.#stopping.signal).catch(() => {});
  }

  /**
   * Fills the cache and keeps it up to date until the signal aborts. Resolves when everything has stopped, the last
   * calls of handlers included. The caller owns the informer: when the signal aborts, the informer stops for everyone.
   *
   * An informer runs once: if it has been started before, the call logs a warning and returns at once.
   *
   * @param call The `signal` stops the informer.
   * @throws {TerminalError} If a request fails with a `TerminalError`, as the requests of a closed client do.
   */
  async run(call: { readonly signal?: AbortSignal | undefined } = {}): Promise<void> {
    if (this.hasStarted()) {
      this.#logger.warn(`${this.name}: the informer was started before and cannot be run twice`);
      return;
    }
    const link = new LinkedAbort(call.signal);
    try {
      await this.#lifetime.own(link.signal);
    } finally {
      link.release();
    }
  }

  /**
   * Uses the informer together with other users. Starts it unless it has been started, and keeps it running until the
   * signal aborts. Unless an owner runs the informer, it stops when the last user is done.
   *
   * Resolves after the signal aborts; for the last user, when everything has stopped.
   *
   * @param call The `signal` ends the use.
   * @throws {TerminalError} If the informer stops, or has stopped, before the signal aborts: its cache is no longer
   * updated.
   */
  async runShared(call: { readonly signal?: AbortSignal | undefined } = {}): Promise<void> {
    if (await this.#lifetime.share(call.signal)) return;
    const why = this.#failure === undefined ? "" : `: ${describeError(this.#failure.cause)}`;
    throw new TerminalError(
      `Informer ${this.name} has stopped, so its cache is no longer updated${why}`,
      { cause: this.#failure },
    );
  }

  /**
   * Returns the state of the informer and its handlers.
   *
   * @returns A copy of the state.
   */
  snapshot(): SharedInformerSnapshot {
    return {
      name: this.name,
      hasStarted: this.hasStarted(),
      isStopped: this.isStopped(),
      hasSynced: this.hasSynced(),
      objects: this.indexer.size,
      objectBytes: this.#cache.keepsBytes ? this.#cache.objectBytes : undefined,
      keyChanges: this.#keyChanges,
      informer: this.#informer?.snapshot(),
      handlers: Array.from(this.#processor.listeners, (listener) => listener.snapshot()),
    };
  }

  /** Runs the informer from its start until everything has stopped. */
  async #live(signal: AbortSignal): Promise<void> {
    const informer = this.#makeInformer();
    this.#informer = informer;
    const release = onAbort(signal, () => this.#stop());
    this.#processor.start();
    const { signal: stopping } = this.#stopping;
    const syncing = informer.whenSynced({ signal: stopping })
      .then(() => this.#noteSynced(), () => {});
    try {
      await informer.run({ signal });
    } catch (error) {
      this.#failure = new TerminalError(`Informer ${this.name} failed: ${describeError(error)}`, {
        cause: error,
      });
      this.#logger.error(this.#failure.message);
    }
    release();
    this.#stop();
    await syncing;
    await this.#unpacking;
    await untilStopped(this.#processor.finished(), {
      clock: this.#clock,
      logger: this.#logger,
      what: () => `${this.name}: stopping, but ${this.#processor.unfinished}`,
    });
    if (this.#failure !== undefined) throw this.#failure;
  }

  #makeInformer(): Informer<Item<T>> {
    const projection = Projection.for(this.#options.resource);
    // Packed objects are projections already.
    const keptPart = projection &&
      ((item: Item<T>): Item<T> => item instanceof PackedObject ? item : projection.of(item));
    const transform = this.#transform &&
      keepKey(this.#transform, {
        onChange: (key) => this.#noteKeyChange(key),
        onFailure: (key, error) =>
          this.#pacedLogger.error(
            `${this.name}: the transform of "${key}" failed, so the object is cached as the server sent it: ${
              describeError(error)
            }`,
          ),
      });
    const {
      indexers: _indexers,
      transform: _transform,
      keepParsed: _keep,
      keepsFieldsOf: _keeps,
      ...options
    } = this.#options;
    return new Informer<Item<T>>({
      ...options,
      ...this.environment,
      name: this.name,
      listerWatcher: this.#listerWatcher,
      queue: new DeltaFIFO<Item<T>>({
        keyFunc: keyOf,
        knownObjects: this.#cache.items,
        emitDeltaTypeReplaced: true,
        transformer: transform === undefined
          ? keptPart
          : (item) => transform(this.#cache.take(keptPart?.(item) ?? item)),
        logger: this.#logger,
      }),
      process: applyDeltas(this.#processor, this.#cache),
      resyncPeriodMs: this.#resyncs.checkPeriodMs,
      shouldResync: () => this.#processor.shouldResync(this.#clock.now()),
      watchErrorHandler: this.#watchErrorHandler,
    });
  }

  #makeListener(
    call: ListenerOptions<T>["call"],
    options: EventHandlerOptions,
  ): ProcessorListener<T> {
    const name = `${this.name} handler ${this.#handlerCount + 1}`;
    requireOptions("addEventHandler()", options, HANDLER_CHECKS);
    if (this.isStopped()) {
      throw new Error(`${name} was not added to shared informer because it has stopped already`);
    }
    this.#handlerCount++;
    return new ProcessorListener<T>(name, {
      call,
      resyncPeriodMs: this.#resyncs.periodFor(name, options.resyncPeriodMs, this),
      wantsReplays: options.replays ?? true,
      context: this.#listenerContext,
    });
  }

  #addListener(listener: ProcessorListener<T>): HandlerRegistration {
    if (this.hasStarted()) {
      for (const item of this.#cache.items.list()) {
        listener.push({ type: "Added", item, old: undefined, isInInitialList: true });
      }
    }
    this.#processor.add(listener);
    return listener;
  }

  #addIndexers(indexers: Indexers<Cached<T>>): void {
    requireFunctions(indexers);
    const indices = indexers as unknown as Indexers<T>;
    if (Object.values(indices).some(wantsObjects)) this.keepParsed();
    this.#cache.addIndexers(indices);
  }

  /** Parses the objects that are still bytes. */
  async #unpack(): Promise<void> {
    const budget = new TurnBudget(this.#clock);
    for (const key of this.#cache.listKeys()) {
      if (budget.isSpent()) await budget.renew(this.#stopping.signal);
      this.#cache.unpack(key);
    }
  }

  #noteKeyChange(key: string): void {
    if (this.#keyChanges++ > 0) return;
    this.#logger.error(
      `${this.name}: the transform changed the name or namespace of "${key}": the cache keeps those of the server; ` +
        "correct the transform, this is logged only once",
    );
  }

  #requireNotStarted(what: string): void {
    if (this.hasStarted()) {
      throw new Error(`Cannot set the ${what} of ${this.name}: informer has already started`);
    }
  }

  #noteSynced(): void {
    this.#syncWaiters.wakeAll();
    for (const listener of this.#processor.listeners) listener.checkSynced();
  }

  #stop(): void {
    if (this.isStopped()) return;
    this.#stopping.abort();
    this.#processor.stop();
    this.#syncWaiters.wakeAll();
    this.#logger.debug(`${this.name}: stopped`);
  }
}
