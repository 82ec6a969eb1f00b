// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.
import type { StructTable } from "../../../values/mod.ts";

/** The structs of `policy`. */
export const POLICY: StructTable = {
  "policy.Eviction": "@object; metadata meta.ObjectMeta!; deleteOptions meta.DeleteOptions?",
  "policy.PodDisruptionBudget": `
    @object; metadata meta.ObjectMeta!; spec policy.PodDisruptionBudgetSpec!;
    status policy.PodDisruptionBudgetStatus!
  `,
  "policy.PodDisruptionBudgetList": `
    @object; metadata meta.ListMeta!; items []policy.PodDisruptionBudget!*
  `,
  "policy.PodDisruptionBudgetSpec": `
    minAvailable intOrString?; selector meta.LabelSelector? replace; maxUnavailable intOrString?;
    unhealthyPodEvictionPolicy policy.UnhealthyPodEvictionPolicyType?
    go=v1.UnhealthyPodEvictionPolicyType
  `,
  "policy.PodDisruptionBudgetStatus": `
    observedGeneration int64; disruptedPods {}time; disruptionsAllowed int32!;
    currentHealthy int32!; desiredHealthy int32!; expectedPods int32!;
    conditions []meta.Condition key=type
  `,
  "policy.UnhealthyPodEvictionPolicyType": "enum AlwaysAllow | IfHealthyBudget",
};
