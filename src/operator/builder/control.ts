import { type Clock, CONTROL_ANNOTATIONS } from "../../base/mod.ts";
import { hasSameValueAt, type Item, PackedObject, valueOfItem } from "../../cache/mod.ts";
import { type KubeObject, type Pause, pauseOf } from "../../types/mod.ts";
import type { ItemChange } from "./change.ts";

const ANNOTATIONS: readonly string[] = ["metadata", "annotations"];
const PAUSED: readonly string[] = [...ANNOTATIONS, CONTROL_ANNOTATIONS.paused];
const CLEANUP_PAUSED: readonly string[] = [...ANNOTATIONS, CONTROL_ANNOTATIONS.cleanupPaused];
const RECONCILE: readonly string[] = [...ANNOTATIONS, CONTROL_ANNOTATIONS.reconcile];

/**
 * Returns the command of a person in an update of an object: `reconcile` now, or a change of its `pause`; undefined if the
 * update has none. Only the update of an annotation is one, because a new object is reconciled anyway.
 */
export function commandOf(
  { item, old, type }: Pick<ItemChange, "item" | "old" | "type">,
): "reconcile" | "pause" | undefined {
  if (type !== "updated" || old === undefined) return undefined;
  if (!mayBeControlled(item) && !mayBeControlled(old)) return undefined;
  const differs = (path: readonly string[]) => !hasSameValueAt(old, item, path);
  if (differs(RECONCILE) && valueOfItem(item, RECONCILE) !== undefined) return "reconcile";
  return differs(PAUSED) || differs(CLEANUP_PAUSED) ? "pause" : undefined;
}

/** Reports whether an object may have one of the annotations. Reading them would take longer than to parse the object. */
function mayBeControlled(item: Item<KubeObject>): boolean {
  return item instanceof PackedObject ? item.isControlled : item.metadata.annotations !== undefined;
}

/** Returns the pause of a cached object: of its cleanup if it is being deleted, of its reconciles otherwise. */
export function pauseOfItem(item: Item<KubeObject>, clock: Clock): Pause | undefined {
  if (!mayBeControlled(item)) return undefined;
  const [annotation, path] = item.metadata.deletionTimestamp === undefined
    ? [CONTROL_ANNOTATIONS.paused, PAUSED] as const
    : [CONTROL_ANNOTATIONS.cleanupPaused, CLEANUP_PAUSED] as const;
  const value = valueOfItem(item, path);
  // Reading the clock is a measurable part of the cost per key.
  return value === undefined ? undefined : pauseOf(annotation, value, clock.wallNow());
}
