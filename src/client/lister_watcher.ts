import type { KubeList, KubeObject, ListOptions, Resource } from "../types/mod.ts";
import type { ListCallOptions, WatchCallOptions } from "./call_options.ts";
import type { WatchStream } from "./watch_stream.ts";

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
}

/** The two requests that a {@linkcode ClientListerWatcher} makes. */
export interface ListWatchClient {
  /** One page. */
  listPage<T extends KubeObject>(
    resource: Resource<T>,
    options: ListCallOptions,
  ): Promise<KubeList<T>>;
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
  return {
    list: (options, call) => client.listPage(resource, { ...options, ...scope, ...call }),
    watch: ({ limit: _limit, continue: _token, ...options }, call) =>
      client.watch(resource, { ...options, ...scope, ...call }),
  };
}
