import type {
  KubeList,
  KubeObject,
  ListOptions,
  ObjectReader,
  Resource,
  WatchEvent,
} from "../../types/mod.ts";

/** Options of one call of a {@linkcode ListerWatcher}. */
export interface ListerWatcherCall {
  /** Stops the call and everything it started. */
  readonly signal?: AbortSignal;
}

/**
 * The events of a watch that can be had many at a time too. Reflectors take them so, which spares several promises for
 * each event.
 *
 * @typeParam T The interface of the objects.
 */
export interface BatchedWatch<T extends KubeObject = KubeObject>
  extends AsyncIterable<WatchEvent<T>> {
  /**
   * The events, all at a time that are at hand; instead of iteration, not besides it.
   *
   * @returns The batches.
   */
  batches(): AsyncIterator<readonly WatchEvent<T>[]>;
}

/**
 * Where a {@linkcode Reflector} gets its objects from: the only thing the cache asks of a client.
 *
 * The listerWatcher of this package's Client fits it, and so do two functions written by hand.
 *
 * @typeParam T The interface of the objects.
 *
 * @example Two functions
 * ```ts
 * import type { ListerWatcher } from "@kubeloop/controller/cache";
 * import type { Pod } from "@kubeloop/controller/types";
 *
 * const pods: ListerWatcher<Pod> = {
 *   list: () =>
 *     Promise.resolve({ metadata: { resourceVersion: "1" }, items: [{ metadata: { name: "a" } }] }),
 *   async *watch() {
 *     yield { type: "DELETED", object: { metadata: { name: "a", resourceVersion: "2" } } };
 *   },
 *   isWatchListSemanticsUnsupported: true,
 * };
 * await pods.list({}, {});
 * ```
 */
export interface ListerWatcher<T extends KubeObject = KubeObject> {
  /**
   * Lists one page. Going on to the next page is the reflector's business.
   *
   * @param options What to ask for: resource version, limit, continue token.
   * @param call Options of the call.
   * @returns The page.
   */
  list(options: ListOptions, call: ListerWatcherCall): Promise<KubeList<T>>;
  /**
   * Opens a watch. A rejection means that it could not be established.
   *
   * Iteration that ends means that the server closed the watch; one that throws, that it broke. An ERROR event may be
   * yielded or thrown as a StatusError, which mean the same. The watch is stopped by the signal and by the iterator's
   * `return()`. What can also be had in batches, as a {@linkcode BatchedWatch}, is taken so.
   *
   * @param options What to ask for: resource version, bookmarks, initial events, timeout.
   * @param call Options of the call.
   * @returns The events.
   */
  watch(
    options: ListOptions,
    call: ListerWatcherCall,
  ): Promise<AsyncIterable<WatchEvent<T>>> | AsyncIterable<WatchEvent<T>>;
  /**
   * Lists and watches the same objects, and gives `reader` the bytes of each first. Optional: what has no bytes has no such
   * method.
   *
   * @typeParam R What the reader makes of an object.
   * @param reader The reader; what it does not understand comes as always.
   * @returns The lister-watcher.
   */
  readBy?<R extends KubeObject>(reader: ObjectReader<R>): ListerWatcher<R | T>;
  /**
   * True when it must never be asked for a streaming list, as fakes and old proxies must not (client-go's
   * `IsWatchListSemanticsUnSupported`). Default false.
   */
  readonly isWatchListSemanticsUnsupported?: boolean;
}

/** Which objects a {@linkcode ListerWatcher} is for. */
export interface ListerWatcherOptions {
  /** The namespace. Default: all. */
  readonly namespace?: string;
  /** Which labels the objects must have, as text: `app=web,tier in (a,b)`. */
  readonly labelSelector?: string;
  /** Which fields the objects must have, as text: `spec.nodeName=n1`. */
  readonly fieldSelector?: string;
}

/** What makes a {@linkcode ListerWatcher} for each kind: this package's Client fits it. */
export interface ListerWatcherSource {
  /**
   * The lister-watcher of one kind.
   *
   * @typeParam T The interface of the objects.
   * @param resource The kind.
   * @param options Which of its objects.
   * @returns The lister-watcher.
   */
  listerWatcher<T extends KubeObject>(
    resource: Resource<T>,
    options?: ListerWatcherOptions,
  ): ListerWatcher<T>;
}
