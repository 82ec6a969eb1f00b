import {
  type CacheEnvironment,
  type Clock,
  describeError,
  hostInUrl,
  inherit,
  isName,
  isSignal,
  type Logger,
  noopMetrics,
  onAbort,
  type OptionChecks,
  realClock,
  realRandom,
  redactOf,
  requireMethods,
  requireOptions,
  safeLogger,
  TerminalError,
  withTimeLimit,
} from "../../base/mod.ts";
import type { SharedInformer } from "../../cache/mod.ts";
import type { Client } from "../../client/mod.ts";
import { type KubeObject, type ObjectOf, type Resource, resourceName } from "../../types/mod.ts";
import {
  type CacheReader,
  type CacheScope,
  ControllerBuilder,
  type ControllerBuilderOptions,
  type ControllerHandle,
  type ControllerHost,
  type ControllerPlan,
  ManagedController,
  RecentVersions,
  requireResource,
  requireScope,
  SCOPE_CHECKS,
} from "../builder/mod.ts";
import { LeaderElector, Sharding, type ShardingRunOptions } from "../../election/mod.ts";
import { EventRecorder } from "../../events/mod.ts";
import { combineMetrics, guardedMetrics, PrometheusRegistry } from "../../metrics/mod.ts";
import { requirePort, serveHttp } from "../../serving/mod.ts";
import {
  denoPermissions,
  MissingRightsError,
  rbacYaml,
  RequestGuard,
  requireRights,
  type Right,
} from "../../rights/mod.ts";
import { type Story, StoryBook } from "../stories/mod.ts";
import { WebhookServer } from "../../webhooks/mod.ts";
import { installDefinitions } from "../../crd/mod.ts";
import type { SeePage } from "../../see/mod.ts";
import { devHook } from "./dev_hook.ts";
import { Endpoints } from "./endpoints.ts";
import { KindCaches } from "./kind_caches.ts";
import { LoggedEvents } from "./logged_events.ts";
import { ManagerRun } from "./manager_run.ts";
import { type ManagerPhase, ManagerState } from "./manager_state.ts";
import { migrationPart } from "./migration_part.ts";
import { type ManagerOptions, requireManagerOptions } from "./manager_options.ts";
import { checkedRights, rightsOf, rightsScope } from "./rights_of.ts";
import { observedManager } from "./observed.ts";
import type { BusyPart, Part } from "./parts.ts";

const DEFAULT_GRACEFUL_STOP_TIMEOUT_MS = 30_000;
const NOT_OWNED = AbortSignal.abort(new Error("The shard of the key is not this replica's"));
const DEFAULT_CACHE_SYNC_TIMEOUT_MS = 120_000;
/** Maximum time for which a running request delays the stop, in milliseconds. */
const MAX_DRAIN_MS = 10_000;
/** Time limit of a check at the start, in milliseconds. */
const CHECK_LIMIT_MS = 30_000;
/** Maximum number of keys in an error. */
const MAX_NAMED_KEYS = 10;

/** Options of {@linkcode Manager.rbac}. */
export interface ManagerRbacOptions {
  /** The name of the ServiceAccount, the roles and the bindings. Default: the name of the manager. */
  readonly serviceAccount?: string | undefined;
  /** The namespace of the ServiceAccount. Default `default`. */
  readonly namespace?: string | undefined;
}

const RBAC_CHECKS: OptionChecks<ManagerRbacOptions> = { serviceAccount: isName, namespace: isName };

/** Options of {@linkcode Manager.see}. */
export interface ManagerSeeOptions {
  /** The port on 127.0.0.1; 0 picks a free one. Default 0. */
  readonly port?: number | undefined;
  /** The token in the URL, of at least 16 letters, digits, `-` and `_`. Default: a new random one. */
  readonly token?: string | undefined;
}

const SEE_CHECKS: OptionChecks<ManagerSeeOptions> = {
  port: (_, value) => requirePort("port", value),
  token: isName,
};

const SIGNAL_CHECKS: OptionChecks<{ readonly signal?: AbortSignal | undefined }> = {
  signal: isSignal,
};

/**
 * Runs the controllers of a program: controller-runtime's `Manager`. It owns their informers, one for each kind and scope,
 * elects a leader, serves health checks and metrics, and starts and stops all parts in order. If a part fails, all parts stop,
 * and {@linkcode Manager.run} rejects with the name of the part.
 *
 * Managers share no state: a process may run several, for example one for each cluster.
 *
 * @example A controller in 20 lines
 * ```ts
 * import { Client, ConfigMaps, defineResource, Manager } from "@kubeloop/controller";
 * import { ApiServer, VirtualClock } from "@kubeloop/testing";
 * import { assertEquals } from "@std/assert";
 *
 * const clock = new VirtualClock();
 * await using server = new ApiServer({ clock });
 * await using client = new Client(server.clientOptions);
 *
 * const manager = new Manager(client);
 * manager.controller(ConfigMaps, { name: "copy" })
 *   .owns(ConfigMaps)
 *   .reconcile(async ({ object, apply }) => {
 *     if (object.metadata.labels?.["copy"] !== "yes") return;
 *     await apply(ConfigMaps, { metadata: { name: `${object.metadata.name}-copy` }, data: object.data ?? {} });
 *   });
 *
 * const stop = new AbortController();
 * const running = manager.run({ signal: stop.signal });
 * const metadata = { name: "colors", namespace: "default", labels: { copy: "yes" } };
 * await clock.run(client.create(ConfigMaps, { metadata, data: { wall: "red" } }));
 * await clock.advance(1000);
 * const copy = await clock.run(client.get(ConfigMaps, "colors-copy", { namespace: "default" }));
 * assertEquals(copy.data, { wall: "red" });
 * stop.abort();
 * await clock.run(running);
 * ```
 */
export class Manager implements AsyncDisposable {
  /** The name of the manager. */
  readonly name: string;
  /** The metrics of the manager and its controllers, as served at `/metrics`. */
  readonly metrics: PrometheusRegistry;
  /** The options, as given. `kubeloop package` makes a Deployment of them. */
  readonly options: ManagerOptions;
  readonly #client: Client;
  readonly #environment: CacheEnvironment;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #caches: KindCaches;
  readonly #stories: StoryBook;
  readonly #versions = new RecentVersions();
  readonly #webhooks: WebhookServer | undefined;
  readonly #endpoints: Endpoints;
  readonly #elector: LeaderElector | undefined;
  readonly #sharding: Sharding | undefined;
  readonly #plans: ControllerPlan[] = [];
  readonly #builders: ControllerBuilder<never>[] = [];
  readonly #controllers: ManagedController[] = [];
  readonly #parts: Part[] = [];
  /** The running informers. */
  readonly #informers = new Map<SharedInformer, Part>();
  /** Parts that start before the controllers and stop after them. */
  readonly #supporting: Part[] = [];
  readonly #stop = new AbortController();
  readonly #state: ManagerState;
  #haveSynced = false;
  #run: ManagerRun | undefined;
  #running: Promise<void> | undefined;
  /** The page of {@linkcode Manager.see}. */
  #page: Promise<SeePage> | undefined;

  /**
   * Creates a manager without controllers. It makes no request before {@linkcode Manager.run}.
   *
   * @param client The client of the cluster. The manager does not close it.
   * @param options Leader election, health checks, metrics and limits.
   * @throws {TypeError} If the client is missing, an option is of another type, or both `leaderElection` and `sharding` are
   * given.
   * @throws {RangeError} If a number is out of range.
   */
  constructor(client: Client, options: ManagerOptions = {}) {
    requireMethods("a Client", client, "listerWatcher", "observed");
    requireManagerOptions(options);
    const { name = "operator" } = options;
    const inherited = inherit(options, client.environment);
    this.#logger = safeLogger(inherited.logger);
    this.metrics = new PrometheusRegistry({ logger: inherited.logger });
    const metrics = inherited.metrics === undefined || inherited.metrics === noopMetrics
      ? this.metrics
      : combineMetrics(this.metrics, guardedMetrics(inherited.metrics, this.#logger));
    this.name = name;
    this.options = options;
    this.#environment = { ...inherited, metrics };
    const dev = devHook();
    const onEnter = dev && ((phase: ManagerPhase) => dev.entered(this, phase));
    this.#state = new ManagerState(name, this.#logger, metrics, onEnter);
    this.#clock = inherited.clock ?? realClock;
    this.#client = client.observed({}, { metrics });
    this.#caches = new KindCaches(this.#client, this.#environment, {
      name,
      namespaces: options.namespaces,
      keepParsed: options.recordObjects === true,
      onServed: (resource, isServed) => {
        for (const controller of this.#controllers) controller.kindServed(resource, isServed);
      },
    });
    this.#stories = new StoryBook({
      clock: this.#clock,
      logger: this.#logger,
      recordObjects: options.recordObjects,
    });
    const { leaderElection, sharding, webhooks } = options;
    const dryRun = options.dryRun === true;
    const { clock, random, logger } = this.#environment;
    this.#webhooks = webhooks &&
      new WebhookServer(this.#client, { clock, random, logger, ...webhooks });
    this.#endpoints = new Endpoints({
      name,
      clock: this.#clock,
      logger: this.#logger,
      metrics: this.metrics,
      stories: this.#stories,
      webhooks: this.#webhooks,
      guard: options.protectEndpoints === true
        ? new RequestGuard({ client: this.#client, clock: this.#clock, logger: this.#logger })
        : undefined,
      notes: () => ({ state: this.#state.phase, ...this.#notSynced() }),
      healthChecks: {
        ping: () => true,
        state: () => !this.#state.hasStopped,
        ...(options.unhealthyWhenHung === true && { reconciles: () => this.#hungReconciles() }),
        ...options.healthChecks,
      },
      readyChecks: {
        caches: () => this.#haveSynced || this.#convertsEarly,
        state: () => this.#state.isReady || this.#convertsEarly,
        ...(this.#webhooks && !dryRun && { webhooks: () => this.#webhooks?.isReady }),
        ...options.readyChecks,
      },
    });
    const elector = leaderElection &&
      new LeaderElector(this.#client, {
        ...this.#environment,
        ...leaderElection,
        ...dev?.leaderElection,
      });
    const shards = sharding && new Sharding(this.#client, { ...this.#environment, ...sharding });
    // A dry run writes nothing, so it needs no lease.
    this.#elector = dryRun ? undefined : elector;
    this.#sharding = dryRun ? undefined : shards;
    if (options.migrate === true && !dryRun) this.#parts.push(this.#migration());
  }

  /**
   * Begins the declaration of a controller. {@linkcode ControllerBuilder.reconcile} adds it to the manager. A running manager
   * starts it at once.
   *
   * @typeParam R The type of the kind, which determines the type of the objects.
   * @param resource The kind to reconcile.
   * @param options The options of the controller.
   * @returns The builder.
   * @throws {Error} If a controller has the name already.
   */
  controller<R extends Resource>(
    resource: R,
    options?: ControllerBuilderOptions<ObjectOf<R>>,
  ): ControllerBuilder<ObjectOf<R>>;
  controller(
    resource: Resource,
    options: ControllerBuilderOptions<KubeObject> = {},
  ): ControllerBuilder<KubeObject> {
    this.#requireUsable();
    const builder = new ControllerBuilder(resource, options, (plan) => this.#addController(plan));
    if (this.#builders.some(({ name }) => name === builder.name)) {
      throw new Error(
        `There is a controller "${builder.name}" already: give one of them another name, as in ` +
          `controller(${resource.kind}s, { name: "${builder.name}-2" })`,
      );
    }
    this.#builders.push(builder as unknown as ControllerBuilder<never>);
    return builder;
  }

  /**
   * The webhook server. Add the results of `admission()` and `conversion()` to it. All replicas serve webhooks.
   *
   * @throws {Error} If the manager was created without the option `webhooks`.
   */
  get webhooks(): WebhookServer {
    if (this.#webhooks !== undefined) return this.#webhooks;
    throw new Error(
      "The manager serves no webhooks: give it { webhooks: { service: { namespace, name } } }",
    );
  }

  /**
   * Returns the cache of a kind, which controllers share. A running manager fills it at once.
   *
   * @typeParam R The type of the kind, which determines the type of the objects.
   * @param resource The kind; `metadataOf(resource)` caches only the metadata, `fieldsOf(resource, …)` some fields.
   * @param scope The cached objects. Default: all objects in the namespaces of the manager.
   * @returns The cache.
   */
  cache<R extends Resource>(resource: R, scope?: CacheScope): CacheReader<ObjectOf<R>>;
  cache(resource: Resource, scope: CacheScope = {}): CacheReader {
    this.#requireUsable();
    requireResource("cache()", resource);
    requireOptions("cache()", scope, SCOPE_CHECKS);
    requireScope(scope);
    return this.#caches.cache(resource, scope);
  }

  /**
   * Removes a cache, and stops its informers unless another cache uses them.
   *
   * @param cache The result of {@linkcode Manager.cache}.
   * @throws {Error} If a controller has declared the cache, or an informer has not stopped within `gracefulStopTimeoutMs`.
   */
  async removeCache(cache: CacheReader): Promise<void> {
    const users = this.#controllers.filter((controller) => controller.reads(cache));
    if (users.length > 0) {
      throw new Error(
        `Cannot remove the cache of ${resourceName(cache.resource)}: controller "${
          users[0]?.name
        }" reads it`,
      );
    }
    await this.#dropCache(cache);
  }

  /**
   * Adds a part that runs with the controllers, such as a server or a timer. A running manager starts it at once.
   *
   * @param part The part.
   * @throws {TypeError} If the part has no name or no `run`.
   */
  add(part: Part): void {
    this.#requireUsable();
    requireMethods("a part with a name and run({ signal })", part, "run");
    if (typeof part.name !== "string" || part.name === "") {
      throw new TypeError("A part of a manager needs a name, for errors");
    }
    this.#parts.push(part);
    if (this.#state.isReady) this.#run?.start(part);
  }

  /**
   * Removes a part, and waits until it has stopped.
   *
   * @param part The part that was passed to {@linkcode Manager.add}.
   * @throws {Error} If the part has not stopped within `gracefulStopTimeoutMs`.
   */
  async remove(part: Part): Promise<void> {
    const at = this.#parts.indexOf(part);
    if (at >= 0) this.#parts.splice(at, 1);
    await this.#run?.stopPart(part);
  }

  /**
   * Runs until the signal aborts. A lost lease, a failed part, and a stop that takes longer than `gracefulStopTimeoutMs` end
   * the run with an error, even if a reconcile ignores its signal.
   *
   * It starts in this order: the HTTP endpoints; conversion webhooks; definitions; the watches of optional kinds and
   * of selected namespaces; caches, after a test list of each other kind so that a missing right or definition is an error; other webhooks and parts of every replica; the election; controllers and
   * other parts. A standby has warm caches and is ready. It stops in the reverse order: reconciles end first, then the lease is
   * released, and Events are sent.
   *
   * @param call The signal that stops the manager.
   * @throws {Error} If the manager was run before, a part fails, the lease is lost, the caches cannot sync, or parts do not stop
   * in time. The message names the parts.
   */
  async run(call: { readonly signal?: AbortSignal | undefined } = {}): Promise<void> {
    requireOptions("run()", call, SIGNAL_CHECKS);
    if (this.#running !== undefined) {
      throw new Error(
        `${this.name}: the manager was run before and cannot be run twice: make a new one`,
      );
    }
    this.#running = this.#live(call.signal);
    await this.#running;
  }

  /**
   * Returns the stories of the reconciles that end from now on: their causes, requests and results. A slow reader loses the
   * oldest stories, and the next story has the number of lost ones. The iteration ends when the manager has stopped.
   *
   * @param call The signal that ends the iteration with `signal.reason`.
   * @returns The stories.
   */
  stories(call: { readonly signal?: AbortSignal | undefined } = {}): AsyncIterable<Story> {
    requireOptions("stories()", call, SIGNAL_CHECKS);
    return this.#stories.stories(call);
  }

  /**
   * Opens a page that shows the manager at work: its watches, queues and workers, the stories of each key, and what needs
   * attention. A person can also reconcile an object now, pause it and resume it. The page is served on 127.0.0.1 until the
   * manager has stopped, and makes no request to elsewhere.
   *
   * The URL has a token, which each request needs. It is logged once, and shown nowhere else: a person with it can read the
   * stories, and act with the rights of the manager. Values of Secrets are never shown. From the first opened page on, stories keep the
   * values that writes send, masked where a name looks like that of a credential.
   *
   * A second call returns the same page.
   *
   * @param options The port and the token.
   * @returns The page. Dispose it to close it before the manager stops.
   * @throws {TypeError | RangeError} If an option cannot be used.
   * @throws {Error} If the port cannot be listened on, or the manager has stopped.
   *
   * @example
   * ```ts
   * import { Client, ConfigMaps, Manager } from "@kubeloop/controller";
   * import { ApiServer } from "@kubeloop/testing";
   * import { assertMatch } from "@std/assert";
   *
   * await using server = new ApiServer();
   * await using client = new Client(server.clientOptions);
   * await using manager = new Manager(client);
   * manager.controller(ConfigMaps).reconcile(() => {});
   *
   * const { url } = await manager.see();
   * assertMatch(url, /^http:\/\/127\.0\.0\.1:\d+\/\?token=[\da-f]{48}$/);
   * ```
   */
  async see(options: ManagerSeeOptions = {}): Promise<SeePage> {
    requireOptions("see()", options, SEE_CHECKS);
    this.#requireUsable();
    return await (this.#page ??= this.#openPage(options));
  }

  /**
   * Returns the roles that the declared controllers and parts need, and their bindings to a ServiceAccount, as YAML. Declare
   * rights for other requests of a reconcile with `ControllerBuilder.needs`.
   *
   * With namespaces by label, the rights in them are in a ClusterRole `<name>-namespaced`, and a comment has the RoleBinding
   * that each of them needs.
   *
   * @param options The ServiceAccount.
   * @returns YAML documents for `kubectl apply`.
   * @throws {TypeError} If a name is not valid.
   */
  rbac(options: ManagerRbacOptions = {}): string {
    requireOptions("rbac()", options, RBAC_CHECKS);
    const { serviceAccount = this.name, namespace } = options;
    return rbacYaml(this.#rights(), {
      name: serviceAccount,
      namespace,
      ...rightsScope(this.options.namespaces),
    });
  }

  /**
   * Returns the flags of `deno run` that permit exactly the actions of the manager: to call the API server, to read its
   * credentials, and to listen on its ports. A program that reads its configuration needs more flags.
   *
   * @returns The flags, such as `--allow-net=10.0.0.1:6443,0.0.0.0:8080`.
   */
  permissions(): string[] {
    const { hosts, readPaths, command } = this.#client.requiredPermissions;
    const { http } = this.options;
    const listens = http === undefined
      ? []
      : [`${hostInUrl(http.hostname ?? "0.0.0.0")}:${http.port}`];
    if (this.#webhooks !== undefined) listens.push(this.#webhooks.address);
    const { see } = this.options;
    if (typeof see === "object" && see.port > 0) listens.push(`127.0.0.1:${see.port}`);
    else if (see !== undefined && see !== false) listens.push("127.0.0.1");
    const flags = denoPermissions({ hosts, listens, readPaths });
    return command === undefined ? flags : [...flags, `--allow-run=${command}`];
  }

  /**
   * The handler of `/healthz`, `/readyz`, `/metrics`, `/debug/reconciles`, and the paths of webhooks. The manager serves it on
   * `http.port`. It can be mounted in another server.
   */
  get handler(): (request: Request) => Promise<Response> {
    return (request) => this.#endpoints.answer(request);
  }

  /** Stops a running manager. Resolves when all of its parts have stopped. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    // Only the caller of run() gets the error.
    await this.#running?.catch(() => {});
    await this.#end();
  }

  /** Marks the manager as stopped and ends all story streams. */
  async #end(): Promise<void> {
    this.#stop.abort();
    this.#stories.close();
    // The caller of see() gets the error of a page that was not opened.
    await this.#page?.then((page) => page[Symbol.asyncDispose](), () => {});
  }

  async #openPage({ port, token }: ManagerSeeOptions): Promise<SeePage> {
    try {
      // Programs without a page do not load it.
      const { ManagerSource, serveSee } = await import("../../see/mod.ts");
      const source = new ManagerSource(observedManager({
        name: this.name,
        client: this.#client,
        clock: this.#clock,
        redact: redactOf(this.#logger),
        stories: this.#stories,
        caches: this.#caches,
        takesActions: this.options.dryRun !== true,
        phase: () => this.#state.phase,
        controllers: () => this.#controllers,
        plans: () => this.#plans,
      }));
      const page = await serveSee(source, {
        serve: serveHttp,
        port,
        token,
        clock: this.#clock,
        logger: this.#logger,
        signal: this.#stop.signal,
      });
      this.#logger.info(`${this.name}: see it at work at ${page.url}`);
      page.finished.then(() => this.#page = undefined, () => {});
      return page;
    } catch (error) {
      this.#page = undefined;
      throw error;
    }
  }

  async #dropCache(cache: CacheReader): Promise<void> {
    await Promise.all(
      this.#caches.remove(cache).map((informer) => this.#stopInformer(informer)),
    );
  }

  async #stopInformer(informer: SharedInformer): Promise<void> {
    const part = this.#informers.get(informer);
    this.#informers.delete(informer);
    if (part !== undefined) await this.#run?.stopPart(part);
  }

  #warn(error: unknown): void {
    this.#logger.warn(`${this.name}: ${describeError(error)}`);
  }

  #addController<T extends KubeObject>(plan: ControllerPlan<T>): ControllerHandle {
    this.#caches.keepFieldsOf(plan.fieldManager);
    for (const { resource, optional } of plan.references) this.#caches.declare(resource, optional);
    const controller = new ManagedController(plan, this.#hostOf(plan));
    this.#plans.push(plan as unknown as ControllerPlan);
    this.#controllers.push(controller as unknown as ManagedController);
    const part: BusyPart = {
      name: `controller "${plan.name}"`,
      everyReplica: plan.options.everyReplica === true || this.#sharding !== undefined,
      run: (call) => controller.run(call),
      work: () => keysInWords("reconciling", controller.running),
    };
    if (plan.references.length > 0) {
      this.add({
        name: `the references of controller "${plan.name}"`,
        everyReplica: true,
        run: (call) => controller.runReferences(call),
      });
    }
    this.add(part);
    return controller;
  }

  #hostOf<T extends KubeObject>(plan: ControllerPlan<T>): ControllerHost {
    const dryRun = this.options.dryRun === true;
    return {
      client: dryRun ? this.#client.observed({}, { dryRun }) : this.#client,
      clock: this.#clock,
      logger: this.#logger,
      metrics: this.#environment.metrics ?? noopMetrics,
      environment: this.#environment,
      dryRun,
      cacheSyncTimeoutMs: this.options.cacheSyncTimeoutMs ?? DEFAULT_CACHE_SYNC_TIMEOUT_MS,
      recorder: this.#recorderOf(plan),
      cache: (resource, scope) => this.#caches.cache(resource, scope),
      namespaces: () => this.#caches.namespaces(),
      isServed: (resource) => this.#caches.isServed(resource),
      openCache: (resource, scope) => this.#caches.openCache(resource, scope),
      closeCache: (cache) => {
        this.#dropCache(cache).catch((error) => this.#warn(error));
      },
      owns: (key) => (this.#sharding?.owns(key) ?? true) && this.#caches.covers(key, plan.options),
      signalOf: (key) =>
        anySignal(
          this.#sharding && (this.#sharding.signalOf(key) ?? NOT_OWNED),
          this.#caches.signalOf(key, plan.options),
        ),
      // Both compare their deadline with the clock.
      checkLease: (key) => void (this.#elector?.isLeader() ?? this.#sharding?.owns(key)),
      stories: this.#stories,
      versions: this.#versions,
      recordsObjects: this.options.recordObjects === true,
      tracer: this.options.tracer,
    };
  }

  #recorderOf(
    { name, fieldManager, options }: Pick<
      ControllerPlan<never>,
      "name" | "fieldManager" | "options"
    >,
  ): Pick<EventRecorder, "event"> | undefined {
    if (options.events === false) return undefined;
    if (this.options.dryRun === true) return new LoggedEvents(this.#logger);
    const recorder = new EventRecorder(this.#client, {
      ...this.#environment,
      reportingController: fieldManager,
      controller: name,
    });
    this.#support({
      name: `the events of controller "${name}"`,
      run: (call) => recorder.run(call),
    });
    return recorder;
  }

  #migration(): Part {
    const { random = realRandom } = this.#environment;
    return migrationPart({
      client: this.#client,
      definitions: this.options.definitions ?? [],
      name: this.name,
      clock: this.#clock,
      random,
      logger: this.#logger,
    });
  }

  #rights(): Right[] {
    return rightsOf({
      options: this.options,
      namespace: this.#client.namespace,
      plans: this.#plans,
      parts: this.#parts,
      webhooks: this.#webhooks?.permissions() ?? [],
      watchesDefinitions: this.#caches.served.needsDefinitions,
    });
  }

  /** Requires the rights of all parts. A server that cannot answer is only logged. */
  async #requireRights(signal: AbortSignal): Promise<void> {
    try {
      const rights = checkedRights(this.#rights(), this.options.namespaces);
      await requireRights(this.#client, rights, { signal });
    } catch (error) {
      signal.throwIfAborted();
      if (MissingRightsError.is(error) || TerminalError.is(error)) throw error;
      this.#logger.warn(`${this.name}: the rights were not checked: ${describeError(error)}`);
    }
  }

  /** Runs a check of the start with a time limit. A lost answer must not block the start, because caches report errors too. */
  async #check(
    what: string,
    signal: AbortSignal,
    check: (signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    const late = new Error(`the server has not answered within ${CHECK_LIMIT_MS} ms`);
    const limit = { clock: this.#clock, signal, limitMs: CHECK_LIMIT_MS, late: () => late };
    try {
      await withTimeLimit(limit, check);
    } catch (error) {
      signal.throwIfAborted();
      if (error !== late) throw error;
      this.#logger.warn(`${this.name}: ${what} were not checked: ${late.message}`);
    }
  }

  /**
   * Whether the manager is starting and has a conversion webhook. API servers call only ready replicas, and the caches need
   * the conversion to sync.
   */
  get #convertsEarly(): boolean {
    const converts = this.options.dryRun !== true && this.#webhooks?.converts === true;
    return converts && this.#state.phase === "starting";
  }

  /** Returns the reconciles past their deadline in words; true if there are none. */
  #hungReconciles(): true | string {
    const hung = this.#controllers.filter(({ late }) => late.length > 0)
      .map(({ name, late }) => keysInWords(name, late));
    return hung.length === 0 || hung.join("; ");
  }

  /** Returns a note on what is absent or has not synced, but does not keep the manager from being ready. */
  #notSynced(): { readonly caches?: string } {
    const referenced = this.#controllers.flatMap(({ references }) => references)
      .filter(({ notSynced }) => notSynced.length > 0)
      .map(({ resource, notSynced: { length } }) =>
        length === 1
          ? `1 watch of referenced ${resource} has not synced`
          : `${length} watches of referenced ${resource} have not synced`
      );
    const late = this.#caches.pending.length;
    const notes = [
      ...referenced,
      ...this.#caches.served.absent.map((kind) => `${kind} is absent`),
      ...(late === 0
        ? []
        : [`${counted(late, "cache")} of selected namespaces and optional kinds not synced`]),
    ];
    return notes.length === 0 ? {} : { caches: notes.join(", ") };
  }

  #requireUsable(): void {
    if (!this.#stop.signal.aborted) return;
    throw new Error("The manager has stopped: make a new one");
  }

  async #live(signal: AbortSignal | undefined): Promise<void> {
    const run = new ManagerRun({
      name: this.name,
      clock: this.#clock,
      logger: this.#logger,
      stopTimeoutMs: this.#gracefulStopTimeoutMs,
    }, signal);
    const release = onAbort(this.#stop.signal, (reason) => run.stop(reason));
    this.#run = run;
    onAbort(run.signal, () => this.#state.enter("stopping"));
    this.#state.enter("starting");
    try {
      await this.#start(run);
      await run.live(() => this.#elect(run));
    } catch (error) {
      run.fail(error);
    } finally {
      try {
        await run.end();
      } finally {
        release();
        this.#state.enter("stopped");
        await this.#end();
      }
    }
  }

  /** Starts the supporting parts and the parts of every replica. */
  async #start(run: ManagerRun): Promise<void> {
    const { signal } = run;
    signal.throwIfAborted();
    this.#requireComplete();
    const { cacheSyncTimeoutMs, definitions = [], http } = this.options;
    const webhooks = this.options.dryRun === true ? undefined : this.#webhooks;
    const serving: Part | undefined = webhooks && {
      name: "the webhook server",
      everyReplica: true,
      run: (call) => webhooks.run(call),
    };
    const { see = false } = this.options;
    if (see !== false) run.support(this.#pagePart(see === true ? {} : see));
    if (http !== undefined) run.support(this.#httpServer(http));
    await this.#check("the rights", signal, (signal) => this.#requireRights(signal));
    // Definitions and caches need the conversion webhooks.
    if (serving !== undefined && webhooks?.converts) run.support(serving);
    if (definitions.length > 0 && this.options.dryRun !== true) {
      const options = { fieldManager: this.name, signal, webhooks };
      await installDefinitions(this.#client, definitions, options);
    }
    const timeoutMs = cacheSyncTimeoutMs ?? DEFAULT_CACHE_SYNC_TIMEOUT_MS;
    await this.#caches.begin((part) => run.support(part), { signal, timeoutMs });
    const referenced = this.#plans.flatMap(({ references }) =>
      references.map(({ resource }) => resource)
    );
    await this.#check(
      "the kinds",
      signal,
      (signal) => this.#caches.requireReadable(signal, referenced),
    );
    for (const part of this.#supporting) run.support(part);
    const startedMs = this.#clock.now();
    this.#caches.startAll({
      start: (informer) => {
        const name = `informer ${informer.name}`;
        const part: Part = { name, run: (call) => informer.runShared(call) };
        this.#informers.set(informer, part);
        run.support(part);
      },
      stop: (informer) => void this.#stopInformer(informer).catch((error) => this.#warn(error)),
    });
    await this.#caches.whenFilled({ signal, timeoutMs });
    this.#haveSynced = true;
    if (serving !== undefined && !webhooks?.converts) run.start(serving);
    const syncMs = Math.round(this.#clock.now() - startedMs);
    this.#state.enter(this.#elector === undefined ? "leading" : "standing by", [
      counted(this.#controllers.length, "controller"),
      counted(this.#caches.informers.length, "cache"),
      `synced in ${syncMs} ms`,
    ]);
    for (const part of this.#parts) if (part.everyReplica) run.start(part);
  }

  async #elect(run: ManagerRun): Promise<void> {
    const { signal } = run;
    const { abandoned: abandon } = run;
    const lead = (lease: AbortSignal) => {
      this.#state.enter("leading");
      return run.lead(this.#parts.filter(({ everyReplica }) => everyReplica !== true), lease);
    };
    const shares = this.#sharding === undefined
      ? undefined
      : this.#share(this.#sharding, { signal, abandon });
    await (this.#elector === undefined
      ? lead(signal)
      : this.#elector.run(lead, { signal, abandon }));
    await shares;
  }

  /** Reconciles the keys of owned shards until the signal aborts. */
  #share(sharding: Sharding, call: ShardingRunOptions): Promise<void> {
    const inShard = (shard: number) => (key: string) => sharding.shardOf(key) === shard;
    return sharding.run({
      acquired: (shard) => {
        for (const controller of this.#controllers) controller.triggerAll(inShard(shard));
      },
      drain: async (shard) => {
        await Promise.all(
          this.#controllers.map((controller) => controller.drained(inShard(shard))),
        );
      },
      lost: () => {},
    }, call);
  }

  get #gracefulStopTimeoutMs(): number {
    return this.options.gracefulStopTimeoutMs ?? DEFAULT_GRACEFUL_STOP_TIMEOUT_MS;
  }

  #httpServer(http: NonNullable<ManagerOptions["http"]>): Part {
    return {
      name: `the HTTP server on port ${http.port}`,
      run: async (call) => {
        const server = await serveHttp(this.handler, {
          ...http,
          ...call,
          drainMs: Math.min(MAX_DRAIN_MS, this.#gracefulStopTimeoutMs / 2),
          logger: this.#logger,
        });
        await server.finished;
      },
    };
  }

  #pagePart(options: ManagerSeeOptions): Part {
    return {
      name: "the page",
      run: async ({ signal }) => {
        const page = await this.see(options);
        const release = onAbort(signal, () => void page[Symbol.asyncDispose]());
        await page.finished.finally(release);
      },
    };
  }

  #support(part: Part): void {
    this.#supporting.push(part);
    if (this.#state.isReady) this.#run?.support(part);
  }

  #requireComplete(): void {
    const open = this.#builders.filter(({ isComplete }) => !isComplete).map(({ name }) => name);
    if (open.length === 0) return;
    throw new Error(
      `Controller "${open.join('", "')}" has no reconcile function: call .reconcile()`,
    );
  }
}

function anySignal(
  first: AbortSignal | undefined,
  second: AbortSignal | undefined,
): AbortSignal | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  return AbortSignal.any([first, second]);
}

/** Returns keys in words, such as `reconciling default/a, default/b and 3 more`. */
function keysInWords(what: string, keys: readonly string[]): string {
  if (keys.length === 0) return "";
  const more = keys.length > MAX_NAMED_KEYS ? ` and ${keys.length - MAX_NAMED_KEYS} more` : "";
  return `${what} ${keys.slice(0, MAX_NAMED_KEYS).join(", ")}${more}`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
