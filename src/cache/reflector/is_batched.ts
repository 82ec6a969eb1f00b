import type { BatchedWatch, KubeObject, WatchEvent } from "../../types/mod.ts";

/** Reports whether the events of a watch can be read in batches. */
export function isBatched<T extends KubeObject>(
  events: AsyncIterable<WatchEvent<T>>,
): events is BatchedWatch<T> {
  return "batches" in events && typeof events.batches === "function";
}
