import {
  type Cached,
  type KubeObject,
  type Resource,
  type ResourceDescriptor,
  resourceName,
} from "../../types/mod.ts";
import { type CacheReader, KindCache } from "./kind_cache.ts";

/** The caches of the declared kinds of a controller. */
export class DeclaredCaches {
  readonly #controller: string;
  /** The caches by resource, of all versions. */
  readonly #caches = new Map<string, readonly KindCache[]>();

  constructor(controller: string) {
    this.#controller = controller;
  }

  /** Adds a cache, unless it was added before. */
  add(cache: KindCache): void {
    const known = this.ofResource(cache.resource);
    if (known.includes(cache)) return;
    this.#caches.set(resourceName(cache.resource), [...known, cache]);
  }

  /** Returns all caches of a resource, of whole objects and of metadata. */
  ofResource(resource: ResourceDescriptor): readonly KindCache[] {
    return this.#caches.get(resourceName(resource)) ?? [];
  }

  /**
   * Returns the cached object before an apply; undefined if there is none, or its namespace is not cached.
   *
   * @throws {TypeError} If the controller has not declared the kind, or only its metadata.
   */
  find(
    resource: ResourceDescriptor,
    name: string,
    namespace: string | undefined,
  ): Cached<KubeObject> | undefined {
    const cache = this.require(resource, "apply");
    const isCached = this.#alike(resource).some((one) => one.covers(namespace));
    return isCached ? cache.get(name, namespace) : undefined;
  }

  /**
   * Returns the cache of a kind, joined over all declared scopes.
   *
   * @throws {TypeError} If the controller has not declared the kind, or only its metadata.
   */
  require<U extends KubeObject>(resource: ResourceDescriptor, method: string): CacheReader<U> {
    const alike = this.#alike(resource);
    const only = alike.length === 1 ? alike[0] : alike.find(({ isComplete }) => isComplete);
    if (only !== undefined) return only as unknown as KindCache<U>;
    if (alike.length > 0) {
      return KindCache.join(resource as Resource<U>, alike as unknown as KindCache<U>[]);
    }
    const kind = resourceName(resource);
    throw new TypeError(
      this.ofResource(resource).length > 0
        ? `Cannot ${method} ${kind} in controller "${this.#controller}", which has declared ${
          resource.metadataOnly === true
            ? "whole objects of the kind"
            : "only the metadata of the kind"
        }: pass the same resource to both`
        : `Cannot ${method} ${kind} in controller "${this.#controller}", which has not declared the kind: ` +
          "add .owns(…) for objects that it creates, or .watches(…) for others",
    );
  }

  /** Returns the caches of whole objects or of metadata, like the resource. */
  #alike(resource: ResourceDescriptor): readonly KindCache[] {
    const isMetadata = resource.metadataOnly === true;
    return this.ofResource(resource)
      .filter((one) => (one.resource.metadataOnly === true) === isMetadata);
  }
}
