import type { KubeObject } from "../../types/mod.ts";
import { type Item, keyOf } from "../packed/mod.ts";
import { DeletedFinalStateUnknown } from "../store/mod.ts";
import type { Notification } from "./notification.ts";

/** The identity of one version of an object. Absent parts are empty strings. */
export interface ObjectIdentity {
  /** The key of the object in the cache: `namespace/name`, or `name` for a cluster-scoped object. */
  readonly key: string;
  /** The namespace; empty for a cluster-scoped object. */
  readonly namespace: string;
  /** The name. */
  readonly name: string;
  /** The UID. */
  readonly uid: string;
  /** The resource version, an opaque string. */
  readonly resourceVersion: string;
}

/**
 * A change of a cached object, for handlers that need only the identity of the object, for example to queue its key.
 */
export interface ObjectChange extends ObjectIdentity {
  /** The kind of change in the cache. An update may be a replay, which changes nothing. */
  readonly type: "Added" | "Updated" | "Deleted";
  /**
   * The version before an update; undefined otherwise. If its `uid` differs, the old object was deleted and a new one
   * was created under the same name in the meantime.
   */
  readonly old: ObjectIdentity | undefined;
  /** Whether the object was in the first list, or was in the cache before the handler was added. */
  readonly isInInitialList: boolean;
  /** Whether the deletion event was missed. The identity is then the identity of the last observed version. */
  readonly isFinalStateUnknown: boolean;
}

/**
 * Called with each change of a cache, after the cache has changed. It should do little work.
 *
 * @example Collect the keys of changed objects
 * ```ts
 * import type { ChangeHandler } from "@kubeloop/controller/cache";
 *
 * const keys = new Set<string>();
 * const handler: ChangeHandler = ({ key }) => void keys.add(key);
 * ```
 */
export type ChangeHandler = (change: ObjectChange) => void | Promise<void>;

/** Returns the change that a notification reports. */
export function changeOf<T extends KubeObject>(
  { type, item, old, isInInitialList }: Notification<T>,
): ObjectChange {
  const isTombstone = DeletedFinalStateUnknown.is(item);
  return {
    ...(isTombstone ? identityOf(item.key, item.obj) : identityOf(keyOf(item), item)),
    type,
    old: old === undefined ? undefined : identityOf(keyOf(old), old),
    isInInitialList,
    isFinalStateUnknown: isTombstone,
  };
}

function identityOf<T extends KubeObject>(key: string, item: Item<T> | undefined): ObjectIdentity {
  const { namespace, name, uid, resourceVersion } = item?.metadata ?? {};
  return {
    key,
    namespace: text(namespace),
    name: text(name),
    uid: text(uid),
    resourceVersion: text(resourceVersion),
  };
}

/** Returns a field as text: servers may omit the field, or send another type. */
function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
