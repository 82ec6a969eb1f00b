import {
  pageOf,
  scanEvent,
  scanList,
  type ScannedObject,
  scanObject,
  type Slab,
} from "../../bytes/mod.ts";
import type { KubeList, KubeObject, ListMeta, ObjectReader, WatchEvent } from "../../types/mod.ts";
import { metaNamespaceKeyFunc } from "../store/mod.ts";
import { makeRef, ObjectRef } from "./object_ref.ts";

const encoder = new TextEncoder();

/**
 * Makes references: of the bytes of lists and watches, without parsing them, and of objects.
 *
 * Lists without items and everything but additions, changes and deletions are left to the client: there is nothing to gain.
 */
export class RefReader<T extends KubeObject> implements ObjectReader<ObjectRef<T>> {
  /** The key of a reference. A function of its own, to be the key function of stores and queues. */
  readonly keyOf = (ref: ObjectRef<T>): string => {
    if (ref.key !== "") return ref.key;
    // It has none: this says why.
    return metaNamespaceKeyFunc(ref.object());
  };

  readList(body: Uint8Array): KubeList<ObjectRef<T>> | undefined {
    const list = scanList(body);
    if (list === undefined || list.items.length === 0) return undefined;
    const { kind, apiVersion, metadata, items } = list;
    const page = pageOf(body);
    if (typeof metadata !== "object" || metadata === null || Array.isArray(metadata)) {
      return undefined;
    }
    return {
      ...(kind !== undefined && { kind }),
      ...(apiVersion !== undefined && { apiVersion }),
      metadata: metadata as ListMeta,
      items: items.map((item) => this.#refOf(item, page)),
    };
  }

  readEvent(bytes: Uint8Array, start: number, end: number): WatchEvent<ObjectRef<T>> | undefined {
    const event = scanEvent(bytes, start, end);
    if (event === undefined) return undefined;
    const { type, object } = event;
    if (type !== "MODIFIED" && type !== "ADDED" && type !== "DELETED") return undefined;
    // Of a reference nobody could tell whether it was without metadata, which the reflector skips.
    if (object.name === undefined) return undefined;
    return { type, object: this.#refOf(object) };
  }

  /** The reference to an object that is not at hand as bytes. A reference is taken for what it stands for. */
  refTo(object: T | ObjectRef<T>): ObjectRef<T> {
    if (ObjectRef.is(object)) return object;
    const bytes = encoder.encode(JSON.stringify(object));
    return this.#refOf(scanObject(bytes, 0, bytes.length) ?? describe(object, bytes));
  }

  #refOf(object: ScannedObject, page?: Slab): ObjectRef<T> {
    return makeRef<T>(object, metaNamespaceKey(object), page);
  }
}

function metaNamespaceKey({ namespace, name = "" }: ScannedObject): string {
  // Joined, since a template's result is a tree of its parts and keeps them all.
  return namespace && name ? [namespace, name].join("/") : name;
}

/** What the scan would have found in an object that it does not take: one that is nested a thousand deep, for example. */
function describe({ kind, apiVersion, metadata }: KubeObject, bytes: Uint8Array): ScannedObject {
  const { namespace, name, uid, resourceVersion } = metadata ?? {};
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
