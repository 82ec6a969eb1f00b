// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.
/**
 * The types of `scheduling/v1alpha2`, and the descriptors of its resources.
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

/** The `spec.schedulingPolicy.basic` of a PodGroup. Since Kubernetes 1.36. @deprecated Kubernetes 1.36 is the last version that has it. */
export type BasicSchedulingPolicy = Record<never, never>;

/** The known values of `DisruptionMode`. */
export type DisruptionMode = OpenEnum<"Pod" | "PodGroup">;

/** The `spec.schedulingPolicy.gang` of a PodGroup. Since Kubernetes 1.36. @deprecated Kubernetes 1.36 is the last version that has it. */
export type GangSchedulingPolicy = {
  minCount: number;
};

/** A PodGroup of `scheduling.k8s.io/v1alpha2`. Since Kubernetes 1.36. @deprecated Kubernetes 1.36 is the last version that has it. */
export interface PodGroup extends KubeObject {
  /** The `spec` of a PodGroup. */
  spec: PodGroupSpec;
  /** The `status` of a PodGroup. */
  status?: PodGroupStatus;
}

/** A list of PodGroups. Since Kubernetes 1.36. @deprecated Kubernetes 1.36 is the last version that has it. */
export type PodGroupList = KubeList<PodGroup>;

/** The `spec.resourceClaims[]` of a PodGroup. Since Kubernetes 1.36. @deprecated Kubernetes 1.36 is the last version that has it. */
export type PodGroupResourceClaim = {
  name: string;
  resourceClaimName?: string;
  resourceClaimTemplateName?: string;
};

/** The `status.resourceClaimStatuses[]` of a PodGroup. Since Kubernetes 1.36. @deprecated Kubernetes 1.36 is the last version that has it. */
export type PodGroupResourceClaimStatus = {
  name: string;
  resourceClaimName?: string;
};

/** The `spec.schedulingConstraints` of a PodGroup. Since Kubernetes 1.36. @deprecated Kubernetes 1.36 is the last version that has it. */
export type PodGroupSchedulingConstraints = {
  topology?: TopologyConstraint[];
};

/** The `spec.schedulingPolicy` of a PodGroup. Since Kubernetes 1.36. @deprecated Kubernetes 1.36 is the last version that has it. */
export type PodGroupSchedulingPolicy = {
  basic?: BasicSchedulingPolicy;
  gang?: GangSchedulingPolicy;
};

/** The `spec` of a PodGroup. Since Kubernetes 1.36. @deprecated Kubernetes 1.36 is the last version that has it. */
export type PodGroupSpec = {
  podGroupTemplateRef?: PodGroupTemplateReference | null;
  schedulingPolicy: PodGroupSchedulingPolicy;
  schedulingConstraints?: PodGroupSchedulingConstraints;
  resourceClaims?: PodGroupResourceClaim[];
  /** Default `"Pod"`. */
  disruptionMode?: DisruptionMode;
  priorityClassName?: string;
  priority?: number;
};

/** The `status` of a PodGroup. Since Kubernetes 1.36. @deprecated Kubernetes 1.36 is the last version that has it. */
export type PodGroupStatus = {
  conditions?: Condition[];
  resourceClaimStatuses?: PodGroupResourceClaimStatus[];
};

/** The `spec.podGroupTemplates[]` of a Workload. Since Kubernetes 1.36. @deprecated Kubernetes 1.36 is the last version that has it. */
export type PodGroupTemplate = {
  name: string;
  schedulingPolicy: PodGroupSchedulingPolicy;
  schedulingConstraints?: PodGroupSchedulingConstraints | null;
  resourceClaims?: PodGroupResourceClaim[];
  disruptionMode?: DisruptionMode;
  priorityClassName?: string;
  priority?: number;
};

/** The `spec.podGroupTemplateRef` of a PodGroup. Since Kubernetes 1.36. @deprecated Kubernetes 1.36 is the last version that has it. */
export type PodGroupTemplateReference = {
  workload?: WorkloadPodGroupTemplateReference | null;
};

/** The `spec.schedulingConstraints.topology[]` of a PodGroup. Since Kubernetes 1.36. @deprecated Kubernetes 1.36 is the last version that has it. */
export type TopologyConstraint = {
  key: string;
};

/** The `spec.controllerRef` of a Workload. Since Kubernetes 1.36. @deprecated Kubernetes 1.36 is the last version that has it. */
export type TypedLocalObjectReference = {
  apiGroup?: string;
  kind: string;
  name: string;
};

/** A Workload of `scheduling.k8s.io/v1alpha2`. Since Kubernetes 1.36. @deprecated Kubernetes 1.36 is the last version that has it. */
export interface Workload extends KubeObject {
  /** The `spec` of a Workload. */
  spec: WorkloadSpec;
}

/** A list of Workloads. Since Kubernetes 1.36. @deprecated Kubernetes 1.36 is the last version that has it. */
export type WorkloadList = KubeList<Workload>;

/** The `spec.podGroupTemplateRef.workload` of a PodGroup. Since Kubernetes 1.36. @deprecated Kubernetes 1.36 is the last version that has it. */
export type WorkloadPodGroupTemplateReference = {
  workloadName: string;
  podGroupTemplateName: string;
};

/** The `spec` of a Workload. Since Kubernetes 1.36. @deprecated Kubernetes 1.36 is the last version that has it. */
export type WorkloadSpec = {
  controllerRef?: TypedLocalObjectReference;
  podGroupTemplates: PodGroupTemplate[];
};

/** The resource `podgroups.scheduling.k8s.io`. Since Kubernetes 1.36. @deprecated Kubernetes 1.36 is the last version that has it. */
export const PodGroups: Resource<PodGroup> = /* @__PURE__ */ builtinResource({
  group: "scheduling.k8s.io",
  version: "v1alpha2",
  plural: "podgroups",
  kind: "PodGroup",
  namespaced: true,
});

/** The resource `workloads.scheduling.k8s.io`. Since Kubernetes 1.36. @deprecated Kubernetes 1.36 is the last version that has it. */
export const Workloads: Resource<Workload> = /* @__PURE__ */ builtinResource({
  group: "scheduling.k8s.io",
  version: "v1alpha2",
  plural: "workloads",
  kind: "Workload",
  namespaced: true,
});
