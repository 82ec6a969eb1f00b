import type { Random } from "../../../src/base/mod.ts";

/** Draws random choices. */
export class Draw {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  /** Returns true with a probability of `share`. */
  chance(share: number): boolean {
    return this.#random.next() < share;
  }

  /** Returns a whole number from `least` to `most`. */
  int(least: number, most: number): number {
    return least + Math.floor(this.#random.next() * (most - least + 1));
  }

  /** Returns one of `values`. */
  pick<T>(values: readonly T[]): T {
    return values[this.int(0, values.length - 1)] as T;
  }

  /** Returns a time in milliseconds, where short ones are as likely as long ones. */
  time(mostMs: number): number {
    return Math.floor(mostMs * this.#random.next() ** 3);
  }
}
