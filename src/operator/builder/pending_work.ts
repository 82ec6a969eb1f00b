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
  /** The delay after the failure of the reconcile before, in milliseconds. */
  backoffMs = 0;

  constructor(first: HeldCause, isUrgent: boolean) {
    super(first);
    this.isUrgent = isUrgent;
  }
}

/** The causes of a reconcile that starts, and the delay before it. */
export interface TakenWork extends TakenCauses {
  /** The delay after the failure of the reconcile before, in milliseconds. */
  readonly backoffMs: number;
}

const NO_WORK: TakenWork = { ...NO_CAUSES, backoffMs: 0 };

/** The maximum number of pending keys that are looked at to find the oldest due key. */
const MAX_LOOKS = 100;

/** A delayed addition of a key. */
interface Scheduled {
  readonly why: "retry" | "requeue";
  /** The time at which it was scheduled. */
  readonly atMs: number;
}

/** The causes and priorities of the pending keys of a controller. */
export class PendingWork {
  readonly #clock: Clock;
  readonly #pending = new Map<string, KeyWork>();
  /** The last key that was looked up. Each step looks its key up several times. */
  #lastKey = "";
  #last: KeyWork | undefined;
  /** The reason of the delayed addition of a key, if no other cause adds the key before. */
  readonly #scheduled = new Map<string, Scheduled>();
  /** The keys whose last reconcile had low priority and has not succeeded. Their retries have low priority too. */
  readonly #patient = new Set<string>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Records a cause, before its key is added to the queue. */
  note(key: string, cause: CauseEvent): void {
    const isUrgent = !PATIENT_CAUSES.has(cause.why);
    const work = this.#find(key);
    if (work === undefined) {
      this.#open(key, cause, isUrgent);
      return;
    }
    work.isUrgent ||= isUrgent;
    work.add(cause, this.#clock.now());
  }

  /** Records that a key will be added after a delay. */
  schedule(key: string, why: "retry" | "requeue"): void {
    this.#scheduled.set(key, { why, atMs: this.#clock.now() });
  }

  /** Records the addition of a key. Without a recorded cause, its delay has passed or the user has added it. */
  added(key: string): void {
    if (this.#find(key) !== undefined) return;
    const scheduled = this.#scheduled.get(key);
    this.#scheduled.delete(key);
    const why = scheduled?.why ?? "triggered";
    const work = this.#open(key, { why }, why !== "retry" || !this.#patient.has(key));
    if (scheduled?.why === "retry") work.backoffMs = this.#clock.now() - scheduled.atMs;
  }

  /** Returns the priority of a key in the queue. */
  priorityOf(key: string): number {
    return this.#find(key)?.isUrgent === false ? LOW_PRIORITY : 0;
  }

  /** Removes and returns the causes of a key at the start of its reconcile. */
  take(key: string, nowMs: number): TakenWork {
    const work = this.#find(key);
    if (work !== undefined) {
      this.#pending.delete(key);
      this.#last = undefined;
    }
    if (work?.isUrgent === false) this.#patient.add(key);
    else if (this.#patient.size > 0) this.#patient.delete(key);
    return work?.started(nowMs) ?? NO_WORK;
  }

  /** Reports whether a key has a cause and has not been taken. */
  has(key: string): boolean {
    return this.#pending.has(key);
  }

  /** Returns the time of the oldest cause of the keys that `isDue` returns true for; undefined if there is none. */
  oldestMs(isDue: (key: string) => boolean): number | undefined {
    let looks = 0;
    // The order of a Map is that of the first causes.
    for (const [key, { causes }] of this.#pending) {
      if (isDue(key)) return causes[0]?.atMs;
      if (++looks === MAX_LOOKS) return undefined;
    }
    return undefined;
  }

  /** Records that the reconcile of a key succeeded. */
  succeeded(key: string): void {
    if (this.#patient.size > 0) this.#patient.delete(key);
  }

  #open(key: string, cause: CauseEvent, isUrgent: boolean): KeyWork {
    const first = new HeldCause(cause, this.#clock.now());
    const work = new KeyWork(first, isUrgent);
    this.#pending.set(key, work);
    this.#lastKey = key;
    this.#last = work;
    return work;
  }

  #find(key: string): KeyWork | undefined {
    if (key === this.#lastKey) return this.#last;
    this.#lastKey = key;
    return this.#last = this.#pending.get(key);
  }
}
