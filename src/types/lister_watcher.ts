import type { Environment } from "../base/mod.ts";
import type { ListOptions } from "./list_options.ts";
import type { KubeList, KubeObject } from "./meta.ts";
import type { ObjectReader } from "./object_reader.ts";
import type { Resource } from "./resource.ts";
import type { WatchEvent } from "./watch_event.ts";

/** Options of one call of a {@linkcode ListerWatcher}. */
export interface ListerWatcherCall {
  /** Stops the call and everything it started. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * The events of a watch that can also be read many at a time. Reflectors read them so, which saves several promises per
 * event.
 *
 * @typeParam T The interface of the objects.
 */
export interface BatchedWatch<T extends KubeObject = KubeObject>
  extends AsyncIterable<WatchEvent<T>> {
  /**
   * Reads the events in batches: each holds all events that have arrived. Use it instead of iteration, not besides.
   *
   * @returns The batches.
   */
  batches(): AsyncIterator<readonly WatchEvent<T>[]>;
}

/**
 * Lists and watches the objects of one resource: what a Reflector reads from, and all that the cache asks of a client.
 *
 * `Client.listerWatcher()` returns one, and two functions written by hand are one.
 *
 * @typeParam T The interface of the objects.
 *
 * @example Two functions
 * ```ts
 * import type { ListerWatcher, Pod } from "@kubeloop/controller/types";
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
   * Lists one page. The caller asks for the next one.
   *
   * @param options The query: resource version, limit, continue token.
   * @param call Options of the call.
   * @returns The page.
   */
  list(options: ListOptions, call: ListerWatcherCall): Promise<KubeList<T>>;
  /**
   * Opens a watch. A rejection means that the watch could not be established.
   *
   * The iteration ends when the server closes the watch. It throws when the watch fails: a `StatusError` for an ERROR event
   * of the server, anything else for a connection that broke. The signal and the iterator's `return()` stop the watch. A
   * {@linkcode BatchedWatch} is read in batches.
   *
   * @param options The query: resource version, bookmarks, initial events, timeout.
   * @param call Options of the call.
   * @returns The events.
   */
  watch(
    options: ListOptions,
    call: ListerWatcherCall,
  ): Promise<AsyncIterable<WatchEvent<T>>> | AsyncIterable<WatchEvent<T>>;
  /**
   * Lists and watches the same objects, and hands the bytes of each to `reader` first. Optional: a source without bytes
   * leaves it out.
   *
   * @typeParam R What the reader makes of an object.
   * @param reader The reader; objects that it does not understand are parsed as usual.
   * @returns The lister-watcher.
   */
  readBy?<R extends KubeObject>(reader: ObjectReader<R>): ListerWatcher<R | T>;
  /**
   * Whether a streaming list must never be requested, as from fakes and old proxies: client-go's
   * `IsWatchListSemanticsUnSupported`. Default false.
   */
  readonly isWatchListSemanticsUnsupported?: boolean | undefined;
  /** Clock, randomness, logger and metrics for those who list and watch with it and are not given their own. */
  readonly environment?: Environment | undefined;
}

/** Which objects of a resource to list and watch. */
export interface ListWatchScope {
  /** The namespace. Default: all namespaces. */
  readonly namespace?: string | undefined;
  /** Selects by labels, in the API's text form: `app=web,tier in (a,b)`. Default: all. */
  readonly labelSelector?: string | undefined;
  /** Selects by fields, in the API's text form: `spec.nodeName=n1`. Default: all. */
  readonly fieldSelector?: string | undefined;
}

/** Makes a {@linkcode ListerWatcher} for each resource. A `Client` does. */
export interface ListerWatcherSource {
  /**
   * Returns the lister-watcher of one resource.
   *
   * @typeParam T The interface of the objects.
   * @param resource The resource.
   * @param scope Which of its objects.
   */
  listerWatcher<T extends KubeObject>(
    resource: Resource<T>,
    scope?: ListWatchScope,
  ): ListerWatcher<T>;
  /** Clock, randomness, logger and metrics for those who are not given their own. */
  readonly environment?: Environment | undefined;
}
