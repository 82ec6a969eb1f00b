import { joinMetaNamespaceKey, metaNamespaceKeyFunc, type Named } from "../../cache/mod.ts";

/**
 * An object to reconcile: its key, such as `default/web`, its name and namespace, or the object itself.
 */
export type KeyLike = string | Named | { readonly name: string; readonly namespace?: string };

/** The result of a mapper: nothing, one object to reconcile, or several. */
export type Mapped = KeyLike | readonly KeyLike[] | Iterable<KeyLike> | undefined | void;

/** Calls `onKey` for each object in the result of a mapper. */
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
 * @throws {TypeError} If `object` is not a key, a name or an object.
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
