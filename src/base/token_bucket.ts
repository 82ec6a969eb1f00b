import { type Clock, realClock } from "./clock.ts";

/** Options of a {@linkcode TokenBucket}. */
export interface TokenBucketOptions {
  /** Tokens that flow in per second; `Infinity` never makes anyone wait. */
  readonly qps: number;
  /** Tokens the bucket holds, and starts with: how many may be taken at once. */
  readonly burst: number;
  /** Where the time comes from. Default: the real clock. */
  readonly clock?: Clock | undefined;
}

/**
 * A token bucket that hands out places in line, as golang.org/x/time/rate does: whoever takes a token that is not there
 * yet is told how long to wait for it, and those who come later wait behind.
 *
 * It sets no timer and never refuses a reservation; the waiting is the caller's.
 *
 * @example
 * ```ts
 * import { TokenBucket } from "@kubeloop/controller/base";
 * import { VirtualClock } from "@kubeloop/testing";
 * import { assertEquals } from "@std/assert";
 *
 * const bucket = new TokenBucket({ qps: 10, burst: 1, clock: new VirtualClock() });
 * assertEquals([bucket.reserve(), bucket.reserve(), bucket.reserve()], [0, 100, 200]);
 * ```
 */
export class TokenBucket {
  readonly #qps: number;
  readonly #burst: number;
  readonly #clock: Clock;
  /** As of `#updatedAtMs`; below zero while reservations are waiting. */
  #tokens: number;
  #updatedAtMs: number;

  /**
   * A full bucket.
   *
   * @throws {RangeError} When `qps` is not above 0 or `burst` is not a whole number above 0.
   */
  constructor(options: TokenBucketOptions) {
    const { qps, burst, clock = realClock } = options;
    if (!(qps > 0)) throw new RangeError(`qps must be above 0: received ${qps}`);
    if (!Number.isInteger(burst) || burst < 1) {
      throw new RangeError(`burst must be a whole number above 0: received ${burst}`);
    }
    this.#qps = qps;
    this.#burst = burst;
    this.#clock = clock;
    this.#tokens = burst;
    this.#updatedAtMs = clock.now();
  }

  /** Takes a token and answers in how many milliseconds it may be spent: 0 when it is there now. */
  reserve(): number {
    if (this.#qps === Infinity) return 0;
    this.#refill();
    this.#tokens--;
    return this.#tokens >= 0 ? 0 : -this.#tokens / this.#qps * 1000;
  }

  /** Takes a token if it is there now; otherwise takes nothing and answers false. */
  tryAccept(): boolean {
    if (this.#qps === Infinity) return true;
    this.#refill();
    if (this.#tokens < 1) return false;
    this.#tokens--;
    return true;
  }

  #refill(): void {
    const now = this.#clock.now();
    const gained = (now - this.#updatedAtMs) * this.#qps / 1000;
    this.#tokens = Math.min(this.#burst, this.#tokens + gained);
    this.#updatedAtMs = now;
  }
}
