import { type Cleanup, type Clock, escapeTerm, type Gauge, type Timer } from "../../base/mod.ts";
import { type ObjectChange, type SharedInformer, waitForCacheSync } from "../../cache/mod.ts";
import type { Resource } from "../../types/mod.ts";
import type { KindCache } from "./kind_cache.ts";
import type { CacheScope } from "./plan.ts";
import { partsOf, type ReferenceScopes, scopesOf } from "./reference_scopes.ts";

/** The period of stopping watches that are no longer needed, in milliseconds. */
const SWEEP_MS = 10_000;

/** The part of a manager that makes the caches of references. */
export interface ReferenceHost {
  readonly clock: Clock;
  /** Returns the namespaces of the manager. Undefined means all. */
  namespaces(): readonly string[] | undefined;
  /** Reports whether the server serves a kind. */
  isServed(resource: Resource): boolean;
  /** Returns a new cache, which shares its informers, and starts them if the manager runs. */
  openCache(resource: Resource, scope: CacheScope): KindCache;
  /** Removes a cache, and stops the informers that no other cache uses. */
  closeCache(cache: KindCache): void;
}

/** Options of {@linkcode ReferenceCaches}. */
export interface ReferenceCachesOptions {
  /** The referenced kind. */
  readonly resource: Resource;
  /** Whether the server may lack the kind. */
  readonly optional: boolean;
  readonly scopes: ReferenceScopes;
  readonly host: ReferenceHost;
  /** The number of watches. */
  readonly watches: Gauge;
  /** Returns the objects of a scope that are referenced, or that a running reconcile may read. */
  readonly heldIn: (scope: string) => readonly string[];
  /** Called with each change of an object. */
  readonly onChange: (change: ObjectChange) => void;
  /** Called with an object that is read from another cache from now on, which has its last changes. */
  readonly onMoved: (name: string) => void;
  /** Called when a cache has synced. */
  readonly onSynced: () => void;
}

/** A cache of some of the referenced objects. */
interface Opened {
  readonly cache: KindCache;
  readonly close: Cleanup;
}

/**
 * One cache for each scope of a {@linkcode ReferenceScopes}. The cache of a removed scope closes as soon as a wider cache has
 * synced and shows its objects in the same or a newer version.
 */
export class ReferenceCaches {
  readonly #options: ReferenceCachesOptions;
  readonly #opened = new Map<string, Opened>();
  readonly #stop = new AbortController();
  #isStarted = false;
  #isScheduled = false;
  #sweeping: Timer | undefined;

  constructor(options: ReferenceCachesOptions) {
    this.#options = options;
  }

  /** The informers of the caches. */
  get informers(): ReadonlySet<SharedInformer> {
    return new Set([...this.#opened.values()].flatMap(({ cache }) => cache.informers));
  }

  /** Opens the caches of the wanted scopes. */
  start(): void {
    this.#isStarted = true;
    this.#follow();
  }

  /** Opens and closes no further caches. They can still be read. */
  stop(): void {
    this.#stop.abort();
    this.#sweeping?.cancel();
  }

  /** Follows the scopes after the current changes. */
  schedule(): void {
    if (this.#isScheduled || !this.#isStarted) return;
    this.#isScheduled = true;
    queueMicrotask(() => {
      this.#isScheduled = false;
      this.#follow();
    });
  }

  /** Reports whether an object can be read. */
  isSynced(name: string): boolean {
    const cache = this.serving(name);
    return cache !== undefined && hasSynced(cache);
  }

  /** Returns the cache from which an object is read: the narrowest synced cache. */
  serving(name: string): KindCache | undefined {
    const caches = this.#cachesOf(scopesOf(name));
    return caches.find(hasSynced) ?? caches[0];
  }

  /** Opens and closes caches, so that they fit the scopes. */
  #follow(): void {
    const { scopes, watches } = this.#options;
    if (this.#stop.signal.aborted) return;
    for (const scope of scopes.wanted) if (!this.#opened.has(scope)) this.#open(scope);
    for (const scope of this.#opened.keys()) if (!scopes.has(scope)) this.#close(scope);
    watches.set(this.informers.size);
    if (scopes.hasUnused || this.#hasLeft) this.#sweepLater();
  }

  /** Whether the cache of a removed scope is open. */
  get #hasLeft(): boolean {
    return this.#opened.size > this.#options.scopes.size;
  }

  #open(scope: string): void {
    const { host, onChange, onSynced, optional, resource } = this.#options;
    const { name, namespace } = partsOf(scope);
    const cache = host.openCache(resource, {
      namespaces: namespace === undefined ? undefined : [namespace],
      fieldSelector: name === undefined ? undefined : `metadata.name=${escapeTerm(name)}`,
      optional,
    });
    const handlers = cache.addChangeHandler((change) => {
      onChange(change);
      // The cache may have been behind a narrower one.
      if (this.#hasLeft) this.schedule();
    });
    const close = () => {
      handlers.remove();
      host.closeCache(cache);
    };
    this.#opened.set(scope, { cache, close });
    const { signal } = this.#stop;
    waitForCacheSync({ signal, clock: host.clock }, cache).then(() => {
      this.#follow();
      onSynced();
    }, () => {});
  }

  /** Closes the cache of a removed scope, if a wider cache has synced and is not behind. */
  #close(scope: string): void {
    const names = this.#options.heldIn(scope);
    if (!names.every((name) => this.#isReplaced(name, scope))) return;
    this.#opened.get(scope)?.close();
    this.#opened.delete(scope);
    for (const name of names) this.#options.onMoved(name);
  }

  /** Reports whether a wider cache shows at least the version of an object that the cache of a scope shows. */
  #isReplaced(name: string, scope: string): boolean {
    const scopes = scopesOf(name);
    const wider = this.#cachesOf(scopes.slice(scopes.indexOf(scope) + 1)).find(hasSynced);
    if (wider === undefined) return false;
    const shown = this.#opened.get(scope)?.cache.itemByKey(name);
    if (shown === undefined) return wider.itemByKey(name) === undefined;
    return wider.hasSeen(shown, shown.metadata.resourceVersion ?? "");
  }

  #sweepLater(): void {
    this.#sweeping ??= this.#options.host.clock.setTimer(() => {
      this.#sweeping = undefined;
      this.#options.scopes.removeUnused();
      this.#follow();
    }, SWEEP_MS);
  }

  #cachesOf(scopes: readonly string[]): readonly KindCache[] {
    return scopes.flatMap((scope) => this.#opened.get(scope)?.cache ?? []);
  }
}

function hasSynced(cache: KindCache): boolean {
  return cache.hasSynced();
}
