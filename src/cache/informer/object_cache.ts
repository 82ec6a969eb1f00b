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

/** The kind of cache that an informer keeps. Everything that depends on the kind is decided here. */
export interface ObjectCache<T extends KubeObject, H extends KubeObject> {
  /** Lists and watches what the cache holds. */
  readonly listerWatcher: ListerWatcher<H>;
  readonly keyFunc: KeyFunc<H>;
  /** Holds what popped deltas are applied to and handlers are notified of. */
  readonly store: IndexedStore<H>;
  /** The cache as its users read it. */
  readonly indexer: Indexer<T>;
  /** Returns how many bytes the objects of a compact cache take; undefined for other caches. */
  liveBytes(): number | undefined;
  /** Whether handlers and readers share the objects of the cache. */
  readonly sharesObjects: boolean;
  /** Adapts a transform of objects to what the cache holds. */
  transformOf(transform: TransformFunc<T>): TransformFunc<H>;
  /** Called when handlers have consumed notifications; frees the versions that nobody refers to any more. */
  readonly reclaim: () => void;
}

/** A cache of the objects themselves. */
export function plainCache<T extends KubeObject>(
  listerWatcher: ListerWatcher<T>,
  indexers: Indexers<T>,
): ObjectCache<T, T> {
  const store = new IndexedStore<T>(deletionHandlingMetaNamespaceKeyFunc, indexers);
  return {
    listerWatcher,
    keyFunc: deletionHandlingMetaNamespaceKeyFunc,
    store,
    indexer: store,
    liveBytes: () => undefined,
    sharesObjects: true,
    transformOf: (transform) => transform,
    reclaim: () => {},
  };
}

/** A cache of references to bytes, which are parsed when someone reads them. */
export function compactCache<T extends KubeObject>(
  listerWatcher: ListerWatcher<T>,
  indexers: Indexers<T>,
  deliveries: Deliveries,
): ObjectCache<T, ObjectRef<T>> {
  const reader = new RefReader<T>();
  const store = new CompactStore<T>(reader.keyOf, deliveries);
  const indexer = new ParsedIndexer(store, reader);
  indexer.addIndexers(indexers);
  return {
    listerWatcher: new CompactListerWatcher(listerWatcher, reader),
    keyFunc: reader.keyOf,
    store,
    indexer,
    liveBytes: () => store.usage.live,
    sharesObjects: false,
    transformOf: (transform) => (ref) => reader.refTo(transform(ref.object())),
    reclaim: () => store.reclaim(),
  };
}
