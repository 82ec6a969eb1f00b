// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.
/**
 * The types of `batch/v1`, and the descriptors of its resources, except the descriptors of `often.ts`.
 *
 * @module
 */

import {
  builtinResource,
  type KubeList,
  type KubeObject,
  type LabelSelector,
  type ObjectMeta,
  type Resource,
} from "../../types/minimal/mod.ts";
import type {
  ConditionStatus,
  ObjectReference,
  PodConditionType,
  PodTemplateSpec,
} from "../core/types.ts";
import type { OpenEnum, Time } from "../scalars.ts";
import type {
  WorkloadPodGroupDisruptionMode,
  WorkloadPodGroupResourceClaim,
  WorkloadPodGroupSchedulingConstraints,
  WorkloadPodGroupSchedulingPolicy,
} from "../scheduling/v1alpha3.ts";

/** The known values of `CompletionMode`. */
export type CompletionMode = OpenEnum<"Indexed" | "NonIndexed">;

/** The known values of `ConcurrencyPolicy`. */
export type ConcurrencyPolicy = OpenEnum<"Allow" | "Forbid" | "Replace">;

/** A CronJob of `batch/v1`. */
export interface CronJob extends KubeObject {
  /** The `spec` of a CronJob. */
  spec?: CronJobSpec;
  /** The `status` of a CronJob. */
  status?: CronJobStatus;
}

/** A list of CronJobs. */
export type CronJobList = KubeList<CronJob>;

/** The `spec` of a CronJob. */
export type CronJobSpec = {
  schedule: string;
  timeZone?: string;
  startingDeadlineSeconds?: number;
  concurrencyPolicy?: ConcurrencyPolicy;
  suspend?: boolean;
  jobTemplate: JobTemplateSpec;
  successfulJobsHistoryLimit?: number;
  failedJobsHistoryLimit?: number;
};

/** The `status` of a CronJob. */
export type CronJobStatus = {
  active?: ObjectReference[];
  lastScheduleTime?: Time;
  lastSuccessfulTime?: Time;
};

/** A Job of `batch/v1`. */
export interface Job extends KubeObject {
  /** The `spec` of a Job. */
  spec?: JobSpec;
  /** The `status` of a Job. */
  status?: JobStatus;
}

/** The `status.conditions[]` of a Job. */
export type JobCondition = {
  type: JobConditionType;
  status: ConditionStatus;
  lastProbeTime?: Time | null;
  lastTransitionTime?: Time;
  reason?: string;
  message?: string;
};

/** The known values of `JobConditionType`. */
export type JobConditionType = OpenEnum<
  | "Complete"
  | "Failed"
  | "FailureTarget"
  | "SuccessCriteriaMet"
  | "Suspended"
>;

/** A list of Jobs. */
export type JobList = KubeList<Job>;

/** The `spec.scheduling` of a Job. Since Kubernetes 1.37. */
export type JobSchedulingConfiguration = {
  schedulingPolicy?: WorkloadPodGroupSchedulingPolicy;
  schedulingConstraints?: WorkloadPodGroupSchedulingConstraints;
  disruptionMode?: WorkloadPodGroupDisruptionMode;
  resourceClaims?: WorkloadPodGroupResourceClaim[];
};

/** The `spec` of a Job. */
export type JobSpec = {
  parallelism?: number;
  completions?: number;
  activeDeadlineSeconds?: number;
  podFailurePolicy?: PodFailurePolicy;
  successPolicy?: SuccessPolicy;
  backoffLimit?: number;
  backoffLimitPerIndex?: number;
  maxFailedIndexes?: number;
  selector?: LabelSelector;
  manualSelector?: boolean;
  template: PodTemplateSpec;
  ttlSecondsAfterFinished?: number;
  completionMode?: CompletionMode;
  suspend?: boolean;
  podReplacementPolicy?: PodReplacementPolicy;
  managedBy?: string;
  /** Since Kubernetes 1.37. */
  scheduling?: JobSchedulingConfiguration;
};

/** The `status` of a Job. */
export type JobStatus = {
  conditions?: JobCondition[];
  startTime?: Time;
  completionTime?: Time;
  active?: number;
  succeeded?: number;
  failed?: number;
  terminating?: number;
  completedIndexes?: string;
  failedIndexes?: string;
  uncountedTerminatedPods?: UncountedTerminatedPods;
  ready?: number;
};

/** The `spec.jobTemplate` of a CronJob. */
export type JobTemplateSpec = {
  metadata?: ObjectMeta;
  spec?: JobSpec;
};

/** The `spec.podFailurePolicy` of a Job. */
export type PodFailurePolicy = {
  rules: PodFailurePolicyRule[];
};

/** The known values of `PodFailurePolicyAction`. */
export type PodFailurePolicyAction = OpenEnum<"Count" | "FailIndex" | "FailJob" | "Ignore">;

/** The known values of `PodFailurePolicyOnExitCodesOperator`. */
export type PodFailurePolicyOnExitCodesOperator = OpenEnum<"In" | "NotIn">;

/** The `spec.podFailurePolicy.rules[].onExitCodes` of a Job. */
export type PodFailurePolicyOnExitCodesRequirement = {
  containerName?: string;
  operator: PodFailurePolicyOnExitCodesOperator;
  values: number[];
};

/** The `spec.podFailurePolicy.rules[].onPodConditions[]` of a Job. */
export type PodFailurePolicyOnPodConditionsPattern = {
  type: PodConditionType;
  status?: ConditionStatus;
};

/** The `spec.podFailurePolicy.rules[]` of a Job. */
export type PodFailurePolicyRule = {
  action: PodFailurePolicyAction;
  onExitCodes?: PodFailurePolicyOnExitCodesRequirement;
  onPodConditions?: PodFailurePolicyOnPodConditionsPattern[];
};

/** The known values of `PodReplacementPolicy`. */
export type PodReplacementPolicy = OpenEnum<"Failed" | "TerminatingOrFailed">;

/** The `spec.successPolicy` of a Job. */
export type SuccessPolicy = {
  rules: SuccessPolicyRule[];
};

/** The `spec.successPolicy.rules[]` of a Job. */
export type SuccessPolicyRule = {
  succeededIndexes?: string;
  succeededCount?: number;
};

/** The `status.uncountedTerminatedPods` of a Job. */
export type UncountedTerminatedPods = {
  succeeded?: string[];
  failed?: string[];
};

/** The resource `cronjobs.batch`. */
export const CronJobs: Resource<CronJob> = /* @__PURE__ */ builtinResource({
  group: "batch",
  version: "v1",
  plural: "cronjobs",
  kind: "CronJob",
  namespaced: true,
});
