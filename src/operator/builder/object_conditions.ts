import { type Gauge, Heap, type HeapItem, isRecord, type MetricsProvider } from "../../base/mod.ts";
import { type Item, keyOf, valueOfItem } from "../../cache/mod.ts";
import type { KubeObject } from "../../types/mod.ts";
import type { ItemChange } from "./change.ts";

const CONDITIONS: readonly string[] = ["status", "conditions"];
/** The types of the conditions for readiness. The first type that an object has counts. */
const READY_TYPES: readonly string[] = ["Ready", "Available"];
/** Maximum number of series of a controller with a reason of their own. Further ones have the reason `other`. */
const MAX_SERIES = 24;
/** Maximum number of types of conditions of a controller. Conditions of further types are not counted. */
const MAX_TYPES = 8;
/** Maximum number of counted conditions of an object. */
const MAX_CONDITIONS = 32;
/** The reason of conditions beyond {@linkcode MAX_SERIES}. */
const OTHER = "other";
/** A longer type or reason is not a label, in characters. */
const MAX_LABEL_LENGTH = 100;
/** The buckets of the time for which a condition had its status, in seconds. */
const BUCKETS_SECONDS: readonly number[] = [1, 5, 15, 60, 300, 900, 3_600, 14_400, 86_400, 604_800];
const STATUSES: readonly unknown[] = ["True", "False", "Unknown"];

/** A condition that is counted. */
interface Counted {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  /** The last change of the status, in milliseconds since the Unix epoch; NaN if unknown. */
  readonly sinceMs: number;
}

/** An object that is not ready. */
class Unready implements HeapItem {
  heapIndex = -1;
  sinceMs: number;

  constructor(sinceMs: number) {
    this.sinceMs = sinceMs;
  }
}

/**
 * Counts the conditions of the objects of a controller, from the changes of its cache: how many objects have which condition
 * with which reason, how long a condition had a status before it changed, and since when the oldest object is not ready. The
 * number of series is bounded, and no label is a name of an object.
 */
export class ObjectConditions {
  readonly #controller: string;
  readonly #metrics: MetricsProvider;
  /** The numbers of objects, by the labels of their series. */
  readonly #counts = new Map<string, Gauge>();
  readonly #notReady: Gauge;
  readonly #oldestSince: Gauge;
  readonly #types = new Set<string>();
  /** The series of each object with conditions. Equal lists are shared. */
  readonly #objects = new Map<string, readonly string[]>();
  readonly #lists = new Map<string, readonly string[]>();
  readonly #unready = new Map<string, Unready>();
  readonly #oldest = new Heap<Unready>((a, b) => a.sinceMs < b.sinceMs);

  constructor(controller: string, metrics: MetricsProvider) {
    this.#controller = controller;
    this.#metrics = metrics;
    this.#notReady = metrics.gauge("kubeloop_not_ready_objects", { controller });
    this.#oldestSince = metrics.gauge("kubeloop_oldest_not_ready_timestamp_seconds", {
      controller,
    });
  }

  /** Takes a change of the cache into account. */
  changed(change: ItemChange): void {
    const { item, old, type } = change;
    const key = keyOf(item);
    if (type === "deleted" || type === "left") return void this.#set(key, []);
    const now = this.#conditionsOf(item);
    // The old version is read only if something has changed.
    if (this.#set(key, now) && old !== undefined) {
      this.#noteTransitions(this.#conditionsOf(old), now);
    }
  }

  /** Forgets all objects, so that another replica can count them. */
  close(): void {
    for (const key of [...this.#objects.keys()]) this.#set(key, []);
  }

  /** Sets the conditions of an object. Returns whether their series differ from those before. */
  #set(key: string, conditions: readonly Counted[]): boolean {
    const before = this.#objects.get(key) ?? [];
    const after = this.#shared(conditions.map((condition) => this.#seriesOf(condition)));
    if (before !== after) {
      for (const series of before) this.#counts.get(series)?.dec();
      for (const series of after) this.#counts.get(series)?.inc();
      if (after.length === 0) this.#objects.delete(key);
      else this.#objects.set(key, after);
    }
    this.#setUnready(key, unreadySinceMs(conditions));
    return before !== after;
  }

  #setUnready(key: string, sinceMs: number | undefined): void {
    const known = this.#unready.get(key);
    if (known?.sinceMs === sinceMs) return;
    if (known !== undefined) {
      this.#oldest.remove(known);
      this.#unready.delete(key);
    }
    if (sinceMs !== undefined) {
      const unready = new Unready(sinceMs);
      this.#oldest.push(unready);
      this.#unready.set(key, unready);
    }
    this.#report();
  }

  #report(): void {
    this.#notReady.set(this.#unready.size);
    this.#oldestSince.set((this.#oldest.peek()?.sinceMs ?? 0) / 1000);
  }

  /** Returns the key of the series of a condition, which it creates. */
  #seriesOf({ type, status, reason }: Counted): string {
    const known = JSON.stringify([type, status, reason]);
    if (this.#counts.has(known)) return known;
    const shown = this.#counts.size < MAX_SERIES ? reason : OTHER;
    const series = JSON.stringify([type, status, shown]);
    if (!this.#counts.has(series)) {
      const labels = { controller: this.#controller, type, status, reason: shown };
      this.#counts.set(series, this.#metrics.gauge("kubeloop_object_conditions", labels));
    }
    return series;
  }

  #shared(list: readonly string[]): readonly string[] {
    const text = list.join();
    const known = this.#lists.get(text);
    if (known !== undefined) return known;
    // Each list is one of few combinations. If not, they are no longer shared.
    if (this.#lists.size < MAX_SERIES * MAX_TYPES) this.#lists.set(text, list);
    return list;
  }

  #conditionsOf(item: Item<KubeObject>): readonly Counted[] {
    const conditions = valueOfItem(item, CONDITIONS);
    if (!Array.isArray(conditions)) return [];
    const counted = new Map<string, Counted>();
    for (const one of conditions.slice(0, MAX_CONDITIONS)) {
      const { type, status, reason, lastTransitionTime } = isRecord(one) ? one : {};
      if (!isLabel(type) || !STATUSES.includes(status) || !this.#isCounted(type)) continue;
      counted.set(type, {
        type,
        status: status as string,
        reason: isLabel(reason) ? reason : OTHER,
        sinceMs: typeof lastTransitionTime === "string" ? Date.parse(lastTransitionTime) : NaN,
      });
    }
    return [...counted.values()];
  }

  #isCounted(type: string): boolean {
    if (this.#types.has(type)) return true;
    if (this.#types.size >= MAX_TYPES) return false;
    this.#types.add(type);
    return true;
  }

  #noteTransitions(before: readonly Counted[], after: readonly Counted[]): void {
    for (const { type, status, sinceMs } of after) {
      const old = before.find((one) => one.type === type);
      const tookMs = old === undefined || old.status === status ? NaN : sinceMs - old.sinceMs;
      if (!(tookMs >= 0)) continue;
      const labels = { controller: this.#controller, type, status };
      this.#metrics.histogram("kubeloop_condition_transition_seconds", labels, BUCKETS_SECONDS)
        .observe(tookMs / 1000);
    }
  }
}

/** Returns since when an object is not ready; undefined if it is ready, or does not say. */
function unreadySinceMs(conditions: readonly Counted[]): number | undefined {
  for (const ready of READY_TYPES) {
    const condition = conditions.find(({ type }) => type === ready);
    if (condition === undefined) continue;
    const isReady = condition.status === "True" || Number.isNaN(condition.sinceMs);
    return isReady ? undefined : condition.sinceMs;
  }
  return undefined;
}

function isLabel(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value.length <= MAX_LABEL_LENGTH;
}
