import type { KubeObject } from "../../types/mod.ts";
import { type JsonPath, parsePath } from "./json_path.ts";
import { DeletedFinalStateUnknown, type IndexFunc } from "../store/mod.ts";
import { ObjectRef } from "./object_ref.ts";

/**
 * An index function that declares the path it reads, so that a compact cache can index objects without parsing them.
 */
export interface PathIndexFunc<T = unknown> {
  /** Returns the index values of `obj`. */
  (obj: T | ObjectRef<T>): readonly string[];
  /** The member names of the path. */
  readonly path: readonly string[];
}

/**
 * Creates an index function for the value at a path. A string, number or boolean is one index value, an array of these
 * is one index value per element, and anything else is none.
 *
 * @typeParam T The interface of the objects.
 * @param path The path, such as `spec.nodeName`. A dot within a name is written `\\.`; the path may also be an array of
 * names.
 * @returns The function, which works in every cache. In a compact cache it costs no parsing.
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
export function pathIndexFunc<T = unknown>(path: JsonPath): PathIndexFunc<T> {
  const names = parsePath(path);
  const values = (obj: T | ObjectRef<T>) => indexValues(valueIn(obj, names));
  return Object.assign(values, { path: names });
}

/**
 * Creates a filter function for the value at a path, for use in a `FilteringResourceEventHandler`. In a compact cache
 * the function costs no parsing. For a tombstone it reads the last observed state.
 *
 * @param path The path, as in {@linkcode pathIndexFunc}.
 * @param test Reports whether an object with the given value passes. The value is undefined if the object has none.
 * @returns The function.
 * @throws {SyntaxError} When the path is text with an empty part.
 *
 * @example
 * ```ts
 * import { pathFilterFunc } from "@kubeloop/controller/cache";
 * import { assertEquals } from "@std/assert";
 *
 * const isRunning = pathFilterFunc("status.phase", (phase) => phase === "Running");
 * assertEquals(isRunning({ metadata: { name: "a" }, status: { phase: "Running" } }), true);
 * assertEquals(isRunning({ metadata: { name: "b" } }), false);
 * ```
 */
export function pathFilterFunc(
  path: JsonPath,
  test: (value: unknown) => boolean,
): (obj: unknown) => boolean {
  const names = parsePath(path);
  return (obj) => test(valueIn(DeletedFinalStateUnknown.lastKnownState(obj), names));
}

/** Reports whether an index function works on references, without a parsed object. */
export function readsPath<T extends KubeObject>(
  indexFunc: IndexFunc<T> | PathIndexFunc<T>,
): indexFunc is PathIndexFunc<T> {
  return "path" in indexFunc;
}

function valueIn(obj: unknown, names: readonly string[]): unknown {
  if (ObjectRef.is(obj)) return obj.valueAt(names);
  let value = obj;
  for (const name of names) {
    if (typeof value !== "object" || value === null || !isMember(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

/** Reports whether JSON includes the member: inherited members and the length of an array do not count. */
function isMember(value: object, name: string): boolean {
  return Object.prototype.propertyIsEnumerable.call(value, name);
}

function indexValues(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return isScalar(value) ? [String(value)] : [];
  return value.filter(isScalar).map(String);
}

function isScalar(value: unknown): boolean {
  return ["string", "number", "boolean"].includes(typeof value);
}
