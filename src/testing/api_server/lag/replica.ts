import type { ResourceStore } from "../storage/mod.ts";
import { CacheView } from "./cache_view.ts";

/** A watch cache that stands still. It keeps its objects, so that a compaction of the history does not move it. */
export class Replica {
  /** The revision at which the cache stands. */
  readonly revision: number;
  readonly #views = new Map<ResourceStore, CacheView>();

  /** Creates a cache of `stores` that stands at `revision`. */
  constructor(revision: number, stores: Iterable<ResourceStore>) {
    this.revision = revision;
    for (const store of stores) this.#views.set(store, CacheView.of(store, revision));
  }

  /** Returns the cached state of a resource: empty if the resource is newer than the revision. */
  view(store: ResourceStore): CacheView {
    return this.#views.get(store) ?? new CacheView(store, this.revision, []);
  }
}
