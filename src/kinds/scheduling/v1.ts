// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.
/**
 * The types of `scheduling/v1`, and the descriptors of its resources.
 *
 * @module
 */

import {
  builtinResource,
  type KubeList,
  type KubeObject,
  type Resource,
} from "../../types/minimal/mod.ts";
import type { PreemptionPolicy } from "../core/types.ts";

/** A PriorityClass of `scheduling.k8s.io/v1`. */
export interface PriorityClass extends KubeObject {
  /** The `value` of a PriorityClass. */
  value: number;
  /** The `globalDefault` of a PriorityClass. */
  globalDefault?: boolean;
  /** The `description` of a PriorityClass. */
  description?: string;
  /** The `preemptionPolicy` of a PriorityClass. */
  preemptionPolicy?: PreemptionPolicy;
}

/** A list of PriorityClasses. */
export type PriorityClassList = KubeList<PriorityClass>;

/** The resource `priorityclasses.scheduling.k8s.io`, which is cluster-scoped. */
export const PriorityClasses: Resource<PriorityClass> = /* @__PURE__ */ builtinResource({
  group: "scheduling.k8s.io",
  version: "v1",
  plural: "priorityclasses",
  kind: "PriorityClass",
  namespaced: false,
});
