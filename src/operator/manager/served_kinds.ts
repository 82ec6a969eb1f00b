import {
  abortable,
  type CacheEnvironment,
  type Clock,
  describeError,
  isRecord,
  type Logger,
  onAbort,
  parseJson,
  realClock,
  safeLogger,
  type Timer,
  Waiters,
} from "../../base/mod.ts";
import { DeletedFinalStateUnknown, SharedInformer } from "../../cache/mod.ts";
import type { Client } from "../../client/mod.ts";
import {
  CustomResourceDefinitions,
  isNotFound,
  type KubeObject,
  metadataOf,
  type ResourceDescriptor,
  resourceName,
} from "../../types/mod.ts";

/** The time to the first repetition of a question, in milliseconds. It doubles up to the last. */
const FIRST_ASK_MS = 100;
const LAST_ASK_MS = 30_000;
/** For this time after the removal of a definition, discovery may still list the kind, in milliseconds. */
const LAG_MS = 10_000;

/** An optional kind. */
interface OptionalKind {
  readonly resource: ResourceDescriptor;
  isServed: boolean;
  /** The time of the removal of its definition; undefined while there is one, and if there never was. */
  goneMs: number | undefined;
}

/** A version of an API group, which one request of discovery describes. */
interface GroupVersion {
  readonly path: string;
  readonly kinds: Map<string, OptionalKind>;
  isKnown: boolean;
  failure: string | undefined;
  /** The running request. */
  asking: Promise<void> | undefined;
  /** The request that follows the running one, because something has changed since that one was sent. */
  askingNext: Promise<void> | undefined;
  delayMs: number;
  timer: Timer | undefined;
}

/** Options of {@linkcode ServedKinds}. */
export interface ServedKindsOptions {
  /** The name of the manager in log lines. */
  readonly name: string;
  readonly client: Client;
  readonly environment: CacheEnvironment;
  /** Called when kinds have come or gone. */
  readonly onChange: (resource: ResourceDescriptor, isServed: boolean) => void;
}

/**
 * The optional kinds that the server serves now. Discovery decides: it is asked at the start; after each change of a
 * CustomResourceDefinition of an optional kind, whose metadata is watched; and from time to time, every 30 s at last, for a kind
 * without a definition, which an aggregated API server or the next version of the API server may serve.
 */
export class ServedKinds {
  readonly #options: ServedKindsOptions;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #groups = new Map<string, GroupVersion>();
  /** Whether each definition is being deleted, by names such as `widgets.acme.io`. */
  readonly #definitions = new Map<string, boolean>();
  readonly #waiters = new Waiters();
  #signal: AbortSignal | undefined;
  #watch: ((signal: AbortSignal) => void) | undefined;

  constructor(options: ServedKindsOptions) {
    this.#options = options;
    this.#clock = options.environment.clock ?? realClock;
    this.#logger = safeLogger(options.environment.logger);
  }

  /** The optional kinds. */
  get kinds(): readonly ResourceDescriptor[] {
    return this.#kinds.map(({ resource }) => resource);
  }

  /** Whether an optional kind may have a definition, whose group has a dot. */
  get needsDefinitions(): boolean {
    return [...this.#groups.keys()].some((group) => group.includes("."));
  }

  /** The names of the optional kinds that are absent. */
  get absent(): readonly string[] {
    return this.#kinds.filter(({ isServed }) => !isServed)
      .map(({ resource }) => resourceName(resource));
  }

  /** Adds an optional kind. */
  add(resource: ResourceDescriptor): void {
    const path = pathOf(resource);
    const group = this.#groups.get(path) ?? {
      path,
      kinds: new Map<string, OptionalKind>(),
      isKnown: false,
      failure: undefined,
      asking: undefined,
      askingNext: undefined,
      delayMs: FIRST_ASK_MS,
      timer: undefined,
    };
    this.#groups.set(path, group);
    if (group.kinds.has(resource.plural)) return;
    group.kinds.set(resource.plural, { resource, isServed: false, goneMs: undefined });
    if (this.#signal === undefined) return;
    this.#soon(group);
    if (this.needsDefinitions) this.#watch?.(this.#signal);
  }

  /** Reports whether a kind has been added. */
  has(resource: ResourceDescriptor): boolean {
    return this.#kindOf(resource) !== undefined;
  }

  /** Reports whether the server serves a kind; true for a kind that is not optional. */
  isServed(resource: ResourceDescriptor): boolean {
    return this.#kindOf(resource)?.isServed ?? true;
  }

  /** Reports whether the definition of a kind is being deleted: its objects are still served, but none can be created. */
  isEnding(resource: ResourceDescriptor): boolean {
    return this.#definitions.get(resourceName(resource)) === true;
  }

  /** Follows the kinds until the signal aborts. */
  async run({ signal }: { readonly signal: AbortSignal }): Promise<void> {
    this.#signal = signal;
    let watching: Promise<void> | undefined;
    const stopped = new Promise<void>((resolve) => void onAbort(signal, () => resolve()));
    await new Promise<void>((resolve, reject) => {
      this.#watch = (signal) => {
        if (watching !== undefined) return;
        watching = this.#watchDefinitions(signal);
        watching.catch(reject);
      };
      if (this.needsDefinitions) this.#watch(signal);
      for (const group of this.#groups.values()) this.#soon(group);
      stopped.then(resolve);
    }).finally(() => {
      for (const { timer } of this.#groups.values()) timer?.cancel();
    });
    await watching;
  }

  /** Waits until discovery has answered for all kinds. */
  async whenKnown({ signal }: { readonly signal: AbortSignal }): Promise<void> {
    while ([...this.#groups.values()].some(({ isKnown }) => !isKnown)) {
      await this.#waiters.wait(signal);
    }
  }

  /** Explains why discovery has not answered. */
  whyNotKnown(): string {
    return [...this.#groups.values()].filter(({ isKnown }) => !isKnown)
      .map(({ path, failure = "no answer yet" }) => `GET ${path}: ${failure}`).join("; ");
  }

  /**
   * Asks discovery whether a kind is still served, before a request for its objects.
   *
   * @throws {Error} If it is not, or discovery does not answer.
   */
  async confirm(resource: ResourceDescriptor, signal: AbortSignal | undefined): Promise<void> {
    const group = this.#groups.get(pathOf(resource));
    if (group === undefined) return;
    const asked = this.#ask(group);
    asked.catch(() => {});
    await abortable(asked, signal);
    // The owner of the cache has aborted the signal if the kind is gone.
    signal?.throwIfAborted();
    if (this.isServed(resource)) return;
    throw new Error(`the server no longer serves ${resourceName(resource)}`);
  }

  get #kinds(): readonly OptionalKind[] {
    return [...this.#groups.values()].flatMap(({ kinds }) => [...kinds.values()]);
  }

  #kindOf(resource: ResourceDescriptor): OptionalKind | undefined {
    return this.#groups.get(pathOf(resource))?.kinds.get(resource.plural);
  }

  async #watchDefinitions(signal: AbortSignal): Promise<void> {
    const { client, environment } = this.#options;
    const resource = metadataOf(CustomResourceDefinitions);
    const informer = new SharedInformer<KubeObject>(client.listerWatcher(resource), {
      ...environment,
      resource,
      name: "customresourcedefinitions.apiextensions.k8s.io (optional kinds)",
      // Annotations of a definition may hold all of it.
      transform: ({ metadata: { name, uid, resourceVersion, deletionTimestamp } }): KubeObject => {
        return { metadata: { name, uid, resourceVersion, deletionTimestamp } } as KubeObject;
      },
    });
    informer.observe(({ type, item }) => {
      if (DeletedFinalStateUnknown.is(item)) return this.#defined(item.key, undefined);
      const { name = "", deletionTimestamp } = item.metadata;
      const isEnding = deletionTimestamp !== undefined;
      this.#defined(name, type === "Deleted" ? undefined : { isEnding });
    });
    await informer.run({ signal });
  }

  /** Records a change of a definition; undefined if it is gone. */
  #defined(name: string, definition: { readonly isEnding: boolean } | undefined): void {
    const exists = definition !== undefined;
    if (exists) this.#definitions.set(name, definition.isEnding);
    else this.#definitions.delete(name);
    for (const group of this.#groups.values()) {
      for (const kind of group.kinds.values()) {
        if (resourceName(kind.resource) !== name) continue;
        kind.goneMs = exists ? undefined : this.#clock.now();
        if (!exists) this.#set(kind, false);
        this.#soon(group);
      }
    }
  }

  /** Asks now, and again soon while the answer and the definitions differ. */
  #soon(group: GroupVersion): void {
    group.delayMs = FIRST_ASK_MS;
    this.#askAgain(group);
  }

  #askAgain(group: GroupVersion): void {
    group.timer?.cancel();
    group.timer = undefined;
    this.#ask(group).catch((error) => {
      if (this.#signal?.aborted) return;
      const failure = describeError(error);
      if (failure !== group.failure) {
        this.#logger.warn(
          `${this.#options.name}: GET ${group.path} failed, so the optional kinds in it stay as they are: ${failure}`,
        );
      }
      group.failure = failure;
    }).then(() => this.#askLater(group));
  }

  #askLater(group: GroupVersion): void {
    if (this.#signal?.aborted !== false || group.timer !== undefined) return;
    if (group.failure === undefined && this.#isSettled(group)) return;
    group.timer = this.#clock.setTimer(() => this.#askAgain(group), group.delayMs);
    group.delayMs = Math.min(group.delayMs * 2, LAST_ASK_MS);
  }

  /** Whether each kind of a group is served and has a definition, whose next change is an event. */
  #isSettled({ kinds }: GroupVersion): boolean {
    return [...kinds.values()].every(({ isServed, resource }) =>
      isServed && this.#definitions.has(resourceName(resource))
    );
  }

  /** Asks discovery. An answer to a request that was sent before the call does not count. */
  #ask(group: GroupVersion): Promise<void> {
    if (group.asking === undefined) {
      group.asking = this.#read(group).finally(() => group.asking = undefined);
      return group.asking;
    }
    const before = group.asking;
    group.askingNext ??= before.catch(() => {}).then(() => {
      group.askingNext = undefined;
      return this.#ask(group);
    });
    return group.askingNext;
  }

  async #read(group: GroupVersion): Promise<void> {
    const served = await this.#resourcesOf(group.path);
    group.failure = undefined;
    group.isKnown = true;
    for (const [plural, kind] of group.kinds) {
      const { goneMs } = kind;
      const isLate = goneMs !== undefined && this.#clock.now() - goneMs < LAG_MS;
      this.#set(kind, served.has(plural) && !isLate);
    }
    this.#waiters.wakeAll();
  }

  async #resourcesOf(path: string): Promise<ReadonlySet<string>> {
    try {
      const text = await this.#options.client.getRaw(path, {
        maxRetries: 0,
        signal: this.#signal,
      });
      const answer = parseJson(text);
      if (!isRecord(answer) || !Array.isArray(answer["resources"])) {
        throw new Error("the answer is not an APIResourceList");
      }
      const names = answer["resources"].map((one) => isRecord(one) ? one["name"] : undefined);
      return new Set(names.filter((name) => typeof name === "string"));
    } catch (error) {
      if (isNotFound(error)) return new Set();
      throw error;
    }
  }

  #set(kind: OptionalKind, isServed: boolean): void {
    if (kind.isServed === isServed) return;
    kind.isServed = isServed;
    const { group, version } = kind.resource;
    this.#logger.info(
      `${this.#options.name}: the server ${
        isServed ? "serves" : "no longer serves"
      } the optional kind ${resourceName(kind.resource)} in ${
        group === "" ? version : `${group}/${version}`
      }`,
    );
    this.#options.onChange(kind.resource, isServed);
  }
}

function pathOf({ group, version }: ResourceDescriptor): string {
  return group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
}
