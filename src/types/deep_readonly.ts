/**
 * `T` with every field, every element and every field of those read-only.
 *
 * A mutable value can be passed where a read-only one is wanted, but not the other way round: take a copy with
 * {@linkcode deepCopy} to change an object from a cache.
 *
 * @typeParam T The mutable type.
 */
export type DeepReadonly<T> =
  // `any` stays `any`: it has given up on types already.
  0 extends 1 & T ? T
    : T extends (...args: never[]) => unknown ? T
    : T extends readonly (infer E)[] ? readonly DeepReadonly<E>[]
    : T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
    : T;

/**
 * The inverse of {@linkcode DeepReadonly}.
 *
 * @typeParam T The read-only type.
 */
export type DeepWritable<T> = 0 extends 1 & T ? T
  : T extends (...args: never[]) => unknown ? T
  : T extends readonly (infer E)[] ? DeepWritable<E>[]
  : T extends object ? { -readonly [K in keyof T]: DeepWritable<T[K]> }
  : T;

/**
 * Copies an object from a cache, so that it can be changed: client-go's `DeepCopy`.
 *
 * @param value The object; anything that JSON can express.
 * @returns A copy that shares nothing with it.
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
  return structuredClone(value) as DeepWritable<T>;
}
