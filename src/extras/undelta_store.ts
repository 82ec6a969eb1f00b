import { type DeletedFinalStateUnknown, IndexedStore, type KeyFunc } from "../cache/store/mod.ts";

/**
 * A {@linkcode Store} that turns changes into states: after each it passes all it holds to a function.
 *
 * What that function throws reaches the one who made the change, which is done by then.
 *
 * @typeParam T The type of the objects.
 *
 * @example
 * ```ts
 * import { UndeltaStore } from "@kubeloop/controller/extras";
 * import { assertEquals } from "@std/assert";
 *
 * const states: string[] = [];
 * const store = new UndeltaStore<string>((objs) => states.push(objs.join()), (obj) => obj);
 * store.add("a");
 * store.add("b");
 * store.delete("a");
 * assertEquals(states, ["a", "a,b", "b"]);
 * ```
 */
export class UndeltaStore<T> extends IndexedStore<T> {
  readonly #pushFunc: (objs: T[]) => void;

  /** An empty store under the keys of `keyFunc`, which passes what it holds to `pushFunc`. */
  constructor(pushFunc: (objs: T[]) => void, keyFunc: KeyFunc<T>) {
    super(keyFunc);
    this.#pushFunc = pushFunc;
  }

  /** Puts `obj` in place of the one that has its key, or adds it. */
  override add(obj: T): void {
    super.add(obj);
    this.#pushFunc(this.list());
  }

  /** Puts `obj` in place of the one that has its key, or adds it. */
  override update(obj: T): void {
    super.update(obj);
    this.#pushFunc(this.list());
  }

  /** Removes the object that has the key of `obj`, which may be a tombstone. */
  override delete(obj: T | DeletedFinalStateUnknown<T>): void {
    super.delete(obj);
    this.#pushFunc(this.list());
  }

  /** Makes `items` the whole content, as of `resourceVersion`. */
  override replace(items: readonly T[], resourceVersion: string): void {
    super.replace(items, resourceVersion);
    this.#pushFunc(this.list());
  }
}
