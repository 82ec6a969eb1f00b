import {
  type Cached,
  keptPart,
  type KubeObject,
  type Resource,
  type ResourceDescriptor,
  resourceName,
} from "../../types/mod.ts";
import type { CacheReader } from "./cache_reader.ts";
import { KindCache } from "./kind_cache.ts";
import type { ReferencedKind } from "./referenced_kind.ts";

/** The caches of the declared kinds of a controller. */
export class DeclaredCaches {
  readonly #controller: string;
  /** The caches by resource, of all versions. */
  readonly #caches = new Map<string, readonly KindCache[]>();
  readonly #referenced: ReferencedKind[] = [];

  constructor(controller: string) {
    this.#controller = controller;
  }

  /** Adds a cache, unless it was added before. */
  add(cache: KindCache): void {
    const known = this.ofResource(cache.resource);
    if (known.includes(cache)) return;
    this.#caches.set(resourceName(cache.resource), [...known, cache]);
  }

  /** All caches, except those of references. */
  get all(): readonly KindCache[] {
    return [...this.#caches.values()].flat();
  }

  /** Adds the references to the objects of a kind. */
  addReferences(kind: ReferencedKind): void {
    this.#referenced.push(kind);
  }

  /** Returns all caches that may show a written object. */
  showing(resource: ResourceDescriptor): readonly (KindCache | ReferencedKind)[] {
    const name = resourceName(resource);
    const referenced = this.#referenced.filter((kind) => resourceName(kind.resource) === name);
    return [...this.ofResource(resource), ...referenced];
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
    const found = this.#referencedLike(resource)?.find(name, namespace);
    if (found !== undefined) return found;
    const cache = this.require(resource, "apply");
    const isCached = this.#alike(resource).some((one) => one.covers(namespace));
    const cached = isCached ? cache.get(name, namespace) : undefined;
    if (cached !== undefined || cache.isServed) return cached;
    throw new Error(
      `Cannot apply ${resourceName(resource)} in controller "${this.#controller}": ` +
        "the server does not serve the optional kind now. Look at cache(…).isServed before",
    );
  }

  /**
   * Returns the cache of a kind, joined over all declared scopes.
   *
   * @throws {TypeError} If the controller has not declared the kind, or another part of its objects.
   */
  require<U extends KubeObject>(resource: ResourceDescriptor, method: string): CacheReader<U> {
    const declared = this.#declared<U>(resource);
    const referenced = this.#referencedLike(resource);
    if (referenced !== undefined) return referenced.reader(declared);
    if (declared !== undefined) return declared;
    const kind = resourceName(resource);
    const [other] = this.showing(resource);
    throw new TypeError(
      other !== undefined
        ? `Cannot ${method} ${kind} in controller "${this.#controller}", which has declared ${
          keptPartOf(other.resource)
        } of the kind: pass the same resource to both`
        : `Cannot ${method} ${kind} in controller "${this.#controller}", which has not declared the kind: ` +
          "add .owns(…) for objects that it creates, or .watches(…) for others",
    );
  }

  /** Returns the cache of an owned or watched kind; undefined if there is none. */
  #declared<U extends KubeObject>(resource: ResourceDescriptor): CacheReader<U> | undefined {
    const alike = this.#alike(resource) as unknown as readonly KindCache<U>[];
    if (alike.length === 0) return undefined;
    const only = alike.length === 1 ? alike[0] : alike.find(({ isComplete }) => isComplete);
    return only ?? KindCache.join(resource as Resource<U>, alike);
  }

  #referencedLike(resource: ResourceDescriptor): ReferencedKind | undefined {
    return this.#referenced.find((kind) => isAlike(kind.resource, resource));
  }

  /** Returns the caches of whole objects or of metadata, like the resource. */
  #alike(resource: ResourceDescriptor): readonly KindCache[] {
    return this.ofResource(resource).filter((one) => isAlike(one.resource, resource));
  }
}

/** Reports whether two resources are the same part of the objects of the same kind. */
export function isAlike(a: ResourceDescriptor, b: ResourceDescriptor): boolean {
  return resourceName(a) === resourceName(b) && keptPart(a) === keptPart(b);
}

function keptPartOf({ fields, metadataOnly }: ResourceDescriptor): string {
  if (fields !== undefined) return "only some fields";
  return metadataOnly === true ? "only the metadata" : "whole objects";
}
