import { isRecord } from "@kubeloop/controller/internal/base";
import { type ResourceDescriptor, resourceName } from "@kubeloop/controller/types";
import { create, patch, patchStatus, remove, settle, type Step } from "./steps.ts";

/** Between steps that are further apart than this, in milliseconds, the workload waits until everything has settled. */
const APART_MS = 1_000;

/** The fields of a cause of a reconcile that {@linkcode workloadOf} reads. A `Cause` of the library's stories has them. */
export interface ReplayedCause {
  /** The kind of change. Only `listed`, `added`, `updated` and `deleted` lead to steps. */
  readonly why: string;
  /** The resource of the object, as in `deployments.apps`. */
  readonly resource?: string | undefined;
  /** The key of the object. */
  readonly object?: string | undefined;
  /** The resource version of the object after its change. */
  readonly resourceVersion?: string | undefined;
  /** The paths of the fields that have changed. */
  readonly changed?: readonly string[] | undefined;
  /** The time from the change to the start of the reconcile, in milliseconds. */
  readonly waitedMs: number;
  /** The change, as a JSON merge patch. */
  readonly patch?: Readonly<Record<string, unknown>> | undefined;
}

/** The fields of a story that {@linkcode workloadOf} reads. A `Story` of the library has them. */
export interface ReplayedStory {
  /** When the reconcile started (RFC 3339). */
  readonly startedAt: string;
  /** Its causes. */
  readonly causes: readonly ReplayedCause[];
}

/** Options of {@linkcode workloadOf}. */
export interface WorkloadOfOptions {
  /** The resources whose objects users write. Resources whose objects the controller makes are left out. */
  readonly resources: readonly ResourceDescriptor[];
  /** The resources among these whose status the controller does not write. Default: none. */
  readonly statuses?: readonly ResourceDescriptor[] | undefined;
}

/**
 * Returns the workload of a simulation that does again what has caused the reconciles of some stories. The stories must
 * have been kept with `recordObjects`: `curl localhost:8080/debug/reconciles?controller=widgets&format=json`.
 *
 * The steps are the writes of users to objects of the given resources, as far as they have caused a reconcile; changes
 * that came before one reconcile are one step. Left out are objects that have a controller owner, finalizers, and the
 * status, which controllers write. Between steps that were more than a second apart, the workload waits until everything
 * has settled. Objects that are older than the stories must be among the `objects` of the simulation.
 *
 * @param stories The stories of one controller, in their order.
 * @param options The resources that users write.
 * @returns The steps.
 * @throws {TypeError} If a cause has no recorded change.
 *
 * @example
 * ```ts
 * import { ConfigMaps } from "@kubeloop/controller/types";
 * import { workloadOf } from "@kubeloop/testing/simulation";
 * import { assertEquals } from "@std/assert";
 *
 * const object = { resource: "configmaps", object: "default/settings", waitedMs: 0 };
 * const stories = [
 *   {
 *     startedAt: "2026-11-01T12:00:00.000Z",
 *     causes: [{ ...object, why: "added", patch: { data: { mode: "fast" } } }],
 *   },
 *   { startedAt: "2026-11-01T12:00:05.000Z", causes: [{ ...object, why: "deleted" }] },
 * ];
 * assertEquals(workloadOf(stories, { resources: [ConfigMaps] }).map(({ text }) => text), [
 *   "create ConfigMap default/settings",
 *   "settle",
 *   "delete ConfigMap default/settings",
 *   "settle",
 * ]);
 * ```
 */
export function workloadOf(
  stories: readonly ReplayedStory[],
  options: WorkloadOfOptions,
): Step<never>[] {
  const resources = new Map(options.resources.map((one) => [resourceName(one), one]));
  const statuses = new Set((options.statuses ?? []).map(resourceName));
  const steps: Step<never>[] = [];
  const seen = new Set<string>();
  const made = new Set<string>();
  const gone = new Set<string>();
  let lastMs: number | undefined;
  for (const { atMs, cause } of inOrder(stories)) {
    const resource = resources.get(cause.resource ?? "");
    const { object = "" } = cause;
    const id = `${cause.resource} ${object}`;
    const event = `${id} ${cause.why} ${cause.resourceVersion}`;
    if (resource === undefined || seen.has(event)) continue;
    // Without versions, as in hand-made stories, each cause counts.
    if (cause.resourceVersion !== undefined) seen.add(event);
    if (isOwned(cause)) made.add(id);
    if (made.has(id)) continue;
    const found = stepsOf(cause, {
      resource,
      hasStatus: statuses.has(cause.resource ?? ""),
      gone,
      id,
    });
    if (found.length === 0) continue;
    if (lastMs !== undefined && atMs - lastMs > APART_MS) steps.push(settle());
    lastMs = atMs;
    steps.push(...found);
  }
  if (steps.length > 0) steps.push(settle());
  return steps;
}

function inOrder(stories: readonly ReplayedStory[]): { atMs: number; cause: ReplayedCause }[] {
  return stories.flatMap(({ causes, startedAt }) =>
    causes.map((cause) => ({ atMs: Date.parse(startedAt) - cause.waitedMs, cause }))
  ).sort((a, b) => a.atMs - b.atMs);
}

function isOwned({ patch: change, why }: ReplayedCause): boolean {
  if (why !== "added" && why !== "listed") return false;
  const metadata = change?.["metadata"];
  const owners = isRecord(metadata) ? metadata["ownerReferences"] : undefined;
  return Array.isArray(owners) &&
    owners.some((owner) => isRecord(owner) && owner["controller"] === true);
}

interface StepContext {
  readonly resource: ResourceDescriptor;
  readonly hasStatus: boolean;
  /** The objects that a step has deleted. */
  readonly gone: Set<string>;
  readonly id: string;
}

function stepsOf(cause: ReplayedCause, context: StepContext): Step<never>[] {
  const { gone, hasStatus, id, resource } = context;
  const { changed = [], object = "", why } = cause;
  const isEnd = why === "deleted" || changed.includes("metadata.deletionTimestamp");
  if (isEnd) {
    // The deletion of an object with finalizers is an update first.
    const isKnown = gone.has(id);
    gone.add(id);
    return isKnown ? [] : [remove(resource, object)];
  }
  if (why !== "added" && why !== "listed" && why !== "updated") return [];
  const { status, ...rest } = recorded(cause);
  const fields = withoutFinalizers(rest);
  const steps: Step<never>[] = [];
  if (why !== "updated") {
    gone.delete(id);
    steps.push(create(resource, object, fields));
  } else if (!gone.has(id) && Object.keys(fields).length > 0) {
    steps.push(patch(resource, object, fields));
  }
  if (hasStatus && isRecord(status) && !gone.has(id)) {
    steps.push(patchStatus(resource, object, status));
  }
  return steps;
}

function recorded(
  { object, patch: change, resource, why }: ReplayedCause,
): Record<string, unknown> {
  if (isRecord(change)) return change;
  throw new TypeError(
    `Cannot replay that ${resource} "${object}" was ${why}: its story has no recorded change; keep stories with ` +
      "recordObjects: true, and make Secrets with steps of your own, because they are never recorded",
  );
}

/** Returns fields without the finalizers, which controllers set. */
function withoutFinalizers(fields: Record<string, unknown>): Record<string, unknown> {
  const { metadata, ...rest } = fields;
  if (!isRecord(metadata)) return rest;
  const { finalizers: _, ...kept } = metadata;
  return Object.keys(kept).length === 0 ? rest : { metadata: kept, ...rest };
}
