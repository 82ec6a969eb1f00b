// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.
/**
 * The types of `scheduling/v1alpha3`, and the descriptors of its resources.
 *
 * @module
 */

import {
  builtinResource,
  type Condition,
  type KubeList,
  type KubeObject,
  type Resource,
} from "../../types/minimal/mod.ts";
import type { OpenEnum } from "../scalars.ts";

/** The `spec.disruptionMode.all` of a CompositePodGroup. Since Kubernetes 1.37. */
export type AllCompositeDisruptionMode = Record<never, never>;

/** The `spec.disruptionMode.all` of a PodGroup. Since Kubernetes 1.37. */
export type AllDisruptionMode = Record<never, never>;

/** The `spec.schedulingPolicy.basic` of a PodGroup. Since Kubernetes 1.37. */
export type BasicSchedulingPolicy = Record<never, never>;

/** The `spec.schedulingPolicy.basic` of a CompositePodGroup. Since Kubernetes 1.37. */
export type CompositeBasicSchedulingPolicy = Record<never, never>;

/** The `spec.disruptionMode` of a CompositePodGroup. Since Kubernetes 1.37. */
export type CompositeDisruptionMode = {
  single?: SingleCompositeDisruptionMode;
  all?: AllCompositeDisruptionMode;
};

/** The `spec.schedulingPolicy.gang` of a CompositePodGroup. Since Kubernetes 1.37. */
export type CompositeGangSchedulingPolicy = {
  minGroupCount: number;
};

/** A CompositePodGroup of `scheduling.k8s.io/v1alpha3`. Since Kubernetes 1.37. */
export interface CompositePodGroup extends KubeObject {
  /** The `spec` of a CompositePodGroup. */
  spec: CompositePodGroupSpec;
  /** The `status` of a CompositePodGroup. */
  status?: CompositePodGroupStatus;
}

/** A list of CompositePodGroups. Since Kubernetes 1.37. */
export type CompositePodGroupList = KubeList<CompositePodGroup>;

/** The `spec.schedulingConstraints` of a CompositePodGroup. Since Kubernetes 1.37. */
export type CompositePodGroupSchedulingConstraints = {
  topology?: TopologyConstraint[];
};

/** The `spec.schedulingPolicy` of a CompositePodGroup. Since Kubernetes 1.37. */
export type CompositePodGroupSchedulingPolicy = {
  basic?: CompositeBasicSchedulingPolicy;
  gang?: CompositeGangSchedulingPolicy;
};

/** The `spec` of a CompositePodGroup. Since Kubernetes 1.37. */
export type CompositePodGroupSpec = {
  parentCompositePodGroupName?: string;
  workloadRef: WorkloadReference;
  schedulingPolicy: CompositePodGroupSchedulingPolicy;
  schedulingConstraints?: CompositePodGroupSchedulingConstraints;
  /** Default `{"single":{}}`. */
  disruptionMode?: CompositeDisruptionMode;
  priorityClassName?: string;
  priority?: number;
  preemptionPolicy?: PreemptionPolicy;
};

/** The `status` of a CompositePodGroup. Since Kubernetes 1.37. */
export type CompositePodGroupStatus = {
  conditions?: Condition[];
};

/** The `spec.compositePodGroupTemplates[]` of a Workload. Since Kubernetes 1.37. */
export type CompositePodGroupTemplate = {
  name: string;
  schedulingPolicy: CompositePodGroupSchedulingPolicy;
  schedulingConstraints?: CompositePodGroupSchedulingConstraints;
  disruptionMode?: CompositeDisruptionMode;
  priorityClassName?: string;
  priority?: number;
  preemptionPolicy?: PreemptionPolicy;
  podGroupTemplates?: PodGroupTemplate[];
  compositePodGroupTemplates?: CompositePodGroupTemplate[];
};

/** The `spec.disruptionMode` of a PodGroup. Since Kubernetes 1.37. */
export type DisruptionMode = {
  single?: SingleDisruptionMode;
  all?: AllDisruptionMode;
};

/** The `spec.schedulingPolicy.gang` of a PodGroup. Since Kubernetes 1.37. */
export type GangSchedulingPolicy = {
  minCount: number;
};

/** A PodGroup of `scheduling.k8s.io/v1alpha3`. Since Kubernetes 1.37. */
export interface PodGroup extends KubeObject {
  /** The `spec` of a PodGroup. */
  spec: PodGroupSpec;
  /** The `status` of a PodGroup. */
  status?: PodGroupStatus;
}

/** A list of PodGroups. Since Kubernetes 1.37. */
export type PodGroupList = KubeList<PodGroup>;

/** The `spec.resourceClaims[]` of a PodGroup. Since Kubernetes 1.37. */
export type PodGroupResourceClaim = {
  name: string;
  resourceClaimName?: string;
  resourceClaimTemplateName?: string;
};

/** The `status.resourceClaimStatuses[]` of a PodGroup. Since Kubernetes 1.37. */
export type PodGroupResourceClaimStatus = {
  name: string;
  resourceClaimName?: string;
};

/** The `spec.schedulingConstraints` of a PodGroup. Since Kubernetes 1.37. */
export type PodGroupSchedulingConstraints = {
  topology?: TopologyConstraint[];
};

/** The `spec.schedulingPolicy` of a PodGroup. Since Kubernetes 1.37. */
export type PodGroupSchedulingPolicy = {
  basic?: BasicSchedulingPolicy;
  gang?: GangSchedulingPolicy;
};

/** The `spec` of a PodGroup. Since Kubernetes 1.37. */
export type PodGroupSpec = {
  parentCompositePodGroupName?: string;
  workloadRef?: WorkloadReference;
  schedulingPolicy: PodGroupSchedulingPolicy;
  schedulingConstraints?: PodGroupSchedulingConstraints;
  resourceClaims?: PodGroupResourceClaim[];
  /** Default `{"single":{}}`. */
  disruptionMode?: DisruptionMode;
  priorityClassName?: string;
  priority?: number;
  preemptionPolicy?: PreemptionPolicy;
};

/** The `status` of a PodGroup. Since Kubernetes 1.37. */
export type PodGroupStatus = {
  conditions?: Condition[];
  resourceClaimStatuses?: PodGroupResourceClaimStatus[];
};

/** The `spec.podGroupTemplates[]` of a Workload. Since Kubernetes 1.37. */
export type PodGroupTemplate = {
  name: string;
  schedulingPolicy: PodGroupSchedulingPolicy;
  schedulingConstraints?: PodGroupSchedulingConstraints | null;
  resourceClaims?: PodGroupResourceClaim[];
  disruptionMode?: DisruptionMode;
  priorityClassName?: string;
  priority?: number;
  preemptionPolicy?: PreemptionPolicy;
};

/** The known values of `PreemptionPolicy`. */
export type PreemptionPolicy = OpenEnum<"Never" | "PreemptLowerPriority">;

/** The `spec.disruptionMode.single` of a CompositePodGroup. Since Kubernetes 1.37. */
export type SingleCompositeDisruptionMode = Record<never, never>;

/** The `spec.disruptionMode.single` of a PodGroup. Since Kubernetes 1.37. */
export type SingleDisruptionMode = Record<never, never>;

/** The `spec.schedulingConstraints.topology[]` of a CompositePodGroup. Since Kubernetes 1.37. */
export type TopologyConstraint = {
  key: string;
};

/** The `spec.controllerRef` of a Workload. Since Kubernetes 1.37. */
export type TypedLocalObjectReference = {
  apiGroup?: string;
  kind: string;
  name: string;
};

/** A Workload of `scheduling.k8s.io/v1alpha3`. Since Kubernetes 1.37. */
export interface Workload extends KubeObject {
  /** The `spec` of a Workload. */
  spec: WorkloadSpec;
}

/** A list of Workloads. Since Kubernetes 1.37. */
export type WorkloadList = KubeList<Workload>;

/** The `spec.scheduling.disruptionMode.all` of a Job. Since Kubernetes 1.37. */
export type WorkloadPodGroupAllDisruptionMode = Record<never, never>;

/** The `spec.scheduling.schedulingPolicy.basic` of a Job. Since Kubernetes 1.37. */
export type WorkloadPodGroupBasicSchedulingPolicy = Record<never, never>;

/** The `spec.scheduling.disruptionMode` of a Job. Since Kubernetes 1.37. */
export type WorkloadPodGroupDisruptionMode = {
  single?: WorkloadPodGroupSingleDisruptionMode;
  all?: WorkloadPodGroupAllDisruptionMode;
};

/** The `spec.scheduling.schedulingPolicy.gang` of a Job. Since Kubernetes 1.37. */
export type WorkloadPodGroupGangSchedulingPolicy = {
  minCount?: number;
};

/** The `spec.scheduling.resourceClaims[]` of a Job. Since Kubernetes 1.37. */
export type WorkloadPodGroupResourceClaim = {
  name: string;
  resourceClaimName?: string;
  resourceClaimTemplateName?: string;
};

/** The `spec.scheduling.schedulingConstraints` of a Job. Since Kubernetes 1.37. */
export type WorkloadPodGroupSchedulingConstraints = {
  topology?: TopologyConstraint[];
};

/** The `spec.scheduling.schedulingPolicy` of a Job. Since Kubernetes 1.37. */
export type WorkloadPodGroupSchedulingPolicy = {
  basic?: WorkloadPodGroupBasicSchedulingPolicy;
  gang?: WorkloadPodGroupGangSchedulingPolicy;
};

/** The `spec.scheduling.disruptionMode.single` of a Job. Since Kubernetes 1.37. */
export type WorkloadPodGroupSingleDisruptionMode = Record<never, never>;

/** The `spec.workloadRef` of a CompositePodGroup. Since Kubernetes 1.37. */
export type WorkloadReference = {
  workloadName: string;
  templateName: string;
};

/** The `spec` of a Workload. Since Kubernetes 1.37. */
export type WorkloadSpec = {
  controllerRef?: TypedLocalObjectReference;
  podGroupTemplates?: PodGroupTemplate[] | null;
  compositePodGroupTemplates?: CompositePodGroupTemplate[];
};

/** The resource `compositepodgroups.scheduling.k8s.io`. Since Kubernetes 1.37. */
export const CompositePodGroups: Resource<CompositePodGroup> = /* @__PURE__ */ builtinResource({
  group: "scheduling.k8s.io",
  version: "v1alpha3",
  plural: "compositepodgroups",
  kind: "CompositePodGroup",
  namespaced: true,
});

/** The resource `podgroups.scheduling.k8s.io`. Since Kubernetes 1.37. */
export const PodGroups: Resource<PodGroup> = /* @__PURE__ */ builtinResource({
  group: "scheduling.k8s.io",
  version: "v1alpha3",
  plural: "podgroups",
  kind: "PodGroup",
  namespaced: true,
});

/** The resource `workloads.scheduling.k8s.io`. Since Kubernetes 1.37. */
export const Workloads: Resource<Workload> = /* @__PURE__ */ builtinResource({
  group: "scheduling.k8s.io",
  version: "v1alpha3",
  plural: "workloads",
  kind: "Workload",
  namespaced: true,
});
