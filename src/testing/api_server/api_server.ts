import { randomBytes } from "node:crypto";
import {
  abortable,
  type Clock,
  defaultLogger,
  forkRandom,
  type Logger,
  markInProcess,
  type Random,
  randomInt,
  realClock,
  realRandom,
  requireFunctions,
  requireSync,
} from "@kubeloop/controller/base";
import {
  type KubeObject,
  type Resource,
  type ResourceDescriptor,
  StatusError,
} from "@kubeloop/controller/types";
import type { ByteSocket } from "@kubeloop/controller/websocket";
import {
  AccountTokens,
  Authenticator,
  Authorizer,
  KEY_BYTES,
  TokenKey,
  type TokenUser,
} from "./access/mod.ts";
import { fillStorage } from "./bootstrap/mod.ts";
import { Controllers } from "./controllers/mod.ts";
import {
  type AcceptedUpgrade,
  RequestPipeline,
  type ServerContext,
  upgradeOf,
} from "./handlers/mod.ts";
import { OpenStreams, type PodProgram, requirePrograms } from "./programs/mod.ts";
import {
  FaultInjector,
  readAhead,
  ResponseWriter,
  serve,
  type ServedApi,
  type ServeOptions,
} from "./http/mod.ts";
import { type ResourceInfo, ResourceRegistry } from "./kinds/mod.ts";
import { LagInjector, type LagOptions, lagOptionsOf, Lags } from "./lag/mod.ts";
import { LogStore, PodLogs } from "./logs/mod.ts";
import { METRICS_RESOURCES, ResourceMetrics } from "./metrics/mod.ts";
import { DEFAULT_MINOR, isMinor, type KubernetesMinor, MINOR_VERSIONS } from "./schema/mod.ts";
import { badRequest, noSuchResource } from "../values/mod.ts";
import { type ServerWrite, serverWrite } from "./server_write.ts";
import { restoreState, type ServerState, takeState } from "./server_state.ts";
import {
  AdmissionWebhooks,
  ObjectConverter,
  WebhookCaller,
  type WebhookHandler,
} from "./webhooks/mod.ts";
import { objectKey, Storage, Turns, WatchRegistry } from "./storage/mod.ts";

const MIB = 1024 * 1024;

/** The states whose roles have all the rules that they gather. A simulation starts thousands of servers from the same. */
const complete = new WeakSet<ServerState>();

/** Options of an {@linkcode ApiServer}. */
export interface ApiServerOptions {
  /**
   * The minor version of Kubernetes: its kinds and fields, for tests of a controller against an older or a newer cluster.
   * Everything else is as in the default version. Default: `1.35`.
   *
   * @example A kind that an older cluster lacks
   * ```ts
   * import { ApiServer } from "@kubeloop/testing";
   * import { assertEquals } from "@std/assert";
   *
   * await using server = new ApiServer({ kubernetes: "1.34" });
   * const version = await (await server.fetch("http://cluster/version")).json();
   * assertEquals(version.gitVersion, "v1.34.2");
   * ```
   */
  readonly kubernetes?: KubernetesMinor | undefined;
  /** The clock for timestamps, timeouts and bookmarks. Default: the system clock. */
  readonly clock?: Clock | undefined;
  /**
   * The random source for UIDs, generated names, audit IDs, watch timeouts and lag. A `SeededRandom` is forked for each
   * purpose and for the client, so that one more request does not change the random choices of others. Default:
   * `Math.random`.
   */
  readonly random?: Random | undefined;
  /** The logger for failures of the server itself. Default: the console. */
  readonly logger?: Logger | undefined;
  /**
   * The users by bearer token. With tokens, a request without one is anonymous and an unknown one gets a 401. Default:
   * no tokens; every request then acts as a cluster administrator, whatever credentials it carries, unless that is a token
   * of a ServiceAccount that the server itself has issued.
   */
  readonly tokens?: Readonly<Record<string, TokenUser>> | undefined;
  /**
   * The number of changes of each resource to keep, for watches and lists at an earlier resource version. Default:
   * 10,000.
   */
  readonly historyLimit?: number | undefined;
  /**
   * The memory for these changes of all resources together, in bytes. Without it, a few hundred changes of large objects
   * would take a gigabyte. When it is full, the oldest changes are dropped, and a watch or list from before them gets a
   * 410, as after a compaction. Default: 100 MiB.
   */
  readonly historyBytesLimit?: number | undefined;
  /** The number of events that may wait for a slow client before the server ends its watch. Default: 10,000. */
  readonly watchBacklogLimit?: number | undefined;
  /**
   * The bytes of the events that may wait for all slow clients together. When there are more, the server ends the watch
   * that is furthest behind. Default: 100 MiB.
   */
  readonly watchBacklogBytesLimit?: number | undefined;
  /**
   * The bytes that are kept of the log of each instance of a container. When there are more, the oldest lines are dropped, as
   * by the rotation of a kubelet. Default: 10 MiB.
   */
  readonly containerLogBytesLimit?: number | undefined;
  /**
   * The shortest lifetime of a watch without `timeoutSeconds`, in milliseconds. The actual lifetime is random, less
   * than twice as long. Default: 30 minutes.
   */
  readonly minRequestTimeoutMs?: number | undefined;
  /**
   * Puts the server into a realistic world, in which everything is somewhat late: requests, answers, the events of
   * watches, and the state that reads at `resourceVersion=0` show. `true` uses the defaults of {@linkcode LagOptions}.
   * Default: false, a server that is never late.
   *
   * @example A client does not see its own writes at once
   * ```ts
   * import { Client, ConfigMaps, SharedInformerFactory } from "@kubeloop/controller";
   * import { ApiServer, SeededRandom, VirtualClock } from "@kubeloop/testing";
   * import { assert } from "@std/assert";
   *
   * const clock = new VirtualClock();
   * await using server = new ApiServer({ clock, random: new SeededRandom(1), lag: true });
   * await using client = new Client(server.clientOptions);
   * const informer = new SharedInformerFactory(client).informer(ConfigMaps);
   * const stop = new AbortController();
   * const running = informer.run({ signal: stop.signal });
   * await clock.advance(1000);
   *
   * let missing = 0;
   * for (let i = 0; i < 100; i++) {
   *   const object = { metadata: { name: `c${i}` } };
   *   await clock.run(client.create(ConfigMaps, object, { namespace: "default" }));
   *   if (informer.indexer.getByKey(`default/c${i}`) === undefined) missing++;
   * }
   * assert(missing > 0);
   *
   * stop.abort();
   * await clock.run(running);
   * ```
   */
  readonly lag?: boolean | LagOptions | undefined;
  /**
   * Answers the calls of admission webhooks and conversion webhooks: requests to
   * `https://<service>.<namespace>.svc:<port>/<path>?timeout=10s`, or to the URL of the webhook. No socket and no
   * certificate is needed. The handler may send requests to this server itself. Default: none; a call then fails as one
   * to a host that does not answer, and the webhook's failure policy decides.
   *
   * @example A webhook that denies
   * ```ts
   * import { ApiServer } from "@kubeloop/testing";
   * import { assertEquals } from "@std/assert";
   *
   * await using server = new ApiServer({
   *   webhooks: async (request) => {
   *     const { apiVersion, kind, request: { uid } } = await request.json();
   *     const response = { uid, allowed: false, status: { code: 403, message: "not today" } };
   *     return Response.json({ apiVersion, kind, response });
   *   },
   * });
   * const post = (path: string, body: unknown) =>
   *   server.fetch(`http://cluster${path}`, {
   *     method: "POST",
   *     headers: { "content-type": "application/json" },
   *     body: JSON.stringify(body),
   *   });
   * await post("/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations", {
   *   metadata: { name: "policy" },
   *   webhooks: [{
   *     name: "policy.example.com",
   *     clientConfig: { service: { namespace: "default", name: "policy" } },
   *     rules: [{ operations: ["CREATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"] }],
   *     sideEffects: "None",
   *     admissionReviewVersions: ["v1"],
   *   }],
   * });
   * const answer = await post("/api/v1/namespaces/default/configmaps", { metadata: { name: "a" } });
   * assertEquals(answer.status, 403);
   * const { message } = await answer.json();
   * assertEquals(message, 'admission webhook "policy.example.com" denied the request: not today');
   * ```
   */
  readonly webhooks?: WebhookHandler | undefined;
  /**
   * The programs in the containers of Pods: functions that answer `exec`, `attach` and `portForward`. If several programs
   * match a Pod, the first one is used. The Pod must run on a node that has an address, as with `startActors`. Default: none; such requests
   * then get a 501.
   *
   * @example A command
   * ```ts
   * import { Client, Nodes, Pods } from "@kubeloop/controller";
   * import { ApiServer } from "@kubeloop/testing";
   * import { assertEquals } from "@std/assert";
   *
   * await using server = new ApiServer({
   *   programs: [{
   *     labels: { app: "web" },
   *     exec: async ({ command, stdout }) => {
   *       await stdout.write(`${command.slice(1).join(" ")}\n`);
   *       return command[0] === "echo" ? 0 : 127;
   *     },
   *   }],
   * });
   * await using client = new Client(server.clientOptions);
   * await client.create(Nodes, {
   *   metadata: { name: "node" },
   *   status: { addresses: [{ type: "InternalIP", address: "10.0.0.1" }] },
   * });
   * const pod = await client.create(Pods, {
   *   metadata: { name: "web-0", namespace: "default", labels: { app: "web" } },
   *   spec: { nodeName: "node", containers: [{ name: "web", image: "web" }] },
   * });
   * await client.patchStatus(Pods, "web-0", { status: { phase: "Running" } }, {
   *   namespace: "default",
   * });
   *
   * const { exitCode, stdout } = await client.exec(pod, ["echo", "hello"]);
   * assertEquals([exitCode, stdout], [0, "hello\n"]);
   * ```
   */
  readonly programs?: readonly PodProgram[] | undefined;
  /**
   * The state to start from, as {@linkcode ApiServer.state} of an earlier server returned it. Default: a fresh cluster.
   */
  readonly state?: ServerState | undefined;
}

/** A WebSocket that the server has opened in this process. */
export interface UpgradedConnection {
  /** The subprotocol. */
  readonly protocol: string;
  /** The end of the client. */
  readonly socket: ByteSocket;
}

/** The options of a client of an {@linkcode ApiServer}. */
export interface ApiServerClientOptions {
  /** Answers requests: {@linkcode ApiServer.fetch}. */
  readonly fetch: (input: Request | URL | string, init?: RequestInit) => Promise<Response>;
  /** Opens WebSockets: {@linkcode ApiServer.upgrade}. */
  readonly upgrade: (request: Request) => Promise<Response | UpgradedConnection>;
  /** The clock of the server. */
  readonly clock: Clock;
  /** A random source for clients: a fork of the server's, if that can be forked. */
  readonly random: Random;
  /** The logger of the server. */
  readonly logger: Logger;
  /** The informers of the client freeze the objects that they cache: a test must notice a change of one. */
  readonly freezeObjects: boolean;
}

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
  readonly #clock: Clock;
  readonly #writer: ResponseWriter;
  readonly #caller: WebhookCaller;
  readonly #pipeline: RequestPipeline;
  readonly #authorizer: Authorizer;
  readonly #context: ServerContext;
  readonly #controllers: Controllers;
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
    this.#clock = clock;
    markInProcess(this.fetch);
    this.clientOptions = {
      clock,
      freezeObjects: true,
      random: forkRandom(random, "client"),
      logger,
      fetch: this.fetch,
      upgrade: this.upgrade,
    };
    // A server that continues from a state must not generate the uids in it again.
    const own = forkRandom(random, `server from ${options.state?.resourceVersion ?? "1"}`);
    const uids = forkRandom(own, "uids");
    const turns = new Turns(clock, forkRandom(own, "turns"));
    const storage = new Storage(clock, turns, {
      entries: atLeastOne("historyLimit", options.historyLimit, 10_000),
      bytes: atLeastOne("historyBytesLimit", options.historyBytesLimit, 100 * MIB),
    });
    const lags = new Lags(
      { clock, random: forkRandom(own, "lag"), logger, storage },
      lagOptionsOf(options.lag),
    );
    this.lag = new LagInjector(lags);
    const logs = new LogStore({
      clock,
      storage,
      turns,
      maxBytes: atLeastOne("containerLogBytesLimit", options.containerLogBytesLimit, 10 * MIB),
    });
    this.logs = new PodLogs(logs);
    this.#authorizer = new Authorizer(storage);
    requireFunctions({ webhooks: options.webhooks });
    const registry = new ResourceRegistry(minorOf(options.kubernetes));
    const metrics = new ResourceMetrics(() => registry.setAggregated(METRICS_RESOURCES));
    this.metrics = metrics;
    const handler = options.webhooks;
    const caller = new WebhookCaller({ clock, turns, logger, storage, handler });
    const converter = new ObjectConverter(caller, forkRandom(own, "conversion webhooks"));
    const reviews = forkRandom(own, "admission webhooks");
    this.#caller = caller;
    const accounts = new AccountTokens({
      storage,
      clock,
      ids: forkRandom(own, "tokens"),
      newKey: () => new TokenKey(keySeed(options.random)),
    });
    this.#context = {
      clock,
      random: {
        uids,
        names: forkRandom(own, "names"),
        timeouts: forkRandom(own, "timeouts of watches"),
      },
      turns,
      logger,
      storage,
      lags,
      logs,
      registry,
      converter,
      programs: requirePrograms(options.programs),
      streams: new OpenStreams(),
      admission: new AdmissionWebhooks({
        logger,
        storage,
        registry,
        converter,
        caller,
        authorizer: this.#authorizer,
        random: reviews,
      }),
      watches: new WatchRegistry(
        atLeastOne("watchBacklogBytesLimit", options.watchBacklogBytesLimit, 100 * MIB),
      ),
      accounts,
      authenticator: new Authenticator(options.tokens, accounts),
      authorizer: this.#authorizer,
      metrics,
      minRequestTimeoutMs: atLeastOne(
        "minRequestTimeoutMs",
        options.minRequestTimeoutMs,
        1_800_000,
      ),
      watchBacklogLimit: atLeastOne("watchBacklogLimit", options.watchBacklogLimit, 10_000),
      written: (resource, stored, previous) =>
        this.#controllers.onWrite(resource, stored, previous),
      remove: (resource, store, stored) => {
        const last = storage.remove(store, stored, resource.encodeStored);
        this.#controllers.onRemove(resource);
        if (resource.subresource("log") !== undefined) logs.forget(last);
        return last;
      },
    };
    this.#controllers = new Controllers(this.#context);
    this.#writer = new ResponseWriter(clock, forkRandom(own, "audit"));
    this.#pipeline = new RequestPipeline(this.#context, this.#writer);
    this.faults = new FaultInjector(
      clock,
      this.#writer,
      (callback) => turns.queue(callback, "1 fault"),
    );
    if (options.state === undefined) fillStorage(storage, registry, { clock, random: own });
    else {
      restoreState(options.state, storage, registry);
      this.#controllers.resume();
      this.#gatherRules(options.state);
    }
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

  /** Calls `listener` synchronously after every write. The returned function removes the listener. */
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
   * know, as etcd's progress notifications do. A server where nothing is ever written sends no bookmarks; after this, open
   * watches get theirs when they are due.
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
    this.#controllers.close();
    this.#caller.close();
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
    const { pathname, search } = new URL(request.url);
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
    return await this.#context.lags.pass(request, () => this.#pipeline.answer(request, gzip));
  }

  /** Fills the rules of aggregated ClusterRoles, unless an earlier server found them complete in this state. */
  #gatherRules(state: ServerState): void {
    if (complete.has(state)) return;
    const { storage } = this.#context;
    const before = storage.revision;
    this.#controllers.aggregateRoles();
    if (storage.revision === before && Object.isFrozen(state.objects)) complete.add(state);
  }

  #info(resource: ResourceDescriptor): ResourceInfo {
    const info = this.#context.registry.get(resource);
    if (info === undefined) {
      throw new StatusError({ ...noSuchResource().status });
    }
    return info;
  }
}

/**
 * Returns the seed of the key that signs the tokens of service accounts. A server that continues from a state with the
 * same random source takes the tokens that were issued before.
 */
function keySeed(random: Random | undefined): Uint8Array {
  // The output of Math.random() can be computed from public UIDs.
  if (random === undefined) return randomBytes(KEY_BYTES);
  const source = forkRandom(random, "key of service account tokens");
  return Uint8Array.from({ length: KEY_BYTES }, () => randomInt(source, 256));
}

function minorOf(version: string = DEFAULT_MINOR): KubernetesMinor {
  if (isMinor(version)) return version;
  const known = MINOR_VERSIONS.map((minor) => `"${minor}"`).join(", ");
  throw new RangeError(
    `Cannot start an API server: "kubernetes" is ${
      JSON.stringify(version)
    }, must be one of ${known}`,
  );
}

function atLeastOne(name: string, value: number | undefined, standard: number): number {
  const limit = value ?? standard;
  if (Number.isSafeInteger(limit) && limit >= 1) return limit;
  throw new RangeError(
    `Cannot start an API server: "${name}" is ${limit}, must be a whole number of at least 1`,
  );
}

/** Reports whether a client accepts gzip. Like the real server, it ignores `gzip` with a quality (`gzip;q=1`). */
function acceptsGzip(request: Request): boolean {
  const accepted = (request.headers.get("accept-encoding") ?? "").split(",");
  return accepted.some((encoding) => encoding.trim() === "gzip");
}
