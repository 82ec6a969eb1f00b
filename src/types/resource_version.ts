const COMPARABLE = /^[1-9][0-9]*$/;

/**
 * Compares two resource versions of the same resource. KEP-5504 allows this if both are plain decimal numbers; any
 * other resource version is opaque. The comparison is numeric, for numbers of any length.
 *
 * @returns Negative if `a` is older, 0 if they are equal, positive if `a` is newer; undefined if they cannot be
 * compared.
 *
 * @example
 * ```ts
 * import { compareResourceVersions } from "@kubeloop/controller/types";
 * import { assert, assertEquals } from "@std/assert";
 *
 * assert(compareResourceVersions("99", "100")! < 0);
 * assertEquals(compareResourceVersions("99", "x"), undefined);
 * ```
 */
export function compareResourceVersions(a: string, b: string): number | undefined {
  if (!COMPARABLE.test(a) || !COMPARABLE.test(b)) return undefined;
  if (a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : a > b ? 1 : 0;
}
