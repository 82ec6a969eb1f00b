import type { Clock } from "../../base/mod.ts";
import {
  type CauseEvent,
  type CauseKind,
  HeldCause,
  KeyCauses,
  NO_CAUSES,
  type TakenCauses,
} from "../stories/mod.ts";

/** controller-runtime's `LowPriority`, for causes that concern many keys at once. */
const LOW_PRIORITY = -100;
const PATIENT_CAUSES: ReadonlySet<CauseKind> = new Set(["listed", "resync", "served", "absent"]);

/** The causes and the urgency of a pending key. */
class KeyWork extends KeyCauses {
  /** Whether a cause is urgent. */
  isUrgent: boolean;

  constructor(first: HeldCause, isUrgent: boolean) {
    super(first);
    this.isUrgent = isUrgent;
  }
}

/** The causes and priorities of the pending keys of a controller. */
export class PendingWork {
  readonly #clock: Clock;
  readonly #pending = new Map<string, KeyWork>();
  /** The last key that was looked up. Each step looks its key up several times. */
  #lastKey = "";
  #last: KeyWork | undefined;
  /** The reason of the delayed addition of a key, if no other cause adds the key before. */
  readonly #scheduled = new Map<string, "retry" | "requeue">();
  /** The keys whose last reconcile had low priority and has not succeeded. Their retries have low priority too. */
  readonly #patient = new Set<string>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Records a cause, before its key is added to the queue. */
  note(key: string, cause: CauseEvent): void {
    const isUrgent = !PATIENT_CAUSES.has(cause.why);
    const work = this.#find(key);
    if (work === undefined) return this.#open(key, cause, isUrgent);
    work.isUrgent ||= isUrgent;
    work.add(cause, this.#clock.now());
  }

  /** Records that a key will be added after a delay. */
  schedule(key: string, why: "retry" | "requeue"): void {
    this.#scheduled.set(key, why);
  }

  /** Records the addition of a key. Without a recorded cause, its delay has passed or the user has added it. */
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

  /** Removes and returns the causes of a key at the start of its reconcile. */
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

  /** Records that the reconcile of a key succeeded. */
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
