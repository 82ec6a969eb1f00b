import { type Clock, describeError, type Logger } from "@kubeloop/controller/internal/base";
import type { KubeObject } from "@kubeloop/controller/types";
import type { LogEntry, RequestAuthor } from "./event_log.ts";
import { ResourceStore } from "./resource_store.ts";
import { StoredObject } from "./stored_object.ts";
import type { Turns } from "./turns.ts";
import { byteLength, internalError, noSuchResource } from "../../values/mod.ts";

/** A function that encodes an object as the JSON text that is stored. */
export type Encode = (object: KubeObject) => string;

/** How long a read waits for a future revision, in milliseconds, as in the real API server. */
export const FUTURE_REVISION_WAIT_MS = 3000;

/** The largest object of a custom resource, in bytes of JSON: the limit of etcd. */
const MAX_CUSTOM_BYTES = 1.5 * 1024 * 1024;

/**
 * The largest object of a built-in kind, in bytes of JSON. etcd limits their binary form, in which escaped characters
 * take up to six times less.
 */
const MAX_BUILTIN_BYTES = 8 * 1024 * 1024;

/** How much a {@linkcode Storage} keeps of past changes. */
export interface HistoryLimits {
  /** The number of changes of each resource. */
  readonly entries: number;
  /** The memory that the changes of all resources together take, in bytes. */
  readonly bytes: number;
}

/**
 * Records a write before it is committed. If it throws, the write fails and nothing is stored.
 *
 * @param entry The entry that the log of the resource will have.
 */
export type Journal = (resource: string, entry: LogEntry) => void;

/** The parts of the server that a {@linkcode Storage} uses. */
export interface StorageParts {
  readonly clock: Clock;
  readonly turns: Turns;
  /** The logger for the failures of listeners. */
  readonly logger: Logger;
}

/** A pending {@linkcode Storage.reaches} call. */
interface Waiter {
  readonly revision: number;
  resolve(reached: boolean): void;
}

/** The server's etcd: the stores of all resources, which share one revision counter. */
export class Storage {
  readonly #stores = new Map<string, ResourceStore>();
  /** The factories of the first objects, by stores that have not been accessed yet. */
  readonly #first = new Map<string, () => readonly StoredObject[]>();
  readonly #clock: Clock;
  readonly #turns: Turns;
  readonly #logger: Logger;
  readonly #limits: HistoryLimits;
  readonly #waiting = new Set<Waiter>();
  readonly #listeners = new Set<(resource: string, entry: LogEntry) => void>();
  #revision = 1;
  /** The revision before which no list can be read, also for stores that are created later. */
  #historyStart = 0;
  /** The revision before which no watch can start, also for stores that are created later. */
  #windowStart = 0;
  #journal: Journal | undefined;
  #logBytes = 0;

  /** Creates an empty storage that keeps the last changes, within `limits`. */
  constructor({ clock, turns, logger }: StorageParts, limits: HistoryLimits) {
    this.#clock = clock;
    this.#turns = turns;
    this.#logger = logger;
    this.#limits = limits;
  }

  /** The revision of the last write. */
  get revision(): number {
    return this.#revision;
  }

  /** Returns the store of a resource, given its full name (`deployments.apps`). Creates the store if necessary. */
  store(resource: string): ResourceStore {
    let store = this.#stores.get(resource);
    if (store === undefined) {
      store = new ResourceStore(resource, this.#revision, this.#limits.entries);
      store.compact(this.#historyStart);
      store.dropWindow(this.#windowStart);
      this.#stores.set(resource, store);
      this.#fill(store);
    }
    return store;
  }

  /** Reports whether there are objects of a resource. It does not create a store. */
  holds(resource: string): boolean {
    return (this.#stores.get(resource)?.size ?? 0) > 0;
  }

  /**
   * Drops the store of a resource that is not served any more, with its history. A store with objects stays, so that
   * they are there when the resource is served again.
   */
  drop(resource: string): void {
    const store = this.#stores.get(resource);
    if (store === undefined || store.size > 0) return;
    this.#stores.delete(resource);
    this.#logBytes -= store.logBytes;
    // A later store of that name must not claim to know what happened before.
    this.#historyStart = this.#revision;
    this.#windowStart = this.#revision;
  }

  /** Returns the stores, each with the full name of its resource. */
  entries(): Iterable<readonly [string, ResourceStore]> {
    this.#fillAll();
    return this.#stores.entries();
  }

  /**
   * Uses up the next `count` revisions for objects that `make` returns on the first access to the store of the resource,
   * which must be unused. The delay cannot be observed.
   *
   * @param make Is called with the revision of the first object, and returns `count` objects.
   */
  prefill(
    resource: string,
    count: number,
    make: (firstRevision: number) => readonly StoredObject[],
  ): void {
    const first = this.#revision + 1;
    this.#revision += count;
    this.#first.set(resource, () => make(first));
  }

  #fill(store: ResourceStore): void {
    const make = this.#first.get(store.resource);
    if (make === undefined) return;
    this.#first.delete(store.resource);
    for (const object of make()) {
      store.commit({ revision: object.revision, type: "ADDED", object, previous: undefined });
    }
    this.#logBytes += store.logBytes;
    this.#trimLogs();
  }

  #fillAll(): void {
    for (const resource of [...this.#first.keys()]) this.store(resource);
  }

  /**
   * Calls `listener` synchronously after every write, before any watch learns about it, with the full name of the
   * resource. The write does not depend on it: what it throws is logged. The returned function removes the listener.
   */
  onWrite(listener: (resource: string, entry: LogEntry) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Calls `journal` synchronously before every write is committed. There is one at most; the returned function removes
   * it.
   *
   * @throws {TypeError} If there is one already: a write that one has recorded and another refuses would be neither.
   */
  record(journal: Journal): () => void {
    if (this.#journal !== undefined) throw new TypeError("The server has a journal already");
    this.#journal = journal;
    return () => {
      if (this.#journal === journal) this.#journal = undefined;
    };
  }

  /**
   * Continues at `revision`, without history: earlier lists, continue tokens and watches expire.
   */
  restartAt(revision: number): void {
    this.#revision = revision;
    this.compact();
    this.dropWindows();
  }

  /** Returns all stores. */
  stores(): Iterable<ResourceStore> {
    this.#fillAll();
    return this.#stores.values();
  }

  /**
   * Stores an object that a client wrote, as {@linkcode Storage.put} does.
   *
   * @param custom Whether the object is of a custom resource.
   * @throws {ApiError} 500, as etcd answers, if the object is too large. Otherwise an object could grow with each patch.
   */
  putWritten(
    store: ResourceStore,
    object: KubeObject,
    { custom, encodeStored }: { readonly custom: boolean; readonly encodeStored: Encode },
    author?: RequestAuthor,
  ): StoredObject {
    const limit = custom ? MAX_CUSTOM_BYTES : MAX_BUILTIN_BYTES;
    return this.put(store, object, (numbered) => {
      const text = encodeStored(numbered);
      // A character takes at most three bytes, so most objects need not be measured.
      if (3 * text.length <= limit || byteLength(text) <= limit) return text;
      throw internalError("etcdserver: request is too large");
    }, author);
  }

  /**
   * Stores `object` at the next revision. Sets `metadata.resourceVersion` of `object` to that revision. `author` is
   * the sender of the request, if there is one.
   *
   * @throws {ApiError} 500, if the journal cannot record the write.
   */
  put(
    store: ResourceStore,
    object: KubeObject,
    encode: Encode,
    author?: RequestAuthor,
  ): StoredObject {
    const revision = this.#revision + 1;
    object.metadata.resourceVersion = String(revision);
    const stored = new StoredObject(object, revision, encode(object));
    const previous = store.get(stored.key);
    const type = previous === undefined ? "ADDED" : "MODIFIED";
    this.#commit(store, { revision, type, object: stored, previous, author }, object);
    return stored;
  }

  /**
   * Deletes an object. Returns its last state with the revision of the deletion.
   *
   * @throws {ApiError} 500, as {@linkcode Storage.put} does.
   */
  remove(
    store: ResourceStore,
    stored: StoredObject,
    encode: Encode,
    author?: RequestAuthor,
  ): StoredObject {
    const revision = this.#revision + 1;
    const last = stored.parse();
    last.metadata.resourceVersion = String(revision);
    const object = new StoredObject(last, revision, encode(last));
    this.#commit(store, { revision, type: "DELETED", object, previous: stored, author }, last);
    return object;
  }

  /** Uses up one revision, for a write of the real server to an object that this server does not store. */
  skipRevision(): void {
    this.#revision++;
    this.#wake();
  }

  /**
   * Waits up to three seconds for `revision`.
   *
   * @returns Whether the storage has reached the revision.
   */
  async reaches(revision: number): Promise<boolean> {
    if (this.#revision >= revision) return true;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const what = `1 revision ${String(revision).padStart(16, "0")}`;
    const waiter: Waiter = {
      revision,
      resolve: (reached) => {
        this.#waiting.delete(waiter);
        this.#turns.queue(() => resolve(reached), what);
      },
    };
    const timer = this.#clock.setTimer(() => resolve(false), FUTURE_REVISION_WAIT_MS);
    this.#waiting.add(waiter);
    try {
      return await promise;
    } finally {
      timer.cancel();
      this.#waiting.delete(waiter);
    }
  }

  /** Resolves every pending {@linkcode Storage.reaches} call with false. */
  close(): void {
    for (const waiter of this.#waiting) waiter.resolve(false);
  }

  /**
   * Drops the history of every resource, with or without a store: lists of past revisions and old continue tokens expire.
   */
  compact(): void {
    this.#fillAll();
    this.#historyStart = this.#revision;
    for (const store of this.#stores.values()) store.compact(this.#revision);
    this.#measureLogs();
  }

  /** Moves the revision on by one, and tells all watch caches. */
  progress(): void {
    this.skipRevision();
    for (const store of this.#stores.values()) store.observe(this.#revision);
  }

  /**
   * Empties the watch cache of every resource, with or without a store: watches from before the current revision get "too
   * old resource version".
   */
  dropWindows(): void {
    this.#fillAll();
    this.#windowStart = this.#revision;
    for (const store of this.#stores.values()) store.dropWindow(this.#revision);
    this.#measureLogs();
  }

  #measureLogs(): void {
    this.#logBytes = 0;
    for (const store of this.#stores.values()) this.#logBytes += store.logBytes;
  }

  /** Resolves the {@linkcode Storage.reaches} calls for revisions up to the current one. */
  #wake(): void {
    for (const waiter of this.#waiting) {
      if (waiter.revision <= this.#revision) waiter.resolve(true);
    }
  }

  /**
   * Commits the write of the next revision.
   *
   * @throws {ApiError} 500, if the journal cannot record it; 404, if the store was dropped while the request waited for a
   * webhook. Nothing is stored then, and no revision is used up.
   */
  #commit(store: ResourceStore, entry: LogEntry, value: KubeObject): void {
    if (this.#stores.get(store.resource) !== store) throw noSuchResource();
    try {
      this.#journal?.(store.resource, entry);
    } catch (error) {
      throw internalError(describeError(error));
    }
    this.#revision = entry.revision;
    const before = store.logBytes;
    store.commit(entry, value);
    this.#logBytes += store.logBytes - before;
    this.#trimLogs();
    for (const listener of this.#listeners) {
      try {
        listener(store.resource, entry);
      } catch (error) {
        const { object, type } = entry;
        this.#logger.error(
          `A listener failed on the write ${type} ${store.resource} ${object.key}, which is stored`,
          error,
        );
      }
    }
    store.notify(entry, value);
    this.#wake();
  }

  /** Drops the oldest changes of all resources until the rest fits into the limit. */
  #trimLogs(): void {
    while (this.#logBytes > this.#limits.bytes) {
      let oldest: ResourceStore | undefined;
      let revision = Infinity;
      for (const store of this.#stores.values()) {
        const { oldestChange = Infinity } = store;
        if (oldestChange < revision) [oldest, revision] = [store, oldestChange];
      }
      if (oldest === undefined) return;
      const before = oldest.logBytes;
      oldest.forgetOldestChange();
      this.#logBytes += oldest.logBytes - before;
    }
  }
}
