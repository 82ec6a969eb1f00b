import { onAbort } from "./abort.ts";
import { type Clock, realClock, type Timer } from "./clock.ts";
import { describeValue } from "./describe_value.ts";
import { requireCount } from "./numbers.ts";

/** Options of a {@linkcode TokenBucket}. */
export interface TokenBucketOptions {
  /** The rate at which tokens are added, per second. With `Infinity`, no caller ever waits. */
  readonly qps: number;
  /** The size of the bucket, which starts full: the number of tokens that can be taken at once. */
  readonly burst: number;
  /** The clock that measures the time. Default: {@linkcode realClock}. */
  readonly clock?: Clock | undefined;
}

/** Options of {@linkcode TokenBucket.wait}. */
export interface TokenWaitOptions {
  /** Stops the wait; the promise then rejects with `signal.reason`. */
  readonly signal?: AbortSignal | undefined;
}

/** A caller of {@linkcode TokenBucket.wait} whose token is not available yet. */
interface Waiter {
  serve(): void;
}

/**
 * A token bucket like golang.org/x/time/rate: tokens are added at a constant rate, and each call takes one.
 *
 * {@linkcode TokenBucket.wait} waits for the token, {@linkcode TokenBucket.reserve} returns how long the caller must
 * wait, and {@linkcode TokenBucket.tryAccept} never waits. All three give out tokens in the order of the calls.
 *
 * @example Wait for a token
 * ```ts
 * import { TokenBucket } from "@kubeloop/controller/base";
 * import { VirtualClock } from "@kubeloop/testing";
 * import { assertEquals } from "@std/assert";
 *
 * const clock = new VirtualClock();
 * const bucket = new TokenBucket({ qps: 10, burst: 1, clock });
 * await bucket.wait();
 * await clock.run(bucket.wait());
 * assertEquals(clock.now(), 100);
 * ```
 *
 * @example Compute the wait
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
  /** The number of tokens at `#updatedAtMs`. Negative while tokens are promised that have not been added yet. */
  #tokens: number;
  #updatedAtMs: number;
  /** The waiting callers, first come, first served. */
  readonly #waiters = new Set<Waiter>();
  /**
   * The times at which the tokens of the waiters are added. When a waiter leaves, the last time is removed, so that the
   * waiters behind it move up.
   */
  readonly #dueTimesMs: number[] = [];
  /** Fires at the first of `#dueTimesMs`. */
  #timer: Timer | undefined;

  /**
   * Creates a full bucket.
   *
   * @param options The rate, the size of the bucket and the clock.
   * @throws {RangeError} If `qps` is not above 0 or `burst` is not a whole number of at least 1.
   */
  constructor(options: TokenBucketOptions) {
    const { qps, burst, clock = realClock } = options;
    if (typeof qps !== "number" || !(qps > 0)) {
      throw new RangeError(`qps must be a number above 0: received ${describeValue(qps)}`);
    }
    requireCount("burst", burst, 1);
    this.#qps = qps;
    this.#burst = burst;
    this.#clock = clock;
    this.#tokens = burst;
    this.#updatedAtMs = clock.now();
  }

  /**
   * Takes a token, even if it is not available yet.
   *
   * @returns The number of milliseconds after which the caller may use the token; 0 if the token is available now.
   */
  reserve(): number {
    if (this.#qps === Infinity) return 0;
    this.#refill();
    this.#tokens--;
    return this.#tokens >= 0 ? 0 : -this.#tokens / this.#qps * 1000;
  }

  /**
   * Takes a token and waits until it is available: client-go's `Wait`. A caller that stops waiting returns its token,
   * and the callers behind it move up.
   *
   * @param options The signal that stops the wait.
   * @throws `signal.reason`, if `signal` aborts first.
   */
  wait(options: TokenWaitOptions = {}): Promise<void> {
    const { signal } = options;
    if (signal?.aborted) return Promise.reject(signal.reason);
    const waitMs = this.reserve();
    if (waitMs === 0) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const waiter = {
        serve() {
          release();
          resolve();
        },
      };
      const release = onAbort(signal, (reason) => {
        this.#leave(waiter);
        reject(reason);
      });
      this.#waiters.add(waiter);
      this.#dueTimesMs.push(this.#updatedAtMs + waitMs);
      this.#setTimer();
    });
  }

  /**
   * Takes a token if one is available now.
   *
   * @returns Whether a token was taken.
   */
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

  #setTimer(): void {
    const [dueMs] = this.#dueTimesMs;
    if (this.#timer !== undefined || dueMs === undefined) return;
    const delayMs = Math.max(0, dueMs - this.#clock.now());
    this.#timer = this.#clock.setTimer(() => this.#serveDue(), delayMs);
  }

  #serveDue(): void {
    this.#timer = undefined;
    const now = this.#clock.now();
    for (const waiter of this.#waiters) {
      this.#dueTimesMs.shift();
      this.#waiters.delete(waiter);
      waiter.serve();
      if (!((this.#dueTimesMs[0] ?? Infinity) <= now)) break;
    }
    this.#setTimer();
  }

  #leave(waiter: Waiter): void {
    this.#waiters.delete(waiter);
    const dueMs = this.#dueTimesMs.pop() ?? 0;
    // The token is returned only if there is no later reservation: the wait of that one has been promised already.
    const lastPromisedMs = this.#updatedAtMs - this.#tokens / this.#qps * 1000;
    if (lastPromisedMs - dueMs < 500 / this.#qps) this.#tokens++;
    if (this.#waiters.size > 0) return;
    this.#timer?.cancel();
    this.#timer = undefined;
  }
}
