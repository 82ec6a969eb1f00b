/**
 * The random source of jitter, identifiers and name suffixes. Inject a seeded one to make a program deterministic.
 *
 * @example A source that always returns 0.5
 * ```ts
 * import type { Random } from "@kubeloop/controller/base";
 *
 * const middle: Random = { next: () => 0.5 };
 * middle.next();
 * ```
 */
export interface Random {
  /** Returns the next number, uniform in [0, 1). */
  next(): number;
  /**
   * Returns a source for one purpose, which does not depend on the numbers that were drawn: `SeededRandom` of
   * `@kubeloop/testing` has it. A source without it is shared by everything that uses it, so that one more number for
   * one of them changes the numbers of all others.
   *
   * @param purpose A name for what the fork is used for. The same name gives the same source.
   */
  fork?(purpose: string): Random;
}

/** The random source of the runtime: the default wherever a {@linkcode Random} is an option. Not for secrets. */
export const realRandom: Random = { next: () => Math.random() };

/** Returns the fork of `random` for `purpose`, or `random` itself if it cannot be forked. */
export function forkRandom(random: Random, purpose: string): Random {
  return random.fork?.(purpose) ?? random;
}

/** Returns a whole number, uniform in [0, `bound`). */
export function randomInt(random: Random, bound: number): number {
  return Math.floor(random.next() * bound);
}

/** Returns a version 4 UUID that is generated from `random`. */
export function randomUuid(random: Random): string {
  let out = "";
  for (let i = 0; i < 32; i++) {
    if (i === 8 || i === 12 || i === 16 || i === 20) out += "-";
    // RFC 9562: nibble 12 is the version, the two high bits of nibble 16 are the variant.
    const nibble = i === 12 ? 4 : i === 16 ? 8 + randomInt(random, 4) : randomInt(random, 16);
    out += nibble.toString(16);
  }
  return out;
}
