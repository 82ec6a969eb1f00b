import type { Clock } from "@kubeloop/controller/base";
import type { KubeObject } from "@kubeloop/controller/types";
import type { LogEntry } from "./event_log.ts";
import { ResourceStore } from "./resource_store.ts";
import { StoredObject } from "./stored_object.ts";

/** A function that encodes an object as the JSON text that is stored. */
export type Encode = (object: KubeObject) => string;

/** How long a read waits for a future revision, in milliseconds, as in the real API server. */
const FUTURE_REVISION_WAIT_MS = 3000;

/** A pending {@linkcode Storage.reaches} call. */
interface Waiter {
  readonly revision: number;
  resolve(reached: boolean): void;
}

/** The server's etcd: the stores of all resources, which share one revision counter. */
export class Storage {
  readonly #stores = new Map<string, ResourceStore>();
  readonly #clock: Clock;
  readonly #historyLimit: number;
  readonly #waiting = new Set<Waiter>();
  readonly #listeners = new Set<() => void>();
  #revision = 1;

  /** Creates an empty storage that keeps the last `historyLimit` changes of each resource. */
  constructor(clock: Clock, historyLimit: number) {
    this.#clock = clock;
    this.#historyLimit = historyLimit;
  }

  /** The revision of the last write. */
  get revision(): number {
    return this.#revision;
  }

  /** Returns the store of a resource, given its full name (`deployments.apps`). Creates the store if necessary. */
  store(resource: string): ResourceStore {
    let store = this.#stores.get(resource);
    if (store === undefined) {
      store = new ResourceStore(this.#revision, this.#historyLimit);
      this.#stores.set(resource, store);
    }
    return store;
  }

  /** Returns the stores, each with the full name of its resource. */
  entries(): Iterable<readonly [string, ResourceStore]> {
    return this.#stores.entries();
  }

  /** Calls `listener` synchronously after every write. The returned function removes the listener. */
  onWrite(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Restores an object from the state of an earlier server, at the revision that it had there. */
  restore(store: ResourceStore, object: KubeObject, revision: number, encode: Encode): void {
    store.restore(new StoredObject(object, revision, encode(object)));
  }

  /** Continues at `revision`, without history: earlier lists, continue tokens and watches expire. */
  restartAt(revision: number): void {
    this.#revision = revision;
    this.compact();
    for (const store of this.#stores.values()) store.dropWindow(revision);
  }

  /** Returns all stores. */
  stores(): Iterable<ResourceStore> {
    return this.#stores.values();
  }

  /** Stores `object` at the next revision. Sets `metadata.resourceVersion` of `object` to that revision. */
  put(store: ResourceStore, object: KubeObject, encode: Encode): StoredObject {
    const revision = this.#next();
    object.metadata.resourceVersion = String(revision);
    const stored = new StoredObject(object, revision, encode(object));
    const previous = store.get(stored.key);
    const type = previous === undefined ? "ADDED" : "MODIFIED";
    this.#commit(store, { revision, type, object: stored, previous }, object);
    return stored;
  }

  /** Deletes an object. Returns its last state with the revision of the deletion. */
  remove(store: ResourceStore, stored: StoredObject, encode: Encode): StoredObject {
    const revision = this.#next();
    const last = stored.parse();
    last.metadata.resourceVersion = String(revision);
    const object = new StoredObject(last, revision, encode(last));
    this.#commit(store, { revision, type: "DELETED", object, previous: stored }, last);
    return object;
  }

  /** Uses up one revision, for a write of the real server to a resource that this server does not store. */
  skipRevision(): void {
    this.#next();
  }

  /**
   * Waits up to three seconds for `revision`.
   *
   * @returns Whether the storage has reached the revision.
   */
  async reaches(revision: number): Promise<boolean> {
    if (this.#revision >= revision) return true;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const waiter: Waiter = { revision, resolve };
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

  /** Drops the history of every resource: lists of past revisions and old continue tokens expire. */
  compact(): void {
    for (const store of this.#stores.values()) store.compact(this.#revision);
  }

  #next(): number {
    return ++this.#revision;
  }

  #commit(store: ResourceStore, entry: LogEntry, value: KubeObject): void {
    store.commit(entry, value);
    for (const waiter of this.#waiting) {
      if (waiter.revision <= this.#revision) waiter.resolve(true);
    }
    for (const listener of this.#listeners) listener();
  }
}
