import { type Clock, describeError, type Logger } from "../../base/mod.ts";

/** client-go reads token and certificate files once a minute; they are renewed long before they expire. */
const MAX_AGE_MS = 60_000;

/** Options of {@linkcode Refreshed}. */
export interface RefreshedOptions<T> {
  /** Reads and checks the value. */
  readonly read: () => Promise<T>;
  /** The number of milliseconds after which the value is read again. Default: a minute. */
  readonly maxAgeMs?: number | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A value that is read again at intervals, once for all callers that wait for it. */
export class Refreshed<T> {
  readonly #options: RefreshedOptions<T>;
  readonly #maxAgeMs: number;
  #held: { readonly value: T } | undefined;
  #readAtMs = -Infinity;
  #reading: Promise<T> | undefined;
  #renewing: Promise<T> | undefined;

  constructor(options: RefreshedOptions<T>) {
    this.#options = options;
    this.#maxAgeMs = options.maxAgeMs ?? MAX_AGE_MS;
  }

  /**
   * Returns the value. A value that is too old is read again first. If that fails, a warning is logged, and the old
   * value is used for another `maxAgeMs`.
   *
   * @throws The error of `read`, if there is no value yet.
   */
  async current(): Promise<T> {
    const held = this.#held;
    if (held === undefined) return await this.reread();
    const isFresh = this.#options.clock.now() - this.#readAtMs < this.#maxAgeMs;
    if (isFresh && this.#renewing === undefined) return held.value;
    this.#renewing ??= this.#renew(held.value).finally(() => this.#renewing = undefined);
    return await this.#renewing;
  }

  /**
   * Reads the value now, whatever its age.
   *
   * @throws The error of `read`.
   */
  reread(): Promise<T> {
    this.#reading ??= this.#read().finally(() => this.#reading = undefined);
    return this.#reading;
  }

  async #renew(old: T): Promise<T> {
    try {
      return await this.reread();
    } catch (error) {
      this.#options.logger.warn(`${describeError(error)}; continuing with the last value`);
      return old;
    }
  }

  async #read(): Promise<T> {
    // Set before reading, so that a file that cannot be read is tried only once a minute while the old value is used.
    this.#readAtMs = this.#options.clock.now();
    const value = await this.#options.read();
    this.#held = { value };
    return value;
  }
}
