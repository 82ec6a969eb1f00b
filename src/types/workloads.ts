import type { PodSpec } from "./core.ts";
import type { Condition, KubeObject, LabelSelector, ObjectMeta } from "./meta.ts";
import { defineResource } from "./define_resource.ts";
import type { Resource } from "./resource.ts";

/** The template from which a workload creates its Pods. */
export interface PodTemplateSpec {
  /** The metadata of the Pods, such as labels and annotations. */
  metadata?: ObjectMeta;
  /** The desired state of the Pods. */
  spec?: PodSpec;
}

/** A Deployment: keeps a number of identical Pods running, and updates them step by step. */
export interface Deployment extends KubeObject {
  /** The desired state: the number of Pods, their selector, and their template. */
  spec?: {
    replicas?: number;
    selector: LabelSelector;
    template: PodTemplateSpec;
    paused?: boolean;
  };
  /** The observed state: the numbers of Pods, and the conditions of the Deployment. */
  status?: {
    observedGeneration?: number;
    replicas?: number;
    updatedReplicas?: number;
    readyReplicas?: number;
    availableReplicas?: number;
    conditions?: Condition[];
  };
}

/** A ReplicaSet: keeps a number of identical Pods running. */
export interface ReplicaSet extends KubeObject {
  /** The desired state: the number of Pods, their selector, and their template. */
  spec?: { replicas?: number; selector: LabelSelector; template?: PodTemplateSpec };
  /** The observed state: the numbers of Pods. */
  status?: { observedGeneration?: number; replicas: number; readyReplicas?: number };
}

/** A Job: runs Pods until a number of them has succeeded. */
export interface Job extends KubeObject {
  /** The desired state: the template, and how many Pods run in total, at the same time, and again after failures. */
  spec?: {
    parallelism?: number;
    completions?: number;
    backoffLimit?: number;
    suspend?: boolean;
    template: PodTemplateSpec;
  };
  /** The observed state: the numbers of Pods, and the start and completion times. */
  status?: {
    active?: number;
    succeeded?: number;
    failed?: number;
    startTime?: string;
    completionTime?: string;
    conditions?: Condition[];
  };
}

/** The resource `deployments.apps`. */
export const Deployments: Resource<Deployment> = defineResource<Deployment>({
  group: "apps",
  version: "v1",
  plural: "deployments",
  kind: "Deployment",
  namespaced: true,
});
/** The resource `replicasets.apps`. */
export const ReplicaSets: Resource<ReplicaSet> = defineResource<ReplicaSet>({
  group: "apps",
  version: "v1",
  plural: "replicasets",
  kind: "ReplicaSet",
  namespaced: true,
});
/** The resource `jobs.batch`. */
export const Jobs: Resource<Job> = defineResource<Job>({
  group: "batch",
  version: "v1",
  plural: "jobs",
  kind: "Job",
  namespaced: true,
});
