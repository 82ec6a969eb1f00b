import { describeError, type Gauge, onAbort, type PacedLogger } from "../../base/mod.ts";
import {
  type Item,
  joinMetaNamespaceKey,
  metaNamespaceKeyFunc,
  type Named,
  type ObjectChange,
  waitForCacheSync,
} from "../../cache/mod.ts";
import { type Cached, type KubeObject, type Resource, resourceName } from "../../types/mod.ts";
import type { CauseEvent } from "../stories/mod.ts";
import type { CacheReader } from "./cache_reader.ts";
import type { FoundItem } from "./found_item.ts";
import type { KindCache } from "./kind_cache.ts";
import { ReferenceCaches, type ReferenceHost } from "./reference_caches.ts";
import { ReferenceIndex } from "./reference_index.ts";
import { eachReference, type ReferencesOf, type ReferenceTarget } from "./reference_names.ts";
import { isInScope, ReferenceScopes } from "./reference_scopes.ts";
import type { ShownObjects } from "./write_gate.ts";

/** Maximum number of watches for one kind of references. */
const MAX_WATCHES = 25;

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
  /** Whether the server may lack the kind. */
  readonly optional: boolean;
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

/**
 * The objects of one kind that the objects of a controller refer to: which object refers to which, the keys that wait until
 * their references have synced, and a reader. {@linkcode ReferenceCaches} has their caches.
 */
export class ReferencedKind implements ShownObjects {
  readonly resource: Resource;
  readonly name: string;
  readonly #options: ReferencedKindOptions;
  readonly #target: ReferenceTarget;
  readonly #index: ReferenceIndex;
  readonly #caches: ReferenceCaches;
  /** The references of the running reconciles, by key, as of the object that each was called with. */
  readonly #running = new Map<string, readonly string[]>();
  /** The keys that wait until their references have synced. */
  readonly #waiting = new Set<string>();
  /** Whether the references of all objects of the first list are known. */
  #isFilled = false;

  constructor(options: ReferencedKindOptions) {
    const { host, isWide, optional, resource } = options;
    this.resource = resource;
    this.name = `references to ${resourceName(resource)}`;
    this.#options = options;
    this.#target = {
      resource,
      namespaces: () => resource.namespaced ? host.namespaces() : undefined,
    };
    const scopes = new ReferenceScopes({ limit: MAX_WATCHES, isWide });
    this.#index = new ReferenceIndex(scopes);
    this.#caches = new ReferenceCaches({
      resource,
      optional,
      scopes,
      host,
      watches: options.metrics.watches,
      heldIn: (scope) => this.#heldIn(scope),
      onChange: (change) => this.#changed(change),
      onMoved: (name) => this.#touch(name, "resync"),
      onSynced: () => this.#wake(),
    });
  }

  /** Follows the references of the cached objects until the signal aborts. The caches can still be read after that. */
  async run({ signal }: { readonly signal: AbortSignal }): Promise<void> {
    const { host: { clock }, primary } = this.#options;
    const handlers = primary.addChangeHandler(({ key }) => this.#update(key));
    try {
      await waitForCacheSync({ signal, clock }, ...handlers.registrations);
      this.#isFilled = true;
      this.#caches.start();
      this.#wake();
      await new Promise<void>((resolve) => void onAbort(signal, () => resolve()));
    } finally {
      handlers.remove();
      this.#caches.stop();
    }
  }

  /** Reports whether the references of an object can be read. If not, `onReady` is called later. */
  admits(key: string, found: FoundItem<KubeObject>): boolean {
    if (
      this.#isFilled && this.#read(key, found).names.every((name) => this.#caches.isSynced(name))
    ) {
      this.#forgetWaiting(key);
      return true;
    }
    this.#waiting.add(key);
    this.#options.metrics.waiting.set(this.#waiting.size);
    return false;
  }

  /** Keeps the references of an object readable until its reconcile has ended. */
  begin(key: string, found: FoundItem<KubeObject>): void {
    this.#running.set(key, this.#read(key, found).names);
  }

  /** Records that the reconcile of a key has ended. */
  end(key: string): void {
    this.#running.delete(key);
  }

  /** Returns the cached object of a reference; undefined if the cache has none, or nothing refers to it. */
  find(name: string, namespace: string | undefined): Cached<KubeObject> | undefined {
    const key = joinMetaNamespaceKey(namespace, name);
    return this.#isReferenced(key) && this.#caches.isSynced(key) ? this.#get(key) : undefined;
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
      isServed: this.#options.host.isServed(this.resource),
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
    const { informers } = this.#caches;
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
    const cache = this.#caches.serving(metaNamespaceKeyFunc(object));
    return cache === undefined || cache.hasSeen(object, resourceVersion);
  }

  itemByKey(key: string): Item<KubeObject> | undefined {
    return this.#caches.serving(key)?.itemByKey(key);
  }

  #get(key: string): Cached<KubeObject> | undefined {
    const found = this.#caches.serving(key)?.find(key);
    return found?.informer.read(found.item);
  }

  /** Reads the references of a key whose object has changed or is gone. */
  #update(key: string): void {
    const { onChange, onReady, primary } = this.#options;
    // The cache may be ahead of the event.
    const found = primary.find(key);
    if (found === undefined) {
      this.#index.delete(key);
      this.#caches.schedule();
      // The queue still has the causes of the key.
      if (this.#forgetWaiting(key)) onReady(key);
    } else if (this.#read(key, found).hasChanged && this.#isFilled) {
      onChange(key, { why: "updated", resource: resourceName(primary.resource), object: key });
    }
  }

  /** Returns the references of an object, and whether they have changed since its last version. */
  #read(
    key: string,
    { informer, item }: FoundItem<KubeObject>,
  ): { readonly names: readonly string[]; readonly hasChanged: boolean } {
    const { resourceVersion = "", uid = "" } = item.metadata;
    const version = `${uid} ${resourceVersion}`;
    const known = this.#index.namesOf(key, version);
    if (known !== undefined) return { names: known, hasChanged: false };
    const isFirst = !this.#index.knows(key);
    const names = this.#namesIn(key, informer.read(item));
    const differs = this.#index.set(key, version, names);
    if (differs) this.#caches.schedule();
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

  /** Adds the waiting keys whose references have synced. */
  #wake(): void {
    const { onReady, primary } = this.#options;
    for (const key of [...this.#waiting]) {
      const found = primary.find(key);
      const names = found === undefined ? [] : this.#read(key, found).names;
      if (names.every((name) => this.#caches.isSynced(name)) && this.#forgetWaiting(key)) {
        onReady(key);
      }
    }
  }

  /** Returns the objects of a scope that are referenced, or that a running reconcile may read. */
  #heldIn(scope: string): readonly string[] {
    const running = [...this.#running.values()].flat().filter((name) => isInScope(name, scope));
    return [...new Set([...this.#index.namesIn(scope), ...running])];
  }

  /** Reconciles the keys that refer to a changed object. */
  #changed(change: ObjectChange): void {
    const { key, name, namespace, type, old, resourceVersion, isInInitialList } = change;
    this.#options.onSeen({ metadata: { name, namespace } });
    const isReplay = old !== undefined && old.resourceVersion === resourceVersion;
    // The keys that refer to an object of the first list wait for it.
    if (!isInInitialList && !isReplay) this.#touch(key, CHANGES[type]);
  }

  #touch(name: string, why: CauseEvent["why"]): void {
    const cause = { why, resource: resourceName(this.resource), object: name };
    for (const key of this.#index.referrersOf(name)) this.#options.onChange(key, cause);
  }

  #forgetWaiting(key: string): boolean {
    const waited = this.#waiting.delete(key);
    if (waited) this.#options.metrics.waiting.set(this.#waiting.size);
    return waited;
  }

  #isReferenced(name: string): boolean {
    return this.#index.has(name) || [...this.#running.values()].some((all) => all.includes(name));
  }

  #require(key: string): KindCache {
    const cache = this.#caches.serving(key);
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
    if (this.resource.namespaced && !key.includes("/")) {
      return `The cache of ${kind} holds objects of namespaces: give the namespace, as in get("${key}", "default")`;
    }
    return `The cache of ${kind} in controller "${controller}" does not hold "${key}": no ${primary.resource.kind} ` +
      `refers to it. Return its name from the function of .references(…)`;
  }
}

const CHANGES = { Added: "added", Updated: "updated", Deleted: "deleted" } as const;
