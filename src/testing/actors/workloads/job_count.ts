import type { Cached, Pod } from "@kubeloop/controller/types";
import { isActive, isBeingDeleted, isOver, isReady } from "../control/mod.ts";
import type { Job } from "./batch_kinds.ts";
import { parseIndexes } from "./index_ranges.ts";
import { judgeFailure } from "./job_policies.ts";
import { failuresBefore, finishedAtMs, hasFailed, indexOf, isTracked } from "./job_pods.ts";

type Pods = readonly Cached<Pod>[];

/** The Pods of a Job, sorted by what they mean for it. */
export interface JobCount {
  readonly pods: Pods;
  /** The uids of Pods that are counted although `pods` shows their finalizers. */
  readonly counted: ReadonlySet<string>;
  readonly active: Pods;
  readonly ready: number;
  /** The number of Pods that are being deleted and have not ended. */
  readonly terminating: number;
  /** The Pods that have succeeded or failed and are not in the status yet. */
  readonly newlySucceeded: Pods;
  readonly newlyFailed: Pods;
  readonly succeeded: number;
  readonly failed: number;
  readonly succeededIndexes: Set<number>;
  /** Defined if failures are counted for each index. */
  readonly failedIndexes: Set<number> | undefined;
  /** The last failed Pod of each index that has no successor yet: its annotations count the failures. */
  readonly replaceable: ReadonlyMap<number, Cached<Pod>>;
}

/** Reports whether each completion of a Job has an index. */
export function isIndexed({ spec }: Cached<Job>): boolean {
  return spec?.completionMode === "Indexed";
}

/**
 * Counts the Pods of a Job.
 *
 * @param counted The uids of Pods whose finalizers had been removed when `pods` was read from the cache, which may not
 * show that yet.
 */
export function countPods(job: Cached<Job>, pods: Pods, counted: ReadonlySet<string>): JobCount {
  const { spec, status } = job;
  const { completions = 0 } = spec ?? {};
  const { failed: failedUids = [], succeeded: succeededUids = [] } =
    status?.uncountedTerminatedPods ?? {};
  const uncounted = pods.filter((pod) => isTracked(pod) && !counted.has(pod.metadata.uid));
  const valid = isIndexed(job)
    ? uncounted.filter((pod) => indexOf(pod, job) !== undefined)
    : uncounted;
  const newlySucceeded = valid.filter((pod) =>
    pod.status?.phase === "Succeeded" && !succeededUids.includes(pod.metadata.uid)
  );
  const newlyFailed = valid.filter((pod) =>
    hasFailed(pod, job) && !failedUids.includes(pod.metadata.uid)
  );
  const active = pods.filter(isActive);
  const succeededIndexes = parseIndexes(status?.completedIndexes, completions);
  if (isIndexed(job)) {
    for (const pod of newlySucceeded) {
      succeededIndexes.add(indexOf(pod, job)!);
    }
  }
  const failedIndexes = spec?.backoffLimitPerIndex === undefined
    ? undefined
    : parseIndexes(status?.failedIndexes, completions);
  if (failedIndexes !== undefined) {
    for (const pod of valid) if (failsIndex(job, pod)) failedIndexes.add(indexOf(pod, job)!);
  }
  const isFinal = (index: number) => succeededIndexes.has(index) || failedIndexes?.has(index);
  return {
    pods,
    counted,
    active,
    ready: active.filter(isReady).length,
    terminating: pods.filter((pod) => isBeingDeleted(pod) && !isOver(pod)).length,
    newlySucceeded,
    newlyFailed,
    succeeded: isIndexed(job)
      ? succeededIndexes.size
      : (status?.succeeded ?? 0) + newlySucceeded.length + succeededUids.length,
    failed: (status?.failed ?? 0) + failedUids.length +
      newlyFailed.filter((pod) => judgeFailure(spec, pod).isCounted).length,
    succeededIndexes,
    failedIndexes,
    replaceable: failedIndexes === undefined
      ? new Map()
      : replaceableOf(job, valid.filter((pod) => hasFailed(pod, job)), active, isFinal),
  };
}

function failsIndex(job: Cached<Job>, pod: Cached<Pod>): boolean {
  if (!hasFailed(pod, job)) return false;
  const { action, isCounted } = judgeFailure(job.spec, pod);
  if (action === "FailIndex") return true;
  return isCounted && failuresBefore(pod) >= (job.spec?.backoffLimitPerIndex ?? Infinity);
}

function replaceableOf(
  job: Cached<Job>,
  failed: Pods,
  active: Pods,
  isFinal: (index: number) => boolean | undefined,
): Map<number, Cached<Pod>> {
  const replaced = new Set(active.map((pod) => indexOf(pod, job)));
  const last = new Map<number, Cached<Pod>>();
  const rank = (pod: Cached<Pod>) => failuresBefore(pod, { ignored: true });
  for (const pod of failed) {
    const index = indexOf(pod, job)!;
    if (isFinal(index) || replaced.has(index)) continue;
    const other = last.get(index);
    const isLater = other === undefined ||
      (rank(other) <= rank(pod) && finishedAtMs(other) <= finishedAtMs(pod));
    if (isLater) last.set(index, pod);
  }
  return last;
}

/** Returns the first indexes of a Job that have neither ended nor an active Pod. */
export function pendingIndexes(job: Cached<Job>, count: JobCount, most: number): number[] {
  const taken = new Set<number | undefined>([
    ...count.succeededIndexes,
    ...count.failedIndexes ?? [],
  ]);
  const busy = count.pods.filter((pod) => isActive(pod) || isBeingDeleted(pod) && !isOver(pod));
  const waits = job.spec?.podReplacementPolicy === "Failed" || job.spec?.podFailurePolicy;
  for (const pod of waits ? busy : count.active) taken.add(indexOf(pod, job));
  const pending: number[] = [];
  for (let index = 0; index < (job.spec?.completions ?? 0) && pending.length < most; index++) {
    if (!taken.has(index)) pending.push(index);
  }
  return pending;
}
