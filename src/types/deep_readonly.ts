import { setOwn } from "../base/mod.ts";

/**
 * `T` with all fields and array elements read-only, at any depth.
 *
 * A mutable value can be passed where a read-only one is expected, but not the reverse. To change an object
 * from a cache, copy it with {@linkcode deepCopy}.
 *
 * @typeParam T The mutable type.
 */
export type DeepReadonly<T> =
  // `any` stays `any`: nothing can be checked about it.
  0 extends 1 & T ? T
    // A string that may be another than the known ones, `string & Record<never, never>`, is an object for TypeScript.
    : T extends string | ((...args: never[]) => unknown) ? T
    : T extends readonly (infer E)[] ? readonly DeepReadonly<E>[]
    : T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
    : T;

/**
 * The inverse of {@linkcode DeepReadonly}.
 *
 * @typeParam T The read-only type.
 */
export type DeepWritable<T> = 0 extends 1 & T ? T
  : T extends string | ((...args: never[]) => unknown) ? T
  : T extends readonly (infer E)[] ? DeepWritable<E>[]
  : T extends object ? { -readonly [K in keyof T]: DeepWritable<T[K]> }
  : T;

/**
 * Returns a mutable copy of an object from a cache: client-go's `DeepCopy`.
 *
 * @param value The object. Everything in it must be representable in JSON. Large integers, which are bigints, are copied
 * too.
 * @returns A copy that shares nothing with the object.
 *
 * @example Change a label and write the object
 * ```ts
 * import { deepCopy, type DeepReadonly, type Pod } from "@kubeloop/controller/types";
 * import { assertEquals } from "@std/assert";
 *
 * const cached: DeepReadonly<Pod> = { metadata: { name: "a", labels: { app: "web" } } };
 * const pod = deepCopy(cached);
 * pod.metadata.labels = { ...pod.metadata.labels, tier: "front" };
 * assertEquals(cached.metadata.labels, { app: "web" });
 * ```
 */
export function deepCopy<T>(value: T): DeepWritable<T> {
  try {
    return structuredClone(value) as DeepWritable<T>;
  } catch (error) {
    // V8 copies some 1,500 levels. The API server stores ten thousand.
    if (error instanceof RangeError) return copyOf(value) as DeepWritable<T>;
    throw error;
  }
}

/** Copies as `structuredClone` does, but without recursion in objects and arrays. */
function copyOf(value: unknown): unknown {
  const copies = new Map<object, object>();
  const root = [value];
  // Copies that still share their members with the original.
  const rest: object[] = [root];
  for (let copy; (copy = rest.pop()) !== undefined;) {
    for (const key of Object.keys(copy)) {
      const member = (copy as Record<string, unknown>)[key];
      if (typeof member !== "object" || member === null) continue;
      let inner = copies.get(member);
      if (inner === undefined) {
        inner = shallowCopyOf(member);
        copies.set(member, inner);
        rest.push(inner);
      }
      setOwn(copy as Record<string, unknown>, key, inner);
    }
  }
  return root[0];
}

function shallowCopyOf(value: object): object {
  if (Array.isArray(value)) return value.slice();
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null
    ? { ...value }
    : structuredClone(value);
}
