/** One stored object, as a {@linkcode StoreView} shows it, without parsing it. */
export interface StoredView {
  /** The key: `namespace/name`, or the name alone. */
  readonly key: string;
  /** The namespace; empty for a cluster-scoped object. */
  readonly namespace: string;
  /** The name. */
  readonly name: string;
  /** The UID. */
  readonly uid: string;
  /** The object as JSON, in the storage version. */
  readonly text: string;
}

/** The stored objects of one resource. */
export interface StoreView {
  /** The full name of the resource, as in `deployments.apps`. */
  readonly resource: string;
  /** The number of objects. */
  readonly size: number;
  /** Returns the objects of a namespace, or of all namespaces if it is empty, in the order of a list. */
  list(namespace: string): readonly StoredView[];
  /** Returns the object with a key; undefined if there is none. */
  get(key: string): StoredView | undefined;
}
