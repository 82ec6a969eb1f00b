import type { Clock, Counter, Gauge, Histogram, MetricsProvider } from "../../base/mod.ts";

/** The current activity of a reflector. */
export type ReflectorPhase =
  | "idle"
  | "listing"
  | "streaming-list"
  | "watching"
  | "backing-off"
  | "stopped";

/** The counters of a reflector, from its creation on. */
export interface ReflectorCounters {
  /** Plain lists that were started. */
  lists: number;
  /** Streaming lists that were started. */
  streamingLists: number;
  /** Watches that were started. A streaming list that continues as a watch does not count. */
  watches: number;
  /** Watch events and bookmarks that were handled. */
  events: number;
  /**
   * Plain and streaming lists that failed. A list that was repeated at once at the newest version does not count, nor
   * does a streaming list that a plain list replaced.
   */
  listErrors: number;
  /** Watches that could not be established, ended with an error, or ended in less than a second without an event. */
  watchErrors: number;
  /** Watches that ended in less than a second without an event. */
  shortWatches: number;
  /** Watches that were dropped because they were silent for too long or still open after their timeout. */
  silentWatches: number;
  /** Fallbacks from a streaming list to a plain list. */
  fallbacks: number;
  /** Objects and events that were skipped because they were invalid. */
  skipped: number;
  /** Events, lists and resyncs that the store refused. */
  storeErrors: number;
}

/** The state of a reflector. */
export interface ReflectorSnapshot extends Readonly<ReflectorCounters> {
  /** The name of the reflector in log lines. */
  readonly name: string;
  /** The current activity of the reflector. */
  readonly phase: ReflectorPhase;
  /** The resource version of the last list, event or bookmark; empty before the first list. */
  readonly lastSyncResourceVersion: string;
  /** The last failure, even if the reflector has recovered since; undefined if there was no failure. */
  readonly lastError: Error | undefined;
  /** The time of the last failure, in milliseconds since the Unix epoch. */
  readonly lastErrorTimeMs: number | undefined;
}

/** The buckets of item counts per list and per watch. client-go uses summaries, without buckets. */
const ITEM_BUCKETS: readonly number[] = [0, 1, 10, 100, 1_000, 10_000, 100_000];
const SECONDS_BUCKETS: readonly number[] = [0.01, 0.1, 1, 10, 60, 300, 600];

/** The observable state of a reflector: phase, counters, last error, and the metrics under client-go's names. */
export class ReflectorStatus {
  phase: ReflectorPhase = "idle";
  readonly counters: ReflectorCounters = {
    lists: 0,
    streamingLists: 0,
    watches: 0,
    events: 0,
    listErrors: 0,
    watchErrors: 0,
    shortWatches: 0,
    silentWatches: 0,
    fallbacks: 0,
    skipped: 0,
    storeErrors: 0,
  };
  lastError: Error | undefined;
  lastErrorTimeMs: number | undefined;

  readonly #clock: Clock;
  readonly #lists: Counter;
  readonly #listSeconds: Histogram;
  readonly #listItems: Histogram;
  readonly #watches: Counter;
  readonly #shortWatches: Counter;
  readonly #watchSeconds: Histogram;
  readonly #watchItems: Histogram;
  readonly #lastResourceVersion: Gauge;
  readonly #errors: Counter;

  constructor(name: string, clock: Clock, metrics: MetricsProvider) {
    const labels = { name };
    this.#clock = clock;
    this.#lists = metrics.counter("reflector_lists_total", labels);
    this.#listSeconds = metrics.histogram(
      "reflector_list_duration_seconds",
      labels,
      SECONDS_BUCKETS,
    );
    this.#listItems = metrics.histogram("reflector_items_per_list", labels, ITEM_BUCKETS);
    this.#watches = metrics.counter("reflector_watches_total", labels);
    this.#shortWatches = metrics.counter("reflector_short_watches_total", labels);
    this.#watchSeconds = metrics.histogram(
      "reflector_watch_duration_seconds",
      labels,
      SECONDS_BUCKETS,
    );
    this.#watchItems = metrics.histogram("reflector_items_per_watch", labels, ITEM_BUCKETS);
    this.#lastResourceVersion = metrics.gauge("reflector_last_resource_version", labels);
    this.#errors = metrics.counter("reflector_errors_total", labels);
  }

  listStarted(kind: "lists" | "streamingLists"): void {
    this.phase = kind === "lists" ? "listing" : "streaming-list";
    this.counters[kind]++;
    this.#lists.inc();
  }

  listed(itemCount: number, durationMs: number, resourceVersion: string): void {
    this.#listItems.observe(itemCount);
    this.#listSeconds.observe(durationMs / 1000);
    this.reached(resourceVersion);
  }

  listFailed(error: Error): void {
    this.counters.listErrors++;
    this.#failed(error);
  }

  watchStarted(): void {
    this.phase = "watching";
    this.counters.watches++;
    this.#watches.inc();
  }

  watchEnded(eventCount: number, durationMs: number): void {
    this.#watchItems.observe(eventCount);
    this.#watchSeconds.observe(durationMs / 1000);
  }

  shortWatch(error: Error): void {
    this.counters.shortWatches++;
    this.#shortWatches.inc();
    this.watchFailed(error);
  }

  watchFailed(error: Error): void {
    this.counters.watchErrors++;
    this.#failed(error);
  }

  storeFailed(error: Error): void {
    this.counters.storeErrors++;
    this.#failed(error);
  }

  skipped(count: number): void {
    this.counters.skipped += count;
  }

  reached(resourceVersion: string): void {
    const value = resourceVersionMetric(resourceVersion);
    if (value !== undefined) this.#lastResourceVersion.set(value);
  }

  snapshot(name: string, lastSyncResourceVersion: string): ReflectorSnapshot {
    return {
      ...this.counters,
      name,
      phase: this.phase,
      lastSyncResourceVersion,
      lastError: this.lastError,
      lastErrorTimeMs: this.lastErrorTimeMs,
    };
  }

  #failed(error: Error): void {
    this.lastError = error;
    this.lastErrorTimeMs = this.#clock.wallNow();
    this.#errors.inc();
  }
}

/**
 * Returns a resource version as the value of a gauge: its last 15 digits, as in client-go, so that a double holds it
 * exactly. Returns undefined if the version is empty or not a number. Resource versions are opaque; that today's
 * servers use decimal numbers is not guaranteed.
 */
export function resourceVersionMetric(resourceVersion: string): number | undefined {
  const value = Number(resourceVersion.slice(-15));
  return resourceVersion === "" || Number.isNaN(value) ? undefined : value;
}
