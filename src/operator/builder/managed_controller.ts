import {
  type Clock,
  describeError,
  type Environment,
  isPromiseLike,
  type Logger,
  type MetricsProvider,
  onAbort,
  realRandom,
  redactOf,
  TerminalError,
} from "../../base/mod.ts";
import type { Client, WrittenObject } from "../../client/mod.ts";
import { Controller, type ReconcileContext, type ReconcileResult } from "../../controller/mod.ts";
import type { EventRecorder } from "../../events/mod.ts";
import { AppliedMemory } from "../../fields/mod.ts";
import { OperatorMetrics } from "../../metrics/mod.ts";
import { type Item, keyOf } from "../../cache/mod.ts";
import {
  type KubeObject,
  type Pause,
  type Resource,
  type ResourceDescriptor,
  resourceName,
} from "../../types/mod.ts";
import { defaultControllerRateLimiter } from "../../workqueue/mod.ts";
import { ensureFinalizer, removeFinalizer } from "../finalizer/mod.ts";
import type { RecentVersions } from "./recent_versions.ts";
import { type StoryBook, type StoryEnd, traceReconcile, type TracerLike } from "../stories/mod.ts";
import type { ControllerHandle, ManagedSnapshot } from "./controller_builder.ts";
import { ControllerObserver } from "./controller_observer.ts";
import { ControllerReferences } from "./controller_references.ts";
import { ControllerSources } from "./controller_sources.ts";
import type { ItemChange } from "./change.ts";
import { pauseOfItem } from "./control.ts";
import { DeclaredCaches } from "./declared_caches.ts";
import { HotLoops } from "./hot_loops.ts";
import type { CacheReader } from "./cache_reader.ts";
import { KeyTroubles } from "./key_troubles.ts";
import type { KindCache } from "./kind_cache.ts";
import { ObjectConditions } from "./object_conditions.ts";
import { pausedCondition, Pauses } from "./pauses.ts";
import { PendingWork } from "./pending_work.ts";
import { isSettled, PeriodicKeys } from "./periodic_keys.ts";
import {
  type CacheScope,
  type ControllerPlan,
  declaresConditions,
  type PassResult,
  writesStatus,
} from "./plan.ts";
import type { ReferenceHost } from "./reference_caches.ts";
import type { ReferencesSnapshot } from "./referenced_kind.ts";
import { ReconcileDeadlines } from "./reconcile_deadlines.ts";
import { ReconcileKeys } from "./reconcile_keys.ts";
import type { ReconcileServices } from "./reconcile_services.ts";
import { Reconciliation } from "./reconciliation.ts";
import { Startup } from "./startup.ts";
import { WriteGate } from "./write_gate.ts";

const DEFAULT_RECONCILE_TIMEOUT_MS = 300_000;
const DEFAULT_STALE_SYNC_TIMEOUT_MS = 60_000;
/** Maximum number of calls without `await` that are logged. */
const MAX_FORGOTTEN = 100;

/** The manager of a controller. */
export interface ControllerHost extends ReferenceHost {
  readonly client: Client;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: MetricsProvider;
  readonly environment: Environment;
  /** Whether writes are dry runs whose differences are logged. */
  readonly dryRun: boolean;
  /** Time limit of the sync of the caches, in milliseconds. */
  readonly cacheSyncTimeoutMs: number;
  /** Returns the cache of a kind and scope. Equal arguments give the same cache. */
  cache<T extends KubeObject>(resource: Resource<T>, scope: CacheScope): KindCache<T>;
  /** The recorder of Events; undefined for a controller with `events: false`. */
  readonly recorder: Pick<EventRecorder, "event"> | undefined;
  /** Reports whether this process may reconcile a key. */
  owns(key: string): boolean;
  /** Returns the signal that aborts before another process may reconcile a key. */
  signalOf(key: string): AbortSignal | undefined;
  /** Aborts the signals if the lease is lost, even if no timer has run. */
  checkLease(key: string): void;
  /** Receives the story of each reconcile. */
  readonly stories: StoryBook;
  /** Keeps the versions that the stories compare. */
  readonly versions: RecentVersions;
  /** Whether stories keep the changed values of objects. */
  readonly recordsObjects: boolean;
  /** Receives a span for each reconcile. */
  readonly tracer: TracerLike | undefined;
}

/** A controller of a manager. */
export class ManagedController<T extends KubeObject = KubeObject> implements ControllerHandle {
  readonly name: string;
  readonly #plan: ControllerPlan<T>;
  readonly #host: ControllerHost;
  readonly #primary: KindCache<T>;
  readonly #caches: DeclaredCaches;
  readonly #work: PendingWork;
  readonly #gate: WriteGate;
  readonly #hotLoops: HotLoops;
  readonly #keys: ReconcileKeys;
  readonly #sources: ControllerSources<T>;
  readonly #references: ControllerReferences<T>;
  readonly #controller: Controller;
  readonly #services: ReconcileServices<T>;
  readonly #metrics: OperatorMetrics;
  readonly #deadlines: ReconcileDeadlines;
  readonly #pauses: Pauses;
  readonly #troubles: KeyTroubles;
  /** Reads the controller for a page. */
  readonly observer: ControllerObserver;
  /** Reconciles each object in each period; undefined without the option `every`. */
  readonly #periodic: PeriodicKeys | undefined;
  /** Counts the conditions of the objects; undefined for a kind without them. */
  readonly #conditions: ObjectConditions | undefined;
  /** The running reconciles by key. */
  readonly #passes = new Map<string, Reconciliation<T>>();
  /** The logged calls without `await`. */
  readonly #forgotten = new Set<string>();
  #startup: Startup | undefined;
  #isRunning = false;

  constructor(plan: ControllerPlan<T>, host: ControllerHost) {
    const { clock, logger, metrics } = host;
    const { name, options, resource } = plan;
    this.name = name;
    this.#caches = new DeclaredCaches(name);
    this.#plan = plan;
    this.#host = host;
    this.#metrics = new OperatorMetrics(name, metrics);
    this.#metrics.maxConcurrentReconciles.set(options.workers ?? 1);
    this.#primary = host.cache(resource, options);
    if (Object.keys(plan.indexes).length > 0) this.#primary.addIndexers(plan.indexes);
    this.#work = new PendingWork(clock);
    this.#troubles = new KeyTroubles({
      clock,
      redact: redactOf(logger),
      finalizers: new Set(plan.finalizers.keys()),
    });
    this.#gate = this.#makeGate();
    this.#hotLoops = new HotLoops({
      controller: name,
      fieldManager: plan.fieldManager,
      clock,
      logger,
      metrics: this.#metrics,
      stories: host.stories,
    });
    this.#keys = new ReconcileKeys({
      name,
      rateLimiter: options.rateLimiter ?? defaultControllerRateLimiter<string>({ clock }),
      clock,
      metrics,
      work: this.#work,
      gate: this.#gate,
      hotLoops: this.#hotLoops,
      owns: (key) => host.owns(key),
    });
    const sources = plan.sources.map((source) => {
      const cache = host.cache(source.resource, source.scope);
      if (source.how === "owns") cache.indexOwners();
      return { plan: source, cache };
    });
    this.#caches.add(this.#primary as unknown as KindCache);
    for (const { cache } of sources) this.#caches.add(cache);
    this.#sources = new ControllerSources({
      plan,
      primary: this.#primary,
      sources,
      work: this.#work,
      clock,
      gate: this.#gate,
      versions: host.versions,
      recordsObjects: host.recordsObjects,
      onListed: (key) => {
        if (host.owns(key)) this.#startup?.listed(key);
      },
      isWaiting: (item) => this.#isWaiting(item),
      onChange: (change, isAdded) => this.#noteChange(change, isAdded),
      onRequest: (key) => this.#forget(key),
      environment: host.environment,
    });
    this.#references = new ControllerReferences({
      plan,
      primary: this.#primary,
      host,
      metrics: this.#metrics,
      onChange: (key, cause) => this.#sources.changed(key, cause),
      onSeen: (kind, object) => this.#gate.seen(kind, object),
      onReady: (key) => this.#keys.add(key),
    });
    for (const kind of this.#references.kinds) this.#caches.addReferences(kind);
    this.#services = this.#makeServices();
    this.#deadlines = new ReconcileDeadlines(clock, this.#services.reconcileTimeoutMs);
    this.#pauses = new Pauses({
      clock,
      gauge: this.#metrics.pausedObjects,
      onEnd: (key) => this.#sources.due(key, "resumed"),
    });
    const { conditionMetrics = declaresConditions(resource) } = options;
    this.#conditions = conditionMetrics ? new ObjectConditions(name, metrics) : undefined;
    this.#periodic = options.every && new PeriodicKeys({
      every: options.every,
      clock,
      random: host.environment.random ?? realRandom,
      uidOf: (key) => this.#primary.itemByKey(key)?.metadata.uid,
      onDue: (key) => this.#sources.due(key, "resync"),
    });
    this.#controller = new Controller({
      name,
      informer: this.#sources,
      clock,
      queue: this.#keys,
      reconcile: (key, context) => this.#reconcile(key, context),
      maxRetries: options.maxRetries,
      onGiveUp: options.onGiveUp,
      cacheSyncTimeoutMs: host.cacheSyncTimeoutMs,
    });
    this.observer = new ControllerObserver({
      clock,
      workers: options.workers ?? 1,
      primary: this.#primary as unknown as KindCache,
      caches: () => this.#caches.all,
      work: this.#work,
      keys: this.#keys,
      gate: this.#gate,
      hotLoops: this.#hotLoops,
      troubles: this.#troubles,
      deadlines: this.#deadlines,
      pauses: this.#pauses,
      versions: host.versions,
      snapshot: () => this.#controller.snapshot(),
      isRunning: () => this.#isRunning,
    });
  }

  /** Runs the controller until the signal aborts, and waits for its running reconciles. */
  async run(call: { readonly signal: AbortSignal }): Promise<void> {
    // All signals abort then, so deadlines no longer matter.
    const release = onAbort(call.signal, () => this.#deadlines.close());
    try {
      await this.#run(call);
    } finally {
      release();
      this.#deadlines.close();
      this.#pauses.close();
      this.#troubles.close();
      this.#isRunning = false;
      this.#periodic?.close();
      this.#conditions?.close();
    }
  }

  /** The references to objects of other kinds. */
  get references(): readonly ReferencesSnapshot[] {
    return this.#references.snapshot();
  }

  /** Follows the references until the signal aborts, even if the controller does not run. */
  runReferences(call: { readonly signal: AbortSignal }): Promise<void> {
    return this.#references.run(call);
  }

  #run(call: { readonly signal: AbortSignal }): Promise<void> {
    this.#isRunning = true;
    this.#startup = new Startup(this.#host.clock, this.#metrics);
    return this.#controller.runOwned({ workers: this.#plan.options.workers ?? 1, ...call });
  }

  /** Forgets the failures of a key. An error of the user's rate limiter must not keep the key from being added. */
  #forget(key: string): void {
    try {
      this.#keys.forget(key);
    } catch (error) {
      this.#host.logger.error(
        `${this.name}: the rate limiter failed for "${key}": ${describeError(error)}`,
      );
    }
  }

  /** Adds a key to reconcile. */
  trigger(key: string): void {
    this.#sources.trigger(key);
  }

  /** Adds the matching keys of cached objects, except for objects that wait for their period. */
  triggerAll(matches: (key: string) => boolean): void {
    for (const key of this.#primary.keys()) {
      if (!matches(key)) continue;
      const item = this.#primary.itemByKey(key);
      if (item === undefined || !this.#isWaiting(item)) this.trigger(key);
    }
  }

  /** Reports whether an object of the first list waits for its period. */
  #isWaiting(item: Item<T>): boolean {
    const { every } = this.#plan.options;
    return every !== undefined && every.firstList !== "now" && isSettled(item) &&
      pauseOfItem(item, this.#host.clock) === undefined;
  }

  /** Follows the objects of the reconciled kind: their periods, and what ends a running reconcile. */
  #noteChange(change: ItemChange<T>, isAdded: boolean): void {
    const { item, type } = change;
    const key = keyOf(item);
    this.#conditions?.changed(change as unknown as ItemChange);
    this.#troubles.changed(change as unknown as ItemChange);
    this.observer.changed(change as unknown as ItemChange, key);
    if (type === "deleted" || type === "left") {
      this.#periodic?.delete(key);
      this.#pauses.resume(key);
    } else if (type !== "updated") this.#periodic?.add(key, item.metadata.uid ?? "");
    // Only a key that was added may be ended: another reconcile follows.
    const pass = isAdded && type === "updated" ? this.#passes.get(key) : undefined;
    if (pass !== undefined) this.#interrupt(pass, item);
  }

  /** Ends a running reconcile if the object is paused, or has a newer generation. */
  #interrupt(pass: Reconciliation<T>, item: Item<T>): void {
    const { generation = 0 } = item.metadata;
    const what = this.#nameOf(pass);
    if (pauseOfItem(item, this.#host.clock) !== undefined) {
      const reason = new DOMException(`${what} was ended: the object is paused`, "AbortError");
      pass.interrupt({ result: "paused", reason });
    } else if (this.#plan.options.supersede === true && generation > pass.generation) {
      const reason = new DOMException(
        `${what} was superseded by generation ${generation}`,
        "AbortError",
      );
      pass.supersede({ result: "superseded", supersededBy: generation, reason });
    }
  }

  /** Adds all cached objects, because an optional kind that the controller has declared has come or gone. */
  kindServed(resource: ResourceDescriptor, isServed: boolean): void {
    const { references, sources } = this.#plan;
    if (![...sources, ...references].some((one) => isSameKind(one.resource, resource))) return;
    const why = isServed ? "served" : "absent";
    for (const key of this.#primary.keys()) {
      this.#sources.changed(key, { why, resource: resourceName(resource) });
    }
  }

  /** Resolves when no matching key is being reconciled. */
  drained(matches: (key: string) => boolean): Promise<void> {
    return this.#deadlines.drained(matches);
  }

  /** The keys of running reconciles, the oldest first. */
  get running(): readonly string[] {
    return this.#deadlines.running;
  }

  /** The keys of running reconciles that are past their deadline. */
  get late(): readonly string[] {
    return this.#deadlines.late;
  }

  /** Reports whether the controller has declared a cache. */
  reads(cache: CacheReader): boolean {
    return this.#sources.caches.has(cache as KindCache);
  }

  /** Returns the state of the controller. */
  snapshot(): ManagedSnapshot {
    return {
      ...this.#controller.snapshot(),
      hotLoops: this.#hotLoops.found,
      waitingForCaches: this.#gate.waitingLength,
      references: this.references,
    };
  }

  #reconcile(
    key: string,
    { signal }: ReconcileContext,
  ): ReconcileResult | void | Promise<ReconcileResult | void> {
    const startedMs = this.#host.clock.now();
    const found = this.#primary.find(key);
    const isOwn = found !== undefined && this.#host.owns(key);
    // The key keeps its causes until its references have synced.
    if (isOwn && !this.#references.begin(key, found)) return;
    const taken = this.#work.take(key, startedMs);
    const gateMs = this.#gate.takeWaitedMs(key);
    if (!isOwn) {
      this.#pauses.resume(key);
      this.#troubles.settled(key);
      this.#startup?.reconciled(key);
      return;
    }
    this.#hotLoops.reconciled(key, startedMs);
    const { deletionTimestamp, uid = "" } = found.item.metadata;
    const isDeleting = deletionTimestamp !== undefined;
    if (isDeleting && this.#plan.finalizers.size === 0) {
      this.#references.end(key);
      this.#pauses.resume(key);
      this.#troubles.settled(key);
      this.#startup?.reconciled(key);
      return;
    }
    const pause = pauseOfItem(found.item, this.#host.clock);
    const { stories, tracer } = this.#host;
    const attempt = this.#keys.numRequeues(key) + 1;
    const story = stories.begin({
      controller: this.name,
      key,
      uid: uid || undefined,
      attempt,
      taken,
      startedMs,
      gateMs,
      backoffMs: taken.backoffMs,
    });
    const pass = new Reconciliation(this.#services, { found, story, attempt }, signal);
    if (pause !== undefined) return this.#pause(pass, pause, signal);
    pass.wasPaused = this.#pauses.resume(key);
    if (tracer === undefined) return this.#pass(pass, isDeleting, signal);
    const { kind } = this.#plan.resource;
    const traced = { controller: this.name, key, kind, uid, attempt, causes: pass.causes };
    return traceReconcile(tracer, traced, (traceId) => {
      pass.traceId = traceId;
      return this.#pass(pass, isDeleting, signal);
    });
  }

  /** Skips the reconcile of a paused object, and writes its condition `Paused`. */
  #pause(
    pass: Reconciliation<T>,
    pause: Pause,
    signal: AbortSignal,
  ): Promise<PassResult | void> | void {
    const condition = pausedCondition(pause);
    if (this.#pauses.pause(pass.key, pause) && pause.isInvalid) {
      pass.log.warn(condition.message);
      if (this.#host.recorder !== undefined) {
        pass.event("Warning", condition.reason, condition.message);
      }
    }
    if (pass.hasConditions) pass.notePause(condition);
    if (pass.hasStatus) return this.#finish(pass, undefined, signal, "paused");
    this.#troubles.settled(pass.key);
    this.#end(pass, { result: "paused" });
  }

  #pass(
    pass: Reconciliation<T>,
    isDeleting: boolean,
    signal: AbortSignal,
  ): ReconcileResult | void | Promise<ReconcileResult | void> {
    const { finalizers, reconcile } = this.#plan;
    if (finalizers.size > 0) {
      return this.#finish(pass, this.#withFinalizers(pass, isDeleting), signal);
    }
    let returned: ReturnType<typeof reconcile>;
    try {
      returned = reconcile(pass);
    } catch (error) {
      return this.#finish(pass, Promise.reject(error), signal);
    }
    if (!isPromiseLike(returned)) pass.clearPause();
    if (
      isPromiseLike(returned) || returned?.prune === true || pass.hasStatus || pass.hasOpenCalls
    ) {
      return this.#finish(pass, returned, signal);
    }
    // A synchronous reconcile without a status needs no promise.
    this.#troubles.settled(pass.key);
    this.#end(pass, this.#endOf(returned));
    return returned;
  }

  /** Completes a reconcile after its function has returned: prunes, writes the status, and ends the story. */
  async #finish(
    pass: Reconciliation<T>,
    returned: PassResult | void | PromiseLike<PassResult | void>,
    signal: AbortSignal,
    paused?: "paused",
  ): Promise<PassResult | void> {
    pass.holdObject();
    if (paused === undefined) this.#passes.set(pass.key, pass);
    this.#deadlines.started(pass.key, pass.startedMs, {
      late: () => this.#late(pass),
      hung: () => this.#hung(pass),
    });
    let result: PassResult | void = undefined;
    let failure: { readonly error: unknown } | undefined;
    try {
      result = await returned;
    } catch (error) {
      failure = { error };
    }
    try {
      if (pass.hasOpenCalls) await pass.settle();
      if (failure === undefined && result?.prune === true) await pass.prune();
    } catch (error) {
      failure ??= { error };
    }
    if (paused === undefined && pass.interruption === undefined) pass.clearPause();
    try {
      // A status that was collected before an error may describe it.
      if (pass.interruption === undefined) await pass.writeStatus();
    } catch (error) {
      if (failure === undefined) failure = { error };
      else if (!signal.aborted && pass.interruption === undefined && this.#host.owns(pass.key)) {
        pass.log.warn(`the status was not written: ${describeError(error)}`, error);
      }
    }
    // Its key was added by the change that has ended it, so neither its result nor its failure counts.
    if (pass.interruption !== undefined && !signal.aborted) {
      const { result, supersededBy } = pass.interruption;
      if (result === "superseded") this.#metrics.superseded.inc();
      return this.#end(pass, { result, supersededBy });
    }
    if (failure === undefined) {
      this.#troubles.settled(pass.key);
      this.#end(pass, paused === undefined ? this.#endOf(result) : { result: paused });
      return result;
    }
    const { error } = failure;
    if (!signal.aborted && !this.#host.owns(pass.key)) {
      // Another replica owns the key now, or its namespace has left the selection.
      pass.log.debug(`ended: ${describeError(error)}`);
      this.#end(pass, { error, result: "aborted" });
      return;
    }
    const isTerminal = TerminalError.is(error);
    const { maxRetries = Infinity } = this.#plan.options;
    const isGivenUp = isTerminal || this.#keys.numRequeues(pass.key) >= maxRetries;
    if (!signal.aborted) this.#troubles.failed(pass.key, error, isGivenUp);
    this.#end(pass, {
      error,
      result: signal.aborted ? "aborted" : isTerminal ? "terminal" : "error",
    });
    throw error;
  }

  /** Aborts the signal of a reconcile at its deadline. Its worker is occupied until the reconcile ends. */
  #late(pass: Reconciliation<T>): void {
    const what = this.#nameOf(pass);
    const { reconcileTimeoutMs } = this.#services;
    this.#metrics.timeouts.inc();
    pass.expire(
      new DOMException(`${what} took longer than ${reconcileTimeoutMs} ms`, "TimeoutError"),
    );
  }

  /** Logs a reconcile that ignores its signal. A reconcile that ends is logged as a failure instead. */
  #hung(pass: Reconciliation<T>): void {
    const { reconcileTimeoutMs } = this.#services;
    this.#host.logger.warn(
      `${this.#nameOf(pass)} has not ended within ${reconcileTimeoutMs} ms: ` +
        "its signal is aborted, and the key is retried when it ends",
    );
  }

  #nameOf({ key }: Reconciliation<T>): string {
    return `${this.#plan.name}: reconcile of "${key}"`;
  }

  #end(pass: Reconciliation<T>, end: StoryEnd): void {
    this.#deadlines.ended(pass.key);
    this.#passes.delete(pass.key);
    this.#references.end(pass.key);
    pass.end(end);
    this.#startup?.reconciled(pass.key);
  }

  async #withFinalizers(
    pass: Reconciliation<T>,
    isDeleting: boolean,
  ): Promise<PassResult | void> {
    const { fieldManager, finalizers, reconcile, resource } = this.#plan;
    const { client, object } = pass;
    if (this.#host.dryRun) {
      for (const name of finalizers.keys()) this.#tryFinalizer(pass, name, isDeleting);
      return isDeleting ? undefined : await reconcile(pass);
    }
    if (isDeleting) {
      for (const [name, { cleanup }] of finalizers) {
        if (object.metadata.finalizers?.includes(name) !== true) continue;
        await cleanup(pass);
        const left = await removeFinalizer(client, resource, pass.object, name, { fieldManager });
        if (left === undefined) return;
        pass.renew(left);
      }
      return;
    }
    for (const [name, { apply }] of finalizers) {
      const kept = await ensureFinalizer(client, resource, pass.object, name, { fieldManager });
      // The object is being deleted or gone, so no work must be done for it. Its event follows.
      if (kept === undefined) return;
      pass.renew(kept);
      await apply?.(pass);
    }
    return await reconcile(pass);
  }

  /** Logs the change of a finalizer in a dry run. Its steps are not called, because they act outside of the cluster. */
  #tryFinalizer({ object, key }: Reconciliation<T>, name: string, isDeleting: boolean): void {
    const isThere = object.metadata.finalizers?.includes(name) === true;
    if (isThere !== isDeleting) return;
    const what = isDeleting ? `clean up for and remove` : "add";
    const { kind } = this.#plan.resource;
    this.#host.logger.info(`Dry run: would ${what} the finalizer ${name} of ${kind} ${key}`);
  }

  #makeGate(): WriteGate {
    const { clock, logger } = this.#host;
    const { name, options } = this.#plan;
    const { staleSyncTimeoutMs: timeoutMs = DEFAULT_STALE_SYNC_TIMEOUT_MS } = options;
    return new WriteGate({
      clock,
      timeoutMs,
      onOpen: (key) => {
        this.#work.note(key, { why: "stale" });
        this.#keys.add(key);
      },
      onWait: () => this.#metrics.staleSyncSkips.inc(),
      onTimeout: (key, missing) => {
        this.#metrics.staleReadTimeouts.inc();
        this.#troubles.timedOut(key, missing);
        logger.warn(
          `${name}: "${key}" is reconciled on a cache that has not shown its own writes for ${timeoutMs} ms: ${
            missing.join(", ")
          }`,
        );
      },
    });
  }

  #makeServices(): ReconcileServices<T> {
    const { client, clock, logger, dryRun } = this.#host;
    const { name, fieldManager, options, resource, sources } = this.#plan;
    const memory = new AppliedMemory();
    const ownedKinds = sources.filter(({ how }) => how === "owns").map(({ resource }) => resource);
    return {
      name,
      resource,
      client,
      clock,
      logger,
      ownedKinds,
      recorder: this.#host.recorder,
      writesStatus: writesStatus(this.#plan as unknown as ControllerPlan),
      hasConditions: declaresConditions(resource),
      reconcileTimeoutMs: options.reconcileTimeoutMs ?? DEFAULT_RECONCILE_TIMEOUT_MS,
      applying: {
        fieldManager,
        dryRun,
        logger,
        memory,
        lookup: (kind, namespace, objectName) => this.#caches.find(kind, objectName, namespace),
      },
      refused: (key, request) => this.#troubles.requested(key, request),
      skipped: (write) => this.#metrics.writeSkipped(write),
      cacheOf: (kind, method) => this.#caches.require(kind, method),
      reporting: { resource, fieldManager, clock, logger, memory, dryRun },
      signalOf: (key) => this.#host.signalOf(key),
      checkLease: (key) => this.#host.checkLease(key),
      wrote: (key, written) => this.#wrote(key, written),
      forgotten: (key, what) => this.#noteForgotten(key, what),
    };
  }

  /** Returns the end of the story of a successful reconcile, at the current time. */
  #endOf(result: PassResult | void): StoryEnd {
    const endedMs = this.#host.clock.now();
    const requeueAfterMs = result?.requeueAfterMs;
    if (typeof requeueAfterMs !== "number") return { result: "success", endedMs };
    return { result: requeueAfterMs > 0 ? "requeue_after" : "requeue", requeueAfterMs, endedMs };
  }

  #noteForgotten(key: string, what: string): void {
    // The method and the kind, so that there is one line per call site and not per object.
    const id = what.split(" ", 3).join(" ");
    if (this.#forgotten.has(id) || this.#forgotten.size >= MAX_FORGOTTEN) return;
    this.#forgotten.add(id);
    this.#host.logger.warn(
      `${this.name}: "${key}": ${what} was not awaited, so its errors are lost and its order is open: ` +
        "add await (logged once)",
    );
  }

  /** Notes the generation after a write of a reconcile to its own object, which must not supersede the reconcile. */
  #noteOwnWrite(key: string, { object, resource }: WrittenObject): void {
    const pass = this.#passes.get(key);
    if (pass === undefined || resourceName(resource) !== resourceName(this.#plan.resource)) return;
    const { name, namespace, generation } = ((object ?? {}) as Partial<KubeObject>).metadata ?? {};
    if (name !== pass.name || (namespace || undefined) !== pass.namespace) return;
    if (typeof generation === "number") pass.generation = Math.max(pass.generation, generation);
  }

  #wrote(key: string, written: WrittenObject): void {
    if (written.dryRun) return;
    this.#hotLoops.wrote(written.fieldManager);
    this.#noteOwnWrite(key, written);
    for (const cache of this.#caches.showing(written.resource)) {
      this.#gate.wrote(key, cache, written);
    }
  }
}

function isSameKind(a: ResourceDescriptor, b: ResourceDescriptor): boolean {
  return a.version === b.version && resourceName(a) === resourceName(b);
}
