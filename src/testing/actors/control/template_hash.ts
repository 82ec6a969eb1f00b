import { showJson } from "@kubeloop/controller/internal/base";
import { withoutEmpty } from "./is_same.ts";

/** The characters of hashes in names: no vowels, so that no words arise, and none that look alike. */
const ALPHABET = "bcdfghjklmnpqrstvwxz2456789";
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/**
 * Returns a short hash of a template for names and labels, such as `5d4f8c7b9`. Equal templates have equal hashes.
 *
 * @param collisions Chooses another hash: the number of times that another template was found under the name.
 */
export function templateHash(template: unknown, collisions = 0): string {
  const bytes = new TextEncoder().encode(
    `${showJson(withoutEmpty(template))}${collisions || ""}`,
  );
  let hash = FNV_OFFSET;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, FNV_PRIME) >>> 0;
  return [...String(hash)].map((digit) => ALPHABET[digit.charCodeAt(0) % ALPHABET.length]).join("");
}
