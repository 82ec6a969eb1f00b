import {
  type Cached,
  type KubeObject,
  type Resource,
  type ResourceDescriptor,
  resourceName,
} from "../../types/mod.ts";
import { type CacheReader, KindCache } from "./kind_cache.ts";

/** The caches of the kinds that a controller has declared. */
export class DeclaredCaches {
  readonly #controller: string;
  /** The caches of each resource, in whatever version. */
  readonly #caches = new Map<string, readonly KindCache[]>();

  /** Creates an empty collection; `controller` is the name for errors. */
  constructor(controller: string) {
    this.#controller = controller;
  }

  /** Adds a cache, unless it is there already. */
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
   * Returns the cached object that is to be applied; undefined if there is none, or its namespace is not cached.
   *
   * @throws {TypeError} When the controller has not declared the kind, or only its metadata.
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
   * Returns the cache of a kind: of all declared scopes together.
   *
   * @throws {TypeError} When the controller has not declared the kind, or only its metadata.
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

  /** Returns the caches of whole objects, or of metadata, as the resource is. */
  #alike(resource: ResourceDescriptor): readonly KindCache[] {
    const isMetadata = resource.metadataOnly === true;
    return this.ofResource(resource)
      .filter((one) => (one.resource.metadataOnly === true) === isMetadata);
  }
}
