import type { Clock, Counter, Gauge, Histogram, MetricsProvider } from "../../base/mod.ts";
import { resourceVersionMetric } from "./resource_version_metric.ts";
import type { ReflectorCounters, ReflectorPhase, ReflectorSnapshot } from "./reflector_snapshot.ts";

/** The buckets of item counts per list and per watch. client-go has none to follow: it uses summaries. */
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
