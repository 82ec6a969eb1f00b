import { DeletedFinalStateUnknown } from "./deleted_final_state_unknown.ts";
import { computeKey } from "./key_error.ts";
import type { KeyFunc } from "./keys.ts";

/**
 * Returns the key of an object, or the key that a tombstone holds.
 *
 * @throws {KeyError} When the object has no key.
 */
export function deletionKey<T>(keyFunc: KeyFunc<T>, obj: T | DeletedFinalStateUnknown<T>): string {
  return DeletedFinalStateUnknown.is(obj) ? obj.key : computeKey(keyFunc, obj);
}
