// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.
import type { StructTable } from "../../../values/mod.ts";

/** The structs of `batch`. */
export const BATCH: StructTable = {
  "batch.CompletionMode": "enum Indexed | NonIndexed",
  "batch.ConcurrencyPolicy": "enum Allow | Forbid | Replace",
  "batch.CronJob": `
    @object; metadata meta.ObjectMeta!; spec batch.CronJobSpec!*; status batch.CronJobStatus!
  `,
  "batch.CronJobList": "@object; metadata meta.ListMeta!; items []batch.CronJob!*",
  "batch.CronJobSpec": `
    schedule string!*; timeZone string? #8; startingDeadlineSeconds int64? #2;
    concurrencyPolicy batch.ConcurrencyPolicy go=v1.ConcurrencyPolicy; suspend bool?;
    jobTemplate batch.JobTemplateSpec!*; successfulJobsHistoryLimit int32?;
    failedJobsHistoryLimit int32?
  `,
  "batch.CronJobStatus": `
    active []core.ObjectReference atomic; lastScheduleTime time? #4; lastSuccessfulTime time?
  `,
  "batch.Job": "@object; metadata meta.ObjectMeta!; spec batch.JobSpec!; status batch.JobStatus!",
  "batch.JobCondition": `
    type string!* go=v1.JobConditionType; status string!* go=v1.ConditionStatus;
    lastProbeTime time!; lastTransitionTime time!; reason string; message string
  `,
  "batch.JobList": "@object; metadata meta.ListMeta!; items []batch.Job!*",
  "batch.JobSchedulingConfiguration": `
    schedulingPolicy scheduling/v1alpha3.WorkloadPodGroupSchedulingPolicy?;
    schedulingConstraints scheduling/v1alpha3.WorkloadPodGroupSchedulingConstraints?;
    disruptionMode scheduling/v1alpha3.WorkloadPodGroupDisruptionMode?;
    resourceClaims []scheduling/v1alpha3.WorkloadPodGroupResourceClaim key=name
  `,
  "batch.JobSpec": `
    parallelism int32?; completions int32?; activeDeadlineSeconds int64?;
    podFailurePolicy batch.PodFailurePolicy? #11; successPolicy batch.SuccessPolicy? #16;
    backoffLimit int32? #7; backoffLimitPerIndex int32? #12; maxFailedIndexes int32?;
    selector meta.LabelSelector? #4; manualSelector bool?; template core.PodTemplateSpec!*;
    ttlSecondsAfterFinished int32? #8; completionMode batch.CompletionMode? go=v1.CompletionMode;
    suspend bool?; podReplacementPolicy batch.PodReplacementPolicy? go=v1.PodReplacementPolicy #14;
    managedBy string?; scheduling batch.JobSchedulingConfiguration? #17
  `,
  "batch.JobStatus": `
    conditions []batch.JobCondition atomic merge=type; startTime time?; completionTime time?;
    active int32; succeeded int32; failed int32; terminating int32? #11; completedIndexes string #7;
    failedIndexes string? #10; uncountedTerminatedPods batch.UncountedTerminatedPods? #8;
    ready int32?
  `,
  "batch.JobTemplateSpec": "metadata meta.ObjectMeta!; spec batch.JobSpec!",
  "batch.PodFailurePolicy": "rules []batch.PodFailurePolicyRule!* atomic",
  "batch.PodFailurePolicyAction": "enum Count | FailIndex | FailJob | Ignore",
  "batch.PodFailurePolicyOnExitCodesOperator": "enum In | NotIn",
  "batch.PodFailurePolicyOnExitCodesRequirement": `
    containerName string?;
    operator batch.PodFailurePolicyOnExitCodesOperator!* go=v1.PodFailurePolicyOnExitCodesOperator;
    values []int32!* set
  `,
  "batch.PodFailurePolicyOnPodConditionsPattern": `
    type string!* go=v1.PodConditionType; status string! go=v1.ConditionStatus
  `,
  "batch.PodFailurePolicyRule": `
    action batch.PodFailurePolicyAction!* go=v1.PodFailurePolicyAction;
    onExitCodes batch.PodFailurePolicyOnExitCodesRequirement?;
    onPodConditions []batch.PodFailurePolicyOnPodConditionsPattern atomic
  `,
  "batch.PodReplacementPolicy": "enum Failed | TerminatingOrFailed",
  "batch.SuccessPolicy": "rules []batch.SuccessPolicyRule!* atomic",
  "batch.SuccessPolicyRule": "succeededIndexes string?; succeededCount int32?",
  "batch.UncountedTerminatedPods": `
    succeeded []string set go=[]types.UID; failed []string set go=[]types.UID
  `,
};
