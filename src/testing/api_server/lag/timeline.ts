import { type Clock, RingBuffer } from "@kubeloop/controller/internal/base";

/** How many moments a {@linkcode Timeline} keeps at most. */
const MOMENTS_LIMIT = 10_000;

/** The time at which the storage reached a revision. */
interface Moment {
  readonly ms: number;
  revision: number;
}

/** When the storage was at which revision, as far back as anyone asks. */
export class Timeline {
  readonly #clock: Clock;
  readonly #keptMs: number;
  readonly #moments = new RingBuffer<Moment>();
  #last: Moment;
  /** The newest moment that is no longer kept. */
  #before: Moment;

  /** Creates a timeline of a storage that is at `revision`. It goes back `keptMs` milliseconds. */
  constructor(clock: Clock, revision: number, keptMs: number) {
    this.#clock = clock;
    this.#keptMs = keptMs;
    this.#before = { ms: -Infinity, revision };
    this.#last = this.#before;
  }

  /** Records that the storage is at `revision` now. */
  record(revision: number): void {
    const ms = this.#clock.now();
    if (this.#last.ms === ms) {
      this.#last.revision = revision;
      return;
    }
    this.#last = { ms, revision };
    this.#moments.push(this.#last);
    for (
      let oldest = this.#moments.peek()!;
      oldest !== this.#last;
      oldest = this.#moments.peek()!
    ) {
      if (oldest.ms >= ms - this.#keptMs && this.#moments.length <= MOMENTS_LIMIT) return;
      this.#before = oldest;
      this.#moments.shift();
    }
  }

  /** Returns the revision at which the storage was at a time. */
  revisionAt(ms: number): number {
    let { revision } = this.#before;
    for (const moment of this.#moments) {
      if (moment.ms > ms) break;
      revision = moment.revision;
    }
    return revision;
  }

  /** Returns when a revision was written: now if it is not recorded yet, -Infinity if it is no longer recorded. */
  timeOf(revision: number): number {
    if (revision > this.#last.revision) return this.#clock.now();
    if (revision <= this.#before.revision) return -Infinity;
    for (const moment of this.#moments) if (moment.revision >= revision) return moment.ms;
    return this.#clock.now();
  }
}
