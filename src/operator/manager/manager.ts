import {
  abortable,
  type Clock,
  describeError,
  type Environment,
  inherit,
  LinkedAbort,
  type Logger,
  noopMetrics,
  onAbort,
  realClock,
  requireDelay,
  requireEach,
  requireMethods,
  safeLogger,
} from "../../base/mod.ts";
import { type SharedInformer, waitForCacheSync } from "../../cache/mod.ts";
import type { Client } from "../../client/mod.ts";
import { type KubeObject, type Resource, resourceName } from "../../types/mod.ts";
import {
  type CacheReader,
  type CacheScope,
  ControllerBuilder,
  type ControllerBuilderOptions,
  type ControllerHandle,
  type ControllerHost,
  type ControllerPlan,
  ManagedController,
} from "../builder/mod.ts";
import { LeaderElector, Sharding } from "../election/mod.ts";
import { EventRecorder } from "../events/mod.ts";
import { combineMetrics, metricsHandler, PrometheusRegistry } from "../metrics/mod.ts";
import { serveHttp } from "../../serving/mod.ts";
import {
  denoPermissions,
  MissingRightsError,
  rbacYaml,
  requireRights,
  type Right,
} from "../rights/mod.ts";
import { debugReconciles, type Story, StoryBook } from "../stories/mod.ts";
import { WebhookServer } from "../webhooks/mod.ts";
import { installDefinitions } from "../schema/mod.ts";
import { answerProbe } from "./checks.ts";
import { KindCaches } from "./kind_caches.ts";
import type { ManagerOptions } from "./manager_options.ts";
import { rightsOf, rightsOfWebhooks } from "./rights_of.ts";
import type { Part } from "./part.ts";
import { PartGroup } from "./part_group.ts";

const DEFAULT_GRACEFUL_STOP_TIMEOUT_MS = 30_000;
const DEFAULT_CACHE_SYNC_TIMEOUT_MS = 120_000;

/** Options of {@linkcode Manager.rbac}. */
export interface ManagerRbacOptions {
  /** The name of the ServiceAccount, the roles and the bindings. Default: the name of the manager. */
  readonly serviceAccount?: string | undefined;
  /** The namespace of the ServiceAccount. Default `default`. */
  readonly namespace?: string | undefined;
}

/** The groups of a manager that runs. */
interface Run {
  /** Aborts when the manager is to stop. */
  readonly stop: LinkedAbort;
  /** Stops the manager because of a failure. */
  readonly fail: (error: unknown) => void;
  /** Settles when the parts of the leader have stopped and the lease is released. */
  election: Promise<void> | undefined;
  /** Aborts after the controllers have stopped, and stops the caches and the recorders. */
  readonly last: AbortController;
  readonly everywhere: PartGroup;
  readonly supporting: PartGroup;
  /** The parts of the leader, and the signal that aborts when the lease is lost; undefined on a standby. */
  leading: { readonly group: PartGroup; readonly signal: AbortSignal } | undefined;
  failure: { readonly error: unknown } | undefined;
}

/**
 * Runs the controllers of a program: controller-runtime's `Manager`. It owns their informers, one for each kind and scope,
 * elects a leader, serves health and metrics, and starts and stops everything in order. If one part fails, all stop, and
 * {@linkcode Manager.run} rejects with the name of the part.
 *
 * Nothing is global: a process may have several managers, for several clusters with a client each.
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
  /** The metrics of the manager and its controllers, which `/metrics` serves. */
  readonly metrics: PrometheusRegistry;
  readonly #client: Client;
  readonly #options: ManagerOptions;
  readonly #environment: Environment;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #caches: KindCaches;
  readonly #stories: StoryBook;
  readonly #webhooks: WebhookServer | undefined;
  readonly #elector: LeaderElector | undefined;
  readonly #sharding: Sharding | undefined;
  readonly #plans: ControllerPlan[] = [];
  readonly #builders: ControllerBuilder<never>[] = [];
  readonly #controllers: ManagedController[] = [];
  readonly #parts: Part[] = [];
  /** The informers that run. */
  readonly #informers = new Map<SharedInformer, Part>();
  /** What serves the controllers: it starts before them and stops after them. */
  readonly #supporting: Part[] = [];
  readonly #stop = new AbortController();
  #run: Run | undefined;
  #running: Promise<void> | undefined;
  #isReady = false;

  /**
   * Creates a manager without controllers. It makes no request until it is run.
   *
   * @param client The client of the cluster. The manager does not close it.
   * @param options Leader election, health, metrics and limits.
   * @throws {TypeError} When the client is missing, or both leader election and sharding are given.
   * @throws {RangeError} When a number is out of range.
   */
  constructor(client: Client, options: ManagerOptions = {}) {
    requireMethods("a Client", client, "listerWatcher", "observed");
    const { name = "operator", gracefulStopTimeoutMs, cacheSyncTimeoutMs } = options;
    requireEach(requireDelay, { gracefulStopTimeoutMs, cacheSyncTimeoutMs });
    if (options.leaderElection !== undefined && options.sharding !== undefined) {
      throw new TypeError(
        "A manager cannot have both leaderElection and sharding: with sharding, every replica reconciles its share",
      );
    }
    const inherited = inherit(options, client.environment);
    this.metrics = new PrometheusRegistry({ logger: inherited.logger });
    const metrics = combineMetrics(this.metrics, inherited.metrics ?? noopMetrics);
    this.name = name;
    this.#options = options;
    this.#environment = { ...inherited, metrics };
    this.#clock = inherited.clock ?? realClock;
    this.#logger = safeLogger(inherited.logger);
    this.#client = client.observed({}, { metrics });
    this.#caches = new KindCaches(this.#client, this.#environment, options.namespaces);
    this.#stories = new StoryBook({ clock: this.#clock, logger: this.#logger });
    const { leaderElection, sharding, webhooks } = options;
    this.#webhooks = webhooks &&
      new WebhookServer(this.#client, { ...this.#environment, ...webhooks });
    if (this.#webhooks !== undefined) this.#addWebhooks(this.#webhooks);
    this.#elector = leaderElection &&
      new LeaderElector(this.#client, { ...this.#environment, ...leaderElection });
    this.#sharding = sharding && new Sharding(this.#client, { ...this.#environment, ...sharding });
  }

  /**
   * Begins the declaration of a controller. It is part of the manager once it has its `reconcile` function; a manager that
   * runs starts it at once.
   *
   * @typeParam T The interface of the objects.
   * @param resource The kind to reconcile.
   * @param options The options of the controller.
   * @returns The builder.
   * @throws {Error} When there is a controller of that name already.
   */
  controller<T extends KubeObject>(
    resource: Resource<T>,
    options: ControllerBuilderOptions<T> = {},
  ): ControllerBuilder<T> {
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
   * The webhooks, to which `admission()` and `conversion()` are added. All replicas serve them.
   *
   * @throws {Error} When the manager was made without the option `webhooks`.
   */
  get webhooks(): WebhookServer {
    if (this.#webhooks !== undefined) return this.#webhooks;
    throw new Error(
      "The manager serves no webhooks: give it { webhooks: { service: { namespace, name } } }",
    );
  }

  /**
   * Returns the cache of a kind, the same one that controllers use. A manager that runs fills it at once.
   *
   * @typeParam T The interface of the objects.
   * @param resource The kind; `metadataOf(resource)` caches only the metadata.
   * @param scope Which objects are cached.
   * @returns The cache.
   */
  cache<T extends KubeObject>(resource: Resource<T>, scope: CacheScope = {}): CacheReader<T> {
    this.#requireUsable();
    return this.#caches.cache(resource, scope);
  }

  /**
   * Removes a cache, and stops its informers unless another cache uses them.
   *
   * @param cache The cache, as {@linkcode Manager.cache} returned it.
   * @throws {Error} When a controller has declared the cache.
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
    await Promise.all(
      this.#caches.remove(cache).map(async (informer) => {
        const part = this.#informers.get(informer);
        this.#informers.delete(informer);
        if (part !== undefined) await this.#run?.supporting.stop(part);
      }),
    );
  }

  /**
   * Adds a part that runs with the controllers, such as a server or a timer. A manager that runs starts it at once.
   *
   * @param part The part.
   * @throws {TypeError} When the part has no name or no `run`.
   */
  add(part: Part): void {
    this.#requireUsable();
    requireMethods("a part with a name and run({ signal })", part, "run");
    if (typeof part.name !== "string" || part.name === "") {
      throw new TypeError("A part of a manager needs a name, for errors");
    }
    this.#parts.push(part);
    this.#startPart(part);
  }

  /**
   * Removes a part, and waits until it has stopped.
   *
   * @param part The part, as it was added.
   */
  async remove(part: Part): Promise<void> {
    const at = this.#parts.indexOf(part);
    if (at >= 0) this.#parts.splice(at, 1);
    await this.#run?.everywhere.stop(part);
    await this.#run?.leading?.group.stop(part);
  }

  /**
   * Runs until the signal aborts.
   *
   * The start is in this order: the HTTP endpoints; the caches, of which each kind is asked for once, so that a missing
   * right or definition is an error rather than a loop; parts of every replica; the election; controllers and other parts.
   * A standby has warm caches and is ready. The stop is in the reverse order: the reconciles end first, then the lease is
   * released, and events are sent.
   *
   * @param call The signal that stops the manager.
   * @throws {Error} When a part fails, with its name; when the lease is lost; when the caches cannot sync; and when parts
   * do not stop in time, with their names.
   */
  async run(call: { readonly signal?: AbortSignal | undefined } = {}): Promise<void> {
    if (this.#running !== undefined) {
      this.#logger.warn(`${this.name}: the manager was run before and cannot be run twice`);
      return;
    }
    this.#running = this.#live(call.signal);
    await this.#running;
  }

  /**
   * Returns the stories of the reconciles that end from now on: why each happened, what it did, and how it ended. A reader
   * that is slow loses the oldest, and the next story says how many.
   *
   * @param call The `signal` ends the iteration.
   * @returns The stories.
   */
  stories(call: { readonly signal?: AbortSignal | undefined } = {}): AsyncIterable<Story> {
    return this.#stories.stories(call);
  }

  /**
   * Returns the YAML of the roles that the declared controllers need, and of their bindings to a service account: no more
   * than that. Rights that a reconcile needs for requests of its own are declared with `ControllerBuilder.needs`.
   *
   * @param options The service account.
   * @returns YAML documents for `kubectl apply`.
   * @throws {TypeError} When a name is not valid.
   */
  rbac(options: ManagerRbacOptions = {}): string {
    const { serviceAccount = this.name, namespace } = options;
    const { namespaces } = this.#options;
    return rbacYaml(this.#rights(), { name: serviceAccount, namespace, namespaces });
  }

  /**
   * Returns the flags of `deno run` that permit what the manager does, and no more: the API server, the files with its
   * credentials, and the ports that are served. A program that reads its configuration needs more for that.
   *
   * @returns The flags, such as `--allow-net=10.0.0.1:6443,0.0.0.0:8080`.
   */
  permissions(): string[] {
    const { hosts, readPaths, command } = this.#client.needs;
    const { http } = this.#options;
    const listens = http === undefined ? [] : [`${http.hostname ?? "0.0.0.0"}:${http.port}`];
    const flags = denoPermissions({ hosts, listens, readPaths });
    return command === undefined ? flags : [...flags, `--allow-run=${command}`];
  }

  /**
   * Answers `/healthz`, `/readyz`, `/metrics`, `/debug/reconciles`, and the paths of webhooks. The manager serves it on `http.port`; it can be
   * mounted in another server.
   */
  get handler(): (request: Request) => Promise<Response> {
    return (request) => this.#answer(request);
  }

  /** Stops the manager if it runs. Resolves when everything that it started has stopped. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    // Only the caller of run() gets the error.
    await this.#running?.catch(() => {});
  }

  #addWebhooks(webhooks: WebhookServer): void {
    this.add({
      name: "the webhook server",
      everyReplica: true,
      run: (call) => webhooks.run(call),
    });
  }

  #addController<T extends KubeObject>(plan: ControllerPlan<T>): ControllerHandle {
    const controller = new ManagedController(plan, this.#hostOf(plan));
    this.#plans.push(plan as unknown as ControllerPlan);
    this.#controllers.push(controller as unknown as ManagedController);
    this.add({
      name: `controller "${plan.name}"`,
      everyReplica: plan.options.everyReplica === true || this.#sharding !== undefined,
      run: (call) => controller.run(call),
    });
    return controller;
  }

  #hostOf<T extends KubeObject>(plan: ControllerPlan<T>): ControllerHost {
    const { name, fieldManager } = plan;
    const recorder = new EventRecorder(this.#client, {
      ...this.#environment,
      reportingController: fieldManager,
    });
    this.#support({
      name: `the events of controller "${name}"`,
      run: (call) => recorder.run(call),
    });
    return {
      client: this.#client,
      clock: this.#clock,
      logger: this.#logger,
      metrics: this.#environment.metrics ?? noopMetrics,
      environment: this.#environment,
      dryRun: this.#options.dryRun ?? false,
      cacheSyncTimeoutMs: this.#options.cacheSyncTimeoutMs ?? DEFAULT_CACHE_SYNC_TIMEOUT_MS,
      recorder,
      cache: (resource, scope) => this.#caches.cache(resource, scope),
      owns: (key) => this.#sharding?.owns(key) ?? true,
      signalOf: (key) => this.#sharding?.signalOf(key),
      stories: this.#stories,
      tracer: this.#options.tracer,
    };
  }

  #rights(): Right[] {
    const { definitions = [], leaderElection, namespaces, sharding } = this.#options;
    const { name, namespace = this.#client.namespace } = leaderElection ?? sharding ?? {};
    const hasLease = name !== undefined && namespace !== undefined;
    return [
      ...rightsOf(this.#plans, {
        namespaces,
        definitions,
        lease: hasLease ? { name, namespace } : undefined,
        hasShards: sharding !== undefined,
      }),
      ...rightsOfWebhooks(this.#webhooks?.permissions() ?? []),
      ...this.#parts.flatMap(({ rights = [] }) => rights),
    ];
  }

  /** Requires the rights of all parts, as far as the server tells. */
  async #requireRights(signal: AbortSignal): Promise<void> {
    try {
      await requireRights(this.#client, this.#rights(), { signal });
    } catch (error) {
      signal.throwIfAborted();
      if (MissingRightsError.is(error)) throw error;
      this.#logger.warn(`${this.name}: the rights were not checked: ${describeError(error)}`);
    }
  }

  #requireUsable(): void {
    if (!this.#stop.signal.aborted) return;
    throw new Error("The manager has stopped: make a new one");
  }

  async #live(signal: AbortSignal | undefined): Promise<void> {
    const stop = new LinkedAbort(signal);
    const fail = (error: unknown) => {
      if (stop.signal.aborted) return;
      run.failure = { error };
      stop.abort(error);
    };
    const run: Run = {
      stop,
      fail,
      election: undefined,
      last: new AbortController(),
      everywhere: new PartGroup(fail),
      supporting: new PartGroup(fail),
      leading: undefined,
      failure: undefined,
    };
    const release = onAbort(this.#stop.signal, (reason) => stop.abort(reason));
    this.#run = run;
    try {
      await this.#start(run);
    } catch (error) {
      fail(error);
    } finally {
      stop.abort();
      await this.#end(run);
      release();
      this.#stop.abort();
    }
    if (run.failure !== undefined) throw run.failure.error;
  }

  async #start(run: Run): Promise<void> {
    const { signal } = run.stop;
    signal.throwIfAborted();
    this.#requireComplete();
    const { http } = this.#options;
    if (http !== undefined) {
      this.#support({
        name: `the HTTP server on port ${http.port}`,
        run: async (call) => {
          const server = await serveHttp(this.handler, { ...http, ...call, logger: this.#logger });
          await server.finished;
        },
      });
    }
    await this.#requireRights(signal);
    const { definitions = [] } = this.#options;
    if (definitions.length > 0) {
      await installDefinitions(this.#client, definitions, { fieldManager: this.name, signal });
    }
    await this.#caches.requireReadable(signal);
    for (const part of this.#supporting) run.supporting.start(part, run.last.signal);
    this.#caches.startAll((informer) => {
      const name = `informer ${informer.name}`;
      const part: Part = { name, run: (call) => informer.runShared(call) };
      this.#informers.set(informer, part);
      run.supporting.start(part, run.last.signal);
    });
    const timeoutMs = this.#options.cacheSyncTimeoutMs ?? DEFAULT_CACHE_SYNC_TIMEOUT_MS;
    await waitForCacheSync({ signal, clock: this.#clock, timeoutMs }, ...this.#caches.informers);
    this.#isReady = true;
    for (const part of this.#parts) if (part.everyReplica) run.everywhere.start(part, signal);
    run.election = this.#elect(run, signal).catch((error) => run.fail(error));
    await aborted(signal);
  }

  async #elect(run: Run, signal: AbortSignal): Promise<void> {
    const shares = this.#sharding === undefined ? undefined : this.#share(this.#sharding, signal);
    if (this.#elector === undefined) await this.#lead(run, signal);
    else await this.#elector.run((lease) => this.#lead(run, lease), { signal });
    await shares;
  }

  /** Runs the parts of the leader until the signal aborts, and waits until they have stopped. */
  async #lead(run: Run, signal: AbortSignal): Promise<void> {
    const group = new PartGroup(run.fail);
    run.leading = { group, signal };
    for (const part of this.#parts) if (!part.everyReplica) group.start(part, signal);
    await aborted(signal);
    await group.ended();
    run.leading = undefined;
  }

  /** Reconciles the keys of the shards that this replica holds, until the signal aborts. */
  #share(sharding: Sharding, signal: AbortSignal): Promise<void> {
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
    }, { signal });
  }

  /** Stops everything in order, within the time limit. */
  async #end(run: Run): Promise<void> {
    const limitMs = this.#options.gracefulStopTimeoutMs ?? DEFAULT_GRACEFUL_STOP_TIMEOUT_MS;
    const late = new AbortController();
    const timer = this.#clock.setTimer(() => late.abort(), limitMs);
    try {
      const controllers = Promise.all([run.election, run.everywhere.ended()]);
      await abortable(controllers, late.signal);
      run.last.abort();
      await abortable(run.supporting.ended(), late.signal);
    } catch {
      const { everywhere, leading, supporting } = run;
      const names = [...leading?.group.names ?? [], ...everywhere.names];
      const late = names.length > 0 ? names : supporting.names;
      const error = new Error(
        `${this.name}: not everything has stopped within ${limitMs} ms: ${late.join(", ")}`,
      );
      run.failure ??= { error };
      this.#logger.error(error.message);
    } finally {
      run.last.abort();
      timer.cancel();
    }
  }

  #startPart(part: Part): void {
    const run = this.#run;
    if (run === undefined || !this.#isReady || run.stop.signal.aborted) return;
    const { leading } = run;
    if (part.everyReplica) run.everywhere.start(part, run.stop.signal);
    else if (leading?.signal.aborted === false) leading.group.start(part, leading.signal);
  }

  #support(part: Part): void {
    this.#supporting.push(part);
    const run = this.#run;
    if (run !== undefined && this.#isReady) run.supporting.start(part, run.last.signal);
  }

  #requireComplete(): void {
    const open = this.#builders.filter(({ isComplete }) => !isComplete).map(({ name }) => name);
    if (open.length === 0) return;
    throw new Error(
      `Controller "${open.join('", "')}" has no reconcile function: call .reconcile()`,
    );
  }

  async #answer(request: Request): Promise<Response> {
    const { healthChecks = {}, readyChecks = {} } = this.#options;
    const report = (kind: string) => (name: string, reason: unknown) =>
      this.#logger.debug(`${this.name}: ${kind} check "${name}" failed: ${describeError(reason)}`);
    const { pathname } = new URL(request.url);
    switch (pathname) {
      case "/healthz":
        return await answerProbe(request, { ping: () => true, ...healthChecks }, report("health"));
      case "/readyz":
        return await answerProbe(
          request,
          {
            caches: () => this.#isReady,
            ...(this.#webhooks && { webhooks: () => this.#webhooks?.isReady }),
            ...readyChecks,
          },
          report("readiness"),
        );
      case "/metrics":
        return metricsHandler(this.metrics)(request);
      case "/debug/reconciles":
        return debugReconciles(this.#stories)(request);
      default:
        if (this.#webhooks?.paths.includes(pathname)) return await this.#webhooks.handler(request);
        return new Response("Not found\n", { status: 404 });
    }
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => void onAbort(signal, () => resolve()));
}
