import { describeValue, isRecord, requireSync } from "../../base/mod.ts";
import { joinMetaNamespaceKey, splitMetaNamespaceKey } from "../../cache/mod.ts";
import { type Cached, type KubeObject, type Resource, resourceName } from "../../types/mod.ts";
import type { KeyLike } from "./mapped_keys.ts";

/** The longest name and namespace of an object. */
const MAX_NAME_LENGTH = 253;

/** The objects that an object refers to: none, one or several. Undefined and empty names are skipped. */
export type Referenced =
  | KeyLike
  | readonly (KeyLike | undefined)[]
  | Iterable<KeyLike | undefined>
  | undefined
  | void;

/** Returns the objects of another kind that an object refers to. */
export type ReferencesOf<T extends KubeObject> = (object: Cached<T>) => Referenced;

/** Where the names of references are resolved. */
export interface ReferenceTarget {
  /** The referenced kind. */
  readonly resource: Resource;
  /** Returns the namespaces that may be read. Undefined means all. */
  readonly namespaces: () => readonly string[] | undefined;
}

/**
 * Calls `onKey` with the key of each object that `object` refers to, and `onInvalid` with the error of each name that no
 * object can have or that may not be read.
 */
export function eachReference<T extends KubeObject>(
  { object, of }: { readonly object: Cached<T>; readonly of: ReferencesOf<T> },
  target: ReferenceTarget,
  onKey: (key: string) => void,
  onInvalid: (error: unknown) => void,
): void {
  const found = requireSync("references", of(object)) ?? [];
  const names = typeof found === "object" && Symbol.iterator in found ? found : [found];
  for (const name of names) {
    if (name === undefined || name === null || name === "") continue;
    try {
      onKey(referenceKey(name, object.metadata.namespace, target));
    } catch (error) {
      onInvalid(error);
    }
  }
}

function referenceKey(
  reference: KeyLike,
  ownNamespace: string | undefined,
  { resource, namespaces: readable }: ReferenceTarget,
): string {
  const kind = resourceName(resource);
  const { namespace, name } = partsOf(reference);
  const place = namespace || (resource.namespaced ? ownNamespace ?? "" : "");
  if (!isSegment(name) || (place !== "" && !isSegment(place))) {
    throw new RangeError(`No object can have the name ${JSON.stringify(shown(name))}`);
  }
  if (resource.namespaced !== (place !== "")) {
    throw new TypeError(
      resource.namespaced
        ? `The ${kind} "${name}" needs a namespace, as in "default/${name}": the referring object has none`
        : `The ${kind} "${name}" has no namespace: refer to it by "${name}"`,
    );
  }
  const namespaces = readable();
  if (resource.namespaced && namespaces !== undefined && !namespaces.includes(place)) {
    throw new RangeError(
      `The ${kind} "${place}/${name}" is not in a namespace of the manager, which has ${
        namespaces.join(", ")
      }: give the manager that namespace too`,
    );
  }
  return joinMetaNamespaceKey(place, name);
}

/** Returns the parts of a reference. Only a text names a namespace by a slash. */
function partsOf(reference: KeyLike): { readonly namespace?: string | undefined; name: string } {
  if (typeof reference === "string") return splitMetaNamespaceKey(reference);
  const parts: unknown = isRecord(reference) && "metadata" in reference
    ? reference.metadata
    : reference;
  const { namespace, name } = (parts ?? {}) as { namespace?: unknown; name?: unknown };
  if (typeof name === "string" && ["string", "undefined"].includes(typeof namespace)) {
    return { namespace: namespace as string | undefined, name };
  }
  throw new TypeError(
    `Cannot refer to ${
      describeValue(reference)
    }: expected a name, "namespace/name" or { name, namespace }`,
  );
}

/** Reports whether a text can be a part of a path of the API. */
function isSegment(name: string): boolean {
  return name !== "" && name !== "." && name !== ".." && name.length <= MAX_NAME_LENGTH &&
    !/[/%]/.test(name);
}

function shown(name: string): string {
  return name.length <= MAX_NAME_LENGTH ? name : `${name.slice(0, 40)}…`;
}
