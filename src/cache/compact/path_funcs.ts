import type { KubeObject } from "../../types/mod.ts";
import { type JsonPath, parsePath } from "./json_path.ts";
import { DeletedFinalStateUnknown, type IndexFunc } from "../store/mod.ts";
import { ObjectRef } from "./object_ref.ts";

/** An index function that says where it looks, so that a compact cache can answer it without parsing the object. */
export interface PathIndexFunc<T = unknown> {
  /** The values of `obj`. */
  (obj: T | ObjectRef<T>): readonly string[];
  /** The names that lead there. */
  readonly path: readonly string[];
}

/**
 * An index function by what an object has at a path: a text, a number or a boolean is one value, an array of them as many
 * values, anything else none.
 *
 * @typeParam T The interface of the objects.
 * @param path Where to look, as in `spec.nodeName`; a dot within a name is written `\\.`, or the path given as an array.
 * @returns The function, which works in every cache; in a compact one it costs no parsing.
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
 * A filter function by what an object has at a path, for a `FilteringResourceEventHandler`. In a compact cache it costs no
 * parsing. Of a tombstone it looks at the last state that was seen.
 *
 * @param path Where to look, as in {@linkcode pathIndexFunc}.
 * @param test Whether an object with that value passes; it is given undefined where there is none.
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

/** Whether an index function needs no parsed object. */
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

/** Whether JSON would show it: not what is inherited, nor the length of an array. */
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
