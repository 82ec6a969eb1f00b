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

/** The cache of an informer, plain or compact. Everything that differs between the two kinds is here. */
export interface ObjectCache<T extends KubeObject, H extends KubeObject> {
  /** Lists and watches the objects, in the form that the cache holds. */
  readonly listerWatcher: ListerWatcher<H>;
  readonly keyFunc: KeyFunc<H>;
  /** The store that popped deltas are applied to. */
  readonly store: IndexedStore<H>;
  /** The cache in the form in which users read it: parsed objects. */
  readonly indexer: Indexer<T>;
  /** Returns the number of bytes that the objects of a compact cache take; undefined for a plain cache. */
  liveBytes(): number | undefined;
  /** Whether handlers and readers share the objects of the cache. */
  readonly sharesObjects: boolean;
  /** Adapts a transform of objects to the form that the cache holds. */
  transformOf(transform: TransformFunc<T>): TransformFunc<H>;
  /** Called when handlers have consumed notifications; frees the versions that nobody refers to any more. */
  readonly reclaim: () => void;
}

/** Creates a cache that holds the parsed objects. */
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

/** Creates a cache that holds references to bytes, which are parsed on each read. */
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
