import type { Environment } from "../base/mod.ts";
import type {
  BatchedWatch,
  KubeList,
  KubeObject,
  ListerWatcher,
  ListOptions,
  ListWatchScope,
  ObjectReader,
  Resource,
} from "../types/mod.ts";
import type { ListCallOptions, WatchCallOptions } from "./request/mod.ts";
import type { WatchStream } from "./watch/mod.ts";

/** The requests that a lister-watcher makes; a Client makes them. */
interface ListWatchClient {
  readonly environment: Environment;
  listPage<T extends KubeObject>(
    resource: Resource<T>,
    options: ListCallOptions,
  ): Promise<KubeList<T>>;
  listPage<T extends KubeObject, R extends KubeObject>(
    resource: Resource<T>,
    options: ListCallOptions,
    reader: ObjectReader<R>,
  ): Promise<KubeList<R | T>>;
  watch<T extends KubeObject>(
    resource: Resource<T>,
    options: WatchCallOptions,
  ): Promise<WatchStream<T>>;
}

/**
 * Binds a resource and a scope to a client.
 *
 * A request that fails is not retried by the client: those who list and watch have a backoff of their own, and must see
 * every request to keep within bounds.
 */
export function listerWatcher<T extends KubeObject>(
  client: ListWatchClient,
  resource: Resource<T>,
  { namespace, labelSelector, fieldSelector }: ListWatchScope,
): ListerWatcher<T> {
  const scope = {
    namespace,
    maxRetries: 0,
    ...(labelSelector === undefined ? {} : { labelSelector }),
    ...(fieldSelector === undefined ? {} : { fieldSelector }),
  };
  const watch = (
    { limit: _limit, continue: _token, ...options }: ListOptions,
    call: { readonly signal?: AbortSignal | undefined },
  ): Promise<WatchStream<T>> => client.watch(resource, { ...options, ...scope, ...call });
  return {
    environment: client.environment,
    list: (options, call) => client.listPage(resource, { ...options, ...scope, ...call }),
    watch,
    readBy: <R extends KubeObject>(reader: ObjectReader<R>): ListerWatcher<R | T> => ({
      environment: client.environment,
      list: (options, call) => client.listPage(resource, { ...options, ...scope, ...call }, reader),
      watch: async (options, call) => readingStream(await watch(options, call), reader),
    }),
  };
}

/** The stream, with its batches as `reader` reads them. */
function readingStream<T extends KubeObject, R extends KubeObject>(
  stream: WatchStream<T>,
  reader: ObjectReader<R>,
): BatchedWatch<R | T> {
  return {
    batches: () => stream.batches(reader),
    [Symbol.asyncIterator]: () => stream[Symbol.asyncIterator](),
  };
}
