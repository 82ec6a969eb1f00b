import { type Clock, hasFields, LinkedAbort, type Logger, withFields } from "../../base/mod.ts";
import type { Client } from "../../client/mod.ts";
import type {
  ApplyConfiguration,
  Cached,
  Condition,
  KubeObject,
  ObjectOf,
  Resource,
  ResourceDescriptor,
} from "../../types/mod.ts";
import { type ApplyCallOptions, ApplyPass } from "../apply/mod.ts";
import type { EventReport } from "../../events/mod.ts";
import {
  type SetStatus,
  StatusDraft,
  type StatusDraftOptions,
  storedConditions,
} from "../status/mod.ts";
import type { Cause, StoryEnd, StoryRecorder } from "../stories/mod.ts";
import type { CacheReader } from "./cache_reader.ts";
import type { FoundItem } from "./found_item.ts";
import { PassCalls, trackedClient } from "./pass_calls.ts";
import { isPausedCondition, PAUSED_CONDITION, type PausedCondition } from "./pauses.ts";
import type { ReconcileServices } from "./reconcile_services.ts";

/** Time limit of the write of a status after the end of its reconcile, in milliseconds. */
const STATUS_LIMIT_MS = 30_000;

/** The reason why a reconcile is ended before its time. */
export interface Interruption {
  readonly result: "paused" | "superseded";
  /** The generation that has superseded the reconcile. */
  readonly supersededBy?: number | undefined;
  /** The reason of the aborted signal. */
  readonly reason: Error;
}

/** Optional fields of an event of a reconcile. */
export interface EventDetails {
  /** The action of the controller, a CamelCase word. Default: the reason. */
  readonly action?: string | undefined;
  /** The second object of the event. */
  readonly related?: { readonly resource: ResourceDescriptor; readonly object: Cached<KubeObject> };
}

/**
 * One reconcile of one object: the parameter of `reconcile`. The members can be destructured, as in
 * `({ object, apply }) => …`. Unused members cost nothing.
 *
 * @typeParam T The interface of the object.
 */
export class Reconciliation<T extends KubeObject> {
  #object: Cached<T> | undefined;
  readonly #found: FoundItem<T>;
  /** Returns the object, even if the cache has a newer one. */
  #held: (() => Cached<T>) | undefined;
  readonly #services: ReconcileServices<T>;
  readonly #parent: AbortSignal;
  readonly #shard: AbortSignal | undefined;
  readonly #story: StoryRecorder;
  readonly #attempt: number;
  /**
   * The id of the trace of the reconcile; undefined without a tracer.
   *
   * @internal
   */
  traceId: string | undefined;
  #link: LinkedAbort | undefined;
  /** The reason for the abort at the deadline; undefined before. */
  #expired: Error | undefined;
  /** The reason for which the reconcile was interrupted; undefined if it was not. */
  #interruption: Interruption | undefined;
  /** Ends the requests. After an interruption, it aborts once no write is on its way. */
  #requests: LinkedAbort | undefined;
  /** A newer generation of the object. The reconcile may have written it itself. */
  #newer: Interruption | undefined;
  /** The number of writes on their way. */
  #writes = 0;
  /** Aborts the requests for the status. */
  #statusLink: LinkedAbort | undefined;
  readonly #calls = new PassCalls();
  /** The client for the library, and the client for `reconcile`, whose calls are tracked. */
  #plainClient: Client | undefined;
  #client: Client | undefined;
  #applyPass: ApplyPass | undefined;
  #draft: StatusDraft<T> | undefined;

  /**
   * Begins a reconcile. Only a controller calls this.
   *
   * @internal
   */
  constructor(
    services: ReconcileServices<T>,
    { found, story, attempt }: ReconcileSubject<T>,
    parent: AbortSignal,
  ) {
    this.#found = found;
    this.#attempt = attempt;
    this.#story = story;
    this.#services = services;
    this.#parent = parent;
    // Taken at the start: a shard that is lost meanwhile has no signal, or another one after it is acquired again.
    this.#shard = services.signalOf(story.key);
    this.generation = found.item.metadata.generation ?? 0;
  }

  /** The key of the object, such as `default/web`. */
  get key(): string {
    return this.#story.key;
  }

  /**
   * The start of the reconcile, by the monotonic clock in milliseconds.
   *
   * @internal
   */
  get startedMs(): number {
    return this.#story.startedMs;
  }

  /** The causes of this reconcile, with the changed fields and their writers; at most sixteen, the oldest first. */
  get causes(): readonly Cause[] {
    return this.#story.causes;
  }

  /** The object in the cache, or with its new finalizer. It must not be changed. */
  get object(): Cached<T> {
    const { informer, item } = this.#found;
    return this.#object ??= this.#held?.() ?? informer.read(item);
  }

  /** The name of the object. */
  get name(): string {
    return this.#found.item.metadata.name ?? "";
  }

  /** The namespace of the object; undefined for a cluster-scoped object. */
  get namespace(): string | undefined {
    return this.#found.item.metadata.namespace || undefined;
  }

  /**
   * Aborts when the controller stops, when the lease is lost, after `reconcileTimeoutMs`, when the object is paused, and with
   * `supersede: true` when a newer generation of the object arrives. It ends the requests of
   * {@linkcode Reconciliation.client}; pass it to all other long-running calls.
   */
  get signal(): AbortSignal {
    if (this.#link === undefined) {
      this.#link = this.#bind();
      if (this.#interruption !== undefined) this.#link.abort(this.#interruption.reason);
    }
    return this.#link.signal;
  }

  /**
   * The client. Its requests end with {@linkcode Reconciliation.signal}. The next reconcile of the key waits until the caches
   * show its writes.
   */
  get client(): Client {
    return this.#client ??= trackedClient(this.#plain(), this.#calls);
  }

  /**
   * The clock of the manager, which is virtual in tests. Use `clock.wallNow()` in place of `Date.now()`: milliseconds since
   * 1970, as in `new Date(clock.wallNow())`. `clock.now()` has an arbitrary start, so use it only for durations.
   */
  get clock(): Clock {
    return this.#services.clock;
  }

  /**
   * A logger for this reconcile. With `jsonLogger`, its lines have the fields `controller`, `key`, `attempt` and, with a tracer,
   * `trace`. Other lines begin with the controller and the key.
   */
  get log(): Logger {
    const { logger, name } = this.#services;
    const { key, traceId } = this;
    if (hasFields(logger)) {
      return withFields(logger, {
        controller: name,
        key,
        attempt: this.#attempt,
        ...(traceId !== undefined && { trace: traceId }),
      });
    }
    const line = (message: string) => `${name}: "${this.key}": ${message}`;
    return {
      debug: (message, ...more) => logger.debug(line(message), ...more),
      info: (message, ...more) => logger.info(line(message), ...more),
      warn: (message, ...more) => logger.warn(line(message), ...more),
      error: (message, ...more) => logger.error(line(message), ...more),
    };
  }

  /**
   * Applies a partial object by server-side apply, with this object as its controller owner if the controller owns the kind.
   * Sends no request if the cached object already has the result. The server removes fields that were applied before and are
   * missing now, including labels.
   *
   * The object needs a name. The default of its namespace is the namespace of the reconciled object.
   *
   * @throws {TypeError} If the controller has not declared the kind with `owns` or `watches`.
   */
  get apply(): <R extends Resource>(
    resource: R,
    object: ApplyConfiguration<ObjectOf<R>>,
    options?: ApplyCallOptions,
  ) => Promise<Cached<ObjectOf<R>>> {
    return (resource, object, options) =>
      this.#calls.track(
        () => callOf("apply", resource, object),
        this.#pass().apply(resource, object, options),
      );
  }

  /**
   * Deletes a cached object, such as an object of {@linkcode Reconciliation.owned}, and its dependents in the background. The
   * deletion is bound to the UID, so that a new object of the same name is kept. A missing object is not an error.
   */
  get remove(): <R extends Resource>(
    resource: R,
    object: Cached<ObjectOf<R>>,
  ) => Promise<void> {
    return (resource, object) =>
      this.#calls.track(
        () => callOf("remove", resource, object),
        this.#pass().remove(resource, object),
      );
  }

  /**
   * Collects fields of the status. They are written once at the end of the reconcile, even if it threw, unless nothing has
   * changed. Fields that this controller set earlier and that are omitted now are kept. The result also collects conditions,
   * as in `status({ ready: 1 }).condition("Ready", "True", "AllUp")`. `await status({ phase: "Copying" }).write()` writes at
   * once, for example before a long call.
   *
   * @throws {TypeError} If the controller has `status: false`, or the schema of the kind has no status.
   */
  get status(): SetStatus<T> {
    return (this.#draft ??= this.#makeDraft()).status;
  }

  /**
   * Records an event about the object. The event is sent later and never delays a reconcile.
   *
   * @throws {TypeError} If the type is not `Normal` or `Warning`, the reason is missing, or the controller has
   * `events: false`.
   */
  get event(): (
    type: EventReport["type"],
    reason: string,
    note: string,
    details?: EventDetails,
  ) => void {
    return (type, reason, note, details) => {
      const { name, recorder, resource } = this.#services;
      if (recorder === undefined) {
        throw new TypeError(`Cannot record an event: controller "${name}" has { events: false }`);
      }
      // Another replica owns the key now, or its namespace has left the selection.
      if (this.#shard?.aborted) return;
      recorder.event(resource, this.object, { type, reason, note, ...details });
    };
  }

  /**
   * Returns the cache of a declared kind.
   *
   * @throws {TypeError} If the controller has not declared the kind.
   */
  get cache(): <R extends Resource>(resource: R) => CacheReader<ObjectOf<R>> {
    return (resource) => this.#services.cacheOf(resource, "cache");
  }

  /**
   * Returns the cached objects of a kind whose controller owner is this object, matched by UID.
   *
   * @throws {TypeError} If the controller has not declared the kind.
   */
  get owned(): <R extends Resource>(resource: R) => readonly Cached<ObjectOf<R>>[] {
    return (resource) => this.#services.cacheOf(resource, "owned").ownedBy(this.#uid);
  }

  /**
   * Replaces the object by a newer version.
   *
   * @internal
   */
  renew(object: Cached<T>): void {
    this.#object = object;
  }

  /**
   * Holds the object as it is at the start of the reconcile, before the cache can have a newer one.
   *
   * @internal
   */
  holdObject(): void {
    const { informer, item } = this.#found;
    if (this.#object === undefined) this.#held ??= informer.hold(item);
  }

  /**
   * Whether the reconcile has collected a status.
   *
   * @internal
   */
  get hasStatus(): boolean {
    return this.#draft !== undefined;
  }

  /**
   * Deletes the owned objects that were not applied.
   *
   * @internal
   */
  prune(): Promise<unknown> {
    return this.#pass().prune(this.#services.ownedKinds);
  }

  /**
   * Whether a call of the reconcile is still running or was not awaited.
   *
   * @internal
   */
  get hasOpenCalls(): boolean {
    return this.#calls.hasOpen;
  }

  /**
   * Waits for the calls that the reconcile has not awaited, and names them in the log.
   *
   * @throws {Error} If such a call failed.
   *
   * @internal
   */
  settle(): Promise<void> {
    return this.#calls.settle((what) => this.#services.forgotten(this.key, what));
  }

  /**
   * Writes the collected status; undefined if there is none. It has its own time limit, because the deadline of the reconcile
   * may have passed.
   *
   * @internal
   */
  writeStatus(): Promise<unknown> | undefined {
    const draft = this.#draft;
    const link = this.#statusLink;
    if (draft === undefined || link === undefined) return undefined;
    const { clock, reconcileTimeoutMs } = this.#services;
    const limitMs = Math.min(STATUS_LIMIT_MS, reconcileTimeoutMs);
    const timer = clock.setTimer(() => {
      const message = `the status was not written within ${limitMs} ms`;
      link.abort(new DOMException(message, "TimeoutError"));
    }, limitMs);
    return draft.write().finally(() => timer.cancel());
  }

  /**
   * Aborts the signal, because the deadline has passed.
   *
   * @internal
   */
  expire(reason: Error): void {
    this.#expired = reason;
    this.#link?.abort(reason);
    this.#requests?.abort(reason);
  }

  /**
   * Ends the reconcile before its time: aborts the signal, and sends no further request. A write on its way is completed, so
   * that the next reconcile knows its result.
   *
   * @internal
   */
  interrupt(interruption: Interruption): void {
    if (this.#interruption !== undefined || this.#expired !== undefined) return;
    this.#interruption = interruption;
    this.#link?.abort(interruption.reason);
    this.#endRequests();
  }

  /**
   * Interrupts the reconcile because of a newer generation, unless it has written that itself: a write on its way may be the
   * one, so its answer decides.
   *
   * @internal
   */
  supersede(interruption: Interruption): void {
    this.#newer = interruption;
    if (this.#writes === 0) this.#decide();
  }

  /**
   * The reason for which the reconcile was interrupted; undefined if it was not.
   *
   * @internal
   */
  get interruption(): Interruption | undefined {
    return this.#interruption;
  }

  /**
   * The generation of the object, with the own writes of the reconcile.
   *
   * @internal
   */
  generation: number;

  /**
   * Collects the condition of a paused object, unless the object has it. It keeps the `observedGeneration` of the status,
   * because nothing was done for the generation.
   *
   * @internal
   */
  notePause({ reason, message }: PausedCondition): void {
    const known = this.#conditions.find(({ type }) => type === PAUSED_CONDITION);
    if (known?.status === "True" && known.reason === reason && known.message === message) return;
    this.#draft ??= this.#makeDraft({ observedGeneration: false });
    this.#draft.status().condition(PAUSED_CONDITION, "True", reason, message);
  }

  /**
   * Ends the condition of {@linkcode Reconciliation.notePause}, unless the reconcile has set another one.
   *
   * @internal
   */
  clearPause(): void {
    // An object that the reconcile has not read is not parsed for this.
    if (!this.#services.writesStatus || (this.#object === undefined && !this.wasPaused)) return;
    if (!this.#conditions.some(isPausedCondition)) return;
    this.#draft ??= this.#makeDraft({ observedGeneration: false });
    this.#draft.default(PAUSED_CONDITION, "False", "Resumed");
  }

  /**
   * Whether the object was paused before this reconcile, if known.
   *
   * @internal
   */
  wasPaused = false;

  /**
   * Whether the object may have conditions: its kind declares them, or it has some.
   *
   * @internal
   */
  get hasConditions(): boolean {
    const { hasConditions, writesStatus } = this.#services;
    return writesStatus && (hasConditions || this.#conditions.length > 0);
  }

  /**
   * Ends the reconcile and its story.
   *
   * @internal
   */
  end(end: StoryEnd): void {
    this.#link?.release();
    this.#requests?.release();
    this.#statusLink?.release();
    this.#story.end(end);
  }

  get #uid(): string {
    return this.#found.item.metadata.uid ?? "";
  }

  get #conditions(): readonly Condition[] {
    return storedConditions(this.object);
  }

  #makeDraft(options: Pick<StatusDraftOptions<T>, "observedGeneration"> = {}): StatusDraft<T> {
    const { name, resource, writesStatus } = this.#services;
    if (!writesStatus) {
      throw new TypeError(
        `Cannot set a status: controller "${name}" has { status: false }, or the schema of ${resource.kind} has no status`,
      );
    }
    // Not bound to the deadline: the status of a late reconcile is written too.
    const link = this.#statusLink = new LinkedAbort(this.#ownership());
    return new StatusDraft<T>({
      ...this.#services.reporting,
      ...options,
      object: this.object,
      client: this.#observe(link.signal),
      onEarlyWrite: (writing) => this.#calls.track(() => "status().write()", writing),
      onSkipped: () =>
        this.#skipped("status", resource, {
          name: this.name,
          namespace: this.namespace,
          subresource: "status",
        }),
    });
  }

  #pass(): ApplyPass {
    return this.#applyPass ??= new ApplyPass({
      ...this.#services.applying,
      client: this.#plain(),
      signal: this.signal,
      onSkipped: ({ resource, ...place }) => this.#skipped("apply", resource, place),
      owner: { object: this.object, resource: this.#services.resource },
      children: (kind) => this.#services.cacheOf(kind, "prune").ownedBy(this.#uid),
    });
  }

  #plain(): Client {
    if (this.#plainClient !== undefined) return this.#plainClient;
    this.#requests = this.#bind();
    this.#endRequests();
    return this.#plainClient = this.#observe(this.#requests.signal);
  }

  #observe(signal: AbortSignal): Client {
    return this.#services.client.observed({
      begins: ({ method }) => {
        if (this.#writes === 0) this.#decide();
        if (method !== "GET") this.#writes++;
      },
      sends: () => {
        this.#services.checkLease(this.key);
        return this.#interruption?.reason;
      },
      ended: (ended) => {
        const { path, status, ...request } = ended;
        if (request.method !== "GET") this.#writes--;
        if (request.error !== undefined && this.#writes === 0) this.#decide();
        this.#endRequests();
        this.#story.requested({ ...request, url: path, code: status });
        if (status === 403) this.#services.refused(this.key, ended);
      },
      wrote: (written) => {
        this.#services.wrote(this.key, written);
        if (this.#writes === 0) this.#decide();
      },
    }, { signal });
  }

  /** Returns the signal that aborts when this process no longer owns the key. */
  #ownership(): AbortSignal {
    const shard = this.#shard;
    return shard === undefined ? this.#parent : AbortSignal.any([this.#parent, shard]);
  }

  #bind(): LinkedAbort {
    const link = new LinkedAbort(this.#ownership());
    if (this.#expired !== undefined) link.abort(this.#expired);
    return link;
  }

  /** Interrupts the reconcile if a newer generation is not its own. */
  #decide(): void {
    const newer = this.#newer;
    this.#newer = undefined;
    if (newer?.supersededBy !== undefined && newer.supersededBy > this.generation) {
      this.interrupt(newer);
    }
  }

  /** Ends the requests of an interrupted reconcile, unless a write is on its way. */
  #endRequests(): void {
    if (this.#interruption === undefined || this.#writes > 0) return;
    this.#requests?.abort(this.#interruption.reason);
  }

  #skipped(
    write: "apply" | "status",
    resource: ResourceDescriptor,
    place: ObjectPlace,
  ): void {
    this.#story.writeSkipped({ write, path: pathOf(resource, place) });
    this.#services.skipped(write);
  }
}

/** The object and the story of a reconcile. */
export interface ReconcileSubject<T extends KubeObject> {
  readonly found: FoundItem<T>;
  /** The recorder of this reconcile: key, causes, start time. */
  readonly story: StoryRecorder;
  /** The number of the attempt: 1, plus the number of failures in a row before. */
  readonly attempt: number;
}

/** The object of a write. */
interface ObjectPlace {
  readonly name: string;
  readonly namespace: string | undefined;
  readonly subresource?: string | undefined;
}

/** Returns the path of the request of a write. The client would check its parts, but nothing is sent. */
function pathOf(
  { group, namespaced, plural, version }: ResourceDescriptor,
  { name, namespace, subresource }: ObjectPlace,
): string {
  const parts = [
    ...(group === "" ? ["api"] : ["apis", group]),
    version,
    ...(namespaced ? ["namespaces", namespace ?? ""] : []),
    plural,
    name,
    ...(subresource === undefined ? [] : [subresource]),
  ];
  return `/${parts.map(encodeURIComponent).join("/")}`;
}

/** Describes a call, even with invalid arguments. */
function callOf(method: string, resource: ResourceDescriptor, object: unknown): string {
  const { name, namespace } = ((object ?? {}) as Partial<KubeObject>).metadata ?? {};
  const place = namespace ? `${namespace}/${name}` : name;
  return `${method}() of ${resource?.kind} ${place}`;
}
