import { objectKey, type ResourceStore, type StoredObject } from "../storage/mod.ts";

/** One resource as a watch cache shows it that is behind. */
export class CacheView {
  /** The revision at which the cache stands. */
  readonly revision: number;
  readonly #objects: readonly StoredObject[];
  readonly #store: ResourceStore;

  /** Creates a view of `objects`, which are all objects of `store` at `revision`, in key order. */
  constructor(store: ResourceStore, revision: number, objects: readonly StoredObject[]) {
    this.revision = revision;
    this.#objects = objects;
    this.#store = store;
  }

  /**
   * Returns the view of a store as it was at `revision`. If the history does not reach back that far, it shows the
   * oldest state that the history has.
   */
  static of(store: ResourceStore, revision: number): CacheView {
    const shown = Math.max(revision, store.historyStart);
    return new CacheView(store, shown, store.listAt("", shown)!);
  }

  /** Returns the objects of a namespace, or of all namespaces if `namespace` is empty. */
  list(namespace: string): readonly StoredObject[] {
    if (namespace === "") return this.#objects;
    return this.#objects.filter((object) => object.namespace === namespace);
  }

  /** Returns one object. */
  get(namespace: string, name: string): StoredObject | undefined {
    const key = objectKey(namespace, name);
    return this.#objects.find((object) => object.key === key);
  }

  /** Reports whether the view differs from the newest state. */
  get isStale(): boolean {
    const now = this.#store.list("");
    return now.length !== this.#objects.length ||
      now.some((object, index) => object !== this.#objects[index]);
  }
}
