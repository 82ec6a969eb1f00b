import type { Clock } from "../../base/mod.ts";
import { type CauseEvent, PendingCauses, type TakenCauses } from "../stories/mod.ts";

/** controller-runtime's `LowPriority`, for objects that nobody has just changed. */
const LOW_PRIORITY = -100;

/** The causes and priorities of the keys in the queue of a controller. */
export class PendingWork {
  readonly #causes: PendingCauses;
  /** The keys with causes, and whether one of these is urgent. */
  readonly #pending = new Map<string, boolean>();
  /** What the next addition of a key comes from, if nothing else adds it before: a delay that was set for it. */
  readonly #scheduled = new Map<string, "retry" | "requeue">();
  /** The keys whose last reconcile was of low priority, until they succeed. Their retries are not urgent either. */
  readonly #patient = new Set<string>();

  constructor(clock: Clock) {
    this.#causes = new PendingCauses(clock);
  }

  /** Notes a cause, before its key is added to the queue. */
  note(key: string, cause: CauseEvent): void {
    this.#causes.add(key, cause);
    const isUrgent = cause.why !== "listed" && cause.why !== "resync";
    if (isUrgent || !this.#pending.has(key)) this.#pending.set(key, isUrgent);
  }

  /** Notes that a key will be added after a delay. */
  schedule(key: string, why: "retry" | "requeue"): void {
    this.#scheduled.set(key, why);
  }

  /** Notes that a key is added to the queue: without a noted cause, its delay has passed, or the user has added it. */
  added(key: string): void {
    if (this.#pending.has(key)) return;
    const why = this.#scheduled.get(key) ?? "triggered";
    this.#scheduled.delete(key);
    this.#causes.add(key, { why });
    this.#pending.set(key, why !== "retry" || !this.#patient.has(key));
  }

  /** Returns the priority of a key in the queue. */
  priorityOf(key: string): number {
    return this.#pending.get(key) === false ? LOW_PRIORITY : 0;
  }

  /** Removes and returns the causes of a key, at the start of its reconcile. */
  take(key: string): TakenCauses {
    const isUrgent = this.#pending.get(key) ?? true;
    this.#pending.delete(key);
    if (!isUrgent) this.#patient.add(key);
    else if (this.#patient.size > 0) this.#patient.delete(key);
    return this.#causes.take(key);
  }

  /** Forgets that the last reconcile of a key was of low priority. */
  succeeded(key: string): void {
    if (this.#patient.size > 0) this.#patient.delete(key);
  }
}
