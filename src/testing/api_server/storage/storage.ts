import { type Clock, deferred } from "@kubeloop/controller/base";
import type { KubeObject } from "@kubeloop/controller/types";
import type { LogEntry } from "./event_log.ts";
import { ResourceStore } from "./resource_store.ts";
import { StoredObject } from "./stored_object.ts";

/** Encodes an object as the text that is stored. */
export type Encode = (object: KubeObject) => string;

/** How long a read waits for a revision that has not been reached, as the API server does. */
const FUTURE_REVISION_WAIT_MS = 3000;

/** Someone who waits for a revision. */
interface Waiter {
  readonly revision: number;
  resolve(reached: boolean): void;
}

/** Everything that is stored, under one counter of revisions: the server's etcd. */
export class Storage {
  readonly #stores = new Map<string, ResourceStore>();
  readonly #clock: Clock;
  readonly #historyLimit: number;
  readonly #waiting = new Set<Waiter>();
  readonly #listeners = new Set<() => void>();
  #revision = 1;

  /** An empty storage that remembers `historyLimit` changes of each resource. */
  constructor(clock: Clock, historyLimit: number) {
    this.#clock = clock;
    this.#historyLimit = historyLimit;
  }

  /** The revision of the last write. */
  get revision(): number {
    return this.#revision;
  }

  /** The store of a resource, by its full name (`deployments.apps`). */
  store(resource: string): ResourceStore {
    let store = this.#stores.get(resource);
    if (store === undefined) {
      store = new ResourceStore(this.#revision, this.#historyLimit);
      this.#stores.set(resource, store);
    }
    return store;
  }

  /** The stores with the names of their resources. */
  entries(): Iterable<readonly [string, ResourceStore]> {
    return this.#stores.entries();
  }

  /** Calls `listener` after every write; the returned function ends that. */
  onWrite(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Puts back an object that an earlier server has stored, under the revision it had. */
  restore(store: ResourceStore, object: KubeObject, revision: number, encode: Encode): void {
    store.restore(new StoredObject(object, revision, encode(object)));
  }

  /** Goes on from `revision`, with a past that is forgotten. */
  restartAt(revision: number): void {
    this.#revision = revision;
    this.compact();
    for (const store of this.#stores.values()) store.dropWindow(revision);
  }

  /** Every store there is. */
  stores(): Iterable<ResourceStore> {
    return this.#stores.values();
  }

  /** Stores `object` under the next revision, which is written into it. */
  put(store: ResourceStore, object: KubeObject, encode: Encode): StoredObject {
    const revision = this.#next();
    object.metadata.resourceVersion = String(revision);
    const stored = new StoredObject(object, revision, encode(object));
    const previous = store.get(stored.key);
    const type = previous === undefined ? "ADDED" : "MODIFIED";
    this.#commit(store, { revision, type, object: stored, previous }, object);
    return stored;
  }

  /** Removes an object; the answer is its last state with the revision of the deletion. */
  remove(store: ResourceStore, stored: StoredObject, encode: Encode): StoredObject {
    const revision = this.#next();
    const last = stored.parse();
    last.metadata.resourceVersion = String(revision);
    const object = new StoredObject(last, revision, encode(last));
    this.#commit(store, { revision, type: "DELETED", object, previous: stored }, last);
    return object;
  }

  /** Takes one revision for a write that belongs to no resource here. */
  skipRevision(): void {
    this.#next();
  }

  /** Resolves with whether `revision` is reached, within three seconds. */
  async reaches(revision: number): Promise<boolean> {
    if (this.#revision >= revision) return true;
    const { promise, resolve } = deferred<boolean>();
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

  /** Lets nobody wait any longer. */
  close(): void {
    for (const waiter of this.#waiting) waiter.resolve(false);
  }

  /** Forgets the past of every resource: lists of it and old continue tokens expire. */
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
