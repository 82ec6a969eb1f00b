import { requireSync } from "../base/mod.ts";
import { type DeletedFinalStateUnknown, IndexedStore, type KeyFunc } from "../cache/store/mod.ts";

/**
 * A {@linkcode Store} that passes its whole content to a function after every change.
 *
 * An error of that function is thrown to the caller that made the change. The change has been applied by then.
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

  /** Creates an empty store that stores objects under the keys of `keyFunc` and passes its content to `pushFunc`. */
  constructor(pushFunc: (objs: T[]) => void, keyFunc: KeyFunc<T>) {
    super(keyFunc);
    this.#pushFunc = (objs) => requireSync("pushFunc", pushFunc(objs));
  }

  /** Adds `obj`, or replaces the object that has its key. */
  override add(obj: T): void {
    super.add(obj);
    this.#pushFunc(this.list());
  }

  /** The same as {@linkcode UndeltaStore.add}. */
  override update(obj: T): void {
    super.update(obj);
    this.#pushFunc(this.list());
  }

  /** Removes the object that has the key of `obj`, which may be a tombstone. */
  override delete(obj: T | DeletedFinalStateUnknown<T>): void {
    super.delete(obj);
    this.#pushFunc(this.list());
  }

  /** Replaces the whole content with `items`, as of `resourceVersion`. */
  override replace(items: readonly T[], resourceVersion: string): void {
    super.replace(items, resourceVersion);
    this.#pushFunc(this.list());
  }
}
