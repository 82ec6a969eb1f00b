import {
  abortable,
  type Clock,
  defaultLogger,
  type Logger,
  type Random,
  realClock,
  realRandom,
} from "../../base/mod.ts";
import {
  formatTime,
  type KubeObject,
  type Resource,
  type ResourceDescriptor,
  StatusError,
} from "../../types/mod.ts";
import { Authenticator, type TokenUser } from "./authentication.ts";
import { attributesOf, Authorizer } from "./authorization.ts";
import { bootstrapObjects } from "./bootstrap.ts";
import { DefinitionController } from "./definition_controller.ts";
import { discoveryAnswer } from "./discovery.ts";
import type { Answer, Exchange, ResourceExchange, ServerContext } from "./exchange.ts";
import { FaultInjector } from "./faults.ts";
import { healthAnswer } from "./health.ts";
import { impersonate } from "./impersonation.ts";
import { isPretty, negotiateFailure } from "./negotiation.ts";
import { ApiError, failure, methodNotAllowed, noSuchResource } from "./_pure.ts";
import { parseRequestInfo } from "./request_info.ts";
import type { ResourceInfo } from "./resource_info.ts";
import { ResourceRegistry } from "./resource_registry.ts";
import { ResponseWriter } from "./responses.ts";
import { resolveHandler, resourceExchange } from "./router.ts";
import { serve, type ServedApi, type ServeOptions } from "./serve.ts";
import { Storage } from "./storage.ts";
import { objectKey, type StoredObject } from "./stored_object.ts";
import { VERSION_TEXT } from "./version.ts";
import { objectView } from "./views.ts";
import { openWatch } from "./watch_handler.ts";
import { WatchRegistry } from "./watch_registry.ts";
import { randomUuid } from "../../base/mod.ts";

/** Options of an {@linkcode ApiServer}. */
export interface ApiServerOptions {
  /** Where timestamps, timeouts and bookmarks come from. Default: the machine's clock. */
  readonly clock?: Clock;
  /** Where uids and generated names come from. Default: the machine's source. */
  readonly random?: Random;
  /** Where failures of the server itself are told. Default: the console. */
  readonly logger?: Logger;
  /**
   * The bearer tokens that are known, with their users. Default: none, and then everyone is administrator, whatever they
   * send.
   */
  readonly tokens?: Readonly<Record<string, TokenUser>>;
  /** How many changes of each resource are kept for watches and lists of the past. Default: 10,000. */
  readonly historyLimit?: number;
  /** How many events may wait for a slow reader before its watch is ended. Default: 10,000. */
  readonly watchBacklogLimit?: number;
  /** After what time a watch without `timeoutSeconds` ends, at least; at most twice that. Default: 30 minutes. */
  readonly minRequestTimeoutMs?: number;
}

/**
 * A Kubernetes API server in this process: real list and watch on an ordered log of changes, with the answers of
 * kube-apiserver v1.35. It needs no socket; {@linkcode ApiServer.fetch} takes the place of `fetch`.
 *
 * Nothing runs on it: no scheduler, no kubelet, no garbage collector. What it does not support it answers with 501 or 406.
 *
 * @example Create and list
 * ```ts
 * import { ApiServer } from "@kubeloop/controller/testing";
 * import { assertEquals } from "@std/assert";
 *
 * await using server = new ApiServer();
 * const path = "http://cluster/api/v1/namespaces/default/configmaps";
 * const created = await server.fetch(path, {
 *   method: "POST",
 *   headers: { "content-type": "application/json" },
 *   body: JSON.stringify({ metadata: { name: "a" }, data: { key: "value" } }),
 * });
 * assertEquals(created.status, 201);
 * const list = await (await server.fetch(path)).json();
 * assertEquals(list.items.length, 1);
 * ```
 */
export class ApiServer {
  /** Failures that are injected on purpose. */
  readonly faults: FaultInjector;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #authenticator: Authenticator;
  readonly #authorizer: Authorizer;
  readonly #context: ServerContext;
  readonly #definitions: DefinitionController;
  readonly #writer: ResponseWriter;
  readonly #served = new Set<ServedApi>();
  #closed = false;

  /** Starts a fresh cluster: four namespaces and the roles that every cluster has. */
  constructor(options: ApiServerOptions = {}) {
    const { clock = realClock, random = realRandom, logger = defaultLogger } = options;
    this.#clock = clock;
    this.#logger = logger;
    const storage = new Storage(clock, options.historyLimit ?? 10_000);
    this.#authenticator = new Authenticator(options.tokens);
    this.#authorizer = new Authorizer(storage);
    this.#context = {
      clock,
      random,
      logger,
      storage,
      registry: new ResourceRegistry(),
      watches: new WatchRegistry(),
      authorizer: this.#authorizer,
      minRequestTimeoutMs: options.minRequestTimeoutMs ?? 1_800_000,
      watchBacklogLimit: options.watchBacklogLimit ?? 10_000,
      written: (resource, _type, stored, previous) => this.#onWrite(resource, stored, previous),
      remove: (resource, store, stored) => {
        const last = storage.remove(store, stored, resource.encodeStored);
        this.#invalidate(resource);
        return last;
      },
    };
    this.#definitions = new DefinitionController(this.#context);
    this.#writer = new ResponseWriter(clock, random);
    this.faults = new FaultInjector(clock, this.#writer);
    this.#bootstrap(random);
  }

  /**
   * Answers one request, as `fetch` would over the network: bound, so that it can be handed around.
   *
   * @throws The signal's reason, when the request is aborted; a TypeError, when a fault drops the connection.
   */
  readonly fetch = (input: Request | URL | string, init?: RequestInit): Promise<Response> => {
    const request = input instanceof Request && init === undefined
      ? input
      : new Request(input, init);
    if (request.signal.aborted) return Promise.reject(request.signal.reason);
    return this.#run(request, false);
  };

  /** The revision of the last write: what a list would carry now. */
  get resourceVersion(): string {
    return String(this.#context.storage.revision);
  }

  /** How many watches are open. */
  get openWatches(): number {
    return this.#context.watches.size;
  }

  /** Copies of the objects of `resource`, in the order of a list; `namespace` restricts them. */
  objects<T extends KubeObject>(resource: Resource<T>, namespace = ""): T[] {
    const info = this.#info(resource);
    const stored = this.#context.storage.store(info.storageName).list(namespace);
    return stored.map((object) => info.read(object) as T);
  }

  /** A copy of one object; undefined when there is none of that name. */
  get<T extends KubeObject>(resource: Resource<T>, name: string, namespace = ""): T | undefined {
    const info = this.#info(resource);
    const stored = this.#context.storage.store(info.storageName).get(objectKey(namespace, name));
    return stored === undefined ? undefined : info.read(stored) as T;
  }

  /**
   * Forgets the past, as etcd's compaction does: continue tokens and lists of earlier revisions answer 410.
   *
   * @param options `watches` also forgets what watches could start from, so that one from an earlier revision gets the 410
   * as an ERROR event. Default: true; the real server keeps that window until it restarts.
   */
  compact(options: { watches?: boolean } = {}): void {
    const { storage } = this.#context;
    storage.compact();
    if (options.watches ?? true) {
      for (const store of storage.stores()) store.dropWindow(storage.revision);
    }
  }

  /**
   * Restarts the server: the objects stay, every open watch breaks off in the middle, and the changes before now are
   * forgotten, so that watches from an earlier revision get a 410.
   */
  restart(): void {
    const { storage, watches } = this.#context;
    watches.end("broken");
    for (const store of storage.stores()) store.dropWindow(storage.revision);
  }

  /**
   * Ends open watches, as a timeout does.
   *
   * @param options `resource` picks those of one resource, by its full name (`deployments.apps`); `broken` cuts the
   * connection instead of ending the answer.
   */
  closeWatches(options: { resource?: string; broken?: boolean } = {}): void {
    const { resource, broken = false } = options;
    this.#context.watches.end(
      broken ? "broken" : "closed",
      (name) => resource === undefined || name === resource,
    );
  }

  /** Serves the API on a socket, on the loopback interface unless told otherwise. */
  async serve(options: ServeOptions = {}): Promise<ServedApi> {
    const served = await serve((request) => this.#run(request, acceptsGzip(request)), options);
    this.#served.add(served);
    served.finished.then(() => this.#served.delete(served));
    return served;
  }

  /** Ends every watch, every wait and every socket. Requests that come later are refused. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#definitions.close();
    this.#context.watches.end("closed");
    this.#context.storage.close();
    this.faults.close();
    await Promise.all([...this.#served].map((served) => served.close()));
  }

  /** {@linkcode ApiServer.close}. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** `gzip`: whether large answers are compressed; what `fetch` answers is not, as it never is. */
  #run(request: Request, gzip: boolean): Promise<Response> {
    const answer = (passed: Request) => this.#answer(passed, gzip);
    return abortable(this.faults.run(request, answer), request.signal);
  }

  async #answer(request: Request, gzip: boolean): Promise<Response> {
    if (this.#closed) throw new TypeError("Connection refused: the API server is closed");
    const url = new URL(request.url);
    try {
      const response = await this.#dispatch(request, url, gzip);
      if (request.method !== "HEAD") return response;
      return new Response(null, { status: response.status, headers: response.headers });
    } catch (error) {
      const failure = ApiError.is(error) ? error : this.#unexpected(request, error);
      const style = negotiateFailure(request.headers, url.searchParams);
      const response = this.#writer.error(failure, style);
      if (request.method !== "HEAD") return response;
      return new Response(null, { status: response.status, headers: response.headers });
    }
  }

  #unexpected(request: Request, error: unknown): ApiError {
    if (request.signal.aborted) throw request.signal.reason;
    this.#logger.error(`The API server failed on ${request.method} ${request.url}`, error);
    return failure(500, `Internal error occurred: ${(error as Error)?.message}`, {
      reason: "InternalError",
      details: { causes: [{ message: String((error as Error)?.message) }] },
    });
  }

  async #dispatch(request: Request, url: URL, gzip: boolean): Promise<Response> {
    const { headers, method } = request;
    const query = url.searchParams;
    const info = parseRequestInfo(method, url.pathname, query);
    const caller = this.#authenticator.authenticate(headers);
    const user = impersonate(headers, caller, this.#authorizer);
    this.#authorizer.require(user, attributesOf(info));
    const exchange: Exchange = {
      server: this.#context,
      request,
      method,
      query,
      info,
      user,
      warnings: [],
    };
    if (!info.isResource) return this.#nonResource(exchange, url);
    if (this.#context.registry.versions(info.group).length === 0) {
      return this.#writer.pageNotFound();
    }
    const resourced = resourceExchange(exchange);
    const resolved = resolveHandler(resourced);
    if (resolved.watch) {
      const { body, contentType } = await openWatch(resourced);
      return this.#writer.stream(body, contentType);
    }
    return this.#write(resourced, await resolved.handler(resourced), gzip);
  }

  #nonResource({ info, method, query, request }: Exchange, url: URL): Response {
    const { path } = info;
    const health = healthAnswer(path, query, this.#writer);
    if (health !== undefined) return health;
    if (method !== "GET" && path !== "/apis") throw methodNotAllowed();
    if (path === "/version" || path === "/version/") {
      return this.#writer.json(200, VERSION_TEXT, { pretty: true });
    }
    const discovery = discoveryAnswer({
      path,
      host: url.host,
      pretty: isPretty(request.headers, query),
      request,
      registry: this.#context.registry,
      writer: this.#writer,
    });
    return discovery ?? this.#writer.pageNotFound();
  }

  #write(exchange: ResourceExchange, answer: Answer, gzip: boolean): Response {
    if (answer.type === "empty") return this.#writer.empty();
    const { representation, resource, warnings } = exchange;
    // Lists come here as they are to be shown; single objects may be asked for in another view.
    const text = answer.type === "object"
      ? objectView(resource, answer.text, representation, this.#clock.wallNow())
      : answer.text;
    const response = representation.format === "yaml"
      ? this.#writer.yaml(answer.code, text, gzip)
      : this.#writer.json(answer.code, text, { pretty: representation.pretty, gzip });
    for (const warning of warnings) {
      response.headers.append("Warning", `299 - ${JSON.stringify(warning)}`);
    }
    return response;
  }

  #onWrite(resource: ResourceInfo, stored: StoredObject, previous: StoredObject | undefined): void {
    this.#invalidate(resource);
    if (resource.storageName === "customresourcedefinitions.apiextensions.k8s.io") {
      this.#definitions.onWrite(resource, stored, previous);
    }
  }

  #invalidate(resource: ResourceInfo): void {
    if (resource.group === "rbac.authorization.k8s.io") this.#authorizer.invalidate();
  }

  #info(resource: ResourceDescriptor): ResourceInfo {
    const info = this.#context.registry.get(resource);
    if (info === undefined) {
      throw new StatusError({ ...noSuchResource().status });
    }
    return info;
  }

  #bootstrap(random: Random): void {
    const { registry, storage } = this.#context;
    const byName = new Map(registry.all().map((info) => [info.storageName, info]));
    const creationTimestamp = formatTime(this.#clock.wallNow());
    for (const { resource, object } of bootstrapObjects()) {
      const info = byName.get(resource)!;
      object.metadata = { ...object.metadata, uid: randomUuid(random), creationTimestamp };
      storage.put(storage.store(resource), object, info.encodeStored);
    }
  }
}

function acceptsGzip(request: Request): boolean {
  return /\bgzip\b/.test(request.headers.get("accept-encoding") ?? "");
}
