import { type Clock, LinkedAbort, type Logger } from "../../base/mod.ts";
import type { Client } from "../../client/mod.ts";
import type {
  ApplyConfiguration,
  Cached,
  KubeObject,
  ObjectOf,
  Resource,
  ResourceDescriptor,
} from "../../types/mod.ts";
import { type ApplyCallOptions, ApplyPass } from "../apply/mod.ts";
import type { EventReport } from "../../events/mod.ts";
import { type SetStatus, StatusDraft } from "../status/mod.ts";
import type { Cause, StoryEnd, StoryRecorder } from "../stories/mod.ts";
import type { CacheReader } from "./kind_cache.ts";
import { PassCalls, trackedClient } from "./pass_calls.ts";
import type { ReconcileParts } from "./reconcile_parts.ts";

/** The time limit of the write of a status after its reconcile has ended, in milliseconds. */
const STATUS_LIMIT_MS = 30_000;

/** What an event of a reconcile says besides its reason and note. */
export interface EventDetails {
  /** What the controller did, as a CamelCase word. Default: the reason. */
  readonly action?: string | undefined;
  /** Another object that the event is about. */
  readonly related?: { readonly resource: ResourceDescriptor; readonly object: Cached<KubeObject> };
}

/**
 * One reconcile of one object: what `reconcile` gets. The members can be taken apart, as in `({ object, apply }) => …`.
 * What is not used costs nothing.
 *
 * @typeParam T The interface of the object.
 */
export class Reconciliation<T extends KubeObject> {
  #object: Cached<T>;
  readonly #parts: ReconcileParts<T>;
  readonly #parent: AbortSignal;
  readonly #shard: AbortSignal | undefined;
  readonly #story: StoryRecorder;
  #link: LinkedAbort | undefined;
  /** The reason for the end of the signal; undefined before the deadline. */
  #expired: Error | undefined;
  /** Ends the requests about the status. */
  #statusLink: LinkedAbort | undefined;
  readonly #calls = new PassCalls();
  /** The client of the library, and the one of the reconcile, whose calls are tracked. */
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
    parts: ReconcileParts<T>,
    { object, story }: ReconcileSubject<T>,
    parent: AbortSignal,
  ) {
    this.#object = object;
    this.#story = story;
    this.#parts = parts;
    this.#parent = parent;
    // Not later: a shard that is lost meanwhile has no signal, and one that has come back has another.
    this.#shard = parts.signalOf(story.key);
  }

  /** The key of the object, as in `default/web`. */
  get key(): string {
    return this.#story.key;
  }

  /**
   * When the reconcile started, by the monotonic clock.
   *
   * @internal
   */
  get startedMs(): number {
    return this.#story.startedMs;
  }

  /** All causes of this reconcile, with what changed and who changed it; the oldest first, sixteen at most. */
  get causes(): readonly Cause[] {
    return this.#story.causes;
  }

  /** The object, as the cache holds it, or with the finalizers that it was just given. It must not be changed. */
  get object(): Cached<T> {
    return this.#object;
  }

  /** The name of the object. */
  get name(): string {
    return this.object.metadata.name;
  }

  /** The namespace of the object; undefined for a cluster-scoped one. */
  get namespace(): string | undefined {
    return this.object.metadata.namespace;
  }

  /**
   * Aborts when the controller stops, when the lease is lost, and when the reconcile takes too long. The requests of
   * {@linkcode Reconciliation.client} end with it; pass it to everything else that takes long.
   */
  get signal(): AbortSignal {
    return (this.#link ??= this.#bind()).signal;
  }

  /**
   * The client. Its requests end with {@linkcode Reconciliation.signal}, and the next reconcile of the key waits until the
   * caches show what was written with it.
   */
  get client(): Client {
    return this.#client ??= trackedClient(this.#plain(), this.#calls);
  }

  /**
   * The clock of the manager, which is virtual in tests. Use `clock.wallNow()` in place of `Date.now()`: the milliseconds
   * since 1970, as in `new Date(clock.wallNow())`. `clock.now()` is for durations only, since it begins anywhere.
   */
  get clock(): Clock {
    return this.#parts.clock;
  }

  /** A logger whose lines begin with the controller and the key. */
  get log(): Logger {
    const { logger, name } = this.#parts;
    const line = (message: string) => `${name}: "${this.key}": ${message}`;
    return {
      debug: (message, ...more) => logger.debug(line(message), ...more),
      info: (message, ...more) => logger.info(line(message), ...more),
      warn: (message, ...more) => logger.warn(line(message), ...more),
      error: (message, ...more) => logger.error(line(message), ...more),
    };
  }

  /**
   * Applies a partial object by server-side apply, with this object as its controller owner, if the controller owns the
   * kind. Nothing is sent if the cache holds what would result: a reconcile that changes nothing makes no request. What
   * was applied before and is missing now is removed by the server, labels included.
   *
   * The object needs a name; the namespace defaults to that of the reconciled object.
   *
   * @throws {TypeError} When the controller has not declared the kind with `owns` or `watches`.
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
   * Deletes an object of this pass, such as one of {@linkcode Reconciliation.owned}, with its dependents in the background.
   * The deletion is bound to the UID: a new object of the same name stays. One that is gone is no error.
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
   * Collects fields of the status, which are written once when the reconcile has ended, also after it threw. Fields that
   * this controller set earlier and that are not given stay. The result takes conditions, as in
   * `status({ ready: 1 }).condition("Ready", "True", "AllUp")`. Nothing is written if nothing changes. Before something that
   * takes long, `await status({ phase: "Copying" }).write()` writes at once.
   *
   * @throws {TypeError} When the controller has `status: false`, or the schema of the kind has no status.
   */
  get status(): SetStatus<T> {
    return (this.#draft ??= this.#makeDraft()).status;
  }

  /**
   * Records an event about the object. It is sent later and never delays a reconcile.
   *
   * @throws {TypeError} When the type is not `Normal` or `Warning`, the reason is missing, or the controller has
   * `events: false`.
   */
  get event(): (
    type: EventReport["type"],
    reason: string,
    note: string,
    details?: EventDetails,
  ) => void {
    return (type, reason, note, details) => {
      const { name, recorder, resource } = this.#parts;
      if (recorder === undefined) {
        throw new TypeError(`Cannot record an event: controller "${name}" has { events: false }`);
      }
      recorder.event(resource, this.object, { type, reason, note, ...details });
    };
  }

  /**
   * Returns the cached objects of a kind that the controller has declared.
   *
   * @throws {TypeError} When the controller has not declared the kind.
   */
  get cache(): <R extends Resource>(resource: R) => CacheReader<ObjectOf<R>> {
    return (resource) => this.#parts.cacheOf(resource, "cache");
  }

  /**
   * Returns the cached objects of a kind whose controller owner is this object, matched by UID.
   *
   * @throws {TypeError} When the controller has not declared the kind.
   */
  get owned(): <R extends Resource>(resource: R) => readonly Cached<ObjectOf<R>>[] {
    return (resource) =>
      this.#parts.cacheOf(resource, "owned").ownedBy(this.object.metadata.uid ?? "");
  }

  /**
   * Goes on with a newer state of the object.
   *
   * @internal
   */
  renew(object: Cached<T>): void {
    this.#object = object;
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
    return this.#pass().prune(this.#parts.ownedKinds);
  }

  /**
   * Whether the reconcile has made calls that have not ended, or that nothing has awaited.
   *
   * @internal
   */
  get hasOpenCalls(): boolean {
    return this.#calls.hasOpen;
  }

  /**
   * Waits for the calls that the reconcile has not awaited, and names them in the log.
   *
   * @throws {Error} When one of them failed and nothing has seen its error.
   *
   * @internal
   */
  settle(): Promise<void> {
    return this.#calls.settle((what) => this.#parts.forgotten(this.key, what));
  }

  /**
   * Writes the collected status; undefined if there is none. It has a time limit of its own, because the deadline of the
   * reconcile may have passed.
   *
   * @internal
   */
  writeStatus(): Promise<unknown> | undefined {
    const draft = this.#draft;
    const link = this.#statusLink;
    if (draft === undefined || link === undefined) return undefined;
    const { clock, reconcileTimeoutMs } = this.#parts;
    const limitMs = Math.min(STATUS_LIMIT_MS, reconcileTimeoutMs);
    const timer = clock.setTimer(() => {
      const message = `the status was not written within ${limitMs} ms`;
      link.abort(new DOMException(message, "TimeoutError"));
    }, limitMs);
    return draft.write().finally(() => timer.cancel());
  }

  /**
   * Ends the signal, because the deadline has passed.
   *
   * @internal
   */
  expire(reason: Error): void {
    this.#expired = reason;
    this.#link?.abort(reason);
  }

  /**
   * Ends the reconcile, and tells its story.
   *
   * @internal
   */
  end(end: StoryEnd): void {
    this.#link?.release();
    this.#statusLink?.release();
    this.#story.end(end);
  }

  #makeDraft(): StatusDraft<T> {
    const { name, resource, writesStatus } = this.#parts;
    if (!writesStatus) {
      throw new TypeError(
        `Cannot set a status: controller "${name}" has { status: false }, or the schema of ${resource.kind} has no status`,
      );
    }
    // The status of a reconcile that took too long is written all the same.
    const link = this.#statusLink = new LinkedAbort(this.#mine());
    return new StatusDraft<T>({
      ...this.#parts.reporting,
      object: this.object,
      client: this.#observe(link.signal),
      onEarlyWrite: (writing) => this.#calls.track(() => "status().write()", writing),
      onSkipped: () => this.#skipped("status"),
    });
  }

  #pass(): ApplyPass {
    return this.#applyPass ??= new ApplyPass({
      ...this.#parts.applying,
      client: this.#plain(),
      signal: this.signal,
      onSkipped: () => this.#skipped("apply"),
      owner: { object: this.object, resource: this.#parts.resource },
      children: (kind) =>
        this.#parts.cacheOf(kind, "prune").ownedBy(this.object.metadata.uid ?? ""),
    });
  }

  #plain(): Client {
    return this.#plainClient ??= this.#observe(this.signal);
  }

  #observe(signal: AbortSignal): Client {
    return this.#parts.client.observed({
      sends: () => this.#parts.checkLease(this.key),
      ended: ({ path, status, ...request }) =>
        this.#story.requested({ ...request, url: path, code: status }),
      wrote: (written) => this.#parts.wrote(this.key, written),
    }, { signal });
  }

  /** Returns the signal that aborts when this process must not act on the key any more. */
  #mine(): AbortSignal {
    const shard = this.#shard;
    return shard === undefined ? this.#parent : AbortSignal.any([this.#parent, shard]);
  }

  #bind(): LinkedAbort {
    const link = new LinkedAbort(this.#mine());
    if (this.#expired !== undefined) link.abort(this.#expired);
    return link;
  }

  #skipped(write: "apply" | "status"): void {
    this.#story.writeSkipped();
    this.#parts.skipped(write);
  }
}

/** What a reconcile is about. */
export interface ReconcileSubject<T extends KubeObject> {
  readonly object: Cached<T>;
  /** Where its story is written down, which has the key, the causes and the start. */
  readonly story: StoryRecorder;
}

/** Describes a call about an object, whatever plain JavaScript passes. */
function callOf(method: string, resource: ResourceDescriptor, object: unknown): string {
  const { name, namespace } = ((object ?? {}) as Partial<KubeObject>).metadata ?? {};
  const place = namespace ? `${namespace}/${name}` : name;
  return `${method}() of ${resource?.kind} ${place}`;
}
