import { type Environment, inherit } from "../base/mod.ts";
import { ListPager } from "../pager/mod.ts";
import type {
  KubeList,
  KubeObject,
  ListerWatcher,
  ListWatchScope,
  ObjectReader,
  Resource,
  ResourceDescriptor,
  Status,
} from "../types/mod.ts";
import {
  acceptList,
  acceptObject,
  type ApiRequest,
  type ApplyOptions,
  type Call,
  type CallOptions,
  collectionPath,
  deleteBody,
  type DeleteCollectionOptions,
  type DeleteOptions,
  type GetOptions,
  type ListCallOptions,
  listQuery,
  objectBody,
  objectPath,
  type OfSubresource,
  parseAnswer,
  type Patch,
  PATCH_CONTENT_TYPES,
  patchBody,
  type PatchOptions,
  type RawOptions,
  rawPath,
  type Requester,
  requireList,
  requireNamespace,
  requireObjectName,
  resourcePath,
  toQuery,
  type WatchCallOptions,
  type WriteOptions,
  writeQuery,
} from "./request/mod.ts";
import { createRequester } from "./create_requester.ts";
import type { ClientOptions } from "./client_options.ts";
import { listerWatcher } from "./lister_watcher.ts";
import { WatchStream } from "./watch/mod.ts";

/** JSON objects of real kinds stay far below; the API server itself takes no request above 3 MiB. */
const DEFAULT_MAX_WATCH_LINE_BYTES = 16 * 1024 * 1024;

/**
 * Talks to one API server.
 *
 * Every method takes a {@linkcode Resource}, which says where the kind lives and types what comes back, and rejects with a
 * `StatusError` when the server says no. Requests that the server or the network could not take right now are made again
 * as client-go does: 429 and 5xx up to ten times when the server says in how many seconds (`Retry-After`), and reads
 * whose connection was reset or closed up to ten times, a second apart. Nothing else is: the machinery above has backoffs
 * of its own.
 *
 * Names and namespaces are checked before any request is made, so none can lead to another path.
 *
 * A client holds a pool of connections and must be closed.
 *
 * @example
 * ```ts
 * import { Client } from "@kubeloop/controller/client";
 * import { Pods } from "@kubeloop/controller/types";
 * import { assertEquals } from "@std/assert";
 *
 * // A server of two lines; without `fetch`, give `await loadConfig()`.
 * const pod = { metadata: { name: "web", namespace: "default" } };
 * const fetch = () => Promise.resolve(Response.json(pod));
 *
 * await using client = new Client({ fetch });
 * const found = await client.get(Pods, "web", { namespace: "default" });
 * assertEquals(found.metadata.name, "web");
 * ```
 */
export class Client implements AsyncDisposable {
  /** The namespace that the configuration names; no method falls back to it by itself. */
  readonly namespace: string | undefined;
  /** Clock, randomness, logger and metrics, which informers of this client inherit. */
  readonly environment: Environment;
  readonly #requester: Requester;
  readonly #maxWatchLineBytes: number;

  /**
   * A client of `options.server`, or of `options.fetch`. Nothing is requested yet.
   *
   * @throws {TypeError} When the options name neither, or are not usable: a URL that is none, a certificate that is not PEM,
   * a token that would travel unencrypted.
   */
  constructor(options: ClientOptions) {
    this.namespace = options.namespace;
    this.environment = inherit(options, undefined);
    this.#maxWatchLineBytes = options.maxWatchLineBytes ?? DEFAULT_MAX_WATCH_LINE_BYTES;
    this.#requester = createRequester(options);
  }

  /** All objects, read page by page unless `limit` or the resource version says otherwise; see `ListPager`. */
  async list<T extends KubeObject>(
    resource: Resource<T>,
    options: ListCallOptions = {},
  ): Promise<KubeList<T>> {
    return await this.#requester.call(
      listLimits(resource, options),
      async (call) => (await this.#pager(resource, options, call).list(options, call)).list,
    );
  }

  /** One page: a single request. Its `metadata.continue` leads to the next. */
  listPage<T extends KubeObject>(
    resource: Resource<T>,
    options?: ListCallOptions & { within?: Call },
  ): Promise<KubeList<T>>;
  /** One page whose bytes `reader` is given first; what it does not understand is parsed as always. */
  listPage<T extends KubeObject, R extends KubeObject>(
    resource: Resource<T>,
    options: ListCallOptions,
    reader: ObjectReader<R> | undefined,
  ): Promise<KubeList<R | T>>;
  async listPage<T extends KubeObject, R extends KubeObject>(
    resource: Resource<T>,
    options: ListCallOptions & { within?: Call } = {},
    reader?: ObjectReader<R>,
  ): Promise<KubeList<R | T>> {
    const request: ApiRequest = {
      method: "GET",
      path: collectionPath(resource, options.namespace),
      query: listQuery(options),
      accept: acceptList(resource),
      within: options.within,
      ...callOf(options),
    };
    if (reader === undefined) {
      const answer = await this.#requester.text(request);
      return requireList<T>(parseAnswer(answer.response, answer.body, answer), answer);
    }
    const answer = await this.#requester.bytes(request);
    const text = () => new TextDecoder().decode(answer.body);
    return reader.readList(answer.body) ??
      requireList<T>(parseAnswer(answer.response, text(), answer), answer);
  }

  /** Calls `fn` with each object in order, while the next pages are being read; see `ListPager.eachListItem`. */
  eachListItem<T extends KubeObject>(
    resource: Resource<T>,
    fn: (object: T) => void | Promise<void>,
    options: ListCallOptions = {},
  ): Promise<void> {
    return this.#requester.call(
      listLimits(resource, options),
      (call) =>
        this.#pager(resource, options, call).eachListItem(options, (item) => {
          // The pager stops between pages only.
          call.signal.throwIfAborted();
          return fn(item);
        }, call),
    );
  }

  /** The object called `name`. */
  get<T extends KubeObject>(
    resource: Resource<T>,
    name: string,
    options?: GetOptions,
  ): Promise<T>;
  /** A part of the object called `name`, as in `get<Scale>(Deployments, "web", { subresource: "scale", … })`. */
  get<S extends KubeObject>(
    resource: ResourceDescriptor,
    name: string,
    options: GetOptions & OfSubresource,
  ): Promise<S>;
  get(
    resource: ResourceDescriptor,
    name: string,
    options: GetOptions = {},
  ): Promise<KubeObject> {
    return this.#json({
      method: "GET",
      path: objectPath(resource, name, options),
      query: toQuery({ resourceVersion: options.resourceVersion }),
      accept: options.subresource === undefined ? acceptObject(resource) : undefined,
      ...callOf(options),
    });
  }

  /** Creates `object`; `apiVersion` and `kind` may be left out. */
  create<T extends KubeObject>(
    resource: Resource<T>,
    object: T,
    options?: WriteOptions,
  ): Promise<T>;
  /** Posts to a part of the object that `object` is named after: `eviction`, `binding`. */
  create<S extends KubeObject>(
    resource: ResourceDescriptor,
    object: S,
    options: WriteOptions & OfSubresource,
  ): Promise<S>;
  create(
    resource: ResourceDescriptor,
    object: KubeObject,
    options: WriteOptions = {},
  ): Promise<KubeObject> {
    const namespace = requireNamespace(resource, options.namespace, object);
    const { subresource } = options;
    const name = subresource === undefined ? undefined : requireObjectName(resource, object);
    return this.#json({
      method: "POST",
      path: resourcePath(resource, { namespace, name, subresource }),
      query: writeQuery(options),
      body: objectBody(resource, object, subresource),
      ...callOf(options),
    });
  }

  /** Replaces the object. With a `resourceVersion` in it, the server refuses (409) if it has changed since. */
  update<T extends KubeObject>(
    resource: Resource<T>,
    object: T,
    options?: WriteOptions,
  ): Promise<T>;
  /** Replaces a part of the object that `object` is named after: `scale`. */
  update<S extends KubeObject>(
    resource: ResourceDescriptor,
    object: S,
    options: WriteOptions & OfSubresource,
  ): Promise<S>;
  update(
    resource: ResourceDescriptor,
    object: KubeObject,
    options: WriteOptions = {},
  ): Promise<KubeObject> {
    const name = requireObjectName(resource, object);
    return this.#json({
      method: "PUT",
      path: objectPath(resource, name, options, object),
      query: writeQuery(options),
      body: objectBody(resource, object, options.subresource),
      ...callOf(options),
    });
  }

  /** Replaces the object's status and nothing else. */
  updateStatus<T extends KubeObject>(
    resource: Resource<T>,
    object: T,
    options: WriteOptions = {},
  ): Promise<T> {
    return this.update(resource, object, { ...options, subresource: "status" });
  }

  /** Changes a part of the object called `name`; `options.type` says how the patch is meant. */
  patch<T extends KubeObject>(
    resource: Resource<T>,
    name: string,
    patch: Patch,
    options?: PatchOptions,
  ): Promise<T>;
  /** Changes a subresource of another type: `scale`. */
  patch<S extends KubeObject>(
    resource: ResourceDescriptor,
    name: string,
    patch: Patch,
    options: PatchOptions & OfSubresource,
  ): Promise<S>;
  patch(
    resource: ResourceDescriptor,
    name: string,
    patch: Patch,
    options: PatchOptions = {},
  ): Promise<KubeObject> {
    const type = options.type ?? "merge";
    return this.#json({
      method: "PATCH",
      path: objectPath(resource, name, options),
      query: writeQuery(options),
      body: patchBody(patch, type),
      contentType: PATCH_CONTENT_TYPES[type],
      accept: options.subresource === undefined ? acceptObject(resource) : undefined,
      ...callOf(options),
    });
  }

  /** Changes the object's status and nothing else. */
  patchStatus<T extends KubeObject>(
    resource: Resource<T>,
    name: string,
    patch: Patch,
    options: PatchOptions = {},
  ): Promise<T> {
    return this.patch(resource, name, patch, { ...options, subresource: "status" });
  }

  /**
   * Server-side apply: creates the object or makes the fields in `object` so, and owns them under `fieldManager`. Fields
   * that this manager owned and no longer names are removed; a field of another manager is a conflict, unless `force`.
   */
  apply<T extends KubeObject>(
    resource: Resource<T>,
    object: T,
    options: ApplyOptions,
  ): Promise<T> {
    const name = requireObjectName(resource, object);
    return this.#json({
      method: "PATCH",
      path: objectPath(resource, name, options, object),
      query: writeQuery(options),
      body: objectBody(resource, object, options.subresource),
      contentType: PATCH_CONTENT_TYPES.apply,
      ...callOf(options),
    });
  }

  /** Deletes the object called `name`. Answers the object if it has to wait (finalizers, Pods), otherwise a Status. */
  delete<T extends KubeObject>(
    resource: Resource<T>,
    name: string,
    options: DeleteOptions = {},
  ): Promise<T | Status> {
    return this.#json({
      method: "DELETE",
      path: objectPath(resource, name, options),
      body: deleteBody(options),
      ...callOf(options),
    });
  }

  /** Deletes all objects of a namespace, or of a cluster-scoped resource, that the selectors match; answers them. */
  async deleteCollection<T extends KubeObject>(
    resource: Resource<T>,
    options: DeleteCollectionOptions = {},
  ): Promise<KubeList<T>> {
    const { labelSelector, fieldSelector } = options;
    const namespace = requireNamespace(resource, options.namespace);
    const answer = await this.#requester.text({
      method: "DELETE",
      path: resourcePath(resource, { namespace }),
      query: toQuery({ labelSelector, fieldSelector }),
      body: deleteBody(options),
      ...callOf(options),
    });
    return requireList<T>(parseAnswer(answer.response, answer.body, answer), answer);
  }

  /**
   * Opens a watch; resolves when the server has accepted it, before any event. Without a `resourceVersion` it begins with
   * an ADDED event for every present object.
   */
  async watch<T extends KubeObject>(
    resource: Resource<T>,
    options: WatchCallOptions = {},
  ): Promise<WatchStream<T>> {
    const query = listQuery(options);
    query.set("watch", "true");
    const path = collectionPath(resource, options.namespace);
    const { signal, maxRetries } = options;
    const answer = await this.#requester.open({
      method: "GET",
      path,
      query,
      accept: acceptObject(resource),
      signal,
      maxRetries,
      watch: true,
    });
    return new WatchStream<T>({
      body: answer.response.body,
      maxLineBytes: this.#maxWatchLineBytes,
      method: answer.method,
      url: answer.url,
      signal: answer.signal,
      onClose: answer.release,
    });
  }

  /** Lists and watches one resource within a scope: what a Reflector or an informer takes. */
  listerWatcher<T extends KubeObject>(
    resource: Resource<T>,
    scope: ListWatchScope = {},
  ): ListerWatcher<T> {
    return listerWatcher(this, resource, scope);
  }

  /**
   * The text at a path that is no resource, or whose answer is no JSON: `/version`, `/readyz`, the log of a Pod.
   *
   * @throws {TypeError} When `path` does not begin with one slash, or holds a query or `..`.
   */
  async getRaw(path: string, options: RawOptions = {}): Promise<string> {
    const { body } = await this.#requester.text({
      method: "GET",
      path: rawPath(path),
      query: toQuery(options.query ?? {}),
      ...callOf(options),
    });
    return body;
  }

  /** Ends all requests and watches and closes the connections. Later calls reject. */
  close(): Promise<void> {
    return this.#requester.close();
  }

  /** {@linkcode Client.close}. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #pager<T extends KubeObject>(
    resource: Resource<T>,
    { namespace, maxRetries }: ListCallOptions,
    call: Call,
  ): ListPager<T> {
    return new ListPager<T>((page, { signal = call.signal }) =>
      this.listPage(resource, { ...page, namespace, maxRetries, within: { ...call, signal } })
    );
  }

  async #json<T>(request: ApiRequest): Promise<T> {
    const answer = await this.#requester.text(request);
    return parseAnswer<T>(answer.response, answer.body, answer);
  }
}

function listLimits(resource: ResourceDescriptor, options: ListCallOptions) {
  const { namespace, signal, timeoutMs } = options;
  return { what: `GET ${collectionPath(resource, namespace)}`, signal, timeoutMs };
}

function callOf({ signal, timeoutMs, maxRetries }: CallOptions): CallOptions {
  return { signal, timeoutMs, maxRetries };
}
