import { type Random, realRandom, RingBuffer } from "@kubeloop/controller/internal/base";
import {
  deepCopy,
  type KubeList,
  type KubeObject,
  type ListerWatcher,
  type ListerWatcherCall,
  type ListOptions,
  StatusError,
  type WatchEvent,
} from "@kubeloop/controller/types";

/** A change of one object, as a watch reports it. */
export interface FakeChange<T extends KubeObject = KubeObject> {
  /** The type of the change. */
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  /** The object after the change; for DELETED, the object before the change. Its resource version is ignored. */
  readonly object: T;
}

/** Options of a {@linkcode FakeControllerSource}. */
export interface FakeControllerSourceOptions {
  /**
   * The random source with which {@linkcode FakeControllerSource.change} decides whether open watches see a change.
   * Default: the machine's own source.
   */
  readonly random?: Random;
}

/**
 * An in-memory collection of objects that can be listed and watched, to test informers and reflectors with.
 *
 * Each change, including a deletion, increments the resource version by one. The source keeps the history of changes,
 * from which a watch catches up. Objects are identified by namespace, name and UID. The source copies the objects that
 * it receives and returns, so callers cannot change its state. It ignores selectors, and lists all objects in one page.
 * It does not support streaming lists, and reports that.
 *
 * Unlike client-go's source, which blocks at a hundred unread events, this source buffers unread events without a
 * limit.
 *
 * @typeParam T The interface of the objects.
 *
 * @example
 * ```ts
 * import { FakeControllerSource } from "@kubeloop/testing";
 * import { assertEquals } from "@std/assert";
 *
 * const source = new FakeControllerSource();
 * source.add({ metadata: { name: "a" } });
 * const { metadata, items } = await source.list();
 * assertEquals(metadata.resourceVersion, "1");
 * assertEquals(items.length, 1);
 *
 * source.delete({ metadata: { name: "a" } });
 * for await (const event of await source.watch({ resourceVersion: "1" })) {
 *   assertEquals(event.type, "DELETED");
 *   break;
 * }
 * ```
 */
export class FakeControllerSource<T extends KubeObject = KubeObject> implements ListerWatcher<T> {
  /** Always true, so that reflectors do not request streaming lists. */
  readonly isWatchListSemanticsUnsupported: boolean = true;
  /** The error that lists throw while it is set. */
  listError: unknown;
  /** The error that `watch` throws while it is set. */
  watchError: unknown;

  readonly #random: Random;
  readonly #items = new Map<string, T>();
  readonly #watches = new Set<FakeWatch<T>>();
  /** All changes since the history was last cleared: one for each resource version up to the current one. */
  #history: WatchEvent<T>[] = [];
  #version = 0;
  #isShutDown = false;

  /**
   * Creates an empty collection at resource version 0.
   *
   * @param options The options.
   */
  constructor(options: FakeControllerSourceOptions = {}) {
    this.#random = options.random ?? realRandom;
  }

  /**
   * Adds an object and notifies the watches.
   *
   * @param obj The object.
   */
  add(obj: T): void {
    this.change({ type: "ADDED", object: obj });
  }

  /**
   * Changes an object and notifies the watches.
   *
   * @param obj The object after the change.
   */
  modify(obj: T): void {
    this.change({ type: "MODIFIED", object: obj });
  }

  /**
   * Deletes an object and notifies the watches.
   *
   * @param lastValue The last state of the object.
   */
  delete(lastValue: T): void {
    this.change({ type: "DELETED", object: lastValue });
  }

  /**
   * Adds an object without notifying the open watches.
   *
   * @param obj The object.
   */
  addDropWatch(obj: T): void {
    this.change({ type: "ADDED", object: obj }, 0);
  }

  /**
   * Changes an object without notifying the open watches.
   *
   * @param obj The object after the change.
   */
  modifyDropWatch(obj: T): void {
    this.change({ type: "MODIFIED", object: obj }, 0);
  }

  /**
   * Deletes an object without notifying the open watches.
   *
   * @param lastValue The last state of the object.
   */
  deleteDropWatch(lastValue: T): void {
    this.change({ type: "DELETED", object: lastValue }, 0);
  }

  /**
   * Makes a change. Open watches see the change with the given probability; later watches always see it.
   *
   * @param change The change.
   * @param watchProbability The probability, from 0 (never) to 1 (always). Default 1.
   */
  change(change: FakeChange<T>, watchProbability = 1): void {
    const object = copyOf(change.object);
    object.metadata.resourceVersion = String(++this.#version);
    const event: WatchEvent<T> = { type: change.type, object };
    const key = keyOf(object);
    if (change.type === "DELETED") this.#items.delete(key);
    else this.#items.set(key, object);
    this.#history.push(event);
    if (watchProbability < 1 && this.#random.next() >= watchProbability) return;
    for (const watch of this.#watches) watch.push(event);
  }

  /**
   * Lists all objects, ordered by namespace and name, at the current resource version.
   *
   * @returns Copies of the objects.
   * @throws {@linkcode FakeControllerSource.listError}, while it is set.
   */
  // deno-lint-ignore require-await -- so that the error is a rejection
  async list(_options?: ListOptions, _call?: ListerWatcherCall): Promise<KubeList<T>> {
    if (this.listError !== undefined) throw this.listError;
    const keys = [...this.#items.keys()].sort();
    return {
      metadata: { resourceVersion: String(this.#version) },
      items: keys.map((key) => copyOf(this.#items.get(key) as T)),
    };
  }

  /**
   * Watches all changes after a resource version, starting with the changes in the history.
   *
   * @param options The `resourceVersion` after which the watch starts. Default: before the first change.
   * @param call A `signal` that ends the watch.
   * @returns The changes, as copies.
   * @throws {StatusError} "Expired" when a change after the resource version is no longer in the history.
   * @throws {RangeError} When the resource version is in the future, or not a number.
   * @throws {@linkcode FakeControllerSource.watchError}, while it is set.
   */
  // deno-lint-ignore require-await -- so that the error is a rejection
  async watch(
    options: ListOptions,
    call: ListerWatcherCall = {},
  ): Promise<AsyncIterableIterator<WatchEvent<T>>> {
    if (this.watchError !== undefined) throw this.watchError;
    const version = Number(options.resourceVersion || "0");
    if (!(version >= 0 && version <= this.#version)) {
      throw new RangeError(
        `Cannot watch from resourceVersion ${options.resourceVersion}: the fake source is at ${this.#version}`,
      );
    }
    const missed = this.#version - version;
    if (missed > this.#history.length) {
      throw new StatusError({
        code: 410,
        reason: "Expired",
        message: `too old resource version: ${version} (${this.#version})`,
      });
    }
    const watch = new FakeWatch<T>((ended) => this.#watches.delete(ended), call.signal);
    for (const event of this.#history.slice(this.#history.length - missed)) watch.push(event);
    if (this.#isShutDown) watch.end();
    else if (!watch.isEnded) this.#watches.add(watch);
    return watch;
  }

  /** Ends all open watches, as a server may do. */
  dropWatches(): void {
    for (const watch of [...this.#watches]) watch.end();
  }

  /** Ends all open watches and clears the history, so that a client that has missed a change must list again. */
  resetWatch(): void {
    this.dropWatches();
    this.#history = [];
  }

  /** Ends all open watches. A later watch ends as soon as it has delivered the history. */
  shutdown(): void {
    this.#isShutDown = true;
    this.dropWatches();
  }

  /** The number of open watches. */
  get watchCount(): number {
    return this.#watches.size;
  }
}

function keyOf({ metadata }: KubeObject): string {
  return `${metadata.namespace ?? ""}/${metadata.name ?? ""}/${metadata.uid ?? ""}`;
}

/** An open watch, with a buffer of events that have not been read. */
class FakeWatch<T extends KubeObject> implements AsyncIterableIterator<WatchEvent<T>> {
  readonly #events = new RingBuffer<WatchEvent<T>>();
  readonly #readers = new RingBuffer<(result: IteratorResult<WatchEvent<T>>) => void>();
  readonly #onEnd: (watch: FakeWatch<T>) => void;
  readonly #signal: AbortSignal | undefined;
  #ended = false;

  constructor(onEnd: (watch: FakeWatch<T>) => void, signal: AbortSignal | undefined) {
    this.#onEnd = onEnd;
    this.#signal = signal;
    if (signal?.aborted) this.end();
    else signal?.addEventListener("abort", this.#abort, { once: true });
  }

  get isEnded(): boolean {
    return this.#ended;
  }

  push(event: WatchEvent<T>): void {
    const reader = this.#readers.shift();
    if (reader === undefined) this.#events.push(event);
    else reader({ done: false, value: copyOf(event) });
  }

  /** Ends the watch. Buffered events can still be read. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#signal?.removeEventListener("abort", this.#abort);
    this.#onEnd(this);
    for (let reader = this.#readers.shift(); reader !== undefined; reader = this.#readers.shift()) {
      reader({ done: true, value: undefined });
    }
  }

  next(): Promise<IteratorResult<WatchEvent<T>>> {
    const event = this.#events.shift();
    if (event !== undefined) return Promise.resolve({ done: false, value: copyOf(event) });
    if (this.#ended) return Promise.resolve({ done: true, value: undefined });
    return new Promise((resolve) => this.#readers.push(resolve));
  }

  return(): Promise<IteratorResult<WatchEvent<T>>> {
    this.#abort();
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  readonly #abort = (): void => {
    this.#events.clear();
    this.end();
  };
}

function copyOf<V>(value: V): V {
  return deepCopy(value) as V;
}
