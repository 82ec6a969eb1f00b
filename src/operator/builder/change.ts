import type { DeletedFinalStateUnknown, ResourceEventHandler } from "../../cache/mod.ts";
import { DeletedFinalStateUnknown as Tombstone } from "../../cache/mod.ts";
import type { Cached, KubeObject } from "../../types/mod.ts";

/**
 * A change of an object in a cache, for predicates and mappers.
 *
 * @typeParam T The interface of the object.
 */
export interface Change<T extends KubeObject = KubeObject> {
  /** The kind of change. `listed` is an object of the first list, or in the cache when the controller started. */
  readonly type: "listed" | "added" | "updated" | "deleted" | "resync";
  /** The object; the last known state of a deleted object. */
  readonly object: Cached<T>;
  /** The object before an update; undefined for other changes. */
  readonly old?: Cached<T> | undefined;
}

/**
 * Returns an event handler that calls `onChange`. An update to an object with another UID is a deletion and an addition: the
 * object was deleted and created again under its name.
 */
export function handlerOf<T extends KubeObject>(
  onChange: (change: Change<T>) => void,
): ResourceEventHandler<Cached<T>> {
  return {
    onAdd: (object, isInInitialList) =>
      onChange({ type: isInInitialList ? "listed" : "added", object }),
    onUpdate: (old, object) => {
      if (old.metadata.uid !== object.metadata.uid) {
        onChange({ type: "deleted", object: old });
        onChange({ type: "added", object });
        return;
      }
      const isResync = old.metadata.resourceVersion === object.metadata.resourceVersion;
      onChange({ type: isResync ? "resync" : "updated", object, old });
    },
    onDelete: (last: Cached<T> | DeletedFinalStateUnknown<Cached<T>>) => {
      const object = Tombstone.lastKnownState(last);
      if (object !== undefined) onChange({ type: "deleted", object });
    },
  };
}
