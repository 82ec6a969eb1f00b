import type {
  KubeList,
  KubeObject,
  ListOptions,
  ObjectReader,
  Resource,
  WatchEvent,
} from "../types/mod.ts";
import type { ListCallOptions, WatchCallOptions } from "./request/mod.ts";
import type { WatchStream } from "./watch/mod.ts";

/** Which objects of a resource to list and watch. */
export interface ListWatchScope {
  /** Default: all namespaces. */
  readonly namespace?: string | undefined;
  /** Default: any labels. */
  readonly labelSelector?: string | undefined;
  /** Default: any fields. */
  readonly fieldSelector?: string | undefined;
}

/**
 * Lists and watches one resource within one scope: what a Reflector or an informer takes.
 *
 * A request that fails is not made again here. Those who list and watch for ever have a backoff of their own, and must see
 * every request to keep within bounds.
 *
 * @typeParam T The interface of the objects.
 */
export interface ClientListerWatcher<T extends KubeObject = KubeObject> {
  /** One page. */
  list(options: ListOptions, call: { signal?: AbortSignal }): Promise<KubeList<T>>;
  /** Opens a watch. */
  watch(
    options: ListOptions,
    call: { signal?: AbortSignal },
  ): Promise<WatchStream<T>>;
  /** Lists and watches the same objects, and gives `reader` the bytes first. */
  readBy<R extends KubeObject>(reader: ObjectReader<R>): ReadingListerWatcher<T, R>;
}

/**
 * A {@linkcode ClientListerWatcher} whose answers a reader is given first: what it does not understand comes parsed.
 *
 * @typeParam T The interface of the objects.
 * @typeParam R What the reader makes of an object.
 */
export interface ReadingListerWatcher<T extends KubeObject, R extends KubeObject> {
  /** One page. */
  list(options: ListOptions, call: { signal?: AbortSignal }): Promise<KubeList<R | T>>;
  /** Opens a watch. */
  watch(
    options: ListOptions,
    call: { signal?: AbortSignal },
  ): Promise<AsyncIterable<WatchEvent<R | T>> & EventBatches<R | T>>;
}

/** Events, all at a time that are at hand. */
export interface EventBatches<T extends KubeObject> {
  /** The batches. */
  batches(): AsyncIterableIterator<readonly WatchEvent<T>[], undefined>;
}

/** The two requests that a {@linkcode ClientListerWatcher} makes. */
export interface ListWatchClient {
  /** One page. */
  listPage<T extends KubeObject>(
    resource: Resource<T>,
    options: ListCallOptions,
  ): Promise<KubeList<T>>;
  /** One page, given to a reader first. */
  listPage<T extends KubeObject, R extends KubeObject>(
    resource: Resource<T>,
    options: ListCallOptions,
    reader: ObjectReader<R>,
  ): Promise<KubeList<R | T>>;
  /** Opens a watch. */
  watch<T extends KubeObject>(
    resource: Resource<T>,
    options: WatchCallOptions,
  ): Promise<WatchStream<T>>;
}

/** Binds a resource and a scope to a client. */
export function listerWatcher<T extends KubeObject>(
  client: ListWatchClient,
  resource: Resource<T>,
  { namespace, labelSelector, fieldSelector }: ListWatchScope,
): ClientListerWatcher<T> {
  const scope = {
    namespace,
    maxRetries: 0,
    ...(labelSelector === undefined ? {} : { labelSelector }),
    ...(fieldSelector === undefined ? {} : { fieldSelector }),
  };
  const watch: ClientListerWatcher<T>["watch"] = (
    { limit: _limit, continue: _token, ...options },
    call,
  ) => client.watch(resource, { ...options, ...scope, ...call });
  return {
    list: (options, call) => client.listPage(resource, { ...options, ...scope, ...call }),
    watch,
    readBy: (reader) => ({
      list: (options, call) => client.listPage(resource, { ...options, ...scope, ...call }, reader),
      watch: async (options, call) => readingStream(await watch(options, call), reader),
    }),
  };
}

/** The stream with its batches as `reader` reads them. */
function readingStream<T extends KubeObject, R extends KubeObject>(
  stream: WatchStream<T>,
  reader: ObjectReader<R>,
): AsyncIterable<WatchEvent<R | T>> & EventBatches<R | T> {
  const batches = () => stream.batches(reader);
  return { batches, [Symbol.asyncIterator]: () => stream[Symbol.asyncIterator]() };
}
