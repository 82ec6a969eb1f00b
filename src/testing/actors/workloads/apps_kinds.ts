import {
  type Condition,
  defineResource,
  type Deployment as PlainDeployment,
  type KubeObject,
  type LabelSelector,
  type PodTemplateSpec,
  type ReplicaSet as PlainReplicaSet,
  type Resource,
} from "@kubeloop/controller/types";
import type { IntOrPercent } from "../control/mod.ts";

/** A condition that also says when it was last confirmed. */
export interface DeploymentCondition extends Condition {
  lastUpdateTime?: string;
}

/** A Deployment, with all fields that its controller reads or writes. */
export interface Deployment extends PlainDeployment {
  spec?: NonNullable<PlainDeployment["spec"]> & {
    minReadySeconds?: number;
    progressDeadlineSeconds?: number;
    revisionHistoryLimit?: number;
    strategy?: {
      type?: string;
      rollingUpdate?: { maxSurge?: IntOrPercent; maxUnavailable?: IntOrPercent };
    };
  };
  status?: Omit<NonNullable<PlainDeployment["status"]>, "conditions"> & {
    conditions?: DeploymentCondition[];
    unavailableReplicas?: number;
    terminatingReplicas?: number;
    collisionCount?: number;
  };
}

/** A ReplicaSet, with all fields that its controller reads or writes. */
export interface ReplicaSet extends PlainReplicaSet {
  spec?: NonNullable<PlainReplicaSet["spec"]> & { minReadySeconds?: number };
  status?: NonNullable<PlainReplicaSet["status"]> & {
    availableReplicas?: number;
    fullyLabeledReplicas?: number;
    terminatingReplicas?: number;
    conditions?: Condition[];
  };
}

/** A ControllerRevision: one version of the template of a StatefulSet or DaemonSet. */
export interface ControllerRevision extends KubeObject {
  data?: unknown;
  revision: number;
}

/** The strategy that a StatefulSet or DaemonSet is updated with. */
export interface UpdateStrategy {
  type?: string;
  rollingUpdate?: { partition?: number; maxSurge?: IntOrPercent; maxUnavailable?: IntOrPercent };
}

/** A StatefulSet: keeps a number of Pods with fixed names and volumes running. */
export interface StatefulSet extends KubeObject {
  spec?: {
    replicas?: number;
    selector: LabelSelector;
    template: PodTemplateSpec;
    serviceName?: string;
    podManagementPolicy?: string;
    updateStrategy?: UpdateStrategy;
    revisionHistoryLimit?: number;
    minReadySeconds?: number;
    ordinals?: { start?: number };
    volumeClaimTemplates?: KubeObject[];
    persistentVolumeClaimRetentionPolicy?: { whenDeleted?: string; whenScaled?: string };
  };
  status?: {
    observedGeneration?: number;
    replicas?: number;
    readyReplicas?: number;
    availableReplicas?: number;
    currentReplicas?: number;
    updatedReplicas?: number;
    currentRevision?: string;
    updateRevision?: string;
    collisionCount?: number;
  };
}

/** A DaemonSet: runs a Pod on each node. */
export interface DaemonSet extends KubeObject {
  spec?: {
    selector: LabelSelector;
    template: PodTemplateSpec;
    updateStrategy?: UpdateStrategy;
    revisionHistoryLimit?: number;
    minReadySeconds?: number;
  };
  status?: {
    observedGeneration?: number;
    currentNumberScheduled?: number;
    desiredNumberScheduled?: number;
    numberMisscheduled?: number;
    numberReady?: number;
    numberAvailable?: number;
    numberUnavailable?: number;
    updatedNumberScheduled?: number;
    collisionCount?: number;
  };
}

/** The resource `deployments.apps`. */
export const Deployments: Resource<Deployment> = apps<Deployment>("deployments", "Deployment");
/** The resource `replicasets.apps`. */
export const ReplicaSets: Resource<ReplicaSet> = apps<ReplicaSet>("replicasets", "ReplicaSet");
/** The resource `statefulsets.apps`. */
export const StatefulSets: Resource<StatefulSet> = apps<StatefulSet>("statefulsets", "StatefulSet");
/** The resource `daemonsets.apps`. */
export const DaemonSets: Resource<DaemonSet> = apps<DaemonSet>("daemonsets", "DaemonSet");
/** The resource `controllerrevisions.apps`. */
export const ControllerRevisions: Resource<ControllerRevision> = apps<ControllerRevision>(
  "controllerrevisions",
  "ControllerRevision",
);

function apps<T extends KubeObject>(plural: string, kind: string): Resource<T> {
  return defineResource<T>({ group: "apps", version: "v1", plural, kind, namespaced: true });
}
