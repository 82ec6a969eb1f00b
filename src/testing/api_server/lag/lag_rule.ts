import type { StoredObject } from "../storage/mod.ts";
import type { CacheView } from "./cache_view.ts";
import type { HeldEvent } from "./held_event.ts";
import type { LagReader } from "./lag_reader.ts";
import type { WatchGate } from "./watch_gate.ts";

/** One lag, as the gates of watches and the reads see it. */
export interface LagRule {
  /** Sees an event that arrives at a gate, and may keep it back. Events arrive in order. */
  onEvent?(gate: WatchGate, held: HeldEvent): void;
  /** Called when a watch has ended. What its gate kept back is dropped. */
  onEnd?(gate: WatchGate): void;
  /** Returns the revision at which the watch cache of this reader stands; undefined if it is not behind. */
  standsAt?(reader: LagReader): number | undefined;
  /**
   * Returns what a read sees that may be answered by a watch cache; undefined for the newest state. A view that is older
   * than `least` makes the read wait.
   */
  view?(reader: LagReader, least: number): CacheView | undefined;
  /** Counts a read that the view of this rule made late or stale. */
  onStaleRead?(): void;
  /** Returns the objects of an unpaged list or of the initial events of a watch, in the order in which they are sent. */
  arrange?(reader: LagReader, objects: readonly StoredObject[]): readonly StoredObject[];
  /** Ends the lag. {@linkcode Lags.end} calls it, and then delivers what nothing keeps back any more. */
  end(): void;
}

/** The predicate of a lag that has none. */
export function always(): boolean {
  return true;
}
