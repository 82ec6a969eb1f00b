import { type Clock, TextHash, TokenBucket } from "../base/mod.ts";
import { LruMap } from "./lru_map.ts";

/** The numbers of client-go's `EventSourceObjectSpamFilter` and `EventAggregator`. */
const BURST = 25;
const QPS = 1 / 300;
const MAX_NOTES = 10;
const INTERVAL_MS = 600_000;
const MAX_ENTRIES = 4096;

/** Limits the requests about one object to a burst of 25, then one in five minutes. */
export class SpamFilter {
  readonly #clock: Clock;
  readonly #buckets = new LruMap<TokenBucket>(MAX_ENTRIES);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts a request about the object, and reports whether it is within the limit. */
  allows(object: string): boolean {
    const bucket = this.#buckets.get(object) ??
      new TokenBucket({ qps: QPS, burst: BURST, clock: this.#clock });
    this.#buckets.set(object, bucket);
    return bucket.tryAccept();
  }
}

interface Group {
  /** Hashes of the notes, so that a group is small. */
  readonly notes: Set<number>;
  lastMs: number;
}

/** Counts the different notes of events that are otherwise equal. */
export class SimilarNotes {
  readonly #clock: Clock;
  readonly #groups = new LruMap<Group>(MAX_ENTRIES);

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
