import { type CacheEnvironment, type Clock, TurnBudget } from "../../base/mod.ts";
import {
  type Indexers,
  type Item,
  joinMetaNamespaceKey,
  listAll,
  listAllByNamespace,
  type ListSelector,
  metaNamespaceKeyFunc,
  type Named,
  NAMESPACE_INDEX,
  type SharedInformer,
  splitMetaNamespaceKey,
  valueIndexFunc,
} from "../../cache/mod.ts";
import {
  type Cached,
  compareResourceVersions,
  controllerOf,
  type KubeObject,
  parseSelector,
  type Resource,
  resourceName,
  type Selector,
} from "../../types/mod.ts";
import { eachChange, ItemChange } from "./change.ts";
import { type FieldTerm, fieldTerms, mayMatch } from "./field_terms.ts";

/** The index of a cache by the UID of the controller owner. */
const OWNER_INDEX = "kubeloop.controllerOwner";

/** The path of the owners of an object. */
export const OWNERS: readonly string[] = ["metadata", "ownerReferences"];

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
   * @throws {Error} When there is no such index.
   */
  byIndex(index: string, value: string): readonly Cached<T>[];
  /**
   * Returns the objects whose controller owner has this UID.
   *
   * @param uid The UID of the owner.
   */
  ownedBy(uid: string): readonly Cached<T>[];
}

/** Options of a {@linkcode KindCache}. */
export interface KindCacheOptions<T extends KubeObject> {
  readonly resource: Resource<T>;
  /** The informers and their namespaces; the empty name means all namespaces. */
  readonly informers: Iterable<readonly [namespace: string, informer: SharedInformer<T>]>;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
}

/**
 * The cache of a kind: one informer for all namespaces, or one for each of several. Caches of a kind with different scopes
 * can be joined for reading; an object that more than one informer holds is then returned once, in its newest version.
 */
export class KindCache<T extends KubeObject = KubeObject> implements CacheReader<T> {
  readonly resource: Resource<T>;
  /** The names of the informers. */
  readonly name: string;
  readonly informers: readonly SharedInformer<T>[];
  /** Whether the cache holds all objects of the kind: in all namespaces, without a selector. */
  readonly isComplete: boolean;
  /** The informers that hold a namespace, for each namespace with an informer of its own. */
  readonly #byNamespace = new Map<string, readonly SharedInformer<T>[]>();
  /** The informers of all namespaces. */
  readonly #everywhere: readonly SharedInformer<T>[];
  #isJoined = false;
  readonly #selector: Selector | undefined;
  readonly #fields: readonly FieldTerm[];
  #hasOwnerIndex = false;
  #hasSynced = false;

  constructor({ resource, informers, labelSelector, fieldSelector }: KindCacheOptions<T>) {
    this.resource = resource;
    const entries = [...informers];
    this.informers = [...new Set(entries.map(([, informer]) => informer))];
    this.name = this.informers.map(({ name }) => name).join(", ");
    const of = (namespace: string) =>
      entries.filter(([name]) => name === namespace).map(([, informer]) => informer);
    this.#everywhere = of("");
    for (const [namespace] of entries) {
      this.#byNamespace.set(namespace, [...new Set([...of(namespace), ...this.#everywhere])]);
    }
    this.#fields = fieldTerms(fieldSelector ?? "");
    this.#selector = labelSelector === undefined ? undefined : parseSelector(labelSelector);
    this.isComplete = this.#everywhere.length > 0 && labelSelector === undefined &&
      fieldSelector === undefined;
  }

  /** Joins caches of one kind for reading. */
  static join<T extends KubeObject>(
    resource: Resource<T>,
    caches: readonly KindCache<T>[],
  ): KindCache<T> {
    const informers = caches.flatMap((cache) =>
      cache.namespaces.flatMap((namespace) =>
        cache.#holding(namespace).map((informer) => [namespace, informer] as const)
      )
    );
    const joined = new KindCache({ resource, informers });
    joined.#isJoined = true;
    return joined;
  }

  /** The environment of the informers. */
  get environment(): CacheEnvironment | undefined {
    return this.informers[0]?.environment;
  }

  /** The namespaces of the informers; the empty name means all namespaces. */
  get namespaces(): readonly string[] {
    return [...this.#byNamespace.keys()];
  }

  get(name: string, namespace?: string): Cached<T> | undefined {
    this.#requireSynced();
    const found = newest(this.#requireHolding(namespace), joinMetaNamespaceKey(namespace, name));
    return found?.informer.read(found.item);
  }

  /** Returns the stored form of an object; undefined if the cache has none. Its metadata needs no parsing. */
  itemByKey(key: string): Item<T> | undefined {
    return this.find(key)?.item;
  }

  /** Returns the stored form of an object, and the informer that can read it. */
  find(key: string): FoundItem<T> | undefined {
    const { informers } = this;
    return newest(
      informers.length === 1 ? informers : this.#holding(splitMetaNamespaceKey(key).namespace),
      key,
    );
  }

  /** Returns the keys of all objects. */
  keys(): string[] {
    const [first, ...others] = this.informers;
    const keys = first?.indexer.listKeys() ?? [];
    if (others.length === 0) return keys;
    return [...new Set([...keys, ...others.flatMap(({ indexer }) => indexer.listKeys())])];
  }

  list(
    { namespace, selector }: {
      readonly namespace?: string | undefined;
      readonly selector?: ListSelector | undefined;
    } = {},
  ): readonly Cached<T>[] {
    this.#requireSynced();
    if (namespace === undefined) {
      return this.#once(this.informers.flatMap(({ indexer }) => listAll(indexer, selector)));
    }
    return this.#once(
      this.#requireHolding(namespace).flatMap(({ indexer }) =>
        listAllByNamespace(indexer, namespace, { selector })
      ),
    );
  }

  byIndex(index: string, value: string): readonly Cached<T>[] {
    this.#requireSynced();
    const having = () => this.informers.filter((informer) => hasIndex(informer, index));
    // An index may be declared for some of the joined caches only.
    const asked = this.#isJoined ? having() : this.informers;
    try {
      if (asked.length > 0) {
        return this.#once(asked.flatMap(({ indexer }) => indexer.byIndex(index, value)));
      }
    } catch (error) {
      if (having().length > 0) throw error;
    }
    throw this.#noSuchIndex(index);
  }

  ownedBy(uid: string): readonly Cached<T>[] {
    this.#requireSynced();
    this.indexOwners();
    return this.byIndex(OWNER_INDEX, uid);
  }

  /** Adds the index by the UID of the controller owner, unless the informers have it. */
  indexOwners(): void {
    if (this.#hasOwnerIndex) return;
    this.#hasOwnerIndex = true;
    for (const informer of this.informers) {
      // Another cache may share the informer.
      if (hasIndex(informer, OWNER_INDEX)) continue;
      informer.addIndexers({ [OWNER_INDEX]: valueIndexFunc(OWNERS, ownerUids) });
    }
  }

  /** Adds indices to all informers. */
  addIndexers(indexers: Indexers<Cached<T>>): void {
    for (const informer of this.informers) informer.addIndexers(indexers);
  }

  /** Calls `onChange` with every change from now on, at once. Returns a function that ends the calls. */
  subscribe(onChange: (change: ItemChange<T>) => void): () => void {
    const stops = this.informers.map((informer) =>
      informer.observe((notification) => eachChange(informer, notification, onChange))
    );
    return () => stops.forEach((stop) => stop());
  }

  /**
   * Calls `onChange` with the objects of `keys` that the cache has, in several turns of the event loop.
   *
   * @throws `signal.reason`, if `signal` aborts.
   */
  async replay(
    keys: readonly string[],
    onChange: (change: ItemChange<T>) => void,
    { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
  ): Promise<void> {
    const budget = new TurnBudget(clock);
    for (const key of keys) {
      if (budget.isSpent()) await budget.renew(signal);
      const found = this.find(key);
      if (found !== undefined) onChange(new ItemChange(found.informer, "listed", found.item));
    }
  }

  /** Keeps parsed objects from now on, because `why` needs every object. */
  keepParsed(why: string): void {
    for (const informer of this.informers) informer.keepParsedFor(why);
  }

  /** Reports whether the cache holds objects of a namespace. */
  covers(namespace: string | undefined): boolean {
    return this.#holding(namespace ?? "").length > 0;
  }

  /** Reports whether the selectors select an object; true if that is unknown. */
  selects(object: Cached<KubeObject>): boolean {
    return (this.#selector === undefined || this.#selector.matches(object.metadata.labels ?? {})) &&
      this.#fields.every((field) => mayMatch(field, object));
  }

  /** Reports whether the cache shows a written object: in the version of the write or later, or deleted since. */
  hasSeen(object: Named, resourceVersion: string): boolean {
    const { namespace = "" } = object.metadata;
    const [informer] = this.#holding(namespace);
    if (informer === undefined) return true;
    const cached = informer.itemByKey(metaNamespaceKeyFunc(object));
    return isAtLeast(cached?.metadata.resourceVersion, resourceVersion) ||
      isAtLeast(informer.indexer.lastStoreSyncResourceVersion(), resourceVersion);
  }

  #requireSynced(): void {
    if (this.#hasSynced) return;
    const behind = this.informers.find((informer) => !informer.hasSynced());
    if (behind === undefined) {
      this.#hasSynced = true;
      return;
    }
    throw new Error(
      `The cache of ${resourceName(this.resource)} has not synced (${behind.whyNotSynced()}): ` +
        "read it in a reconcile, or when the manager is ready",
    );
  }

  /** Returns the informers of a namespace; undefined means that the object is cluster-scoped. */
  #requireHolding(namespace: string | undefined): readonly SharedInformer<T>[] {
    const holding = this.#holding(namespace ?? "");
    const isVague = this.resource.namespaced && !namespace;
    if (holding.length > 0 && !isVague) return holding;
    const name = resourceName(this.resource);
    throw new Error(
      namespace
        ? `The cache of ${name} does not hold namespace "${namespace}", but ${
          this.namespaces.join(", ")
        }: give the manager, or the scope of the cache, that namespace too`
        : `The cache of ${name} holds objects of namespaces: give the namespace, as in get("web", "default")`,
    );
  }

  #noSuchIndex(index: string): Error {
    const names = this.informers.flatMap(({ indexer }) => Object.keys(indexer.getIndexers()))
      .filter((name) => name !== OWNER_INDEX && name !== NAMESPACE_INDEX);
    const known = names.length === 0 ? "it has none" : `it has ${[...new Set(names)].join(", ")}`;
    return new Error(
      `The cache of ${resourceName(this.resource)} has no index "${index}", ${known}: ` +
        "declare it with .indexes({ … }) of the controller of the kind",
    );
  }

  /** Returns the informers that hold the objects of a namespace. */
  #holding(namespace: string): readonly SharedInformer<T>[] {
    return this.#byNamespace.get(namespace) ?? this.#everywhere;
  }

  /** Returns each object once, in its newest version. Only joined caches hold an object more than once. */
  #once(objects: readonly Cached<T>[]): readonly Cached<T>[] {
    if (!this.#isJoined) return objects;
    const byKey = new Map<string, Cached<T>>();
    for (const object of objects) {
      const key = metaNamespaceKeyFunc(object);
      const known = byKey.get(key);
      if (known === undefined || isOlder(known, object)) byKey.set(key, object);
    }
    return [...byKey.values()];
  }
}

function hasIndex<T extends KubeObject>({ indexer }: SharedInformer<T>, index: string): boolean {
  return Object.hasOwn(indexer.getIndexers(), index);
}

/** A stored object, and the informer that holds it. */
export interface FoundItem<T extends KubeObject> {
  readonly informer: SharedInformer<T>;
  readonly item: Item<T>;
}

/** Returns the newest version of an object in several informers. */
function newest<T extends KubeObject>(
  informers: readonly SharedInformer<T>[],
  key: string,
): FoundItem<T> | undefined {
  let found: FoundItem<T> | undefined;
  for (const informer of informers) {
    const item = informer.itemByKey(key);
    if (item === undefined) continue;
    if (found === undefined || isOlder(found.item, item)) found = { informer, item };
  }
  return found;
}

function isOlder(a: VersionedMeta, b: VersionedMeta): boolean {
  const { resourceVersion: before = "" } = a.metadata;
  const { resourceVersion: after = "" } = b.metadata;
  return (compareResourceVersions(before, after) ?? 0) < 0;
}

interface VersionedMeta {
  readonly metadata: { readonly resourceVersion?: string | undefined };
}

/** Returns the UID of the controller owner. A server may send anything. */
function ownerUids(ownerReferences: unknown): readonly string[] {
  if (!Array.isArray(ownerReferences)) return [];
  const owner = controllerOf({ metadata: { ownerReferences } });
  return owner === undefined ? [] : [owner.uid];
}

function isAtLeast(version: string | undefined, wanted: string): boolean {
  if (version === undefined || version === "") return false;
  if (version === wanted) return true;
  const order = compareResourceVersions(version, wanted);
  return order !== undefined && order >= 0;
}
