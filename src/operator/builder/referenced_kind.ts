import {
  type Cleanup,
  type Clock,
  describeError,
  type Gauge,
  onAbort,
  type PacedLogger,
  type Timer,
} from "../../base/mod.ts";
import {
  type HandlerRegistration,
  joinMetaNamespaceKey,
  metaNamespaceKeyFunc,
  type Named,
  type ObjectChange,
  type SharedInformer,
  waitForCacheSync,
} from "../../cache/mod.ts";
import { type Cached, type KubeObject, type Resource, resourceName } from "../../types/mod.ts";
import type { CauseEvent } from "../stories/mod.ts";
import type { CacheReader, KindCache } from "./kind_cache.ts";
import type { CacheScope } from "./plan.ts";
import { ReferenceIndex } from "./reference_index.ts";
import { eachReference, type ReferencesOf, type ReferenceTarget } from "./reference_names.ts";
import { isInScope, partsOf, ReferenceScopes, scopesOf } from "./reference_scopes.ts";
import type { ShownObjects } from "./write_gate.ts";

/** Maximum number of watches for one kind of references. */
const MAX_WATCHES = 25;
/** The period of stopping watches that are no longer needed, in milliseconds. */
const SWEEP_MS = 10_000;

/** The references of a controller to the objects of one kind. */
export interface ReferencesSnapshot {
  /** The referenced kind, such as `secrets`. */
  readonly resource: string;
  /** The number of objects that are referred to. */
  readonly objects: number;
  /** The number of watches: of single objects, of namespaces, or of all objects. */
  readonly watches: number;
  /** The number of keys that wait until the watches of their references have synced. */
  readonly waiting: number;
  /** The watches that have not synced, and why, as in `secrets (in a, metadata.name=b): …`. */
  readonly notSynced: readonly string[];
}

/** The part of a manager that makes the caches of references. */
export interface ReferenceHost {
  readonly clock: Clock;
  /** The namespaces of the manager. Undefined means all. */
  readonly namespaces: readonly string[] | undefined;
  /** Returns a new cache, which shares its informers, and starts them if the manager runs. */
  openCache(resource: Resource, scope: CacheScope): KindCache;
  /** Removes a cache, and stops the informers that no other cache uses. */
  closeCache(cache: KindCache): void;
}

/** Options of a {@linkcode ReferencedKind}. */
export interface ReferencedKindOptions {
  /** The name of the controller. */
  readonly controller: string;
  /** The referenced kind. */
  readonly resource: Resource;
  /** Return the referenced objects. */
  readonly functions: readonly ReferencesOf<KubeObject>[];
  /** The cache of the referring objects. */
  readonly primary: KindCache;
  /** Whether the controller caches all objects of the kind in any case. */
  readonly isWide: boolean;
  readonly host: ReferenceHost;
  readonly logger: Pick<PacedLogger, "error">;
  /** The numbers of watches and of waiting keys. */
  readonly metrics: { readonly watches: Gauge; readonly waiting: Gauge };
  /** Called with the keys that refer to a changed object, and with a key whose references have changed. */
  readonly onChange: (key: string, cause: CauseEvent) => void;
  /** Called when a cache shows a change of an object. */
  readonly onSeen: (object: Named) => void;
  /** Called when the references of a waiting key have synced. */
  readonly onReady: (key: string) => void;
}

/** A cache of some of the referenced objects. */
interface Opened {
  readonly cache: KindCache;
  readonly close: Cleanup;
}

/**
 * The objects of one kind that the objects of a controller refer to. It watches exactly these objects, or more of them if
 * there are many: see {@linkcode ReferenceScopes}. A watch is stopped when nothing refers to its objects any more, or when a
 * wider one has synced and shows no older version of them.
 */
export class ReferencedKind implements ShownObjects {
  readonly resource: Resource;
  readonly name: string;
  readonly #options: ReferencedKindOptions;
  readonly #target: ReferenceTarget;
  readonly #scopes: ReferenceScopes;
  readonly #index: ReferenceIndex;
  readonly #opened = new Map<string, Opened>();
  /** The references of the running reconciles, by key, as of the object that each was called with. */
  readonly #running = new Map<string, readonly string[]>();
  /** The keys that wait until their references have synced. */
  readonly #waiting = new Set<string>();
  readonly #stop = new AbortController();
  /** Whether the references of all objects of the first list are known. */
  #isFilled = false;
  #isScheduled = false;
  #sweeping: Timer | undefined;

  constructor(options: ReferencedKindOptions) {
    const { host, isWide, resource } = options;
    this.resource = resource;
    this.name = `references to ${resourceName(resource)}`;
    this.#options = options;
    this.#target = { resource, namespaces: resource.namespaced ? host.namespaces : undefined };
    this.#scopes = new ReferenceScopes({ limit: MAX_WATCHES, isWide });
    this.#index = new ReferenceIndex(this.#scopes);
  }

  /** Follows the references of the cached objects until the signal aborts. The caches can still be read after that. */
  async run({ signal }: { readonly signal: AbortSignal }): Promise<void> {
    const { host: { clock }, primary } = this.#options;
    const handlers = addHandlers(primary.informers, ({ key }) => this.#update(key));
    try {
      await waitForCacheSync({ signal, clock }, ...handlers.registrations);
      this.#isFilled = true;
      this.#advance();
      await new Promise<void>((resolve) => void onAbort(signal, () => resolve()));
    } finally {
      handlers.remove();
      this.#stop.abort();
      this.#sweeping?.cancel();
    }
  }

  /** Reports whether the references of an object can be read. If not, `onReady` is called later. */
  admits(key: string, object: Cached<KubeObject>): boolean {
    if (this.#isFilled && this.#read(key, object).names.every((name) => this.#isSynced(name))) {
      this.#forgetWaiting(key);
      return true;
    }
    this.#waiting.add(key);
    this.#options.metrics.waiting.set(this.#waiting.size);
    return false;
  }

  /** Keeps the references of an object readable until its reconcile has ended. */
  begin(key: string, object: Cached<KubeObject>): void {
    this.#running.set(key, this.#read(key, object).names);
  }

  /** Records that the reconcile of a key has ended. */
  end(key: string): void {
    this.#running.delete(key);
  }

  /** Returns the cached object of a reference; undefined if the cache has none, or nothing refers to it. */
  find(name: string, namespace: string | undefined): Cached<KubeObject> | undefined {
    const key = joinMetaNamespaceKey(namespace, name);
    return this.#isReferenced(key) && this.#isSynced(key) ? this.getByKey(key) : undefined;
  }

  /** Returns a reader of the referenced objects, and of `others`, the other cached objects of the kind. */
  reader<U extends KubeObject>(others: CacheReader<U> | undefined): CacheReader<U> {
    const rest = (call: string): CacheReader<U> => {
      if (others !== undefined) return others;
      const kind = resourceName(this.resource);
      throw new TypeError(
        `Cannot ${call} of ${kind} in controller "${this.#options.controller}": it caches only the ${kind} ` +
          "that its objects refer to, which get() returns. Add .owns(…) or .watches(…) for others",
      );
    };
    return {
      resource: this.resource as Resource<U>,
      get: (name, namespace) => {
        const key = joinMetaNamespaceKey(namespace, name);
        if (this.#isReferenced(key)) return this.#require(key).get(name, namespace) as Cached<U>;
        if (others !== undefined) return others.get(name, namespace);
        throw new Error(this.#notReferenced(key));
      },
      list: (options) => rest("list()").list(options),
      byIndex: (index, value) => rest("byIndex()").byIndex(index, value),
      ownedBy: (uid) => rest("ownedBy()").ownedBy(uid),
    };
  }

  snapshot(): ReferencesSnapshot {
    const informers = this.#informers;
    return {
      resource: resourceName(this.resource),
      objects: this.#index.size,
      watches: informers.size,
      waiting: this.#waiting.size,
      notSynced: [...informers].filter((informer) => !informer.hasSynced())
        .map((informer) => `${informer.name}: ${informer.whyNotSynced()}`),
    };
  }

  /** The write gate waits for written objects that are referenced; for others, no cache is asked. */
  covers(): boolean {
    return true;
  }

  selects(): boolean {
    return true;
  }

  hasSeen(object: Named, resourceVersion: string): boolean {
    const cache = this.#serving(metaNamespaceKeyFunc(object));
    return cache === undefined || cache.hasSeen(object, resourceVersion);
  }

  getByKey(key: string): Cached<KubeObject> | undefined {
    return this.#serving(key)?.getByKey(key);
  }

  /** Reads the references of a key whose object has changed or is gone. */
  #update(key: string): void {
    const { onChange, onReady, primary } = this.#options;
    // The cache may be ahead of the event.
    const object = primary.getByKey(key);
    if (object === undefined) {
      this.#index.delete(key);
      this.#schedule();
      // The queue still has the causes of the key.
      if (this.#forgetWaiting(key)) onReady(key);
    } else if (this.#read(key, object).hasChanged && this.#isFilled) {
      onChange(key, { why: "updated", resource: resourceName(primary.resource), object: key });
    }
  }

  /** Returns the references of an object, and whether they have changed since its last version. */
  #read(
    key: string,
    object: Cached<KubeObject>,
  ): { readonly names: readonly string[]; readonly hasChanged: boolean } {
    const { resourceVersion = "", uid = "" } = object.metadata;
    const version = `${uid} ${resourceVersion}`;
    const known = this.#index.namesOf(key, version);
    if (known !== undefined) return { names: known, hasChanged: false };
    const isFirst = !this.#index.knows(key);
    const names = this.#namesIn(key, object);
    const differs = this.#index.set(key, version, names);
    if (differs) this.#schedule();
    return { names, hasChanged: differs && !isFirst };
  }

  #namesIn(key: string, object: Cached<KubeObject>): readonly string[] {
    const { controller, functions, logger } = this.#options;
    const names = new Set<string>();
    const invalid = (error: unknown) =>
      logger.error(
        `${controller}: "${key}" has a reference to ${
          resourceName(this.resource)
        } that is skipped: ${describeError(error)}`,
      );
    for (const of of functions) {
      try {
        eachReference({ object, of }, this.#target, (name) => names.add(name), invalid);
      } catch (error) {
        invalid(error);
      }
    }
    return [...names];
  }

  /** Calls `#follow` after the current changes. */
  #schedule(): void {
    if (this.#isScheduled || !this.#isFilled) return;
    this.#isScheduled = true;
    queueMicrotask(() => {
      this.#isScheduled = false;
      this.#follow();
    });
  }

  /** Starts and stops watches, so that they fit the references. */
  #follow(): void {
    if (this.#stop.signal.aborted) return;
    for (const scope of this.#scopes.wanted) if (!this.#opened.has(scope)) this.#open(scope);
    for (const scope of this.#opened.keys()) if (!this.#scopes.has(scope)) this.#closeLeft(scope);
    this.#options.metrics.watches.set(this.#informers.size);
    if (this.#scopes.hasUnused || this.#opened.size > this.#scopes.size) this.#sweepLater();
  }

  #open(scope: string): void {
    const { host } = this.#options;
    const { name, namespace } = partsOf(scope);
    const cache = host.openCache(this.resource, {
      namespaces: namespace === undefined ? undefined : [namespace],
      fieldSelector: name === undefined ? undefined : selectorOf(name),
    });
    const handlers = addHandlers(cache.informers, (change) => this.#changed(change));
    const close = () => {
      handlers.remove();
      host.closeCache(cache);
    };
    this.#opened.set(scope, { cache, close });
    const { signal } = this.#stop;
    waitForCacheSync({ signal, clock: host.clock }, ...cache.informers)
      .then(() => this.#advance(), () => {});
  }

  /** Closes a cache that is no longer wanted, unless its replacement has not synced or is behind. */
  #closeLeft(scope: string): void {
    const left = this.#opened.get(scope);
    const running = [...this.#running.values()].flat().filter((name) => isInScope(name, scope));
    const names = [...this.#index.namesIn(scope), ...running];
    if (left === undefined || !names.every((name) => this.#isReplaced(name, scope))) return;
    left.close();
    this.#opened.delete(scope);
    // The last changes may not have been delivered.
    for (const name of names) this.#touch(name, "resync");
  }

  /** Reports whether a wider cache shows at least the version of an object that the cache of a scope shows. */
  #isReplaced(name: string, scope: string): boolean {
    const scopes = scopesOf(name);
    const wider = this.#cachesOf(scopes.slice(scopes.indexOf(scope) + 1)).find(hasSynced);
    if (wider === undefined) return false;
    const shown = this.#opened.get(scope)?.cache.getByKey(name);
    if (shown === undefined) return wider.getByKey(name) === undefined;
    return wider.hasSeen(shown, shown.metadata.resourceVersion ?? "");
  }

  /** Stops replaced watches, and adds the keys whose references have synced. */
  #advance(): void {
    if (this.#stop.signal.aborted) return;
    this.#follow();
    const { onReady, primary } = this.#options;
    for (const key of [...this.#waiting]) {
      const object = primary.getByKey(key);
      const names = object === undefined ? [] : this.#read(key, object).names;
      if (names.every((name) => this.#isSynced(name)) && this.#forgetWaiting(key)) onReady(key);
    }
  }

  /** Reconciles the keys that refer to a changed object. */
  #changed(change: ObjectChange): void {
    const { key, name, namespace, type, old, resourceVersion, isInInitialList } = change;
    this.#options.onSeen({ metadata: { name, namespace } });
    const isReplay = old !== undefined && old.resourceVersion === resourceVersion;
    // The keys that refer to an object of the first list wait for it.
    if (!isInInitialList && !isReplay) this.#touch(key, CHANGES[type]);
    if (this.#opened.size > this.#scopes.size) this.#schedule();
  }

  #touch(name: string, why: CauseEvent["why"]): void {
    const cause = { why, resource: resourceName(this.resource), object: name };
    for (const key of this.#index.referrersOf(name)) this.#options.onChange(key, cause);
  }

  #sweepLater(): void {
    this.#sweeping ??= this.#options.host.clock.setTimer(() => {
      this.#sweeping = undefined;
      this.#scopes.removeUnused();
      this.#follow();
    }, SWEEP_MS);
  }

  #forgetWaiting(key: string): boolean {
    const waited = this.#waiting.delete(key);
    if (waited) this.#options.metrics.waiting.set(this.#waiting.size);
    return waited;
  }

  #isReferenced(name: string): boolean {
    return this.#index.has(name) || [...this.#running.values()].some((all) => all.includes(name));
  }

  #isSynced(name: string): boolean {
    const cache = this.#serving(name);
    return cache !== undefined && hasSynced(cache);
  }

  /** Returns the cache from which an object is read: the narrowest synced cache. */
  #serving(name: string): KindCache | undefined {
    const caches = this.#cachesOf(scopesOf(name));
    return caches.find(hasSynced) ?? caches[0];
  }

  #cachesOf(scopes: readonly string[]): readonly KindCache[] {
    return scopes.flatMap((scope) => this.#opened.get(scope)?.cache ?? []);
  }

  get #informers(): ReadonlySet<SharedInformer> {
    return new Set([...this.#opened.values()].flatMap(({ cache }) => cache.informers));
  }

  #require(key: string): KindCache {
    const cache = this.#serving(key);
    if (cache !== undefined) return cache;
    throw new Error(
      `The watch of ${
        resourceName(this.resource)
      } ${key} has not started: read it in a reconcile of an object ` +
        "that refers to it",
    );
  }

  #notReferenced(key: string): string {
    const { controller, primary } = this.#options;
    const kind = resourceName(this.resource);
    return `The cache of ${kind} in controller "${controller}" does not hold "${key}": no ${primary.resource.kind} ` +
      `refers to it. Return its name from the function of .references(…)`;
  }
}

const CHANGES = { Added: "added", Updated: "updated", Deleted: "deleted" } as const;

/** Returns the field selector of one object. Importing the client's `fieldSelector` would load the whole client. */
function selectorOf(name: string): string {
  return `metadata.name=${name.replace(/[\\,=]/g, "\\$&")}`;
}

function hasSynced(cache: KindCache): boolean {
  return cache.informers.every((informer) => informer.hasSynced());
}

/** Adds a handler to each informer. */
function addHandlers<T extends KubeObject>(
  informers: readonly SharedInformer<T>[],
  handler: (change: ObjectChange) => void,
): { readonly registrations: readonly HandlerRegistration[]; readonly remove: Cleanup } {
  const added = informers.map((informer) => ({
    informer,
    registration: informer.addChangeHandler(handler),
  }));
  return {
    registrations: added.map(({ registration }) => registration),
    remove: () => {
      for (const { informer, registration } of added) informer.removeEventHandler(registration);
    },
  };
}
