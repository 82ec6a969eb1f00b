// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.
/**
 * The types of `apps/v1`, and the descriptors of its resources, except the descriptors of `often.ts`.
 *
 * @module
 */

import {
  builtinResource,
  type KubeList,
  type KubeObject,
  type LabelSelector,
  type Resource,
} from "../../types/minimal/mod.ts";
import type { ConditionStatus, PersistentVolumeClaim, PodTemplateSpec } from "../core/types.ts";
import type { IntOrString, OpenEnum, Time } from "../scalars.ts";

/** A ControllerRevision of `apps/v1`. */
export interface ControllerRevision extends KubeObject {
  /** The `data` of a ControllerRevision. */
  data?: unknown;
  /** The `revision` of a ControllerRevision. */
  revision: number;
}

/** A list of ControllerRevisions. */
export type ControllerRevisionList = KubeList<ControllerRevision>;

/** A DaemonSet of `apps/v1`. */
export interface DaemonSet extends KubeObject {
  /** The `spec` of a DaemonSet. */
  spec?: DaemonSetSpec;
  /** The `status` of a DaemonSet. */
  status?: DaemonSetStatus;
}

/** The `status.conditions[]` of a DaemonSet. */
export type DaemonSetCondition = {
  type: string;
  status: ConditionStatus;
  lastTransitionTime?: Time;
  reason?: string;
  message?: string;
};

/** A list of DaemonSets. */
export type DaemonSetList = KubeList<DaemonSet>;

/** The `spec` of a DaemonSet. */
export type DaemonSetSpec = {
  selector: LabelSelector;
  template: PodTemplateSpec;
  updateStrategy?: DaemonSetUpdateStrategy;
  minReadySeconds?: number;
  revisionHistoryLimit?: number;
};

/** The `status` of a DaemonSet. */
export type DaemonSetStatus = {
  currentNumberScheduled: number;
  numberMisscheduled: number;
  desiredNumberScheduled: number;
  numberReady: number;
  observedGeneration?: number;
  updatedNumberScheduled?: number;
  numberAvailable?: number;
  numberUnavailable?: number;
  collisionCount?: number;
  conditions?: DaemonSetCondition[];
};

/** The `spec.updateStrategy` of a DaemonSet. */
export type DaemonSetUpdateStrategy = {
  type?: DaemonSetUpdateStrategyType;
  rollingUpdate?: RollingUpdateDaemonSet;
};

/** The known values of `DaemonSetUpdateStrategyType`. */
export type DaemonSetUpdateStrategyType = OpenEnum<"OnDelete" | "RollingUpdate">;

/** A Deployment of `apps/v1`. */
export interface Deployment extends KubeObject {
  /** The `spec` of a Deployment. */
  spec?: DeploymentSpec;
  /** The `status` of a Deployment. */
  status?: DeploymentStatus;
}

/** The `status.conditions[]` of a Deployment. */
export type DeploymentCondition = {
  type: DeploymentConditionType;
  status: ConditionStatus;
  lastUpdateTime?: Time | null;
  lastTransitionTime?: Time;
  reason?: string;
  message?: string;
};

/** The known values of `DeploymentConditionType`. */
export type DeploymentConditionType = OpenEnum<"Available" | "Progressing" | "ReplicaFailure">;

/** A list of Deployments. */
export type DeploymentList = KubeList<Deployment>;

/** The `spec` of a Deployment. */
export type DeploymentSpec = {
  replicas?: number;
  selector: LabelSelector;
  template: PodTemplateSpec;
  strategy?: DeploymentStrategy;
  minReadySeconds?: number;
  revisionHistoryLimit?: number;
  paused?: boolean;
  progressDeadlineSeconds?: number;
};

/** The `status` of a Deployment. */
export type DeploymentStatus = {
  observedGeneration?: number;
  replicas?: number;
  updatedReplicas?: number;
  readyReplicas?: number;
  availableReplicas?: number;
  unavailableReplicas?: number;
  terminatingReplicas?: number;
  conditions?: DeploymentCondition[];
  collisionCount?: number;
};

/** The `spec.strategy` of a Deployment. */
export type DeploymentStrategy = {
  type?: DeploymentStrategyType;
  rollingUpdate?: RollingUpdateDeployment;
};

/** The known values of `DeploymentStrategyType`. */
export type DeploymentStrategyType = OpenEnum<"Recreate" | "RollingUpdate">;

/** The known values of `PersistentVolumeClaimRetentionPolicyType`. */
export type PersistentVolumeClaimRetentionPolicyType = OpenEnum<"Delete" | "Retain">;

/** The known values of `PodManagementPolicyType`. */
export type PodManagementPolicyType = OpenEnum<"OrderedReady" | "Parallel">;

/** A ReplicaSet of `apps/v1`. */
export interface ReplicaSet extends KubeObject {
  /** The `spec` of a ReplicaSet. */
  spec?: ReplicaSetSpec;
  /** The `status` of a ReplicaSet. */
  status?: ReplicaSetStatus;
}

/** The `status.conditions[]` of a ReplicaSet. */
export type ReplicaSetCondition = {
  type: ReplicaSetConditionType;
  status: ConditionStatus;
  lastTransitionTime?: Time;
  reason?: string;
  message?: string;
};

/** The known values of `ReplicaSetConditionType`. */
export type ReplicaSetConditionType = OpenEnum<"ReplicaFailure">;

/** A list of ReplicaSets. */
export type ReplicaSetList = KubeList<ReplicaSet>;

/** The `spec` of a ReplicaSet. */
export type ReplicaSetSpec = {
  replicas?: number;
  minReadySeconds?: number;
  selector: LabelSelector;
  template?: PodTemplateSpec;
};

/** The `status` of a ReplicaSet. */
export type ReplicaSetStatus = {
  replicas: number;
  fullyLabeledReplicas?: number;
  readyReplicas?: number;
  availableReplicas?: number;
  terminatingReplicas?: number;
  observedGeneration?: number;
  conditions?: ReplicaSetCondition[];
};

/** The `spec.updateStrategy.rollingUpdate` of a DaemonSet. */
export type RollingUpdateDaemonSet = {
  maxUnavailable?: IntOrString;
  maxSurge?: IntOrString;
};

/** The `spec.strategy.rollingUpdate` of a Deployment. */
export type RollingUpdateDeployment = {
  maxUnavailable?: IntOrString;
  maxSurge?: IntOrString;
};

/** The `spec.updateStrategy.rollingUpdate` of a StatefulSet. */
export type RollingUpdateStatefulSetStrategy = {
  partition?: number;
  maxUnavailable?: IntOrString;
};

/** A StatefulSet of `apps/v1`. */
export interface StatefulSet extends KubeObject {
  /** The `spec` of a StatefulSet. */
  spec?: StatefulSetSpec;
  /** The `status` of a StatefulSet. */
  status?: StatefulSetStatus;
}

/** The `status.conditions[]` of a StatefulSet. */
export type StatefulSetCondition = {
  type: StatefulSetConditionType;
  status: ConditionStatus;
  lastTransitionTime?: Time;
  reason?: string;
  message?: string;
};

/** The known values of `StatefulSetConditionType`. */
export type StatefulSetConditionType = OpenEnum<"Progressing">;

/** A list of StatefulSets. */
export type StatefulSetList = KubeList<StatefulSet>;

/** The `spec.ordinals` of a StatefulSet. */
export type StatefulSetOrdinals = {
  start?: number;
};

/** The `spec.persistentVolumeClaimRetentionPolicy` of a StatefulSet. */
export type StatefulSetPersistentVolumeClaimRetentionPolicy = {
  whenDeleted?: PersistentVolumeClaimRetentionPolicyType;
  whenScaled?: PersistentVolumeClaimRetentionPolicyType;
};

/** The `spec` of a StatefulSet. */
export type StatefulSetSpec = {
  replicas?: number;
  selector: LabelSelector;
  template: PodTemplateSpec;
  volumeClaimTemplates?: PersistentVolumeClaim[];
  serviceName?: string;
  podManagementPolicy?: PodManagementPolicyType;
  updateStrategy?: StatefulSetUpdateStrategy;
  revisionHistoryLimit?: number;
  minReadySeconds?: number;
  persistentVolumeClaimRetentionPolicy?: StatefulSetPersistentVolumeClaimRetentionPolicy;
  ordinals?: StatefulSetOrdinals;
};

/** The `status` of a StatefulSet. */
export type StatefulSetStatus = {
  observedGeneration?: number;
  replicas: number;
  readyReplicas?: number;
  currentReplicas?: number;
  updatedReplicas?: number;
  currentRevision?: string;
  updateRevision?: string;
  collisionCount?: number;
  conditions?: StatefulSetCondition[];
  availableReplicas?: number;
};

/** The `spec.updateStrategy` of a StatefulSet. */
export type StatefulSetUpdateStrategy = {
  type?: StatefulSetUpdateStrategyType;
  rollingUpdate?: RollingUpdateStatefulSetStrategy;
};

/** The known values of `StatefulSetUpdateStrategyType`. */
export type StatefulSetUpdateStrategyType = OpenEnum<"OnDelete" | "Recreate" | "RollingUpdate">;

/** The resource `controllerrevisions.apps`. */
export const ControllerRevisions: Resource<ControllerRevision> = /* @__PURE__ */ builtinResource({
  group: "apps",
  version: "v1",
  plural: "controllerrevisions",
  kind: "ControllerRevision",
  namespaced: true,
});

/** The resource `daemonsets.apps`. */
export const DaemonSets: Resource<DaemonSet> = /* @__PURE__ */ builtinResource({
  group: "apps",
  version: "v1",
  plural: "daemonsets",
  kind: "DaemonSet",
  namespaced: true,
});

/** The resource `statefulsets.apps`. */
export const StatefulSets: Resource<StatefulSet> = /* @__PURE__ */ builtinResource({
  group: "apps",
  version: "v1",
  plural: "statefulsets",
  kind: "StatefulSet",
  namespaced: true,
});
