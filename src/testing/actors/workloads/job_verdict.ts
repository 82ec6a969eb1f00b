import { type Cached, formatTime, type Pod } from "@kubeloop/controller/types";
import type { Job, JobCondition } from "./batch_kinds.ts";
import { judgeFailure, successRule } from "./job_policies.ts";
import { hasFailed } from "./job_pods.ts";

/** The counts of a Job by which it is judged. */
export interface JobCounts {
  readonly failed: number;
  readonly succeededIndexes: ReadonlySet<number>;
  readonly failedIndexes: ReadonlySet<number> | undefined;
}

/** Returns a condition of a Job that holds since `wallMs`. */
export function jobCondition(
  type: string,
  { reason, message }: { readonly reason?: string; readonly message?: string },
  wallMs: number,
  status: "True" | "False" = "True",
): JobCondition {
  const now = formatTime(wallMs);
  return {
    type,
    status,
    lastProbeTime: now,
    lastTransitionTime: now,
    ...(reason && { reason }),
    ...(message && { message }),
  };
}

/**
 * Returns the condition that ends a Job early: `SuccessCriteriaMet` or `FailureTarget`, which become `Complete` and
 * `Failed` once its Pods are gone; undefined if the Job continues.
 */
export function judgeJob(
  job: Cached<Job>,
  pods: readonly Cached<Pod>[],
  counts: JobCounts,
  wallMs: number,
): JobCondition | undefined {
  const { conditions = [] } = job.status ?? {};
  const decided = ["SuccessCriteriaMet", "FailureTarget"].map((type) =>
    conditions.find((one) => one.type === type && one.status === "True")
  ).find((one) => one !== undefined);
  if (decided !== undefined) return { ...decided };
  const failure = failureOf(job, pods, counts, wallMs);
  if (failure !== undefined) {
    const [reason, message] = failure;
    return jobCondition("FailureTarget", { reason, message }, wallMs);
  }
  const message = successRule(job.spec, counts.succeededIndexes);
  if (message === undefined) return undefined;
  return jobCondition("SuccessCriteriaMet", { reason: "SuccessPolicy", message }, wallMs);
}

function failureOf(
  job: Cached<Job>,
  pods: readonly Cached<Pod>[],
  { failed, failedIndexes, succeededIndexes }: JobCounts,
  wallMs: number,
): readonly [reason: string, message: string] | undefined {
  const { spec } = job;
  for (const pod of pods) {
    const message = hasFailed(pod, job) && judgeFailure(spec, pod).message;
    if (message) return ["PodFailurePolicy", message];
  }
  if (failed > (spec?.backoffLimit ?? 6) || hasRestartedTooOften(job, pods)) {
    return ["BackoffLimitExceeded", "Job has reached the specified backoff limit"];
  }
  if (deadlineMs(job) <= wallMs) {
    return ["DeadlineExceeded", "Job was active longer than specified deadline"];
  }
  if (failedIndexes === undefined || failedIndexes.size === 0) return undefined;
  if (failedIndexes.size > (spec?.maxFailedIndexes ?? Infinity)) {
    return [
      "MaxFailedIndexesExceeded",
      "Job has exceeded the specified maximal number of failed indexes",
    ];
  }
  return failedIndexes.size + succeededIndexes.size >= (spec?.completions ?? 0)
    ? ["FailedIndexes", "Job has failed indexes"]
    : undefined;
}

/** Returns the wall time at which a Job has been active for too long, in milliseconds; Infinity if it never has. */
export function deadlineMs({ spec, status }: Cached<Job>): number {
  if (spec?.activeDeadlineSeconds === undefined || spec.suspend === true) return Infinity;
  if (status?.startTime === undefined) return Infinity;
  return Date.parse(status.startTime) + 1000 * spec.activeDeadlineSeconds;
}

/** With the restart policy OnFailure, the restarts of containers count as failures. */
function hasRestartedTooOften({ spec }: Cached<Job>, pods: readonly Cached<Pod>[]): boolean {
  if (spec?.template.spec?.restartPolicy !== "OnFailure") return false;
  const restarts = pods
    .filter(({ status }) => status?.phase === "Running" || status?.phase === "Pending")
    .flatMap(({ status }) => [
      ...status?.containerStatuses ?? [],
      ...status?.initContainerStatuses ?? [],
    ])
    .reduce((sum, { restartCount }) => sum + restartCount, 0);
  const { backoffLimit = 6 } = spec;
  return backoffLimit === 0 ? restarts > 0 : restarts >= backoffLimit;
}
