import {
  abortable,
  describeError,
  ENVIRONMENT_CHECKS,
  hasMethods,
  isFlag,
  isFunction,
  type Logger,
  type OptionChecks,
  requireOptions,
  requireSync,
  RingBuffer,
  safeLogger,
} from "../../base/mod.ts";
import type { KubeObject } from "../../types/mod.ts";
import {
  DeletedFinalStateUnknown,
  deletionKey,
  KeyError,
  type KeyFunc,
  type KeyListerGetter,
  metaNamespaceKeyFunc,
} from "../store/mod.ts";
import { InitialPopulation } from "./initial_population.ts";
import { PopGate } from "./pop_gate.ts";
import type { Delta, Deltas, DeltaType, PopProcessFunc, TransformFunc } from "./delta.ts";

/** The pending deltas of one object. */
interface Queued<T> {
  readonly key: string;
  /** Never empty while the entry is queued. */
  deltas: Delta<T>[];
}

/**
 * Placeholder for the deltas of a popped key, so that the Map does not keep the deltas alive. The outgrown tables of a
 * Map live on for a while, each referring to the next one, and so do the entries in them.
 */
const TAKEN: never[] = [];

/** The number of objects that are only looked at in one step of a replacement. */
const LIGHT_STEP = 32;

/** Options of a {@linkcode DeltaFIFO}. */
export interface DeltaFIFOOptions<T> {
  /** Computes the keys of objects. Default: {@linkcode metaNamespaceKeyFunc}. */
  readonly keyFunc?: KeyFunc<T> | undefined;
  /**
   * The objects that the consumer of the queue knows: usually the store that it writes to. From them, the queue
   * determines which objects a replacement deletes and which objects a resync replays. The deletion of an object that
   * is neither queued nor known is dropped. Default: no objects.
   */
  readonly knownObjects?: KeyListerGetter<T> | undefined;
  /**
   * Whether a replacement queues `Replaced` deltas instead of `Sync` deltas, so that a consumer can distinguish a
   * replacement from a resync. Default: false.
   */
  readonly emitDeltaTypeReplaced?: boolean | undefined;
  /**
   * Transforms every object that is added, updated, deleted or listed, but neither tombstones nor resynced objects.
   * Default: none.
   */
  readonly transformer?: TransformFunc<T> | undefined;
  /**
   * Receives a line for each known object that a replacement or resync cannot look up. Default: warnings and errors go
   * to the console.
   */
  readonly logger?: Logger | undefined;
}

const CHECKS: OptionChecks<DeltaFIFOOptions<never>> = {
  keyFunc: isFunction,
  knownObjects: hasMethods("a store", "listKeys", "getByKey"),
  emitDeltaTypeReplaced: isFlag,
  transformer: isFunction,
  logger: ENVIRONMENT_CHECKS.logger,
};

/**
 * A queue of changes, ordered by key: first in, first out. The queue holds, for each key, all changes since the key was
 * last popped.
 *
 * The queue connects a reflector, its only producer, with the store and the handlers, its only consumer. A key keeps
 * its position when more changes arrive, and goes to the tail when a change arrives after the key was popped. So the
 * consumer sees every change of an object in order, and processes all pending changes of an object at once. The queue
 * merges nothing except two deletions in a row.
 *
 * The core is synchronous: {@linkcode DeltaFIFO.tryPop} and the methods that add changes. {@linkcode DeltaFIFO.pop} and
 * {@linkcode DeltaFIFO.wait} are asynchronous. Every operation takes constant time per change. The queue frees memory
 * as it drains.
 *
 * Adding, updating, deleting and replacing are atomic: if the key function or the transformer throws, nothing is
 * queued. (client-go's `Replace` stops halfway.)
 *
 * @typeParam T The type of the objects.
 *
 * @example A consumer sees every change
 * ```ts
 * import { DeltaFIFO } from "@kubeloop/controller/cache";
 * import { assertEquals } from "@std/assert";
 *
 * const pod = (name: string) => ({ metadata: { namespace: "x", name } });
 * const queue = new DeltaFIFO();
 * queue.add(pod("a"));
 * queue.add(pod("b"));
 * queue.delete(pod("a"));
 *
 * const seen: string[] = [];
 * while (queue.tryPop((deltas) => seen.push(deltas.map((delta) => delta.type).join()))) ;
 * assertEquals(seen, ["Added,Deleted", "Added"]);
 * ```
 *
 * @example A consumer that waits for changes
 * ```ts
 * import { DeltaFIFO, FIFOClosedError } from "@kubeloop/controller/cache";
 * import { assertEquals } from "@std/assert";
 *
 * const queue = new DeltaFIFO();
 * let taken = 0;
 * const consume = async () => {
 *   while (true) {
 *     while (queue.tryPop(() => taken++));
 *     await queue.wait();
 *   }
 * };
 * const consumer = consume().catch((error) => FIFOClosedError.is(error));
 * queue.add({ metadata: { name: "a" } });
 * queue.close();
 * assertEquals(await consumer, true);
 * assertEquals(taken, 1);
 * ```
 */
export class DeltaFIFO<T = KubeObject> {
  /** Transforms every object that is added, updated, deleted or listed. */
  readonly transformer: TransformFunc<T> | undefined;
  readonly #keyFunc: KeyFunc<T>;
  readonly #knownObjects: KeyListerGetter<T> | undefined;
  readonly #replaceType: DeltaType;
  readonly #logger: Logger;
  readonly #items = new Map<string, Queued<T>>();
  /** The values of `#items` in the order in which they are popped. */
  readonly #queue = new RingBuffer<Queued<T>>();
  readonly #initial = new InitialPopulation();
  readonly #gate = new PopGate(this, "DeltaFIFO");
  /** Takes changes that need not be queued. */
  #consumer: PopProcessFunc<T> | undefined;
  #isConsuming = false;

  /** Creates an empty queue. */
  constructor(options: DeltaFIFOOptions<T> = {}) {
    requireOptions<DeltaFIFOOptions<T>>("DeltaFIFO", options, CHECKS);
    // Without a key function, the objects must have the type that the default accepts. T cannot express that.
    this.#keyFunc = options.keyFunc ?? metaNamespaceKeyFunc as unknown as KeyFunc<T>;
    this.#knownObjects = options.knownObjects;
    this.#replaceType = options.emitDeltaTypeReplaced === true ? "Replaced" : "Sync";
    this.transformer = options.transformer;
    this.#logger = safeLogger(options.logger);
  }

  /** The number of queued keys. */
  get length(): number {
    return this.#queue.length;
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
   * Returns the key of an object, of a tombstone, or of the newest of several deltas.
   *
   * @throws {KeyError} When the key function throws, or `obj` is an empty array of deltas.
   */
  keyOf(obj: T | DeletedFinalStateUnknown<T> | Deltas<T>): string {
    let target = obj as T | DeletedFinalStateUnknown<T>;
    if (Array.isArray(obj)) {
      const newest = (obj as Deltas<T>).at(-1);
      if (newest === undefined) throw new KeyError(obj, new RangeError("There are no deltas"));
      target = newest.object;
    }
    return deletionKey(this.#keyFunc, target);
  }

  /**
   * Queues an `Added` delta of `obj`.
   *
   * @throws {KeyError} When `obj` has no key; or what the transformer throws.
   */
  add(obj: T): void {
    this.#initial.begin();
    this.#receive("Added", obj);
  }

  /**
   * Queues an `Updated` delta of `obj`.
   *
   * @throws {KeyError} When `obj` has no key; or what the transformer throws.
   */
  update(obj: T): void {
    this.#initial.begin();
    this.#receive("Updated", obj);
  }

  /**
   * Queues a `Deleted` delta of `obj`, unless the object is neither queued nor known.
   *
   * @throws {KeyError} When `obj` has no key; or what the transformer throws.
   */
  delete(obj: T | DeletedFinalStateUnknown<T>): void {
    const key = this.keyOf(obj);
    this.#initial.begin();
    if (this.#items.has(key) || this.#isKnown(key)) {
      this.#pass({ key, deltas: [{ type: "Deleted", object: this.#transform(obj) }] });
    }
  }

  /**
   * Sets a consumer that waits for single changes. While the queue has synced and is empty, a change that is added,
   * updated or deleted is passed to it within that call, which is cheaper than to queue and pop it. A change that comes
   * while the consumer is called is queued, as are all others.
   *
   * @param consumer The function; undefined to queue all changes again. What it throws reaches the caller that adds the
   * change.
   */
  passTo(consumer: PopProcessFunc<T> | undefined): void {
    this.#consumer = consumer;
  }

  /**
   * Queues the changes that make `items` the whole content: a `Replaced` or `Sync` delta for each item, even if its
   * deletion is pending, and a `Deleted` delta for every other queued or known object. The deletions hold tombstones
   * with the last state that was observed. A pending deletion that holds the final state is kept.
   *
   * The queue ignores `resourceVersion`. The interface of reflectors requires the parameter.
   *
   * @throws {KeyError} When one of `items` has no key; or what the transformer throws.
   */
  replace(items: readonly T[], _resourceVersion: string): void {
    for (const _step of this.replaceInSteps(items));
  }

  /**
   * Does the work of {@linkcode DeltaFIFO.replace} in short steps, so that its caller can let the event loop turn
   * between two of them. The consumer may pop meanwhile. Nothing is queued before all keys and transformed objects are
   * known, and the deletions come last. The queue does not sync before the last step. If the caller stops earlier, what
   * was queued remains, and the next replacement corrects it.
   *
   * The caller must not add other changes before the last step.
   *
   * @throws {KeyError} When one of `items` has no key; or what the transformer throws.
   *
   * @example
   * ```ts
   * import { DeltaFIFO } from "@kubeloop/controller/cache";
   * import { assertEquals } from "@std/assert";
   *
   * const queue = new DeltaFIFO();
   * const popped: string[] = [];
   * for (const _step of queue.replaceInSteps([{ metadata: { name: "a" } }, { metadata: { name: "b" } }])) {
   *   queue.tryPop((_deltas, _isInInitialList, key) => popped.push(key));
   *   assertEquals(queue.hasSynced(), false);
   * }
   * assertEquals(popped, ["a", "b"]);
   * assertEquals(queue.hasSynced(), true);
   * ```
   */
  *replaceInSteps(items: readonly T[]): Generator<void, void, void> {
    const { transformer } = this;
    const keys: string[] = [];
    const objects: T[] = [];
    const settled = new Set<string>();
    for (const item of items) {
      const key = this.keyOf(item);
      keys.push(key);
      settled.add(key);
      if (transformer !== undefined) objects.push(this.#transform(item) as T);
      if (transformer !== undefined || keys.length % LIGHT_STEP === 0) yield;
    }

    this.#initial.beginReplacement();
    const type = this.#replaceType;
    const hasOthers = this.#items.size > 0;
    for (let i = 0; i < keys.length; i++) {
      const object = (transformer === undefined ? items[i] : objects[i]) as T;
      this.#enqueue({ key: keys[i] as string, deltas: [{ type, object }] });
      yield;
    }
    if (hasOthers) yield* this.#deleteQueued(settled);
    yield* this.#deleteKnown(settled);
    this.#initial.endReplacement(this.length);
  }

  /**
   * Queues a `Sync` delta for every known object that has no pending deltas. Pending deltas are newer than the known
   * state.
   */
  resync(): void {
    for (const knownKey of this.#knownObjects?.listKeys() ?? []) {
      const obj = this.#lookUp(knownKey, "the resync skips it");
      if (obj === undefined) continue;
      const key = this.keyOf(obj);
      if (!this.#items.has(key)) this.#enqueue({ key, deltas: [{ type: "Sync", object: obj }] });
    }
  }

  /**
   * Puts deltas that could not be processed back, at the tail of the queue. If their key has newer deltas, the method
   * drops `deltas`: the newer state is processed anyway.
   *
   * @throws {KeyError} When `deltas` is empty, or its newest object has no key.
   */
  addIfNotPresent(deltas: Deltas<T>): void {
    const key = this.keyOf(deltas);
    this.#initial.begin();
    if (this.#items.has(key)) return;
    this.#push({ key, deltas: deltas.slice() });
  }

  /**
   * Pops the next key and passes its deltas to `process`, together with whether they belong to the initial list. An
   * error that `process` throws reaches the caller; the deltas are gone in any case. The method does not wait for a
   * promise that `process` returns.
   *
   * @returns False if the queue is empty.
   */
  tryPop(process: PopProcessFunc<T>): boolean {
    const queued = this.#queue.shift();
    if (queued === undefined) return false;
    process(this.#take(queued), this.#initial.popped(), queued.key);
    return true;
  }

  /**
   * Pops the next key like {@linkcode DeltaFIFO.tryPop}, but waits until the queue has a key, and for the promise that
   * `process` returns. At high rates, call `tryPop` until it returns false and then `wait`: that costs no promise per
   * key.
   *
   * @returns The deltas that were processed.
   * @throws {FIFOClosedError} When the queue is closed and empty; what `process` throws; or `signal.reason`.
   */
  async pop(
    process: (
      deltas: Deltas<T>,
      isInInitialList: boolean,
      key: string,
    ) => void | Promise<void>,
    options: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<Deltas<T>> {
    while (true) {
      options.signal?.throwIfAborted();
      const queued = this.#queue.shift();
      if (queued !== undefined) {
        const deltas = this.#take(queued);
        const pending = process(deltas, this.#initial.popped(), queued.key);
        await abortable(Promise.resolve(pending), options.signal);
        return deltas;
      }
      await this.wait(options);
    }
  }

  /**
   * Resolves when the queue has a key to pop.
   *
   * @throws {FIFOClosedError} When the queue is closed and empty; or `signal.reason`.
   */
  wait(options: { readonly signal?: AbortSignal | undefined } = {}): Promise<void> {
    return this.#gate.wait(options.signal);
  }

  /**
   * Reports whether the initial list has been popped: all keys that the first {@linkcode DeltaFIFO.replace} queued,
   * including its deletions. If another change precedes the first replacement, there is no initial list, and the queue
   * counts as synced at once. The result becomes true just before the last of the keys is processed.
   */
  hasSynced(): boolean {
    return this.#initial.hasSynced;
  }

  /**
   * Resolves when {@linkcode DeltaFIFO.hasSynced} becomes true; rejects with `signal.reason` if the signal aborts
   * first.
   */
  whenSynced(options: { readonly signal?: AbortSignal | undefined } = {}): Promise<void> {
    return this.#initial.whenSynced(options.signal);
  }

  /**
   * Closes the queue: consumers pop the remaining keys and then receive a {@linkcode FIFOClosedError}. The queue still
   * accepts changes.
   */
  close(): void {
    this.#gate.close();
  }

  #receive(type: DeltaType, obj: T): void {
    // Like client-go, computes the key before the transform. So a transform that breaks the key cannot misplace the
    // object.
    const key = this.keyOf(obj);
    this.#pass({ key, deltas: [{ type, object: this.#transform(obj) }] });
  }

  /** Passes one delta to the consumer, or else queues it. */
  #pass(queued: Queued<T>): void {
    const isNext = this.#items.size === 0 && this.#initial.hasSynced && !this.#isConsuming;
    if (!isNext || this.#consumer === undefined) return this.#enqueue(queued);
    this.#isConsuming = true;
    try {
      this.#consumer(queued.deltas, false, queued.key);
    } finally {
      this.#isConsuming = false;
    }
  }

  #transform<O extends T | DeletedFinalStateUnknown<T>>(obj: O): O | T {
    if (this.transformer === undefined || DeletedFinalStateUnknown.is(obj)) return obj;
    return requireSync("transformer", this.transformer(obj as T));
  }

  /**
   * Appends one delta to the pending deltas of its key, or queues the entry unchanged if the key has none.
   *
   * Callers create the entry themselves, each at its own allocation site. If a site has allocated the entries of a
   * whole list, V8 allocates later objects of that site directly in the old generation, and everything that they refer
   * to ends up there, too. That is expensive for events, which are short-lived.
   */
  #enqueue(queued: Queued<T>): void {
    const deltas = this.#items.get(queued.key)?.deltas;
    if (deltas === undefined) {
      this.#push(queued);
      return;
    }
    const delta = queued.deltas[0] as Delta<T>;
    const newest = deltas.at(-1);
    if (delta.type !== "Deleted" || newest?.type !== "Deleted") {
      deltas.push(delta);
    } else if (DeletedFinalStateUnknown.is(newest.object)) {
      // Of two deletions in a row, the first holds the final state, unless it is a tombstone.
      deltas[deltas.length - 1] = delta;
    }
  }

  #push(queued: Queued<T>): void {
    this.#items.set(queued.key, queued);
    this.#queue.push(queued);
    this.#gate.open();
  }

  /** Returns the deltas of an entry that has left the queue. */
  #take(queued: Queued<T>): Deltas<T> {
    const { key, deltas } = queued;
    this.#items.delete(key);
    queued.deltas = TAKEN;
    return deltas;
  }

  #isKnown(key: string): boolean {
    if (this.#knownObjects === undefined) return false;
    try {
      return this.#knownObjects.getByKey(key) !== undefined;
    } catch {
      // The object may be known. A superfluous deletion does no harm; a missing one does.
      return true;
    }
  }

  /** Queues the deletion of each queued object that is not `settled`, which settles it. */
  *#deleteQueued(settled: Set<string>): Generator<void, void, void> {
    let seen = 0;
    // The iteration sees what the consumer has put back meanwhile.
    for (const { key, deltas } of this.#items.values()) {
      if (!settled.has(key)) {
        const newest = deltas.at(-1)?.object as T | DeletedFinalStateUnknown<T>;
        const obj = DeletedFinalStateUnknown.lastKnownState(newest);
        const object = new DeletedFinalStateUnknown(key, obj);
        this.#enqueue({ key, deltas: [{ type: "Deleted", object }] });
        settled.add(key);
      }
      if (++seen % LIGHT_STEP === 0) yield;
    }
  }

  /** Queues the deletion of each known object that is neither `settled` nor queued. */
  *#deleteKnown(settled: ReadonlySet<string>): Generator<void, void, void> {
    let seen = 0;
    for (const key of this.#knownObjects?.listKeys() ?? []) {
      if (++seen % LIGHT_STEP === 0) yield;
      if (settled.has(key) || this.#items.has(key)) continue;
      const obj = this.#lookUp(key, "its deletion is queued without its last state");
      const object = new DeletedFinalStateUnknown(key, obj);
      this.#enqueue({ key, deltas: [{ type: "Deleted", object }] });
    }
  }

  #lookUp(key: string, consequence: string): T | undefined {
    try {
      const obj = this.#knownObjects?.getByKey(key);
      if (obj !== undefined) return obj;
      this.#logger.info(`Known object "${key}" no longer exists: ${consequence}`);
    } catch (error) {
      this.#logger.error(
        `Known object "${key}" cannot be looked up: ${consequence}: ${describeError(error)}`,
      );
    }
    return undefined;
  }
}
