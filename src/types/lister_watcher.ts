import { type CacheEnvironment, requireMethods } from "../base/mod.ts";
import type { KubeList, KubeObject, Resource, Status } from "./minimal/mod.ts";
import type { WatchEvent, WatchLine } from "./watch_event.ts";

/** The query parameters of a list or a watch, spelled as in the API. */
export interface ListOptions {
  /** Restricts the result by labels, in text form: `app=web,tier in (a,b)`. */
  labelSelector?: string | undefined;
  /** Restricts the result by fields, in text form: `spec.nodeName=n1`. */
  fieldSelector?: string | undefined;
  /**
   * The resource version to list at, or to watch from. Default: the newest. `"0"`: any version that the server has
   * cached.
   */
  resourceVersion?: string | undefined;
  /** How a list interprets `resourceVersion`. */
  resourceVersionMatch?: "Exact" | "NotOlderThan" | undefined;
  /** The maximum number of items in one page. Default, and with 0: all. */
  limit?: number | undefined;
  /** The continue token: selects the next page. */
  continue?: string | undefined;
  /** The timeout after which the server ends the list or the watch, in seconds. */
  timeoutSeconds?: number | undefined;
  /** Whether the server may send bookmarks in a watch. */
  allowWatchBookmarks?: boolean | undefined;
  /**
   * Whether a watch starts with an ADDED event for each current object, followed by a bookmark that marks the end of
   * these.
   */
  sendInitialEvents?: boolean | undefined;
}

/** An event that was read from bytes. */
export type ReadEvent<R extends KubeObject = KubeObject> = WatchEvent<R> & {
  /** The index of the line break after the event, or that of the end of the bytes. */
  readonly end: number;
};

/**
 * Reads responses from their bytes, for caches that do not parse every object. If the reader does not understand a
 * response, the caller parses it as usual.
 *
 * @typeParam R The type that the reader makes of an object.
 */
export interface ObjectReader<R extends KubeObject = KubeObject> {
  /**
   * Reads the body of a list.
   *
   * @param body The whole body. The reader may keep it.
   * @returns The list; undefined if the body does not have the expected form.
   */
  readList(body: Uint8Array): KubeList<R> | undefined;
  /**
   * Reads the event on one line of a watch, and finds the end of the line.
   *
   * @param bytes The bytes that contain the line. They do not change later.
   * @param start The index at which the line starts.
   * @param end The index after the last byte that belongs to a whole line: other lines may follow the first.
   * @returns The event; undefined if the line does not have the expected form.
   */
  readEvent(bytes: Uint8Array, start: number, end: number): ReadEvent<R> | undefined;
  /**
   * Returns the reader of responses in Kubernetes' protobuf. The caller asks before each request, and requests protobuf if
   * there is one. A server can answer JSON all the same. Optional: without it, JSON is requested.
   */
  protobuf?(): Promise<ProtobufReader<R> | undefined>;
}

/**
 * Reads responses in Kubernetes' protobuf, which most API servers send of built-in kinds. Returns undefined for bytes that
 * are malformed.
 *
 * @typeParam R The type that the reader makes of an object.
 */
export interface ProtobufReader<R extends KubeObject = KubeObject> {
  /**
   * Reads the body of a list.
   *
   * @param body The whole body. The reader may keep it.
   * @returns The list; undefined if the body is malformed.
   */
  readList(body: Uint8Array): KubeList<R> | undefined;
  /**
   * Reads the body of an error.
   *
   * @param body The whole body.
   * @returns The Status; undefined if the body is something else.
   */
  readStatus(body: Uint8Array): Status | undefined;
  /**
   * Reads one event of a watch.
   *
   * @param bytes The bytes that contain the event. They do not change later.
   * @param start The index of its first byte.
   * @param end The index after its last byte.
   * @returns The event; undefined if it is malformed.
   */
  readEvent(bytes: Uint8Array, start: number, end: number): WatchLine<R> | undefined;
}

/** Options of one call of a {@linkcode ListerWatcher}. */
export interface ListerWatcherCall {
  /** Aborts the call and everything that it started. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * The events of a watch that can also be read in batches. Reflectors read batches, which saves several promises per
 * event.
 *
 * @typeParam T The interface of the objects.
 */
export interface BatchedWatch<T extends KubeObject = KubeObject>
  extends AsyncIterable<WatchEvent<T>> {
  /**
   * Reads the events in batches. A batch holds all events that have arrived. Use either this method or iteration, not both.
   *
   * @returns The batches.
   */
  batches(): AsyncIterator<readonly WatchEvent<T>[]>;
}

/**
 * Lists and watches the objects of one resource. This is the interface between a Reflector and a client.
 *
 * `Client.listerWatcher()` returns a lister-watcher. An object with two functions is one, too.
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
   * Lists one page. The caller requests the next page.
   *
   * @param options The query: resource version, limit, continue token.
   * @param call Options of the call.
   * @returns The page.
   */
  list(options: ListOptions, call: ListerWatcherCall): Promise<KubeList<T>>;
  /**
   * Opens a watch. A rejection means that the watch could not be established.
   *
   * The iteration ends when the server closes the watch. It throws when the watch fails: a `StatusError` for an ERROR
   * event from the server, and any other error for a broken connection. The signal and the iterator's `return()` stop
   * the watch. If the result is a {@linkcode BatchedWatch}, Reflectors read it in batches.
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
   * Returns a lister-watcher of the same objects that passes the bytes of each response to `reader` first. Optional: a
   * source that has no bytes leaves this method out.
   *
   * @typeParam R The type that the reader makes of an object.
   * @param reader The reader. Responses that it does not understand are parsed as usual.
   * @returns The lister-watcher.
   */
  readBy?<R extends KubeObject>(reader: ObjectReader<R>): ListerWatcher<R | T>;
  /**
   * Whether the source does not support streaming lists, so that none is requested: true for fakes and old proxies.
   * This is client-go's `IsWatchListSemanticsUnSupported`. Default false.
   */
  readonly isWatchListSemanticsUnsupported?: boolean | undefined;
  /** The clock, random source, logger and metrics for users of the lister-watcher that have none of their own. */
  readonly environment?: CacheEnvironment | undefined;
}

/** The scope of a list and watch: which objects of a resource it covers. */
export interface ListWatchScope {
  /** The namespace of the objects. Default: all namespaces. */
  readonly namespace?: string | undefined;
  /** Restricts the objects by labels, in the API's text form: `app=web,tier in (a,b)`. Default: no restriction. */
  readonly labelSelector?: string | undefined;
  /** Restricts the objects by fields, in the API's text form: `spec.nodeName=n1`. Default: no restriction. */
  readonly fieldSelector?: string | undefined;
}

/** Creates a {@linkcode ListerWatcher} for each resource. A `Client` is one. */
export interface ListerWatcherSource {
  /**
   * Returns the lister-watcher of one resource.
   *
   * @typeParam T The interface of the objects.
   * @param resource The resource.
   * @param scope The scope. Default: all objects of the resource.
   */
  listerWatcher<T extends KubeObject>(
    resource: Resource<T>,
    scope?: ListWatchScope,
  ): ListerWatcher<T>;
  /** The clock, random source, logger and metrics for users of the source that have none of their own. */
  readonly environment?: CacheEnvironment | undefined;
}

/**
 * Checks that a value is a lister-watcher, for callers in plain JavaScript.
 *
 * @throws {TypeError} If `value` cannot list and watch.
 *
 * @internal
 */
export function requireListerWatcher(value: unknown): void {
  requireMethods("a lister-watcher, such as client.listerWatcher(Pods)", value, "list", "watch");
}
