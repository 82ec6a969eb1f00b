// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.
import type { StructTable } from "../../../values/mod.ts";

/** The structs of `resource`. */
export const RESOURCE: StructTable = {
  "resource.AllocatedDeviceStatus": `
    driver string!*; pool string!*; device string!*; shareID string? #7;
    conditions []meta.Condition! map=type #4; data any?; networkData resource.NetworkDeviceData?
  `,
  "resource.AllocationConfigSource": "enum FromClaim | FromClass",
  "resource.AllocationResult": `
    devices resource.DeviceAllocationResult!; nodeSelector core.NodeSelector? #3;
    allocationTimestamp time? #5
  `,
  "resource.CELDeviceSelector": "expression string!*",
  "resource.CapacityRequestPolicy": `
    default quantity!?; validValues []quantity atomic #3;
    validRange resource.CapacityRequestPolicyRange?
  `,
  "resource.CapacityRequestPolicyRange": "min quantity?*; max quantity?; step quantity?",
  "resource.CapacityRequirements": "requests {}quantity",
  "resource.Counter": "value quantity!*",
  "resource.CounterSet": "name string!*; counters {}resource.Counter*",
  "resource.Device": `
    name string!*; attributes {}resource.DeviceAttribute; capacity {}resource.DeviceCapacity;
    consumesCounters []resource.DeviceCounterConsumption atomic; nodeName string?;
    nodeSelector core.NodeSelector?; allNodes bool?; taints []resource.DeviceTaint atomic;
    bindsToNode bool?; bindingConditions []string atomic; bindingFailureConditions []string atomic;
    allowMultipleAllocations bool?; nodeAllocatableResources {}resource.NodeAllocatableResource #14
  `,
  "resource.DeviceAllocationConfiguration": `
    source resource.AllocationConfigSource!* go=v1.AllocationConfigSource; requests []string atomic;
    opaque resource.OpaqueDeviceConfiguration? in=DeviceConfiguration #3.1
  `,
  "resource.DeviceAllocationMode": "enum All | ExactCount",
  "resource.DeviceAllocationResult": `
    results []resource.DeviceRequestAllocationResult atomic;
    config []resource.DeviceAllocationConfiguration atomic
  `,
  "resource.DeviceAttribute": `
    int int64? #2; bool bool?; string string?; version string?; ints []int64 atomic;
    bools []bool atomic; strings []string atomic; versions []string atomic
  `,
  "resource.DeviceCapacity": "value quantity!*; requestPolicy resource.CapacityRequestPolicy?",
  "resource.DeviceClaim": `
    requests []resource.DeviceRequest! atomic; constraints []resource.DeviceConstraint atomic;
    config []resource.DeviceClaimConfiguration atomic
  `,
  "resource.DeviceClaimConfiguration": `
    requests []string atomic;
    opaque resource.OpaqueDeviceConfiguration? in=DeviceConfiguration #2.1
  `,
  "resource.DeviceClass": "@object; metadata meta.ObjectMeta!; spec resource.DeviceClassSpec!",
  "resource.DeviceClassConfiguration": `
    opaque resource.OpaqueDeviceConfiguration? in=DeviceConfiguration #1.1
  `,
  "resource.DeviceClassList": "@object; metadata meta.ListMeta!; items []resource.DeviceClass!*",
  "resource.DeviceClassSpec": `
    selectors []resource.DeviceSelector atomic; config []resource.DeviceClassConfiguration atomic;
    extendedResourceName string? #4
  `,
  "resource.DeviceConstraint": `
    requests []string atomic; matchAttribute string? go=v1.FullyQualifiedName;
    distinctAttribute string? go=v1.FullyQualifiedName
  `,
  "resource.DeviceCounterConsumption": `
    counterSet string!*; counters {}resource.Counter*; compatibilityGroups []string atomic
  `,
  "resource.DeviceDerivedAttribute": "name string!* go=v1.FullyQualifiedName; expression string!*",
  "resource.DeviceRequest": `
    name string!*; exactly resource.ExactDeviceRequest?;
    firstAvailable []resource.DeviceSubRequest atomic
  `,
  "resource.DeviceRequestAllocationResult": `
    request string!*; driver string!*; pool string!*; device string!*; adminAccess bool?;
    tolerations []resource.DeviceToleration atomic; bindingConditions []string atomic;
    bindingFailureConditions []string atomic; shareID string? go=types.UID;
    consumedCapacity {}quantity;
    skipNodeOperations []resource.SkipNodeOperation set go=[]v1.SkipNodeOperation
  `,
  "resource.DeviceSelector": "cel resource.CELDeviceSelector?",
  "resource.DeviceSubRequest": `
    name string!*; deviceClassName string!*; selectors []resource.DeviceSelector atomic;
    allocationMode resource.DeviceAllocationMode go=v1.DeviceAllocationMode; count int64;
    tolerations []resource.DeviceToleration atomic; capacity resource.CapacityRequirements?;
    derivedAttributes []resource.DeviceDerivedAttribute atomic
  `,
  "resource.DeviceTaint": `
    key string!*; value string; effect resource.DeviceTaintEffect!* go=v1.DeviceTaintEffect;
    timeAdded time?
  `,
  "resource.DeviceTaintEffect": "enum NoExecute | NoSchedule | None",
  "resource.DeviceTaintRule": `
    @object; metadata meta.ObjectMeta!; spec resource.DeviceTaintRuleSpec!*;
    status resource.DeviceTaintRuleStatus!
  `,
  "resource.DeviceTaintRuleList": `
    @object; metadata meta.ListMeta!; items []resource.DeviceTaintRule!*
  `,
  "resource.DeviceTaintRuleSpec": `
    deviceSelector resource.DeviceTaintSelector?; taint resource.DeviceTaint!*
  `,
  "resource.DeviceTaintRuleStatus": "conditions []meta.Condition key=type",
  "resource.DeviceTaintSelector": "driver string? #2; pool string?; device string?",
  "resource.DeviceToleration": `
    key string;
    operator resource.DeviceTolerationOperator default="Equal" go=v1.DeviceTolerationOperator;
    value string; effect resource.DeviceTaintEffect go=v1.DeviceTaintEffect;
    tolerationSeconds int64?
  `,
  "resource.DeviceTolerationOperator": "enum Equal | Exists",
  "resource.ExactDeviceRequest": `
    deviceClassName string!*; selectors []resource.DeviceSelector atomic;
    allocationMode resource.DeviceAllocationMode go=v1.DeviceAllocationMode; count int64;
    adminAccess bool?; tolerations []resource.DeviceToleration atomic;
    capacity resource.CapacityRequirements?;
    derivedAttributes []resource.DeviceDerivedAttribute atomic
  `,
  "resource.NetworkDeviceData": `
    interfaceName string; ips []string atomic; hardwareAddress string
  `,
  "resource.NodeAllocatableMapping": `
    capacityKey string? go=v1.QualifiedName; capacityMultiplier quantity?;
    deviceMultiplier quantity?
  `,
  "resource.NodeAllocatableOverhead": "perPod quantity?; perContainer quantity?",
  "resource.NodeAllocatableResource": `
    mapping resource.NodeAllocatableMapping? #3; overhead resource.NodeAllocatableOverhead?
  `,
  "resource.OpaqueDeviceConfiguration": "driver string!*; parameters any!*",
  "resource.ResourceClaim": `
    @object; metadata meta.ObjectMeta!; spec resource.ResourceClaimSpec!;
    status resource.ResourceClaimStatus!
  `,
  "resource.ResourceClaimConsumerReference": `
    apiGroup string; resource string!* #3; name string!*; uid string!* go=types.UID
  `,
  "resource.ResourceClaimList": `
    @object; metadata meta.ListMeta!; items []resource.ResourceClaim!*
  `,
  "resource.ResourceClaimSpec": "devices resource.DeviceClaim!",
  "resource.ResourceClaimStatus": `
    allocation resource.AllocationResult?;
    reservedFor []resource.ResourceClaimConsumerReference key=uid;
    devices []resource.AllocatedDeviceStatus map=driver,device,pool,shareID #4
  `,
  "resource.ResourceClaimTemplate": `
    @object; metadata meta.ObjectMeta!; spec resource.ResourceClaimTemplateSpec!
  `,
  "resource.ResourceClaimTemplateList": `
    @object; metadata meta.ListMeta!; items []resource.ResourceClaimTemplate!*
  `,
  "resource.ResourceClaimTemplateSpec": `
    metadata meta.ObjectMeta!; spec resource.ResourceClaimSpec!
  `,
  "resource.ResourcePool": "name string!*; generation int64!*; resourceSliceCount int64!*",
  "resource.ResourceSlice": `
    @object; metadata meta.ObjectMeta!; spec resource.ResourceSliceSpec!*
  `,
  "resource.ResourceSliceList": `
    @object; metadata meta.ListMeta!; items []resource.ResourceSlice!*
  `,
  "resource.ResourceSliceSpec": `
    driver string!*; pool resource.ResourcePool!*; nodeName string?;
    nodeSelector core.NodeSelector?; allNodes bool?; devices []resource.Device atomic;
    perDeviceNodeSelection bool?; sharedCounters []resource.CounterSet atomic;
    partitionTypeAttribute string? go=v1.FullyQualifiedName;
    skipNodeOperations []resource.SkipNodeOperation set go=[]v1.SkipNodeOperation
  `,
  "resource.SkipNodeOperation": "enum * | NodePrepareResources | NodeUnprepareResources",
};
