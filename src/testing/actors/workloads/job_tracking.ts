import type { Client } from "@kubeloop/controller/client";
import { type Cached, isInvalid, type Pod, Pods } from "@kubeloop/controller/types";
import { isBeingDeleted, unlessNotFound } from "../control/mod.ts";
import type { Job, JobCondition, JobStatus } from "./batch_kinds.ts";
import { formatIndexes } from "./index_ranges.ts";
import { isIndexed, type JobCount } from "./job_count.ts";
import { judgeFailure } from "./job_policies.ts";
import { hasFailed, indexOf, isTracked, TRACKING_FINALIZER } from "./job_pods.ts";
import { jobCondition } from "./job_verdict.ts";

/** The number of Pods that the status lists while they are counted. */
const MAX_UNCOUNTED = 500;

/** The Pods whose end a status notes, before their finalizers are removed. */
export interface Tracked {
  /** The status, in which the ended Pods are listed as uncounted. */
  readonly status: JobStatus;
  /** The Pods whose finalizers can be removed once the status is written. */
  readonly ended: readonly Cached<Pod>[];
  /** Whether the status notes all Pods that have ended. */
  readonly isAll: boolean;
}

/** Removes from Pods the finalizer that keeps them until they are counted. */
export class JobTracking {
  readonly #client: Client;
  /** The uids of Pods whose finalizers have been removed, until the cache shows it. */
  readonly #removed = new Set<string>();

  /** Creates the tracking of all Jobs. */
  constructor(client: Client) {
    this.#client = client;
  }

  /** The uids of Pods that are counted although the cache shows their finalizers. */
  get counted(): ReadonlySet<string> {
    return this.#removed;
  }

  /** Notes what the cache shows of a Pod. */
  observed(pod: Cached<Pod>, { isGone = false }: { readonly isGone?: boolean } = {}): void {
    if (isGone || !isTracked(pod)) this.#removed.delete(pod.metadata.uid);
  }

  /** Removes the finalizer of a Pod. */
  async release({ metadata }: Cached<Pod>, signal: AbortSignal): Promise<void> {
    const { name, namespace = "", uid } = metadata;
    this.#removed.add(uid);
    const patch = {
      metadata: { uid, "$deleteFromPrimitiveList/finalizers": [TRACKING_FINALIZER] },
    } as object;
    try {
      await this.#client.patch(Pods, name, patch, { namespace, type: "strategic", signal });
    } catch (error) {
      this.#removed.delete(uid);
      // The Pod is gone, or another Pod has its name: the uid differs.
      if (!isInvalid(error)) unlessNotFound(error);
    }
  }

  /** Notes the Pods that have ended in the status of a Job; `verdict` is the condition that ends the Job, if it ends. */
  note(
    job: Cached<Job>,
    before: JobStatus,
    count: JobCount,
    verdict: JobCondition | undefined,
  ): Tracked {
    const status = { ...before, ...this.settle(before, count) };
    const { failed = [], succeeded = [] } = status.uncountedTerminatedPods ?? {};
    const uncounted = { failed: [...failed], succeeded: [...succeeded] };
    const isLost = verdict !== undefined && verdict.type !== "SuccessCriteriaMet";
    const ended: Cached<Pod>[] = [];
    for (const pod of count.pods) {
      if (uncounted.failed.length + uncounted.succeeded.length >= MAX_UNCOUNTED) break;
      const { uid } = pod.metadata;
      if (!isTracked(pod) || count.counted.has(uid)) continue;
      const isFailed = hasFailed(pod, job);
      if (!canRelease(job, pod, count, verdict, isFailed)) continue;
      ended.push(pod);
      const isValid = !isIndexed(job) || indexOf(pod, job) !== undefined;
      if (pod.status?.phase === "Succeeded" && !failed.includes(uid)) {
        if (!isIndexed(job) && !succeeded.includes(uid)) uncounted.succeeded.push(uid);
      } else if ((isFailed || isLost) && isValid && !failed.includes(uid)) {
        if (judgeFailure(job.spec, pod).isCounted) uncounted.failed.push(uid);
      }
    }
    return {
      status: {
        ...status,
        uncountedTerminatedPods: uncounted,
        ...(isIndexed(job) && {
          succeeded: count.succeededIndexes.size,
          completedIndexes: formatIndexes(count.succeededIndexes),
        }),
        ...(count.failedIndexes && { failedIndexes: formatIndexes(count.failedIndexes) }),
      },
      ended,
      isAll: uncounted.failed.length + uncounted.succeeded.length < MAX_UNCOUNTED,
    };
  }

  /** Counts the listed Pods that have lost their finalizers, or are gone. */
  settle(status: JobStatus, { counted, pods }: JobCount): JobStatus {
    const { failed = [], succeeded = [] } = status.uncountedTerminatedPods ?? {};
    const kept = new Set(
      pods.filter((pod) => isTracked(pod) && !counted.has(pod.metadata.uid))
        .map(({ metadata }) => metadata.uid),
    );
    const left = (uids: readonly string[]) => uids.filter((uid) => kept.has(uid));
    return {
      ...status,
      succeeded: (status.succeeded ?? 0) + succeeded.length - left(succeeded).length,
      failed: (status.failed ?? 0) + failed.length - left(failed).length,
      uncountedTerminatedPods: { failed: left(failed), succeeded: left(succeeded) },
    };
  }
}

/** Reports whether nothing else needs the Pod: a failed Pod of an index waits for its successor, which counts on. */
function canRelease(
  job: Cached<Job>,
  pod: Cached<Pod>,
  { replaceable }: JobCount,
  verdict: JobCondition | undefined,
  isFailed: boolean,
): boolean {
  if (isBeingDeleted(job) || verdict !== undefined) return true;
  if (pod.status?.phase === "Succeeded") return true;
  const index = indexOf(pod, job);
  return isFailed && (index === undefined || replaceable.get(index) !== pod);
}

/** Adds the condition that announces the end of the Job. */
export function announced(status: JobStatus, verdict: JobCondition): JobStatus {
  const { conditions = [] } = status;
  if (conditions.some(({ type }) => type === verdict.type)) return status;
  return { ...status, conditions: [...conditions, verdict] };
}

/** Returns the status with the condition Complete or Failed. */
export function finished(status: JobStatus, verdict: JobCondition, wallMs: number): JobStatus {
  const isComplete = verdict.type === "SuccessCriteriaMet";
  const { message = "", reason = "" } = verdict;
  const last = jobCondition(isComplete ? "Complete" : "Failed", { reason, message }, wallMs);
  return {
    ...status,
    conditions: [...status.conditions ?? [], last],
    ...(isComplete && { completionTime: last.lastTransitionTime! }),
  };
}
