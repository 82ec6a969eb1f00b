import {
  describeError,
  type Environment,
  inherit,
  isPromiseLike,
  type Logger,
  safeLogger,
} from "../../base/mod.ts";
import type { Cached, KubeObject, ListerWatcher, ResourceDescriptor } from "../../types/mod.ts";
import { applyDeltas } from "./apply_deltas.ts";
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
import type { ReflectorTuning, WatchErrorHandler } from "../reflector/mod.ts";
import type { ResourceEventHandler } from "./resource_event_handler.ts";

/**
 * Options of {@linkcode newInformer}.
 *
 * @typeParam T The interface of the objects.
 */
export interface NewInformerOptions<T extends KubeObject> extends Environment, ReflectorTuning {
  /** Where the objects come from. */
  readonly listerWatcher: ListerWatcher<T>;
  /** Is told what happens, one call after another. Its promises are not waited for; SharedInformer does that. */
  readonly handler?: ResourceEventHandler<Cached<T>> | undefined;
  /** What is listed. Default: anything. */
  readonly resource?: ResourceDescriptor | undefined;
  /** What log lines and metrics call it. Default: the resource's name. */
  readonly name?: string | undefined;
  /** How often the handler is told of everything again, in milliseconds. Default 0: never. */
  readonly resyncPeriodMs?: number | undefined;
  /** Further indices of the store. Default: none. */
  readonly indexers?: Indexers<Cached<T>> | undefined;
  /** Changes objects before they are stored; it may see an object twice. Default: none. */
  readonly transform?: TransformFunc<T> | undefined;
  /** Learns of failed lists and watches. Default: a log line. */
  readonly watchErrorHandler?: WatchErrorHandler | undefined;
}

/**
 * An {@linkcode Informer} that keeps a store and tells one handler: client-go's `NewInformer` and `NewIndexerInformer`.
 *
 * @typeParam T The interface of the objects.
 * @param options What to watch and whom to tell.
 * @returns The informer, to be run, and the store it keeps, to be read.
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
  const environment = inherit(options, options.listerWatcher.environment);
  const logger = safeLogger(environment.logger);
  const store = new IndexedStore<T>(
    metaNamespaceKeyFunc,
    options.indexers as unknown as Indexers<T> | undefined,
  );
  const queue = new DeltaFIFO<T>({
    keyFunc: metaNamespaceKeyFunc,
    knownObjects: store,
    emitDeltaTypeReplaced: true,
    transformer: options.transform && keepKey(options.transform, (key) => {
      logger.error(`The transform changed the name or namespace of "${key}", which is restored`);
    }),
    logger,
  });
  const handler = new UnawaitedHandler(options.handler as ResourceEventHandler<T> ?? {}, logger);
  const informer = new Informer<T>({
    ...options,
    ...environment,
    queue,
    process: (deltas, isInInitialList) => applyDeltas(handler, store, deltas, isInInitialList),
  });
  const indexer = new IndexerView(
    store as unknown as ReadonlyIndexer<Cached<T>>,
    () => informer.lastStoreSyncResourceVersion(),
  );
  return { informer, indexer };
}

/** A handler whose promises nobody waits for, so that their rejections are logged here. */
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
