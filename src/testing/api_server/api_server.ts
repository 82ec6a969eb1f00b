import {
  abortable,
  type Clock,
  defaultLogger,
  type Logger,
  type Random,
  randomUuid,
  realClock,
  realRandom,
} from "@kubeloop/controller/base";
import {
  formatTime,
  type KubeObject,
  type Resource,
  type ResourceDescriptor,
  StatusError,
} from "@kubeloop/controller/types";
import { Authenticator, Authorizer, type TokenUser } from "./access/mod.ts";
import { bootstrapObjects } from "./bootstrap.ts";
import {
  allocateAddresses,
  DefinitionController,
  RequestPipeline,
  type ServerContext,
} from "./handlers/mod.ts";
import {
  FaultInjector,
  ResponseWriter,
  serve,
  type ServedApi,
  type ServeOptions,
} from "./http/mod.ts";
import {
  prepareForCreate,
  type ResourceInfo,
  ResourceRegistry,
  updateManagedFields,
} from "./kinds/mod.ts";
import { noSuchResource } from "./values/mod.ts";
import { restoreState, type ServerState, takeState } from "./server_state.ts";
import { objectKey, Storage, type StoredObject, WatchRegistry } from "./storage/mod.ts";

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
  /** What an earlier server held, from its {@linkcode ApiServer.state}. Default: a fresh cluster. */
  readonly state?: ServerState;
}

/**
 * A Kubernetes API server in this process: real list and watch on an ordered log of changes, with the answers of
 * kube-apiserver v1.35. It needs no socket; {@linkcode ApiServer.fetch} takes the place of `fetch`.
 *
 * Nothing runs on it, no scheduler, kubelet or garbage collector, unless `startActors` starts them. What it does not support it answers with 501 or 406.
 *
 * @example Create and list
 * ```ts
 * import { ApiServer } from "@kubeloop/testing";
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
  readonly #pipeline: RequestPipeline;
  readonly #authorizer: Authorizer;
  readonly #context: ServerContext;
  readonly #definitions: DefinitionController;
  readonly #served = new Set<ServedApi>();
  #closed = false;

  /**
   * Starts a fresh cluster, with four namespaces and the roles that every cluster has, or one that goes on from a state.
   *
   * @throws {SyntaxError} When the state cannot be read.
   * @throws {RangeError} When a limit is not a whole number of at least 1.
   */
  constructor(options: ApiServerOptions = {}) {
    const { clock = realClock, random = realRandom, logger = defaultLogger } = options;
    this.#clock = clock;
    const storage = new Storage(clock, atLeastOne("historyLimit", options.historyLimit, 10_000));
    this.#authorizer = new Authorizer(storage);
    this.#context = {
      clock,
      random,
      logger,
      storage,
      registry: new ResourceRegistry(),
      watches: new WatchRegistry(),
      authorizer: this.#authorizer,
      minRequestTimeoutMs: atLeastOne(
        "minRequestTimeoutMs",
        options.minRequestTimeoutMs,
        1_800_000,
      ),
      watchBacklogLimit: atLeastOne("watchBacklogLimit", options.watchBacklogLimit, 10_000),
      written: (resource, stored, previous) => this.#onWrite(resource, stored, previous),
      remove: (resource, store, stored) => {
        const last = storage.remove(store, stored, resource.encodeStored);
        this.#invalidate(resource);
        return last;
      },
    };
    this.#definitions = new DefinitionController(this.#context);
    const writer = new ResponseWriter(clock, random);
    const authenticator = new Authenticator(options.tokens);
    this.#pipeline = new RequestPipeline(this.#context, authenticator, writer);
    this.faults = new FaultInjector(clock, writer);
    if (options.state === undefined) this.#bootstrap(random);
    else restoreState(options.state, storage, this.#context.registry);
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

  /** Everything it holds now, for the `state` of another server that goes on from here. */
  state(): ServerState {
    return takeState(this.#context.storage);
  }

  /** Calls `listener` after every write, within it; the returned function ends that. */
  onWrite(listener: () => void): () => void {
    return this.#context.storage.onWrite(listener);
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
    return await this.#pipeline.answer(request, gzip);
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
    const now = formatTime(this.#clock.wallNow());
    const manager = "kube-apiserver";
    for (const { resource, object } of bootstrapObjects()) {
      const info = byName.get(resource)!;
      const next = updateManagedFields({ kind: info.kind, next: object, manager, now });
      next.metadata = { ...next.metadata, uid: randomUuid(random), creationTimestamp: now };
      const store = storage.store(resource);
      const prepared = prepareForCreate(info.kind, next);
      const ready = resource === "services"
        ? allocateAddresses(prepared, { kind: info.kind, store })
        : prepared;
      storage.put(store, ready, info.encodeStored);
    }
  }
}

function atLeastOne(name: string, value: number | undefined, standard: number): number {
  const limit = value ?? standard;
  if (Number.isSafeInteger(limit) && limit >= 1) return limit;
  throw new RangeError(
    `Cannot start an API server: "${name}" is ${limit}, must be a whole number of at least 1`,
  );
}

function acceptsGzip(request: Request): boolean {
  return /\bgzip\b/.test(request.headers.get("accept-encoding") ?? "");
}
