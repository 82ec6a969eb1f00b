import { isRecord, parseJson } from "../../base/mod.ts";
import type { DeepReadonly, KubeObject, ManagedFieldsEntry } from "../../types/mod.ts";

/**
 * A set of fields in the form of `fieldsV1`. The key `f:x` leads to what is owned of the field `x`, `k:{…}` to what is
 * owned of the list item with these keys, and `v:…` is an item of a set. The key `.` stands for the value itself.
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
  /** Whether these fields are in another API version than the one that the applier writes. */
  readonly isOtherVersion: boolean;
  /** The fields of each of the other managers. */
  readonly others: readonly FieldTree[];
}

/**
 * Returns the managed fields of an object. A server knows an applier again by its name and the subresource: the applier
 * has one entry, whatever the API version.
 */
export function managedFieldsOf(object: DeepReadonly<KubeObject>, applier: Applier): ManagedFields {
  const entries: unknown = object.metadata.managedFields;
  let own: FieldTree | undefined;
  let isOtherVersion = false;
  const others: FieldTree[] = [];
  for (const entry of Array.isArray(entries) ? entries as ManagedFieldsEntry[] : []) {
    // A server may send anything.
    if (!isRecord(entry) || !isRecord(entry.fieldsV1)) continue;
    const isOwn = entry.manager === applier.fieldManager && entry.operation === "Apply" &&
      (entry.subresource ?? "") === applier.subresource;
    if (!isOwn) {
      others.push(entry.fieldsV1);
      continue;
    }
    own = entry.fieldsV1;
    isOtherVersion = entry.apiVersion !== applier.apiVersion;
  }
  return { own, isOtherVersion, others };
}

/** Reports whether an object has no managed fields at all, as after a transform of the cache that removes them. */
export function isStripped(object: DeepReadonly<KubeObject>): boolean {
  return object.metadata.managedFields === undefined;
}

/** Returns the number of keys of a tree, without the one that stands for the value itself. */
export function countElements(tree: FieldTree): number {
  let count = 0;
  for (const key in tree) {
    if (key !== ".") count++;
  }
  return count;
}

/** Returns the keys of a tree, without the one that stands for the value itself. */
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

/** Returns what is owned below one key of a tree; undefined if nothing is. */
export function below(tree: FieldTree | undefined, key: string): FieldTree | undefined {
  // No object inherits a field whose name has such a prefix.
  const inner = tree?.[key];
  return isRecord(inner) ? inner : undefined;
}

/** Returns what is owned at a path; undefined if nothing is. */
export function at(tree: FieldTree, path: readonly string[]): FieldTree | undefined {
  let inner: FieldTree | undefined = tree;
  for (const key of path) inner = below(inner, key);
  return inner;
}

/** Returns the keys of the list item that an element `k:{…}` names; undefined if the element is another one. */
export function keysOf(element: string): Record<string, unknown> | undefined {
  if (!element.startsWith("k:")) return undefined;
  const keys = parse(element);
  return isRecord(keys) ? keys : undefined;
}

/** Returns the item of a set that an element `v:…` names; undefined if the element is another one. */
export function valueOf(element: string): unknown {
  return element.startsWith("v:") ? parse(element) : undefined;
}

function parse(element: string): unknown {
  try {
    return parseJson(element.slice(2));
  } catch {
    return undefined;
  }
}
