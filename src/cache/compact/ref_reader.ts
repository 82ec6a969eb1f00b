import {
  pageOf,
  scanEvent,
  scanList,
  type ScannedObject,
  scanObject,
  type Slab,
} from "../../bytes/mod.ts";
import {
  itemKindOf,
  type KubeList,
  type KubeObject,
  type ListMeta,
  type ObjectReader,
  type WatchEvent,
} from "../../types/mod.ts";
import { metaNamespaceKeyFunc } from "../store/mod.ts";
import { makeRef, ObjectRef, type ObjectType } from "./object_ref.ts";

const encoder = new TextEncoder();

/**
 * Creates references from objects, and from the bytes of lists and watches without parsing them.
 *
 * The reader leaves lists without items, and events other than ADDED, MODIFIED and DELETED, to the client, which parses
 * them: reading them from bytes gains nothing.
 */
export class RefReader<T extends KubeObject> implements ObjectReader<ObjectRef<T>> {
  /** Returns the key of a reference. A bound function, so that stores and queues can use it as their key function. */
  readonly keyOf = (ref: ObjectRef<T>): string => {
    if (ref.key !== "") return ref.key;
    // The reference has no key. This call throws an error that says why.
    return metaNamespaceKeyFunc(ref.object());
  };

  readList(body: Uint8Array): KubeList<ObjectRef<T>> | undefined {
    const list = scanList(body);
    if (list === undefined || list.items.length === 0) return undefined;
    const { kind, apiVersion, metadata, items } = list;
    const page = pageOf(body);
    const itemKind = itemKindOf(kind);
    const itemType = itemKind && apiVersion ? { kind: itemKind, apiVersion } : undefined;
    if (typeof metadata !== "object" || metadata === null || Array.isArray(metadata)) {
      return undefined;
    }
    return {
      ...(kind !== undefined && { kind }),
      ...(apiVersion !== undefined && { apiVersion }),
      metadata: metadata as ListMeta,
      items: items.map((item) => this.#refOf(item, page, itemType)),
    };
  }

  readEvent(bytes: Uint8Array, start: number, end: number): WatchEvent<ObjectRef<T>> | undefined {
    const event = scanEvent(bytes, start, end);
    if (event === undefined) return undefined;
    const { type, object } = event;
    if (type !== "MODIFIED" && type !== "ADDED" && type !== "DELETED") return undefined;
    // A reference cannot express that its object has no metadata. The reflector skips such objects.
    if (object.name === undefined) return undefined;
    return { type, object: this.#refOf(object) };
  }

  /** Returns a reference to an object that is not available as bytes. A reference is returned unchanged. */
  refTo(object: T | ObjectRef<T>): ObjectRef<T> {
    if (ObjectRef.is(object)) return object;
    const bytes = encoder.encode(JSON.stringify(object));
    return this.#refOf(scanObject(bytes, 0, bytes.length) ?? describe(object, bytes));
  }

  #refOf(object: ScannedObject, page?: Slab, listed?: ObjectType): ObjectRef<T> {
    return makeRef<T>(object, metaNamespaceKey(object), page, listed);
  }
}

function metaNamespaceKey({ namespace, name = "" }: ScannedObject): string {
  // Uses join() because the result of a template literal is a rope, which keeps all its parts alive.
  return namespace && name ? [namespace, name].join("/") : name;
}

/**
 * Returns what the scanner would find in an object that it rejects, such as one that has a number for a version.
 *
 * @throws {TypeError} If the object can have no key.
 */
function describe({ kind, apiVersion, metadata }: KubeObject, bytes: Uint8Array): ScannedObject {
  const { namespace, name, uid, resourceVersion } = metadata ?? {};
  if (namespace && typeof namespace !== "string") {
    throw new TypeError("its metadata.namespace is not a string");
  }
  return {
    bytes,
    start: 0,
    end: bytes.length,
    kind: textOrNothing(kind),
    apiVersion: textOrNothing(apiVersion),
    namespace: textOrNothing(namespace),
    name: textOrNothing(name),
    uid: textOrNothing(uid),
    resourceVersion: textOrNothing(resourceVersion),
  };
}

function textOrNothing(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
