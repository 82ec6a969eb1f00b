import type { Random } from "@kubeloop/controller/internal/base";

/** The maximum number of names with a count of their own. */
const MAX_NAMES = 10_000;

/**
 * Random sources by name. The nth source of a name depends only on the seed, the name and n: one more request changes the
 * random numbers of later requests of the same name, and of no others.
 */
export class Draws {
  readonly #random: Random;
  /** How often each name was drawn. */
  readonly #counts = new Map<string, number>();
  /** How often the counts were dropped, because there were too many names. It is part of each purpose: no source is repeated. */
  #drops = 0;

  /** Creates the sources of `random`. If it cannot be forked, it is the source of all names. */
  constructor(random: Random) {
    this.#random = random;
  }

  /** Returns the next source of a name. The name must not depend on the runtime. */
  of(name: string): Random {
    if (this.#random.fork === undefined) return this.#random;
    const count = this.#counts.get(name) ?? 0;
    if (count === 0 && this.#counts.size >= MAX_NAMES) {
      this.#counts.clear();
      this.#drops++;
    }
    this.#counts.set(name, count + 1);
    return this.#random.fork(`${this.#drops} ${count} ${name}`);
  }
}
