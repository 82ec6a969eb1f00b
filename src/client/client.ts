import { type Environment, inherit, requireCount } from "../base/mod.ts";
import { ListPager } from "../pager/mod.ts";
import type {
  ApplyConfiguration,
  DeepReadonly,
  KubeList,
  KubeObject,
  ListerWatcher,
  ListWatchScope,
  Resource,
  ResourceDescriptor,
  Status,
  Stored,
} from "../types/mod.ts";
import {
  acceptObject,
  type ApiRequest,
  APPLY_CONTENT_TYPE,
  type ApplyOptions,
  type Call,
  callOptions,
  creationPath,
  deleteBody,
  type DeleteCollectionOptions,
  type DeleteOptions,
  describeValue,
  type EachListItemOptions,
  type GetOptions,
  type ListCallOptions,
  listPath,
  listQuery,
  objectBody,
  objectPath,
  parseAnswer,
  patchBody,
  type Patches,
  type PatchOptions,
  type PatchType,
  type RawOptions,
  rawPath,
  type Requester,
  requireObjectName,
  type StatusPatchOptions,
  type StatusWriteOptions,
  toQuery,
  type WatchCallOptions,
  type WriteOptions,
  writeQuery,
} from "./request/mod.ts";
import { createRequester } from "./create_requester.ts";
import type { ClientOptions } from "./client_options.ts";
import { deleteCollection } from "./delete_collection.ts";
import { listPage, type ListPageOptions } from "./list_page.ts";
import { listerWatcher } from "./lister_watcher.ts";
import type { ObjectInput, Returned, SubjectOf, SubresourceFor } from "./object_types.ts";
import { WatchStream } from "./watch/mod.ts";

/** JSON objects of real kinds stay far below; the API server itself takes no request above 3 MiB. */
const DEFAULT_MAX_WATCH_LINE_BYTES = 16 * 1024 * 1024;

/**
 * Talks to one API server.
 *
 * Every method takes a {@linkcode Resource}, which says where the kind lives and types what comes back. A method rejects
 *
 * - with a `StatusError` when the server refuses,
 * - with a `TypeError` or a `RangeError`, before any request, when an argument cannot be used: a name or a namespace that
 *   is not a non-empty string never leads to another path,
 * - with a `TerminalError` when the client is closed,
 * - with a `DOMException` called `TimeoutError` after `timeoutMs`, and with `signal.reason` on an abort,
 * - with an `Error` that says what failed and what to do when there is no connection.
 *
 * A request that the server or the network could not take right now is made again as client-go does: after 429 and 5xx
 * when the server says in how many seconds (`Retry-After`), and reads whose connection was reset or closed after a second,
 * ten times at most.
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
   * Creates a client of `options.server`, or of `options.fetch`. Nothing is requested yet.
   *
   * @param options The server and the credentials, as `loadConfig()` returns them, or a `fetch`.
   * @throws {TypeError} If the options name neither, or cannot be used: a URL that is none, a certificate that is not PEM,
   * a token that would travel unencrypted.
   * @throws {RangeError} If a number of the options cannot be used.
   */
  constructor(options: ClientOptions) {
    const { maxWatchLineBytes = DEFAULT_MAX_WATCH_LINE_BYTES } = options;
    requireCount("maxWatchLineBytes", maxWatchLineBytes, 1);
    this.namespace = options.namespace;
    this.environment = inherit(options, undefined);
    this.#maxWatchLineBytes = maxWatchLineBytes;
    this.#requester = createRequester(options);
  }

  /**
   * Lists the objects of a resource: all of them, or one page.
   *
   * Without `limit` and `continue`, `list` reads all objects, in pages of `pageSize`, and the result has no continue token.
   * All pages show the state at the resource version of the first; if the server forgets that state meanwhile, the list is
   * read again in one piece.
   *
   * With `limit` or `continue`, `list` makes a single request and returns what the server answers: one page of at most
   * `limit` objects, whose `metadata.continue` is the token of the next page. `limit: 0` means no limit.
   *
   * The objects have `kind` and `apiVersion`, which the server leaves out in lists of built-in kinds.
   *
   * @typeParam T The interface of the objects.
   * @param resource The resource.
   * @param options Which objects, and limits of the call. Without a namespace: those of all namespaces.
   * @returns The list, ordered by namespace and name.
   *
   * @example All objects
   * ```ts
   * import { Client } from "@kubeloop/controller/client";
   * import { ConfigMaps } from "@kubeloop/controller/types";
   * import { ApiServer } from "@kubeloop/testing";
   * import { assertEquals } from "@std/assert";
   *
   * await using server = new ApiServer();
   * await using client = new Client({ fetch: server.fetch });
   * for (const name of ["a", "b", "c"]) {
   *   await client.create(ConfigMaps, { metadata: { name, namespace: "default" } });
   * }
   *
   * const { items } = await client.list(ConfigMaps, { namespace: "default" });
   * assertEquals(items.map(({ metadata }) => metadata.name), ["a", "b", "c"]);
   * ```
   *
   * @example Page by page
   * ```ts
   * import { Client } from "@kubeloop/controller/client";
   * import { ConfigMaps } from "@kubeloop/controller/types";
   * import { ApiServer } from "@kubeloop/testing";
   * import { assertEquals } from "@std/assert";
   *
   * await using server = new ApiServer();
   * await using client = new Client({ fetch: server.fetch });
   * const namespace = "default";
   * for (const name of ["a", "b", "c"]) {
   *   await client.create(ConfigMaps, { metadata: { name, namespace } });
   * }
   *
   * const first = await client.list(ConfigMaps, { namespace, limit: 2 });
   * const next = await client.list(ConfigMaps, {
   *   namespace,
   *   limit: 2,
   *   continue: first.metadata.continue,
   * });
   * assertEquals([first.items.length, next.items.length], [2, 1]);
   * ```
   */
  async list<T extends KubeObject>(
    resource: Resource<T>,
    options: ListCallOptions = {},
  ): Promise<KubeList<Stored<T>>> {
    const { limit, pageSize } = options;
    if (limit === undefined && !options.continue) {
      return await this.#overPages<Stored<T>, KubeList<Stored<T>>>(
        resource,
        options,
        async (pager, call) => (await pager.list(options, call)).list,
      );
    }
    if (pageSize !== undefined) {
      throw new TypeError(
        "Cannot use pageSize with limit or continue: they ask for one page, pageSize for all",
      );
    }
    return await listPage<Stored<T>>(this.#requester, resource, options);
  }

  /**
   * Calls a function with each object of a resource in order, while the next pages are being read. At no time are all
   * objects in memory.
   *
   * An error of `fn` ends the call. After an abort, the end of `timeoutMs` or {@linkcode Client.close}, the call does not
   * wait for `fn` any longer, and does not call it again.
   *
   * @typeParam T The interface of the objects.
   * @param resource The resource.
   * @param fn Called with one object after the other; a promise that it returns is awaited.
   * @param options Which objects, and limits of the call. Without a namespace: those of all namespaces.
   * @throws {StatusError} With the reason `Expired`, if the server has forgotten the state that the first page showed.
   *
   * @example
   * ```ts
   * import { Client } from "@kubeloop/controller/client";
   * import { ConfigMaps } from "@kubeloop/controller/types";
   * import { ApiServer } from "@kubeloop/testing";
   * import { assertEquals } from "@std/assert";
   *
   * await using server = new ApiServer();
   * await using client = new Client({ fetch: server.fetch });
   * for (const name of ["a", "b", "c"]) {
   *   await client.create(ConfigMaps, { metadata: { name, namespace: "default" } });
   * }
   *
   * const names: string[] = [];
   * await client.eachListItem(ConfigMaps, ({ metadata }) => void names.push(metadata.name), {
   *   namespace: "default",
   * });
   * assertEquals(names, ["a", "b", "c"]);
   * ```
   */
  async eachListItem<T extends KubeObject>(
    resource: Resource<T>,
    fn: (object: Stored<T>) => void | Promise<void>,
    options: EachListItemOptions = {},
  ): Promise<void> {
    const { limit, continue: token }: ListCallOptions = options;
    if (limit !== undefined || token !== undefined) {
      throw new TypeError(
        "Cannot use limit or continue with eachListItem(): it reads all pages, give pageSize for their size",
      );
    }
    if (typeof fn !== "function") {
      throw new TypeError(
        `Invalid fn of eachListItem(): expected a function, received ${describeValue(fn)}`,
      );
    }
    await this.#overPages<Stored<T>, void>(
      resource,
      options,
      (pager, call) =>
        pager.eachListItem(options, (item) => {
          // The pager stops between pages only.
          call.signal.throwIfAborted();
          return fn(item);
        }, call),
    );
  }

  /**
   * Reads an object, or a subresource of it.
   *
   * @typeParam S The interface of the subresource, if it has a kind of its own.
   * @typeParam T The interface of the object.
   * @param resource The resource.
   * @param name The name of the object.
   * @param options The namespace, the subresource, and limits of the call.
   * @returns The object.
   *
   * @example
   * ```ts
   * import { Client } from "@kubeloop/controller/client";
   * import { ConfigMaps } from "@kubeloop/controller/types";
   * import { ApiServer } from "@kubeloop/testing";
   * import { assertEquals } from "@std/assert";
   *
   * await using server = new ApiServer();
   * await using client = new Client({ fetch: server.fetch });
   * const namespace = "default";
   * await client.create(ConfigMaps, { metadata: { name: "a", namespace }, data: { color: "red" } });
   *
   * const { data } = await client.get(ConfigMaps, "a", { namespace });
   * assertEquals(data, { color: "red" });
   * ```
   *
   * @example A subresource that has a kind of its own
   * ```ts
   * import { Client } from "@kubeloop/controller/client";
   * import { Deployments, type KubeObject } from "@kubeloop/controller/types";
   * import { assertEquals } from "@std/assert";
   *
   * interface Scale extends KubeObject {
   *   spec: { replicas: number };
   * }
   * const scale = { metadata: { name: "web" }, spec: { replicas: 3 } };
   * await using client = new Client({ fetch: () => Promise.resolve(Response.json(scale)) });
   *
   * const { spec } = await client.get<Scale>(Deployments, "web", {
   *   namespace: "default",
   *   subresource: "scale",
   * });
   * assertEquals(spec.replicas, 3);
   * ```
   */
  async get<S extends KubeObject = never, T extends KubeObject = KubeObject>(
    resource: Resource<T>,
    name: string,
    options: GetOptions & SubresourceFor<S> = {} as GetOptions & SubresourceFor<S>,
  ): Promise<Returned<NoInfer<S>, T>> {
    const { subresource, resourceVersion } = options;
    return await this.#json({
      method: "GET",
      path: objectPath(resource, name, options),
      query: toQuery({ resourceVersion }),
      accept: subresource === undefined ? acceptObject(resource) : undefined,
      ...callOptions(options),
    });
  }

  /**
   * Creates an object, or posts to a subresource of one: `eviction`, `binding`.
   *
   * `apiVersion` and `kind` may be left out. With `metadata.generateName` in place of a name, the server makes up the name.
   *
   * @typeParam S The interface of the subresource, if it has a kind of its own.
   * @typeParam T The interface of the object.
   * @param resource The resource.
   * @param object The object.
   * @param options The namespace, if the object does not say it, and how to write.
   * @returns The object as the server has stored it; after a dry run, without a resource version.
   *
   * @example
   * ```ts
   * import { Client } from "@kubeloop/controller/client";
   * import { ConfigMaps } from "@kubeloop/controller/types";
   * import { ApiServer } from "@kubeloop/testing";
   * import { assert } from "@std/assert";
   *
   * await using server = new ApiServer();
   * await using client = new Client({ fetch: server.fetch });
   *
   * const { metadata } = await client.create(ConfigMaps, {
   *   metadata: { generateName: "colors-", namespace: "default" },
   *   data: { color: "red" },
   * });
   * assert(metadata.name.startsWith("colors-"));
   * ```
   */
  async create<S extends KubeObject = never, T extends KubeObject = KubeObject>(
    resource: Resource<T>,
    object: ObjectInput<NoInfer<SubjectOf<S, T>>>,
    options: WriteOptions & SubresourceFor<S> = {} as WriteOptions & SubresourceFor<S>,
  ): Promise<Returned<NoInfer<S>, T>> {
    const written = object as KubeObject;
    return await this.#json({
      method: "POST",
      path: creationPath(resource, written, options),
      query: writeQuery(options),
      body: objectBody(resource, written, options.subresource),
      ...callOptions(options),
    });
  }

  /**
   * Replaces an object, or a subresource of it: `scale`.
   *
   * With a `resourceVersion` in it, the server refuses the object (409) if it has changed since.
   *
   * @typeParam S The interface of the subresource, if it has a kind of its own.
   * @typeParam T The interface of the object.
   * @param resource The resource.
   * @param object The whole object; a read-only one from a cache, or a spread of one, fits too.
   * @param options The namespace, if the object does not say it, and how to write.
   * @returns The object as the server has stored it.
   *
   * @example
   * ```ts
   * import { Client } from "@kubeloop/controller/client";
   * import { ConfigMaps } from "@kubeloop/controller/types";
   * import { ApiServer } from "@kubeloop/testing";
   * import { assertEquals } from "@std/assert";
   *
   * await using server = new ApiServer();
   * await using client = new Client({ fetch: server.fetch });
   * const created = await client.create(ConfigMaps, { metadata: { name: "a", namespace: "default" } });
   *
   * const { data } = await client.update(ConfigMaps, { ...created, data: { color: "red" } });
   * assertEquals(data, { color: "red" });
   * ```
   */
  async update<S extends KubeObject = never, T extends KubeObject = KubeObject>(
    resource: Resource<T>,
    object: ObjectInput<NoInfer<SubjectOf<S, T>>>,
    options: WriteOptions & SubresourceFor<S> = {} as WriteOptions & SubresourceFor<S>,
  ): Promise<Returned<NoInfer<S>, T>> {
    const written = object as KubeObject;
    const name = requireObjectName(resource, written);
    return await this.#json({
      method: "PUT",
      path: objectPath(resource, name, options, written),
      query: writeQuery(options),
      body: objectBody(resource, written, options.subresource),
      ...callOptions(options),
    });
  }

  /**
   * Replaces the status of an object, and nothing else of it.
   *
   * @typeParam T The interface of the object.
   * @param resource The resource.
   * @param object The whole object; the server stores its status.
   * @param options The namespace, if the object does not say it, and how to write.
   * @returns The object as the server has stored it.
   *
   * @example
   * ```ts
   * import { Client } from "@kubeloop/controller/client";
   * import { Nodes } from "@kubeloop/controller/types";
   * import { ApiServer } from "@kubeloop/testing";
   * import { assertEquals } from "@std/assert";
   *
   * await using server = new ApiServer();
   * await using client = new Client({ fetch: server.fetch });
   * const node = await client.create(Nodes, { metadata: { name: "node-1" } });
   *
   * const capacity = { cpu: "4" };
   * const { status } = await client.updateStatus(Nodes, { ...node, status: { capacity } });
   * assertEquals(status?.capacity, capacity);
   * ```
   */
  async updateStatus<T extends KubeObject>(
    resource: Resource<T>,
    object: ObjectInput<NoInfer<T>>,
    options: StatusWriteOptions = {},
  ): Promise<Stored<T>> {
    return await this.update(resource, object, { ...options, subresource: "status" });
  }

  /**
   * Changes the fields of an object, or of a subresource of it, that a patch names. `options.type` says how the patch is
   * meant; for server-side apply, there is {@linkcode Client.apply}.
   *
   * @typeParam S The interface of the subresource, if it has a kind of its own.
   * @typeParam T The interface of the object.
   * @typeParam K The type of the patch.
   * @param resource The resource.
   * @param name The name of the object.
   * @param patch The patch: the fields to change, or operations for the type `json`.
   * @param options The namespace, the type of the patch, and how to write.
   * @returns The object as the server has stored it.
   *
   * @example
   * ```ts
   * import { Client } from "@kubeloop/controller/client";
   * import { ConfigMaps } from "@kubeloop/controller/types";
   * import { ApiServer } from "@kubeloop/testing";
   * import { assertEquals } from "@std/assert";
   *
   * await using server = new ApiServer();
   * await using client = new Client({ fetch: server.fetch });
   * const namespace = "default";
   * const data = { color: "red", size: "L" };
   * await client.create(ConfigMaps, { metadata: { name: "a", namespace }, data });
   *
   * // A JSON merge patch: null removes a field.
   * await client.patch(ConfigMaps, "a", { data: { size: null } }, { namespace });
   * const operations = [{ op: "replace", path: "/data/color", value: "blue" }] as const;
   * const patched = await client.patch(ConfigMaps, "a", operations, { namespace, type: "json" });
   * assertEquals(patched.data, { color: "blue" });
   * ```
   */
  async patch<
    S extends KubeObject = never,
    T extends KubeObject = KubeObject,
    K extends PatchType = "merge",
  >(
    resource: Resource<T>,
    name: string,
    patch: Patches<NoInfer<SubjectOf<S, T>>>[NoInfer<K>],
    options: PatchOptions<K> & SubresourceFor<S> = {} as PatchOptions<K> & SubresourceFor<S>,
  ): Promise<Returned<NoInfer<S>, T>> {
    return await this.#json({
      method: "PATCH",
      path: objectPath(resource, name, options),
      query: writeQuery(options),
      ...patchBody(patch, options.type),
      accept: options.subresource === undefined ? acceptObject(resource) : undefined,
      ...callOptions(options),
    });
  }

  /**
   * Changes the fields of the status of an object that a patch names, and nothing else of the object.
   *
   * @typeParam T The interface of the object.
   * @typeParam K The type of the patch.
   * @param resource The resource.
   * @param name The name of the object.
   * @param patch The patch of the object: `{ status: … }`.
   * @param options The namespace, the type of the patch, and how to write.
   * @returns The object as the server has stored it.
   *
   * @example
   * ```ts
   * import { Client } from "@kubeloop/controller/client";
   * import { Nodes } from "@kubeloop/controller/types";
   * import { ApiServer } from "@kubeloop/testing";
   * import { assertEquals } from "@std/assert";
   *
   * await using server = new ApiServer();
   * await using client = new Client({ fetch: server.fetch });
   * await client.create(Nodes, { metadata: { name: "node-1" } });
   *
   * const capacity = { cpu: "4" };
   * const { status } = await client.patchStatus(Nodes, "node-1", { status: { capacity } });
   * assertEquals(status?.capacity, capacity);
   * ```
   */
  async patchStatus<T extends KubeObject, K extends PatchType = "merge">(
    resource: Resource<T>,
    name: string,
    patch: Patches<NoInfer<T>>[NoInfer<K>],
    options: StatusPatchOptions<K> = {},
  ): Promise<Stored<T>> {
    const ofStatus: PatchOptions<K> = { ...options, subresource: "status" };
    return await this.patch<never, T, K>(resource, name, patch, ofStatus);
  }

  /**
   * Creates or changes an object by server-side apply: makes its fields as `object` says, and owns them in the name of
   * `options.fieldManager`.
   *
   * Fields that this manager owned before and that `object` does not name are removed. A field of another manager is a
   * conflict (409), unless `options.force` takes it over.
   *
   * @typeParam T The interface of the object.
   * @param resource The resource.
   * @param object The name of the object, and the fields to own.
   * @param options The field manager, the namespace, if the object does not say it, and how to write.
   * @returns The object as the server has stored it.
   *
   * @example
   * ```ts
   * import { Client } from "@kubeloop/controller/client";
   * import { ConfigMaps } from "@kubeloop/controller/types";
   * import { ApiServer } from "@kubeloop/testing";
   * import { assertEquals } from "@std/assert";
   *
   * await using server = new ApiServer();
   * await using client = new Client({ fetch: server.fetch });
   *
   * const metadata = { name: "a", namespace: "default" };
   * const call = { fieldManager: "painter" };
   * await client.apply(ConfigMaps, { metadata, data: { color: "red", size: "L" } }, call);
   * const { data } = await client.apply(ConfigMaps, { metadata, data: { color: "blue" } }, call);
   * assertEquals(data, { color: "blue" });
   * ```
   */
  async apply<T extends KubeObject>(
    resource: Resource<T>,
    object: ApplyConfiguration<NoInfer<T>>,
    options: ApplyOptions,
  ): Promise<Stored<T>> {
    const applied = object as DeepReadonly<KubeObject> as KubeObject;
    const name = requireObjectName(resource, applied);
    return await this.#json({
      method: "PATCH",
      path: objectPath(resource, name, options, applied),
      query: writeQuery(options),
      body: objectBody(resource, applied, options.subresource),
      contentType: APPLY_CONTENT_TYPE,
      ...callOptions(options),
    });
  }

  /**
   * Deletes an object.
   *
   * @typeParam T The interface of the object.
   * @param resource The resource.
   * @param name The name of the object.
   * @param options The namespace, and how to delete.
   * @returns The object, if its deletion has to wait for finalizers or for its containers to stop; otherwise a Status.
   *
   * @example
   * ```ts
   * import { Client } from "@kubeloop/controller/client";
   * import { ConfigMaps } from "@kubeloop/controller/types";
   * import { ApiServer } from "@kubeloop/testing";
   * import { assertEquals } from "@std/assert";
   *
   * await using server = new ApiServer();
   * await using client = new Client({ fetch: server.fetch });
   * const namespace = "default";
   * const { metadata } = await client.create(ConfigMaps, { metadata: { name: "a", namespace } });
   *
   * // Not an object of the same name that took its place meanwhile.
   * const preconditions = { uid: metadata.uid };
   * const { kind } = await client.delete(ConfigMaps, "a", { namespace, preconditions });
   * assertEquals(kind, "Status");
   * ```
   */
  async delete<T extends KubeObject>(
    resource: Resource<T>,
    name: string,
    options: DeleteOptions = {},
  ): Promise<Stored<T> | Status> {
    return await this.#json({
      method: "DELETE",
      path: objectPath(resource, name, options),
      body: deleteBody(options),
      ...callOptions(options),
    });
  }

  /**
   * Deletes all objects of a resource that the selectors match, or all objects if there are no selectors.
   *
   * A namespaced resource needs `namespace`, or `allNamespaces: true`. A selector that is given must not be undefined or
   * empty. The API deletes in one namespace at a time: for all namespaces, the client lists the objects and deletes in each
   * namespace that has some, one after the other. An error leaves the namespaces after it untouched.
   *
   * @typeParam T The interface of the objects.
   * @param resource The resource.
   * @param options Which objects, and how to delete.
   * @returns The objects that were deleted or wait for their deletion.
   *
   * @example
   * ```ts
   * import { Client } from "@kubeloop/controller/client";
   * import { ConfigMaps } from "@kubeloop/controller/types";
   * import { ApiServer } from "@kubeloop/testing";
   * import { assertEquals } from "@std/assert";
   *
   * await using server = new ApiServer();
   * await using client = new Client({ fetch: server.fetch });
   * const namespace = "default";
   * await client.create(ConfigMaps, { metadata: { name: "a", namespace, labels: { app: "x" } } });
   * await client.create(ConfigMaps, { metadata: { name: "b", namespace } });
   *
   * const { items } = await client.deleteCollection(ConfigMaps, {
   *   namespace,
   *   labelSelector: "app=x",
   * });
   * assertEquals(items.map(({ metadata }) => metadata.name), ["a"]);
   * ```
   */
  async deleteCollection<T extends KubeObject>(
    resource: Resource<T>,
    options: DeleteCollectionOptions = {},
  ): Promise<KubeList<Stored<T>>> {
    return await deleteCollection(this.#requester, resource, options);
  }

  /**
   * Opens a watch: a stream of events that lasts until the server ends it, which it does every few minutes.
   *
   * Without a `resourceVersion` the watch begins with an ADDED event for every present object.
   *
   * @typeParam T The interface of the objects.
   * @param resource The resource.
   * @param options Which objects, and from where on. Without a namespace: those of all namespaces.
   * @returns The events, once the server has accepted the watch and before the first event.
   *
   * @example
   * ```ts
   * import { Client } from "@kubeloop/controller/client";
   * import { ConfigMaps } from "@kubeloop/controller/types";
   * import { ApiServer } from "@kubeloop/testing";
   * import { assertEquals } from "@std/assert";
   *
   * await using server = new ApiServer();
   * await using client = new Client({ fetch: server.fetch });
   * const namespace = "default";
   * const { metadata } = await client.list(ConfigMaps, { namespace });
   * await client.create(ConfigMaps, { metadata: { name: "a", namespace } });
   *
   * const { resourceVersion } = metadata;
   * for await (const event of await client.watch(ConfigMaps, { namespace, resourceVersion })) {
   *   assertEquals([event.type, event.object.metadata.name], ["ADDED", "a"]);
   *   break;
   * }
   * ```
   */
  async watch<T extends KubeObject>(
    resource: Resource<T>,
    options: WatchCallOptions = {},
  ): Promise<WatchStream<Stored<T>>> {
    const path = listPath(resource, options.namespace);
    const query = listQuery(options);
    query.set("watch", "true");
    const { signal, maxRetries } = callOptions(options);
    const answer = await this.#requester.open({
      method: "GET",
      path,
      query,
      accept: acceptObject(resource),
      signal,
      maxRetries,
      watch: true,
    });
    return new WatchStream({
      body: answer.response.body,
      maxLineBytes: this.#maxWatchLineBytes,
      method: answer.method,
      url: answer.url,
      signal: answer.signal,
      onClose: answer.release,
    });
  }

  /**
   * Returns what a reflector or an informer reads from: lists and watches of one resource within a scope.
   *
   * The client does not repeat these requests: reflectors have a backoff of their own.
   *
   * @typeParam T The interface of the objects.
   * @param resource The resource.
   * @param scope The namespace and the selectors. Default: all objects.
   * @throws {TypeError} If the resource or the scope cannot be used.
   *
   * @example
   * ```ts
   * import { Client } from "@kubeloop/controller/client";
   * import { SharedInformer } from "@kubeloop/controller/cache";
   * import { Pods } from "@kubeloop/controller/types";
   *
   * await using client = new Client({ server: "http://127.0.0.1:8001" });
   * const pods = new SharedInformer(client.listerWatcher(Pods, { namespace: "default" }));
   * pods.indexer.list();
   * ```
   */
  listerWatcher<T extends KubeObject>(
    resource: Resource<T>,
    scope: ListWatchScope = {},
  ): ListerWatcher<T> {
    return listerWatcher<T>(
      {
        environment: this.environment,
        list: <R extends KubeObject = never>(options: ListPageOptions<R>) =>
          listPage<T, R>(this.#requester, resource, options),
        watch: (options) => this.watch(resource, options),
      },
      resource,
      scope,
    );
  }

  /**
   * Reads the text at a path that is no resource, or whose answer is not JSON: `/version`, `/readyz`, the log of a Pod.
   *
   * @param path The path, which begins with one slash.
   * @param options The query, and limits of the call.
   * @returns The body of the answer.
   * @throws {TypeError} If `path` does not begin with one slash, or holds a query or `..`.
   *
   * @example
   * ```ts
   * import { Client } from "@kubeloop/controller/client";
   * import { ApiServer } from "@kubeloop/testing";
   * import { assertEquals } from "@std/assert";
   *
   * await using server = new ApiServer();
   * await using client = new Client({ fetch: server.fetch });
   * assertEquals(await client.getRaw("/readyz"), "ok");
   * ```
   */
  async getRaw(path: string, options: RawOptions = {}): Promise<string> {
    const { body } = await this.#requester.text({
      method: "GET",
      path: rawPath(path),
      query: toQuery(options.query ?? {}),
      ...callOptions(options),
    });
    return body;
  }

  /**
   * Closes the client: requests and watches under way end with a `TerminalError`, and so does every later call. May be
   * called again.
   *
   * @returns A promise that resolves when the connections are closed.
   */
  close(): Promise<void> {
    return this.#requester.close();
  }

  /** Closes the client: {@linkcode Client.close}. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Runs `fn` with a pager over the list, as one call. */
  #overPages<T extends KubeObject, R>(
    resource: ResourceDescriptor,
    options: EachListItemOptions,
    fn: (pager: ListPager<T>, call: Call) => Promise<R>,
  ): Promise<R> {
    const { namespace, pageSize } = options;
    const { signal, timeoutMs, maxRetries } = callOptions(options);
    const what = `GET ${listPath(resource, namespace)}`;
    return this.#requester.call({ what, signal, timeoutMs }, (call) => {
      const pageOf = (page: ListCallOptions, { signal = call.signal }) =>
        listPage<T>(this.#requester, resource, {
          ...page,
          namespace,
          maxRetries,
          within: { ...call, signal },
        });
      return fn(new ListPager<T>(pageOf, { pageSize }), call);
    });
  }

  async #json<T>(request: ApiRequest): Promise<T> {
    const answer = await this.#requester.text(request);
    return parseAnswer<T>(answer.response, answer.body, answer);
  }
}
