const COMPARABLE = /^[1-9][0-9]*$/;

/**
 * Compares two resource versions of one resource, which KEP-5504 allows where both are plain decimal numbers: longer is
 * later, then digit by digit. Everything else about a resource version is opaque.
 *
 * @returns Negative when `a` is older, 0 when they are the same, positive when `a` is newer; undefined when they cannot be
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
