import type { Clock } from "../../base/mod.ts";
import {
  type CauseEvent,
  HeldCause,
  KeyCauses,
  NO_CAUSES,
  type TakenCauses,
} from "../stories/mod.ts";

/** controller-runtime's `LowPriority`, for objects that nobody has just changed. */
const LOW_PRIORITY = -100;

/** What is known of a key in the queue. */
class KeyWork extends KeyCauses {
  /** Whether one of the causes is urgent. */
  isUrgent: boolean;

  constructor(first: HeldCause, isUrgent: boolean) {
    super(first);
    this.isUrgent = isUrgent;
  }
}

/** The causes and priorities of the keys in the queue of a controller. */
export class PendingWork {
  readonly #clock: Clock;
  /** The keys with causes. */
  readonly #pending = new Map<string, KeyWork>();
  /** The key that was last looked up: each step of a key looks it up several times. */
  #lastKey = "";
  #last: KeyWork | undefined;
  /** What the next addition of a key comes from, if nothing else adds it before: a delay that was set for it. */
  readonly #scheduled = new Map<string, "retry" | "requeue">();
  /** The keys whose last reconcile was of low priority, until they succeed. Their retries are not urgent either. */
  readonly #patient = new Set<string>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Notes a cause, before its key is added to the queue. */
  note(key: string, cause: CauseEvent): void {
    const isUrgent = cause.why !== "listed" && cause.why !== "resync";
    const work = this.#find(key);
    if (work === undefined) return this.#open(key, cause, isUrgent);
    work.isUrgent ||= isUrgent;
    work.add(cause, this.#clock.now());
  }

  /** Notes that a key will be added after a delay. */
  schedule(key: string, why: "retry" | "requeue"): void {
    this.#scheduled.set(key, why);
  }

  /** Notes that a key is added to the queue: without a noted cause, its delay has passed, or the user has added it. */
  added(key: string): void {
    if (this.#find(key) !== undefined) return;
    const why = this.#scheduled.get(key) ?? "triggered";
    this.#scheduled.delete(key);
    this.#open(key, { why }, why !== "retry" || !this.#patient.has(key));
  }

  /** Returns the priority of a key in the queue. */
  priorityOf(key: string): number {
    return this.#find(key)?.isUrgent === false ? LOW_PRIORITY : 0;
  }

  /** Removes and returns the causes of a key, at the start of its reconcile. */
  take(key: string, nowMs: number): TakenCauses {
    const work = this.#find(key);
    if (work !== undefined) {
      this.#pending.delete(key);
      this.#last = undefined;
    }
    if (work?.isUrgent === false) this.#patient.add(key);
    else if (this.#patient.size > 0) this.#patient.delete(key);
    return work?.started(nowMs) ?? NO_CAUSES;
  }

  /** Forgets that the last reconcile of a key was of low priority. */
  succeeded(key: string): void {
    if (this.#patient.size > 0) this.#patient.delete(key);
  }

  #open(key: string, cause: CauseEvent, isUrgent: boolean): void {
    const first = new HeldCause(cause, this.#clock.now());
    const work = new KeyWork(first, isUrgent);
    this.#pending.set(key, work);
    this.#lastKey = key;
    this.#last = work;
  }

  #find(key: string): KeyWork | undefined {
    if (key === this.#lastKey) return this.#last;
    this.#lastKey = key;
    return this.#last = this.#pending.get(key);
  }
}
