import {
  type CacheEnvironment,
  type Clock,
  type Logger,
  noopMetrics,
  realClock,
  safeLogger,
  Waiters,
  withTimeLimit,
} from "../../base/mod.ts";
import {
  type SharedInformer,
  SharedInformerFactory,
  splitMetaNamespaceKey,
  waitForCacheSync,
} from "../../cache/mod.ts";
import type { Client } from "../../client/mod.ts";
import {
  keptPart,
  type KubeObject,
  type ListerWatcherSource,
  type Resource,
  type ResourceDescriptor,
  resourceName,
} from "../../types/mod.ts";
import { type CacheReader, type CacheScope, KindCache } from "../builder/mod.ts";
import { confirming } from "./confirming.ts";
import type { Part } from "./parts.ts";
import { requireReadable } from "./require_readable.ts";
import { type NamespaceSelection, SelectedNamespaces } from "./selected_namespaces.ts";
import { ServedKinds } from "./served_kinds.ts";
import { withoutSelection } from "./shared_series.ts";

/** Maximum number of caches in a log line. */
const MAX_NAMED = 10;
/** Maximum time for which optional kinds and selected namespaces that do not sync delay the start, in milliseconds. */
const LATE_START_MS = 10_000;

/** Options of {@linkcode KindCaches}. */
export interface KindCachesOptions {
  /** The name of the manager in log lines. */
  readonly name: string;
  /** The cached namespaces. Default: all. */
  readonly namespaces: readonly string[] | NamespaceSelection | undefined;
  /** Whether all caches keep parsed objects. Default: only where a function of the user reads each version. */
  readonly keepParsed: boolean;
  /** Called when an optional kind has come or gone, after its caches have. */
  readonly onServed: (resource: ResourceDescriptor, isServed: boolean) => void;
}

/** Runs informers. */
export interface InformerRunner {
  start(informer: SharedInformer): void;
  stop(informer: SharedInformer): void;
}

/** A cache, and the declaration that determines its informers. */
interface Entry {
  readonly cache: KindCache;
  readonly scope: CacheScope;
  /** The namespaces that never change; undefined for selected namespaces. */
  readonly fixed: ReadonlySet<string> | undefined;
  readonly factory: (isSelected: boolean) => SharedInformerFactory;
}

/**
 * The caches of a manager: one informer for each kind, namespace and selection, which all controllers share.
 *
 * The informers of optional kinds and of selected namespaces come and go. A namespace joins when all of its caches have
 * synced, in one step, so that a reconcile never sees only some of them; and so does a kind.
 */
export class KindCaches {
  readonly #client: Client;
  readonly #options: KindCachesOptions;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #factory: SharedInformerFactory;
  /** The informers of referenced objects, which share their series: a series for each name would never end. */
  readonly #referenced: SharedInformerFactory;
  /** The informers of selected namespaces, which share their series as well. */
  readonly #selected: SharedInformerFactory;
  /** The kinds that may be absent. */
  readonly served: ServedKinds;
  /** The kinds that a declaration needs. */
  readonly #required = new Set<string>();
  /** The namespaces by label; undefined for a fixed list or all. */
  readonly selection: SelectedNamespaces | undefined;
  readonly #namespaces: readonly string[] | undefined;
  readonly #caches = new Map<string, Entry>();
  /** The field managers whose field sets are needed. */
  readonly #fieldManagers = new Set<string>();
  /** Undefined before the manager runs. */
  #runner: InformerRunner | undefined;
  readonly #started = new Set<SharedInformer>();
  /** The selected namespaces whose caches have synced, and the signals that abort when they leave. */
  readonly #joined = new Map<string, AbortController>();
  /** The optional kinds whose caches have synced. */
  readonly #come = new Set<string>();
  readonly #waiters = new Waiters();
  /** Whether the caches are known that are needed at the start. */
  #areKnown = false;
  #isFollowing = false;
  #hasChanged = false;
  #isScheduled = false;
  #opened = 0;

  constructor(client: Client, environment: CacheEnvironment, options: KindCachesOptions) {
    this.#client = client;
    this.#options = options;
    this.#clock = environment.clock ?? realClock;
    this.#logger = safeLogger(environment.logger);
    const { name, namespaces, keepParsed } = options;
    // The first list must show the writes of the previous process, which the write gate does not know.
    const shared = {
      ...environment,
      consistentStart: true,
      keepsFieldsOf: (manager: string) => this.#fieldManagers.has(manager),
    };
    const source: ListerWatcherSource = {
      environment: client.environment,
      listerWatcher: (resource, scope) => {
        const direct = client.listerWatcher(resource, scope);
        return this.#isOptional(resource)
          ? confirming(direct, {
            clock: this.#clock,
            confirm: (signal) => this.served.confirm(resource, signal),
          })
          : direct;
      },
    };
    const { metrics = noopMetrics } = environment;
    const sharing = (what: string) =>
      new SharedInformerFactory(source, { ...shared, metrics: withoutSelection(metrics, what) });
    this.#factory = new SharedInformerFactory(source, { ...shared, keepParsed });
    this.#referenced = sharing("referenced");
    this.#selected = sharing("selected namespaces");
    this.served = new ServedKinds({
      name,
      client,
      environment,
      onChange: (resource, isServed) => this.#servedChanged(resource, isServed),
    });
    const isList = namespaces === undefined || Array.isArray(namespaces);
    this.#namespaces = isList ? namespaces as readonly string[] | undefined : undefined;
    this.selection = isList ? undefined : new SelectedNamespaces({
      selection: namespaces as NamespaceSelection,
      client,
      environment,
      onChange: () => this.#follow(),
    });
  }

  /** Keeps the field sets of objects that this field manager applies. An apply compares them. */
  keepFieldsOf(fieldManager: string): void {
    this.#fieldManagers.add(fieldManager);
  }

  /** Returns the cache of a kind and scope. Starts its informers if the manager runs. */
  cache<T extends KubeObject>(resource: Resource<T>, scope: CacheScope): KindCache<T> {
    this.declare(resource, scope.optional === true);
    const { labelSelector, fieldSelector } = scope;
    const { group, version, plural } = resource;
    const id = JSON.stringify([
      group,
      version,
      plural,
      keptPart(resource),
      this.#fixedNamespacesOf(resource, scope) ?? "selected",
      labelSelector ?? "",
      fieldSelector ?? "",
    ]);
    const known = this.#caches.get(id);
    if (known !== undefined) return known.cache as unknown as KindCache<T>;
    const factory = (isSelected: boolean) => isSelected ? this.#selected : this.#factory;
    return this.#add(id, resource, { scope, factory });
  }

  /** Returns a new cache of referenced objects, which only its owner removes. Starts its informers if the manager runs. */
  openCache(resource: Resource, scope: CacheScope): KindCache {
    // All objects are often cached already.
    const isWide = scope.namespaces === undefined && scope.fieldSelector === undefined;
    const factory = (isSelected: boolean) =>
      !isWide ? this.#referenced : isSelected ? this.#selected : this.#factory;
    const cache = this.#add(`references ${this.#opened++}`, resource, { scope, factory });
    // A slab for the bytes of one object would be larger than the object.
    if (scope.fieldSelector !== undefined) cache.keepParsed();
    return cache;
  }

  /** Records that a kind is needed, or may be absent. A kind is optional as long as no declaration needs it. */
  declare(resource: ResourceDescriptor, optional: boolean): void {
    const id = kindOf(resource);
    if (optional && !this.#required.has(id)) {
      this.served.add(resource);
    } else if (!optional && !this.#required.has(id)) {
      this.#required.add(id);
      this.#follow();
    }
  }

  /** Reports whether objects of a kind can be created, and its caches are filled. */
  isServed(resource: ResourceDescriptor): boolean {
    return this.#isRead(resource) && !this.#isEnding(resource);
  }

  /** Returns the namespaces that are cached now. Undefined means all. */
  namespaces(): readonly string[] | undefined {
    return this.selection === undefined ? this.#namespaces : [...this.#joined.keys()];
  }

  /** Reports whether a key of a scope is in a namespace that is cached now. */
  covers(key: string, { namespaces }: CacheScope): boolean {
    if (this.selection === undefined || namespaces !== undefined) return true;
    const { namespace } = splitMetaNamespaceKey(key);
    return namespace === "" || this.#joined.has(namespace);
  }

  /** Returns the signal that aborts when the namespace of a key of a scope leaves. */
  signalOf(key: string, { namespaces }: CacheScope): AbortSignal | undefined {
    if (this.selection === undefined || namespaces !== undefined) return undefined;
    const { namespace } = splitMetaNamespaceKey(key);
    return namespace === "" ? undefined : this.#joined.get(namespace)?.signal ?? LEFT;
  }

  /** The selected namespaces and the optional kinds whose caches have not synced, in words. */
  get pending(): readonly string[] {
    const pending = [...this.#caches.values()].flatMap(({ cache }) =>
      cache.openNamespaces.filter((namespace) => !cache.isAdmitted(namespace))
        .map((namespace) => cache.informerOf(namespace)!)
    );
    return [...new Set(pending)].filter((informer) => !informer.hasSynced())
      .map((informer) => `${informer.name}: ${informer.whyNotSynced()}`);
  }

  /** Removes a cache. Returns its informers that no other cache uses. */
  remove(cache: CacheReader): readonly SharedInformer[] {
    for (const [id, known] of this.#caches) if (known.cache === cache) this.#caches.delete(id);
    return this.#forgetUnused((cache as KindCache).openInformers);
  }

  /** Learns which optional kinds are served and which namespaces are selected. `support` starts what follows them. */
  async begin(
    support: (part: Part) => void,
    { signal, timeoutMs }: { readonly signal: AbortSignal; readonly timeoutMs: number },
  ): Promise<void> {
    const { selection, served } = this;
    support({ name: "the watch of optional kinds", run: (call) => served.run(call) });
    // An aggregated API server may be down for long.
    await this.#wait(
      { signal, timeoutMs },
      (signal) => served.whenKnown({ signal }),
      () => `optional kinds are absent until discovery answers: ${served.whyNotKnown()}`,
    );
    if (selection === undefined) return;
    const { informer } = selection;
    support({ name: "the watch of selected namespaces", run: (call) => informer.runShared(call) });
    await waitForCacheSync({ signal, clock: this.#clock, timeoutMs }, informer);
  }

  /** Starts all informers, and from now on each new informer. */
  startAll(runner: InformerRunner): void {
    this.#runner = runner;
    for (const informer of this.informers) this.#startIfNew(informer);
    this.#follow();
  }

  /**
   * Waits until the caches have synced. Caches of optional kinds and selected namespaces may be late: they are logged, and
   * follow.
   *
   * @throws {Error} If another cache has not synced in time.
   */
  async whenFilled(
    { signal, timeoutMs }: { readonly signal: AbortSignal; readonly timeoutMs: number },
  ): Promise<void> {
    const clock = this.#clock;
    await waitForCacheSync({ signal, clock, timeoutMs }, ...this.all);
    await this.#wait({ signal, timeoutMs }, async (signal) => {
      while (this.#hasPending) await this.#waiters.wait(signal);
    }, () => `starts without caches that have not synced, and follow: ${namesOf(this.pending)}`);
    for (const { cache } of this.#caches.values()) cache.isKnown = true;
    this.#areKnown = true;
  }

  /** All informers. */
  get informers(): readonly SharedInformer[] {
    return [...new Set(this.all.flatMap(({ openInformers }) => openInformers))];
  }

  get all(): readonly KindCache[] {
    return Array.from(this.#caches.values(), ({ cache }) => cache);
  }

  /**
   * Lists one object of each kind, and of each referenced kind; see `requireReadable`. Optional kinds may go at any time, and a
   * namespace that is selected must not keep the others from being reconciled.
   */
  async requireReadable(signal: AbortSignal, referenced: readonly Resource[]): Promise<void> {
    const declared = [
      ...Array.from(
        this.#caches.values(),
        ({ cache: { resource }, scope }) => ({ resource, scope }),
      ),
      ...referenced.map((resource) => ({ resource, scope: {} })),
    ];
    const lists = declared.filter(({ resource }) => !this.#isOptional(resource))
      .flatMap(({ resource, scope }) =>
        (this.#fixedNamespacesOf(resource, scope) ?? []).map((namespace) => {
          return { resource, namespace: namespace || undefined };
        })
      );
    await requireReadable(this.#client, lists, signal);
  }

  /** Waits for what may be late, and logs it then. */
  async #wait(
    { signal, timeoutMs }: { readonly signal: AbortSignal; readonly timeoutMs: number },
    ready: (signal: AbortSignal) => Promise<void>,
    why: () => string,
  ): Promise<void> {
    const late = new Error("late");
    const limitMs = Math.min(timeoutMs, LATE_START_MS);
    try {
      await withTimeLimit({ clock: this.#clock, signal, limitMs, late: () => late }, ready);
    } catch (error) {
      if (error !== late) throw error;
      this.#logger.warn(`${this.#options.name}: ${why()}`);
    }
  }

  #add<T extends KubeObject>(
    id: string,
    resource: Resource<T>,
    { scope, factory }: Pick<Entry, "scope" | "factory">,
  ): KindCache<T> {
    const { labelSelector, fieldSelector } = scope;
    const fixed = this.#fixedNamespacesOf(resource, scope);
    const isFixed = fixed !== undefined && !this.#isOptional(resource);
    const informers = (isFixed ? fixed : []).map((namespace) =>
      [namespace, informerOf(factory(false), resource, namespace, scope)] as const
    );
    const isEnding = () => this.#isEnding(resource);
    const cache = new KindCache<T>({
      resource,
      informers,
      labelSelector,
      fieldSelector,
      isEnding,
      name: isFixed ? undefined : nameOf(resource, scope),
    });
    cache.isRead = this.#isRead(resource);
    cache.isKnown = isFixed || this.#areKnown;
    this.#caches.set(id, {
      cache: cache as unknown as KindCache,
      scope,
      factory,
      fixed: fixed && new Set(fixed),
    });
    for (const [, informer] of informers) this.#startIfNew(informer as unknown as SharedInformer);
    this.#follow();
    return cache;
  }

  #startIfNew(informer: SharedInformer): void {
    if (this.#runner === undefined || this.#started.has(informer)) return;
    this.#started.add(informer);
    this.#runner.start(informer);
  }

  #forgetUnused(informers: readonly SharedInformer[]): readonly SharedInformer[] {
    if (informers.length === 0) return [];
    const used = new Set(this.informers);
    const unused = [...new Set(informers)].filter((informer) => !used.has(informer));
    for (const informer of unused) {
      this.#started.delete(informer);
      for (const factory of [this.#factory, this.#referenced, this.#selected]) {
        factory.forget(informer);
      }
    }
    return unused;
  }

  /** Returns the namespaces of a cache that never change; undefined for selected namespaces. */
  #fixedNamespacesOf(resource: Resource, scope: CacheScope): readonly string[] | undefined {
    if (!resource.namespaced) return [""];
    if (scope.namespaces === undefined && this.selection !== undefined) return undefined;
    const namespaces = scope.namespaces ?? this.#namespaces;
    return namespaces === undefined ? [""] : [...new Set(namespaces)].toSorted();
  }

  #isOptional(resource: ResourceDescriptor): boolean {
    return this.served.has(resource) && !this.#required.has(kindOf(resource));
  }

  /** Reports whether the caches of a kind are filled. */
  #isRead(resource: ResourceDescriptor): boolean {
    return !this.#isOptional(resource) || this.#come.has(kindOf(resource));
  }

  #isEnding(resource: ResourceDescriptor): boolean {
    return this.#isOptional(resource) && this.served.isEnding(resource);
  }

  #servedChanged(resource: ResourceDescriptor, isServed: boolean): void {
    this.#follow();
    // A kind that has come is reported when its caches have synced.
    if (!isServed && this.#isOptional(resource)) this.#options.onServed(resource, false);
  }

  /** Opens the informers that are needed now, and removes the others. */
  #follow(): void {
    this.#hasChanged = true;
    // The functions that are called below may change the declarations.
    if (this.#runner === undefined || this.#isFollowing) return;
    this.#isFollowing = true;
    while (this.#hasChanged) {
      this.#hasChanged = false;
      const removed: SharedInformer[] = [];
      for (const resource of this.served.kinds) {
        if (!this.served.isServed(resource)) this.#come.delete(kindOf(resource));
      }
      for (const [namespace, link] of this.#joined) {
        if (this.selection?.names.has(namespace) === true) continue;
        this.#joined.delete(namespace);
        link.abort(new Error(`The namespace "${namespace}" is no longer selected`));
      }
      for (const entry of [...this.#caches.values()]) removed.push(...this.#fit(entry));
      for (const informer of this.#forgetUnused(removed)) this.#runner.stop(informer);
      this.#admit();
    }
    this.#isFollowing = false;
  }

  /** Opens and removes informers of a cache. Returns the removed informers. */
  #fit({ cache, scope, factory, fixed }: Entry): readonly SharedInformer[] {
    const { resource } = cache;
    const isAbsent = this.#isOptional(resource) && !this.served.isServed(resource);
    cache.isRead = this.#isRead(resource);
    const wanted = isAbsent ? NONE : fixed ?? this.selection?.names ?? NONE;
    const removed = cache.openNamespaces.filter((namespace) => !wanted.has(namespace))
      .map((namespace) => cache.remove(namespace, isAbsent ? "deleted" : "left"));
    for (const namespace of wanted) {
      if (cache.informerOf(namespace) !== undefined) continue;
      const informer = informerOf(factory(fixed === undefined), resource, namespace, scope);
      cache.open(namespace, informer);
      this.#startIfNew(informer);
      // A cache that is new is read at once: its users wait until it has synced.
      const isNew = (fixed !== undefined || this.#joined.has(namespace)) && this.#isRead(resource);
      if (isNew) cache.admit(namespace);
      // An informer that stops first need not be admitted.
      else informer.whenSynced().then(() => this.#schedule(), () => {});
    }
    return removed.filter((informer) => informer !== undefined);
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    queueMicrotask(() => {
      this.#isScheduled = false;
      this.#admit();
    });
  }

  /** Admits the namespaces and the kinds whose caches have all synced. */
  #admit(): void {
    const entries = [...this.#caches.values()];
    const hasSynced = ({ cache }: Entry, namespace: string) =>
      cache.informerOf(namespace)?.hasSynced() ?? true;
    for (const namespace of this.selection?.names ?? []) {
      if (this.#joined.has(namespace)) continue;
      if (!entries.every((entry) => hasSynced(entry, namespace))) continue;
      this.#joined.set(namespace, new AbortController());
    }
    const joinedOf = ({ cache, fixed }: Entry) =>
      cache.openNamespaces.filter((namespace) =>
        fixed?.has(namespace) ?? this.#joined.has(namespace)
      );
    const come = this.served.kinds.filter((resource) =>
      this.#isOptional(resource) && !this.#isRead(resource) && this.served.isServed(resource) &&
      entries.filter(({ cache }) => kindOf(cache.resource) === kindOf(resource))
        .every((entry) => joinedOf(entry).every((namespace) => hasSynced(entry, namespace)))
    );
    for (const resource of come) this.#come.add(kindOf(resource));
    for (const { cache } of entries) cache.isRead = this.#isRead(cache.resource);
    for (const entry of entries) {
      const { cache } = entry;
      if (cache.isRead) { for (const namespace of joinedOf(entry)) cache.admit(namespace); }
    }
    for (const resource of come) this.#options.onServed(resource, true);
    this.#waiters.wakeAll();
  }

  get #hasPending(): boolean {
    return this.all.some((cache) =>
      cache.openNamespaces.some((namespace) => !cache.isAdmitted(namespace))
    );
  }
}

/** Returns the name of a cache whose informers come and go. */
function nameOf(
  resource: ResourceDescriptor,
  { namespaces, labelSelector, fieldSelector }: CacheScope,
): string {
  const parts = [
    resource.metadataOnly && "metadata",
    resource.fields && "fields",
    namespaces && `in ${namespaces.join(", ")}`,
    labelSelector,
    fieldSelector,
  ].filter(Boolean);
  const name = resourceName(resource);
  return parts.length === 0 ? name : `${name} (${parts.join(", ")})`;
}

/** Returns the first texts, and how many more there are. */
function namesOf(texts: readonly string[]): string {
  const more = texts.length - MAX_NAMED;
  return texts.slice(0, MAX_NAMED).join("; ") + (more > 0 ? `; and ${more} more` : "");
}

const NONE: ReadonlySet<string> = new Set();
const LEFT = AbortSignal.abort(new Error("The namespace of the key is not selected"));

/** Returns a key of a version of a kind. */
function kindOf({ group, version, plural }: ResourceDescriptor): string {
  return `${group}/${version}/${plural}`;
}

function informerOf<T extends KubeObject>(
  factory: SharedInformerFactory,
  resource: Resource<T>,
  namespace: string,
  { labelSelector, fieldSelector }: CacheScope,
): SharedInformer<T> {
  return factory.informer(resource, {
    namespace: namespace || undefined,
    labelSelector,
    fieldSelector,
  });
}
