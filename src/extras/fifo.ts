import { RingBuffer } from "../base/mod.ts";
import {
  computeKey,
  type DeletedFinalStateUnknown,
  deletionKey,
  type KeyFunc,
} from "../cache/store/mod.ts";
import { InitialPopulation, PopGate } from "../cache/queue/mod.ts";

/** A key's place in the queue. It stays there, empty, when the object is deleted. */
interface Slot<T> {
  readonly key: string;
  present: boolean;
  object: T | undefined;
}

/**
 * A queue of objects: first in, first out by key, and of each key only the latest object.
 *
 * A key keeps its place when its object is replaced, or deleted and added again. What is deleted before it is taken is
 * never seen: use a {@linkcode DeltaFIFO} where deletions matter.
 *
 * @typeParam T The type of the objects.
 *
 * @example
 * ```ts
 * import { metaNamespaceKeyFunc } from "@kubeloop/controller/cache";
 * import { FIFO } from "@kubeloop/controller/extras";
 * import type { KubeObject } from "@kubeloop/controller/types";
 * import { assertEquals } from "@std/assert";
 *
 * const pod = (name: string, resourceVersion: string) => ({ metadata: { name, resourceVersion } });
 * const queue = new FIFO<KubeObject>(metaNamespaceKeyFunc);
 * queue.add(pod("a", "1"));
 * queue.add(pod("b", "2"));
 * queue.update(pod("a", "3"));
 *
 * const first = await queue.pop(() => {});
 * assertEquals(first, pod("a", "3"));
 * assertEquals(queue.length, 1);
 * ```
 */
export class FIFO<T> {
  readonly #keyFunc: KeyFunc<T>;
  readonly #slots = new Map<string, Slot<T>>();
  /** The slots of `#slots`, in the order to take them. */
  readonly #queue = new RingBuffer<Slot<T>>();
  readonly #initial = new InitialPopulation();
  readonly #gate = new PopGate(this, "FIFO");
  #length = 0;

  /** An empty queue under the keys of `keyFunc`. */
  constructor(keyFunc: KeyFunc<T>) {
    this.#keyFunc = keyFunc;
  }

  /** How many objects are queued. */
  get length(): number {
    return this.#length;
  }

  /** Whether it was closed. */
  get isClosed(): boolean {
    return this.#gate.isClosed;
  }

  /**
   * Queues `obj`, in place of an object with its key.
   *
   * @throws {KeyError} When it has no key.
   */
  add(obj: T): void {
    const key = computeKey(this.#keyFunc, obj);
    this.#initial.begin();
    this.#put(key, obj);
  }

  /**
   * The same as {@linkcode FIFO.add}.
   *
   * @throws {KeyError} When it has no key.
   */
  update(obj: T): void {
    this.add(obj);
  }

  /**
   * Drops the object that has the key of `obj`, which may be a tombstone.
   *
   * @throws {KeyError} When `obj` has no key.
   */
  delete(obj: T | DeletedFinalStateUnknown<T>): void {
    const key = deletionKey(this.#keyFunc, obj);
    this.#initial.begin();
    const slot = this.#slots.get(key);
    if (slot === undefined || !slot.present) return;
    slot.present = false;
    slot.object = undefined;
    this.#length--;
  }

  /**
   * Queues `items` and nothing else, in their order.
   *
   * `resourceVersion` is there for the interface's sake.
   *
   * @throws {KeyError} When one has no key; nothing is changed then.
   */
  replace(items: readonly T[], _resourceVersion: string): void {
    const keys = items.map((item) => computeKey(this.#keyFunc, item));
    this.#slots.clear();
    this.#queue.clear();
    this.#length = 0;
    keys.forEach((key, i) => this.#put(key, items[i] as T));
    this.#initial.beginWith(this.#length);
  }

  /** Nothing: everything it holds is queued. */
  resync(): void {}

  /**
   * Takes the object whose turn it is and passes it to `process`, with whether it belongs to the initial list. What
   * `process` throws reaches the caller; the object is gone in any case. It does not wait for a promise.
   *
   * @returns False when the queue is empty.
   */
  tryPop(process: (obj: T, isInInitialList: boolean) => void): boolean {
    const slot = this.#shift();
    if (slot === undefined) return false;
    try {
      process(slot.object as T, !this.#initial.hasSynced);
    } finally {
      this.#initial.popped();
    }
    return true;
  }

  /**
   * Like {@linkcode FIFO.tryPop}, but waits until there is something, and for what `process` returns.
   *
   * @returns The object that was processed.
   * @throws {FIFOClosedError} When the queue is closed and empty; what `process` throws; or `signal.reason`.
   */
  async pop(
    process: (obj: T, isInInitialList: boolean) => void | Promise<void>,
    options: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<T> {
    while (true) {
      options.signal?.throwIfAborted();
      const slot = this.#shift();
      if (slot !== undefined) {
        try {
          await process(slot.object as T, !this.#initial.hasSynced);
        } finally {
          this.#initial.popped();
        }
        return slot.object as T;
      }
      await this.wait(options);
    }
  }

  /**
   * Resolves when there is something to take.
   *
   * @throws {FIFOClosedError} When the queue is closed and empty; or `signal.reason`.
   */
  wait(options: { readonly signal?: AbortSignal | undefined } = {}): Promise<void> {
    return this.#gate.wait(options.signal);
  }

  /**
   * Whether everything that the first {@linkcode FIFO.replace} brought has been taken, or something else came first. It
   * turns true just after the last of it was processed, a {@linkcode DeltaFIFO}'s just before.
   */
  hasSynced(): boolean {
    return this.#initial.hasSynced;
  }

  /** Resolves once {@linkcode FIFO.hasSynced}; rejects with `signal.reason` when aborted before. */
  whenSynced(options: { readonly signal?: AbortSignal | undefined } = {}): Promise<void> {
    return this.#initial.whenSynced(options.signal);
  }

  /** Ends the waiting: consumers take what is left and then get a {@linkcode FIFOClosedError}. */
  close(): void {
    this.#gate.close();
  }

  #put(key: string, object: T): void {
    const slot = this.#slots.get(key);
    if (slot === undefined) {
      const added: Slot<T> = { key, present: true, object };
      this.#slots.set(key, added);
      this.#queue.push(added);
      this.#length++;
    } else {
      if (!slot.present) this.#length++;
      slot.present = true;
      slot.object = object;
    }
    this.#gate.open();
  }

  #shift(): Slot<T> | undefined {
    while (true) {
      const slot = this.#queue.shift();
      if (slot === undefined) return undefined;
      this.#slots.delete(slot.key);
      if (slot.present) {
        this.#length--;
        return slot;
      }
      // An empty slot counts too: its object was part of the initial list.
      this.#initial.popped();
    }
  }
}
