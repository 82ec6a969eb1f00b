import { type Clock, realClock } from "./clock.ts";
import { describeValue } from "./describe_value.ts";
import { requireDelay } from "./numbers.ts";
import { type Random, realRandom } from "./random.ts";

/** The parameters of a sequence of growing delays: apimachinery's `wait.Backoff`, in milliseconds. */
export interface BackoffOptions {
  /** The first delay, in milliseconds. */
  readonly durationMs: number;
  /** The factor from one delay to the next; 0 and 1 keep the delay constant. Default 1. */
  readonly factor?: number | undefined;
  /** Each delay `d` is drawn uniformly from `[d, d + jitter * d)`; the growth itself is not jittered. Default 0. */
  readonly jitter?: number | undefined;
  /** How many times the delay grows before it stays constant. May be `Infinity`. Default 0. */
  readonly steps?: number | undefined;
  /**
   * The largest delay that growth can reach, in milliseconds, before jitter. The first delay may be larger. 0 means no
   * limit. Default 0.
   */
  readonly capMs?: number | undefined;
}

/**
 * A sequence of growing delays, as described by {@linkcode BackoffOptions}.
 *
 * A delay that would exceed the cap becomes the cap and ends the growth: no growth steps are left. This is what
 * apimachinery does (`wait/backoff.go`, `delay`).
 *
 * @example
 * ```ts
 * import { Backoff } from "@kubeloop/controller/base";
 * import { assertEquals } from "@std/assert";
 *
 * const backoff = new Backoff({ durationMs: 100, factor: 2, steps: 3 });
 * assertEquals([1, 2, 3, 4, 5].map(() => backoff.step()), [100, 200, 400, 800, 800]);
 * ```
 */
export class Backoff {
  readonly #factor: number;
  readonly #jitter: number;
  readonly #capMs: number;
  readonly #random: Random;
  #durationMs: number;
  #steps: number;

  /**
   * Creates a sequence at its first delay.
   *
   * @param options The parameters of the sequence.
   * @param random The random source of the jitter. Default: {@linkcode realRandom}.
   * @throws {RangeError} If a number of the options is negative or not a number.
   */
  constructor(options: BackoffOptions, random: Random = realRandom) {
    const { durationMs, factor = 1, jitter = 0, steps = 0, capMs = 0 } = options;
    requireDelay("durationMs", durationMs);
    requireFactor("factor", factor);
    requireFactor("jitter", jitter);
    if (steps !== Infinity && !(Number.isInteger(steps) && steps >= 0)) {
      throw new RangeError(
        `steps must be a whole number of at least 0, or Infinity: received ${describeValue(steps)}`,
      );
    }
    requireDelay("capMs", capMs);
    this.#durationMs = durationMs;
    this.#factor = factor;
    this.#jitter = jitter;
    this.#steps = steps;
    this.#capMs = capMs;
    this.#random = random;
  }

  /** The number of times that the delay still grows. */
  get steps(): number {
    return this.#steps;
  }

  /** Returns the next delay, in milliseconds, and advances the sequence. */
  step(): number {
    const base = this.#durationMs;
    if (this.#steps >= 1) {
      this.#steps--;
      if (this.#factor !== 0) {
        this.#durationMs = base * this.#factor;
        if (this.#capMs > 0 && this.#durationMs > this.#capMs) {
          this.#durationMs = this.#capMs;
          this.#steps = 0;
        }
      }
    }
    return this.#jitter > 0 ? base + this.#random.next() * this.#jitter * base : base;
  }
}

/**
 * A {@linkcode Backoff} that restarts when more than `resetAfterMs` milliseconds have passed since its last start, no
 * matter how often it was used in between.
 *
 * This is the rule of client-go 0.36: if a server never stops failing, its clients return to the first delay about
 * every two minutes.
 */
export class ResettingBackoff {
  readonly #options: BackoffOptions;
  readonly #resetAfterMs: number;
  readonly #clock: Clock;
  readonly #random: Random;
  #backoff: Backoff;
  #startedAt: number;

  /**
   * Creates a sequence that starts now.
   *
   * @param options The parameters of the sequence.
   * @param resetAfterMs The number of milliseconds after which the sequence restarts; `Infinity` means never.
   * @param sources The clock, and the random source of the jitter. Default: {@linkcode realClock} and
   *   {@linkcode realRandom}.
   * @throws {RangeError} If `resetAfterMs` or a number of the options is negative or not a number.
   */
  constructor(
    options: BackoffOptions,
    resetAfterMs: number,
    sources: {
      readonly clock?: Clock | undefined;
      readonly random?: Random | undefined;
    } = {},
  ) {
    if (typeof resetAfterMs !== "number" || !(resetAfterMs >= 0)) {
      throw new RangeError(`resetAfterMs must be a number of at least 0: received ${resetAfterMs}`);
    }
    this.#options = options;
    this.#resetAfterMs = resetAfterMs;
    this.#clock = sources.clock ?? realClock;
    this.#random = sources.random ?? realRandom;
    this.#backoff = new Backoff(options, this.#random);
    this.#startedAt = this.#clock.now();
  }

  /** Returns the next delay, in milliseconds, and advances the sequence, after a restart if one is due. */
  step(): number {
    if (this.#clock.now() - this.#startedAt > this.#resetAfterMs) this.restart();
    return this.#backoff.step();
  }

  /** Starts again from the first delay. */
  restart(): void {
    this.#backoff = new Backoff(this.#options, this.#random);
    this.#startedAt = this.#clock.now();
  }
}

function requireFactor(name: string, value: number): void {
  if (Number.isFinite(value) && value >= 0) return;
  throw new RangeError(`${name} must be a finite number of at least 0: received ${value}`);
}
