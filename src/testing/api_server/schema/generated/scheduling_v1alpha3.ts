// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.
import type { StructTable } from "../../../values/mod.ts";

/** The structs of `scheduling/v1alpha3`. */
export const SCHEDULING_V1ALPHA3: StructTable = {
  "scheduling/v1alpha3.TopologyConstraint": "key string!*",
  "scheduling/v1alpha3.WorkloadPodGroupAllDisruptionMode": "",
  "scheduling/v1alpha3.WorkloadPodGroupBasicSchedulingPolicy": "",
  "scheduling/v1alpha3.WorkloadPodGroupDisruptionMode": `
    single scheduling/v1alpha3.WorkloadPodGroupSingleDisruptionMode?;
    all scheduling/v1alpha3.WorkloadPodGroupAllDisruptionMode?
  `,
  "scheduling/v1alpha3.WorkloadPodGroupGangSchedulingPolicy": "minCount int32?",
  "scheduling/v1alpha3.WorkloadPodGroupResourceClaim": `
    name string!*; resourceClaimName string?; resourceClaimTemplateName string?
  `,
  "scheduling/v1alpha3.WorkloadPodGroupSchedulingConstraints": `
    topology []scheduling/v1alpha3.TopologyConstraint atomic
  `,
  "scheduling/v1alpha3.WorkloadPodGroupSchedulingPolicy": `
    basic scheduling/v1alpha3.WorkloadPodGroupBasicSchedulingPolicy?;
    gang scheduling/v1alpha3.WorkloadPodGroupGangSchedulingPolicy?
  `,
  "scheduling/v1alpha3.WorkloadPodGroupSingleDisruptionMode": "",
};
