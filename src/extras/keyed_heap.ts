import {
  Heap,
  type HeapItem,
  isFunction,
  type OptionChecks,
  requireOptions,
  requireSync,
} from "../base/mod.ts";
import { FIFOClosedError, PopGate } from "../cache/queue/mod.ts";
import { computeKey, describeObject, type KeyFunc } from "../cache/store/mod.ts";

interface Entry<T> extends HeapItem {
  readonly key: string;
  object: T;
}

/** Options of a {@linkcode KeyedHeap}. */
export interface KeyedHeapOptions<T> {
  /** Returns the key of an object. */
  readonly keyFunc: KeyFunc<T>;
  /** Reports whether `a` is popped before `b`. */
  readonly lessFunc: (a: T, b: T) => boolean;
}

const CHECKS: OptionChecks<KeyedHeapOptions<never>> = { keyFunc: isFunction, lessFunc: isFunction };

/**
 * A priority queue with one object per key: client-go's `cache.Heap`. The least object is popped first; the order of
 * equal objects is unspecified.
 *
 * Adding, replacing, deleting and popping an object take O(log n); finding an object by its key takes O(1).
 *
 * @typeParam T The type of the objects.
 *
 * @example
 * ```ts
 * import { KeyedHeap } from "@kubeloop/controller/extras";
 * import { assertEquals } from "@std/assert";
 *
 * const heap = new KeyedHeap<{ name: string; dueMs: number }>({
 *   keyFunc: (job) => job.name,
 *   lessFunc: (a, b) => a.dueMs < b.dueMs,
 * });
 * heap.add({ name: "a", dueMs: 10 });
 * heap.add({ name: "b", dueMs: 20 });
 * heap.add({ name: "a", dueMs: 30 });
 * assertEquals((await heap.pop()).name, "b");
 * assertEquals(heap.tryPop(), { name: "a", dueMs: 30 });
 * ```
 */
export class KeyedHeap<T> {
  readonly #keyFunc: KeyFunc<T>;
  readonly #heap: Heap<Entry<T>>;
  readonly #entries = new Map<string, Entry<T>>();
  readonly #gate = new PopGate(this, "heap");

  /** Creates an empty heap. */
  constructor(options: KeyedHeapOptions<T>) {
    requireOptions<KeyedHeapOptions<T>>("KeyedHeap", options, CHECKS);
    const { keyFunc, lessFunc } = options;
    this.#keyFunc = keyFunc;
    this.#heap = new Heap((a, b) => requireSync("lessFunc", lessFunc(a.object, b.object)));
  }

  /** The number of objects. */
  get length(): number {
    return this.#heap.length;
  }

  /**
   * Reports whether the heap has been closed.
   *
   * @returns True from then on.
   */
  isClosed(): boolean {
    return this.#gate.isClosed;
  }

  /**
   * Adds `obj`, or replaces the object that has its key and restores the order.
   *
   * @throws {FIFOClosedError} When the heap is closed.
   * @throws {KeyError} When `obj` has no key.
   */
  add(obj: T): void {
    const key = this.#keyToAdd(obj);
    const entry = this.#entries.get(key);
    if (entry === undefined) return this.#insert(key, obj);
    entry.object = obj;
    this.#heap.fix(entry);
  }

  /**
   * Adds each of `objs` as {@linkcode KeyedHeap.add} does.
   *
   * @throws {FIFOClosedError} When the heap is closed.
   * @throws {KeyError} When an object has no key; the objects before it have been added by then.
   */
  bulkAdd(objs: readonly T[]): void {
    this.#requireOpen("objects");
    for (const obj of objs) this.add(obj);
  }

  /**
   * Adds `obj`, unless the heap already has an object with its key.
   *
   * @throws {FIFOClosedError} When the heap is closed.
   * @throws {KeyError} When `obj` has no key.
   */
  addIfNotPresent(obj: T): void {
    const key = this.#keyToAdd(obj);
    if (!this.#entries.has(key)) this.#insert(key, obj);
  }

  /**
   * The same as {@linkcode KeyedHeap.add}.
   *
   * @throws {FIFOClosedError} When the heap is closed.
   * @throws {KeyError} When `obj` has no key.
   */
  update(obj: T): void {
    this.add(obj);
  }

  /**
   * Removes the object that has the key of `obj`.
   *
   * @throws {KeyError} When `obj` has no key.
   * @throws {RangeError} When the heap has no object with that key.
   */
  delete(obj: T): void {
    const entry = this.#entries.get(computeKey(this.#keyFunc, obj));
    if (entry === undefined) {
      throw new RangeError(`Cannot delete ${describeObject(obj)}: object not found in the heap`);
    }
    this.#heap.remove(entry);
    this.#entries.delete(entry.key);
  }

  /** Pops the first object; returns undefined if the heap is empty. */
  tryPop(): T | undefined {
    const entry = this.#heap.pop();
    if (entry === undefined) return undefined;
    this.#entries.delete(entry.key);
    return entry.object;
  }

  /**
   * Pops the first object, and waits for one if the heap is empty.
   *
   * @throws {FIFOClosedError} When the heap is closed and empty; or `signal.reason`.
   */
  async pop(options: { readonly signal?: AbortSignal | undefined } = {}): Promise<T> {
    options.signal?.throwIfAborted();
    while (this.length === 0) await this.#gate.wait(options.signal);
    return this.tryPop() as T;
  }

  /** Returns all objects, in no particular order. */
  list(): T[] {
    return Array.from(this.#entries.values(), (entry) => entry.object);
  }

  /** Returns the keys of all objects, in no particular order. */
  listKeys(): string[] {
    return Array.from(this.#entries.keys());
  }

  /**
   * Returns the object that has the key of `obj`; undefined if there is none.
   *
   * @throws {KeyError} When `obj` has no key.
   */
  get(obj: T): T | undefined {
    return this.getByKey(computeKey(this.#keyFunc, obj));
  }

  /** Returns the object that has `key`; undefined if there is none. */
  getByKey(key: string): T | undefined {
    return this.#entries.get(key)?.object;
  }

  /**
   * Closes the heap: it accepts no more objects. The remaining objects can be popped; after that, waiting consumers get
   * a {@linkcode FIFOClosedError}.
   */
  close(): void {
    this.#gate.close();
  }

  #keyToAdd(obj: T): string {
    const key = computeKey(this.#keyFunc, obj);
    this.#requireOpen(`"${key}"`);
    return key;
  }

  #requireOpen(what: string): void {
    if (this.#gate.isClosed) throw new FIFOClosedError(`Cannot add ${what}: the heap is closed`);
  }

  #insert(key: string, object: T): void {
    const entry: Entry<T> = { key, object, heapIndex: -1 };
    this.#entries.set(key, entry);
    this.#heap.push(entry);
    this.#gate.open();
  }
}
