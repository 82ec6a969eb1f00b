// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.
import type { StructTable } from "../../../values/mod.ts";

/** The structs of `apps`. */
export const APPS: StructTable = {
  "apps.ControllerRevision": "@object; metadata meta.ObjectMeta!; data any!*; revision int64!",
  "apps.ControllerRevisionList": `
    @object; metadata meta.ListMeta!; items []apps.ControllerRevision!*
  `,
  "apps.DaemonSet": `
    @object; metadata meta.ObjectMeta!; spec apps.DaemonSetSpec!*; status apps.DaemonSetStatus!
  `,
  "apps.DaemonSetCondition": `
    type string! go=v1.DaemonSetConditionType; status string! go=v1.ConditionStatus;
    lastTransitionTime time!; reason string; message string
  `,
  "apps.DaemonSetList": "@object; metadata meta.ListMeta!; items []apps.DaemonSet!*",
  "apps.DaemonSetSpec": `
    selector meta.LabelSelector!?*; template core.PodTemplateSpec!*;
    updateStrategy apps.DaemonSetUpdateStrategy!; minReadySeconds int32;
    revisionHistoryLimit int32? #6
  `,
  "apps.DaemonSetStatus": `
    currentNumberScheduled int32!*; numberMisscheduled int32!*; desiredNumberScheduled int32!*;
    numberReady int32!*; observedGeneration int64; updatedNumberScheduled int32;
    numberAvailable int32; numberUnavailable int32; collisionCount int32?;
    conditions []apps.DaemonSetCondition key=type
  `,
  "apps.DaemonSetUpdateStrategy": `
    type apps.DaemonSetUpdateStrategyType go=v1.DaemonSetUpdateStrategyType;
    rollingUpdate apps.RollingUpdateDaemonSet?
  `,
  "apps.DaemonSetUpdateStrategyType": "enum OnDelete | RollingUpdate",
  "apps.Deployment": `
    @object; metadata meta.ObjectMeta!; spec apps.DeploymentSpec!*; status apps.DeploymentStatus!
  `,
  "apps.DeploymentCondition": `
    type string! go=v1.DeploymentConditionType; status string! go=v1.ConditionStatus;
    lastUpdateTime time! #6; lastTransitionTime time!; reason string #4; message string
  `,
  "apps.DeploymentList": "@object; metadata meta.ListMeta!; items []apps.Deployment!*",
  "apps.DeploymentSpec": `
    replicas int32?; selector meta.LabelSelector!?*; template core.PodTemplateSpec!*;
    strategy apps.DeploymentStrategy! retainKeys; minReadySeconds int32;
    revisionHistoryLimit int32?; paused bool; progressDeadlineSeconds int32? #9
  `,
  "apps.DeploymentStatus": `
    observedGeneration int64; replicas int32; updatedReplicas int32; readyReplicas int32 #7;
    availableReplicas int32 #4; unavailableReplicas int32; terminatingReplicas int32? #9;
    conditions []apps.DeploymentCondition key=type #6; collisionCount int32? #8
  `,
  "apps.DeploymentStrategy": `
    type apps.DeploymentStrategyType go=v1.DeploymentStrategyType;
    rollingUpdate apps.RollingUpdateDeployment?
  `,
  "apps.DeploymentStrategyType": "enum Recreate | RollingUpdate",
  "apps.PodManagementPolicyType": "enum OrderedReady | Parallel",
  "apps.ReplicaSet": `
    @object; metadata meta.ObjectMeta!; spec apps.ReplicaSetSpec!*; status apps.ReplicaSetStatus!
  `,
  "apps.ReplicaSetCondition": `
    type string! go=v1.ReplicaSetConditionType; status string! go=v1.ConditionStatus;
    lastTransitionTime time!; reason string; message string
  `,
  "apps.ReplicaSetList": "@object; metadata meta.ListMeta!; items []apps.ReplicaSet!*",
  "apps.ReplicaSetSpec": `
    replicas int32?; minReadySeconds int32 #4; selector meta.LabelSelector!?* #2;
    template core.PodTemplateSpec!
  `,
  "apps.ReplicaSetStatus": `
    replicas int32!*; fullyLabeledReplicas int32; readyReplicas int32 #4; availableReplicas int32;
    terminatingReplicas int32? #7; observedGeneration int64 #3;
    conditions []apps.ReplicaSetCondition key=type #6
  `,
  "apps.RollingUpdateDaemonSet": "maxUnavailable intOrString?; maxSurge intOrString?",
  "apps.RollingUpdateDeployment": "maxUnavailable intOrString?; maxSurge intOrString?",
  "apps.RollingUpdateStatefulSetStrategy": "partition int32?; maxUnavailable intOrString?",
  "apps.StatefulSet": `
    @object; metadata meta.ObjectMeta!; spec apps.StatefulSetSpec!*; status apps.StatefulSetStatus!
  `,
  "apps.StatefulSetCondition": `
    type string! go=v1.StatefulSetConditionType; status string! go=v1.ConditionStatus;
    lastTransitionTime time!; reason string; message string
  `,
  "apps.StatefulSetList": "@object; metadata meta.ListMeta!; items []apps.StatefulSet!*",
  "apps.StatefulSetOrdinals": "start int32!",
  "apps.StatefulSetPersistentVolumeClaimRetentionPolicy": `
    whenDeleted string go=v1.PersistentVolumeClaimRetentionPolicyType;
    whenScaled string go=v1.PersistentVolumeClaimRetentionPolicyType
  `,
  "apps.StatefulSetSpec": `
    replicas int32?; selector meta.LabelSelector!?*; template core.PodTemplateSpec!*;
    volumeClaimTemplates []core.PersistentVolumeClaim atomic; serviceName string!;
    podManagementPolicy apps.PodManagementPolicyType go=v1.PodManagementPolicyType;
    updateStrategy apps.StatefulSetUpdateStrategy!; revisionHistoryLimit int32?;
    minReadySeconds int32;
    persistentVolumeClaimRetentionPolicy apps.StatefulSetPersistentVolumeClaimRetentionPolicy?;
    ordinals apps.StatefulSetOrdinals?
  `,
  "apps.StatefulSetStatus": `
    observedGeneration int64; replicas int32!*; readyReplicas int32; currentReplicas int32;
    updatedReplicas int32; currentRevision string; updateRevision string; collisionCount int32? #9;
    conditions []apps.StatefulSetCondition key=type; availableReplicas int32!
  `,
  "apps.StatefulSetUpdateStrategy": `
    type apps.StatefulSetUpdateStrategyType go=v1.StatefulSetUpdateStrategyType;
    rollingUpdate apps.RollingUpdateStatefulSetStrategy?
  `,
  "apps.StatefulSetUpdateStrategyType": "enum OnDelete | Recreate | RollingUpdate",
};
