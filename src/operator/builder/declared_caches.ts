import {
  type Cached,
  keptPart,
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

  /** Returns all caches of a resource, of whole objects, metadata and fields. */
  ofResource(resource: ResourceDescriptor): readonly KindCache[] {
    return this.#caches.get(resourceName(resource)) ?? [];
  }

  /**
   * Returns the cached object before an apply; undefined if there is none, or its namespace is not cached.
   *
   * @throws {TypeError} If the controller has not declared the kind, or another part of its objects.
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
   * @throws {TypeError} If the controller has not declared the kind, or another part of its objects.
   */
  require<U extends KubeObject>(resource: ResourceDescriptor, method: string): CacheReader<U> {
    const alike = this.#alike(resource);
    const only = alike.length === 1 ? alike[0] : alike.find(({ isComplete }) => isComplete);
    if (only !== undefined) return only as unknown as KindCache<U>;
    if (alike.length > 0) {
      return KindCache.join(resource as Resource<U>, alike as unknown as KindCache<U>[]);
    }
    const kind = resourceName(resource);
    const [other] = this.ofResource(resource);
    throw new TypeError(
      other !== undefined
        ? `Cannot ${method} ${kind} in controller "${this.#controller}", which has declared ${
          keptPartOf(other.resource)
        } of the kind: pass the same resource to both`
        : `Cannot ${method} ${kind} in controller "${this.#controller}", which has not declared the kind: ` +
          "add .owns(…) for objects that it creates, or .watches(…) for others",
    );
  }

  /** Returns the caches that keep the same part of the objects as the resource: all of it, metadata or fields. */
  #alike(resource: ResourceDescriptor): readonly KindCache[] {
    const kept = keptPart(resource);
    return this.ofResource(resource).filter((one) => keptPart(one.resource) === kept);
  }
}

function keptPartOf({ fields, metadataOnly }: ResourceDescriptor): string {
  if (fields !== undefined) return "only some fields";
  return metadataOnly === true ? "only the metadata" : "whole objects";
}
