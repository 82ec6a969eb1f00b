import { type Random, TextHash } from "@kubeloop/controller/internal/base";

/**
 * A reproducible random source: the same seed gives the same numbers on every runtime.
 *
 * The generator is Bob Jenkins' sfc32, which passes the usual test batteries and only needs 32-bit integer arithmetic.
 *
 * @example
 * ```ts
 * import { SeededRandom } from "@kubeloop/testing";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(new SeededRandom(7).next(), new SeededRandom(7).next());
 * ```
 *
 * @example One source for each purpose, so that one more number here changes nothing there
 * ```ts
 * import { SeededRandom } from "@kubeloop/testing";
 * import { assertEquals, assertNotEquals } from "@std/assert";
 *
 * const random = new SeededRandom(7);
 * const before = random.fork("faults").next();
 * random.next();
 * assertEquals(random.fork("faults").next(), before);
 * assertNotEquals(random.fork("delays").next(), before);
 * ```
 */
export class SeededRandom implements Random {
  #a = 0x9e3779b9;
  #b = 0x243f6a88;
  #c: number;
  #counter = 1;
  /** Whether the first numbers were skipped, which are not random enough. */
  #isWarm = false;
  /** The identity of this source: its seed, or the hash of its ancestors and purposes. Its first fork makes a text of that. */
  #origin: string | TextHash;

  /** Creates a source from the lower 32 bits of `seed`, a whole number. */
  constructor(seed: number) {
    this.#c = seed | 0;
    this.#origin = String(this.#c);
  }

  /**
   * Returns a new source that is derived from the seed and `purpose`, and from nothing else: not from the numbers that
   * were drawn, nor from other forks. The same purpose gives the same source again. A fork can be forked.
   *
   * @param purpose A name for what the source is used for, such as `"scheduler"`.
   * @throws {TypeError} If `purpose` is not a string.
   */
  fork(purpose: string): SeededRandom {
    if (typeof purpose !== "string") {
      throw new TypeError(
        `The purpose of a fork must be a string: received a value of type ${typeof purpose}`,
      );
    }
    if (typeof this.#origin !== "string") this.#origin = this.#origin.hex();
    const hash = new TextHash().add(this.#origin).add(purpose);
    const [a, b, c] = hash.words();
    const fork = new SeededRandom(0);
    fork.#a = a;
    fork.#b = b;
    fork.#c = c;
    fork.#origin = hash;
    return fork;
  }

  /** Returns the next number, uniformly distributed in [0, 1). */
  next(): number {
    if (!this.#isWarm) {
      this.#isWarm = true;
      for (let i = 0; i < 12; i++) this.#step();
    }
    return this.#step();
  }

  #step(): number {
    const t = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + t) | 0;
    return (t >>> 0) / 2 ** 32;
  }
}
