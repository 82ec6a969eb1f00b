import { joinMetaNamespaceKey, metaNamespaceKeyFunc, type Named } from "../../cache/mod.ts";

/**
 * What a mapper returns for an object to reconcile: its key, as in `default/web`; its name and namespace; or the object
 * itself.
 */
export type KeyLike = string | Named | { readonly name: string; readonly namespace?: string };

/** What a mapper returns: nothing, one object to reconcile, or several. */
export type Mapped = KeyLike | readonly KeyLike[] | Iterable<KeyLike> | undefined | void;

/** Calls `onKey` with each object in the result of a mapper. */
export function eachMapped(mapped: Mapped, onKey: (key: KeyLike) => void): void {
  if (mapped === undefined) return;
  if (typeof mapped === "object" && mapped !== null && Symbol.iterator in mapped) {
    for (const one of mapped) onKey(one);
  } else {
    onKey(mapped);
  }
}

/**
 * Returns the key of an object.
 *
 * @throws {TypeError} When `object` is no key, name or object.
 */
export function keyOf(object: KeyLike): string {
  if (typeof object === "string" && object !== "") return object;
  if (typeof object === "object" && object !== null) {
    if ("metadata" in object) return metaNamespaceKeyFunc(object);
    if (typeof object.name === "string") return joinMetaNamespaceKey(object.namespace, object.name);
  }
  throw new TypeError(
    `Cannot reconcile ${
      String(object)
    }: expected a key such as "default/web", { name, namespace } or an object`,
  );
}
