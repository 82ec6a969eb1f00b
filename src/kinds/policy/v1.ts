// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.
/**
 * The types of `policy/v1`, and the descriptors of its resources.
 *
 * @module
 */

import {
  builtinResource,
  type Condition,
  type KubeList,
  type KubeObject,
  type LabelSelector,
  type Resource,
} from "../../types/minimal/mod.ts";
import type { DeleteOptions } from "../meta/v1.ts";
import type { IntOrString, OpenEnum, Time } from "../scalars.ts";

/** An Eviction of `policy/v1`. */
export interface Eviction extends KubeObject {
  /** The `deleteOptions` of an Eviction. */
  deleteOptions?: DeleteOptions;
}

/** A PodDisruptionBudget of `policy/v1`. */
export interface PodDisruptionBudget extends KubeObject {
  /** The `spec` of a PodDisruptionBudget. */
  spec?: PodDisruptionBudgetSpec;
  /** The `status` of a PodDisruptionBudget. */
  status?: PodDisruptionBudgetStatus;
}

/** A list of PodDisruptionBudgets. */
export type PodDisruptionBudgetList = KubeList<PodDisruptionBudget>;

/** The `spec` of a PodDisruptionBudget. */
export type PodDisruptionBudgetSpec = {
  minAvailable?: IntOrString;
  selector?: LabelSelector;
  maxUnavailable?: IntOrString;
  unhealthyPodEvictionPolicy?: UnhealthyPodEvictionPolicyType;
};

/** The `status` of a PodDisruptionBudget. */
export type PodDisruptionBudgetStatus = {
  observedGeneration?: number;
  disruptedPods?: Record<string, Time>;
  disruptionsAllowed: number;
  currentHealthy: number;
  desiredHealthy: number;
  expectedPods: number;
  conditions?: Condition[];
};

/** The known values of `UnhealthyPodEvictionPolicyType`. */
export type UnhealthyPodEvictionPolicyType = OpenEnum<"AlwaysAllow" | "IfHealthyBudget">;

/** The resource `poddisruptionbudgets.policy`. */
export const PodDisruptionBudgets: Resource<PodDisruptionBudget> = /* @__PURE__ */ builtinResource({
  group: "policy",
  version: "v1",
  plural: "poddisruptionbudgets",
  kind: "PodDisruptionBudget",
  namespaced: true,
});
