import {
  abortable,
  type Cleanup,
  type Clock,
  describeError,
  type Environment,
  onAbort,
  PacedLogger,
  requireSync,
  safeLogger,
} from "../../base/mod.ts";
import {
  type Item,
  keyOf as keyOfItem,
  splitMetaNamespaceKey,
  waitForCacheSync,
} from "../../cache/mod.ts";
import type { KeySource } from "../../controller/mod.ts";
import { type KubeObject, resourceName } from "../../types/mod.ts";
import { ItemChange } from "./change.ts";
import type { KindCache } from "./kind_cache.ts";
import { commandOf } from "./control.ts";
import { eachMapped, type KeyLike, keyOf, type Mapped } from "./mapped_keys.ts";
import { ownerKeys } from "./owner_keys.ts";
import type { CauseEvent } from "../stories/mod.ts";
import type { RecentVersions } from "./recent_versions.ts";
import type { PendingWork } from "./pending_work.ts";
import type { ControllerPlan, SourcePlan, TriggerPlan } from "./plan.ts";
import { anyChange, generationChanged, type Predicate, readsFields } from "./predicates.ts";
import type { WriteGate } from "./write_gate.ts";

/** Options of {@linkcode ControllerSources}. */
export interface ControllerSourcesOptions<T extends KubeObject> {
  readonly plan: ControllerPlan<T>;
  readonly primary: KindCache<T>;
  /** The caches of the sources of the plan, in their order. */
  readonly sources: readonly { readonly plan: SourcePlan; readonly cache: KindCache }[];
  readonly work: PendingWork;
  readonly clock: Clock;
  readonly gate: WriteGate;
  readonly versions: RecentVersions;
  /** Whether stories keep the changed values of objects. */
  readonly recordsObjects: boolean;
  /** Called with the keys of the first list. */
  readonly onListed: (key: string) => void;
  /** Reports whether an object of the first list waits for its period. */
  readonly isWaiting: (item: Item<T>) => boolean;
  /** Called with each change of an object of the reconciled kind, and whether its key was added. */
  readonly onChange: (change: ItemChange<T>, isAdded: boolean) => void;
  /** Called before a key is added that a person wants to be reconciled now. */
  readonly onRequest: (key: string) => void;
  readonly environment: Environment;
}

/**
 * The sources of a managed controller as one {@linkcode KeySource}: changes of the reconciled kind, of owned and watched
 * kinds, and triggers. Notes the cause of each key. The manager runs the informers.
 */
export class ControllerSources<T extends KubeObject> implements KeySource {
  readonly name: string;
  readonly environment: Environment;
  readonly #options: ControllerSourcesOptions<T>;
  readonly #caches: ReadonlySet<KindCache>;
  readonly #logger: Pick<PacedLogger, "error">;
  #disconnect: Cleanup | undefined;
  #handler: ((change: { readonly key: string }) => void) | undefined;

  constructor(options: ControllerSourcesOptions<T>) {
    this.name = options.plan.name;
    this.environment = options.environment;
    this.#options = options;
    this.#logger = new PacedLogger(safeLogger(options.environment.logger), options.clock);
    const primary = options.primary as unknown as KindCache;
    this.#caches = new Set([primary, ...options.sources.map(({ cache }) => cache)]);
    this.#keepNeeded();
  }

  /** Keeps parsed objects where a function of the user reads each version of each object. */
  #keepNeeded(): void {
    const { plan, primary, sources } = this.#options;
    const { when = generationChanged } = plan.options;
    const whose = `controller "${this.name}"`;
    if (!readsFields(when)) {
      primary.keepParsed(`when of ${whose} is a function of the whole object`);
    }
    for (const { plan: { how, when }, cache } of sources) {
      if (!readsFields(when)) {
        cache.keepParsed(`when of ${whose} is a function of the whole object`);
      } else if (how === "watches" && when === anyChange) {
        cache.keepParsed(`${whose} maps each version; with when: changed("…") it maps fewer`);
      }
    }
  }

  /** The caches that the controller reads. */
  get caches(): ReadonlySet<KindCache> {
    return this.#caches;
  }

  hasSynced(): boolean {
    return [...this.#caches].every((cache) => cache.hasSynced());
  }

  async whenSynced(call: { readonly signal?: AbortSignal | undefined } = {}): Promise<void> {
    await waitForCacheSync({ ...call, clock: this.environment.clock }, ...this.#caches);
  }

  whyNotSynced(): string {
    return [...this.#caches]
      .filter((cache) => !cache.hasSynced())
      .map((cache) => `${cache.name}: ${cache.whyNotSynced()}`)
      .join("; ");
  }

  /** Reads the triggers until the signal aborts. */
  async runShared({ signal }: { readonly signal: AbortSignal }): Promise<void> {
    const { triggers } = this.#options.plan;
    await Promise.all([
      new Promise<void>((resolve) => void onAbort(signal, () => resolve())),
      ...triggers.map((trigger) => this.#read(trigger, signal)),
    ]);
  }

  /**
   * Calls `handler` with each key to reconcile, first with the keys of the cached objects. The first call follows the
   * sync of all caches, because mappers and predicates may read them.
   */
  addChangeHandler(handler: (change: { readonly key: string }) => void): void {
    this.#handler = handler;
    const stop = new AbortController();
    let stops: readonly Cleanup[] = [];
    const subscribe = () => {
      stops = this.#subscribe(stop.signal);
    };
    this.#disconnect = () => {
      stop.abort();
      for (const stop of stops) stop();
      this.#handler = undefined;
    };
    if (this.hasSynced()) return subscribe();
    // The controller waits as well, and reports a cache that does not sync.
    this.whenSynced({ signal: stop.signal }).then(subscribe, () => {});
  }

  removeEventHandler(): void {
    this.#disconnect?.();
    this.#disconnect = undefined;
  }

  /** Adds a key on behalf of a program. */
  trigger(key: KeyLike): void {
    this.#addKey(keyOf(key), { why: "triggered" });
  }

  /** Adds the key of an object whose time has come: its period, or its pause, has passed. */
  due(key: string, why: "resync" | "resumed"): void {
    this.changed(key, { why, resource: resourceName(this.#options.plan.resource), object: key });
  }

  /** Adds a key because of a change that another part has seen, if the controller runs. */
  changed(key: string, cause: CauseEvent): void {
    if (this.#handler !== undefined) this.#add(key, cause);
  }

  /** Subscribes to all caches. Their objects follow, cache by cache, until the signal aborts. */
  #subscribe(signal: AbortSignal): Cleanup[] {
    const { clock, primary, sources } = this.#options;
    const subscriptions = [
      {
        cache: primary as unknown as KindCache,
        onChange: (change: ItemChange) => this.#changed(change as unknown as ItemChange<T>),
      },
      ...sources.map(({ plan, cache }) => ({
        cache,
        onChange: (change: ItemChange) => this.#sourceChanged(plan, cache, change),
      })),
    ];
    const started = subscriptions.map(({ cache, onChange }) => {
      const keys = cache.keys();
      const onEach = (change: ItemChange) => this.#tryChange(cache, change, onChange);
      const stop = cache.subscribe(onEach, { clock, signal });
      return { stop, cache, onChange: onEach, keys };
    });
    const replay = async () => {
      for (const { cache, keys, onChange } of started) {
        await cache.replay(keys, onChange, { clock, signal });
      }
    };
    // It rejects only with the reason of the signal.
    Promise.resolve().then(replay).catch(() => {});
    return started.map(({ stop }) => stop);
  }

  /** Reports a change. A malformed object of a server is logged, and must not keep others from being reported. */
  #tryChange(cache: KindCache, change: ItemChange, onChange: (change: ItemChange) => void): void {
    try {
      onChange(change);
    } catch (error) {
      this.#logger.error(
        `${this.name}: a change of ${resourceName(cache.resource)} "${
          keyOfItem(change.item)
        }" reconciles nothing: ${describeError(error)}`,
      );
    }
  }

  #changed(change: ItemChange<T>): void {
    const { gate, onChange, onRequest, plan, primary } = this.#options;
    gate.seen(primary as unknown as KindCache, change.item);
    if (change.type === "resync") return;
    if (change.type === "left") return onChange(change, false);
    const name = resourceName(plan.resource);
    const command = commandOf(change as unknown as ItemChange);
    const key = keyOfItem(change.item);
    if (command === "reconcile") onRequest(key);
    // The predicate is called once for each change, even if a command overrules its answer.
    const isAdded = this.#reconciles(change, name) || command !== undefined;
    if (isAdded) this.#add(key, this.#causeOf(change as unknown as ItemChange, name));
    onChange(change, isAdded);
  }

  /** Reports whether a change of the reconciled kind causes a reconcile. */
  #reconciles(change: ItemChange<T>, name: string): boolean {
    const { isWaiting, plan } = this.#options;
    const { when = generationChanged } = plan.options;
    if (!this.#passes(when, change, name)) return false;
    return change.type !== "listed" || !isWaiting(change.item);
  }

  #sourceChanged(plan: SourcePlan, cache: KindCache, change: ItemChange): void {
    this.#options.gate.seen(cache, change.item);
    if (change.type === "resync") return;
    if (this.#passes(plan.when, change, resourceName(plan.resource))) this.#addMapped(plan, change);
  }

  #addMapped({ how, map, resource }: SourcePlan, change: ItemChange): void {
    const { primary } = this.#options;
    const kind = resourceName(resource);
    let cause: CauseEvent | undefined;
    const addKey = (key: string) => {
      // The first list of the reconciled kind adds all keys once: the other lists would add them again.
      if (change.type === "listed" && !change.isLate && this.#isListed(key, kind)) return;
      this.#addKey(key, cause ??= this.#causeOf(change, kind));
    };
    if (how === "owns") {
      for (const key of ownerKeys(change, primary as unknown as KindCache)) addKey(key);
      return;
    }
    const { object, old } = change.parsed;
    for (const version of old === undefined ? [object] : [old, object]) {
      this.#map(`map() of ${kind}`, () => map?.(version, change.parsed), addKey);
    }
  }

  /** Reports whether the first list of the reconciled kind adds a key. */
  #isListed(key: string, kind: string): boolean {
    const { plan, primary } = this.#options;
    const found = primary.find(key);
    if (found === undefined) return false;
    const { when = generationChanged } = plan.options;
    return this.#passes(when, new ItemChange(found.informer, "listed", found.item), kind);
  }

  /** Asks a predicate. The change passes if it throws: a needless reconcile is harmless, a lost change is not. */
  #passes<U extends KubeObject>(
    when: Predicate<U>,
    change: ItemChange<U>,
    resource: string,
  ): boolean {
    try {
      if (readsFields(when)) return when.judge(change as unknown as ItemChange);
      return requireSync("when", when(change.parsed));
    } catch (error) {
      this.#logger.error(
        `${this.name}: when of ${resource} failed, so the change passes: ${describeError(error)}`,
      );
      return true;
    }
  }

  /** Calls `add` with the keys that a mapper returns for one object. */
  #map(from: string, map: () => Mapped, add: (key: string) => void): void {
    try {
      eachMapped(requireSync("map", map()), (one) => this.#tryKey(one, from, add));
    } catch (error) {
      this.#logger.error(
        `${this.name}: ${from} failed, so the change reconciles nothing: ${describeError(error)}`,
      );
    }
  }

  /** Calls `add` with a key from the user. A malformed key is logged and skipped, and must not stop the others. */
  #tryKey(key: KeyLike, from: string, add: (key: string) => void): void {
    let text: string;
    try {
      text = keyOf(key);
      splitMetaNamespaceKey(text);
    } catch (error) {
      this.#logger.error(
        `${this.name}: ${from} gave a key that is skipped: ${describeError(error)}`,
      );
      return;
    }
    add(text);
  }

  /** Checks a key that is not from a cache, and adds it. */
  #addKey(key: string, cause: CauseEvent): void {
    splitMetaNamespaceKey(key);
    this.#add(key, cause);
  }

  #causeOf({ item, old, type }: ItemChange, resource: string): CauseEvent {
    const { resourceVersion } = item.metadata;
    const event = { why: type, resource, object: keyOfItem(item), resourceVersion };
    // A listed or deleted object is not compared.
    if (!this.#options.recordsObjects && type !== "added" && type !== "updated") return event;
    const { versions } = this.#options;
    const before = old === undefined ? undefined : versions.keep(old);
    return { ...event, versions: { before, after: versions.keep(item) } };
  }

  #add(key: string, cause: CauseEvent): void {
    const { onListed, work } = this.#options;
    work.note(key, cause);
    if (cause.why === "listed") onListed(key);
    this.#handler?.({ key });
  }

  async #read({ name, keys }: TriggerPlan, signal: AbortSignal): Promise<void> {
    const iterator = keys[Symbol.asyncIterator]();
    try {
      for (;;) {
        const next = await abortable(Promise.resolve(iterator.next()), signal);
        if (next.done) return;
        this.#tryKey(
          next.value,
          `trigger "${name}"`,
          (key) => this.#add(key, { why: "triggered" }),
        );
      }
    } catch (error) {
      // A generator that waits for its next value ends only once it has it.
      void Promise.resolve(iterator.return?.()).catch(() => {});
      if (signal.aborted) return;
      throw new Error(
        `Trigger "${name}" of controller "${this.name}" failed: ${describeError(error)}`,
        {
          cause: error,
        },
      );
    }
  }
}
