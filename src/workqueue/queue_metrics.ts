import {
  type Clock,
  type Counter,
  type Gauge,
  type Histogram,
  type MetricsProvider,
  noopMetrics,
  type Timer,
} from "../base/mod.ts";

/** The refresh period of the two gauges about unfinished work: client-go's `defaultUnfinishedWorkUpdatePeriod`. */
const REFRESH_PERIOD_MS = 500;

/**
 * Ten histogram buckets, in seconds: from 10 ns upwards, each ten times the previous (component-base
 * `prometheus/workqueue`).
 */
const BUCKETS_SECONDS: readonly number[] = [1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1, 10];

/** The provider that a queue reports to, and the name that it reports under. */
export interface MetricsTarget {
  readonly name: string;
  readonly provider: MetricsProvider;
}

/** Returns where a queue reports its metrics. Returns undefined if the queue has no name or no provider. */
export function metricsTarget(
  name: string | undefined,
  provider: MetricsProvider | undefined,
): MetricsTarget | undefined {
  if (name === undefined || name === "") return undefined;
  if (provider === undefined || provider === noopMetrics) return undefined;
  return { name, provider };
}

/** The metrics of a named queue, under client-go's metric names. */
export class QueueMetrics<T> {
  readonly #clock: Clock;
  readonly #depth: Gauge;
  readonly #adds: Counter;
  readonly #queueDuration: Histogram;
  readonly #workDuration: Histogram;
  readonly #unfinished: Gauge;
  readonly #longest: Gauge;
  readonly #addedAtMs = new Map<T, number>();
  readonly #startedAtMs = new Map<T, number>();
  readonly #createdAtMs: number;
  #timer: Timer | undefined;
  #stopped = false;

  constructor({ name, provider }: MetricsTarget, clock: Clock) {
    const labels = { name };
    this.#clock = clock;
    this.#createdAtMs = clock.now();
    this.#depth = provider.gauge("workqueue_depth", labels);
    this.#adds = provider.counter("workqueue_adds_total", labels);
    this.#queueDuration = provider.histogram(
      "workqueue_queue_duration_seconds",
      labels,
      BUCKETS_SECONDS,
    );
    this.#workDuration = provider.histogram(
      "workqueue_work_duration_seconds",
      labels,
      BUCKETS_SECONDS,
    );
    this.#unfinished = provider.gauge("workqueue_unfinished_work_seconds", labels);
    this.#longest = provider.gauge("workqueue_longest_running_processor_seconds", labels);
  }

  add(item: T): void {
    this.#adds.inc();
    this.#depth.inc();
    this.#addedAtMs.set(item, this.#clock.now());
  }

  get(item: T): void {
    const now = this.#clock.now();
    this.#depth.dec();
    this.#startedAtMs.set(item, now);
    const addedAtMs = this.#addedAtMs.get(item);
    if (addedAtMs !== undefined) {
      this.#queueDuration.observe((now - addedAtMs) / 1000);
      this.#addedAtMs.delete(item);
    }
    this.#arm();
  }

  done(item: T): void {
    const startedAtMs = this.#startedAtMs.get(item);
    if (startedAtMs === undefined) return;
    this.#workDuration.observe((this.#clock.now() - startedAtMs) / 1000);
    this.#startedAtMs.delete(item);
  }

  /** Stops refreshing the gauges. */
  stop(): void {
    this.#stopped = true;
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  /**
   * Sets the timer for the next refresh. The timer only runs while items are being processed, so that an idle queue
   * holds no timer. It fires when a ticker that was started together with the queue would tick.
   */
  #arm(): void {
    if (this.#stopped || this.#timer !== undefined) return;
    const intoPeriodMs = (this.#clock.now() - this.#createdAtMs) % REFRESH_PERIOD_MS;
    this.#timer = this.#clock.setTimer(() => {
      this.#timer = undefined;
      this.#refresh();
      if (this.#startedAtMs.size > 0) this.#arm();
    }, REFRESH_PERIOD_MS - intoPeriodMs);
  }

  #refresh(): void {
    const now = this.#clock.now();
    let totalMs = 0;
    let longestMs = 0;
    for (const startedAtMs of this.#startedAtMs.values()) {
      const ageMs = now - startedAtMs;
      totalMs += ageMs;
      longestMs = Math.max(longestMs, ageMs);
    }
    this.#unfinished.set(totalMs / 1000);
    this.#longest.set(longestMs / 1000);
  }
}
