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

/** The maximum length of a resource version. A version of etcd has up to 19 digits; a URL must have room for one. */
const MAX_VERSION_LENGTH = 1_024;

/**
 * Returns the resource version of the metadata of an object, a bookmark or a list.
 *
 * @param metadata The received metadata. A server may send anything.
 * @returns The version; empty if the metadata has none, or if it is not a string of at most 1,024 characters.
 *
 * @internal
 */
export function receivedVersion(metadata: unknown): string {
  if (typeof metadata !== "object" || metadata === null) return "";
  const { resourceVersion } = metadata as { readonly resourceVersion?: unknown };
  const isVersion = typeof resourceVersion === "string" &&
    resourceVersion.length <= MAX_VERSION_LENGTH;
  return isVersion ? resourceVersion : "";
}

/**
 * Reports whether a watch can start from a resource version without a gap: it is neither empty, which means the newest
 * version, nor `"0"`, which means any version.
 *
 * @internal
 */
export function isExactVersion(resourceVersion: string): boolean {
  return resourceVersion !== "" && resourceVersion !== "0";
}
