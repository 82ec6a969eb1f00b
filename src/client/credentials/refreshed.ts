import { type Clock, describeError, type Logger } from "../../base/mod.ts";

/** client-go reads token and certificate files once a minute: they are renewed long before they expire. */
const MAX_AGE_MS = 60_000;

/** What {@linkcode Refreshed} needs. */
export interface RefreshedOptions<T> {
  /** Reads the value, checked. */
  readonly read: () => Promise<T>;
  /** For how many milliseconds a value is used. Default: a minute. */
  readonly maxAgeMs?: number | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A value that is read from files, again and again, once for all who ask at the same time. */
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
   * The value. One that is too old is read again; when that fails, the old value serves another while.
   *
   * @throws What reading throws, when there is no value yet.
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
   * Reads the value now.
   *
   * @throws What reading throws.
   */
  reread(): Promise<T> {
    this.#reading ??= this.#read().finally(() => this.#reading = undefined);
    return this.#reading;
  }

  async #renew(old: T): Promise<T> {
    try {
      return await this.reread();
    } catch (error) {
      this.#options.logger.warn(`${describeError(error)}; going on with what was read before`);
      return old;
    }
  }

  async #read(): Promise<T> {
    // Also when it fails: a file that cannot be read is tried once a minute, while the old value works.
    this.#readAtMs = this.#options.clock.now();
    const value = await this.#options.read();
    this.#held = { value };
    return value;
  }
}
