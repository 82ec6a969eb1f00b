import {
  describeError,
  type Environment,
  ENVIRONMENT_CHECKS,
  inherit,
  isDelay,
  isFunction,
  isObject,
  isPromiseLike,
  isText,
  type Logger,
  type OptionChecks,
  PacedLogger,
  realClock,
  requireOptions,
  safeLogger,
} from "../../base/mod.ts";
import type { Cached, KubeObject, ListerWatcher, ResourceDescriptor } from "../../types/mod.ts";
import { applyDeltas } from "./process_deltas.ts";
import {
  type DeletedFinalStateUnknown,
  IndexedStore,
  type Indexers,
  metaNamespaceKeyFunc,
  type ReadonlyIndexer,
} from "../store/mod.ts";
import { IndexerView } from "./indexer_view.ts";
import { keepKey } from "./keep_key.ts";
import { DeltaFIFO, type TransformFunc } from "../queue/mod.ts";
import { Informer } from "./informer.ts";
import { type ReflectorTuning, TUNING_CHECKS, type WatchErrorHandler } from "../reflector/mod.ts";
import type { ResourceEventHandler } from "./resource_event_handler.ts";

/**
 * Options of {@linkcode newInformer}.
 *
 * @typeParam T The interface of the objects.
 */
export interface NewInformerOptions<T extends KubeObject> extends Environment, ReflectorTuning {
  /** Lists and watches the objects. */
  readonly listerWatcher: ListerWatcher<T>;
  /**
   * Notified of changes, one call after another. Promises that it returns are not awaited; a SharedInformer awaits
   * them.
   */
  readonly handler?: ResourceEventHandler<Cached<T>> | undefined;
  /** The listed resource; events of another kind are skipped. Default: events of every kind are accepted. */
  readonly resource?: ResourceDescriptor | undefined;
  /** The name of the informer in log lines and metrics. Default: the name of the resource. */
  readonly name?: string | undefined;
  /**
   * The resync period, after which the handler is notified of every object again, in milliseconds. Default 0: never.
   */
  readonly resyncPeriodMs?: number | undefined;
  /** The indices of the store. Default: none. */
  readonly indexers?: Indexers<Cached<T>> | undefined;
  /** Changes objects before they are stored. It may be called twice with an object. Default: none. */
  readonly transform?: TransformFunc<T> | undefined;
  /** Called with failed lists and watches. Default: writes a log line. */
  readonly watchErrorHandler?: WatchErrorHandler | undefined;
}

const CHECKS: OptionChecks<NewInformerOptions<KubeObject>> = {
  ...ENVIRONMENT_CHECKS,
  ...TUNING_CHECKS,
  listerWatcher: isObject,
  handler: isObject,
  resource: isObject,
  name: isText,
  resyncPeriodMs: isDelay,
  indexers: isObject,
  transform: isFunction,
  watchErrorHandler: isFunction,
};

/**
 * Creates an {@linkcode Informer} with a store and one handler: client-go's `NewInformer` and `NewIndexerInformer`.
 *
 * @typeParam T The interface of the objects.
 * @param options The lister-watcher, the handler and further options.
 * @returns The informer, which the caller runs, and a read-only view of its store.
 *
 * @example
 * ```ts
 * import { newInformer } from "@kubeloop/controller/cache";
 * import { FakeControllerSource, VirtualClock } from "@kubeloop/testing";
 * import type { Pod } from "@kubeloop/controller/types";
 * import { assertEquals } from "@std/assert";
 *
 * const clock = new VirtualClock();
 * const source = new FakeControllerSource<Pod>();
 * const lines: string[] = [];
 * const { informer, indexer } = newInformer<Pod>({
 *   clock,
 *   listerWatcher: source,
 *   handler: { onAdd: (pod) => void lines.push(`added ${pod.metadata.name}`) },
 * });
 *
 * const stop = new AbortController();
 * const running = informer.run({ signal: stop.signal });
 * source.add({ metadata: { name: "a" } });
 * await clock.advance(10);
 * assertEquals(lines, ["added a"]);
 * assertEquals(indexer.listKeys(), ["a"]);
 * stop.abort();
 * await clock.run(running);
 * ```
 */
export function newInformer<T extends KubeObject = KubeObject>(
  options: NewInformerOptions<T>,
): { readonly informer: Informer<T>; readonly indexer: ReadonlyIndexer<Cached<T>> } {
  requireOptions<NewInformerOptions<T>>("newInformer()", options, CHECKS);
  const { handler = {}, indexers, transform, ...config } = options;
  const environment = inherit(options, options.listerWatcher.environment);
  const logger = safeLogger(environment.logger);
  const paced = new PacedLogger(logger, environment.clock ?? realClock);
  const store = new IndexedStore<T>(
    metaNamespaceKeyFunc,
    indexers as unknown as Indexers<T> | undefined,
  );
  const queue = new DeltaFIFO<T>({
    keyFunc: metaNamespaceKeyFunc,
    knownObjects: store,
    emitDeltaTypeReplaced: true,
    transformer: transform && keepKey(transform, {
      onChange: (key) =>
        logger.error(`The transform changed the name or namespace of "${key}": both are restored`),
      onFailure: (key, error) =>
        paced.error(
          `The transform of "${key}" failed, so the object is cached as the server sent it: ${
            describeError(error)
          }`,
        ),
    }),
    logger,
  });
  const unawaited = new UnawaitedHandler(handler as ResourceEventHandler<T>, logger);
  const informer = new Informer<T>({
    ...config,
    ...environment,
    queue,
    process: applyDeltas(unawaited, store),
  });
  const indexer = new IndexerView(
    store as unknown as ReadonlyIndexer<Cached<T>>,
    () => informer.lastStoreSyncResourceVersion(),
  );
  return { informer, indexer };
}

/** Calls a handler without awaiting its promises, and logs their rejections. */
class UnawaitedHandler<T> implements ResourceEventHandler<T> {
  readonly #handler: ResourceEventHandler<T>;
  readonly #logger: Logger;

  constructor(handler: ResourceEventHandler<T>, logger: Logger) {
    this.#handler = handler;
    this.#logger = logger;
  }

  onAdd(obj: T, isInInitialList: boolean): void {
    this.#observe(this.#handler.onAdd?.(obj, isInInitialList));
  }

  onUpdate(oldObj: T, newObj: T): void {
    this.#observe(this.#handler.onUpdate?.(oldObj, newObj));
  }

  onDelete(obj: T | DeletedFinalStateUnknown<T>): void {
    this.#observe(this.#handler.onDelete?.(obj));
  }

  #observe(result: unknown): void {
    if (!isPromiseLike(result)) return;
    result.then(undefined, (error) => {
      this.#logger.error(`An informer's handler rejected: ${describeError(error)}`);
    });
  }
}
