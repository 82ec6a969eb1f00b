import { type Random, randomInt } from "@kubeloop/controller/internal/base";

/** The characters of generated suffixes: no vowels, and no characters that look alike. */
const ALPHABET = "bcdfghjklmnpqrstvwxz2456789";

const SUFFIX_LENGTH = 5;

/** The maximum length of a generated name. */
const MAX_NAME_LENGTH = 63;

/** Returns a name made of a `generateName` prefix and a random suffix. */
export function generateName(prefix: string, random: Random): string {
  let suffix = "";
  for (let i = 0; i < SUFFIX_LENGTH; i++) suffix += ALPHABET[randomInt(random, ALPHABET.length)];
  return prefix.slice(0, MAX_NAME_LENGTH - SUFFIX_LENGTH) + suffix;
}
