import type { DeepReadonly, KubeObject } from "../../types/mod.ts";
import { compareVersions, mergePatch, pathTexts, setFields, writersOf } from "../../fields/mod.ts";

/**
 * Why a key was enqueued.
 *
 * - `listed`: an object was in the first list. `added`, `updated`, `deleted`: an event of an object. `resync`: an informer
 *   has shown its objects again.
 * - `retry`: the reconcile before has failed. `requeue`: the reconcile before has asked for another.
 * - `triggered`: a source outside of the cluster, or a call.
 * - `stale`: a reconcile waited until the caches held what the one before had written.
 */
export type CauseKind =
  | "listed"
  | "added"
  | "updated"
  | "deleted"
  | "resync"
  | "retry"
  | "requeue"
  | "triggered"
  | "stale";

/** One cause of a reconcile. Causes of the same kind and object that come before the reconcile starts are one. */
export interface Cause {
  /** What has happened. */
  readonly why: CauseKind;
  /** The resource of the object that has changed, as in `deployments.apps`. */
  readonly resource?: string | undefined;
  /** The key of the object that has changed. */
  readonly object?: string | undefined;
  /** The resource version of the object after its change. */
  readonly resourceVersion?: string | undefined;
  /**
   * The paths of the fields that have changed. Absent if the object was not updated, and in a flood of updates, in which
   * not all are compared.
   */
  readonly changed?: readonly string[] | undefined;
  /** The field managers that have written the object, as in `kubectl-edit` or `widgets (status)`, if known. */
  readonly by?: string | undefined;
  /** How often it has happened before the reconcile started. */
  readonly count: number;
  /** How long before the start of the reconcile it first happened, in milliseconds. */
  readonly waitedMs: number;
  /**
   * Only if objects are recorded: the change as a JSON merge patch, and of an object that was added all that its creator
   * has set. Never of Secrets.
   */
  readonly patch?: Readonly<Record<string, unknown>> | undefined;
}

/** What {@linkcode PendingCauses} is told about an event. It keeps the objects, and compares them later. */
export interface CauseEvent {
  /** What has happened. */
  readonly why: CauseKind;
  /** The resource of the object, as in `deployments.apps`. */
  readonly resource?: string | undefined;
  /** The key of the object. */
  readonly object?: string | undefined;
  /** The object before its change. */
  readonly before?: DeepReadonly<KubeObject> | undefined;
  /** The object after its change; of one that was deleted, its last known state. */
  readonly after?: DeepReadonly<KubeObject> | undefined;
  /** When the key becomes due, by the clock: for retries and requeues. Default: now. */
  readonly dueMs?: number | undefined;
}

/** What a comparison costs besides its values, in values: the names of the fields, and who has written them. */
const COMPARISON_COST = 50;

/** A cause that keeps the objects, and compares them when somebody asks. */
export class HeldCause implements Cause {
  readonly why: CauseKind;
  readonly resource: string | undefined;
  readonly object: string | undefined;
  /** When the cause first happened, or becomes due. */
  atMs: number;
  count = 1;
  waitedMs = 0;
  /** What the comparison has cost, in values. */
  cost = 0;
  resourceVersion: string | undefined;
  patch: Readonly<Record<string, unknown>> | undefined;
  #before: DeepReadonly<KubeObject> | undefined;
  #after: DeepReadonly<KubeObject> | undefined;
  #changed: readonly string[] | undefined;
  #by: string | undefined;
  #isCompared = false;

  constructor(event: CauseEvent, atMs: number) {
    const { after, before, object, resource, why } = event;
    this.why = why;
    this.resource = resource;
    this.object = object;
    this.atMs = atMs;
    this.#before = before;
    this.#after = after;
    this.resourceVersion = after?.metadata?.resourceVersion;
    // What was not updated has nothing to compare.
    this.#isCompared = before === undefined && after === undefined;
  }

  /** Reports whether `event` is the same cause again. */
  isLike({ object, resource, why }: CauseEvent): boolean {
    return this.why === why && this.object === object && this.resource === resource;
  }

  /** Counts the same cause again. The change is then that from the first version to the last. */
  again({ after }: CauseEvent, atMs: number): void {
    this.count++;
    this.atMs = Math.min(this.atMs, atMs);
    if (after === undefined) return;
    this.#after = after;
    this.resourceVersion = after.metadata?.resourceVersion;
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
   * Lets go of the objects.
   *
   * @param isTime Whether there is time to compare them.
   * @param isRecorded Whether to keep their change.
   */
  settle(isTime: boolean, isRecorded: boolean): void {
    if (isTime) this.#compare();
    const after = this.#after;
    if (isRecorded && this.resource !== "secrets" && after !== undefined) {
      this.patch = patchOf(this.why, this.#before, after);
    }
    this.#before = undefined;
    this.#after = undefined;
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
    const before = this.#before;
    const after = this.#after;
    if (after === undefined) return;
    const compared = before === undefined ? undefined : compareVersions(before, after);
    this.cost = COMPARISON_COST + (compared?.visited ?? 0);
    this.#changed = compared && pathTexts(compared);
    // Whoever has written an object of the first list, or one that was deleted, did so some time before.
    if (this.why === "added" || this.why === "updated") {
      this.#by = writersOf(before, after, compared?.paths ?? []);
    }
  }
}

function patchOf(
  why: CauseKind,
  before: DeepReadonly<KubeObject> | undefined,
  after: DeepReadonly<KubeObject>,
): Readonly<Record<string, unknown>> | undefined {
  if (why === "added" || why === "listed") return setFields(after);
  return why === "updated" && before !== undefined
    ? mergePatch(setFields(before), setFields(after))
    : undefined;
}
