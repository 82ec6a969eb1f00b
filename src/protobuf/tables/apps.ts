// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.

/** The messages of `apps`. */
export const MESSAGES: string = `
+ControllerRevision metadata:meta.ObjectMeta!,data:r!,revision:l!
+DaemonSet metadata:meta.ObjectMeta!,spec:DaemonSetSpec!,status:DaemonSetStatus!
DaemonSetCondition type:s!,status:s!,lastTransitionTime:t!,reason:s,message:s
DaemonSetSpec selector:meta.LabelSelector~,template:core.PodTemplateSpec!,updateStrategy:DaemonSetUpdateStrategy!,minReadySeconds:i,6revisionHistoryLimit:i?
DaemonSetStatus currentNumberScheduled:i!,numberMisscheduled:i!,desiredNumberScheduled:i!,numberReady:i!,observedGeneration:l,updatedNumberScheduled:i,numberAvailable:i,numberUnavailable:i,collisionCount:i?,conditions:[DaemonSetCondition
DaemonSetUpdateStrategy type:s,rollingUpdate:RollingUpdateDaemonSet?
+Deployment metadata:meta.ObjectMeta!,spec:DeploymentSpec!,status:DeploymentStatus!
DeploymentCondition type:s!,status:s!,6lastUpdateTime:t!,lastTransitionTime:t!,4reason:s,message:s
DeploymentSpec replicas:i?,selector:meta.LabelSelector~,template:core.PodTemplateSpec!,strategy:DeploymentStrategy!,minReadySeconds:i,revisionHistoryLimit:i?,paused:b,9progressDeadlineSeconds:i?
DeploymentStatus observedGeneration:l,replicas:i,updatedReplicas:i,7readyReplicas:i,4availableReplicas:i,unavailableReplicas:i,9terminatingReplicas:i?,6conditions:[DeploymentCondition,8collisionCount:i?
DeploymentStrategy type:s,rollingUpdate:RollingUpdateDeployment?
+ReplicaSet metadata:meta.ObjectMeta!,spec:ReplicaSetSpec!,status:ReplicaSetStatus!
ReplicaSetCondition type:s!,status:s!,lastTransitionTime:t!,reason:s,message:s
ReplicaSetSpec replicas:i?,4minReadySeconds:i,2selector:meta.LabelSelector~,template:core.PodTemplateSpec!
ReplicaSetStatus replicas:i!,fullyLabeledReplicas:i,4readyReplicas:i,availableReplicas:i,7terminatingReplicas:i?,3observedGeneration:l,6conditions:[ReplicaSetCondition
RollingUpdateDaemonSet maxUnavailable:o?,maxSurge:o?
RollingUpdateDeployment maxUnavailable:o?,maxSurge:o?
RollingUpdateStatefulSetStrategy partition:i?,maxUnavailable:o?
+StatefulSet metadata:meta.ObjectMeta!,spec:StatefulSetSpec!,status:StatefulSetStatus!
StatefulSetCondition type:s!,status:s!,lastTransitionTime:t!,reason:s,message:s
StatefulSetOrdinals start:i!
StatefulSetPersistentVolumeClaimRetentionPolicy whenDeleted:s,whenScaled:s
StatefulSetSpec replicas:i?,selector:meta.LabelSelector~,template:core.PodTemplateSpec!,volumeClaimTemplates:[core.PersistentVolumeClaim,serviceName:s!,podManagementPolicy:s,updateStrategy:StatefulSetUpdateStrategy!,revisionHistoryLimit:i?,minReadySeconds:i,persistentVolumeClaimRetentionPolicy:StatefulSetPersistentVolumeClaimRetentionPolicy?,ordinals:StatefulSetOrdinals?
StatefulSetStatus observedGeneration:l,replicas:i!,readyReplicas:i,currentReplicas:i,updatedReplicas:i,currentRevision:s,updateRevision:s,9collisionCount:i?,conditions:[StatefulSetCondition,availableReplicas:i!
StatefulSetUpdateStrategy type:s,rollingUpdate:RollingUpdateStatefulSetStrategy?
`;

/** The tables that they refer to. */
export const USES: readonly string[] = ["core", "meta"];
