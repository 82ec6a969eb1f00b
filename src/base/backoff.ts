import { type Clock, realClock } from "./clock.ts";
import { type Random, realRandom } from "./random.ts";

/** How waiting times grow from try to try: apimachinery's `wait.Backoff`, in milliseconds. */
export interface BackoffOptions {
  /** The first delay. */
  readonly durationMs: number;
  /** What each delay is multiplied by to give the next; 0 and 1 keep it. Default 1. */
  readonly factor?: number;
  /** Each delay `d` becomes uniform in `[d, d + jitter * d)`; the growth itself is not jittered. Default 0. */
  readonly jitter?: number;
  /** How many delays may grow; after them it stays. Default 0. */
  readonly steps?: number;
  /** The delay that growth stops at, before jitter. Default: none. */
  readonly capMs?: number;
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

  /** A sequence at its beginning; `random` makes the jitter. */
  constructor(options: BackoffOptions, random: Random = realRandom) {
    this.#durationMs = options.durationMs;
    this.#factor = options.factor ?? 1;
    this.#jitter = options.jitter ?? 0;
    this.#steps = options.steps ?? 0;
    this.#capMs = options.capMs ?? 0;
    this.#random = random;
  }

  /** How many growing delays are left. */
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

  /** A sequence at its beginning, now. */
  constructor(
    options: BackoffOptions,
    resetAfterMs: number,
    sources: { readonly clock?: Clock; readonly random?: Random } = {},
  ) {
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
