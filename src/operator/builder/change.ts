import {
  DeletedFinalStateUnknown,
  type Item,
  type Notification,
  type SharedInformer,
} from "../../cache/mod.ts";
import type { Cached, KubeObject } from "../../types/mod.ts";

/**
 * A change of an object in a cache, for predicates and mappers.
 *
 * @typeParam T The interface of the object.
 */
export interface Change<T extends KubeObject = KubeObject> {
  /**
   * The kind of change. `listed` is an object of the first list of a cache, or in the cache when the controller started. `left`
   * is an object whose namespace has lost its label: the object may still exist, but the cache does not have it.
   */
  readonly type: "listed" | "added" | "updated" | "deleted" | "left" | "resync";
  /** The object; the last known state of an object that is deleted or has left. */
  readonly object: Cached<T>;
  /** The object before an update; undefined for other changes. */
  readonly old?: Cached<T> | undefined;
}

/**
 * A change of the stored form of an object, which can be read only while it is reported. The library's own predicates and
 * mappers read a few fields of it, and parse nothing else.
 */
export class ItemChange<T extends KubeObject = KubeObject> {
  readonly type: Change["type"];
  readonly item: Item<T>;
  readonly old: Item<T> | undefined;
  /** Whether the object came or went with the informer of an optional kind or a selected namespace. */
  readonly isLate: boolean;
  readonly #informer: SharedInformer<T>;
  #parsed: Change<T> | undefined;

  constructor(
    informer: SharedInformer<T>,
    type: Change["type"],
    item: Item<T>,
    old?: Item<T> | undefined,
    isLate = false,
  ) {
    this.#informer = informer;
    this.type = type;
    this.item = item;
    this.old = old;
    this.isLate = isLate;
  }

  /** The change with parsed objects, for functions of the user. */
  get parsed(): Change<T> {
    if (this.#parsed !== undefined) return this.#parsed;
    const { item, old, type } = this;
    const informer = this.#informer;
    const object = informer.read(item);
    return this.#parsed = old === undefined
      ? { type, object }
      : { type, object, old: informer.read(old) };
  }
}

/**
 * Calls `onChange` with the changes that an informer reports. An update to an object with another UID is a deletion and an
 * addition: the object was deleted and created again under its name.
 */
export function eachChange<T extends KubeObject>(
  informer: SharedInformer<T>,
  { type, item, old, isInInitialList }: Notification<T>,
  onChange: (change: ItemChange<T>) => void,
): void {
  if (type === "Deleted") {
    const last = DeletedFinalStateUnknown.lastKnownState(item);
    if (last !== undefined) onChange(new ItemChange(informer, "deleted", last));
    return;
  }
  const object = item as Item<T>;
  if (old === undefined) {
    onChange(new ItemChange(informer, isInInitialList ? "listed" : "added", object));
  } else if (old.metadata.uid !== object.metadata.uid) {
    onChange(new ItemChange(informer, "deleted", old));
    onChange(new ItemChange(informer, "added", object));
  } else {
    const isResync = old.metadata.resourceVersion === object.metadata.resourceVersion;
    onChange(new ItemChange(informer, isResync ? "resync" : "updated", object, old));
  }
}
