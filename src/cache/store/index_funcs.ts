import { requireSync } from "../../base/mod.ts";
import type { IndexFunc } from "./indexer.ts";
import type { KeyFunc, Named } from "./keys.ts";

/** The conventional name of the index by namespace, in which listers look up objects. */
export const NAMESPACE_INDEX = "namespace";

/**
 * The index function of {@linkcode NAMESPACE_INDEX}: returns the namespace of an object, or the empty string for a
 * cluster-scoped object.
 *
 * @throws {TypeError} When the object has no metadata.
 *
 * @example
 * ```ts
 * import { metaNamespaceIndexFunc } from "@kubeloop/controller/cache";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(metaNamespaceIndexFunc({ metadata: { name: "a", namespace: "x" } }), ["x"]);
 * assertEquals(metaNamespaceIndexFunc({ metadata: { name: "node-1" } }), [""]);
 * ```
 */
export function metaNamespaceIndexFunc(obj: Named): readonly string[] {
  const metadata = obj?.metadata;
  if (typeof metadata !== "object" || metadata === null) {
    throw new TypeError("The object has no metadata, so it cannot be indexed by namespace");
  }
  return [metadata.namespace ?? ""];
}

/**
 * Converts an index function that returns exactly one value to a key function.
 *
 * @returns A key function that throws if the index function returns no value or more than one.
 *
 * @example
 * ```ts
 * import { indexFuncToKeyFuncAdapter } from "@kubeloop/controller/cache";
 * import { assertEquals, assertThrows } from "@std/assert";
 *
 * const keyFunc = indexFuncToKeyFuncAdapter((words: string) => words.split(" "));
 * assertEquals(keyFunc("one"), "one");
 * assertThrows(() => keyFunc("one two"));
 * ```
 */
export function indexFuncToKeyFuncAdapter<T>(indexFunc: IndexFunc<T>): KeyFunc<T> {
  return (obj) => {
    const values = requireSync("the index function", indexFunc(obj));
    const [value] = values;
    if (value !== undefined && values.length === 1) return value;
    throw new RangeError(
      `Cannot make a key: the index function gave ${values.length} values, must give exactly one`,
    );
  };
}
