/** The minimum number of reads before a report. */
const MANY_READS = 100_000;
/** The minimum number of reads per received object before a report. */
const READS_PER_ARRIVAL = 4;

/**
 * Compares the cost of a cache that keeps bytes, which parses an object for each read, with the cost of a cache that
 * parses each object once, when it arrives.
 */
export class ReadCosts {
  readonly #report: (message: string) => void;
  #reads = 0;
  #arrivals = 0;
  #isReported = false;

  /** @param report Called once, when keeping parsed objects would have cost much less. */
  constructor(report: (message: string) => void) {
    this.#report = report;
  }

  /** Counts an object that arrived. */
  arrived(): void {
    this.#arrivals++;
  }

  /** Counts an object that was parsed for a reader. */
  read(): void {
    this.#reads++;
    if (this.#reads < MANY_READS || this.#reads < READS_PER_ARRIVAL * this.#arrivals) return;
    if (this.#isReported) return;
    this.#isReported = true;
    this.#report(
      `${this.#reads} reads have parsed an object each, and only ${this.#arrivals} objects have arrived: ` +
        "keepParsed: true makes the reads cheap",
    );
  }
}
