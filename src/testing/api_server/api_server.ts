import {
  abortable,
  defaultLogger,
  forkRandom,
  markInProcess,
  realClock,
  realRandom,
  requireSync,
} from "@kubeloop/controller/internal/base";
import {
  type KubeObject,
  type Resource,
  type ResourceDescriptor,
  StatusError,
} from "@kubeloop/controller/types";
import type { ByteSocket } from "@kubeloop/controller/websocket";
import { badRequest, noSuchResource } from "../values/mod.ts";
import type {
  ApiServerClientOptions,
  ApiServerOptions,
  UpgradedConnection,
} from "./api_server_options.ts";
import {
  type AcceptedUpgrade,
  type ServerContext,
  type ServerRequest,
  upgradeOf,
} from "./handlers/mod.ts";
import {
  type FaultInjector,
  readAhead,
  type ResponseWriter,
  serve,
  type ServedApi,
  type ServeOptions,
  targetOf,
} from "./http/mod.ts";
import type { ResourceInfo } from "./kinds/mod.ts";
import { LagInjector } from "./lag/mod.ts";
import { PodLogs } from "./logs/mod.ts";
import type { ResourceMetrics } from "./metrics/mod.ts";
import type { PodProgram } from "./programs/mod.ts";
import { NodeLeases } from "./node_leases.ts";
import { createParts, type ServerParts } from "./server_parts.ts";
import { type ServerState, takeState } from "./server_state.ts";
import { type ServerWrite, serverWrite } from "./server_write.ts";
import { objectKey, type OpenWatch } from "./storage/mod.ts";
import type { StoreView } from "./store_view.ts";

/**
 * A Kubernetes API server in this process. It serves list and watch from an ordered log of changes, with the answers of
 * kube-apiserver v1.35. It needs no socket: {@linkcode ApiServer.fetch} takes the place of `fetch`.
 *
 * No scheduler, kubelet or garbage collector runs on it, unless `startActors` starts them. Requests for features that
 * it does not support get a 501 or 406.
 *
 * @example Create a ConfigMap and list all of them
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
  /** The faults to inject into requests and answers. */
  readonly faults: FaultInjector;
  /** The resource usage of Pods and Nodes, for `metrics.k8s.io`. */
  readonly metrics: ResourceMetrics;
  /** Makes watches and reads late. */
  readonly lag: LagInjector;
  /** The logs of containers: tests and kubelets write them. */
  readonly logs: PodLogs;
  /** The renewals of the Leases of nodes. */
  readonly nodeLeases: NodeLeases;
  /** The programs in the containers of Pods, in the order in which they are asked. `startActors` adds one. */
  readonly programs: PodProgram[];
  /**
   * The options of a client that sends its requests to this server without a socket. The client then has the clock, the
   * random source and the logger of the server, and its informers and controllers inherit them.
   *
   * @example
   * ```ts
   * import { Client } from "@kubeloop/controller/client";
   * import { Namespaces } from "@kubeloop/controller/types";
   * import { ApiServer, VirtualClock } from "@kubeloop/testing";
   * import { assertEquals } from "@std/assert";
   *
   * await using server = new ApiServer({ clock: new VirtualClock() });
   * await using client = new Client(server.clientOptions);
   * assertEquals((await client.list(Namespaces)).items.length, 4);
   * ```
   */
  readonly clientOptions: ApiServerClientOptions;
  readonly #parts: ServerParts;
  readonly #context: ServerContext;
  readonly #writer: ResponseWriter;
  readonly #served = new Set<ServedApi>();
  #closed = false;

  /**
   * Starts a fresh cluster, with what a kube-apiserver creates when it starts on an empty etcd, or continues from
   * `options.state`.
   *
   * @throws {SyntaxError} If the state cannot be read.
   * @throws {RangeError} If a limit is not a whole number of at least 1, or `kubernetes` is a version that the server does
   * not know.
   */
  constructor(options: ApiServerOptions = {}) {
    const { clock = realClock, random = realRandom, logger = defaultLogger } = options;
    markInProcess(this.fetch);
    this.clientOptions = {
      clock,
      freezeObjects: true,
      random: forkRandom(random, "client"),
      logger,
      fetch: this.fetch,
      upgrade: this.upgrade,
    };
    this.#parts = createParts(options);
    this.#context = this.#parts.context;
    this.#writer = this.#parts.writer;
    this.faults = this.#parts.faults;
    this.metrics = this.#context.metrics;
    this.lag = new LagInjector(this.#context.lags);
    this.logs = new PodLogs(this.#context.logs);
    this.nodeLeases = new NodeLeases(this.#context, this.faults);
    this.programs = this.#context.programs;
  }

  /**
   * Answers one request, as `fetch` does over the network. The method is bound, so it can be passed on as a function.
   *
   * @throws The signal's reason, if the request is aborted; a TypeError, if a fault drops the connection or the server
   * is closed.
   */
  readonly fetch = (input: Request | URL | string, init?: RequestInit): Promise<Response> => {
    const request = input instanceof Request && init === undefined
      ? input
      : new Request(input, init);
    return this.#answerFetch(request).then((response) =>
      upgradeOf(response) === undefined
        ? response
        : this.#writer.error(badRequest("Upgrade request required: call upgrade() instead"))
    );
  };

  /**
   * Answers a request to open a WebSocket, as `fetch` answers others: with the client's end of a connection in this process,
   * or with the response that refuses. The method is bound, so it can be passed on as a function.
   *
   * @throws The signal's reason, if the request is aborted; a TypeError, if a fault drops the connection or the server
   * is closed.
   */
  readonly upgrade = async (request: Request): Promise<Response | UpgradedConnection> => {
    const response = await this.#answerFetch(request);
    const accepted = upgradeOf(response);
    if (accepted === undefined) return response;
    // Servers without streams do not load WebSockets.
    const { bytePipe } = await import("@kubeloop/controller/websocket");
    const [near, far] = bytePipe();
    this.#serveUpgraded(accepted, far);
    return { protocol: accepted.protocol, socket: near };
  };

  /** The resource version of the last write, which a list would carry now. */
  get resourceVersion(): string {
    return String(this.#context.storage.revision);
  }

  /** Returns everything that the server holds now, for the `state` option of another server. */
  state(): ServerState {
    return takeState(this.#context.storage);
  }

  /**
   * Calls `listener` synchronously after every write, before any watch gets its event. A listener cannot fail the write:
   * what it throws goes to the logger. The returned function removes the listener.
   */
  onWrite(listener: (write: ServerWrite) => void): () => void {
    return this.#context.storage.onWrite((resource, entry) =>
      requireSync("the listener of onWrite()", listener(serverWrite(resource, entry)))
    );
  }

  /**
   * Calls `journal` synchronously with every write before the server commits it, and so before any response or watch event
   * shows it. If the journal throws, the request fails with a 500 that has the message of the error, and the object
   * is not stored. The returned function removes the journal.
   *
   * @throws {TypeError} If the server has a journal already.
   *
   * @example A disk that is full
   * ```ts
   * import { ApiServer } from "@kubeloop/testing";
   * import { assertEquals } from "@std/assert";
   *
   * await using server = new ApiServer();
   * const remove = server.beforeWrite(() => {
   *   throw new Error("no space left on device");
   * });
   * const create = () =>
   *   server.fetch("http://cluster/api/v1/namespaces/default/configmaps", {
   *     method: "POST",
   *     headers: { "content-type": "application/json" },
   *     body: JSON.stringify({ metadata: { name: "a" } }),
   *   });
   * assertEquals((await create()).status, 500);
   * remove();
   * assertEquals((await create()).status, 201);
   * ```
   */
  beforeWrite(journal: (write: ServerWrite) => void): () => void {
    return this.#context.storage.record((resource, entry) =>
      requireSync("the journal of beforeWrite()", journal(serverWrite(resource, entry)))
    );
  }

  /** The number of open streams of Pods: commands, attachments and forwarded ports. */
  get openStreams(): number {
    return this.#context.streams.size;
  }

  /** The number of open watches. */
  get openWatches(): number {
    return this.#context.watches.size;
  }

  /**
   * Calls `listener` synchronously with every answered request. It cannot change the answer: what it throws goes to the
   * logger. The returned function removes the listener.
   *
   * @example The requests that were refused
   * ```ts
   * import { ApiServer } from "@kubeloop/testing";
   * import { assertEquals } from "@std/assert";
   *
   * await using server = new ApiServer();
   * const refused: string[] = [];
   * const remove = server.onRequest(({ code, message, verb }) => {
   *   if (code >= 400) refused.push(`${verb}: ${message}`);
   * });
   * await server.fetch("http://cluster/api/v1/namespaces/default/configmaps/a");
   * assertEquals(refused, ['get: configmaps "a" not found']);
   * remove();
   * ```
   */
  onRequest(listener: (request: ServerRequest) => void): () => void {
    return this.#parts.pipeline.observers.add((request) =>
      requireSync("the listener of onRequest()", listener(request))
    );
  }

  /** Returns the open watches, the oldest first. */
  watches(): OpenWatch[] {
    return this.#context.watches.list();
  }

  /** Returns the stored objects by resource, without copying or parsing them. */
  stores(): StoreView[] {
    return [...this.#context.storage.entries()].map(([, store]) => store);
  }

  /**
   * Returns copies of the objects of `resource`, in the order of a list. `namespace` restricts them to one namespace.
   *
   * @throws {StatusError} 404, if the server does not serve the resource.
   */
  objects<T extends KubeObject>(resource: Resource<T>, namespace = ""): T[] {
    const info = this.#info(resource);
    const stored = this.#context.storage.store(info.storageName).list(namespace);
    return stored.map((object) => info.read(object) as T);
  }

  /**
   * Returns a copy of one object, or undefined if no object has that name.
   *
   * @throws {StatusError} 404, if the server does not serve the resource.
   */
  get<T extends KubeObject>(resource: Resource<T>, name: string, namespace = ""): T | undefined {
    const info = this.#info(resource);
    const stored = this.#context.storage.store(info.storageName).get(objectKey(namespace, name));
    return stored === undefined ? undefined : info.read(stored) as T;
  }

  /**
   * Returns the number of objects of `resource`. `namespace` restricts them to one namespace.
   *
   * @throws {StatusError} 404, if the server does not serve the resource.
   */
  count(resource: ResourceDescriptor, namespace = ""): number {
    const store = this.#context.storage.store(this.#info(resource).storageName);
    return namespace === "" ? store.size : store.list(namespace).length;
  }

  /**
   * Compacts the history, as etcd does: lists at an earlier resource version and older continue tokens then get a 410.
   *
   * @param options `watches` also clears the watch cache, so that a watch from an earlier resource version gets the 410
   * as an ERROR event. Default: true. A real server keeps its watch cache until it restarts.
   */
  compact(options: { readonly watches?: boolean | undefined } = {}): void {
    const { storage } = this.#context;
    storage.compact();
    if (options.watches ?? true) storage.dropWindows();
  }

  /**
   * Moves the resource version on by one, as a write of some other kind does, and lets the watch caches of all resources
   * know at once, as etcd's progress notifications do. Without it, they learn of such writes when a bookmark is due.
   */
  progress(): void {
    this.#context.storage.progress();
  }

  /**
   * Simulates a restart of the server. The objects and the logs stay, the connection of every open watch, log and stream
   * breaks, and the watch cache starts empty, so that a watch from an earlier resource version gets a 410.
   */
  restart(): void {
    const { logs, storage, streams, watches } = this.#context;
    watches.end("broken");
    logs.endStreams("broken");
    streams.end(new Error("The API server has restarted"));
    storage.dropWindows();
  }

  /**
   * Ends open watches, as their timeout does.
   *
   * @param options `resource` restricts this to the watches of one resource, by its full name (`deployments.apps`);
   * `broken` breaks the connection instead of ending the response.
   */
  closeWatches(
    options: { readonly resource?: string | undefined; readonly broken?: boolean | undefined } = {},
  ): void {
    const { resource, broken = false } = options;
    this.#context.watches.end(
      broken ? "broken" : "closed",
      (name) => resource === undefined || name === resource,
    );
  }

  /**
   * Serves the API on a socket, by default on the loopback interface. Requests for unknown hosts and from foreign web
   * pages are refused, see {@linkcode ServeOptions.acceptHosts}. A request must be complete within 30 seconds, its head
   * within 10.
   *
   * @throws {RangeError} If one of `acceptHosts` is not a host name or an IP address.
   */
  async serve(options: ServeOptions = {}): Promise<ServedApi> {
    const served = await serve({
      answer: (request) => this.#run(request, acceptsGzip(request)),
      upgrade: async (request) => {
        const response = await this.#run(request, acceptsGzip(request));
        const accepted = upgradeOf(response);
        return accepted === undefined ? response : {
          protocol: accepted.protocol,
          serve: (socket) => this.#serveUpgraded(accepted, socket),
        };
      },
      refuse: (error) => this.#writer.error(error),
    }, options);
    this.#served.add(served);
    served.finished.then(() => this.#served.delete(served));
    return served;
  }

  /** Closes the server: ends every watch and log, every pending wait and every socket. Later requests are refused. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#parts.controllers.close();
    this.#parts.caller.close();
    this.#context.watches.end("closed");
    this.#context.logs.endStreams("closed");
    this.#context.streams.end(new Error("The API server is closed"));
    this.#context.lags.close();
    this.#context.storage.close();
    this.faults.close();
    await Promise.all([...this.#served].map((served) => served.close()));
  }

  /** Calls {@linkcode ApiServer.close}. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #answerFetch(request: Request): Promise<Response> {
    if (request.signal.aborted) return Promise.reject(request.signal.reason);
    return this.#context.turns.areGiven ? this.#runInTurn(request) : this.#run(request, false);
  }

  #serveUpgraded(accepted: AcceptedUpgrade, socket: ByteSocket): void {
    const { logger } = this.#context;
    accepted.serve(socket).catch((error) => logger.error("A stream of a Pod failed", error));
  }

  /** Answers a request. `gzip` compresses large answers; the answers of `fetch` are never compressed. */
  #run(request: Request, gzip: boolean): Promise<Response> {
    const answer = (passed: Request) => this.#answer(passed, gzip);
    return abortable(this.faults.run(request, answer), request.signal);
  }

  /**
   * Answers a request in a turn of its own, so that concurrent requests have the same order on every runtime. Only equal
   * requests do not need one, so the body counts too.
   */
  #runInTurn(request: Request): Promise<Response> {
    const { turns } = this.#context;
    const { method, signal } = request;
    const { pathname, search } = targetOf(request).url;
    const what = `2 ${request.headers.get("user-agent") ?? ""} ${method} ${pathname}${search}`;
    const answer = async () => {
      await turns.next(what, await readAhead(request));
      signal.throwIfAborted();
      return await this.faults.run(request, (passed) => this.#answer(passed, false));
    };
    return turns.abortable(answer(), signal, what);
  }

  async #answer(request: Request, gzip: boolean): Promise<Response> {
    if (this.#closed) throw new TypeError("Connection refused: the API server is closed");
    return await this.#context.lags.pass(request, () => this.#parts.pipeline.answer(request, gzip));
  }

  #info(resource: ResourceDescriptor): ResourceInfo {
    const info = this.#context.registry.get(resource);
    if (info === undefined) {
      throw new StatusError({ ...noSuchResource().status });
    }
    return info;
  }
}

/** Reports whether a client accepts gzip. Like the real server, it ignores `gzip` with a quality (`gzip;q=1`). */
function acceptsGzip(request: Request): boolean {
  const accepted = (request.headers.get("accept-encoding") ?? "").split(",");
  return accepted.some((encoding) => encoding.trim() === "gzip");
}
