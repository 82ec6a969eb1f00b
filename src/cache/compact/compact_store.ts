import { RingBuffer } from "../../base/mod.ts";
import { SlabStore, type SlabUsage } from "../../bytes/mod.ts";
import { DeletedFinalStateUnknown, IndexedStore, type KeyFunc } from "../store/mod.ts";
import { type ObjectRef, rangeOf } from "./object_ref.ts";

/** The progress of the handlers of an informer. */
export interface Deliveries {
  /** The index of the last notification. Indices start at 1. */
  readonly lastIndex: number;
  /**
   * Returns the index of the oldest notification that a handler has not finished with; Infinity if the handlers have
   * finished with all of them.
   */
  oldestPending(): number;
}

/** A version of an object that has left the cache. */
interface Retired {
  readonly ref: ObjectRef;
  /** The version that replaced it, and that takes over the space of its bytes. */
  readonly next: ObjectRef | undefined;
  /** The index of the last notification that may refer to this version. */
  readonly index: number;
}

/**
 * The objects of a compact cache: references by key. Their bytes are stored in slabs.
 *
 * Handlers are notified of a version after it has left the cache. So its bytes are kept until every handler has
 * finished with that notification. Until then, the bytes of the version that replaces it stay in the buffer in which
 * they were received.
 */
export class CompactStore<T> extends IndexedStore<ObjectRef<T>> {
  readonly #slabs = new SlabStore();
  readonly #retired = new RingBuffer<Retired>();
  readonly #deliveries: Deliveries;

  constructor(keyFunc: KeyFunc<ObjectRef<T>>, deliveries: Deliveries) {
    super(keyFunc);
    this.#deliveries = deliveries;
  }

  /** The memory that the objects take, including versions that have left the cache and that handlers may still read. */
  get usage(): SlabUsage {
    return this.#slabs.usage;
  }

  override exchange(ref: ObjectRef<T>): ObjectRef<T> | undefined {
    const old = super.exchange(ref);
    if (old === undefined) this.#slabs.keep(rangeOf(ref));
    else if (old !== ref) this.#retire(old, ref);
    return old;
  }

  override delete(ref: ObjectRef<T> | DeletedFinalStateUnknown<ObjectRef<T>>): void {
    const isTombstone = DeletedFinalStateUnknown.is(ref);
    const old = isTombstone ? this.getByKey(ref.key) : this.get(ref);
    super.delete(ref);
    if (old !== undefined) this.#retire(old);
    // The final state of the object was never in the cache. It is freed together with the cached version.
    if (!isTombstone && ref !== old) this.#retire(ref);
  }

  override replace(refs: readonly ObjectRef<T>[], resourceVersion: string): void {
    const before = new Set(this.list());
    super.replace(refs, resourceVersion);
    for (const ref of this.list()) {
      if (!before.delete(ref)) this.#slabs.keep(rangeOf(ref));
    }
    for (const ref of before) this.#retire(ref);
  }

  /** Frees the bytes of the versions that no handler can read any more. */
  reclaim(): void {
    if (this.#retired.length === 0) return;
    const oldest = this.#deliveries.oldestPending();
    for (let retired; (retired = this.#retired.peek()) !== undefined && retired.index < oldest;) {
      this.#retired.shift();
      const { ref, next } = retired;
      if (next === undefined) this.#slabs.release(rangeOf(ref));
      else this.#slabs.replace(rangeOf(ref), rangeOf(next));
    }
  }

  #retire(ref: ObjectRef, next?: ObjectRef): void {
    this.#retired.push({ ref, next, index: this.#deliveries.lastIndex + 1 });
  }
}
