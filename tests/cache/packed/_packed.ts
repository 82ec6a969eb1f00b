/** Packed objects, without an informer around them. */

import { scanObject } from "../../../src/bytes/mod.ts";
import { JsonForm, keyOf, PackedObject, Packer } from "../../../src/cache/packed/mod.ts";
import type { KubeObject } from "../../../src/types/mod.ts";

const encoder = new TextEncoder();

/** Returns a packer of an empty cache that keeps bytes. */
export function packer<T extends KubeObject = KubeObject>(): Packer<T> {
  return new Packer<T>({ keepsBytes: true, keepsFieldsOf: undefined });
}

/** Returns an object as bytes; `listed` is the type that its list has given it. */
export function packed<T extends KubeObject>(
  object: T,
  listed?: { readonly kind: string; readonly apiVersion: string },
): PackedObject<T> {
  const bytes = encoder.encode(JSON.stringify(object));
  const form = new JsonForm(
    object.kind || listed?.kind,
    object.apiVersion || (object.kind ? undefined : listed?.apiVersion),
  );
  return new PackedObject<T>(scanObject(bytes, 0, bytes.length)!, keyOf(object), form);
}

/** Returns an object that may be packed. */
export function unpacked<T>(object: T): T {
  return object instanceof PackedObject ? object.object() : object;
}
