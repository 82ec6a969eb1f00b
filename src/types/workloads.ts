import type { PodSpec } from "./core.ts";
import type { Condition, KubeObject, LabelSelector, ObjectMeta } from "./meta.ts";
import { defineResource, type Resource } from "./resource.ts";

/** What the Pods of a workload are made from. */
export interface PodTemplateSpec {
  /** Labels and annotations of the Pods. */
  metadata?: ObjectMeta;
  /** The Pods' spec. */
  spec?: PodSpec;
}

/** Keeps a number of equal Pods, and replaces them step by step. */
export interface Deployment extends KubeObject {
  /** How many of which Pods. */
  spec?: {
    replicas?: number;
    selector: LabelSelector;
    template: PodTemplateSpec;
    paused?: boolean;
  };
  /** How many there are. */
  status?: {
    observedGeneration?: number;
    replicas?: number;
    updatedReplicas?: number;
    readyReplicas?: number;
    availableReplicas?: number;
    conditions?: Condition[];
  };
}

/** Keeps a number of equal Pods. */
export interface ReplicaSet extends KubeObject {
  /** How many of which Pods. */
  spec?: { replicas?: number; selector: LabelSelector; template?: PodTemplateSpec };
  /** How many there are. */
  status?: { observedGeneration?: number; replicas: number; readyReplicas?: number };
}

/** Runs Pods until they are done. */
export interface Job extends KubeObject {
  /** What to run, how often, and how many at once. */
  spec?: {
    parallelism?: number;
    completions?: number;
    backoffLimit?: number;
    suspend?: boolean;
    template: PodTemplateSpec;
  };
  /** How far it is. */
  status?: {
    active?: number;
    succeeded?: number;
    failed?: number;
    startTime?: string;
    completionTime?: string;
    conditions?: Condition[];
  };
}

/** `deployments.apps` */
export const Deployments: Resource<Deployment> = defineResource<Deployment>({
  group: "apps",
  version: "v1",
  plural: "deployments",
  kind: "Deployment",
  namespaced: true,
});
/** `replicasets.apps` */
export const ReplicaSets: Resource<ReplicaSet> = defineResource<ReplicaSet>({
  group: "apps",
  version: "v1",
  plural: "replicasets",
  kind: "ReplicaSet",
  namespaced: true,
});
/** `jobs.batch` */
export const Jobs: Resource<Job> = defineResource<Job>({
  group: "batch",
  version: "v1",
  plural: "jobs",
  kind: "Job",
  namespaced: true,
});
