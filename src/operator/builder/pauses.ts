import type { Clock, Gauge } from "../../base/mod.ts";
import type { Condition, Pause } from "../../types/mod.ts";
import { Delays } from "../../workqueue/mod.ts";

/** The type of the condition of a paused object. */
export const PAUSED_CONDITION = "Paused";
/** The reasons of the condition. Another writer of a condition of this type has others. */
const REASON = "PausedByAnnotation";
const INVALID_REASON = "InvalidAnnotation";
/** Maximum time between two looks at the time of day, which may be set, in milliseconds. */
const MAX_WAIT_MS = 3_600_000;
/** Maximum length of a value of an annotation in a message, in characters. */
const MAX_VALUE_LENGTH = 100;

/** The condition of a paused object. */
export interface PausedCondition {
  readonly reason: string;
  readonly message: string;
}

/** Returns the condition of a paused object. */
export function pausedCondition({ annotation, isInvalid, untilMs, value }: Pause): PausedCondition {
  const by = `by the annotation ${annotation}`;
  if (isInvalid) {
    const shown = JSON.stringify(value.slice(0, MAX_VALUE_LENGTH));
    const message = `Paused ${by}, whose value ${shown} is neither "true", "false" nor a time ` +
      'such as "2026-01-31T12:00:00Z"';
    return { reason: INVALID_REASON, message };
  }
  const until = untilMs === undefined ? "" : ` until ${value}`;
  return { reason: REASON, message: `Paused ${by}${until}` };
}

/** Reports whether a condition is true and was set by {@linkcode pausedCondition}. */
export function isPausedCondition({ type, status, reason }: Partial<Condition>): boolean {
  return type === PAUSED_CONDITION && status === "True" &&
    (reason === REASON || reason === INVALID_REASON);
}

/** Options of {@linkcode Pauses}. */
export interface PausesOptions {
  readonly clock: Clock;
  /** The number of paused objects. */
  readonly gauge: Gauge;
  /** Called with each key whose pause has ended by its time. */
  readonly onEnd: (key: string) => void;
}

/** The paused keys of a controller, and the ends of their pauses. */
export class Pauses {
  readonly #options: PausesOptions;
  readonly #paused = new Map<string, Pause>();
  readonly #ends: Delays<string>;

  constructor(options: PausesOptions) {
    this.#options = options;
    this.#ends = new Delays(options.clock, (key) => this.#look(key));
  }

  /** Records the pause of a key. Returns whether it is new, or another one. */
  pause(key: string, pause: Pause): boolean {
    const before = this.#paused.get(key);
    if (before?.annotation === pause.annotation && before.value === pause.value) return false;
    this.#paused.set(key, pause);
    this.#options.gauge.set(this.#paused.size);
    this.#ends.cancel(key);
    this.#await(key, pause);
    return true;
  }

  /** Records that a key is not paused, or gone. Returns whether it was paused. */
  resume(key: string): boolean {
    if (this.#paused.size === 0 || !this.#paused.delete(key)) return false;
    this.#ends.cancel(key);
    this.#options.gauge.set(this.#paused.size);
    return true;
  }

  /** Returns the first paused keys, with their pauses. */
  list(limit: number): (readonly [key: string, pause: Pause])[] {
    return [...this.#paused.entries().take(limit)];
  }

  /** Returns the pause of a key, if it has one. */
  get(key: string): Pause | undefined {
    return this.#paused.get(key);
  }

  /** Forgets all keys and their timers. */
  close(): void {
    this.#ends.clear();
    this.#paused.clear();
    this.#options.gauge.set(0);
  }

  #await(key: string, { untilMs }: Pause): void {
    if (untilMs === undefined) return;
    const leftMs = untilMs - this.#options.clock.wallNow();
    this.#ends.delay(key, Math.min(MAX_WAIT_MS, Math.max(0, leftMs)));
  }

  #look(key: string): void {
    const pause = this.#paused.get(key);
    if (pause?.untilMs === undefined) return;
    if (pause.untilMs > this.#options.clock.wallNow()) this.#await(key, pause);
    else this.#options.onEnd(key);
  }
}
