import type { Clock, Timer } from "../../base/mod.ts";
import { metaNamespaceKeyFunc, type Named } from "../../cache/mod.ts";
import type { WrittenObject } from "../../client/mod.ts";
import type { Cached, KubeObject, Status } from "../../types/mod.ts";
import type { KindCache } from "./kind_cache.ts";

/**
 * The period of rechecking waiting keys, in milliseconds. Bookmarks advance a cache without calling handlers.
 */
const RECHECK_MS = 1_000;

/** The identity and the version of a written object. */
interface WrittenMeta {
  readonly metadata: {
    readonly name?: string | undefined;
    readonly namespace?: string | undefined;
    readonly uid?: string | undefined;
    readonly resourceVersion?: string | undefined;
  };
}

/** How long the last lag of a cache is known, in milliseconds. */
const LAG_KNOWN_MS = 60_000;

/** Cached objects that show writes. */
export type ShownObjects = Pick<
  KindCache,
  "name" | "covers" | "selects" | "hasSeen" | "itemByKey"
>;

/** A write that a cache has not shown yet. */
interface Expectation {
  readonly cache: ShownObjects;
  readonly object: WrittenMeta;
  readonly isDeletion: boolean;
  /** Whether the write removes the object from the cache: it deletes the object, or no selector matches it afterwards. */
  readonly leaves: boolean;
  /** The version of an earlier write that the cache must show first: an absent object may not have arrived yet. */
  readonly after: string | undefined;
  /** The time of the answer, in milliseconds of the clock. */
  readonly wroteMs: number;
}

/** How long a cache took to show a write, and when that was known. */
interface Lag {
  readonly lagMs: number;
  readonly atMs: number;
}

/** A key that waits for the caches. */
interface Parked {
  readonly sinceMs: number;
  timer: Timer;
}

/** Options of a {@linkcode WriteGate}. */
export interface WriteGateOptions {
  readonly clock: Clock;
  /** Maximum waiting time of a key, in milliseconds. */
  readonly timeoutMs: number;
  /** Called when a key no longer needs to wait. */
  readonly onOpen: (key: string) => void;
  /** Called when a key begins to wait. */
  readonly onWait: (key: string) => void;
  /** Called when a key has waited for too long, with the objects that the caches do not show. */
  readonly onTimeout: (key: string, missing: readonly string[]) => void;
}

/**
 * Holds a key until the caches show the writes of its last reconcile, so that a controller reads its own writes. Other keys
 * do not wait. The gate writes nothing into caches and makes no requests. Kubernetes calls this the mitigation of stale
 * controllers (KEP-5647).
 *
 * It is synchronous: the queue asks when a key is added, and the handlers of the informers report changed objects.
 */
export class WriteGate {
  readonly #options: WriteGateOptions;
  /** The pending writes of each key, by cache and key of the written object. */
  readonly #expected = new Map<string, Map<string, Expectation>>();
  /** The keys that wait for each object. */
  readonly #byObject = new Map<string, Set<string>>();
  readonly #parked = new Map<string, Parked>();
  /** How long the keys that no longer wait have waited, until their reconciles start. */
  readonly #waitedMs = new Map<string, number>();
  /** The last lag of each cache. */
  readonly #lags = new WeakMap<ShownObjects, Lag>();

  constructor(options: WriteGateOptions) {
    this.#options = options;
  }

  /** Returns how long a key has waited, in milliseconds, and forgets it. */
  takeWaitedMs(key: string): number {
    if (this.#waitedMs.size === 0) return 0;
    const waitedMs = this.#waitedMs.get(key) ?? 0;
    this.#waitedMs.delete(key);
    return waitedMs;
  }

  /**
   * Returns for how long the cache has not shown a write; if it has shown all, how long the last one took, unless that was long
   * ago. In milliseconds; undefined if neither is known.
   */
  lagMs(cache: ShownObjects): number | undefined {
    const { clock, timeoutMs } = this.#options;
    const now = clock.now();
    const last = this.#lags.get(cache);
    let lagMs = last !== undefined && now - last.atMs <= LAG_KNOWN_MS ? last.lagMs : undefined;
    for (const expected of this.#expected.values()) {
      for (const expectation of expected.values()) {
        const forMs = now - expectation.wroteMs;
        // Nothing waits any longer for an older one: the cache may never show it.
        if (expectation.cache === cache && forMs <= timeoutMs) lagMs = Math.max(lagMs ?? 0, forMs);
      }
    }
    return lagMs;
  }

  /** Reports whether a key waits. */
  holds(key: string): boolean {
    return this.#parked.has(key);
  }

  /** The number of waiting keys. */
  get waitingLength(): number {
    return this.#parked.size;
  }

  /**
   * Records a write of a reconcile.
   *
   * @param key The key that is being reconciled.
   * @param cache A cache of the written kind.
   * @param written The answer of the server. Without a resource version, only a deletion is waited for: the cache shows it by
   * the absence of the object, as for an object that a selector no longer selects.
   */
  wrote(key: string, cache: ShownObjects, written: WrittenObject): void {
    const isDeletion = written.method === "DELETE";
    const answer = isDeletion ? deletedObject(written) : written.object;
    if (!hasName(answer) || !cache.covers(answer.metadata.namespace)) return;
    const { name, namespace, uid, resourceVersion } = answer.metadata;
    if (!isDeletion && resourceVersion === undefined) return;
    const object = { metadata: { name, namespace, uid, resourceVersion } };
    const id = idOf(cache, object);
    const leaves = isDeletion || !cache.selects(answer);
    const before = this.#expected.get(key)?.get(id);
    const after = before === undefined || isSeen(before)
      ? undefined
      : before.leaves
      ? before.after
      : before.object.metadata.resourceVersion;
    const wroteMs = this.#options.clock.now();
    const expectation = { cache, object, isDeletion, leaves, after, wroteMs };
    if (isSeen(expectation)) {
      this.#noteLag(expectation);
      this.#forget(key, id);
      return;
    }
    const expected = this.#expected.get(key) ?? new Map<string, Expectation>();
    this.#expected.set(key, expected.set(id, expectation));
    const keys = this.#byObject.get(id) ?? new Set<string>();
    this.#byObject.set(id, keys.add(key));
  }

  /** Reports whether the caches show all writes of a key. If not, `onOpen` is called later. */
  admits(key: string): boolean {
    if (this.#expected.size === 0) return true;
    if (this.#forgetSeen(key)) {
      this.#unpark(key);
      return true;
    }
    if (!this.#parked.has(key)) this.#park(key);
    return false;
  }

  /** Records that a cache shows a change of an object. */
  seen(cache: ShownObjects, object: WrittenMeta): void {
    if (this.#expected.size === 0) return;
    const id = idOf(cache, object);
    for (const key of [...this.#byObject.get(id) ?? []]) this.#recheck(key);
  }

  /** Forgets all keys and cancels their timers. */
  close(): void {
    for (const { timer } of this.#parked.values()) timer.cancel();
    this.#parked.clear();
    this.#waitedMs.clear();
    this.#byObject.clear();
    this.#expected.clear();
  }

  /** Forgets the writes of a key that the caches show. Returns true if no write is left. */
  #forgetSeen(key: string): boolean {
    const expected = this.#expected.get(key);
    if (expected === undefined) return true;
    for (const [id, expectation] of expected) {
      if (!isSeen(expectation)) continue;
      this.#noteLag(expectation);
      this.#forget(key, id);
    }
    return expected.size === 0;
  }

  #noteLag({ cache, wroteMs }: Expectation): void {
    const atMs = this.#options.clock.now();
    this.#lags.set(cache, { lagMs: atMs - wroteMs, atMs });
  }

  /** Forgets the write of a key to an object. */
  #forget(key: string, id: string): void {
    const expected = this.#expected.get(key);
    if (expected?.delete(id) && expected.size === 0) this.#expected.delete(key);
    const keys = this.#byObject.get(id);
    if (keys?.delete(key) && keys.size === 0) this.#byObject.delete(id);
  }

  #recheck(key: string): void {
    if (!this.#forgetSeen(key) || !this.#parked.has(key)) return;
    this.#unpark(key);
    this.#options.onOpen(key);
  }

  #park(key: string): void {
    const { clock, onWait } = this.#options;
    this.#parked.set(key, { sinceMs: clock.now(), timer: this.#nextCheck(key) });
    onWait(key);
  }

  #unpark(key: string): void {
    const parked = this.#parked.get(key);
    if (parked === undefined) return;
    parked.timer.cancel();
    this.#parked.delete(key);
    this.#waitedMs.set(key, this.#options.clock.now() - parked.sinceMs);
  }

  #nextCheck(key: string): Timer {
    const { clock, timeoutMs } = this.#options;
    return clock.setTimer(() => this.#check(key), Math.min(RECHECK_MS, timeoutMs));
  }

  #check(key: string): void {
    const { clock, onOpen, onTimeout, timeoutMs } = this.#options;
    const parked = this.#parked.get(key);
    if (parked === undefined) return;
    this.#recheck(key);
    if (!this.#parked.has(key)) return;
    if (clock.now() - parked.sinceMs < timeoutMs) {
      parked.timer = this.#nextCheck(key);
      return;
    }
    const expected = [...this.#expected.get(key) ?? []];
    const missing = expected.map(([id]) => id);
    for (const [id, expectation] of expected) {
      this.#noteLag(expectation);
      this.#forget(key, id);
    }
    this.#unpark(key);
    onTimeout(key, missing);
    onOpen(key);
  }
}

function idOf(cache: ShownObjects, object: Named): string {
  return `${cache.name} ${metaNamespaceKeyFunc(object)}`;
}

/** Returns the metadata of a deleted object. The server answers with the object, or with a Status that has its UID. */
function deletedObject({ object, name, namespace }: WrittenObject): KubeObject {
  const { kind, metadata, details } = (object ?? {}) as Partial<KubeObject & Status>;
  if (kind !== "Status") return { metadata: metadata ?? {} } as KubeObject;
  return { metadata: { name, namespace, uid: details?.uid } } as KubeObject;
}

function hasName(object: unknown): object is Cached<KubeObject> {
  return typeof (object as Partial<KubeObject> | null)?.metadata?.name === "string";
}

function isSeen({ cache, object, isDeletion, leaves, after }: Expectation): boolean {
  const { resourceVersion, uid } = object.metadata;
  // The answer to a deletion may have the version before the deletion.
  if (!isDeletion && resourceVersion !== undefined && cache.hasSeen(object, resourceVersion)) {
    return true;
  }
  if (!leaves || (after !== undefined && !cache.hasSeen(object, after))) return false;
  const cached = cache.itemByKey(metaNamespaceKeyFunc(object));
  if (cached === undefined || (uid !== undefined && cached.metadata.uid !== uid)) return true;
  return isDeletion && cached.metadata.deletionTimestamp !== undefined;
}
