import type { Random } from "@kubeloop/controller/base";

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
 */
export class SeededRandom implements Random {
  #a = 0x9e3779b9;
  #b = 0x243f6a88;
  #c: number;
  #counter = 1;

  /** Creates a source from `seed`, a whole number of which 32 bits are used. */
  constructor(seed: number) {
    this.#c = seed | 0;
    for (let i = 0; i < 12; i++) this.next();
  }

  /** Returns the next number, uniformly distributed in [0, 1). */
  next(): number {
    const t = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + t) | 0;
    return (t >>> 0) / 2 ** 32;
  }
}
