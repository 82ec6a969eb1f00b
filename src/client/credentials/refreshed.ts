import {
  abortable,
  type Clock,
  describeError,
  type Logger,
  realClock,
  withTimeLimit,
} from "../../base/mod.ts";

/** client-go reads token and certificate files once a minute; they are renewed long before they expire. */
const MAX_AGE_MS = 60_000;

/** The time that a request waits for a value while it has an old one. */
const PATIENCE_MS = 1_000;

/** The time that a request waits for a value without which it cannot be made. */
const LIMIT_MS = 30_000;

/** Options of {@linkcode Refreshed}. */
export interface RefreshedOptions<T> {
  /** The description of the value, for messages, such as `token file "/t"`. */
  readonly what: string;
  /** Reads and checks the value. `signal` aborts when the value is no longer needed. */
  readonly read: (signal: AbortSignal) => Promise<T>;
  /** The number of milliseconds after which the value is read again. Default: a minute. */
  readonly maxAgeMs?: number | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A value that is read again at intervals, once for all callers that wait for it. */
export class Refreshed<T> {
  readonly #options: RefreshedOptions<T>;
  readonly #maxAgeMs: number;
  readonly #stop = new AbortController();
  #held: { readonly value: T } | undefined;
  #readAtMs = -Infinity;
  #reading: Promise<T> | undefined;
  #renewing: Promise<T> | undefined;
  /** The read that took too long for requests that have an old value. */
  #slow: Promise<T> | undefined;

  constructor(options: RefreshedOptions<T>) {
    this.#options = options;
    this.#maxAgeMs = options.maxAgeMs ?? MAX_AGE_MS;
  }

  /**
   * Returns the value. A value that is too old is read again first. If that fails, a warning is logged, and the old
   * value is used for another `maxAgeMs`. If it takes longer than a second, a warning is logged, and the old value is used
   * until there is another.
   *
   * @throws The error of `read`, if there is no value yet.
   */
  async current(): Promise<T> {
    const held = this.#held;
    if (held === undefined) return await this.reread();
    const isFresh = this.#options.clock.now() - this.#readAtMs < this.#maxAgeMs;
    if (isFresh && this.#renewing === undefined) return held.value;
    if (this.#slow !== undefined) return held.value;
    this.#renewing ??= this.#renew(held.value).finally(() => this.#renewing = undefined);
    return await this.#renewing;
  }

  /**
   * Reads the value now, whatever its age.
   *
   * @throws The error of `read`, or an error if it takes longer than half a minute.
   */
  async reread(): Promise<T> {
    const reading = this.#start();
    const value = await this.#wait(reading, LIMIT_MS);
    if (value !== undefined) return value.read;
    throw new Error(`Cannot read ${this.#options.what}: no content within ${LIMIT_MS / 1000} s`);
  }

  /** Ends running reads with `reason`. */
  close(reason: Error): void {
    this.#stop.abort(reason);
  }

  async #renew(old: T): Promise<T> {
    const { logger, what } = this.#options;
    const reading = this.#start();
    try {
      const value = await this.#wait(reading, PATIENCE_MS);
      if (value !== undefined) return value.read;
      this.#slow = reading;
      logger.warn(
        `Reading ${what} takes longer than ${PATIENCE_MS / 1000} s; continuing with the last value`,
      );
    } catch (error) {
      this.#stop.signal.throwIfAborted();
      logger.warn(`${describeError(error)}; continuing with the last value`);
    }
    return old;
  }

  /** Starts to read the value, unless a read is running: a file system that does not answer must not use up all threads. */
  #start(): Promise<T> {
    this.#reading ??= this.#read().finally(() => this.#reading = this.#slow = undefined);
    return this.#reading;
  }

  async #read(): Promise<T> {
    // Set before reading, so that a file that cannot be read is tried only once a minute while the old value is used.
    this.#readAtMs = this.#options.clock.now();
    const value = await this.#options.read(this.#stop.signal);
    this.#held = { value };
    return value;
  }

  /** Waits for `reading`. Resolves with undefined when the time is up. */
  async #wait(
    reading: Promise<T>,
    limitMs: number,
  ): Promise<{ readonly read: T } | undefined> {
    const { clock } = this.#options;
    const late = new Error("Too late");
    const limit = { limitMs, late: () => late };
    try {
      // Files take real time, also where the clock stands still until the request is answered.
      const read = await withTimeLimit(
        { ...limit, clock: realClock, signal: this.#stop.signal },
        (signal) =>
          withTimeLimit({ ...limit, clock, signal }, (signal) => abortable(reading, signal)),
      );
      return { read };
    } catch (error) {
      if (error === late) return undefined;
      throw error;
    }
  }
}
