import { describeError, type Logger, RingBuffer, safeLogger } from "../../base/mod.ts";
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

/** What is queued under one key. */
interface Queued<T> {
  readonly key: string;
  /** Never empty while it is queued. */
  deltas: Delta<T>[];
}

/**
 * What is left of those that were taken. A Map's outgrown tables live on for a while, each holding the next, and so does
 * what was in them: not the objects, too.
 */
const TAKEN: never[] = [];

/** Options of a {@linkcode DeltaFIFO}. */
export interface DeltaFIFOOptions<T> {
  /** Gives the objects their keys. Default: {@linkcode metaNamespaceKeyFunc}. */
  readonly keyFunc?: KeyFunc<T> | undefined;
  /**
   * What the consumer of the queue knows: most often the store that it writes to. With it a replacement finds out what
   * was deleted, deletions of unknown objects are dropped, and a resync has something to replay. Default: nothing.
   */
  readonly knownObjects?: KeyListerGetter<T> | undefined;
  /** Whether a replacement queues `Replaced` rather than `Sync`, so that a consumer can tell it from a resync. Default: false. */
  readonly emitDeltaTypeReplaced?: boolean | undefined;
  /** Applied to every object that comes in, but not to tombstones and resyncs. Default: none. */
  readonly transformer?: TransformFunc<T> | undefined;
  /** Told of lookups in `knownObjects` that fail. Default: warnings and errors go to the console. */
  readonly logger?: Logger | undefined;
}

/**
 * A queue of changes: first in, first out by key, and for each key all its changes since it was last taken.
 *
 * It is what stands between a reflector, the one producer, and the store and handlers, the one consumer. A key keeps its
 * place when more happens to it, and goes to the end when something happens after it was taken. So the consumer sees every
 * change of an object, in order, and handles each object once per turn. Nothing but two deletions in a row is merged.
 *
 * The core is synchronous: {@linkcode DeltaFIFO.tryPop} and everything that adds. {@linkcode DeltaFIFO.pop} and
 * {@linkcode DeltaFIFO.wait} wait. All take constant time per change, and memory returns as the queue drains.
 *
 * Each operation is done wholly or not at all: when a key function or the transformer throws, nothing was queued.
 * (client-go's `Replace` stops halfway.)
 *
 * @typeParam T The type of the objects.
 *
 * @example Every change is seen
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
 * @example A consumer that waits
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
  /** Applied to every object that comes in. */
  readonly transformer: TransformFunc<T> | undefined;
  readonly #keyFunc: KeyFunc<T>;
  readonly #knownObjects: KeyListerGetter<T> | undefined;
  readonly #replaceType: DeltaType;
  readonly #logger: Logger;
  readonly #items = new Map<string, Queued<T>>();
  /** The values of `#items`, in the order to take them. */
  readonly #queue = new RingBuffer<Queued<T>>();
  readonly #initial = new InitialPopulation();
  readonly #gate = new PopGate(this, "DeltaFIFO");

  /** An empty queue. */
  constructor(options: DeltaFIFOOptions<T> = {}) {
    // Without a key function the objects must be such as the default takes; that cannot be said in the type of T.
    this.#keyFunc = options.keyFunc ?? metaNamespaceKeyFunc as unknown as KeyFunc<T>;
    this.#knownObjects = options.knownObjects;
    this.#replaceType = options.emitDeltaTypeReplaced === true ? "Replaced" : "Sync";
    this.transformer = options.transformer;
    this.#logger = safeLogger(options.logger);
  }

  /** How many keys are queued. */
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
   * The key of an object, of a tombstone, or of the newest of some changes.
   *
   * @throws {KeyError} When there is none: the key function throws, or there are no changes.
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
   * Queues that `obj` was added.
   *
   * @throws {KeyError} When it has no key; or what the transformer throws.
   */
  add(obj: T): void {
    this.#initial.begin();
    this.#receive("Added", obj);
  }

  /**
   * Queues that `obj` was changed.
   *
   * @throws {KeyError} When it has no key; or what the transformer throws.
   */
  update(obj: T): void {
    this.#initial.begin();
    this.#receive("Updated", obj);
  }

  /**
   * Queues that `obj` was deleted, unless nobody knows of it: neither this queue nor the known objects.
   *
   * @throws {KeyError} When it has no key; or what the transformer throws.
   */
  delete(obj: T | DeletedFinalStateUnknown<T>): void {
    const key = this.keyOf(obj);
    this.#initial.begin();
    if (this.#items.has(key) || this.#isKnown(key)) {
      this.#enqueue({ key, deltas: [{ type: "Deleted", object: this.#transform(obj) }] });
    }
  }

  /**
   * Queues that `items` are all there is: each of them, even where its deletion is pending, and the deletion of everything
   * else that is queued or known, as tombstones with the last state that was seen.
   *
   * `resourceVersion` is there for the interface's sake.
   *
   * @throws {KeyError} When one of `items` has no key; or what the transformer throws.
   */
  replace(items: readonly T[], _resourceVersion: string): void {
    const keys = items.map((item) => this.keyOf(item));
    const objects = this.transformer === undefined ? items : items.map(this.#transform, this);
    const listed = new Set(keys);

    const type = this.#replaceType;
    keys.forEach((key, i) => this.#enqueue({ key, deltas: [{ type, object: objects[i] as T }] }));
    const deletions = this.#deleteQueued(listed) + this.#deleteKnown(listed);
    this.#initial.beginWith(listed.size + deletions);
  }

  /** Queues a `Sync` of every known object that has nothing queued. What is queued is newer than what is known. */
  resync(): void {
    for (const knownKey of this.#knownObjects?.listKeys() ?? []) {
      const obj = this.#lookUp(knownKey, "it is not replayed");
      if (obj === undefined) continue;
      const key = this.keyOf(obj);
      if (!this.#items.has(key)) this.#enqueue({ key, deltas: [{ type: "Sync", object: obj }] });
    }
  }

  /**
   * Puts back what could not be processed, at the end, unless something newer is queued under its key. Then it is dropped:
   * the newer state will be processed anyway.
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
   * Takes the changes of the key whose turn it is and passes them to `process`, with whether they belong to the initial
   * list. What `process` throws reaches the caller; the changes are gone in any case. It does not wait for a promise.
   *
   * @returns False when the queue is empty.
   */
  tryPop(process: PopProcessFunc<T>): boolean {
    const deltas = this.#shift();
    if (deltas === undefined) return false;
    process(deltas, this.#initial.popped());
    return true;
  }

  /**
   * Like {@linkcode DeltaFIFO.tryPop}, but waits until there is something, and for what `process` returns. Where much
   * comes in, `tryPop` until it is false and then `wait` costs no promise per key.
   *
   * @returns The changes that were processed.
   * @throws {FIFOClosedError} When the queue is closed and empty; what `process` throws; or `signal.reason`.
   */
  async pop(
    process: (deltas: Deltas<T>, isInInitialList: boolean) => void | Promise<void>,
    options: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<Deltas<T>> {
    while (true) {
      options.signal?.throwIfAborted();
      const deltas = this.#shift();
      if (deltas !== undefined) {
        await process(deltas, this.#initial.popped());
        return deltas;
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
   * Whether everything that the first {@linkcode DeltaFIFO.replace} brought has been taken, or something else came first.
   * It turns true just before the last of it is processed.
   */
  hasSynced(): boolean {
    return this.#initial.hasSynced;
  }

  /** Resolves once {@linkcode DeltaFIFO.hasSynced}; rejects with `signal.reason` when aborted before. */
  whenSynced(options: { readonly signal?: AbortSignal | undefined } = {}): Promise<void> {
    return this.#initial.whenSynced(options.signal);
  }

  /**
   * Ends the waiting: consumers take what is left and then get a {@linkcode FIFOClosedError}. What is added afterwards is
   * still taken in.
   */
  close(): void {
    this.#gate.close();
  }

  #receive(type: DeltaType, obj: T): void {
    // The key before the transform, as in client-go: so a transform that ruins the key cannot misplace the object.
    const key = this.keyOf(obj);
    this.#enqueue({ key, deltas: [{ type, object: this.#transform(obj) }] });
  }

  #transform<O extends T | DeletedFinalStateUnknown<T>>(obj: O): O | T {
    if (this.transformer === undefined || DeletedFinalStateUnknown.is(obj)) return obj;
    return this.transformer(obj as T);
  }

  /**
   * Queues one change: it alone, if nothing is queued under its key.
   *
   * Callers make it themselves, each at a place of its own. V8 puts what is made where a whole list was made into the old
   * generation at once, and everything that hangs on it: for events, which are gone in no time, that is dear.
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
      // Of two deletions the first tells the final state, unless it is a guess.
      deltas[deltas.length - 1] = delta;
    }
  }

  #push(queued: Queued<T>): void {
    this.#items.set(queued.key, queued);
    this.#queue.push(queued);
    this.#gate.open();
  }

  #shift(): Deltas<T> | undefined {
    const queued = this.#queue.shift();
    if (queued === undefined) return undefined;
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
      // It may well be known: one deletion too many is harmless, a missing one is not.
      return true;
    }
  }

  /** Queues the deletion of everything queued that is not `listed`; returns how many. */
  #deleteQueued(listed: ReadonlySet<string>): number {
    // All that is listed is queued: with nothing beyond that, there is nothing to look for.
    if (this.#items.size === listed.size) return 0;
    let count = 0;
    for (const { key, deltas } of this.#items.values()) {
      if (listed.has(key)) continue;
      const newest = deltas.at(-1)?.object as T | DeletedFinalStateUnknown<T>;
      const obj = DeletedFinalStateUnknown.lastKnownState(newest);
      const object = new DeletedFinalStateUnknown(key, obj);
      this.#enqueue({ key, deltas: [{ type: "Deleted", object }] });
      count++;
    }
    return count;
  }

  /** Queues the deletion of everything known that is neither `listed` nor queued; returns how many. */
  #deleteKnown(listed: ReadonlySet<string>): number {
    let count = 0;
    for (const key of this.#knownObjects?.listKeys() ?? []) {
      if (listed.has(key) || this.#items.has(key)) continue;
      const obj = this.#lookUp(key, "its deletion is queued without its last state");
      const object = new DeletedFinalStateUnknown(key, obj);
      this.#enqueue({ key, deltas: [{ type: "Deleted", object }] });
      count++;
    }
    return count;
  }

  #lookUp(key: string, consequence: string): T | undefined {
    try {
      const obj = this.#knownObjects?.getByKey(key);
      if (obj !== undefined) return obj;
      this.#logger.info(`Known object "${key}" is gone: ${consequence}`);
    } catch (error) {
      this.#logger.error(
        `Known object "${key}" cannot be looked up: ${consequence}: ${describeError(error)}`,
      );
    }
    return undefined;
  }
}
