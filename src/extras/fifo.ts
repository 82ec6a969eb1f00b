import { RingBuffer } from "../base/mod.ts";
import {
  computeKey,
  type DeletedFinalStateUnknown,
  deletionKey,
  type KeyFunc,
} from "../cache/store/mod.ts";
import { InitialPopulation, PopGate } from "../cache/queue/mod.ts";

/** The position of a key in the queue. It stays, without an object, when the object is deleted. */
interface Slot<T> {
  readonly key: string;
  present: boolean;
  object: T | undefined;
}

/**
 * A first-in, first-out queue that holds the latest object of each key.
 *
 * A key keeps its position when its object is replaced, and also when its object is deleted and added again. Consumers
 * never see an object that is deleted before it is popped. Use a {@linkcode DeltaFIFO} if deletions matter.
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
  /** The slots of `#slots`, in the order in which they are popped. */
  readonly #queue = new RingBuffer<Slot<T>>();
  readonly #initial = new InitialPopulation();
  readonly #gate = new PopGate(this, "FIFO");
  #length = 0;

  /** Creates an empty queue that identifies objects by the keys of `keyFunc`. */
  constructor(keyFunc: KeyFunc<T>) {
    this.#keyFunc = keyFunc;
  }

  /** The number of queued objects. */
  get length(): number {
    return this.#length;
  }

  /**
   * Reports whether the queue has been closed.
   *
   * @returns True from then on.
   */
  isClosed(): boolean {
    return this.#gate.isClosed;
  }

  /**
   * Queues `obj`, or replaces the queued object that has its key.
   *
   * @throws {KeyError} When `obj` has no key.
   */
  add(obj: T): void {
    const key = computeKey(this.#keyFunc, obj);
    this.#initial.begin();
    this.#put(key, obj);
  }

  /**
   * The same as {@linkcode FIFO.add}.
   *
   * @throws {KeyError} When `obj` has no key.
   */
  update(obj: T): void {
    this.add(obj);
  }

  /**
   * Removes the queued object that has the key of `obj`, which may be a tombstone.
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
   * Replaces the whole content of the queue with `items`, in their order.
   *
   * `resourceVersion` is ignored; the parameter is there because client-go's queues have it.
   *
   * @throws {KeyError} When an item has no key; nothing is changed then.
   */
  replace(items: readonly T[], _resourceVersion: string): void {
    const keys = items.map((item) => computeKey(this.#keyFunc, item));
    this.#slots.clear();
    this.#queue.clear();
    this.#length = 0;
    keys.forEach((key, i) => this.#put(key, items[i] as T));
    this.#initial.beginWith(this.#length);
  }

  /** Does nothing: all objects of this queue are queued already. */
  resync(): void {}

  /**
   * Pops the next object and passes it to `process`, together with whether it belongs to the initial list. An error of
   * `process` is thrown to the caller; the object is removed in any case. A promise that `process` returns is not
   * awaited.
   *
   * @returns False if the queue is empty.
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
   * Like {@linkcode FIFO.tryPop}, but waits for an object, and awaits the promise that `process` returns.
   *
   * @returns The processed object.
   * @throws {FIFOClosedError} When the queue is closed and empty; the error of `process`; or `signal.reason`.
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
   * Resolves when an object is queued.
   *
   * @throws {FIFOClosedError} When the queue is closed and empty; or `signal.reason`.
   */
  wait(options: { readonly signal?: AbortSignal | undefined } = {}): Promise<void> {
    return this.#gate.wait(options.signal);
  }

  /**
   * Reports whether all objects of the first {@linkcode FIFO.replace} have been popped. Also true if the first
   * operation was not a `replace`. The result turns true just after the last object was processed; with a
   * {@linkcode DeltaFIFO}, just before.
   */
  hasSynced(): boolean {
    return this.#initial.hasSynced;
  }

  /**
   * Resolves when {@linkcode FIFO.hasSynced} is true; rejects with `signal.reason` if the signal aborts before that.
   */
  whenSynced(options: { readonly signal?: AbortSignal | undefined } = {}): Promise<void> {
    return this.#initial.whenSynced(options.signal);
  }

  /** Closes the queue. Consumers pop the remaining objects and then get a {@linkcode FIFOClosedError}. */
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
      // Count the slot of a deleted object, too: the object may be part of the initial list.
      this.#initial.popped();
    }
  }
}
