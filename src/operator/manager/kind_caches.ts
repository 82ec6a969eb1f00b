import {
  type CacheEnvironment,
  type MetricLabels,
  type MetricsProvider,
  noopMetrics,
  parallelizeUntil,
} from "../../base/mod.ts";
import { type SharedInformer, SharedInformerFactory } from "../../cache/mod.ts";
import type { Client } from "../../client/mod.ts";
import {
  isForbidden,
  isNotFound,
  isUnauthorized,
  keptPart,
  type KubeObject,
  metadataOf,
  type Resource,
  resourceName,
} from "../../types/mod.ts";
import { type CacheReader, type CacheScope, KindCache } from "../builder/mod.ts";

/** The number of concurrent test lists at the start. */
const PARALLEL_LISTS = 8;

/** The reason why a kind cannot be cached. */
interface Problem {
  readonly text: string;
  readonly error: unknown;
}

/** Options of {@linkcode KindCaches}. */
export interface KindCachesOptions {
  /** The cached namespaces. Default: all. */
  readonly namespaces: readonly string[] | undefined;
  /** Whether all caches keep parsed objects. Default: only where a function of the user reads each version. */
  readonly keepParsed: boolean;
}

/** The caches of a manager: one informer for each kind, namespace and selection, which all controllers share. */
export class KindCaches {
  readonly #client: Client;
  readonly #factory: SharedInformerFactory;
  /** The informers of referenced objects, which share their series: a series for each name would never end. */
  readonly #referenced: SharedInformerFactory;
  readonly #namespaces: readonly string[] | undefined;
  readonly #caches = new Map<string, KindCache>();
  /** The field managers whose field sets are needed. */
  readonly #fieldManagers = new Set<string>();
  /** Starts an informer; undefined before the manager runs. */
  #start: ((informer: SharedInformer) => void) | undefined;
  readonly #started = new Set<SharedInformer>();
  #opened = 0;

  constructor(
    client: Client,
    environment: CacheEnvironment,
    { namespaces, keepParsed }: KindCachesOptions,
  ) {
    this.#client = client;
    // The first list must show the writes of the previous process, which the write gate does not know.
    const options = {
      ...environment,
      consistentStart: true,
      keepsFieldsOf: (manager: string) => this.#fieldManagers.has(manager),
    };
    this.#factory = new SharedInformerFactory(client, { ...options, keepParsed });
    const { metrics = noopMetrics } = environment;
    this.#referenced = new SharedInformerFactory(client, {
      ...options,
      metrics: withoutSelection(metrics),
    });
    this.#namespaces = namespaces;
  }

  /** Keeps the field sets of objects that this field manager applies. An apply compares them. */
  keepFieldsOf(fieldManager: string): void {
    this.#fieldManagers.add(fieldManager);
  }

  /** Returns the cache of a kind and scope. Starts its informers if the manager runs. */
  cache<T extends KubeObject>(resource: Resource<T>, scope: CacheScope): KindCache<T> {
    const { labelSelector, fieldSelector } = scope;
    const namespaces = this.#namespacesOf(resource, scope);
    const { group, version, plural } = resource;
    const id = JSON.stringify([
      group,
      version,
      plural,
      keptPart(resource),
      namespaces,
      labelSelector ?? "",
      fieldSelector ?? "",
    ]);
    const known = this.#caches.get(id);
    if (known !== undefined) return known as unknown as KindCache<T>;
    return this.#add(id, this.#factory, resource, scope);
  }

  /** Returns a new cache of referenced objects, which only its owner removes. Starts its informers if the manager runs. */
  openCache(resource: Resource, scope: CacheScope): KindCache {
    // All objects are often cached already.
    const factory = scope.namespaces === undefined && scope.fieldSelector === undefined
      ? this.#factory
      : this.#referenced;
    const cache = this.#add(`references ${this.#opened++}`, factory, resource, scope);
    // A slab for the bytes of one object would be larger than the object.
    if (scope.fieldSelector !== undefined) {
      for (const informer of cache.informers) informer.keepParsed();
    }
    return cache;
  }

  /** Removes a cache. Returns its informers that no other cache uses. */
  remove(cache: CacheReader): readonly SharedInformer[] {
    for (const [id, known] of this.#caches) if (known === cache) this.#caches.delete(id);
    const used = new Set(this.informers);
    const unused = (cache as KindCache).informers.filter((informer) => !used.has(informer));
    for (const informer of unused) {
      this.#started.delete(informer);
      this.#factory.forget(informer);
      this.#referenced.forget(informer);
    }
    return unused;
  }

  /** Calls `start` with all informers, and later with each new informer. */
  startAll(start: (informer: SharedInformer) => void): void {
    this.#start = start;
    this.#startNew();
  }

  /** All informers. */
  get informers(): readonly SharedInformer[] {
    return [...new Set([...this.#caches.values()].flatMap(({ informers }) => informers))];
  }

  get all(): readonly KindCache[] {
    return [...this.#caches.values()];
  }

  /**
   * Lists one object of each kind, and of each referenced kind, so that a missing right or definition is an error at the start
   * rather than a cache that never syncs.
   *
   * @throws {Error} If the server refuses a kind. The message names all refused kinds and their remedies. Other failures are
   * ignored, because the informers retry.
   */
  async requireReadable(signal: AbortSignal, referenced: readonly Resource[]): Promise<void> {
    const kinds = referenced.map((resource) => {
      return { resource, namespaces: this.#namespacesOf(resource, {}) };
    });
    const lists = [...this.all, ...kinds].flatMap(({ namespaces, resource }) =>
      namespaces.map((namespace) => ({ resource, namespace: namespace || undefined }))
    );
    const problems: Problem[] = [];
    await parallelizeUntil(PARALLEL_LISTS, lists.length, async (piece) => {
      const problem = await this.#problemOf(lists[piece]!, signal);
      if (problem !== undefined) problems.push(problem);
    }, { signal });
    signal.throwIfAborted();
    if (problems.length === 0) return;
    const texts = [...new Set(problems.map(({ text }) => text))].toSorted();
    throw new Error(`The manager cannot start: ${texts.join("; ")}`, { cause: problems[0]?.error });
  }

  async #problemOf(
    { resource, namespace }: {
      readonly resource: Resource;
      readonly namespace: string | undefined;
    },
    signal: AbortSignal,
  ): Promise<Problem | undefined> {
    const name = resourceName(resource);
    try {
      await this.#client.list(metadataOf(resource), { namespace, limit: 1, maxRetries: 0, signal });
    } catch (error) {
      if (isNotFound(error)) {
        return {
          error,
          text: `the server does not know ${name} in version ${resource.version}: ` +
            "install its CustomResourceDefinition, for example with installDefinitions()",
        };
      }
      if (isForbidden(error) || isUnauthorized(error)) {
        const where = namespace === undefined ? "" : ` in namespace "${namespace}"`;
        return {
          error,
          text: `it may not list ${name}${where}: grant the rights that manager.rbac() prints`,
        };
      }
    }
    return undefined;
  }

  #add<T extends KubeObject>(
    id: string,
    factory: SharedInformerFactory,
    resource: Resource<T>,
    scope: CacheScope,
  ): KindCache<T> {
    const { labelSelector, fieldSelector } = scope;
    const informers = new Map(
      this.#namespacesOf(resource, scope).map((namespace) => {
        const selection = { namespace: namespace || undefined, labelSelector, fieldSelector };
        return [namespace, factory.informer(resource, selection)] as const;
      }),
    );
    const cache = new KindCache<T>({ resource, informers, labelSelector, fieldSelector });
    this.#caches.set(id, cache as unknown as KindCache);
    this.#startNew();
    return cache;
  }

  #startNew(): void {
    if (this.#start === undefined) return;
    for (const informer of this.informers) {
      if (this.#started.has(informer)) continue;
      this.#started.add(informer);
      this.#start(informer);
    }
  }

  #namespacesOf(resource: Resource, scope: CacheScope): readonly string[] {
    const namespaces = scope.namespaces ?? this.#namespaces;
    if (!resource.namespaced || namespaces === undefined) return [""];
    return [...new Set(namespaces)].toSorted();
  }
}

/** Returns metrics whose label `name` has no selection, and which has no gauges, because informers would share them. */
function withoutSelection(metrics: MetricsProvider): MetricsProvider {
  const shared = (labels: MetricLabels) => ({
    ...labels,
    name: `${labels["name"]?.replace(/ \(.*/s, "")} (referenced)`,
  });
  return {
    ...noopMetrics,
    counter: (name, labels) => metrics.counter(name, shared(labels)),
    histogram: (name, labels, buckets) => metrics.histogram(name, shared(labels), buckets),
  };
}
