// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.
/**
 * The types of `node/v1`, and the descriptors of its resources.
 *
 * @module
 */

import {
  builtinResource,
  type KubeList,
  type KubeObject,
  type Resource,
} from "../../types/minimal/mod.ts";
import type { Toleration } from "../core/types.ts";
import type { Quantity } from "../scalars.ts";

/** The `overhead` of a RuntimeClass. */
export type Overhead = {
  podFixed?: Record<string, Quantity>;
};

/** A RuntimeClass of `node.k8s.io/v1`. */
export interface RuntimeClass extends KubeObject {
  /** The `handler` of a RuntimeClass. */
  handler: string;
  /** The `overhead` of a RuntimeClass. */
  overhead?: Overhead;
  /** The `scheduling` of a RuntimeClass. */
  scheduling?: Scheduling;
}

/** A list of RuntimeClasses. */
export type RuntimeClassList = KubeList<RuntimeClass>;

/** The `scheduling` of a RuntimeClass. */
export type Scheduling = {
  nodeSelector?: Record<string, string>;
  tolerations?: Toleration[];
};

/** The resource `runtimeclasses.node.k8s.io`, which is cluster-scoped. */
export const RuntimeClasses: Resource<RuntimeClass> = /* @__PURE__ */ builtinResource({
  group: "node.k8s.io",
  version: "v1",
  plural: "runtimeclasses",
  kind: "RuntimeClass",
  namespaced: false,
});
