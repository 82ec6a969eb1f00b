// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.
/**
 * The types of `lifecycle/v1alpha1`, and the descriptors of its resources.
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
import type { OpenEnum, Time } from "../scalars.ts";

/** An Eviction of `lifecycle.k8s.io/v1alpha1`. Since Kubernetes 1.37. */
export interface Eviction extends KubeObject {
  /** The `spec` of an Eviction. */
  spec: EvictionSpec;
  /** The `status` of an Eviction. */
  status?: EvictionStatus;
}

/** A list of Evictions. Since Kubernetes 1.37. */
export type EvictionList = KubeList<Eviction>;

/** The `spec.target.pod` of an Eviction. Since Kubernetes 1.37. */
export type EvictionPodReference = {
  name: string;
  uid: string;
};

/** An EvictionRequest of `lifecycle.k8s.io/v1alpha1`. Since Kubernetes 1.37. */
export interface EvictionRequest extends KubeObject {
  /** The `spec` of an EvictionRequest. */
  spec: EvictionRequestSpec;
  /** The `status` of an EvictionRequest. */
  status?: EvictionRequestStatus;
}

/** The known values of `EvictionRequestIntent`. */
export type EvictionRequestIntent = OpenEnum<"Eviction" | "Withdrawn">;

/** A list of EvictionRequests. Since Kubernetes 1.37. */
export type EvictionRequestList = KubeList<EvictionRequest>;

/** The `spec.target.pod` of an EvictionRequest. Since Kubernetes 1.37. */
export type EvictionRequestPodReference = {
  name: string;
  uid: string;
};

/** The `spec` of an EvictionRequest. Since Kubernetes 1.37. */
export type EvictionRequestSpec = {
  target: EvictionRequestTarget;
  requester: string;
  intent: EvictionRequestIntent;
};

/** The `status` of an EvictionRequest. Since Kubernetes 1.37. */
export type EvictionRequestStatus = {
  conditions?: Condition[];
  observedGeneration?: number;
};

/** The `spec.target` of an EvictionRequest. Since Kubernetes 1.37. */
export type EvictionRequestTarget = {
  pod?: EvictionRequestPodReference;
};

/** The `spec` of an Eviction. Since Kubernetes 1.37. */
export type EvictionSpec = {
  target: EvictionTarget;
};

/** The `status` of an Eviction. Since Kubernetes 1.37. */
export type EvictionStatus = {
  conditions?: Condition[];
  observedGeneration?: number;
  requesters?: Requester[];
  targetResponders?: TargetResponder[];
  responders?: ResponderStatus[];
};

/** The `spec.target` of an Eviction. Since Kubernetes 1.37. */
export type EvictionTarget = {
  pod?: EvictionPodReference;
};

/** The `status.requesters[]` of an Eviction. Since Kubernetes 1.37. */
export type Requester = {
  name: string;
  intent: RequesterIntent;
};

/** The known values of `RequesterIntent`. */
export type RequesterIntent = OpenEnum<"Eviction" | "Withdrawn">;

/** The known values of `ResponderStateType`. */
export type ResponderStateType = OpenEnum<
  | "Active"
  | "Canceled"
  | "Completed"
  | "Inactive"
  | "Interrupted"
>;

/** The `status.responders[]` of an Eviction. Since Kubernetes 1.37. */
export type ResponderStatus = {
  name: string;
  startTime?: Time;
  heartbeatTime?: Time;
  expectedCompletionTime?: Time;
  completionTime?: Time;
  message?: string;
};

/** The `status.targetResponders[]` of an Eviction. Since Kubernetes 1.37. */
export type TargetResponder = {
  name: string;
  priority: number;
  state: ResponderStateType;
};

/** The resource `evictions.lifecycle.k8s.io`. Since Kubernetes 1.37. */
export const Evictions: Resource<Eviction> = /* @__PURE__ */ builtinResource({
  group: "lifecycle.k8s.io",
  version: "v1alpha1",
  plural: "evictions",
  kind: "Eviction",
  namespaced: true,
});

/** The resource `evictionrequests.lifecycle.k8s.io`. Since Kubernetes 1.37. */
export const EvictionRequests: Resource<EvictionRequest> = /* @__PURE__ */ builtinResource({
  group: "lifecycle.k8s.io",
  version: "v1alpha1",
  plural: "evictionrequests",
  kind: "EvictionRequest",
  namespaced: true,
});
