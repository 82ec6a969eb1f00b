// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.

/** The messages of `batch`. */
export const MESSAGES: string = `
+CronJob metadata:meta.ObjectMeta!,spec:CronJobSpec!,status:CronJobStatus!
CronJobSpec schedule:s!,8timeZone:s?,2startingDeadlineSeconds:l?,concurrencyPolicy:s,suspend:b?,jobTemplate:JobTemplateSpec!,successfulJobsHistoryLimit:i?,failedJobsHistoryLimit:i?
CronJobStatus active:[core.ObjectReference,4lastScheduleTime:t?,lastSuccessfulTime:t?
+Job metadata:meta.ObjectMeta!,spec:JobSpec!,status:JobStatus!
JobCondition type:s!,status:s!,lastProbeTime:t!,lastTransitionTime:t!,reason:s,message:s
JobSchedulingConfiguration schedulingPolicy:scheduling_v1alpha3.WorkloadPodGroupSchedulingPolicy?,schedulingConstraints:scheduling_v1alpha3.WorkloadPodGroupSchedulingConstraints?,disruptionMode:scheduling_v1alpha3.WorkloadPodGroupDisruptionMode?,resourceClaims:[scheduling_v1alpha3.WorkloadPodGroupResourceClaim
JobSpec parallelism:i?,completions:i?,activeDeadlineSeconds:l?,11podFailurePolicy:PodFailurePolicy?,16successPolicy:SuccessPolicy?,7backoffLimit:i?,12backoffLimitPerIndex:i?,maxFailedIndexes:i?,4selector:meta.LabelSelector?,manualSelector:b?,template:core.PodTemplateSpec!,8ttlSecondsAfterFinished:i?,completionMode:s?,suspend:b?,14podReplacementPolicy:s?,managedBy:s?,17scheduling:JobSchedulingConfiguration?
JobStatus conditions:[JobCondition,startTime:t?,completionTime:t?,active:i,succeeded:i,failed:i,11terminating:i?,7completedIndexes:s,10failedIndexes:s?,8uncountedTerminatedPods:UncountedTerminatedPods?,ready:i?
JobTemplateSpec metadata:meta.ObjectMeta!,spec:JobSpec!
PodFailurePolicy rules:[PodFailurePolicyRule!
PodFailurePolicyOnExitCodesRequirement containerName:s?,operator:s!,values:[i!
PodFailurePolicyOnPodConditionsPattern type:s!,status:s!
PodFailurePolicyRule action:s!,onExitCodes:PodFailurePolicyOnExitCodesRequirement?,onPodConditions:[PodFailurePolicyOnPodConditionsPattern
SuccessPolicy rules:[SuccessPolicyRule!
SuccessPolicyRule succeededIndexes:s?,succeededCount:i?
UncountedTerminatedPods succeeded:[s,failed:[s
`;

/** The tables that they refer to. */
export const USES: readonly string[] = ["core", "meta", "scheduling_v1alpha3"];
