import { type Clock, LruMap } from "../../base/mod.ts";
import type { SharedInformer } from "../../cache/mod.ts";
import type { ControllerSnapshot } from "../../controller/mod.ts";
import { maskedValue } from "../../fields/mod.ts";
import { type Cached, type KubeObject, resourceName } from "../../types/mod.ts";
import type { KeyTrouble, RecentVersion } from "../stories/mod.ts";
import type { ItemChange } from "./change.ts";
import type { HotLoops } from "./hot_loops.ts";
import type { KeyTroubles } from "./key_troubles.ts";
import type { KindCache } from "./kind_cache.ts";
import { pausedCondition, type Pauses } from "./pauses.ts";
import type { PendingWork } from "./pending_work.ts";
import type { ReconcileDeadlines } from "./reconcile_deadlines.ts";
import type { ReconcileKeys } from "./reconcile_keys.ts";
import type { RecentVersions } from "./recent_versions.ts";
import type { WriteGate } from "./write_gate.ts";

/** The number of keys whose version before their last change is kept while a page is open. */
const MAX_VERSIONS = 128;

/** The load of a controller. */
export interface ControllerLoad {
  readonly queued: number;
  readonly oldestMs?: number | undefined;
  readonly delayed: number;
  readonly failing: number;
  readonly busy: number;
  readonly workers: number;
  readonly reconciles: number;
  readonly errors: number;
  readonly isRunning: boolean;
}

/** The parts of a controller that a {@linkcode ControllerObserver} reads. */
export interface ObservedParts {
  readonly clock: Clock;
  readonly workers: number;
  readonly primary: KindCache;
  /** All caches of the controller, the one of the reconciled kind included. */
  readonly caches: () => readonly KindCache[];
  readonly work: PendingWork;
  readonly keys: ReconcileKeys;
  readonly gate: WriteGate;
  readonly hotLoops: HotLoops;
  readonly troubles: KeyTroubles;
  readonly deadlines: ReconcileDeadlines;
  readonly pauses: Pauses;
  readonly versions: RecentVersions;
  readonly snapshot: () => ControllerSnapshot;
  readonly isRunning: () => boolean;
}

/** Reads a controller for the page of `Manager.see`. Nothing is computed unless a method is called. */
export class ControllerObserver {
  /** Whether a page is open, so that the versions before changes are kept. */
  isWatched = false;
  readonly #parts: ObservedParts;
  readonly #before = new LruMap<string, RecentVersion>(MAX_VERSIONS);

  constructor(parts: ObservedParts) {
    this.#parts = parts;
  }

  /** Follows a change of an object of the reconciled kind. */
  changed({ item, old, type }: ItemChange, key: string): void {
    if (!this.isWatched && this.#before.size === 0) return;
    if (old?.metadata.resourceVersion === item.metadata.resourceVersion) return;
    const before = !this.isWatched || old === undefined || type !== "updated"
      ? undefined
      : this.#parts.versions.keep(old);
    if (before !== undefined) this.#before.set(key, before);
    // Another change has followed the kept version.
    else this.#before.delete(key);
  }

  /** Returns the load. */
  load(): ControllerLoad {
    const { clock, gate, isRunning, keys, snapshot, troubles, work, workers } = this.#parts;
    const { activeWorkers, errors, queueLength, reconciles } = snapshot();
    const oldestAtMs = queueLength === 0 ? undefined : work.oldestMs((key) => !gate.holds(key));
    return {
      queued: queueLength,
      ...(oldestAtMs !== undefined && { oldestMs: Math.max(0, clock.now() - oldestAtMs) }),
      delayed: keys.delayed,
      failing: troubles.failing,
      busy: activeWorkers,
      workers,
      reconciles,
      errors,
      isRunning: isRunning(),
    };
  }

  /** Returns what has gone wrong with keys: at most `limit` of each kind. */
  troubles(limit: number): KeyTrouble[] {
    const { deadlines, hotLoops, pauses, primary, troubles } = this.#parts;
    const hung = deadlines.late.slice(0, limit)
      .map((key): KeyTrouble => ({ kind: "hung_reconcile", key }));
    const paused = pauses.list(limit).map(([key, pause]): KeyTrouble => ({
      kind: "paused",
      key,
      why: pausedCondition(pause).message,
    }));
    const failed = troubles.list((key) => primary.itemByKey(key), limit);
    return [...hung, ...hotLoops.list(), ...failed, ...paused];
  }

  /** Returns the pause of a key in words; undefined if it is not paused. */
  pauseOf(key: string): string | undefined {
    const pause = this.#parts.pauses.get(key);
    return pause && pausedCondition(pause).message;
  }

  /** Reports whether a key is queued. */
  isQueued(key: string): boolean {
    return this.#parts.work.has(key);
  }

  /** Reports whether the cache has the object of a key. */
  hasObject(key: string): boolean {
    return this.#parts.primary.itemByKey(key) !== undefined;
  }

  /** Returns the time at which a delayed key is due, in milliseconds since the Unix epoch; undefined if it is not delayed. */
  dueMs(key: string): number | undefined {
    const { clock, keys } = this.#parts;
    const atMs = keys.dueAtMs(key);
    return atMs === undefined ? undefined : clock.wallNow() + atMs - clock.now();
  }

  /** The keys of the cached objects. */
  keys(): Iterable<string> {
    return this.#parts.primary.keys();
  }

  /** Returns the object of a key, and its version before the last change that a page has seen, with masks for credentials. */
  versions(key: string): { readonly before?: unknown; readonly after: unknown } | undefined {
    const found = this.#parts.primary.find(key);
    if (found === undefined) return undefined;
    const after = found.informer.read(found.item);
    const before = this.#before.get(key)?.read() as Cached<KubeObject> | undefined;
    const isOfObject = before?.metadata.uid === after.metadata.uid;
    const shown = (object: Cached<KubeObject>) =>
      maskedValue(object, resourceName(this.#parts.primary.resource));
    return {
      ...(before !== undefined && isOfObject && { before: shown(before) }),
      after: shown(after),
    };
  }

  /** Returns the informers that the controller gets keys from, with the lag of their caches behind its writes. */
  informers(): Map<SharedInformer, number | undefined> {
    const { caches, gate } = this.#parts;
    return new Map(
      caches().flatMap((cache) =>
        cache.openInformers.map((informer) => [informer, gate.lagMs(cache)] as const)
      ),
    );
  }
}
