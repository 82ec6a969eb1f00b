import { randomInt } from "../../src/base/mod.ts";
import { SeededRandom } from "../../src/testing/mod.ts";
import type { Mutant } from "./mutants.ts";

/**
 * Draws up to `count` mutants. Every operator has the same chance, or else the constants of tables would be most of the
 * sample. Equal mutants and an equal seed give an equal sample.
 */
export function sampleOf(mutants: readonly Mutant[], count: number, seed: number): Mutant[] {
  const random = new SeededRandom(seed);
  const groups = [...Map.groupBy(mutants, ({ operator }) => operator).values()];
  const drawn: Mutant[] = [];
  while (drawn.length < count && groups.length > 0) {
    const group = groups[randomInt(random, groups.length)]!;
    drawn.push(...group.splice(randomInt(random, group.length), 1));
    if (group.length === 0) groups.splice(groups.indexOf(group), 1);
  }
  return drawn;
}
