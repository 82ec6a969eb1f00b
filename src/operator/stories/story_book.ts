import {
  type Clock,
  ENVIRONMENT_CHECKS,
  isCount,
  isFlag,
  isSignal,
  isText,
  type Logger,
  type OptionChecks,
  realClock,
  redactOf,
  requireOptions,
  RingBuffer,
  safeLogger,
} from "../../base/mod.ts";
import { HeldCause } from "./cause.ts";
import { type Flip, flipOf } from "./flip.ts";
import { KeptFailures } from "./kept_failures.ts";
import type { Story } from "./story.ts";
import {
  type RecorderOwner,
  StoryRecord,
  type StoryRecorder,
  type StoryStart,
} from "./story_recorder.ts";
import { StoryStream } from "./story_stream.ts";
import { storiesText } from "./story_text.ts";

const DEFAULT_MAX_BYTES = 2 ** 20;
/** The last stories of keys that fail may take the memory divided by this, although other stories are newer. */
const FAILURES_SHARE = 4;
/**
 * The number of values that may be compared per second, on average, to find the changed fields: less than 0.5 % of a core,
 * with cold caches.
 */
const VALUES_PER_SECOND = 10_000;
/** The number of values that may be compared in a burst: some two hundred comparisons. */
const MAX_VALUES = 30_000;
/** The minimum time between two reads of the wall clock, in milliseconds. */
const WALL_PERIOD_MS = 1_000;

/** Options of a {@linkcode StoryBook}. */
export interface StoryBookOptions {
  /** The clock of durations and timestamps. Default: the real clock. */
  readonly clock?: Clock | undefined;
  /**
   * The approximate maximum memory of the stories, in bytes. The oldest are dropped, but last the newest story of a key that
   * fails. 0 keeps none. Default 1 MiB.
   */
  readonly maxBytes?: number | undefined;
  /** The logger whose redaction is applied to errors, such as the logger of the client. */
  readonly logger?: Logger | undefined;
  /**
   * Whether causes keep the change of the object as a merge patch, except for Secrets. A simulation can replay such stories.
   * Default false: only paths are kept.
   */
  readonly recordObjects?: boolean | undefined;
}

/** Selects stories. */
export interface StoryQuery {
  /** The name of a controller. Default: all controllers. */
  readonly controller?: string | undefined;
  /** The key of an object. Default: all objects. */
  readonly key?: string | undefined;
  /** The maximum number of stories. The newest are returned. Default: no limit. */
  readonly limit?: number | undefined;
}

const CHECKS: OptionChecks<StoryBookOptions> = {
  clock: ENVIRONMENT_CHECKS.clock,
  maxBytes: isCount(0),
  logger: ENVIRONMENT_CHECKS.logger,
  recordObjects: isFlag,
};

const QUERY_CHECKS: OptionChecks<StoryQuery> = {
  controller: isText,
  key: isText,
  limit: isCount(0),
};

const STREAM_CHECKS: OptionChecks<{ readonly signal?: AbortSignal | undefined }> = {
  signal: isSignal,
};

/** Counts of a {@linkcode StoryBook}. */
export interface StoryBookSnapshot {
  /** The number of stored stories of ended reconciles. */
  readonly stories: number;
  /** Their approximate memory, in bytes. */
  readonly bytes: number;
  /** The number of running reconciles. */
  readonly running: number;
  /** The number of older stories that were dropped. */
  readonly dropped: number;
}

/**
 * A key of a {@linkcode StoryBook}.
 *
 * @internal
 */
export interface StoryKey {
  readonly controller: string;
  readonly key: string;
  /** The number of its stories. */
  readonly stories: number;
  /** Returns the last of them. */
  last(): Story;
}

/**
 * Keeps the stories of the last reconciles in bounded memory: their causes, requests and results.
 *
 * In a flood of updates, some are not compared, so that comparisons use less than 0.5 % of a core. Such causes have no
 * `changed`.
 *
 * @example
 * ```ts
 * import { PendingCauses, StoryBook } from "@kubeloop/controller/operator";
 * import { assertEquals } from "@std/assert";
 *
 * const pending = new PendingCauses();
 * const book = new StoryBook();
 * pending.add("default/web", { why: "added", resource: "widgets.acme.io", object: "default/web" });
 *
 * const taken = pending.take("default/web");
 * const recorder = book.begin({ controller: "widgets", key: "default/web", taken });
 * recorder.writeSkipped();
 * recorder.end({ result: "success" });
 * assertEquals(book.list().map(({ causes }) => causes[0]?.why), ["added"]);
 * ```
 */
export class StoryBook {
  readonly #clock: Clock;
  readonly #owner: RecorderOwner & { keepsValues: boolean };
  readonly #maxBytes: number;
  readonly #isRecorded: boolean;
  readonly #stories = new RingBuffer<StoryRecord>();
  /** Older stories than those of {@linkcode StoryBook.#stories}. */
  readonly #failures: KeptFailures;
  /** The running reconciles, in no order. Each record has its index. */
  readonly #running: StoryRecord[] = [];
  readonly #streams = new Set<StoryStream>();
  #bytes = 0;
  #dropped = 0;
  /** The number of values that may still be compared; negative after a large object. */
  #values = MAX_VALUES;
  #filledAtMs: number;
  /** The difference between the time of day and the clock, and the time of the clock at which it was read. */
  #wallOffsetMs: number;
  #wallReadAtMs: number;
  #isClosed = false;

  /**
   * Creates an empty book.
   *
   * @throws {TypeError | RangeError} If an option does not exist or cannot be used.
   */
  constructor(options: StoryBookOptions = {}) {
    requireOptions("StoryBook", options, CHECKS);
    const { clock = realClock, logger, maxBytes = DEFAULT_MAX_BYTES, recordObjects } = options;
    this.#clock = clock;
    this.#owner = {
      clock,
      redact: redactOf(safeLogger(logger)),
      keepsValues: recordObjects ?? false,
      sharesValues: recordObjects ?? false,
      wallMs: (clockMs) => this.#wallMs(clockMs),
      ended: (record) => this.#ended(record),
    };
    this.#maxBytes = maxBytes;
    this.#failures = new KeptFailures(maxBytes / FAILURES_SHARE);
    this.#isRecorded = recordObjects ?? false;
    const now = clock.now();
    this.#filledAtMs = now;
    this.#wallReadAtMs = now;
    this.#wallOffsetMs = clock.wallNow() - now;
  }

  /** Begins the story of a reconcile. End it in any case: until then, it is listed as running. */
  begin(start: StoryStart): StoryRecorder {
    const record = new StoryRecord(start, this.#owner);
    record.runningAt = this.#running.push(record) - 1;
    return record;
  }

  /**
   * Returns stories: ended reconciles in the order in which they ended, then running reconciles by start.
   *
   * @throws {TypeError | RangeError} If the query has an unknown field, or a `limit` that is not a whole number of at least 0.
   */
  list(query: StoryQuery = {}): Story[] {
    requireOptions("StoryBook.list()", query, QUERY_CHECKS);
    return this.#select(query).map((record) => record.story());
  }

  /**
   * Returns stories for a page, with the values that were kept for it.
   *
   * @internal
   */
  listWithValues(query: StoryQuery): Story[] {
    return this.#select(query).map((record) => record.story(true));
  }

  #select({ controller, key, limit }: StoryQuery): StoryRecord[] {
    const found: StoryRecord[] = [];
    const look = (record: StoryRecord) => {
      if (controller !== undefined && record.controller !== controller) return;
      if (key === undefined || record.key === key) found.push(record);
    };
    for (const record of this.#failures) look(record);
    for (const record of this.#stories) look(record);
    for (const record of this.#running.toSorted((a, b) => a.startedMs - b.startedMs)) look(record);
    return limit === undefined ? found : found.slice(Math.max(0, found.length - limit));
  }

  /** Returns stories as text, with one paragraph each, the newest last. */
  text(query: StoryQuery = {}): string {
    return storiesText(this.list(query));
  }

  /**
   * Returns the stories of reconciles that end from now on. A slow reader misses the oldest stories, and the next story has
   * their number in `missed`. The iteration ends when the book is closed.
   *
   * @param options `signal` ends the iteration: it rejects with `signal.reason`.
   * @throws {TypeError} If an option does not exist or cannot be used.
   */
  stories(
    options: { readonly signal?: AbortSignal | undefined } = {},
  ): AsyncIterableIterator<Story> {
    requireOptions("StoryBook.stories()", options, STREAM_CHECKS);
    const stream = new StoryStream(options.signal, () => this.#streams.delete(stream));
    if (this.#isClosed || options.signal?.aborted) stream.end();
    else this.#streams.add(stream);
    return stream;
  }

  /**
   * Returns the keys of the stories: first the keys of running reconciles, then the others by the end of their last
   * reconcile, the newest first.
   *
   * @internal
   */
  keys(matches: (controller: string, key: string) => boolean): StoryKey[] {
    const found = new Map<string, { record: StoryRecord; stories: number }>();
    const look = (record: StoryRecord) => {
      if (!matches(record.controller, record.key)) return;
      const id = `${record.controller} ${record.key}`;
      const stories = (found.get(id)?.stories ?? 0) + 1;
      // The order of a Map is that of its additions.
      found.delete(id);
      found.set(id, { record, stories });
    };
    for (const record of this.#failures) look(record);
    for (const record of this.#stories) look(record);
    for (const record of this.#running) look(record);
    return [...found.values()].reverse().map(({ record, stories }) => ({
      controller: record.controller,
      key: record.key,
      stories,
      last: () => record.story(),
    }));
  }

  /**
   * Keeps the values that writes send, from now on, for {@linkcode StoryBook.listWithValues}.
   *
   * @internal
   */
  keepValues(): void {
    this.#owner.keepsValues = true;
  }

  /** Returns the field that causes the reconciles of a key again and again; undefined if there is none. */
  flip(controller: string, key: string): Flip | undefined {
    return flipOf(this.list({ controller, key, limit: 100 }));
  }

  /** Returns counts. */
  snapshot(): StoryBookSnapshot {
    return {
      stories: this.#stories.length + this.#failures.size,
      bytes: this.#bytes,
      running: this.#running.length,
      dropped: this.#dropped,
    };
  }

  /** Ends all iterations. The stories remain readable. */
  close(): void {
    this.#isClosed = true;
    for (const stream of [...this.#streams]) stream.end();
  }

  #ended(record: StoryRecord): void {
    this.#leave(record);
    this.#settle(record);
    record.size = record.bytes();
    this.#stories.push(record);
    this.#bytes += record.size;
    this.#drop(this.#failures.ended(record));
    while (this.#bytes > this.#maxBytes) {
      const oldest = this.#stories.shift();
      if (oldest === undefined) break;
      for (const one of this.#failures.displaced(oldest)) this.#drop(one);
    }
    for (const stream of this.#streams) stream.push(record);
  }

  #drop(record: StoryRecord | undefined): void {
    if (record === undefined) return;
    this.#bytes -= record.size;
    this.#dropped++;
  }

  /** Removes a record from the running ones. The last one takes its index. */
  #leave(record: StoryRecord): void {
    const last = this.#running.pop();
    if (last === undefined || last === record) return;
    last.runningAt = record.runningAt;
    this.#running[record.runningAt] = last;
  }

  /** Compares the objects of the causes, if the budget allows it, and releases them. */
  #settle({ causes, endedMs }: StoryRecord): void {
    for (const cause of causes) {
      if (!(cause instanceof HeldCause)) continue;
      if (this.#values <= 0) this.#fill(endedMs);
      cause.settle(this.#values > 0, this.#isRecorded);
      this.#values -= cause.cost;
    }
  }

  #fill(now: number): void {
    const added = (now - this.#filledAtMs) * VALUES_PER_SECOND / 1000;
    this.#values = Math.min(MAX_VALUES, this.#values + added);
    this.#filledAtMs = now;
  }

  #wallMs(clockMs: number): number {
    if (clockMs - this.#wallReadAtMs >= WALL_PERIOD_MS) {
      this.#wallReadAtMs = clockMs;
      this.#wallOffsetMs = this.#clock.wallNow() - this.#clock.now();
    }
    return clockMs + this.#wallOffsetMs;
  }
}
