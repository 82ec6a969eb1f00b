// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.
/**
 * The types of `resource/v1`, and the descriptors of its resources.
 *
 * @module
 */

import {
  builtinResource,
  type Condition,
  type KubeList,
  type KubeObject,
  type ObjectMeta,
  type Resource,
} from "../../types/minimal/mod.ts";
import type { NodeSelector } from "../core/types.ts";
import type { OpenEnum, Quantity, Time } from "../scalars.ts";

/** The `status.devices[]` of a ResourceClaim. */
export type AllocatedDeviceStatus = {
  driver: string;
  pool: string;
  device: string;
  shareID?: string;
  conditions?: Condition[] | null;
  data?: unknown;
  networkData?: NetworkDeviceData;
};

/** The known values of `AllocationConfigSource`. */
export type AllocationConfigSource = OpenEnum<"FromClaim" | "FromClass">;

/** The `status.allocation` of a ResourceClaim. */
export type AllocationResult = {
  devices?: DeviceAllocationResult;
  nodeSelector?: NodeSelector;
  allocationTimestamp?: Time;
};

/** The `spec.selectors[].cel` of a DeviceClass. */
export type CELDeviceSelector = {
  expression: string;
};

/** The `spec.devices[].capacity.*.requestPolicy` of a ResourceSlice. */
export type CapacityRequestPolicy = {
  default?: Quantity | null;
  validValues?: Quantity[];
  validRange?: CapacityRequestPolicyRange;
};

/** The `spec.devices[].capacity.*.requestPolicy.validRange` of a ResourceSlice. */
export type CapacityRequestPolicyRange = {
  min: Quantity;
  max?: Quantity;
  step?: Quantity;
};

/** The `spec.devices.requests[].exactly.capacity` of a ResourceClaim. */
export type CapacityRequirements = {
  requests?: Record<string, Quantity>;
};

/** The `spec.sharedCounters[].counters.*` of a ResourceSlice. */
export type Counter = {
  value: Quantity;
};

/** The `spec.sharedCounters[]` of a ResourceSlice. */
export type CounterSet = {
  name: string;
  counters: Record<string, Counter>;
};

/** The `spec.devices[]` of a ResourceSlice. */
export type Device = {
  name: string;
  attributes?: Record<string, DeviceAttribute>;
  capacity?: Record<string, DeviceCapacity>;
  consumesCounters?: DeviceCounterConsumption[];
  nodeName?: string;
  nodeSelector?: NodeSelector;
  allNodes?: boolean;
  taints?: DeviceTaint[];
  bindsToNode?: boolean;
  bindingConditions?: string[];
  bindingFailureConditions?: string[];
  allowMultipleAllocations?: boolean;
  /** Since Kubernetes 1.37. */
  nodeAllocatableResources?: Record<string, NodeAllocatableResource>;
  /** Since Kubernetes 1.36. @deprecated Kubernetes 1.36 is the last version that has it. */
  nodeAllocatableResourceMappings?: Record<string, NodeAllocatableResourceMapping>;
};

/** The `status.allocation.devices.config[]` of a ResourceClaim. */
export type DeviceAllocationConfiguration = {
  source: AllocationConfigSource;
  requests?: string[];
  opaque?: OpaqueDeviceConfiguration;
};

/** The known values of `DeviceAllocationMode`. */
export type DeviceAllocationMode = OpenEnum<"All" | "ExactCount">;

/** The `status.allocation.devices` of a ResourceClaim. */
export type DeviceAllocationResult = {
  results?: DeviceRequestAllocationResult[];
  config?: DeviceAllocationConfiguration[];
};

/** The `spec.devices[].attributes.*` of a ResourceSlice. */
export type DeviceAttribute = {
  int?: number;
  bool?: boolean;
  string?: string;
  version?: string;
  /** Since Kubernetes 1.36. */
  ints?: number[];
  /** Since Kubernetes 1.36. */
  bools?: boolean[];
  /** Since Kubernetes 1.36. */
  strings?: string[];
  /** Since Kubernetes 1.36. */
  versions?: string[];
};

/** The `spec.devices[].capacity.*` of a ResourceSlice. */
export type DeviceCapacity = {
  value: Quantity;
  requestPolicy?: CapacityRequestPolicy;
};

/** The `spec.devices` of a ResourceClaim. */
export type DeviceClaim = {
  requests?: DeviceRequest[] | null;
  constraints?: DeviceConstraint[];
  config?: DeviceClaimConfiguration[];
};

/** The `spec.devices.config[]` of a ResourceClaim. */
export type DeviceClaimConfiguration = {
  requests?: string[];
  opaque?: OpaqueDeviceConfiguration;
};

/** A DeviceClass of `resource.k8s.io/v1`. */
export interface DeviceClass extends KubeObject {
  /** The `spec` of a DeviceClass. */
  spec: DeviceClassSpec;
}

/** The `spec.config[]` of a DeviceClass. */
export type DeviceClassConfiguration = {
  opaque?: OpaqueDeviceConfiguration;
};

/** A list of DeviceClasses. */
export type DeviceClassList = KubeList<DeviceClass>;

/** The `spec` of a DeviceClass. */
export type DeviceClassSpec = {
  selectors?: DeviceSelector[];
  config?: DeviceClassConfiguration[];
  extendedResourceName?: string;
};

/** The `spec.devices.constraints[]` of a ResourceClaim. */
export type DeviceConstraint = {
  requests?: string[];
  matchAttribute?: string;
  distinctAttribute?: string;
};

/** The `spec.devices[].consumesCounters[]` of a ResourceSlice. */
export type DeviceCounterConsumption = {
  counterSet: string;
  counters: Record<string, Counter>;
  /** Since Kubernetes 1.37. */
  compatibilityGroups?: string[];
};

/** The `spec.devices.requests[].exactly.derivedAttributes[]` of a ResourceClaim. Since Kubernetes 1.37. */
export type DeviceDerivedAttribute = {
  name: string;
  expression: string;
};

/** The `spec.devices.requests[]` of a ResourceClaim. */
export type DeviceRequest = {
  name: string;
  exactly?: ExactDeviceRequest;
  firstAvailable?: DeviceSubRequest[];
};

/** The `status.allocation.devices.results[]` of a ResourceClaim. */
export type DeviceRequestAllocationResult = {
  request: string;
  driver: string;
  pool: string;
  device: string;
  adminAccess?: boolean;
  tolerations?: DeviceToleration[];
  bindingConditions?: string[];
  bindingFailureConditions?: string[];
  shareID?: string;
  consumedCapacity?: Record<string, Quantity>;
  /** Since Kubernetes 1.37. */
  skipNodeOperations?: SkipNodeOperation[];
};

/** The `spec.selectors[]` of a DeviceClass. */
export type DeviceSelector = {
  cel?: CELDeviceSelector;
};

/** The `spec.devices.requests[].firstAvailable[]` of a ResourceClaim. */
export type DeviceSubRequest = {
  name: string;
  deviceClassName: string;
  selectors?: DeviceSelector[];
  allocationMode?: DeviceAllocationMode;
  count?: number;
  tolerations?: DeviceToleration[];
  capacity?: CapacityRequirements;
  /** Since Kubernetes 1.37. */
  derivedAttributes?: DeviceDerivedAttribute[];
};

/** The `spec.taint` of a DeviceTaintRule. */
export type DeviceTaint = {
  key: string;
  value?: string;
  effect: DeviceTaintEffect;
  timeAdded?: Time;
};

/** The known values of `DeviceTaintEffect`. */
export type DeviceTaintEffect = OpenEnum<"NoExecute" | "NoSchedule" | "None">;

/** A DeviceTaintRule of `resource.k8s.io/v1`. Since Kubernetes 1.37. */
export interface DeviceTaintRule extends KubeObject {
  /** The `spec` of a DeviceTaintRule. */
  spec: DeviceTaintRuleSpec;
  /** The `status` of a DeviceTaintRule. */
  status?: DeviceTaintRuleStatus;
}

/** A list of DeviceTaintRules. Since Kubernetes 1.37. */
export type DeviceTaintRuleList = KubeList<DeviceTaintRule>;

/** The `spec` of a DeviceTaintRule. Since Kubernetes 1.37. */
export type DeviceTaintRuleSpec = {
  deviceSelector?: DeviceTaintSelector;
  taint: DeviceTaint;
};

/** The `status` of a DeviceTaintRule. Since Kubernetes 1.37. */
export type DeviceTaintRuleStatus = {
  conditions?: Condition[];
};

/** The `spec.deviceSelector` of a DeviceTaintRule. Since Kubernetes 1.37. */
export type DeviceTaintSelector = {
  driver?: string;
  pool?: string;
  device?: string;
};

/** The `spec.devices.requests[].exactly.tolerations[]` of a ResourceClaim. */
export type DeviceToleration = {
  key?: string;
  /** Default `"Equal"`. */
  operator?: DeviceTolerationOperator;
  value?: string;
  effect?: DeviceTaintEffect;
  tolerationSeconds?: number;
};

/** The known values of `DeviceTolerationOperator`. */
export type DeviceTolerationOperator = OpenEnum<"Equal" | "Exists">;

/** The `spec.devices.requests[].exactly` of a ResourceClaim. */
export type ExactDeviceRequest = {
  deviceClassName: string;
  selectors?: DeviceSelector[];
  allocationMode?: DeviceAllocationMode;
  count?: number;
  adminAccess?: boolean;
  tolerations?: DeviceToleration[];
  capacity?: CapacityRequirements;
  /** Since Kubernetes 1.37. */
  derivedAttributes?: DeviceDerivedAttribute[];
};

/** The `status.devices[].networkData` of a ResourceClaim. */
export type NetworkDeviceData = {
  interfaceName?: string;
  ips?: string[];
  hardwareAddress?: string;
};

/** The `spec.devices[].nodeAllocatableResources.*.mapping` of a ResourceSlice. Since Kubernetes 1.37. */
export type NodeAllocatableMapping = {
  capacityKey?: string;
  capacityMultiplier?: Quantity;
  deviceMultiplier?: Quantity;
};

/** The `spec.devices[].nodeAllocatableResources.*.overhead` of a ResourceSlice. Since Kubernetes 1.37. */
export type NodeAllocatableOverhead = {
  perPod?: Quantity;
  perContainer?: Quantity;
};

/** The `spec.devices[].nodeAllocatableResources.*` of a ResourceSlice. Since Kubernetes 1.37. */
export type NodeAllocatableResource = {
  mapping?: NodeAllocatableMapping;
  overhead?: NodeAllocatableOverhead;
};

/** The `spec.devices[].nodeAllocatableResourceMappings.*` of a ResourceSlice. Since Kubernetes 1.36. @deprecated Kubernetes 1.36 is the last version that has it. */
export type NodeAllocatableResourceMapping = {
  capacityKey?: string;
  allocationMultiplier?: Quantity;
};

/** The `spec.config[].opaque` of a DeviceClass. */
export type OpaqueDeviceConfiguration = {
  driver: string;
  parameters: unknown;
};

/** A ResourceClaim of `resource.k8s.io/v1`. */
export interface ResourceClaim extends KubeObject {
  /** The `spec` of a ResourceClaim. */
  spec: ResourceClaimSpec;
  /** The `status` of a ResourceClaim. */
  status?: ResourceClaimStatus;
}

/** The `status.reservedFor[]` of a ResourceClaim. */
export type ResourceClaimConsumerReference = {
  apiGroup?: string;
  resource: string;
  name: string;
  uid: string;
};

/** A list of ResourceClaims. */
export type ResourceClaimList = KubeList<ResourceClaim>;

/** The `spec` of a ResourceClaim. */
export type ResourceClaimSpec = {
  devices?: DeviceClaim;
};

/** The `status` of a ResourceClaim. */
export type ResourceClaimStatus = {
  allocation?: AllocationResult;
  reservedFor?: ResourceClaimConsumerReference[];
  devices?: AllocatedDeviceStatus[];
};

/** A ResourceClaimTemplate of `resource.k8s.io/v1`. */
export interface ResourceClaimTemplate extends KubeObject {
  /** The `spec` of a ResourceClaimTemplate. */
  spec: ResourceClaimTemplateSpec;
}

/** A list of ResourceClaimTemplates. */
export type ResourceClaimTemplateList = KubeList<ResourceClaimTemplate>;

/** The `spec` of a ResourceClaimTemplate. */
export type ResourceClaimTemplateSpec = {
  metadata?: ObjectMeta;
  spec: ResourceClaimSpec;
};

/** The `spec.pool` of a ResourceSlice. */
export type ResourcePool = {
  name: string;
  generation: number;
  resourceSliceCount: number;
};

/** A ResourceSlice of `resource.k8s.io/v1`. */
export interface ResourceSlice extends KubeObject {
  /** The `spec` of a ResourceSlice. */
  spec: ResourceSliceSpec;
}

/** A list of ResourceSlices. */
export type ResourceSliceList = KubeList<ResourceSlice>;

/** The `spec` of a ResourceSlice. */
export type ResourceSliceSpec = {
  driver: string;
  pool: ResourcePool;
  nodeName?: string;
  nodeSelector?: NodeSelector;
  allNodes?: boolean;
  devices?: Device[];
  perDeviceNodeSelection?: boolean;
  sharedCounters?: CounterSet[];
  /** Since Kubernetes 1.37. */
  partitionTypeAttribute?: string;
  /** Since Kubernetes 1.37. */
  skipNodeOperations?: SkipNodeOperation[];
};

/** The known values of `SkipNodeOperation`. */
export type SkipNodeOperation = OpenEnum<"*" | "NodePrepareResources" | "NodeUnprepareResources">;

/** The resource `deviceclasses.resource.k8s.io`, which is cluster-scoped. */
export const DeviceClasses: Resource<DeviceClass> = /* @__PURE__ */ builtinResource({
  group: "resource.k8s.io",
  version: "v1",
  plural: "deviceclasses",
  kind: "DeviceClass",
  namespaced: false,
});

/** The resource `devicetaintrules.resource.k8s.io`, which is cluster-scoped. Since Kubernetes 1.37. */
export const DeviceTaintRules: Resource<DeviceTaintRule> = /* @__PURE__ */ builtinResource({
  group: "resource.k8s.io",
  version: "v1",
  plural: "devicetaintrules",
  kind: "DeviceTaintRule",
  namespaced: false,
});

/** The resource `resourceclaims.resource.k8s.io`. */
export const ResourceClaims: Resource<ResourceClaim> = /* @__PURE__ */ builtinResource({
  group: "resource.k8s.io",
  version: "v1",
  plural: "resourceclaims",
  kind: "ResourceClaim",
  namespaced: true,
});

/** The resource `resourceclaimtemplates.resource.k8s.io`. */
export const ResourceClaimTemplates: Resource<ResourceClaimTemplate> =
  /* @__PURE__ */ builtinResource({
    group: "resource.k8s.io",
    version: "v1",
    plural: "resourceclaimtemplates",
    kind: "ResourceClaimTemplate",
    namespaced: true,
  });

/** The resource `resourceslices.resource.k8s.io`, which is cluster-scoped. */
export const ResourceSlices: Resource<ResourceSlice> = /* @__PURE__ */ builtinResource({
  group: "resource.k8s.io",
  version: "v1",
  plural: "resourceslices",
  kind: "ResourceSlice",
  namespaced: false,
});
