import {
  type Condition,
  type DeepReadonly,
  defineResource,
  type KubeObject,
  type LabelSelector,
  type ObjectMeta,
  type ObjectReference,
  type PodTemplateSpec,
  type Resource,
} from "@kubeloop/controller/types";

/** A condition that also says when it was last checked. */
export interface JobCondition extends Condition {
  lastProbeTime?: string;
}

/** A rule of a pod failure policy: what a failed Pod means for its Job. */
export interface PodFailureRule {
  action: string;
  onExitCodes?: { containerName?: string; operator: string; values: number[] };
  onPodConditions?: { type: string; status?: string }[];
}

/** The desired state of a Job. */
export interface JobSpec {
  parallelism?: number;
  completions?: number;
  completionMode?: string;
  backoffLimit?: number;
  backoffLimitPerIndex?: number;
  maxFailedIndexes?: number;
  activeDeadlineSeconds?: number;
  ttlSecondsAfterFinished?: number;
  suspend?: boolean;
  managedBy?: string;
  podReplacementPolicy?: string;
  podFailurePolicy?: { rules: PodFailureRule[] };
  successPolicy?: { rules: { succeededIndexes?: string; succeededCount?: number }[] };
  selector?: LabelSelector;
  template: PodTemplateSpec;
}

/** The observed state of a Job. */
export interface JobStatus {
  active?: number;
  ready?: number;
  terminating?: number;
  succeeded?: number;
  failed?: number;
  completedIndexes?: string;
  failedIndexes?: string;
  uncountedTerminatedPods?: { succeeded?: string[]; failed?: string[] };
  startTime?: string;
  completionTime?: string;
  conditions?: JobCondition[];
}

/** A Job, with all fields that its controller reads or writes. */
export interface Job extends KubeObject {
  spec?: JobSpec;
  status?: JobStatus;
}

/** A CronJob: creates Jobs on a schedule. */
export interface CronJob extends KubeObject {
  spec?: {
    schedule: string;
    timeZone?: string;
    startingDeadlineSeconds?: number;
    concurrencyPolicy?: string;
    suspend?: boolean;
    successfulJobsHistoryLimit?: number;
    failedJobsHistoryLimit?: number;
    jobTemplate: { metadata?: ObjectMeta; spec: JobSpec };
  };
  status?: {
    active?: ObjectReference[];
    lastScheduleTime?: string;
    lastSuccessfulTime?: string;
  };
}

/** The resource `jobs.batch`. */
export const Jobs: Resource<Job> = batch<Job>("jobs", "Job");
/** The resource `cronjobs.batch`. */
export const CronJobs: Resource<CronJob> = batch<CronJob>("cronjobs", "CronJob");

/** Returns `Complete` or `Failed` if a Job has finished. */
export function finishOf({ status }: DeepReadonly<Job>): string | undefined {
  return status?.conditions?.find((one) =>
    one.status === "True" && (one.type === "Complete" || one.type === "Failed")
  )?.type;
}

function batch<T extends KubeObject>(plural: string, kind: string): Resource<T> {
  return defineResource<T>({ group: "batch", version: "v1", plural, kind, namespaced: true });
}
