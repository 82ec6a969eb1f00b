import type { KubeObject } from "@kubeloop/controller/types";
import { EventLog, type LiveEntry, type LogEntry } from "./event_log.ts";
import { type IndexFunction, ObjectIndex } from "./object_index.ts";
import type { StoredObject } from "./stored_object.ts";

/** The observer of one resource, which is notified of every write to it. */
export interface StoreObserver {
  /** Called synchronously within each write, in the order of the writes. */
  onEntry(entry: LiveEntry): void;
}

/** The store of one resource: its objects ordered by key, the log of their changes, and the open watches. */
export class ResourceStore {
  /** The full name of the resource, as in `deployments.apps`. */
  readonly resource: string;
  /** The objects by key. */
  readonly #objects = new Map<string, StoredObject>();
  /** The keys in order: a sorted array, because lists read ranges far more often than writes add keys. */
  #keys: string[] = [];
  /** The watch cache: serves watches that start in the past. Only `dropWindow()` empties it, `compact()` does not. */
  readonly #window: EventLog;
  readonly #observers = new Set<StoreObserver>();
  readonly #indexes = new Map<IndexFunction<unknown>, ObjectIndex>();
  /** Serves lists at past revisions. `compact()` empties it. */
  readonly #history: EventLog;
  #observedRevision: number;

  /** Creates an empty store at `revision` that keeps the last `capacity` changes. */
  constructor(resource: string, revision: number, capacity: number) {
    this.resource = resource;
    this.#window = new EventLog(capacity);
    this.#history = new EventLog(capacity);
    this.#observedRevision = revision;
  }

  /** The number of objects. */
  get size(): number {
    return this.#objects.size;
  }

  /**
   * The newest revision that the watch cache of this resource has seen: that of its last write or of a later
   * consistent read.
   */
  get observedRevision(): number {
    return this.#observedRevision;
  }

  /** Records that the watch cache is at least as new as `revision`. */
  observe(revision: number): void {
    if (revision > this.#observedRevision) this.#observedRevision = revision;
  }

  /** Returns the object with that key. */
  get(key: string): StoredObject | undefined {
    return this.#objects.get(key);
  }

  /** Returns the index that `valuesOf` makes. It is created on the first call, and every later write changes it. */
  index<T>(valuesOf: IndexFunction<T>): ObjectIndex {
    const makes = valuesOf as IndexFunction<unknown>;
    let index = this.#indexes.get(makes);
    if (index === undefined) {
      index = new ObjectIndex(makes, this.#objects.values());
      this.#indexes.set(makes, index);
    }
    return index;
  }

  /**
   * Applies a write. {@linkcode ResourceStore.notify} tells the observers.
   *
   * @param value The parsed `entry.object`, if it is known.
   */
  commit(entry: LogEntry, value?: KubeObject): void {
    const { key } = entry.object;
    if (entry.type === "DELETED") {
      this.#objects.delete(key);
      this.#removeKey(key);
      for (const index of this.#indexes.values()) index.remove(key);
    } else {
      this.#set(entry.object, value);
    }
    this.#window.append(entry);
    this.#history.append(entry);
    this.observe(entry.revision);
  }

  /**
   * Tells the observers about a write.
   *
   * @param value The parsed `entry.object`, which the observers share.
   */
  notify(entry: LogEntry, value: KubeObject): void {
    if (this.#observers.size === 0) return;
    const live = new Live(entry, value);
    for (const observer of [...this.#observers]) observer.onEntry(live);
  }

  /**
   * Restores an object from the state of an earlier server. Observers are not notified, and the object has no history.
   */
  restore(object: StoredObject): void {
    this.#set(object);
  }

  /** Adds an observer. The returned function removes it. */
  subscribe(observer: StoreObserver): () => void {
    this.#observers.add(observer);
    return () => this.#observers.delete(observer);
  }

  /** Returns the current objects of a namespace in key order, or of all namespaces if `namespace` is empty. */
  list(namespace: string): StoredObject[] {
    const [from, to] = this.#rangeOf(namespace);
    const out: StoredObject[] = [];
    for (let i = from; i < to; i++) out.push(this.#objects.get(this.#keys[i]!)!);
    return out;
  }

  /**
   * Returns the objects of a namespace as they were at `revision`, in key order. Returns undefined if the history does
   * not reach back that far.
   */
  listAt(namespace: string, revision: number): StoredObject[] | undefined {
    if (!this.#history.hasAfter(revision) && revision >= this.#history.forgottenRevision) {
      return this.list(namespace);
    }
    if (revision < this.#history.forgottenRevision) return undefined;
    const past = new Map(this.list(namespace).map((object) => [object.key, object]));
    const prefix = prefixOf(namespace);
    for (const entry of this.#history.after(revision).reverse()) {
      const { key } = entry.object;
      if (!key.startsWith(prefix)) continue;
      if (entry.previous === undefined) past.delete(key);
      else past.set(key, entry.previous);
    }
    return [...past.values()].sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  }

  /** Returns the writes after `revision`, or undefined if the watch cache does not reach back that far. */
  entriesAfter(revision: number): LogEntry[] | undefined {
    return revision < this.#window.forgottenRevision ? undefined : this.#window.after(revision);
  }

  /** The oldest revision from which a watch can start. */
  get windowStart(): number {
    return this.#window.forgottenRevision;
  }

  /** The oldest revision that {@linkcode ResourceStore.listAt} can list. */
  get historyStart(): number {
    return this.#history.forgottenRevision;
  }

  /** The memory that the log of changes takes, in bytes. */
  get logBytes(): number {
    // Both logs hold the last entries of one sequence, so the longer log contains the other.
    return Math.max(this.#window.bytes, this.#history.bytes);
  }

  /** The revision of the oldest change in the log; undefined if the log is empty. */
  get oldestChange(): number | undefined {
    const [window, history] = [this.#window.oldestRevision, this.#history.oldestRevision];
    if (window === undefined || history === undefined) return window ?? history;
    return Math.min(window, history);
  }

  /** Drops the oldest change: watches and lists of earlier revisions expire. */
  forgetOldestChange(): void {
    const revision = this.oldestChange;
    if (revision === undefined) return;
    this.#window.forget(revision);
    this.#history.forget(revision);
  }

  /** Drops the history before `revision`: lists of older revisions expire. */
  compact(revision: number): void {
    this.#history.clear(revision);
  }

  /** Empties the watch cache: watches from before `revision` get "too old resource version". */
  dropWindow(revision: number): void {
    this.#window.clear(revision);
    this.observe(revision);
  }

  #set(object: StoredObject, value?: KubeObject): void {
    if (!this.#objects.has(object.key)) this.#insertKey(object.key);
    this.#objects.set(object.key, object);
    for (const index of this.#indexes.values()) index.put(object, value ?? object.parse());
  }

  #rangeOf(namespace: string): [number, number] {
    if (namespace === "") return [0, this.#keys.length];
    const prefix = prefixOf(namespace);
    // "0" follows "/" in ASCII, so the upper bound is after every key of the namespace.
    return [this.#lowerBound(prefix), this.#lowerBound(`${namespace}0`)];
  }

  #insertKey(key: string): void {
    const last = this.#keys[this.#keys.length - 1];
    if (last === undefined || last < key) this.#keys.push(key);
    else this.#keys.splice(this.#lowerBound(key), 0, key);
  }

  #removeKey(key: string): void {
    const index = this.#lowerBound(key);
    if (this.#keys[index] === key) this.#keys.splice(index, 1);
  }

  #lowerBound(key: string): number {
    let low = 0;
    let high = this.#keys.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#keys[middle]! < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function prefixOf(namespace: string): string {
  return namespace === "" ? "" : `${namespace}/`;
}

class Live implements LiveEntry {
  readonly revision: number;
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly object: StoredObject;
  readonly previous: StoredObject | undefined;
  readonly value: KubeObject;
  readonly lines = new Map<string, Uint8Array>();
  #previousValue: KubeObject | undefined;

  constructor(entry: LogEntry, value: KubeObject) {
    this.revision = entry.revision;
    this.type = entry.type;
    this.object = entry.object;
    this.previous = entry.previous;
    this.value = value;
  }

  previousValue(): KubeObject | undefined {
    return this.#previousValue ??= this.previous?.parse();
  }
}
