import { type ListSelector, metaNamespaceKeyFunc } from "../../cache/mod.ts";
import {
  type Cached,
  compareResourceVersions,
  type KubeObject,
  type Resource,
} from "../../types/mod.ts";
import type { CacheReader, KindCache } from "./kind_cache.ts";

/**
 * Reads the caches of one kind that a controller has declared with different scopes. Returns an object that several caches
 * hold once, in its newest version.
 *
 * @typeParam T The interface of the objects.
 */
export class JoinedCaches<T extends KubeObject = KubeObject> implements CacheReader<T> {
  readonly resource: Resource<T>;
  readonly #caches: readonly KindCache<T>[];

  constructor(resource: Resource<T>, caches: readonly KindCache<T>[]) {
    this.resource = resource;
    this.#caches = caches;
  }

  get(name: string, namespace?: string): Cached<T> | undefined {
    let newest: Cached<T> | undefined;
    for (const cache of this.#holding(namespace)) {
      newest = newerOf(newest, cache.get(name, namespace));
    }
    return newest;
  }

  list(
    options: {
      readonly namespace?: string | undefined;
      readonly selector?: ListSelector | undefined;
    } = {},
  ): readonly Cached<T>[] {
    const { namespace } = options;
    const caches = namespace === undefined ? this.#caches : this.#holding(namespace);
    return eachOnce(caches.flatMap((cache) => cache.list(options)));
  }

  byIndex(index: string, value: string): readonly Cached<T>[] {
    const having = this.#caches.filter((cache) => cache.hasIndex(index));
    // If no cache has the index, the error of the first one says so.
    const asked = having.length > 0 ? having : this.#caches.slice(0, 1);
    return eachOnce(asked.flatMap((cache) => cache.byIndex(index, value)));
  }

  ownedBy(uid: string): readonly Cached<T>[] {
    return eachOnce(this.#caches.flatMap((cache) => cache.ownedBy(uid)));
  }

  /** Returns the caches of a namespace; if there are none, the first cache, whose error says so. */
  #holding(namespace: string | undefined): readonly KindCache<T>[] {
    const holding = this.#caches.filter((cache) => cache.covers(namespace));
    return holding.length > 0 ? holding : this.#caches.slice(0, 1);
  }
}

function eachOnce<T extends KubeObject>(objects: readonly Cached<T>[]): readonly Cached<T>[] {
  const newest = new Map<string, Cached<T>>();
  for (const object of objects) {
    const key = metaNamespaceKeyFunc(object);
    newest.set(key, newerOf(newest.get(key), object) ?? object);
  }
  return [...newest.values()];
}

function newerOf<T extends KubeObject>(
  a: Cached<T> | undefined,
  b: Cached<T> | undefined,
): Cached<T> | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const { resourceVersion: before = "" } = a.metadata;
  const { resourceVersion: after = "" } = b.metadata;
  return (compareResourceVersions(before, after) ?? 0) < 0 ? b : a;
}
