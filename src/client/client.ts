import {
  type CacheEnvironment,
  checkedElsewhere,
  describeValue,
  ENVIRONMENT_CHECKS,
  forgetIncomplete,
  inherit,
  isFlag,
  isIncomplete,
  isInProcess,
  isSignal,
  isTimeLimit,
  type OptionChecks,
  parseJson,
  redactError,
  redactOf,
  requireOptions,
  safeLogger,
} from "../base/mod.ts";
import { ListPager } from "../pager/mod.ts";
import type {
  ApplyConfiguration,
  DeepReadonly,
  DefinedResource,
  KubeList,
  KubeObject,
  ListerWatcher,
  ListWatchScope,
  Resource,
  ResourceDescriptor,
  Status,
  Stored,
} from "../types/mod.ts";
import { type ClientOptions, requireClientOptions } from "./client_options.ts";
import { type ClientPermissions, permissionsOf } from "./client_permissions.ts";
import { createRequester } from "./create_requester.ts";
import { deleteCollection } from "./delete_collection.ts";
import {
  type DiscoveredResource,
  Discovery,
  type GroupVersionKind,
  type Unstructured,
} from "./discovery/mod.ts";
import { listerWatcher, listPage, type ListPageOptions } from "./lister_watcher.ts";
import { type LogsOptions, logsRequest, LogStream } from "./logs/mod.ts";
import type { ObjectInput, Returned, SubjectOf, SubresourceFor } from "./object_types.ts";
import {
  acceptObject,
  type ApiRequest,
  APPLY_CONTENT_TYPE,
  type ApplyOptions,
  type Call,
  CALL_CHECKS,
  type CallOptions,
  callOptions,
  type ClientObserver,
  creationPath,
  deleteBody,
  type DeleteCollectionOptions,
  type DeleteOptions,
  type EachListItemOptions,
  type GetOptions,
  guardedObserver,
  isProtobuf,
  joinObservers,
  type ListCallOptions,
  listPath,
  listQuery,
  type Middleware,
  objectBody,
  objectPath,
  type ObservedOptions,
  parseObject,
  patchBody,
  type Patches,
  type PatchOptions,
  type PatchType,
  type PodReference,
  type RawOptions,
  rawPath,
  type Requester,
  requireMiddleware,
  requireObjectName,
  type StatusPatchOptions,
  type StatusWriteOptions,
  toQuery,
  type WatchCallOptions,
  type WriteOptions,
  writeQuery,
  type WrittenObject,
} from "./request/mod.ts";
import type {
  AttachOptions,
  AttachResult,
  ContainerStreams,
  ExecOptions,
  ExecResult,
  OpenAttachOptions,
  OpenExecOptions,
  OpenPortOptions,
  PortConnection,
  PortForward,
  PortForwardOptions,
  PortInput,
} from "./streams/mod.ts";
import {
  type ObjectPredicate,
  waitForObject,
  type WaitForOptions,
  type WaitPredicate,
} from "./wait/mod.ts";
import { WatchStream } from "./watch/mod.ts";

/** The default is far above the size of real objects: the API server refuses requests above 3 MiB. */
const DEFAULT_MAX_WATCH_LINE_BYTES = 16 * 1024 * 1024;

/** The time limit of each request of discovery, which several callers may wait for. */
const DISCOVERY_TIMEOUT_MS = 30_000;

const SCOPE_CHECKS: OptionChecks<ListWatchScope> = {
  namespace: checkedElsewhere,
  labelSelector: checkedElsewhere,
  fieldSelector: checkedElsewhere,
};

const OBSERVED_CHECKS: OptionChecks<ObservedOptions> = {
  signal: isSignal,
  metrics: ENVIRONMENT_CHECKS.metrics,
  dryRun: isFlag,
  unlimited: isFlag,
};

const WAIT_CHECKS: OptionChecks<WaitForOptions> = {
  namespace: checkedElsewhere,
  signal: isSignal,
  timeoutMs: isTimeLimit,
};

/** The parts of a client. A derived client shares most of them. */
interface ClientParts {
  readonly namespace: string | undefined;
  readonly environment: CacheEnvironment;
  readonly requiredPermissions: ClientPermissions;
  readonly requester: Requester;
  readonly observer: ClientObserver | undefined;
  readonly discovery: Discovery;
  readonly maxWatchLineBytes: number;
  /** Whether all writes are dry runs. */
  readonly dryRun: boolean;
}

/**
 * A client of one API server.
 *
 * The methods for objects take a {@linkcode Resource}, which determines the URL path and the type of the result. A
 * method rejects with
 *
 * - a `StatusError` if the server returns an error,
 * - a `TypeError` or a `RangeError`, before any request, if an argument is invalid. A missing or empty name or
 *   namespace never leads to a request for another path,
 * - a `TerminalError` if the client is closed,
 * - a `DOMException` named `TimeoutError` after `timeoutMs`, and `signal.reason` after an abort,
 * - an `Error` that says what failed and what to check, if there is no connection.
 *
 * The client retries requests as client-go does, by default at most ten times. It retries a response with status 429 or
 * 5xx after the number of seconds in its `Retry-After` header, and does not retry it without that header. It retries a
 * read after a second if the connection was reset or closed.
 *
 * A client holds a pool of connections, so it must be closed.
 *
 * @example
 * ```ts
 * import { Client } from "@kubeloop/controller/client";
 * import { Pods } from "@kubeloop/controller/types";
 * import { assertEquals } from "@std/assert";
 *
 * // A stub server. To connect to a cluster, pass `await loadConfig()` instead of `fetch`.
 * const pod = { metadata: { name: "web", namespace: "default" } };
 * const fetch = () => Promise.resolve(Response.json(pod));
 *
 * await using client = new Client({ fetch });
 * const found = await client.get(Pods, "web", { namespace: "default" });
 * assertEquals(found.metadata.name, "web");
 * ```
 */
export class Client implements AsyncDisposable {
  /** The namespace from the configuration. No method uses it as a default. */
  readonly namespace: string | undefined;
  /** The clock, random source, logger and metrics. Informers of this client inherit them. */
  readonly environment: CacheEnvironment;
  /** The permissions that the connection needs from a sandbox. Empty if the client was given a `fetch`. */
  readonly requiredPermissions: ClientPermissions;
  readonly #parts: ClientParts;
  readonly #requester: Requester;

  /**
   * Creates a client of `options.server`, or of the server behind `options.fetch`. The constructor makes no request.
   *
   * @param options The server and the credentials, as `loadConfig()` returns them, or a `fetch`.
   * @throws {TypeError} If both `server` and `fetch` are missing, or an option is invalid: for example a malformed URL,
   * a certificate that is not PEM, or a token that would be sent unencrypted.
   * @throws {RangeError} If a number in the options is out of range.
   */
  constructor(options: ClientOptions);
  constructor(options: ClientOptions | undefined, derived?: ClientParts) {
    const parts = derived ?? partsOf(options);
    this.namespace = parts.namespace;
    this.environment = parts.environment;
    this.requiredPermissions = parts.requiredPermissions;
    this.#parts = parts;
    this.#requester = parts.requester;
  }

  /**
   * Lists all objects of a resource, or one page of them.
   *
   * Without `limit` and `continue`, `list` reads all objects in pages of `pageSize`, and the result has no continue
   * token. All pages show the state at the resource version of the first page. If that resource version expires before
   * the last page is read, `list` reads all objects again in one request.
   *
   * With `limit` or `continue`, `list` makes a single request and returns one page of at most `limit` objects. The
   * page's `metadata.continue` is the token of the next page. `limit: 0` means no limit.
   *
   * The client sets `kind` and `apiVersion` of each object, which the server omits in lists of built-in kinds.
   *
   * @typeParam T The interface of the objects.
   * @param resource The resource.
   * @param options The namespace and the selectors, and limits of the call. Default: the objects of all namespaces.
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
    requireOptions("Client.list()", options, CALL_CHECKS.list);
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
        "Cannot use pageSize with limit or continue: pageSize is for reading all pages, limit and continue for one",
      );
    }
    return await listPage<Stored<T>>(this.#requester, resource, options);
  }

  /**
   * Calls a function with each object of a resource in order, while it reads the next pages. It reads a limited number
   * of pages ahead, so a long list is never completely in memory.
   *
   * An error of `fn` ends the call. After an abort, the end of `timeoutMs` or {@linkcode Client.close}, the call does
   * not wait for `fn` any longer, and does not call `fn` again.
   *
   * @typeParam T The interface of the objects.
   * @param resource The resource.
   * @param fn Called with one object at a time. If it returns a promise, the next call waits for the promise.
   * @param options The namespace and the selectors, and limits of the call. Default: the objects of all namespaces.
   * @throws {StatusError} With the reason `Expired`, if the resource version of the first page has expired.
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
    requireOptions("Client.eachListItem()", options, CALL_CHECKS.eachListItem);
    const { limit, continue: token }: ListCallOptions = options;
    if (limit !== undefined || token !== undefined) {
      throw new TypeError(
        "Cannot use limit or continue with eachListItem(), which reads all pages: set their size with pageSize",
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
          // The pager checks the signal only between pages.
          call.signal.throwIfAborted();
          return fn(item);
        }, call),
    );
  }

  /**
   * Reads an object or one of its subresources.
   *
   * @typeParam S The interface of the subresource, if the subresource has its own kind.
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
   * @example A subresource with its own kind
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
    requireOptions("Client.get()", options, CALL_CHECKS.get);
    const { subresource, resourceVersion } = options;
    return await this.#json(resource, {
      method: "GET",
      path: objectPath(resource, name, options),
      query: toQuery({ resourceVersion }),
      accept: subresource === undefined ? acceptObject(resource) : undefined,
      ...callOptions(options),
    });
  }

  /**
   * Creates an object, or posts to a subresource such as `eviction` or `binding`.
   *
   * `apiVersion` and `kind` are optional. If the object has `metadata.generateName` instead of a name, the server
   * generates the name. Only a review, such as a `SelfSubjectReview`, needs neither, since the server does not store
   * it.
   *
   * @typeParam S The interface of the subresource, if the subresource has its own kind.
   * @typeParam T The interface of the object.
   * @typeParam I The interface of the object before the server sets defaults, if the resource has a schema.
   * @param resource The resource.
   * @param object The object.
   * @param options The namespace, if the object does not have one, and options of the write.
   * @returns The object as stored by the server. After a dry run, it has no resource version.
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
  async create<
    S extends KubeObject = never,
    T extends KubeObject = KubeObject,
    I extends KubeObject = T,
  >(
    resource: Resource<T> & Pick<DefinedResource<T, I>, "inputType">,
    object: ObjectInput<NoInfer<SubjectOf<S, I>>>,
    options: WriteOptions & SubresourceFor<S> = {} as WriteOptions & SubresourceFor<S>,
  ): Promise<Returned<NoInfer<S>, T>> {
    requireOptions("Client.create()", options, CALL_CHECKS.write);
    const written = object as KubeObject;
    return await this.#json(resource, {
      method: "POST",
      path: creationPath(resource, written, options),
      query: writeQuery(this.#tried(options)),
      body: objectBody(resource, written, options.subresource),
      ...callOptions(options),
    }, this.#writeOf(options, written.metadata?.name, written));
  }

  /**
   * Replaces an object, or a subresource such as `scale`.
   *
   * If `object` has a `resourceVersion`, the server rejects the update with a conflict (409) when the stored object has
   * changed since that version.
   *
   * @typeParam S The interface of the subresource, if the subresource has its own kind.
   * @typeParam T The interface of the object.
   * @typeParam I The interface of the object before the server sets defaults, if the resource has a schema.
   * @param resource The resource.
   * @param object The complete object. It may be a read-only object from a cache, or a spread of one.
   * @param options The namespace, if the object does not have one, and options of the write.
   * @returns The object as stored by the server.
   * @throws {TypeError} If a cache has read the object from a newer server, without fields that the update would remove.
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
  async update<
    S extends KubeObject = never,
    T extends KubeObject = KubeObject,
    I extends KubeObject = T,
  >(
    resource: Resource<T> & Pick<DefinedResource<T, I>, "inputType">,
    object: ObjectInput<NoInfer<SubjectOf<S, I>>>,
    options: WriteOptions & SubresourceFor<S> = {} as WriteOptions & SubresourceFor<S>,
  ): Promise<Returned<NoInfer<S>, T>> {
    requireOptions("Client.update()", options, CALL_CHECKS.write);
    const written = object as KubeObject;
    const name = requireObjectName(resource, written);
    requireComplete(resource, written);
    return await this.#json(resource, {
      method: "PUT",
      path: objectPath(resource, name, options, written),
      query: writeQuery(this.#tried(options)),
      body: objectBody(resource, written, options.subresource),
      ...callOptions(options),
    }, this.#writeOf(options, name, written));
  }

  /**
   * Replaces the status of an object through its `status` subresource.
   *
   * @typeParam T The interface of the object.
   * @param resource The resource.
   * @param object The complete object. The server stores only its status.
   * @param options The namespace, if the object does not have one, and options of the write.
   * @returns The object as stored by the server.
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
    requireOptions("Client.updateStatus()", options, CALL_CHECKS.statusWrite);
    return await this.update(resource, object, { ...options, subresource: "status" });
  }

  /**
   * Patches an object or one of its subresources. `options.type` is the type of the patch. For server-side apply, use
   * {@linkcode Client.apply}.
   *
   * @typeParam S The interface of the subresource, if the subresource has its own kind.
   * @typeParam T The interface of the object.
   * @typeParam K The type of the patch.
   * @param resource The resource.
   * @param name The name of the object.
   * @param patch The fields to change, or a list of operations if the type is `json`.
   * @param options The namespace, the type of the patch, and options of the write.
   * @returns The object as stored by the server.
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
    requireOptions("Client.patch()", options, CALL_CHECKS.patch);
    return await this.#json(resource, {
      method: "PATCH",
      path: objectPath(resource, name, options),
      query: writeQuery(this.#tried(options)),
      ...patchBody(patch, options.type),
      accept: options.subresource === undefined ? acceptObject(resource) : undefined,
      ...callOptions(options),
    }, this.#writeOf(options, name));
  }

  /**
   * Patches the status of an object through its `status` subresource.
   *
   * @typeParam T The interface of the object.
   * @typeParam K The type of the patch.
   * @param resource The resource.
   * @param name The name of the object.
   * @param patch The patch of the object: `{ status: … }`.
   * @param options The namespace, the type of the patch, and options of the write.
   * @returns The object as stored by the server.
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
    requireOptions("Client.patchStatus()", options, CALL_CHECKS.statusPatch);
    const ofStatus: PatchOptions<K> = { ...options, subresource: "status" };
    return await this.patch<never, T, K>(resource, name, patch, ofStatus);
  }

  /**
   * Creates or updates an object by server-side apply. The field manager `options.fieldManager` then owns the fields of
   * `object`.
   *
   * The server removes fields that the field manager owned before and that `object` does not contain. Changing a field
   * that another field manager owns is a conflict (409), unless `options.force` is true.
   *
   * @typeParam T The interface of the object.
   * @param resource The resource.
   * @param object The name of the object, and the fields to set and own.
   * @param options The field manager, the namespace, if the object does not have one, and options of the write.
   * @returns The object as stored by the server.
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
    requireOptions("Client.apply()", options, CALL_CHECKS.apply);
    const applied = object as DeepReadonly<KubeObject> as KubeObject;
    const name = requireObjectName(resource, applied);
    return await this.#json(resource, {
      method: "PATCH",
      path: objectPath(resource, name, options, applied),
      query: writeQuery(this.#tried(options)),
      body: objectBody(resource, applied, options.subresource),
      contentType: APPLY_CONTENT_TYPE,
      ...callOptions(options),
    }, this.#writeOf(options, name, applied));
  }

  /**
   * Deletes an object.
   *
   * @typeParam T The interface of the object.
   * @param resource The resource.
   * @param name The name of the object.
   * @param options The namespace, and options of the deletion.
   * @returns The object, if the deletion waits for finalizers or for containers to stop. Otherwise a Status.
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
   * // Do not delete a newer object of the same name.
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
    requireOptions("Client.delete()", options, CALL_CHECKS.delete);
    return await this.#json(resource, {
      method: "DELETE",
      path: objectPath(resource, name, options),
      body: deleteBody(this.#tried(options)),
      ...callOptions(options),
    }, this.#writeOf(options, name));
  }

  /**
   * Deletes the objects of a resource that match the selectors, or all objects if there are no selectors.
   *
   * A namespaced resource needs `namespace` or `allNamespaces: true`. If a selector is present, it must not be
   * undefined or empty. The API deletes collections in a single namespace. To delete in all namespaces, the client
   * lists the objects and deletes the collection of one namespace after the other. It stops at the first error and
   * leaves the remaining namespaces unchanged.
   *
   * @typeParam T The interface of the objects.
   * @param resource The resource.
   * @param options The namespace and the selectors, and options of the deletion.
   * @returns The objects that the server deleted or marked for deletion.
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
    requireOptions("Client.deleteCollection()", options, CALL_CHECKS.deleteCollection);
    return await deleteCollection(this.#requester, resource, this.#tried(options));
  }

  /**
   * Opens a watch: a stream of events, which the server ends after some minutes.
   *
   * Without a `resourceVersion`, the watch starts with an ADDED event for every existing object.
   *
   * @typeParam T The interface of the objects.
   * @param resource The resource.
   * @param options The namespace, the selectors and the resource version to start from. Default: the objects of all
   * namespaces.
   * @returns The stream of events. The promise resolves when the server accepts the watch, without waiting for an
   * event.
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
    requireOptions("Client.watch()", options, CALL_CHECKS.watch);
    return await this.#watch(resource, options);
  }

  /**
   * Waits until the object of one name meets a predicate, and returns it: one list and one watch of that object. The
   * object need not exist yet.
   *
   * There are predicates for the usual waits: `rolledOut`, `complete`, `condition("Ready")`, `established` and
   * `deleted()`. Any function will do: it gets the object, or undefined while there is none, and returns true, or
   * false, or a text that says what is missing. If it throws, the wait ends with that error.
   *
   * The wait continues when the server ends the watch, fails with 5xx or 429, or cannot be reached, with the pauses of
   * a reflector; and when the resource version has expired. It rejects at once
   *
   * - with a `StatusError` if the server refuses the request for good: 401, 403, or 404 if it does not know the
   *   resource,
   * - with a `TerminalError` if the client is closed,
   * - with `signal.reason`, and with the error of the predicate.
   *
   * After `timeoutMs` it rejects with a `DOMException` named `TimeoutError`, as in
   * `Deployment default/web was not rolled out within 30000 ms: 1 of 3 replicas are updated`.
   *
   * @typeParam T The interface of the object.
   * @param resource The resource.
   * @param name The name of the object.
   * @param predicate Says whether the wait is over.
   * @param options The namespace, a signal and a time limit.
   * @returns The object in the state that met the predicate; undefined if the predicate accepts that there is none.
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
   * const waiting = client.waitFor(
   *   ConfigMaps,
   *   "a",
   *   (map) => map?.data?.color === "red" || `its color is ${map?.data?.color}`,
   *   { namespace, timeoutMs: 10_000 },
   * );
   * await client.create(ConfigMaps, { metadata: { name: "a", namespace }, data: { color: "red" } });
   * assertEquals((await waiting)?.data, { color: "red" });
   * ```
   */
  waitFor<T extends KubeObject>(
    resource: Resource<T>,
    name: string,
    predicate: ObjectPredicate<NoInfer<T>>,
    options?: WaitForOptions,
  ): Promise<Stored<T>>;
  /** Waits until the object of one name meets a predicate, which may accept that there is none. */
  waitFor<T extends KubeObject>(
    resource: Resource<T>,
    name: string,
    predicate: WaitPredicate<NoInfer<T>>,
    options?: WaitForOptions,
  ): Promise<Stored<T> | undefined>;
  async waitFor<T extends KubeObject>(
    resource: Resource<T>,
    name: string,
    predicate: WaitPredicate<T>,
    options: WaitForOptions = {},
  ): Promise<Stored<T> | undefined> {
    requireOptions("Client.waitFor()", options, WAIT_CHECKS);
    const what = `waitFor of ${objectPath(resource, name, options)}`;
    const { signal, timeoutMs } = callOptions(options);
    const requests = {
      environment: this.environment,
      list: (list: ListCallOptions) => this.list(resource, list),
      watch: (watch: WatchCallOptions) => this.watch(resource, watch),
    };
    return await this.#requester.call(
      { what, signal },
      (call) =>
        waitForObject(requests, { resource, name }, predicate, {
          namespace: options.namespace,
          signal: call.signal,
          timeoutMs,
        }),
    ).catch((error) => {
      // It may say what is missing, in the words of a condition.
      throw redactError(redactOf(safeLogger(this.environment.logger)), error);
    });
  }

  /**
   * Returns the lists and watches of one resource, for a reflector or an informer.
   *
   * The client does not retry these requests, because reflectors have their own backoff.
   *
   * @typeParam T The interface of the objects.
   * @param resource The resource.
   * @param scope The namespace and the selectors. Default: all objects.
   * @throws {TypeError} If the resource or the scope is invalid.
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
    requireOptions("Client.listerWatcher()", scope, SCOPE_CHECKS);
    return listerWatcher<T>(
      {
        environment: this.environment,
        list: <R extends KubeObject = never>(options: ListPageOptions<R>) =>
          listPage<T, R>(this.#requester, resource, options),
        watch: (options) => this.#watch(resource, options),
      },
      resource,
      scope,
    );
  }

  /**
   * Finds out how the server calls a resource: of a kind that is known only at run time, or of a name that a person
   * typed. All methods take the result.
   *
   * A kind is looked up in exactly that version. A name may be what kubectl accepts: the plural, the singular, a short
   * name or the kind, alone, with a group or with a version and a group, as in `pods`, `po`, `deploy.apps` and
   * `deployments.v1.apps`. If several groups have it, the first group is taken, and of a group the preferred version.
   *
   * The client reads the discovery of the server once, and again if a kind or a name is missing: after ten times in a
   * row at most every ten seconds.
   *
   * @typeParam T The interface of the objects. Default: objects with any fields.
   * @param what The kind, as in the object that has it, or a name.
   * @param options Limits of the call.
   * @returns The resource.
   * @throws {NoMatchError} If the server has no such resource. The message names similar ones.
   *
   * @example
   * ```ts
   * import { Client } from "@kubeloop/controller/client";
   * import { ApiServer } from "@kubeloop/testing";
   * import { assertEquals } from "@std/assert";
   *
   * await using server = new ApiServer();
   * await using client = new Client({ fetch: server.fetch });
   * const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data: {} };
   *
   * const resource = await client.resourceFor(object);
   * await client.create(resource, object, { namespace: "default" });
   * const { items } = await client.list(await client.resourceFor("cm"), { namespace: "default" });
   * assertEquals(items.map(({ metadata }) => metadata.name), ["a"]);
   * ```
   */
  async resourceFor<T extends KubeObject = Unstructured>(
    what: GroupVersionKind | string,
    options: Pick<CallOptions, "signal" | "timeoutMs"> = {},
  ): Promise<DiscoveredResource<NoInfer<T>>> {
    requireOptions("Client.resourceFor()", options, CALL_CHECKS.discovery);
    const call = { what: "resourceFor()", ...callOptions(options) };
    const found = this.#requester.call(
      call,
      ({ signal }) => this.#parts.discovery.resourceFor(what, signal),
    );
    return await found as DiscoveredResource<KubeObject> as DiscoveredResource<T>;
  }

  /**
   * Finds the resources of names, as a command line gets them: separated by commas, each as in
   * {@linkcode Client.resourceFor} or a category such as `all`.
   *
   * @param names The names.
   * @param options Limits of the call.
   * @returns The resources, in the order of the names, each once.
   * @throws {NoMatchError} If the server has neither a resource nor a category of a name.
   *
   * @example
   * ```ts
   * import { Client } from "@kubeloop/controller/client";
   * import { ApiServer } from "@kubeloop/testing";
   * import { assertEquals } from "@std/assert";
   *
   * await using server = new ApiServer();
   * await using client = new Client({ fetch: server.fetch });
   * const found = await client.resourcesFor("po,svc");
   * assertEquals(found.map(({ plural }) => plural), ["pods", "services"]);
   * ```
   */
  async resourcesFor(
    names: string,
    options: Pick<CallOptions, "signal" | "timeoutMs"> = {},
  ): Promise<DiscoveredResource[]> {
    requireOptions("Client.resourcesFor()", options, CALL_CHECKS.discovery);
    const call = { what: "resourcesFor()", ...callOptions(options) };
    return await this.#requester.call(
      call,
      ({ signal }) => this.#parts.discovery.resourcesFor(names, signal),
    );
  }

  /**
   * Returns all resources of the server, as its discovery describes them: each in each version that is served, the
   * preferred version first. Resources of a CustomResourceDefinition that is newer than the last discovery may be
   * missing.
   *
   * @param options Limits of the call.
   * @returns The resources.
   *
   * @example
   * ```ts
   * import { Client } from "@kubeloop/controller/client";
   * import { ApiServer } from "@kubeloop/testing";
   * import { assert } from "@std/assert";
   *
   * await using server = new ApiServer();
   * await using client = new Client({ fetch: server.fetch });
   * const resources = await client.resources();
   * assert(resources.some(({ plural, group }) => plural === "deployments" && group === "apps"));
   * ```
   */
  async resources(
    options: Pick<CallOptions, "signal" | "timeoutMs"> = {},
  ): Promise<readonly DiscoveredResource[]> {
    requireOptions("Client.resources()", options, CALL_CHECKS.discovery);
    const call = { what: "resources()", ...callOptions(options) };
    return await this.#requester.call(
      call,
      ({ signal }) => this.#parts.discovery.resources(signal),
    );
  }

  /**
   * Reads the log of a container, line by line.
   *
   * Nothing is sent before the first line is asked for. Then the request has the credentials, retries and errors of
   * every other one. To follow all Pods of a selector through restarts and broken connections, use `followLogs`.
   *
   * @param pod The name of the Pod, with a namespace in the options; or the Pod.
   * @param options The container, the lines to read, whether to follow new lines, and a signal.
   * @returns The lines, to be iterated once.
   * @throws {TypeError} If the namespace is missing, or an option is not what it should be. No request is made.
   * @throws {RangeError} If a number of the options is out of range.
   *
   * @example
   * ```ts
   * import { Client } from "@kubeloop/controller/client";
   * import { ApiServer } from "@kubeloop/testing";
   * import { Pods } from "@kubeloop/controller/types";
   * import { assertEquals } from "@std/assert";
   *
   * await using server = new ApiServer();
   * await using client = new Client({ fetch: server.fetch });
   * const pod = await client.create(Pods, {
   *   metadata: { name: "web", namespace: "default" },
   *   spec: { containers: [{ name: "main", image: "nginx" }] },
   * });
   * server.logs.write("default/web", { text: "listening\nready\n" });
   *
   * const lines: string[] = [];
   * for await (const line of client.logs(pod, { tailLines: 1 })) lines.push(line);
   * assertEquals(lines, ["ready"]);
   * ```
   */
  logs(pod: PodReference, options: LogsOptions = {}): LogStream {
    const { request, maxLineBytes } = logsRequest(pod, options);
    const open = (stop: AbortSignal) => {
      const signal = request.signal === undefined ? stop : AbortSignal.any([request.signal, stop]);
      return this.#requester.open({ ...request, signal });
    };
    return new LogStream({ open, maxLineBytes, follow: options.follow === true });
  }

  /**
   * Reads a path that is not a resource, or that does not return JSON, such as `/version` and `/readyz`.
   *
   * The answer is read to its end. For the log of a Pod use {@linkcode Client.logs}: a followed log has no end.
   *
   * @param path The path, which begins with a single slash.
   * @param options The query parameters, and limits of the call.
   * @returns The body of the response, as text.
   * @throws {TypeError} If `path` does not begin with a single slash, or contains a query or a segment `.` or `..`.
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
    requireOptions("Client.getRaw()", options, CALL_CHECKS.raw);
    const { body } = await this.#requester.text({
      method: "GET",
      path: rawPath(path),
      query: toQuery(options.query ?? {}),
      accept: options.accept,
      ...callOptions(options),
    });
    return body;
  }

  /**
   * Runs a command in a container, and returns its exit code and its output: `kubectl exec`.
   *
   * A command that ends with another exit code than 0 has run, so it is a result and no error. The call rejects with
   *
   * - a `StatusError` if the server refuses, or the command cannot run: no such Pod, container or program,
   * - an `Error` if the connection is lost before the command has ended,
   * - a `RangeError` if the output is longer than `maxOutputBytes`,
   * - the error of a stream or source that was given.
   *
   * A server before Kubernetes 1.30 cannot tell a command the end of its `stdin`, so the call refuses `stdin` there.
   *
   * @param pod The name of the Pod, or the Pod.
   * @param command The command and its arguments. No shell runs it, unless it is one.
   * @param options The namespace, the container, the streams, and limits of the call.
   *
   * @example
   * ```ts
   * import { Client } from "@kubeloop/controller/client";
   * import { Pods } from "@kubeloop/controller/types";
   * import { ApiServer, type PodProgram, startActors } from "@kubeloop/testing";
   * import { assertEquals } from "@std/assert";
   *
   * const program: PodProgram = {
   *   exec: async ({ stdin, stdout }) => {
   *     for await (const bytes of stdin) await stdout.write(bytes);
   *   },
   * };
   * await using server = new ApiServer({ programs: [program] });
   * await using client = new Client(server.clientOptions);
   * await using _actors = startActors(server);
   * const namespace = "default";
   * await client.create(Pods, {
   *   metadata: { name: "web", namespace },
   *   spec: { containers: [{ name: "web", image: "web" }] },
   * });
   * await client.waitFor(Pods, "web", (pod) => pod?.status?.phase === "Running", { namespace });
   *
   * const { exitCode, stdout } = await client.exec("web", ["cat"], { namespace, stdin: "hello" });
   * assertEquals([exitCode, stdout], [0, "hello"]);
   * ```
   */
  async exec(
    pod: PodReference,
    command: readonly string[],
    options: ExecOptions = {},
  ): Promise<ExecResult> {
    const { execIn } = await import("./streams/mod.ts");
    return await execIn(this.#requester, pod, command, options);
  }

  /**
   * Starts a command in a container, and returns its streams. {@linkcode Client.exec} is simpler if the command runs
   * to its end.
   *
   * @param pod The name of the Pod, or the Pod.
   * @param command The command and its arguments. No shell runs it, unless it is one.
   * @param options The namespace, the container, and which streams to open.
   * @throws {StatusError} If the server refuses.
   *
   * @example
   * ```ts
   * import type { Client } from "@kubeloop/controller/client";
   *
   * async function echo(client: Client, text: string): Promise<string> {
   *   const namespace = "default";
   *   await using streams = await client.openExec("web", ["cat"], { namespace, stdin: true });
   *   const writer = streams.stdin!.getWriter();
   *   await writer.write(new TextEncoder().encode(text));
   *   await writer.close();
   *   return await new Response(streams.stdout).text();
   * }
   * ```
   */
  async openExec(
    pod: PodReference,
    command: readonly string[],
    options: OpenExecOptions = {},
  ): Promise<ContainerStreams> {
    const { openExec } = await import("./streams/mod.ts");
    return await openExec(this.#requester, pod, command, options);
  }

  /**
   * Attaches to a container until it ends, and returns what it has written since: `kubectl attach`. It rejects as
   * {@linkcode Client.exec} does. A container has no exit code here; the status of its Pod has it.
   *
   * @param pod The name of the Pod, or the Pod.
   * @param options The namespace, the container, the streams, and limits of the call.
   *
   * @example
   * ```ts
   * import type { Client } from "@kubeloop/controller/client";
   *
   * async function outputOf(client: Client, pod: string): Promise<string> {
   *   const { stdout } = await client.attach(pod, { namespace: "default" });
   *   return stdout;
   * }
   * ```
   */
  async attach(pod: PodReference, options: AttachOptions = {}): Promise<AttachResult> {
    const { attachTo } = await import("./streams/mod.ts");
    return await attachTo(this.#requester, pod, options);
  }

  /**
   * Attaches to a container, and returns its streams.
   *
   * @param pod The name of the Pod, or the Pod.
   * @param options The namespace, the container, and which streams to open.
   * @throws {StatusError} If the server refuses.
   *
   * @example
   * ```ts
   * import type { Client } from "@kubeloop/controller/client";
   *
   * async function outputOf(client: Client, pod: string): Promise<string> {
   *   await using streams = await client.openAttach(pod, { namespace: "default" });
   *   return await new Response(streams.stdout).text();
   * }
   * ```
   */
  async openAttach(pod: PodReference, options: OpenAttachOptions = {}): Promise<ContainerStreams> {
    const { openAttach } = await import("./streams/mod.ts");
    return await openAttach(this.#requester, pod, options);
  }

  /**
   * Listens on local ports, and forwards each connection to a port of a Pod: `kubectl port-forward`.
   *
   * Each connection has a WebSocket of its own. A connection that fails is closed and logged as a warning; the forward
   * stays open until it is closed.
   *
   * @param pod The name of the Pod, or the Pod.
   * @param ports The port of the Pod, or several.
   * @param options The namespace, the address to listen on, and how long to wait for the Pod.
   * @returns The forward, which listens. It must be closed.
   * @throws {Error} If a local port cannot be listened on.
   *
   * @example
   * ```ts
   * import type { Client } from "@kubeloop/controller/client";
   *
   * async function index(client: Client): Promise<string> {
   *   await using forward = await client.portForward("web", 80, { namespace: "default" });
   *   const [{ localPort } = { localPort: 0 }] = forward.ports;
   *   return await (await fetch(`http://127.0.0.1:${localPort}/`)).text();
   * }
   * ```
   */
  async portForward(
    pod: PodReference,
    ports: PortInput | readonly PortInput[],
    options: PortForwardOptions = {},
  ): Promise<PortForward> {
    const { portForward } = await import("./streams/mod.ts");
    return await portForward(this.#requester, pod, ports, options);
  }

  /**
   * Opens one connection to a port of a Pod, without a local port.
   *
   * @param pod The name of the Pod, or the Pod.
   * @param port The port.
   * @param options The namespace, and a signal that ends the connection.
   * @throws {StatusError} If the server refuses.
   *
   * @example
   * ```ts
   * import type { Client } from "@kubeloop/controller/client";
   *
   * async function greeting(client: Client): Promise<string> {
   *   await using connection = await client.openPort("web", 25, { namespace: "default" });
   *   return await new Response(connection.readable).text();
   * }
   * ```
   */
  async openPort(
    pod: PodReference,
    port: number,
    options: OpenPortOptions = {},
  ): Promise<PortConnection> {
    const { openPort } = await import("./streams/mod.ts");
    return await openPort(this.#requester, pod, port, options);
  }

  /**
   * Returns a client that uses the connections, limits and credentials of this one, and tells an observer what it does:
   * what a controller needs to know of a reconcile. Closing it does nothing.
   *
   * @param observer Called with the requests and the written objects.
   * @param options A signal for its requests, dry run, rate limit and metrics.
   * @returns The client.
   *
   * @example
   * ```ts
   * import { Client } from "@kubeloop/controller/client";
   * import { Pods } from "@kubeloop/controller/types";
   * import { assertEquals } from "@std/assert";
   *
   * await using client = new Client({ fetch: () => Promise.resolve(Response.json({ metadata: {} })) });
   * const requests: string[] = [];
   * const observed = client.observed({
   *   ended: ({ method, path, status }) => void requests.push(`${method} ${path}: ${status}`),
   * });
   * await observed.get(Pods, "web", { namespace: "default" });
   * assertEquals(requests, ["GET /api/v1/namespaces/default/pods/web: 200"]);
   * ```
   */
  observed(observer: ClientObserver, options: ObservedOptions = {}): Client {
    requireOptions("Client.observed()", options, OBSERVED_CHECKS);
    const parts = this.#parts;
    const guarded = guardedObserver(observer, this.#requester.logger);
    const { metrics, dryRun = false } = options;
    return new DerivedClient(undefined, {
      ...parts,
      environment: metrics === undefined ? parts.environment : { ...parts.environment, metrics },
      requester: this.#requester.observed({ ...options, observer: guarded }),
      observer: joinObservers(parts.observer, guarded),
      dryRun: parts.dryRun || dryRun,
    });
  }

  /**
   * Returns a client that uses the connections, limits and credentials of this one, and whose requests pass through
   * more middleware, after that of this one. Closing it does nothing. To have middleware from the start, use the option
   * `middleware` of the client.
   *
   * @param middleware The middleware, the first one first.
   * @returns The client.
   * @throws {TypeError} If one of them is not a function.
   *
   * @example A client that cannot write
   * ```ts
   * import { Client, type Middleware } from "@kubeloop/controller/client";
   * import { ConfigMaps, isForbidden } from "@kubeloop/controller/types";
   * import { ApiServer } from "@kubeloop/testing";
   * import { assert } from "@std/assert";
   *
   * const readOnly: Middleware = (request, next) =>
   *   request.method === "GET" ? next(request) : new Response("read-only", { status: 403 });
   *
   * await using server = new ApiServer();
   * await using client = new Client(server.clientOptions);
   * const reader = client.use(readOnly);
   * const object = { metadata: { name: "a", namespace: "default" } };
   * assert(isForbidden(await reader.create(ConfigMaps, object).catch((error) => error)));
   * await client.create(ConfigMaps, object);
   * await reader.get(ConfigMaps, "a", { namespace: "default" });
   * ```
   */
  use(...middleware: readonly Middleware[]): Client {
    requireMiddleware(middleware);
    const requester = this.#requester.using(middleware);
    const discovery = discoveryThrough(requester);
    return new DerivedClient(undefined, { ...this.#parts, requester, discovery });
  }

  /**
   * Closes the client. Running requests and watches end with a `TerminalError`, and later calls reject with one. It is
   * safe to call `close` more than once.
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

  /** Opens a watch; with a `timeoutMs` of `Infinity`, its answer may begin at any time. */
  async #watch<T extends KubeObject>(
    resource: Resource<T>,
    options: WatchCallOptions & Pick<CallOptions, "timeoutMs"> & Pick<ApiRequest, "readStatus">,
  ): Promise<WatchStream<Stored<T>>> {
    const path = listPath(resource, options.namespace);
    const query = listQuery(options);
    query.set("watch", "true");
    const { signal, timeoutMs, maxRetries } = callOptions(options);
    const answer = await this.#requester.open({
      method: "GET",
      path,
      query,
      accept: options.accept ?? acceptObject(resource),
      readStatus: options.readStatus,
      signal,
      timeoutMs,
      maxRetries,
      expects: "watch",
    });
    return new WatchStream({
      body: answer.response.body,
      maxLineBytes: this.#parts.maxWatchLineBytes,
      isProtobuf: isProtobuf(answer.response),
      method: answer.method,
      url: answer.url,
      redact: answer.redact,
      signal: answer.signal,
      onClose: answer.release,
    });
  }

  /** Runs `fn` with a pager of the list, as a single call: the time limit covers all pages. */
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

  /** Describes a write for the observer. */
  #writeOf(
    options: {
      readonly namespace?: string | undefined;
      readonly subresource?: string | undefined;
      readonly fieldManager?: string | undefined;
      readonly dryRun?: boolean | undefined;
    },
    name: string | undefined,
    object?: KubeObject,
  ): Omit<WrittenObject, "method" | "resource" | "object"> {
    const { dryRun = false, namespace = object?.metadata?.namespace, subresource } = this.#tried(
      options,
    );
    const fieldManager = options.fieldManager ?? this.#requester.fieldManager;
    return { name, namespace, subresource, fieldManager, dryRun };
  }

  #tried<O extends { readonly dryRun?: boolean | undefined }>(options: O): O {
    return this.#parts.dryRun ? { ...options, dryRun: true } : options;
  }

  async #json<T>(
    resource: ResourceDescriptor,
    request: ApiRequest,
    write?: Omit<WrittenObject, "method" | "resource" | "object">,
  ): Promise<T> {
    const answer = await this.#requester.text(request);
    const object = parseObject<T>(answer.response, answer.body, answer);
    forgetIncomplete((object as Partial<KubeObject>).metadata ?? {});
    const { method } = request;
    if (write !== undefined) this.#parts.observer?.wrote?.({ ...write, method, resource, object });
    return object;
  }
}

/**
 * Checks that an update would remove no fields of a newer server, which a cache has not decoded.
 *
 * @throws {TypeError} If it would.
 */
function requireComplete({ kind }: ResourceDescriptor, { metadata }: KubeObject): void {
  if (!isIncomplete(metadata)) return;
  throw new TypeError(
    `Cannot update ${kind} "${metadata.name}" as a cache has read it: the server is newer and has fields that this ` +
      "version of kubeloop does not know, which the update would remove. Patch or apply it, or change the result of client.get()",
  );
}

/** The constructor with the parameter that only this file uses. */
const DerivedClient = Client as unknown as new (options: undefined, parts: ClientParts) => Client;

function partsOf(options: unknown): ClientParts {
  requireClientOptions(options);
  const { fetch, maxWatchLineBytes = DEFAULT_MAX_WATCH_LINE_BYTES, namespace } = options;
  const { freezeObjects = isInProcess(fetch) } = options;
  const requester = createRequester(options);
  return {
    namespace,
    // Informers and controllers log names and kinds from the server, so they get the logger that redacts.
    environment: inherit({ ...options, freezeObjects, logger: requester.logger }, undefined),
    requiredPermissions: permissionsOf(fetch === undefined ? options : {}),
    requester,
    observer: undefined,
    discovery: discoveryThrough(requester),
    maxWatchLineBytes,
    dryRun: false,
  };
}

function discoveryThrough(requester: Requester): Discovery {
  const read = async (path: string, accept: string): Promise<unknown> => {
    const timeoutMs = DISCOVERY_TIMEOUT_MS;
    const { body } = await requester.text({ method: "GET", path, accept, timeoutMs });
    try {
      return parseJson(body);
    } catch {
      // A load balancer may answer with a page. The caller reports it.
      return undefined;
    }
  };
  return new Discovery(read, { clock: requester.clock, redact: redactOf(requester.logger) });
}
