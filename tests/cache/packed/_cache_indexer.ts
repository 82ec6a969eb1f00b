/** The cache of an informer as an indexer that a test can write to. */

import { DeletedFinalStateUnknown, type Indexer, type Indexers } from "../../../src/cache/mod.ts";
import { ObjectCache } from "../../../src/cache/packed/mod.ts";
import type { KubeObject } from "../../../src/types/mod.ts";
import { packed } from "./_packed.ts";

/** A cache that keeps bytes. */
export class CacheIndexer<T extends KubeObject> extends ObjectCache<T> implements Indexer<T> {
  constructor(indexers: Indexers<T> = {}) {
    super({ keepsBytes: true, freezes: false, onCostlyReads: () => {} });
    this.addIndexers(indexers);
  }

  add(obj: T): void {
    const item = packed(obj);
    this.exchange(item, item.key);
    this.settle();
  }

  update(obj: T): void {
    this.add(obj);
  }

  override delete(obj: T | DeletedFinalStateUnknown<T>): void {
    const item = DeletedFinalStateUnknown.is(obj)
      ? obj as DeletedFinalStateUnknown<never>
      : packed(obj);
    super.delete(item, item.key);
    this.settle();
  }

  replace(objects: readonly T[], resourceVersion: string): void {
    const trial = new CacheIndexer(this.getIndexers());
    for (const obj of objects) trial.add(obj);
    for (const key of this.listKeys()) super.delete(new DeletedFinalStateUnknown(key), key);
    for (const obj of objects) this.add(obj);
    this.items.bookmark(resourceVersion);
  }

  resync(): void {}

  bookmark(): void {}
}
