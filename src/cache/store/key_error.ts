import { Brand, requireSync } from "../../base/mod.ts";
import { DeletedFinalStateUnknown } from "./deleted_final_state_unknown.ts";

const brand = new Brand("KeyError");

/**
 * The error for an object whose key cannot be computed. Its `cause` is the reason, usually what the key function threw.
 *
 * @example A store rejects an object without a name
 * ```ts
 * import { KeyError, metaNamespaceKeyFunc, newStore } from "@kubeloop/controller/cache";
 * import { assert, assertThrows } from "@std/assert";
 *
 * const store = newStore(metaNamespaceKeyFunc);
 * const error = assertThrows(() => store.add({ metadata: {} }));
 * assert(KeyError.is(error));
 * ```
 */
export class KeyError extends Error {
  /** Always `KeyError`. */
  override readonly name: string = "KeyError";
  /** The object whose key cannot be computed. */
  readonly obj: unknown;

  /** Creates the error for `obj`; `cause` is the reason. */
  constructor(obj: unknown, cause: unknown) {
    const why = cause instanceof Error ? cause.message : String(cause);
    super(`Cannot make a key for ${describeObject(obj)}: ${why}`, { cause });
    this.obj = obj;
  }

  /** Reports whether `error` is a KeyError, created by this or another copy of the package. */
  static is(error: unknown): error is KeyError {
    return brand.isOn(error);
  }
}

brand.put(KeyError.prototype);

/**
 * Describes `obj` in a few words: its kind, namespace, name, generateName and UID. The description never includes other
 * contents, since the object may be a Secret. A string is quoted, up to 80 characters.
 *
 * @internal
 */
export function describeObject(obj: unknown): string {
  if (obj === null) return "null";
  if (Array.isArray(obj)) return "an array";
  if (typeof obj === "string") return `the string ${JSON.stringify(obj.slice(0, 80))}`;
  if (typeof obj !== "object") return obj === undefined ? "undefined" : `a ${typeof obj}`;
  const { kind, metadata } = obj as { kind?: unknown; metadata?: Record<string, unknown> | null };
  const words = [typeof kind === "string" ? `an object of kind ${kind}` : "an object"];
  if (typeof metadata !== "object" || metadata === null) return `${words} without metadata`;
  for (const field of ["namespace", "name", "generateName", "uid"]) {
    const value = metadata[field];
    if (typeof value === "string" && value !== "") words.push(`${field} ${JSON.stringify(value)}`);
  }
  return words.join(", ");
}

/**
 * Returns the key that `keyFunc` computes for `obj`.
 *
 * @internal
 * @throws {KeyError} When `keyFunc` throws, or returns something other than a string.
 */
export function computeKey<T>(keyFunc: (obj: T) => string, obj: T): string {
  let key: string;
  try {
    key = requireSync("the key function", keyFunc(obj));
  } catch (thrown) {
    throw KeyError.is(thrown) ? thrown : new KeyError(obj, thrown);
  }
  if (typeof key === "string") return key;
  throw new KeyError(obj, new TypeError(`The key function gave ${typeof key}, must give a string`));
}

/**
 * Returns the key of an object, or the key that a tombstone holds.
 *
 * @internal
 * @throws {KeyError} When the object has no key.
 */
export function deletionKey<T>(
  keyFunc: (obj: T) => string,
  obj: T | DeletedFinalStateUnknown<T>,
): string {
  return DeletedFinalStateUnknown.is(obj) ? obj.key : computeKey(keyFunc, obj);
}
