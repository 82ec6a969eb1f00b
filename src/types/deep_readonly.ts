import { isRecord, setOwn } from "../base/mod.ts";

/**
 * `T` with all fields and array elements read-only, at any depth.
 *
 * A mutable value can be passed where a read-only one is expected, but not the other way round. To change an object
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
 * @param value The object. Everything in it must be representable in JSON.
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
    // Runtimes clone some thousand levels. An API server takes more.
    if (!(error instanceof RangeError)) throw error;
    return copyJson(value) as DeepWritable<T>;
  }
}

/** Copies a JSON value without recursion. */
function copyJson(root: unknown): unknown {
  const copies = new Map<object, object>();
  const open: [source: object, copy: object][] = [];
  const copyOf = (value: unknown): unknown => {
    if (!Array.isArray(value) && !isRecord(value)) return value;
    const known = copies.get(value);
    if (known !== undefined) return known;
    const copy = Array.isArray(value) ? [] : {};
    copies.set(value, copy);
    open.push([value, copy]);
    return copy;
  };
  const copied = copyOf(root);
  for (let pair; (pair = open.pop()) !== undefined;) {
    const [source, copy] = pair;
    for (const [key, value] of Object.entries(source)) {
      setOwn(copy as Record<string, unknown>, key, copyOf(value));
    }
  }
  return copied;
}
