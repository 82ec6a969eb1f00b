import type { CacheEnvironment } from "../base/mod.ts";
import type {
  BatchedWatch,
  KubeList,
  KubeObject,
  ListerWatcher,
  ListOptions,
  ListWatchScope,
  ObjectReader,
  ProtobufReader,
  Resource,
  ResourceDescriptor,
} from "../types/mod.ts";
import {
  acceptList,
  acceptObject,
  type ApiRequest,
  type Call,
  type CallOptions,
  callOptions,
  isProtobuf,
  type ListCallOptions,
  listPath,
  listQuery,
  notProtobuf,
  parseList,
  type Requester,
  type WatchCallOptions,
} from "./request/mod.ts";
import type { WatchStream } from "./watch/mod.ts";

/** The functions that make the requests of a lister-watcher. */
export interface ListWatchRequests<T extends KubeObject> {
  readonly environment: CacheEnvironment;
  readonly list: <R extends KubeObject = never>(
    options: ListPageOptions<R>,
  ) => Promise<KubeList<R | T>>;
  readonly watch: (
    options: WatchCallOptions & Pick<CallOptions, "timeoutMs"> & Pick<ApiRequest, "readStatus">,
  ) => Promise<WatchStream<T>>;
}

/**
 * Returns the lister-watcher of a resource and a scope.
 *
 * The client does not retry the requests. Reflectors have their own backoff, which limits the request rate only if
 * reflectors see every failure.
 *
 * @throws {TypeError} If the scope is invalid. A reflector would retry such a request forever.
 */
export function listerWatcher<T extends KubeObject>(
  requests: ListWatchRequests<T>,
  resource: Resource<T>,
  { namespace, labelSelector, fieldSelector }: ListWatchScope,
): ListerWatcher<T> {
  listPath(resource, namespace);
  listQuery({ labelSelector, fieldSelector });
  const { environment } = requests;
  const scope = {
    namespace,
    maxRetries: 0,
    ...(labelSelector === undefined ? {} : { labelSelector }),
    ...(fieldSelector === undefined ? {} : { fieldSelector }),
  };
  // A reflector limits its requests itself.
  const noLimit = { timeoutMs: Infinity };
  const watch = (
    { limit: _limit, continue: _token, ...options }: ListOptions,
    call: { readonly signal?: AbortSignal | undefined },
    { accept, readStatus }: Pick<ApiRequest, "accept" | "readStatus"> = {},
  ): Promise<WatchStream<T>> =>
    requests.watch({
      ...options,
      ...scope,
      ...noLimit,
      ...call,
      readStatus,
      ...(accept && { accept }),
    });
  return {
    environment,
    list: (options, call) => requests.list({ ...options, ...scope, ...noLimit, ...call }),
    watch: (options, call) => watch(options, call),
    readBy: <R extends KubeObject>(reader: ObjectReader<R>): ListerWatcher<R | T> => ({
      environment,
      list: (options, call) => requests.list({ ...options, ...scope, ...noLimit, ...call, reader }),
      watch: async (options, call) => {
        const protobuf = await reader.protobuf?.();
        const accept = acceptObject(resource, { protobuf: protobuf !== undefined });
        const readStatus = protobuf && ((body: Uint8Array) => protobuf.readStatus(body));
        return readingStream(await watch(options, call, { accept, readStatus }), reader, protobuf);
      },
    }),
  };
}

/** Returns a watch whose batches are read by `reader`, or by `protobuf` if the server answers so. */
function readingStream<T extends KubeObject, R extends KubeObject>(
  stream: WatchStream<T>,
  reader: ObjectReader<R>,
  protobuf: ProtobufReader<R> | undefined,
): BatchedWatch<R | T> {
  return {
    batches: () => stream.batches(reader, protobuf),
    [Symbol.asyncIterator]: () => stream[Symbol.asyncIterator](),
  };
}

/** Options of {@linkcode listPage}. */
export interface ListPageOptions<R extends KubeObject = never> extends ListCallOptions {
  /** The call that the request belongs to. Default: a new call. */
  readonly within?: Call | undefined;
  /** Reads the page from its bytes. If the reader returns undefined, the page is parsed as JSON. */
  readonly reader?: ObjectReader<R> | undefined;
}

/** Requests one page of a list, and sets the kind of its items unless the reader made them. */
export async function listPage<T extends KubeObject, R extends KubeObject = never>(
  requester: Requester,
  resource: ResourceDescriptor,
  options: ListPageOptions<R>,
): Promise<KubeList<R | T>> {
  const { within, reader } = options;
  const protobuf = await reader?.protobuf?.();
  const request: ApiRequest = {
    method: "GET",
    path: listPath(resource, options.namespace),
    query: listQuery(options),
    accept: acceptList(resource, { protobuf: protobuf !== undefined }),
    readStatus: protobuf && ((body) => protobuf.readStatus(body)),
    expects: "list",
    within,
    ...callOptions(options),
  };
  const answer = await requester.bytes(request);
  if (protobuf !== undefined && isProtobuf(answer.response)) {
    const list = protobuf.readList(answer.body);
    if (list === undefined) throw notProtobuf(answer);
    return list;
  }
  return reader?.readList(answer.body) ?? parseList<T>(answer.response, answer.body, answer);
}
