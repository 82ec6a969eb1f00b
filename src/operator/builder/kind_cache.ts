import { type Clock, TurnBudget } from "../../base/mod.ts";
import {
  type ChangeHandler,
  type HandlerRegistration,
  type Indexers,
  type Item,
  joinMetaNamespaceKey,
  listAll,
  listAllByNamespace,
  type ListSelector,
  metaNamespaceKeyFunc,
  type Named,
  NAMESPACE_INDEX,
  type ObjectChange,
  type SharedInformer,
  splitMetaNamespaceKey,
  type SyncableCache,
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
import type { CacheReader } from "./cache_reader.ts";
import { type FoundItem, isOlder, newest } from "./found_item.ts";
import { type FieldTerm, fieldTerms, mayMatch } from "./field_terms.ts";

/** The index of a cache by the UID of the controller owner. */
const OWNER_INDEX = "kubeloop.controllerOwner";

/** The path of the owners of an object. */
export const OWNERS: readonly string[] = ["metadata", "ownerReferences"];

/** Options of a {@linkcode KindCache}. */
export interface KindCacheOptions<T extends KubeObject> {
  readonly resource: Resource<T>;
  /** The informers and their namespaces; the empty name means all namespaces. Others may come and go later. */
  readonly informers: Iterable<readonly [namespace: string, informer: SharedInformer<T>]>;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  /** The name of the cache. Default: the names of the informers. */
  readonly name?: string | undefined;
  /** Reports whether the definition of the kind is being deleted. */
  readonly isEnding?: (() => boolean) | undefined;
}

/**
 * Why the informer of a namespace is removed: `deleted` if the server no longer serves the kind, `left` if the namespace is no
 * longer selected.
 */
export type RemovalReason = "deleted" | "left";

/** Follows the informers of a cache. */
interface Follower<T extends KubeObject> {
  admitted(informer: SharedInformer<T>): void;
  removed(informer: SharedInformer<T>, why: RemovalReason): void;
}

/** The environment of reports that take several turns of the event loop. */
interface ReportCall {
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * The cache of a kind: one informer for all namespaces, or one for each of several. Caches of a kind with different scopes
 * can be joined for reading; an object that more than one informer holds is then returned once, in its newest version.
 *
 * Informers of optional kinds and of selected namespaces come and go. Such an informer is first opened, and read only when it
 * is admitted.
 */
export class KindCache<T extends KubeObject = KubeObject> implements CacheReader<T>, SyncableCache {
  readonly resource: Resource<T>;
  readonly name: string;
  /** Whether the cache is read. An optional kind that is absent has no objects. */
  isRead = true;
  /** Whether the informers are known that are needed at the start. */
  isKnown = true;
  /** All informers by namespace; the empty name means all namespaces. */
  readonly #opened = new Map<string, SharedInformer<T>[]>();
  /** The informers that are read; undefined after a change. */
  #informers: readonly SharedInformer<T>[] | undefined;
  readonly #admitted = new Set<string>();
  /** The read informers by namespace. */
  readonly #byNamespace = new Map<string, readonly SharedInformer<T>[]>();
  /** The read informers of all namespaces. */
  #everywhere: readonly SharedInformer<T>[] = [];
  readonly #followers = new Set<Follower<T>>();
  /** Prepare each informer that is opened later. */
  readonly #setups: ((informer: SharedInformer<T>) => void)[] = [];
  readonly #selectsAll: boolean;
  #isEnding: () => boolean;
  #isJoined = false;
  readonly #selector: Selector | undefined;
  readonly #fields: readonly FieldTerm[];
  #hasOwnerIndex = false;
  #hasSynced = false;

  constructor(options: KindCacheOptions<T>) {
    const { resource, informers, labelSelector, fieldSelector, name, isEnding } = options;
    this.resource = resource;
    this.#isEnding = isEnding ?? (() => false);
    for (const [namespace, informer] of informers) {
      this.#add(namespace, informer);
    }
    for (const namespace of this.#opened.keys()) this.#read(namespace, true);
    this.name = name ?? this.informers.map(({ name }) => name).join(", ");
    this.#fields = fieldTerms(fieldSelector ?? "");
    this.#selector = labelSelector === undefined ? undefined : parseSelector(labelSelector);
    this.#selectsAll = labelSelector === undefined && fieldSelector === undefined;
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
    joined.isRead = caches.some(({ isRead }) => isRead);
    joined.#isEnding = () => caches.every((cache) => cache.#isEnding());
    return joined;
  }

  get isServed(): boolean {
    return this.isRead && !this.#isEnding();
  }

  /** The informers that are read. */
  get informers(): readonly SharedInformer<T>[] {
    return this.#informers ??= [...new Set([...this.#byNamespace.values()].flat())];
  }

  /** All informers, read or not. */
  get openInformers(): readonly SharedInformer<T>[] {
    return [...new Set([...this.#opened.values()].flat())];
  }

  /** The namespaces of all informers. */
  get openNamespaces(): readonly string[] {
    return [...this.#opened.keys()];
  }

  /** Whether the cache holds all objects of the kind: in all namespaces, without a selector. */
  get isComplete(): boolean {
    return this.#everywhere.length > 0 && this.#selectsAll;
  }

  /** The namespaces that are read; the empty name means all namespaces. */
  get namespaces(): readonly string[] {
    return [...this.#byNamespace.keys()];
  }

  /** Opens the informer of a namespace, which is not read before {@linkcode KindCache.admit}. */
  open(namespace: string, informer: SharedInformer<T>): void {
    for (const setUp of this.#setups) setUp(informer);
    this.#add(namespace, informer);
  }

  /** Returns the informer of a namespace that has been opened. */
  informerOf(namespace: string): SharedInformer<T> | undefined {
    return this.#opened.get(namespace)?.[0];
  }

  /** Reports whether the informer of a namespace is read. */
  isAdmitted(namespace: string): boolean {
    return this.#admitted.has(namespace);
  }

  /** Reads the informer of a namespace from now on, and reports its objects. */
  admit(namespace: string): void {
    const informer = this.informerOf(namespace);
    if (informer === undefined || this.#admitted.has(namespace)) return;
    this.#read(namespace, true);
    for (const { admitted } of [...this.#followers]) admitted(informer);
  }

  /** Removes the informer of a namespace, and reports that its objects are gone. Returns the informer. */
  remove(namespace: string, why: RemovalReason): SharedInformer<T> | undefined {
    const informer = this.informerOf(namespace);
    this.#opened.delete(namespace);
    if (informer === undefined || !this.#admitted.has(namespace)) return informer;
    this.#read(namespace, false);
    for (const follower of [...this.#followers]) follower.removed(informer, why);
    return informer;
  }

  hasSynced(): boolean {
    return this.informers.every((informer) => informer.hasSynced());
  }

  /** Waits until all informers that are read have synced, apart from those that are removed meanwhile. */
  async whenSynced(call: { readonly signal?: AbortSignal | undefined } = {}): Promise<void> {
    for (;;) {
      const behind = this.informers.filter((informer) => !informer.hasSynced());
      if (behind.length === 0) return;
      await Promise.all(behind.map(async (informer) => {
        try {
          await informer.whenSynced(call);
        } catch (error) {
          if (call.signal?.aborted || this.informers.includes(informer)) throw error;
        }
      }));
    }
  }

  whyNotSynced(): string {
    const behind = this.informers.filter((informer) => !informer.hasSynced());
    return behind.length === 1 && this.informers.length === 1
      ? behind[0]!.whyNotSynced()
      : behind.map((informer) => `${informer.name}: ${informer.whyNotSynced()}`).join("; ");
  }

  get(name: string, namespace?: string): Cached<T> | undefined {
    this.#requireSynced();
    if (!this.isRead) return undefined;
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
    if (!this.isRead) return [];
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
    if (!this.isRead || this.informers.length === 0) return [];
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
    this.#setUp((informer) => {
      // Another cache may share the informer.
      if (hasIndex(informer, OWNER_INDEX)) return;
      informer.addIndexers({ [OWNER_INDEX]: valueIndexFunc(OWNERS, ownerUids) });
    });
  }

  /** Adds indices to all informers. */
  addIndexers(indexers: Indexers<Cached<T>>): void {
    this.#setUp((informer) => informer.addIndexers(indexers));
  }

  /**
   * Calls `onChange` with every change from now on, at once; and with the objects of informers that come or go later, in
   * several turns of the event loop. Returns a function that ends the calls.
   */
  subscribe(onChange: (change: ItemChange<T>) => void, call: ReportCall): () => void {
    const observe = (informer: SharedInformer<T>) =>
      informer.observe((notification) => eachChange(informer, notification, onChange));
    const report = async (informer: SharedInformer<T>, type: ItemChange["type"]) => {
      const keys = informer.indexer.listKeys();
      await inTurns(keys, call, (key) => {
        const item = informer.itemByKey(key);
        if (item !== undefined) onChange(new ItemChange(informer, type, item, undefined, true));
      });
    };
    return this.#follow(observe, (informer, type) => {
      // Functions of the user read the other caches, which change in the same turn. It rejects only with the reason of the signal.
      Promise.resolve().then(() => report(informer, type)).catch(() => {});
    });
  }

  /**
   * Adds a handler to each informer, and to informers that come later. Objects of removed informers are reported as deleted.
   */
  addChangeHandler(
    handler: ChangeHandler,
  ): { readonly registrations: readonly HandlerRegistration[]; readonly remove: () => void } {
    let isStarting = true;
    const registrations: HandlerRegistration[] = [];
    const handle = (informer: SharedInformer<T>) => {
      const registration = informer.addChangeHandler(handler);
      if (isStarting) registrations.push(registration);
      return () => informer.removeEventHandler(registration);
    };
    const remove = this.#follow(handle, (informer, type) => {
      if (type === "listed") return;
      for (const key of informer.indexer.listKeys()) {
        const item = informer.itemByKey(key);
        if (item !== undefined) void handler(removalOf(key, item));
      }
    });
    isStarting = false;
    return { registrations, remove };
  }

  /**
   * Calls `onChange` with the objects of `keys` that the cache has, in several turns of the event loop.
   *
   * @throws `signal.reason`, if `signal` aborts.
   */
  async replay(
    keys: readonly string[],
    onChange: (change: ItemChange<T>) => void,
    { clock, signal }: ReportCall,
  ): Promise<void> {
    await inTurns(keys, { clock, signal }, (key) => {
      const found = this.find(key);
      if (found !== undefined) onChange(new ItemChange(found.informer, "listed", found.item));
    });
  }

  /** Keeps parsed objects from now on. Logs `why` every object is needed, if it is given. */
  keepParsed(why?: string): void {
    this.#setUp((informer) =>
      why === undefined ? informer.keepParsed() : informer.keepParsedFor(why)
    );
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

  #add(namespace: string, informer: SharedInformer<T>): void {
    this.#opened.set(namespace, [...this.#opened.get(namespace) ?? [], informer]);
  }

  /** Begins or ends to read the informers of a namespace. */
  #read(namespace: string, isRead: boolean): void {
    this.#informers = undefined;
    this.#hasSynced = false;
    if (isRead) this.#admitted.add(namespace);
    else this.#admitted.delete(namespace);
    const isWide = namespace === "";
    if (isWide) this.#everywhere = isRead ? this.#opened.get("") ?? [] : [];
    for (const name of isWide ? [...this.#admitted, ""] : [namespace]) {
      if (!this.#admitted.has(name)) this.#byNamespace.delete(name);
      else {
        const own = this.#opened.get(name) ?? [];
        this.#byNamespace.set(name, [...new Set([...own, ...this.#everywhere])]);
      }
    }
  }

  /** Prepares all informers, and each informer that is opened later. */
  #setUp(setUp: (informer: SharedInformer<T>) => void): void {
    this.#setups.push(setUp);
    for (const informer of this.openInformers) setUp(informer);
  }

  /** Calls `add` with each informer that is read, and `report` when others come or go. Returns a function that ends it. */
  #follow(
    add: (informer: SharedInformer<T>) => () => void,
    report: (informer: SharedInformer<T>, type: "listed" | RemovalReason) => void,
  ): () => void {
    const stops = new Map(this.informers.map((informer) => [informer, add(informer)] as const));
    const follower: Follower<T> = {
      admitted: (informer) => {
        if (stops.has(informer)) return;
        stops.set(informer, add(informer));
        report(informer, "listed");
      },
      removed: (informer, why) => {
        stops.get(informer)?.();
        stops.delete(informer);
        report(informer, why);
      },
    };
    this.#followers.add(follower);
    return () => {
      this.#followers.delete(follower);
      for (const stop of stops.values()) stop();
    };
  }

  #requireSynced(): void {
    if (this.#hasSynced) return;
    if (this.isKnown && this.hasSynced()) {
      this.#hasSynced = true;
      return;
    }
    const why = this.hasSynced() ? "the manager has not started it" : this.whyNotSynced();
    throw new Error(
      `The cache of ${resourceName(this.resource)} has not synced (${why}): ` +
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

/** Calls `each` with all keys, in several turns of the event loop. */
async function inTurns(
  keys: readonly string[],
  { clock, signal }: ReportCall,
  each: (key: string) => void,
): Promise<void> {
  const budget = new TurnBudget(clock);
  for (const key of keys) {
    if (signal.aborted || budget.isSpent()) await budget.renew(signal);
    each(key);
  }
}

/** Returns the deletion of an object whose informer is removed. */
function removalOf<T extends KubeObject>(key: string, item: Item<T>): ObjectChange {
  const { name = "", namespace = "", uid = "", resourceVersion = "" } = item.metadata;
  return {
    type: "Deleted",
    key,
    name,
    namespace,
    uid,
    resourceVersion,
    old: undefined,
    isInInitialList: false,
    isFinalStateUnknown: true,
  };
}

function hasIndex<T extends KubeObject>({ indexer }: SharedInformer<T>, index: string): boolean {
  return Object.hasOwn(indexer.getIndexers(), index);
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
