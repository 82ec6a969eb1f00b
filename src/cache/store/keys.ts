import { Brand } from "../../base/mod.ts";
import { DeletedFinalStateUnknown } from "./deleted_final_state_unknown.ts";
import { KeyError } from "./key_error.ts";

/** The part of an object that its key is made of. */
export interface Named {
  /** The metadata of the object. */
  readonly metadata: {
    /** The namespace; absent or empty for a cluster-scoped object. */
    readonly namespace?: string | undefined;
    /** The name. */
    readonly name?: string | undefined;
  };
}

/** Gives an object the key that it is stored under. It throws when it cannot; stores make that a {@linkcode KeyError}. */
export type KeyFunc<T> = (obj: T) => string;

const brand = new Brand("ExplicitKey");

/** A key in place of an object: {@linkcode metaNamespaceKeyFunc} passes it through. */
export class ExplicitKey {
  /** The key. */
  readonly key: string;

  /** Stands for the object that has `key`. */
  constructor(key: string) {
    this.key = key;
  }

  /** Whether `value` is an ExplicitKey, of this or another copy of the package. */
  static is(value: unknown): value is ExplicitKey {
    return brand.isOn(value);
  }
}

brand.put(ExplicitKey.prototype);

/** A key taken apart. */
export interface NamespacedName {
  /** The namespace; empty for a cluster-scoped object. */
  readonly namespace: string;
  /** The name. */
  readonly name: string;
}

/**
 * The key of most caches: `namespace/name`, or just `name` for a cluster-scoped object. An {@linkcode ExplicitKey} is
 * passed through.
 *
 * @throws {KeyError} When there is no metadata or no name in it; client-go would store all such objects under one key.
 *
 * @example
 * ```ts
 * import { ExplicitKey, metaNamespaceKeyFunc } from "@kubeloop/controller/cache";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(metaNamespaceKeyFunc({ metadata: { namespace: "default", name: "a" } }), "default/a");
 * assertEquals(metaNamespaceKeyFunc({ metadata: { name: "node-1" } }), "node-1");
 * assertEquals(metaNamespaceKeyFunc(new ExplicitKey("default/a")), "default/a");
 * ```
 */
export function metaNamespaceKeyFunc(obj: Named | ExplicitKey): string;
/** `namespace/name`, or just `name`. This form makes it a `KeyFunc<Named>` where the type is inferred. */
export function metaNamespaceKeyFunc(obj: Named): string;
export function metaNamespaceKeyFunc(obj: Named | ExplicitKey): string {
  const metadata = (obj as Named | undefined)?.metadata;
  if (typeof metadata !== "object" || metadata === null) {
    if (ExplicitKey.is(obj)) return obj.key;
    throw new KeyError(obj, new TypeError("It has no metadata"));
  }
  const { namespace, name } = metadata;
  if (typeof name !== "string" || name === "") {
    throw new KeyError(obj, new TypeError("It has no metadata.name"));
  }
  return namespace ? `${namespace}/${name}` : name;
}

/**
 * {@linkcode metaNamespaceKeyFunc} that also takes tombstones, which know their key: for `onDelete` handlers.
 *
 * @throws {KeyError} As `metaNamespaceKeyFunc` does.
 *
 * @example
 * ```ts
 * import {
 *   DeletedFinalStateUnknown,
 *   deletionHandlingMetaNamespaceKeyFunc,
 * } from "@kubeloop/controller/cache";
 * import { assertEquals } from "@std/assert";
 *
 * const tombstone = new DeletedFinalStateUnknown("default/a");
 * assertEquals(deletionHandlingMetaNamespaceKeyFunc(tombstone), "default/a");
 * ```
 */
export function deletionHandlingMetaNamespaceKeyFunc(
  obj: Named | DeletedFinalStateUnknown<unknown> | ExplicitKey,
): string;
/** `namespace/name`, or just `name`. This form makes it a `KeyFunc<Named>` where the type is inferred. */
export function deletionHandlingMetaNamespaceKeyFunc(obj: Named): string;
export function deletionHandlingMetaNamespaceKeyFunc(
  obj: Named | DeletedFinalStateUnknown<unknown> | ExplicitKey,
): string {
  if (DeletedFinalStateUnknown.is(obj)) return obj.key;
  return metaNamespaceKeyFunc(obj);
}

/**
 * Takes a key of {@linkcode metaNamespaceKeyFunc} apart. A key without a slash is a name without a namespace.
 *
 * @throws {SyntaxError} When the key has more than two parts.
 *
 * @example
 * ```ts
 * import { splitMetaNamespaceKey } from "@kubeloop/controller/cache";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(splitMetaNamespaceKey("default/a"), { namespace: "default", name: "a" });
 * assertEquals(splitMetaNamespaceKey("node-1"), { namespace: "", name: "node-1" });
 * ```
 */
export function splitMetaNamespaceKey(key: string): NamespacedName {
  const slash = key.indexOf("/");
  if (slash < 0) return { namespace: "", name: key };
  if (key.indexOf("/", slash + 1) < 0) {
    return { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
  }
  throw new SyntaxError(
    `Cannot split key: unexpected key format: ${JSON.stringify(key)}, ` +
      `must be "name" or "namespace/name"`,
  );
}

/**
 * Puts a key of {@linkcode metaNamespaceKeyFunc} together: the inverse of {@linkcode splitMetaNamespaceKey}.
 *
 * @param namespace The namespace; empty or undefined for a cluster-scoped object.
 * @param name The name.
 * @throws {TypeError} When the name is empty, or a part holds a slash.
 *
 * @example The key of an object's owner
 * ```ts
 * import { joinMetaNamespaceKey } from "@kubeloop/controller/cache";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(joinMetaNamespaceKey("default", "a"), "default/a");
 * assertEquals(joinMetaNamespaceKey(undefined, "node-1"), "node-1");
 * ```
 */
export function joinMetaNamespaceKey(namespace: string | undefined, name: string): string {
  if (typeof name !== "string" || name === "" || `${namespace ?? ""}${name}`.includes("/")) {
    throw new TypeError(
      `Cannot make a key of namespace ${JSON.stringify(namespace)} and name ${
        JSON.stringify(name)
      }: both must be without slashes, and the name not empty`,
    );
  }
  return namespace ? `${namespace}/${name}` : name;
}
