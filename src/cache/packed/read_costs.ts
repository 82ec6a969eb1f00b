/** Reads are told about from this number on, */
const MANY_READS = 100_000;
/** and if objects were read more often than this, for each time that one arrived. */
const READS_PER_ARRIVAL = 4;

/**
 * Compares how often objects are parsed in a cache that keeps bytes, once for each read, with how often they would be
 * parsed otherwise, once for each arrival.
 */
export class ReadCosts {
  readonly #tell: (message: string) => void;
  #reads = 0;
  #arrivals = 0;
  #isTold = false;

  /** @param tell Called once, when keeping parsed objects would have cost much less. */
  constructor(tell: (message: string) => void) {
    this.#tell = tell;
  }

  /** Counts an object that arrived. */
  arrived(): void {
    this.#arrivals++;
  }

  /** Counts an object that was parsed for a reader. */
  read(): void {
    this.#reads++;
    if (this.#reads < MANY_READS || this.#reads < READS_PER_ARRIVAL * this.#arrivals) return;
    if (this.#isTold) return;
    this.#isTold = true;
    this.#tell(
      `${this.#reads} reads have parsed an object each, and only ${this.#arrivals} objects have arrived: ` +
        "keepParsed: true makes the reads cheap",
    );
  }
}
