import type { DeepReadonly } from "./deep_readonly.ts";
import type { KubeObject, ObjectMeta } from "./minimal/mod.ts";

/** The metadata of an object that the API server has stored. */
export interface StoredMeta extends ObjectMeta {
  /** The name of the object, unique within its namespace and kind. */
  name: string;
  /** The UID of the object, unique over time. */
  uid: string;
  /** The resource version of the object. Opaque. */
  resourceVersion: string;
}

/**
 * An object that the API server has stored, so that its name, UID and resource version are always set. Clients return
 * such objects.
 *
 * @typeParam T The interface of the object.
 *
 * @example
 * ```ts
 * import type { Pod, Stored } from "@kubeloop/controller/types";
 *
 * function uidOf(pod: Stored<Pod>): string {
 *   return pod.metadata.uid;
 * }
 * uidOf({ metadata: { name: "web", uid: "0b1c", resourceVersion: "7" } });
 * ```
 */
export type Stored<T extends KubeObject> = T & { metadata: StoredMeta };

/**
 * An object in the cache of an informer: stored by the API server, and read-only, because all readers of the cache
 * share the object. To change an object, copy it with `deepCopy`.
 *
 * @typeParam T The interface of the object.
 *
 * @example
 * ```ts
 * import type { Cached, Pod } from "@kubeloop/controller/types";
 *
 * function isRunning(pod: Cached<Pod>): boolean {
 *   return pod.status?.phase === "Running";
 * }
 * isRunning({ metadata: { name: "web", uid: "0b1c", resourceVersion: "7" } });
 * ```
 */
export type Cached<T extends KubeObject> =
  & { readonly [K in keyof T]: DeepReadonly<T[K]> }
  & DeepReadonly<Stored<KubeObject>>;
