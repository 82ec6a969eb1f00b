import type { DeletedFinalStateUnknown, ResourceEventHandler } from "../../cache/mod.ts";
import { DeletedFinalStateUnknown as Tombstone } from "../../cache/mod.ts";
import type { Cached, KubeObject } from "../../types/mod.ts";

/**
 * A change of an object in a cache, as predicates and mappers see it.
 *
 * @typeParam T The interface of the object.
 */
export interface Change<T extends KubeObject = KubeObject> {
  /** `listed` is the first list, or what the cache held when the controller started. */
  readonly type: "listed" | "added" | "updated" | "deleted" | "resync";
  /** The object, in its last known state if it was deleted. */
  readonly object: Cached<T>;
  /** The object before an update; undefined for other changes. */
  readonly old?: Cached<T> | undefined;
}

/**
 * Returns a handler of an informer that calls `onChange`. An object that was deleted and created again under its name
 * between two notifications is two changes, since the new one has nothing of the old one.
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
