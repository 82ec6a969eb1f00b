import type { ListSelector } from "../../cache/mod.ts";
import type { Cached, KubeObject, Resource } from "../../types/mod.ts";

/**
 * Reads the cached objects of a kind in one, several or all namespaces. Unlike a `GenericLister`, which reads the cache of
 * one informer, it returns undefined for an object that the cache does not have, and finds objects by index and owner.
 *
 * All methods throw an `Error` before the cache has synced, and for a namespace that is not cached: an empty result would
 * mean that no such object exists. A reconcile starts after the caches of its controller have synced.
 *
 * @typeParam T The interface of the objects.
 */
export interface CacheReader<T extends KubeObject = KubeObject> {
  /** The resource of the objects. */
  readonly resource: Resource<T>;
  /**
   * Whether objects of the kind can be created. False only for a kind that was declared with `optional`: while it is absent,
   * its cache is empty; while its definition is being deleted, the cache has the remaining objects.
   */
  readonly isServed: boolean;
  /**
   * Returns the object of a name; undefined if the cache has none.
   *
   * @param name The name.
   * @param namespace The namespace; undefined for cluster-scoped objects.
   */
  get(name: string, namespace?: string): Cached<T> | undefined;
  /**
   * Returns the objects that match.
   *
   * @param options The namespace and a label selector, such as `app=web`. Default: all objects.
   */
  list(options?: {
    readonly namespace?: string | undefined;
    readonly selector?: ListSelector | undefined;
  }): readonly Cached<T>[];
  /**
   * Returns the objects that an index has under a value; see `ControllerBuilder.indexes`.
   *
   * @param index The name of the index.
   * @param value The value.
   * @throws {Error} If the cache has no index of that name.
   */
  byIndex(index: string, value: string): readonly Cached<T>[];
  /**
   * Returns the objects whose controller owner has this UID.
   *
   * @param uid The UID of the owner.
   */
  ownedBy(uid: string): readonly Cached<T>[];
}
