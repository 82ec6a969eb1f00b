import { type Clock, LruMap, TokenBucket } from "../base/mod.ts";

/** The numbers of client-go's `EventSourceObjectSpamFilter`. */
const BURST = 25;
const QPS = 1 / 300;
const MAX_OBJECTS = 4096;

/** Limits the requests about one object to a burst of 25, then one in five minutes. */
export class SpamFilter {
  readonly #clock: Clock;
  readonly #buckets = new LruMap<string, TokenBucket>(MAX_OBJECTS);

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
