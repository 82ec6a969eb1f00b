import { RingBuffer } from "../../base/mod.ts";
import { SlabStore, type SlabUsage } from "../../bytes/mod.ts";
import { DeletedFinalStateUnknown, IndexedStore, type KeyFunc } from "../store/mod.ts";
import { type ObjectRef, rangeOf } from "./object_ref.ts";

/** How far handlers have got. */
export interface Deliveries {
  /** The number of the last notification; they are numbered from 1. */
  readonly lastIndex: number;
  /** The number of the oldest notification that a handler has not finished with; Infinity when there is none. */
  oldestPending(): number;
}

/** A version that has left the cache. */
interface Retired {
  readonly ref: ObjectRef;
  /** The version that came in its place, which takes the room of its bytes. */
  readonly next: ObjectRef | undefined;
  /** The last notification that may be about it. */
  readonly index: number;
}

/**
 * The objects of a compact cache: references by key, whose bytes are in slabs.
 *
 * A version that leaves the cache is still about to be notified. Its bytes stay until all handlers have finished with that
 * notification; those of the version that replaces it stay where they were received until then.
 */
export class CompactStore<T> extends IndexedStore<ObjectRef<T>> {
  readonly #slabs = new SlabStore();
  readonly #retired = new RingBuffer<Retired>();
  readonly #deliveries: Deliveries;

  constructor(keyFunc: KeyFunc<ObjectRef<T>>, deliveries: Deliveries) {
    super(keyFunc);
    this.#deliveries = deliveries;
  }

  /** How much its objects take, those that are still to be notified included. */
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
    // The last state, which was never in the cache, goes with it.
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

  /** Lets the bytes go that no handler can read any more. */
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
