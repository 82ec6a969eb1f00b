// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.

/**
 * The fields that depend on feature gates, by struct. The gates of a field follow its name; fields are separated by
 * semicolons.
 */
export const GATED_FIELDS: Readonly<Record<string, string>> = {
  "apiextensions.CustomResourceDefinitionCondition": `
    observedGeneration CRDObservedGenerationTracking
  `,
  "apiextensions.CustomResourceDefinitionStatus": `
    observedGeneration CRDObservedGenerationTracking
  `,
  "apiextensions.CustomResourceDefinitionVersion": "selectableFields CustomResourceFieldSelectors",
  "apiextensions.ValidationRule": "optionalOldSelf CRDValidationRatcheting",
  "apps.RollingUpdateStatefulSetStrategy": "maxUnavailable MaxUnavailableStatefulSet",
  "autoscaling/v2.HPAScalingRules": "tolerance HPAConfigurableTolerance",
  "batch.JobSpec": "scheduling WorkloadWithJob",
  "coordination.LeaseSpec": `
    strategy CoordinatedLeaderElection; preferredHolder CoordinatedLeaderElection
  `,
  "core.ClusterTrustBundleProjection": "user AtomicWriteVolumeUserFields",
  "core.ConfigMapVolumeSource": "defaultUser AtomicWriteVolumeUserFields",
  "core.Container": `
    resizePolicy InPlacePodVerticalScaling; restartPolicyRules ContainerRestartRules
  `,
  "core.ContainerStatus": `
    resources InPlacePodVerticalScaling; user SupplementalGroupsPolicy;
    allocatedResourcesStatus ResourceHealthStatus; stopSignal ContainerStopSignals
  `,
  "core.DownwardAPIVolumeFile": "user AtomicWriteVolumeUserFields",
  "core.DownwardAPIVolumeSource": "defaultUser AtomicWriteVolumeUserFields",
  "core.EmptyDirVolumeSource": "mode EmptyDirVolumeMode",
  "core.EnvVarSource": "fileKeyRef EnvFiles",
  "core.EphemeralContainer": `
    resizePolicy InPlacePodVerticalScaling; restartPolicyRules ContainerRestartRules
  `,
  "core.GRPCAction": "mode GRPCContainerProbeTLS",
  "core.HTTPGetAction": "protocol H2CContainerProbe",
  "core.KeyToPath": "user AtomicWriteVolumeUserFields",
  "core.NodeRuntimeHandlerFeatures": "userNamespaces UserNamespacesSupport",
  "core.NodeSpec": "podPreemptionPolicy InPlacePodVerticalScalingSchedulerPreemption",
  "core.NodeStatus": "features SupplementalGroupsPolicy; declaredFeatures NodeDeclaredFeatures",
  "core.NodeSystemInfo": "runningInUserNamespace KubeletInUserNamespace",
  "core.PersistentVolumeClaimSpec": "volumeAttributesClassName VolumeAttributesClass",
  "core.PersistentVolumeClaimStatus": `
    currentVolumeAttributesClassName VolumeAttributesClass;
    modifyVolumeStatus VolumeAttributesClass; healthStatus CSIVolumeHealth
  `,
  "core.PersistentVolumeSpec": "volumeAttributesClassName VolumeAttributesClass",
  "core.PodCertificateProjection": "user AtomicWriteVolumeUserFields",
  "core.PodCondition": "observedGeneration PodObservedGenerationTracking",
  "core.PodLogOptions": "stream PodLogsQuerySplitStreams",
  "core.PodSecurityContext": `
    supplementalGroupsPolicy SupplementalGroupsPolicy; seLinuxChangePolicy SELinuxChangePolicy
  `,
  "core.PodSpec": `
    resourceClaims DynamicResourceAllocation; resources PodLevelResources;
    hostnameOverride HostnameOverride; schedulingGroup GenericWorkload;
    evictionResponders EvictionRequestAPI
  `,
  "core.PodStatus": `
    resize InPlacePodVerticalScaling; resourceClaimStatuses DynamicResourceAllocation;
    extendedResourceClaimStatus DRAExtendedResource;
    allocatedResources InPlacePodLevelResourcesVerticalScaling;
    resources InPlacePodLevelResourcesVerticalScaling;
    nodeAllocatableResourceClaimStatuses DRANodeAllocatableResources; volumeHealth CSIVolumeHealth
  `,
  "core.ProjectedVolumeSource": "defaultUser AtomicWriteVolumeUserFields",
  "core.ResourceHealth": "message ResourceHealthStatusMessage",
  "core.ResourceRequirements": "claims DynamicResourceAllocation",
  "core.SecretVolumeSource": "defaultUser AtomicWriteVolumeUserFields",
  "core.ServiceAccountTokenProjection": "user AtomicWriteVolumeUserFields",
  "core.TypedObjectReference": "namespace CrossNamespaceVolumeDataSource",
  "core.Volume": "image ImageVolume",
  "core.VolumeMount": "bindMountOptions VolumeBindMountOptions",
  "core.VolumeProjection": "clusterTrustBundle ClusterTrustBundleProjection",
  "core.VolumeStatus": "image ImageVolumeWithDigest",
  "meta.ListMeta": "shardInfo ShardedListAndWatch",
  "resource.AllocatedDeviceStatus": "shareID DRAConsumableCapacity",
  "resource.AllocationResult": `
    allocationTimestamp DRADeviceBindingConditions DRAResourceClaimDeviceStatus
  `,
  "resource.Device": `
    consumesCounters DRAPartitionableDevices; nodeName DRAPartitionableDevices;
    nodeSelector DRAPartitionableDevices; allNodes DRAPartitionableDevices; taints DRADeviceTaints;
    bindsToNode DRADeviceBindingConditions DRAResourceClaimDeviceStatus;
    bindingConditions DRADeviceBindingConditions DRAResourceClaimDeviceStatus;
    bindingFailureConditions DRADeviceBindingConditions DRAResourceClaimDeviceStatus;
    allowMultipleAllocations DRAConsumableCapacity;
    nodeAllocatableResources DRANodeAllocatableResources
  `,
  "resource.DeviceAttribute": `
    ints DRAListTypeAttributes; bools DRAListTypeAttributes; strings DRAListTypeAttributes;
    versions DRAListTypeAttributes
  `,
  "resource.DeviceCapacity": "requestPolicy DRAConsumableCapacity",
  "resource.DeviceClassSpec": "extendedResourceName DRAExtendedResource",
  "resource.DeviceConstraint": "distinctAttribute DRAConsumableCapacity",
  "resource.DeviceCounterConsumption": "compatibilityGroups DRADeviceCompatibilityGroups",
  "resource.DeviceRequest": "firstAvailable DRAPrioritizedList",
  "resource.DeviceRequestAllocationResult": `
    adminAccess DRAAdminAccess; tolerations DRADeviceTaints;
    bindingConditions DRADeviceBindingConditions DRAResourceClaimDeviceStatus;
    bindingFailureConditions DRADeviceBindingConditions DRAResourceClaimDeviceStatus;
    shareID DRAConsumableCapacity; consumedCapacity DRAConsumableCapacity;
    skipNodeOperations DRAOptionalNodeOperations
  `,
  "resource.DeviceSubRequest": `
    tolerations DRADeviceTaints; capacity DRAConsumableCapacity;
    derivedAttributes DRADerivedAttributes
  `,
  "resource.ExactDeviceRequest": `
    adminAccess DRAAdminAccess; tolerations DRADeviceTaints; capacity DRAConsumableCapacity;
    derivedAttributes DRADerivedAttributes
  `,
  "resource.ResourceClaimStatus": "devices DRAResourceClaimDeviceStatus",
  "resource.ResourceSliceSpec": `
    perDeviceNodeSelection DRAPartitionableDevices; sharedCounters DRAPartitionableDevices;
    partitionTypeAttribute DRAPartitionableDevicesType;
    skipNodeOperations DRAOptionalNodeOperations
  `,
  "storage.CSIDriverSpec": `
    seLinuxMount SELinuxMountReadWriteOncePod;
    nodeAllocatableUpdatePeriodSeconds MutableCSINodeAllocatableCount;
    serviceAccountTokenInSecrets CSIServiceAccountTokenSecrets;
    preventPodSchedulingIfMissing VolumeLimitScaling
  `,
  "storage.CSINodeStatus": "storageHealth CSIVolumeHealth",
  "storage.VolumeError": "errorCode MutableCSINodeAllocatableCount",
};
