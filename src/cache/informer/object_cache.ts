import type { KubeObject, ListerWatcher } from "../../types/mod.ts";
import {
  CompactListerWatcher,
  CompactStore,
  type Deliveries,
  type ObjectRef,
  ParsedIndexer,
  RefReader,
} from "../compact/mod.ts";
import type { TransformFunc } from "../queue/mod.ts";
import {
  deletionHandlingMetaNamespaceKeyFunc,
  IndexedStore,
  type Indexer,
  type Indexers,
  type KeyFunc,
} from "../store/mod.ts";

/** What kind of cache an informer keeps; only here is it decided what follows from that. */
export interface ObjectCache<T extends KubeObject, H extends KubeObject> {
  /** Lists and watches what the cache holds. */
  readonly listerWatcher: ListerWatcher<H>;
  readonly keyFunc: KeyFunc<H>;
  /** What the machinery writes to and handlers are told of. */
  readonly store: IndexedStore<H>;
  /** What people read. */
  readonly indexer: Indexer<T>;
  /** Whether what handlers and readers are given is the cache's own, which a change by one would spoil for all. */
  readonly sharesObjects: boolean;
  /** A transform of objects as one of what the cache holds. */
  transformOf(transform: TransformFunc<T>): TransformFunc<H>;
  /** Handlers have got further, or there are none: what they had may go. */
  readonly reclaim: () => void;
}

/** What every cache is made of. */
export interface ObjectCacheOptions<T extends KubeObject> {
  readonly keyFunc: KeyFunc<T> | undefined;
  readonly indexers: Indexers<T>;
}

/** A cache of the objects themselves. */
export function plainCache<T extends KubeObject>(
  listerWatcher: ListerWatcher<T>,
  { keyFunc = deletionHandlingMetaNamespaceKeyFunc, indexers }: ObjectCacheOptions<T>,
): ObjectCache<T, T> {
  const store = new IndexedStore(keyFunc, indexers);
  return {
    listerWatcher,
    keyFunc,
    store,
    indexer: store,
    sharesObjects: true,
    transformOf: (transform) => transform,
    reclaim: () => {},
  };
}

/** A cache of references to bytes, which are parsed when someone reads them. */
export function compactCache<T extends KubeObject>(
  listerWatcher: ListerWatcher<T>,
  { keyFunc, indexers }: ObjectCacheOptions<T>,
  deliveries: Deliveries,
): ObjectCache<T, ObjectRef<T>> {
  const reader = new RefReader<T>(keyFunc);
  const store = new CompactStore<T>(reader.keyOf, deliveries);
  const indexer = new ParsedIndexer(store, reader);
  indexer.addIndexers(indexers);
  return {
    listerWatcher: new CompactListerWatcher(listerWatcher, reader),
    keyFunc: reader.keyOf,
    store,
    indexer,
    sharesObjects: false,
    transformOf: (transform) => (ref) => reader.refTo(transform(ref.object())),
    reclaim: () => store.reclaim(),
  };
}
