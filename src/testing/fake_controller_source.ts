import { type Random, realRandom, RingBuffer } from "@kubeloop/controller/base";
import {
  type KubeList,
  type KubeObject,
  type ListerWatcher,
  type ListerWatcherCall,
  type ListOptions,
  StatusError,
  type WatchEvent,
} from "@kubeloop/controller/types";

/** A change of one object, as a watch tells it. */
export interface FakeChange<T extends KubeObject = KubeObject> {
  /** What happens to it. */
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  /** The object after (DELETED: before) the change; its resource version does not matter. */
  readonly object: T;
}

/** Options of a {@linkcode FakeControllerSource}. */
export interface FakeControllerSourceOptions {
  /** What decides in {@linkcode FakeControllerSource.change} whether a watch sees a change. Default: the machine's. */
  readonly random?: Random;
}

/**
 * A server's collection of objects in memory, to list and to watch: what informers and reflectors are tested with.
 *
 * It counts versions up by one with each change, deletions included, and keeps the history, from which a watch catches up.
 * Objects are told apart by namespace, name and uid. What goes in and out is copied, so nobody can change it from outside.
 * It ignores selectors, and lists everything in one page. It does not do streaming lists, and says so.
 *
 * Unlike client-go's, whose broadcaster blocks the source at a hundred unread events, it lets unread events pile up.
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
  /** Always true: reflectors list it in the plain way. */
  readonly isWatchListSemanticsUnsupported: boolean = true;
  /** What lists fail with while it is set. */
  listError: unknown;
  /** What watches fail to open with while it is set. */
  watchError: unknown;

  readonly #random: Random;
  readonly #items = new Map<string, T>();
  readonly #watches = new Set<FakeWatch<T>>();
  /** All changes since the history was last flushed; one for each version up to the last. */
  #history: WatchEvent<T>[] = [];
  #version = 0;
  #isShutDown = false;

  /**
   * An empty collection at version 0.
   *
   * @param options Options.
   */
  constructor(options: FakeControllerSourceOptions = {}) {
    this.#random = options.random ?? realRandom;
  }

  /**
   * Adds an object, and tells the watches.
   *
   * @param obj The object.
   */
  add(obj: T): void {
    this.change({ type: "ADDED", object: obj });
  }

  /**
   * Changes an object, and tells the watches.
   *
   * @param obj The object after the change.
   */
  modify(obj: T): void {
    this.change({ type: "MODIFIED", object: obj });
  }

  /**
   * Deletes an object, and tells the watches.
   *
   * @param lastValue The object in its last state.
   */
  delete(lastValue: T): void {
    this.change({ type: "DELETED", object: lastValue });
  }

  /**
   * Adds an object without telling the watches that are open.
   *
   * @param obj The object.
   */
  addDropWatch(obj: T): void {
    this.change({ type: "ADDED", object: obj }, 0);
  }

  /**
   * Changes an object without telling the watches that are open.
   *
   * @param obj The object after the change.
   */
  modifyDropWatch(obj: T): void {
    this.change({ type: "MODIFIED", object: obj }, 0);
  }

  /**
   * Deletes an object without telling the watches that are open.
   *
   * @param lastValue The object in its last state.
   */
  deleteDropWatch(lastValue: T): void {
    this.change({ type: "DELETED", object: lastValue }, 0);
  }

  /**
   * Makes a change; open watches learn of it with some probability, new ones always.
   *
   * @param change The change.
   * @param watchProbability From 0, never, to 1, always. Default 1.
   */
  change(change: FakeChange<T>, watchProbability = 1): void {
    const object = structuredClone(change.object);
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
   * All objects, ordered by namespace and name, at the present version.
   *
   * @returns Copies of them.
   * @throws {@linkcode FakeControllerSource.listError}, while it is set.
   */
  // deno-lint-ignore require-await -- so that the error is a rejection
  async list(_options?: ListOptions, _call?: ListerWatcherCall): Promise<KubeList<T>> {
    if (this.listError !== undefined) throw this.listError;
    const keys = [...this.#items.keys()].sort();
    return {
      metadata: { resourceVersion: String(this.#version) },
      items: keys.map((key) => structuredClone(this.#items.get(key) as T)),
    };
  }

  /**
   * All changes after a version, those of the past first.
   *
   * @param options Its `resourceVersion` is the version to begin after; none means from the beginning.
   * @param call Its `signal` ends the watch.
   * @returns The changes, as copies.
   * @throws {StatusError} "Expired" when a change after the version is no longer in the history.
   * @throws {RangeError} When the version is in the future, or is none.
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

  /** Ends all watches, as a server does. */
  dropWatches(): void {
    for (const watch of [...this.#watches]) watch.end();
  }

  /** Ends all watches and forgets the history: whoever missed a change has to list anew. */
  resetWatch(): void {
    this.dropWatches();
    this.#history = [];
  }

  /** Ends all watches, and every later one as soon as it has told the past. */
  shutdown(): void {
    this.#isShutDown = true;
    this.dropWatches();
  }

  /** How many watches are open. */
  get watchCount(): number {
    return this.#watches.size;
  }
}

function keyOf({ metadata }: KubeObject): string {
  return `${metadata.namespace ?? ""}/${metadata.name ?? ""}/${metadata.uid ?? ""}`;
}

/** One open watch: what it has not been asked for yet waits here. */
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
    else reader({ done: false, value: structuredClone(event) });
  }

  /** What is waiting can still be read. */
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
    if (event !== undefined) return Promise.resolve({ done: false, value: structuredClone(event) });
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
