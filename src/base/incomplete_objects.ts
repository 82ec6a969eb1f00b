import { LruMap } from "./lru_map.ts";

/** The maximum number of remembered objects, of about 150 bytes each. */
const MAX_OBJECTS = 100_000;

/** The decoded objects with fields that no table has, by UID and resource version. */
const incomplete = new LruMap<string, true>(MAX_OBJECTS);

/**
 * The identity of one version of an object.
 *
 * @internal
 */
export interface VersionIdentity {
  /** The UID of the object. */
  readonly uid?: string | undefined;
  /** The resource version. */
  readonly resourceVersion?: string | undefined;
}

/**
 * Remembers a version of an object that a newer server has sent with fields that no table has.
 *
 * @internal
 */
export function noteIncomplete(version: VersionIdentity): void {
  incomplete.set(idOf(version), true);
}

/**
 * Forgets a version of an object, because its whole JSON was read.
 *
 * @internal
 */
export function forgetIncomplete(version: VersionIdentity): void {
  if (incomplete.size > 0) incomplete.delete(idOf(version));
}

/**
 * Reports whether a version of an object was decoded without some of its fields: an update would remove them.
 *
 * @internal
 */
export function isIncomplete(version: VersionIdentity): boolean {
  return incomplete.size > 0 && incomplete.has(idOf(version));
}

function idOf({ uid, resourceVersion }: VersionIdentity): string {
  return `${uid}/${resourceVersion}`;
}
