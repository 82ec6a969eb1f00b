import { Brand } from "../../base/mod.ts";
import { DeletedFinalStateUnknown } from "./deleted_final_state_unknown.ts";
import { KeyError } from "./key_error.ts";

/** The part of an object that determines its key. */
export interface Named {
  /** The metadata of the object. */
  readonly metadata: {
    /** The namespace; absent or empty for a cluster-scoped object. */
    readonly namespace?: string | undefined;
    /** The name. */
    readonly name?: string | undefined;
  };
}

/**
 * Returns the key under which an object is stored. Throws if the object has no key; stores wrap the error in a
 * {@linkcode KeyError}.
 */
export type KeyFunc<T> = (obj: T) => string;

const brand = new Brand("ExplicitKey");

/** A key that stands in for an object: {@linkcode metaNamespaceKeyFunc} returns the key unchanged. */
export class ExplicitKey {
  /** The key. */
  readonly key: string;

  /** Creates the stand-in for the object with `key`. */
  constructor(key: string) {
    this.key = key;
  }

  /** Reports whether `value` is an ExplicitKey, created by this or another copy of the package. */
  static is(value: unknown): value is ExplicitKey {
    return brand.isOn(value);
  }
}

brand.put(ExplicitKey.prototype);

/** The parts of a key. */
export interface NamespacedName {
  /** The namespace; empty for a cluster-scoped object. */
  readonly namespace: string;
  /** The name. */
  readonly name: string;
}

/**
 * Returns the key of an object in most caches: `namespace/name`, or `name` for a cluster-scoped object. The key of an
 * {@linkcode ExplicitKey} is returned unchanged.
 *
 * @throws {KeyError} When the object has no metadata or no name. (client-go stores all nameless objects of a namespace
 * under one key.)
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
/** Returns `namespace/name`, or `name`. TypeScript infers `KeyFunc<Named>` from this overload. */
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
  if (namespace && typeof namespace !== "string") {
    throw new KeyError(obj, new TypeError("Its metadata.namespace is not a string"));
  }
  return namespace ? `${namespace}/${name}` : name;
}

/**
 * Returns the key of an object or of a tombstone, for use in `onDelete` handlers: {@linkcode metaNamespaceKeyFunc} that
 * also accepts tombstones.
 *
 * @throws {KeyError} When `metaNamespaceKeyFunc` throws.
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
/** Returns `namespace/name`, or `name`. TypeScript infers `KeyFunc<Named>` from this overload. */
export function deletionHandlingMetaNamespaceKeyFunc(obj: Named): string;
export function deletionHandlingMetaNamespaceKeyFunc(
  obj: Named | DeletedFinalStateUnknown<unknown> | ExplicitKey,
): string {
  if (DeletedFinalStateUnknown.is(obj)) return obj.key;
  return metaNamespaceKeyFunc(obj);
}

/**
 * Splits a key of {@linkcode metaNamespaceKeyFunc} into namespace and name. A key without a slash is a name without a
 * namespace.
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
 * Joins a namespace and a name to a key of {@linkcode metaNamespaceKeyFunc}: the inverse of
 * {@linkcode splitMetaNamespaceKey}.
 *
 * @param namespace The namespace; empty or undefined for a cluster-scoped object.
 * @param name The name.
 * @throws {TypeError} When the name is empty, or either part contains a slash.
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
      `Cannot make a key from namespace ${JSON.stringify(namespace)} and name ${
        JSON.stringify(name)
      }: neither may contain a slash, and the name must not be empty`,
    );
  }
  return namespace ? `${namespace}/${name}` : name;
}
