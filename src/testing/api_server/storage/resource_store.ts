import type { KubeObject } from "@kubeloop/controller/types";
import { EventLog, type LiveEntry, type LogEntry } from "./event_log.ts";
import type { StoredObject } from "./stored_object.ts";

/** What is told of every write to a resource. */
export interface StoreObserver {
  /** Called within the write, in the order of the writes. */
  onEntry(entry: LiveEntry): void;
  /** Called when everything that observes the resource must end. */
  end(why: "closed" | "broken"): void;
}

/** The objects of one resource, ordered by key, with the log of their changes and those who watch them. */
export class ResourceStore {
  /** The objects by key. */
  readonly #objects = new Map<string, StoredObject>();
  /** The keys in order; a sorted array, since lists read ranges far more often than keys are added. */
  #keys: string[] = [];
  /** Serves watches that start in the past; a restart empties it, a compaction does not. */
  readonly #window: EventLog;
  readonly #observers = new Set<StoreObserver>();
  /** Serves lists of the past; a compaction empties it. */
  readonly #history: EventLog;
  #observedRevision: number;

  /** An empty resource, first seen at `revision`, which remembers up to `capacity` changes. */
  constructor(revision: number, capacity: number) {
    this.#window = new EventLog(capacity);
    this.#history = new EventLog(capacity);
    this.#observedRevision = revision;
  }

  /** How many objects there are. */
  get size(): number {
    return this.#objects.size;
  }

  /** The newest revision that this resource's cache knows of: its own last write, or a later consistent read. */
  get observedRevision(): number {
    return this.#observedRevision;
  }

  /** How many watches are open. */
  get observerCount(): number {
    return this.#observers.size;
  }

  /** Notes that the cache is as new as `revision`. */
  observe(revision: number): void {
    if (revision > this.#observedRevision) this.#observedRevision = revision;
  }

  /** The object of that key. */
  get(key: string): StoredObject | undefined {
    return this.#objects.get(key);
  }

  /** Applies a write and tells the observers. */
  commit(entry: LogEntry, value: KubeObject): void {
    const { key } = entry.object;
    if (entry.type === "DELETED") {
      this.#objects.delete(key);
      this.#removeKey(key);
    } else {
      if (!this.#objects.has(key)) this.#insertKey(key);
      this.#objects.set(key, entry.object);
    }
    this.#window.append(entry);
    this.#history.append(entry);
    this.observe(entry.revision);
    if (this.#observers.size === 0) return;
    const live = new Live(entry, value);
    for (const observer of [...this.#observers]) observer.onEntry(live);
  }

  /** Puts an object back that was stored before the server started: nobody is told, and it has no past. */
  restore(object: StoredObject): void {
    if (!this.#objects.has(object.key)) this.#insertKey(object.key);
    this.#objects.set(object.key, object);
  }

  /** Adds an observer; the returned function takes it away. */
  subscribe(observer: StoreObserver): () => void {
    this.#observers.add(observer);
    return () => this.#observers.delete(observer);
  }

  /** Ends every watch of the resource. */
  endObservers(why: "closed" | "broken"): void {
    for (const observer of [...this.#observers]) observer.end(why);
  }

  /** The present objects of a namespace (empty: all), in key order. */
  list(namespace: string): StoredObject[] {
    const [from, to] = this.#rangeOf(namespace);
    const out: StoredObject[] = [];
    for (let i = from; i < to; i++) out.push(this.#objects.get(this.#keys[i]!)!);
    return out;
  }

  /**
   * The objects of a namespace as they were at `revision`, in key order; undefined when the history does not reach back
   * so far.
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

  /** The writes after `revision`; undefined when the window does not reach back so far. */
  entriesAfter(revision: number): LogEntry[] | undefined {
    return revision < this.#window.forgottenRevision ? undefined : this.#window.after(revision);
  }

  /** The oldest revision a watch can start from. */
  get windowStart(): number {
    return this.#window.forgottenRevision;
  }

  /** The newest revision a compaction has taken away. */
  get compactedRevision(): number {
    return this.#history.forgottenRevision;
  }

  /** Forgets how the resource looked before `revision`. */
  compact(revision: number): void {
    this.#history.clear(revision);
  }

  /** Forgets the changes that watches could be served with. */
  dropWindow(revision: number): void {
    this.#window.clear(revision);
    this.observe(revision);
  }

  #rangeOf(namespace: string): [number, number] {
    if (namespace === "") return [0, this.#keys.length];
    const prefix = prefixOf(namespace);
    // "0" follows "/", so this is the first key after every key of the namespace.
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
