import { isRecord, parseJson } from "../base/mod.ts";
import type { DeepReadonly, KubeObject, ManagedFieldsEntry } from "../types/mod.ts";

/**
 * A set of fields in the form of `fieldsV1`. The key `f:x` holds the owned part of the field `x`, `k:{…}` that of the list item
 * with these keys, and `v:…` is an item of a set. The key `.` means the value itself. An empty set means the whole value.
 */
export type FieldTree = Readonly<Record<string, unknown>>;

/** The field manager of a server-side apply, and the subresource and API version that it writes. */
export interface Applier {
  /** The name of the field manager. */
  readonly fieldManager: string;
  /** The API version of the applied objects. */
  readonly apiVersion: string;
  /** The subresource; empty for the object itself. */
  readonly subresource: "" | "status";
}

/** The managed fields of an object, from the point of view of one applier. */
export interface ManagedFields {
  /** The fields that the applier owns; undefined if it owns none. */
  readonly own: FieldTree | undefined;
  /** Whether the applier has applied them in another API version than its present one. */
  readonly isOtherVersion: boolean;
  /** The fields of each of the other managers. */
  readonly others: readonly FieldTree[];
}

/** An entry of the managed fields. A server may send anything: only the entry itself is known to be an object. */
export type ManagerEntry = DeepReadonly<ManagedFieldsEntry>;

/** Returns the entries of the managed fields of an object; empty if there are none. */
export function managerEntries(
  object: { readonly metadata?: { readonly managedFields?: unknown } } | undefined,
): readonly ManagerEntry[] {
  const entries = object?.metadata?.managedFields;
  return Array.isArray(entries) ? entries.filter(isRecord) : [];
}

/** Returns the name of a field manager, with the subresource that it has written: `kubectl-edit`, `widgets (status)`. */
export function managerName(
  { manager, subresource }: { readonly manager?: unknown; readonly subresource?: unknown },
): string {
  const name = typeof manager === "string" && manager !== "" ? manager : "unknown";
  return typeof subresource !== "string" || subresource === "" ? name : `${name} (${subresource})`;
}

/**
 * Returns the managed fields of an object. The server identifies an applier by manager name and subresource: the applier has
 * one entry, whatever the API version.
 */
export function managedFieldsOf(object: DeepReadonly<KubeObject>, applier: Applier): ManagedFields {
  let own: FieldTree | undefined;
  let isOtherVersion = false;
  const others: FieldTree[] = [];
  for (const entry of managerEntries(object)) {
    const { fieldsV1 } = entry;
    if (!isRecord(fieldsV1)) continue;
    const isOwn = entry.manager === applier.fieldManager && entry.operation === "Apply" &&
      (entry.subresource ?? "") === applier.subresource;
    if (!isOwn) {
      others.push(fieldsV1);
      continue;
    }
    own = fieldsV1;
    isOtherVersion = entry.apiVersion !== applier.apiVersion;
  }
  return { own, isOtherVersion, others };
}

/** Reports whether an object has no managed fields, as after a transform of the cache that removes them. */
export function isStripped(object: DeepReadonly<KubeObject>): boolean {
  return object.metadata.managedFields === undefined;
}

/** Returns the number of elements of a tree, without `.`. */
export function countElements(tree: FieldTree): number {
  let count = 0;
  for (const key in tree) {
    if (key !== ".") count++;
  }
  return count;
}

/** Returns the elements of a tree, without `.`. */
export function elementsOf(tree: FieldTree): string[] {
  return Object.keys(tree).filter((key) => key !== ".");
}

/** Reports whether a value is owned as a whole, rather than its fields or items. */
export function isWhole(tree: FieldTree): boolean {
  for (const key in tree) {
    if (key !== ".") return false;
  }
  return true;
}

/** Returns the part of a tree below an element; undefined if there is none. */
export function below(tree: FieldTree | undefined, element: string): FieldTree | undefined {
  // No object inherits a field whose name has such a prefix.
  const inner = tree?.[element];
  return isRecord(inner) ? inner : undefined;
}

/** Returns the part of a tree at a path of elements; undefined if there is none. */
export function at(
  tree: FieldTree | undefined,
  path: readonly string[],
): FieldTree | undefined {
  let inner = tree;
  for (const element of path) inner = below(inner, element);
  return inner;
}

/** Returns the keys of the list item that an element `k:{…}` names; undefined for other elements. */
export function keysOf(element: string): Record<string, unknown> | undefined {
  const keys = element.startsWith("k:") ? jsonOf(element) : undefined;
  return isRecord(keys) ? keys : undefined;
}

/** Returns the item of a set that an element `v:…` names; undefined for other elements. */
export function valueOf(element: string): unknown {
  return element.startsWith("v:") ? jsonOf(element) : undefined;
}

function jsonOf(element: string): unknown {
  try {
    return parseJson(element.slice(2));
  } catch {
    return undefined;
  }
}
