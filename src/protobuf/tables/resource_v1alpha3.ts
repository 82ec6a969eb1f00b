// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.

/** The messages of `resource/v1alpha3`. */
export const MESSAGES: string = `
DeviceTaint key:s!,value:s,effect:s!,timeAdded:t?
+DeviceTaintRule metadata:meta.ObjectMeta!,spec:DeviceTaintRuleSpec!,status:DeviceTaintRuleStatus!
DeviceTaintRuleSpec deviceSelector:DeviceTaintSelector?,taint:DeviceTaint!
DeviceTaintRuleStatus conditions:[meta.Condition
DeviceTaintSelector 2driver:s?,pool:s?,device:s?
PartitionTypeStatus 4attribute:s,1type:s,total:i?,allocatable:i?
PoolStatus driver:s,poolName:s,9generation:l!,8resourceSliceCount:i?,4totalDevices:i?,allocatedDevices:i?,availableDevices:i?,unavailableDevices:i?,3nodeName:s?,10validationError:s?,partitionSummary:[PartitionTypeStatus,13shareableSummary:ShareableSummaryStatus?
+ResourcePoolStatusRequest metadata:meta.ObjectMeta!,spec:ResourcePoolStatusRequestSpec!,status:ResourcePoolStatusRequestStatus?
ResourcePoolStatusRequestSpec driver:s!,poolName:s?,limit:i?,defaultPartitionTypeAttribute:s?
ResourcePoolStatusRequestStatus 6poolCount:i?,2pools:[PoolStatus,conditions:[meta.Condition
ShareableCapacityStatus name:s,total:q?,consumed:q?,available:q?
ShareableSummaryStatus fullyAvailableDevices:i?,partiallyAvailableDevices:i?,capacity:[ShareableCapacityStatus
`;

/** The tables that they refer to. */
export const USES: readonly string[] = ["meta"];
