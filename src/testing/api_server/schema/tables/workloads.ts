import type { StructTable } from "../field_tables.ts";

/** Deployments, ReplicaSets and Jobs. */
export const WORKLOADS: StructTable = {
  Deployment: `
    kind string; apiVersion string; metadata ObjectMeta!; spec DeploymentSpec!;
    status DeploymentStatus!
  `,
  ReplicaSet: `
    kind string; apiVersion string; metadata ObjectMeta!; spec ReplicaSetSpec!;
    status ReplicaSetStatus!
  `,
  DeploymentSpec: `
    replicas int32?; selector LabelSelector!?; template PodTemplateSpec!;
    strategy DeploymentStrategy! retainKeys; minReadySeconds int32; revisionHistoryLimit int32?;
    paused bool; progressDeadlineSeconds int32?
  `,
  DeploymentStatus: `
    observedGeneration int64; replicas int32; updatedReplicas int32; readyReplicas int32;
    availableReplicas int32; unavailableReplicas int32; terminatingReplicas int32?;
    conditions []DeploymentCondition key=type; collisionCount int32?
  `,
  ReplicaSetSpec: `
    replicas int32?; minReadySeconds int32; selector LabelSelector!?; template PodTemplateSpec!
  `,
  ReplicaSetStatus: `
    replicas int32!; fullyLabeledReplicas int32; readyReplicas int32; availableReplicas int32;
    terminatingReplicas int32?; observedGeneration int64; conditions []ReplicaSetCondition key=type
  `,
  PodTemplateSpec: "metadata ObjectMeta!; spec PodSpec!",
  DeploymentStrategy: "type string; rollingUpdate RollingUpdateDeployment?",
  DeploymentCondition: `
    type string!; status string!; lastUpdateTime time!; lastTransitionTime time!; reason string;
    message string
  `,
  ReplicaSetCondition: `
    type string!; status string!; lastTransitionTime time!; reason string; message string
  `,
  RollingUpdateDeployment: "maxUnavailable intOrString?; maxSurge intOrString?",
  Job: "kind string; apiVersion string; metadata ObjectMeta!; spec JobSpec!; status JobStatus!",
  JobSpec: `
    parallelism int32?; completions int32?; activeDeadlineSeconds int64?;
    podFailurePolicy PodFailurePolicy?; successPolicy SuccessPolicy?; backoffLimit int32?;
    backoffLimitPerIndex int32?; maxFailedIndexes int32?; selector LabelSelector?;
    manualSelector bool?; template PodTemplateSpec!; ttlSecondsAfterFinished int32?;
    completionMode string?; suspend bool?; podReplacementPolicy string?; managedBy string?
  `,
  JobStatus: `
    conditions []JobCondition merge=type; startTime time?; completionTime time?; active int32;
    succeeded int32; failed int32; terminating int32?; completedIndexes string;
    failedIndexes string?; uncountedTerminatedPods UncountedTerminatedPods?; ready int32?
  `,
  PodFailurePolicy: "rules []PodFailurePolicyRule!",
  SuccessPolicy: "rules []SuccessPolicyRule!",
  JobCondition: `
    type string!; status string!; lastProbeTime time!; lastTransitionTime time!; reason string;
    message string
  `,
  UncountedTerminatedPods: "succeeded []string set; failed []string set",
  PodFailurePolicyRule: `
    action string!; onExitCodes PodFailurePolicyOnExitCodesRequirement?;
    onPodConditions []PodFailurePolicyOnPodConditionsPattern
  `,
  SuccessPolicyRule: "succeededIndexes string?; succeededCount int32?",
  PodFailurePolicyOnExitCodesRequirement: `
    containerName string?; operator string!; values []int32! set
  `,
  PodFailurePolicyOnPodConditionsPattern: "type string!; status string!",
  Scale: `
    kind string; apiVersion string; metadata ObjectMeta!; spec ScaleSpec!; status ScaleStatus!
  `,
  ScaleSpec: "replicas int32",
  ScaleStatus: "replicas int32!; selector string",
};
