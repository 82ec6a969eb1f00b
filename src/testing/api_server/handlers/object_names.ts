import { type Random, randomInt } from "@kubeloop/controller/base";

/** The characters of generated suffixes: no vowels, and nothing that looks like another. */
const ALPHABET = "bcdfghjklmnpqrstvwxz2456789";

const SUFFIX_LENGTH = 5;

/** The longest a generated name may be. */
const MAX_NAME_LENGTH = 63;

/** Completes a `generateName` prefix to a name. */
export function generateName(prefix: string, random: Random): string {
  let suffix = "";
  for (let i = 0; i < SUFFIX_LENGTH; i++) suffix += ALPHABET[randomInt(random, ALPHABET.length)];
  return prefix.slice(0, MAX_NAME_LENGTH - SUFFIX_LENGTH) + suffix;
}
