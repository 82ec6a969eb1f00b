import type { BatchedWatch, KubeObject, WatchEvent } from "../../types/mod.ts";

/** Whether events can be had many at a time. */
export function isBatched<T extends KubeObject>(
  events: AsyncIterable<WatchEvent<T>>,
): events is BatchedWatch<T> {
  return "batches" in events && typeof events.batches === "function";
}
