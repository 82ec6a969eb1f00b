// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.
/**
 * The types of `resource/v1alpha3`, and the descriptors of its resources.
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
import type { OpenEnum, Quantity, Time } from "../scalars.ts";

/** The `spec.taint` of a DeviceTaintRule. */
export type DeviceTaint = {
  key: string;
  value?: string;
  effect: DeviceTaintEffect;
  timeAdded?: Time;
};

/** The known values of `DeviceTaintEffect`. */
export type DeviceTaintEffect = OpenEnum<"NoExecute" | "NoSchedule" | "None">;

/** A DeviceTaintRule of `resource.k8s.io/v1alpha3`. */
export interface DeviceTaintRule extends KubeObject {
  /** The `spec` of a DeviceTaintRule. */
  spec: DeviceTaintRuleSpec;
  /** The `status` of a DeviceTaintRule. */
  status?: DeviceTaintRuleStatus;
}

/** A list of DeviceTaintRules. */
export type DeviceTaintRuleList = KubeList<DeviceTaintRule>;

/** The `spec` of a DeviceTaintRule. */
export type DeviceTaintRuleSpec = {
  deviceSelector?: DeviceTaintSelector;
  taint: DeviceTaint;
};

/** The `status` of a DeviceTaintRule. */
export type DeviceTaintRuleStatus = {
  conditions?: Condition[];
};

/** The `spec.deviceSelector` of a DeviceTaintRule. */
export type DeviceTaintSelector = {
  driver?: string;
  pool?: string;
  device?: string;
};

/** The `status.pools[].partitionSummary[]` of a ResourcePoolStatusRequest. Since Kubernetes 1.37. */
export type PartitionTypeStatus = {
  attribute: string;
  type: string;
  total: number;
  allocatable: number;
};

/** The `status.pools[]` of a ResourcePoolStatusRequest. Since Kubernetes 1.36. */
export type PoolStatus = {
  driver: string;
  poolName: string;
  generation: number;
  resourceSliceCount?: number;
  totalDevices?: number;
  allocatedDevices?: number;
  availableDevices?: number;
  unavailableDevices?: number;
  nodeName?: string;
  validationError?: string;
  /** Since Kubernetes 1.37. */
  partitionSummary?: PartitionTypeStatus[];
  /** Since Kubernetes 1.37. */
  shareableSummary?: ShareableSummaryStatus;
};

/** A ResourcePoolStatusRequest of `resource.k8s.io/v1alpha3`. Since Kubernetes 1.36. */
export interface ResourcePoolStatusRequest extends KubeObject {
  /** The `spec` of a ResourcePoolStatusRequest. */
  spec: ResourcePoolStatusRequestSpec;
  /** The `status` of a ResourcePoolStatusRequest. */
  status?: ResourcePoolStatusRequestStatus;
}

/** A list of ResourcePoolStatusRequests. Since Kubernetes 1.36. */
export type ResourcePoolStatusRequestList = KubeList<ResourcePoolStatusRequest>;

/** The `spec` of a ResourcePoolStatusRequest. Since Kubernetes 1.36. */
export type ResourcePoolStatusRequestSpec = {
  driver: string;
  poolName?: string;
  /** Default `100`. */
  limit?: number;
  /** Since Kubernetes 1.37. */
  defaultPartitionTypeAttribute?: string;
};

/** The `status` of a ResourcePoolStatusRequest. Since Kubernetes 1.36. */
export type ResourcePoolStatusRequestStatus = {
  poolCount: number;
  pools?: PoolStatus[];
  conditions?: Condition[];
};

/** The `status.pools[].shareableSummary.capacity[]` of a ResourcePoolStatusRequest. Since Kubernetes 1.37. */
export type ShareableCapacityStatus = {
  name: string;
  total: Quantity;
  consumed: Quantity;
  available: Quantity;
};

/** The `status.pools[].shareableSummary` of a ResourcePoolStatusRequest. Since Kubernetes 1.37. */
export type ShareableSummaryStatus = {
  fullyAvailableDevices: number;
  partiallyAvailableDevices: number;
  capacity?: ShareableCapacityStatus[];
};

/** The resource `devicetaintrules.resource.k8s.io`, which is cluster-scoped. */
export const DeviceTaintRules: Resource<DeviceTaintRule> = /* @__PURE__ */ builtinResource({
  group: "resource.k8s.io",
  version: "v1alpha3",
  plural: "devicetaintrules",
  kind: "DeviceTaintRule",
  namespaced: false,
});

/** The resource `resourcepoolstatusrequests.resource.k8s.io`, which is cluster-scoped. Since Kubernetes 1.36. */
export const ResourcePoolStatusRequests: Resource<ResourcePoolStatusRequest> =
  /* @__PURE__ */ builtinResource({
    group: "resource.k8s.io",
    version: "v1alpha3",
    plural: "resourcepoolstatusrequests",
    kind: "ResourcePoolStatusRequest",
    namespaced: false,
  });
