import { type Clock, realClock } from "./clock.ts";
import { requireDelay } from "./numbers.ts";
import { type Random, realRandom } from "./random.ts";

/** A sequence of growing delays: apimachinery's `wait.Backoff`, in milliseconds. */
export interface BackoffOptions {
  /** The first delay, in milliseconds. */
  readonly durationMs: number;
  /** The factor between one delay and the next; 0 and 1 keep the delay constant. Default 1. */
  readonly factor?: number | undefined;
  /** Each delay `d` becomes uniform in `[d, d + jitter * d)`; the growth itself is not jittered. Default 0. */
  readonly jitter?: number | undefined;
  /** The number of delays that grow; the delays after them are constant. May be `Infinity`. Default 0. */
  readonly steps?: number | undefined;
  /** The largest delay before jitter, in milliseconds; 0 means no limit. Default 0. */
  readonly capMs?: number | undefined;
}

/**
 * The sequence of delays that {@linkcode BackoffOptions} describes.
 *
 * Reaching the cap ends the growth, as it does in apimachinery (`wait/backoff.go`, `delay`).
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
   * Creates a sequence at its beginning.
   *
   * @param options The delays.
   * @param random The source of jitter. Default: the machine's own randomness.
   * @throws {RangeError} If a number of the options is negative or not a number.
   */
  constructor(options: BackoffOptions, random: Random = realRandom) {
    const { durationMs, factor = 1, jitter = 0, steps = 0, capMs = 0 } = options;
    requireDelay("durationMs", durationMs);
    requireFactor("factor", factor);
    requireFactor("jitter", jitter);
    if (steps !== Infinity && !(Number.isInteger(steps) && steps >= 0)) {
      throw new RangeError(
        `steps must be a whole number of at least 0, or Infinity: received ${steps}`,
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

  /** The number of growing delays that are left. */
  get steps(): number {
    return this.#steps;
  }

  /** The next delay in milliseconds. */
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
 * A {@linkcode Backoff} that starts afresh once `resetAfterMs` have passed since it last started, however busy it was
 * (client-go 0.36's rule: a server that fails for ever is asked again after the first delay every two minutes or so).
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
   * @param options The delays.
   * @param resetAfterMs After how many milliseconds the sequence starts again; `Infinity` means never.
   * @param sources The clock and the source of jitter. Default: the machine's own.
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

  /** The next delay in milliseconds. */
  step(): number {
    const now = this.#clock.now();
    if (now - this.#startedAt > this.#resetAfterMs) {
      this.#backoff = new Backoff(this.#options, this.#random);
      this.#startedAt = now;
    }
    return this.#backoff.step();
  }
}

function requireFactor(name: string, value: number): void {
  if (Number.isFinite(value) && value >= 0) return;
  throw new RangeError(`${name} must be a finite number of at least 0: received ${value}`);
}
