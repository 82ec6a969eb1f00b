import type { DeepReadonly, KubeObject } from "../../types/mod.ts";
import {
  clientFields,
  compareVersions,
  mergePatch,
  pathTexts,
  writersOf,
} from "../../fields/mod.ts";

/**
 * The reason why a key was enqueued.
 *
 * - `listed`: an object was in the first list. `added`, `updated`, `deleted`: an event of an object. `resync`: the period
 *   `every` of the object has passed.
 * - `retry`: the previous reconcile failed. `requeue`: the previous reconcile asked for another one.
 * - `resumed`: the time until which the object was paused has passed.
 * - `triggered`: a source outside of the cluster, or a call.
 * - `stale`: the reconcile waited until the caches had the writes of the previous one.
 * - `left`: the namespace of an object is no longer selected. `served`, `absent`: an optional kind has come or gone.
 * - `refused`: a write that the server has refused, only in the stories of a server.
 */
export type CauseKind =
  | "listed"
  | "added"
  | "updated"
  | "deleted"
  | "resync"
  | "retry"
  | "requeue"
  | "resumed"
  | "triggered"
  | "stale"
  | "left"
  | "served"
  | "absent"
  | "refused";

/** One cause of a reconcile. Causes with the same reason and object are merged until the reconcile starts. */
export interface Cause {
  /** The reason. */
  readonly why: CauseKind;
  /** The resource of the changed object, such as `deployments.apps`. */
  readonly resource?: string | undefined;
  /** The key of the changed object. */
  readonly object?: string | undefined;
  /** The resource version of the object after its change. */
  readonly resourceVersion?: string | undefined;
  /**
   * The paths of the changed fields. Absent if the object was not updated, or if the update was not compared because there
   * were too many.
   */
  readonly changed?: readonly string[] | undefined;
  /** The field managers that have written the object, such as `kubectl-edit` or `widgets (status)`, if known. */
  readonly by?: string | undefined;
  /** How often it happened before the reconcile started. */
  readonly count: number;
  /** How long before the start of the reconcile it first happened, in milliseconds. */
  readonly waitedMs: number;
  /**
   * The change as a JSON merge patch; of an added object, all fields that its creator has set. Only with `recordObjects`, and
   * never for Secrets.
   */
  readonly patch?: Readonly<Record<string, unknown>> | undefined;
}

/** An event that enqueues a key, for {@linkcode PendingCauses}. */
export interface CauseEvent {
  /** The reason. */
  readonly why: CauseKind;
  /** The resource of the object, as in `deployments.apps`. */
  readonly resource?: string | undefined;
  /** The key of the object. */
  readonly object?: string | undefined;
  /** The object before its change. */
  readonly before?: DeepReadonly<KubeObject> | undefined;
  /** The object after its change, or the last known state of a deleted object. */
  readonly after?: DeepReadonly<KubeObject> | undefined;
  /** The resource version of the object after its change. Default: that of `after`. */
  readonly resourceVersion?: string | undefined;
  /**
   * The objects before and after the change, in place of `before` and `after`.
   *
   * @internal
   */
  readonly versions?: ComparedVersions | undefined;
  /** The time at which the key becomes due, in milliseconds of the clock, for retries and requeues. Default: now. */
  readonly dueMs?: number | undefined;
}

/**
 * A version of an object, for a comparison that may never be made.
 *
 * @internal
 */
export interface RecentVersion {
  /** Returns the object; undefined if newer versions have taken its memory. */
  read(): DeepReadonly<KubeObject> | undefined;
}

/**
 * The versions of an object that a cause compares when the program reads the result.
 *
 * @internal
 */
export interface ComparedVersions {
  /** The version before the change; undefined for a new object. */
  readonly before: RecentVersion | undefined;
  /** The version after the change; undefined if it cannot be kept. */
  readonly after: RecentVersion | undefined;
}

/** The fixed cost of a comparison, for the paths and the field managers, in compared values. */
const COMPARISON_COST = 50;

/** A cause that keeps the objects, and compares them when `changed` or `by` is read. */
export class HeldCause implements Cause {
  readonly why: CauseKind;
  readonly resource: string | undefined;
  readonly object: string | undefined;
  /** The time at which the cause first happened, or becomes due. */
  atMs: number;
  count = 1;
  waitedMs = 0;
  /** The cost of the comparison, in compared values. */
  cost = 0;
  resourceVersion: string | undefined;
  patch: Readonly<Record<string, unknown>> | undefined;
  #versions: ComparedVersions | undefined;
  #changed: readonly string[] | undefined;
  #by: string | undefined;
  #isCompared = false;

  constructor(event: CauseEvent, atMs: number) {
    const { object, resource, why } = event;
    this.why = why;
    this.resource = resource;
    this.object = object;
    this.atMs = atMs;
    this.#versions = versionsOf(event);
    this.resourceVersion = versionAfter(event);
    this.#isCompared = this.#versions === undefined;
  }

  /** Reports whether `event` has the same reason and object. */
  isLike({ object, resource, why }: CauseEvent): boolean {
    return this.why === why && this.object === object && this.resource === resource;
  }

  /** Counts the same cause again. The change is then the difference between the first and the last version. */
  again(event: CauseEvent, atMs: number): void {
    this.count++;
    this.atMs = Math.min(this.atMs, atMs);
    this.resourceVersion = versionAfter(event) ?? this.resourceVersion;
    const versions = versionsOf(event);
    if (versions === undefined) return;
    this.#versions = { before: this.#versions?.before, after: versions.after };
  }

  get changed(): readonly string[] | undefined {
    this.#compare();
    return this.#changed;
  }

  get by(): string | undefined {
    this.#compare();
    return this.#by;
  }

  /**
   * Releases the objects, so that they can be collected.
   *
   * @param isTime Whether there is time to compare them before.
   * @param isRecorded Whether to keep the change as a patch.
   */
  settle(isTime: boolean, isRecorded: boolean): void {
    if (isTime) this.#compare();
    const after = isRecorded ? this.#versions?.after?.read() : undefined;
    if (this.resource !== "secrets" && after !== undefined) {
      this.patch = patchOf(this.why, this.#versions?.before?.read(), after);
    }
    this.#versions = undefined;
    this.#isCompared = true;
  }

  /** Returns the cause as data, for JSON. */
  toJSON(): Cause {
    const { by, changed, count, object, patch, resource, resourceVersion, waitedMs, why } = this;
    return {
      why,
      ...(resource !== undefined && { resource }),
      ...(object !== undefined && { object }),
      ...(resourceVersion !== undefined && { resourceVersion }),
      ...(changed !== undefined && { changed }),
      ...(by !== undefined && { by }),
      count,
      waitedMs,
      ...(patch !== undefined && { patch }),
    };
  }

  #compare(): void {
    if (this.#isCompared) return;
    this.#isCompared = true;
    const after = this.#versions?.after?.read();
    const before = this.#versions?.before?.read();
    if (after === undefined || (before === undefined && this.why === "updated")) return;
    const compared = before === undefined ? undefined : compareVersions(before, after);
    this.cost = COMPARISON_COST + (compared?.visited ?? 0);
    this.#changed = compared && pathTexts(compared);
    // The last writer of a listed or deleted object did not cause the event.
    if (this.why === "added" || this.why === "updated") {
      this.#by = writersOf(before, after, compared?.paths ?? []);
    }
  }
}

function versionsOf({ after, before, versions }: CauseEvent): ComparedVersions | undefined {
  if (versions !== undefined || after === undefined) return versions;
  return {
    before: before === undefined ? undefined : { read: () => before },
    after: { read: () => after },
  };
}

function versionAfter({ after, resourceVersion }: CauseEvent): string | undefined {
  return resourceVersion ?? after?.metadata?.resourceVersion;
}

function patchOf(
  why: CauseKind,
  before: DeepReadonly<KubeObject> | undefined,
  after: DeepReadonly<KubeObject>,
): Readonly<Record<string, unknown>> | undefined {
  if (why === "added" || why === "listed") return clientFields(after);
  return why === "updated" && before !== undefined
    ? mergePatch(clientFields(before), clientFields(after))
    : undefined;
}
