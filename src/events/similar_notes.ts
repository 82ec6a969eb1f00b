import { type Clock, LruMap, TextHash } from "../base/mod.ts";

/** The numbers of client-go's `EventAggregator`. */
const MAX_NOTES = 10;
const INTERVAL_MS = 600_000;
const MAX_GROUPS = 4096;

interface Group {
  /** Hashes of the notes, so that a group is small. */
  readonly notes: Set<number>;
  lastMs: number;
}

/** Counts the different notes of events that are otherwise equal. */
export class SimilarNotes {
  readonly #clock: Clock;
  readonly #groups = new LruMap<string, Group>(MAX_GROUPS);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Records an event, and reports whether it is combined with the others of its group: from the tenth different note on,
   * until ten minutes pass without an event.
   */
  combines(groupKey: string, note: string): boolean {
    const nowMs = this.#clock.now();
    let group = this.#groups.get(groupKey);
    if (group === undefined || nowMs - group.lastMs > INTERVAL_MS) {
      group = { notes: new Set(), lastMs: nowMs };
    }
    group.lastMs = nowMs;
    this.#groups.set(groupKey, group);
    const [hash] = new TextHash().add(note).words();
    if (group.notes.has(hash)) return false;
    if (group.notes.size >= MAX_NOTES - 1) return true;
    group.notes.add(hash);
    return false;
  }
}
