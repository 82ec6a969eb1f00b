/**
 * Where jitter, identifiers and name suffixes come from. Inject a seeded one to make a program deterministic.
 *
 * @example A source that always answers the middle
 * ```ts
 * import type { Random } from "@kubeloop/controller";
 *
 * const middle: Random = { next: () => 0.5 };
 * middle.next();
 * ```
 */
export interface Random {
  /** The next number, uniform in [0, 1). */
  next(): number;
}

/** The machine's own source: the default wherever a {@linkcode Random} is taken. Not for secrets. */
export const realRandom: Random = { next: () => Math.random() };

/** A whole number, uniform in [0, `bound`). */
export function randomInt(random: Random, bound: number): number {
  return Math.floor(random.next() * bound);
}

/** A version 4 UUID made from `random`. */
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
