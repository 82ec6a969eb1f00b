// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.

/** The messages of `resource`. */
export const MESSAGES: string = `
AllocatedDeviceStatus driver:s!,pool:s!,device:s!,7shareID:s?,4conditions:[meta.Condition!,data:r?,networkData:NetworkDeviceData?
AllocationResult devices:DeviceAllocationResult!,3nodeSelector:core.NodeSelector?,5allocationTimestamp:t?
CELDeviceSelector expression:s!
CapacityRequestPolicy default:q~,3validValues:[q,validRange:CapacityRequestPolicyRange?
CapacityRequestPolicyRange min:q?,max:q?,step:q?
CapacityRequirements requests:{q
Counter value:q!
CounterSet name:s!,counters:{Counter
Device name:s!,attributes:{DeviceAttribute,capacity:{DeviceCapacity,consumesCounters:[DeviceCounterConsumption,nodeName:s?,nodeSelector:core.NodeSelector?,allNodes:b?,taints:[DeviceTaint,bindsToNode:b?,bindingConditions:[s,bindingFailureConditions:[s,allowMultipleAllocations:b?,14nodeAllocatableResources:{NodeAllocatableResource,13nodeAllocatableResourceMappings:{NodeAllocatableResourceMapping
DeviceAllocationConfiguration source:s!,requests:[s,(opaque:OpaqueDeviceConfiguration?)
DeviceAllocationResult results:[DeviceRequestAllocationResult,config:[DeviceAllocationConfiguration
DeviceAttribute 2int:l?,bool:b?,string:s?,version:s?,ints:[l,bools:[b,strings:[s,versions:[s
DeviceCapacity value:q!,requestPolicy:CapacityRequestPolicy?
DeviceClaim requests:[DeviceRequest!,constraints:[DeviceConstraint,config:[DeviceClaimConfiguration
DeviceClaimConfiguration requests:[s,(opaque:OpaqueDeviceConfiguration?)
+DeviceClass metadata:meta.ObjectMeta!,spec:DeviceClassSpec!
DeviceClassConfiguration (opaque:OpaqueDeviceConfiguration?)
DeviceClassSpec selectors:[DeviceSelector,config:[DeviceClassConfiguration,4extendedResourceName:s?
DeviceConstraint requests:[s,matchAttribute:s?,distinctAttribute:s?
DeviceCounterConsumption counterSet:s!,counters:{Counter,compatibilityGroups:[s
DeviceDerivedAttribute name:s!,expression:s!
DeviceRequest name:s!,exactly:ExactDeviceRequest?,firstAvailable:[DeviceSubRequest
DeviceRequestAllocationResult request:s!,driver:s!,pool:s!,device:s!,adminAccess:b?,tolerations:[DeviceToleration,bindingConditions:[s,bindingFailureConditions:[s,shareID:s?,consumedCapacity:{q,skipNodeOperations:[s
DeviceSelector cel:CELDeviceSelector?
DeviceSubRequest name:s!,deviceClassName:s!,selectors:[DeviceSelector,allocationMode:s,count:l,tolerations:[DeviceToleration,capacity:CapacityRequirements?,derivedAttributes:[DeviceDerivedAttribute
DeviceTaint key:s!,value:s,effect:s!,timeAdded:t?
+DeviceTaintRule metadata:meta.ObjectMeta!,spec:DeviceTaintRuleSpec!,status:DeviceTaintRuleStatus!
DeviceTaintRuleSpec deviceSelector:DeviceTaintSelector?,taint:DeviceTaint!
DeviceTaintRuleStatus conditions:[meta.Condition
DeviceTaintSelector 2driver:s?,pool:s?,device:s?
DeviceToleration key:s,operator:s,value:s,effect:s,tolerationSeconds:l?
ExactDeviceRequest deviceClassName:s!,selectors:[DeviceSelector,allocationMode:s,count:l,adminAccess:b?,tolerations:[DeviceToleration,capacity:CapacityRequirements?,derivedAttributes:[DeviceDerivedAttribute
NetworkDeviceData interfaceName:s,ips:[s,hardwareAddress:s
NodeAllocatableMapping capacityKey:s?,capacityMultiplier:q?,deviceMultiplier:q?
NodeAllocatableOverhead perPod:q?,perContainer:q?
NodeAllocatableResource 3mapping:NodeAllocatableMapping?,overhead:NodeAllocatableOverhead?
NodeAllocatableResourceMapping capacityKey:s?,allocationMultiplier:q?
OpaqueDeviceConfiguration driver:s!,parameters:r!
+ResourceClaim metadata:meta.ObjectMeta!,spec:ResourceClaimSpec!,status:ResourceClaimStatus!
ResourceClaimConsumerReference apiGroup:s,3resource:s!,name:s!,uid:s!
ResourceClaimSpec devices:DeviceClaim!
ResourceClaimStatus allocation:AllocationResult?,reservedFor:[ResourceClaimConsumerReference,4devices:[AllocatedDeviceStatus
+ResourceClaimTemplate metadata:meta.ObjectMeta!,spec:ResourceClaimTemplateSpec!
ResourceClaimTemplateSpec metadata:meta.ObjectMeta!,spec:ResourceClaimSpec!
ResourcePool name:s!,generation:l!,resourceSliceCount:l!
+ResourceSlice metadata:meta.ObjectMeta!,spec:ResourceSliceSpec!
ResourceSliceSpec driver:s!,pool:ResourcePool!,nodeName:s?,nodeSelector:core.NodeSelector?,allNodes:b?,devices:[Device,perDeviceNodeSelection:b?,sharedCounters:[CounterSet,partitionTypeAttribute:s?,skipNodeOperations:[s
`;

/** The tables that they refer to. */
export const USES: readonly string[] = ["core", "meta"];
