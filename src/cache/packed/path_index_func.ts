import { Brand, type JsonPath, parsePath, valueIn } from "../../base/mod.ts";
import type { CheckedPath, FieldPath, KubeObject } from "../../types/mod.ts";
import { type IndexFunc, metaNamespaceIndexFunc } from "../store/mod.ts";
import { type Item, PackedObject } from "./packed_object.ts";

const brand = new Brand("PathIndexFunc");

/**
 * An index function that declares the path it reads, so that a cache that keeps bytes can index objects without
 * parsing them.
 */
export interface PathIndexFunc<T = unknown> {
  /** Returns the index values of `obj`. */
  (obj: T): readonly string[];
  /** The member names of the path. */
  readonly path: readonly string[];
  /** Returns the index values for the value at the path. */
  readonly valuesOf: (value: unknown) => readonly string[];
}

/**
 * Creates an index function for the value at a path. A string, number or boolean is one index value, an array of these
 * is one index value per element, and anything else is none.
 *
 * @typeParam T The interface of the objects. The path must be one of it.
 * @typeParam P The type of the path.
 * @param path The path, such as `spec.nodeName`. A dot within a name is written `\\.`; the path may also be an array of
 * names.
 * @returns The function. It works for all objects, and costs no parsing in an informer that keeps bytes.
 * @throws {SyntaxError} When the path is text with an empty part.
 *
 * @example Pods by node, and by a label with dots
 * ```ts
 * import { metaNamespaceKeyFunc, newIndexer, pathIndexFunc } from "@kubeloop/controller/cache";
 * import type { Pod } from "@kubeloop/controller/types";
 * import { assertEquals } from "@std/assert";
 *
 * const pods = newIndexer<Pod>(metaNamespaceKeyFunc, {
 *   node: pathIndexFunc("spec.nodeName"),
 *   app: pathIndexFunc(["metadata", "labels", "app.kubernetes.io/name"]),
 * });
 * pods.add({ metadata: { namespace: "x", name: "a" }, spec: { nodeName: "n1", containers: [] } });
 * assertEquals(pods.indexKeys("node", "n1"), ["x/a"]);
 * assertEquals(pods.listIndexFuncValues("app"), []);
 * ```
 */
export function pathIndexFunc<
  T = unknown,
  const P extends JsonPath = FieldPath<T> | readonly string[],
>(
  path: CheckedPath<NoInfer<T>, P>,
): PathIndexFunc<T> {
  return valueIndexFunc(parsePath(path), indexValues);
}

/**
 * Creates an index function that makes its values of the value at a path.
 *
 * @internal
 */
export function valueIndexFunc<T>(
  path: readonly string[],
  valuesOf: (value: unknown) => readonly string[],
): PathIndexFunc<T> {
  const values = (obj: T) => valuesOf(valueIn(obj, path));
  brand.put(values);
  return Object.assign(values, { path, valuesOf });
}

/** Reports whether an index function needs parsed objects. Functions of paths, and the one by namespace, do not. */
export function wantsObjects<T extends KubeObject>(indexFunc: IndexFunc<T>): boolean {
  return !brand.isOn(indexFunc) && indexFunc !== metaNamespaceIndexFunc;
}

/**
 * Adapts an index function of objects to the items of a cache. A function made by `pathIndexFunc`, even in another copy
 * of the package, reads its values from the bytes.
 *
 * @param read Returns the object of an item, for functions that need it.
 */
export function indexFuncOfItems<T extends KubeObject>(
  indexFunc: IndexFunc<T> | PathIndexFunc<T>,
  read: (item: Item<T>) => T,
): IndexFunc<Item<T>> {
  if (wantsObjects(indexFunc)) return (item) => indexFunc(read(item));
  if (!("path" in indexFunc)) return indexFunc as IndexFunc<Item<T>>;
  const { path, valuesOf } = indexFunc;
  return (item) => item instanceof PackedObject ? valuesOf(item.valueAt(path)) : indexFunc(item);
}

function indexValues(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return isScalar(value) ? [String(value)] : [];
  return value.filter(isScalar).map(String);
}

function isScalar(value: unknown): boolean {
  return ["string", "number", "bigint", "boolean"].includes(typeof value);
}
