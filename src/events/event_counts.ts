import type { Counter, MetricsProvider } from "../base/mod.ts";

/**
 * The reason why an occurrence, or the count of a series, was dropped:
 *
 * - `spam`: there were too many events about the object,
 * - `overflow`: 1,000 events were waiting,
 * - `refused`: the server refused the Event, for example because its namespace terminates,
 * - `failed`: twelve tries failed,
 * - `stopped`: the recorder had stopped.
 */
export type DropReason = "spam" | "overflow" | "refused" | "failed" | "stopped";

const REASONS: readonly DropReason[] = ["spam", "overflow", "refused", "failed", "stopped"];

/** Counts events, for the snapshot and the metrics. */
export class EventCounts {
  occurrences = 0;
  writes = 0;
  readonly dropped: Record<DropReason, number> = {
    spam: 0,
    overflow: 0,
    refused: 0,
    failed: 0,
    stopped: 0,
  };
  readonly #occurrences: Counter;
  readonly #writes: Counter;
  readonly #dropped: ReadonlyMap<DropReason, Counter>;

  constructor(metrics: MetricsProvider, controller: string) {
    this.#occurrences = metrics.counter("kubeloop_events_total", { controller });
    this.#writes = metrics.counter("kubeloop_event_writes_total", { controller });
    this.#dropped = new Map(REASONS.map((reason) => [
      reason,
      metrics.counter("kubeloop_events_dropped_total", { controller, reason }),
    ]));
  }

  occurred(): void {
    this.occurrences++;
    this.#occurrences.inc();
  }

  written(): void {
    this.writes++;
    this.#writes.inc();
  }

  drop(reason: DropReason, count = 1): void {
    this.dropped[reason] += count;
    this.#dropped.get(reason)?.inc(count);
  }
}
