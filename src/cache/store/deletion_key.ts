import { DeletedFinalStateUnknown } from "./deleted_final_state_unknown.ts";
import { computeKey } from "./key_error.ts";
import type { KeyFunc } from "./keys.ts";

/**
 * The key of an object or of a tombstone, which knows its own.
 *
 * @throws {KeyError} When the object has none.
 */
export function deletionKey<T>(keyFunc: KeyFunc<T>, obj: T | DeletedFinalStateUnknown<T>): string {
  return DeletedFinalStateUnknown.is(obj) ? obj.key : computeKey(keyFunc, obj);
}
