// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.
/**
 * The types of `scheduling/v1alpha1`, and the descriptors of its resources.
 *
 * @module
 */

import {
  builtinResource,
  type KubeList,
  type KubeObject,
  type Resource,
} from "../../types/minimal/mod.ts";

/** The `spec.podGroups[].policy.basic` of a Workload. @deprecated Kubernetes 1.35 is the last version that has it. */
export type BasicSchedulingPolicy = Record<never, never>;

/** The `spec.podGroups[].policy.gang` of a Workload. @deprecated Kubernetes 1.35 is the last version that has it. */
export type GangSchedulingPolicy = {
  minCount: number;
};

/** The `spec.podGroups[]` of a Workload. @deprecated Kubernetes 1.35 is the last version that has it. */
export type PodGroup = {
  name: string;
  policy: PodGroupPolicy;
};

/** The `spec.podGroups[].policy` of a Workload. @deprecated Kubernetes 1.35 is the last version that has it. */
export type PodGroupPolicy = {
  basic?: BasicSchedulingPolicy;
  gang?: GangSchedulingPolicy;
};

/** The `spec.controllerRef` of a Workload. @deprecated Kubernetes 1.35 is the last version that has it. */
export type TypedLocalObjectReference = {
  apiGroup?: string;
  kind: string;
  name: string;
};

/** A Workload of `scheduling.k8s.io/v1alpha1`. @deprecated Kubernetes 1.35 is the last version that has it. */
export interface Workload extends KubeObject {
  /** The `spec` of a Workload. */
  spec: WorkloadSpec;
}

/** A list of Workloads. @deprecated Kubernetes 1.35 is the last version that has it. */
export type WorkloadList = KubeList<Workload>;

/** The `spec` of a Workload. @deprecated Kubernetes 1.35 is the last version that has it. */
export type WorkloadSpec = {
  controllerRef?: TypedLocalObjectReference;
  podGroups: PodGroup[];
};

/** The resource `workloads.scheduling.k8s.io`. @deprecated Kubernetes 1.35 is the last version that has it. */
export const Workloads: Resource<Workload> = /* @__PURE__ */ builtinResource({
  group: "scheduling.k8s.io",
  version: "v1alpha1",
  plural: "workloads",
  kind: "Workload",
  namespaced: true,
});
