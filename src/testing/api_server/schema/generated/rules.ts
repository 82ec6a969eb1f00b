// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.

const SINCE_1_37: Readonly<Record<string, string>> = {
  "admissionregistration.ValidatingAdmissionPolicyBindingSpec": `
    policyName required; validationActions required
  `,
  "apps.StatefulSetSpec": `
    selector hidden=immutable; volumeClaimTemplates hidden=immutable; serviceName hidden=immutable;
    podManagementPolicy hidden=immutable
  `,
  "authentication.SelfSubjectReview": "metadata opaqueType",
  "authentication.TokenRequest": "metadata opaqueType",
  "authentication.TokenReview": "metadata opaqueType",
  "authorization.LocalSubjectAccessReview": "metadata opaqueType",
  "authorization.SelfSubjectAccessReview": "metadata opaqueType",
  "authorization.SelfSubjectRulesReview": "metadata opaqueType",
  "authorization.SubjectAccessReview": "metadata opaqueType",
  "autoscaling.HorizontalPodAutoscalerSpec": `
    minReplicas optional ifEnabled(HPAScaleToZero)=minimum=0 ifDisabled(HPAScaleToZero)=minimum=1;
    maxReplicas required minimum=1
  `,
  "autoscaling.Scale": "metadata opaqueType",
  "autoscaling.ScaleSpec": "replicas optional minimum=0",
  "autoscaling/v2.HorizontalPodAutoscalerSpec": `
    minReplicas optional ifEnabled(HPAScaleToZero)=minimum=0 ifDisabled(HPAScaleToZero)=minimum=1;
    maxReplicas required minimum=1
  `,
  "batch.CronJobSpec": "schedule required",
  "batch.JobSchedulingConfiguration": `
    schedulingPolicy optional update=NoSet update=NoUnset; schedulingConstraints optional immutable;
    disruptionMode optional immutable;
    resourceClaims optional listType=map listMapKey=name maxItems=4 immutable
  `,
  "batch.JobSpec": `
    maxFailedIndexes optional;
    scheduling ifDisabled(WorkloadWithJob)=forbidden optional update=NoSet update=NoUnset
  `,
  "batch.JobTemplateSpec": "metadata opaqueType",
  "certificates.CertificateSigningRequestStatus": `
    conditions listType=map listMapKey=type customUnique optional
    item(type:Approved)=zeroOrOneOfMember item(type:Denied)=zeroOrOneOfMember
  `,
  "certificates.ClusterTrustBundleSpec": "signerName hidden=immutable",
  "core.Binding": "metadata opaqueType",
  "core.ComponentStatus": "metadata opaqueType",
  "core.EvictionResponder": `
    name required format=k8s-prefixed-label-key; priority required minimum=0 maximum=100000
  `,
  "core.NodeAllocatableMappedResources": "name required; quantity required",
  "core.NodeAllocatableOverheadResources": "name required; perPod optional; perContainer optional",
  "core.NodeAllocatableResourceClaimStatus": `
    resourceClaimName required; containers optional listType=set;
    mapping optional listType=map listMapKey=name; overhead optional listType=map listMapKey=name
  `,
  "core.NodePodPreemptionPolicy": `
    disableResizePreemption listType=set maxItems=20 optional eachVal=format=k8s-label-key
  `,
  "core.NodeSpec": `
    podPreemptionPolicy optional ifDisabled(InPlacePodVerticalScalingSchedulerPreemption)=forbidden
  `,
  "core.PersistentVolumeClaimStatus": "healthStatus optional",
  "core.PersistentVolumeClaimTemplate": "metadata opaqueType",
  "core.PodSpec": "evictionResponders optional listType=map listMapKey=name maxItems=10",
  "core.PodStatus": `
    nodeAllocatableResourceClaimStatuses optional listType=map listMapKey=resourceClaimName;
    volumeHealth optional listType=map listMapKey=name
  `,
  "core.PodTemplateSpec": "metadata opaqueType",
  "core.PodVolumeHealth": `
    name required;
    healthConditions optional listType=map listMapKey=status listMapKey=reason maxItems=16
  `,
  "core.RangeAllocation": "metadata opaqueType",
  "core.ReplicationController": `
    metadata subfield(name)=optional subfield(name)=format=k8s-long-name
  `,
  "core.ReplicationControllerSpec": `
    replicas optional minimum=0; minReadySeconds optional minimum=0
  `,
  "core.Secret": "type optional hidden=immutable",
  "core.VolumeHealthCondition": `
    status required enum; reason required maxBytes=256; message optional maxBytes=1024
  `,
  "core.VolumeHealthStatus": `
    healthConditions optional listType=map listMapKey=status listMapKey=reason maxItems=16
  `,
  "discovery.Endpoint": "addresses required maxItems=100",
  "discovery.EndpointSlice": "addressType required immutable enum; endpoints optional",
  "flowcontrol.LimitResponse": `
    type required modeDiscriminator; queuing optional ifMode(Queue)=required
  `,
  "flowcontrol.PriorityLevelConfigurationSpec": `
    type required modeDiscriminator; limited optional ifMode(Limited)=required;
    exempt optional ifMode(Exempt)=optional
  `,
  "meta.ObjectMeta": `
    uid hidden=immutable; creationTimestamp hidden=immutable; deletionTimestamp hidden=immutable;
    deletionGracePeriodSeconds hidden=immutable
  `,
  "networking.IPAddressSpec": "parentRef required immutable",
  "networking.IPBlock": "cidr required",
  "networking.IngressClassParametersReference": "kind required; name required",
  "networking.IngressClassSpec": "parameters optional",
  "networking.NetworkPolicyEgressRule": "to optional",
  "networking.NetworkPolicyIngressRule": "from optional",
  "networking.NetworkPolicyPeer": "ipBlock optional",
  "networking.NetworkPolicySpec": "ingress optional; egress optional",
  "networking.ParentReference": "resource required; name required",
  "node.RuntimeClass": "handler format=k8s-short-name immutable required",
  "policy.Eviction": "metadata opaqueType",
  "rbac.ClusterRole": "rules optional",
  "rbac.ClusterRoleBinding": "subjects optional; roleRef hidden=immutable",
  "rbac.PolicyRule": "verbs required",
  "rbac.Role": "rules optional",
  "rbac.RoleBinding": "subjects optional; roleRef hidden=immutable",
  "rbac.RoleRef": "name required",
  "rbac.Subject": "name required",
  "resource.AllocatedDeviceStatus": "shareID optional format=k8s-uuid; networkData optional",
  "resource.CounterSet": `
    name required format=k8s-short-name; counters required eachKey=format=k8s-short-name
  `,
  "resource.Device": `
    attributes optional;
    consumesCounters optional listType=atomic unique=map listMapKey=counterSet maxItems=2;
    taints optional; bindingConditions optional maxItems=4;
    bindingFailureConditions optional maxItems=4; nodeAllocatableResources optional
  `,
  "resource.DeviceAllocationConfiguration": `
    source required enum; requests optional listType=atomic unique=set maxItems=32; opaque optional
  `,
  "resource.DeviceAllocationResult": "results optional maxItems=32; config optional maxItems=64",
  "resource.DeviceAttribute": `
    int optional unionMember; bool optional unionMember; string optional unionMember;
    version optional unionMember; ints listType=atomic optional unionMember;
    bools listType=atomic optional unionMember; strings listType=atomic optional unionMember;
    versions listType=atomic optional unionMember
  `,
  "resource.DeviceClaim": `
    requests optional listType=atomic unique=map listMapKey=name maxItems=32;
    constraints optional maxItems=32; config optional maxItems=32
  `,
  "resource.DeviceClaimConfiguration": `
    requests optional listType=atomic unique=set maxItems=32; opaque optional
  `,
  "resource.DeviceClass": "metadata subfield(name)=optional subfield(name)=format=k8s-long-name",
  "resource.DeviceClassConfiguration": "opaque optional",
  "resource.DeviceClassSpec": `
    selectors optional maxItems=32; config optional maxItems=32;
    extendedResourceName optional format=k8s-extended-resource-name
  `,
  "resource.DeviceConstraint": `
    requests optional listType=atomic unique=set maxItems=32;
    matchAttribute optional format=k8s-resource-fully-qualified-name;
    distinctAttribute optional format=k8s-resource-fully-qualified-name
  `,
  "resource.DeviceCounterConsumption": `
    counterSet required format=k8s-short-name; counters required eachKey=format=k8s-short-name;
    compatibilityGroups listType=atomic optional maxItems=2 unique=set
    eachVal=format=k8s-short-name
  `,
  "resource.DeviceDerivedAttribute": `
    name required format=k8s-resource-fully-qualified-name; expression required
  `,
  "resource.DeviceRequest": `
    exactly optional; firstAvailable optional listType=atomic unique=map listMapKey=name maxItems=8
  `,
  "resource.DeviceRequestAllocationResult": `
    driver format=k8s-long-name-caseless required maxLength=63;
    pool required format=k8s-resource-pool-name; tolerations optional;
    bindingConditions optional maxItems=4; bindingFailureConditions optional maxItems=4;
    shareID optional format=k8s-uuid; skipNodeOperations listType=set optional eachVal=enum
  `,
  "resource.DeviceSubRequest": `
    deviceClassName required format=k8s-long-name; selectors optional maxItems=32;
    allocationMode optional enum; tolerations optional; derivedAttributes optional maxItems=32
  `,
  "resource.DeviceTaint": "effect required enum",
  "resource.DeviceToleration": `
    key optional format=k8s-label-key; operator optional enum; effect optional enum
  `,
  "resource.ExactDeviceRequest": `
    selectors optional maxItems=32; allocationMode optional enum; tolerations optional;
    derivedAttributes optional maxItems=32
  `,
  "resource.NetworkDeviceData": `
    interfaceName optional maxBytes=256; ips optional listType=atomic unique=set maxItems=16;
    hardwareAddress optional maxBytes=128
  `,
  "resource.NodeAllocatableMapping": `
    capacityKey optional unionMember; capacityMultiplier optional;
    deviceMultiplier optional unionMember
  `,
  "resource.NodeAllocatableOverhead": "perPod optional; perContainer optional",
  "resource.NodeAllocatableResource": "mapping optional; overhead optional",
  "resource.OpaqueDeviceConfiguration": `
    driver required format=k8s-long-name-caseless maxLength=63
  `,
  "resource.ResourceClaim": "spec immutable",
  "resource.ResourceClaimStatus": `
    allocation optional update=NoModify;
    reservedFor optional listType=map listMapKey=uid maxItems=256; devices optional listType=map
    listMapKey=driver listMapKey=device listMapKey=pool listMapKey=shareID
  `,
  "resource.ResourceClaimTemplateSpec": "metadata opaqueType",
  "resource.ResourceSliceSpec": `
    devices optional; sharedCounters optional listType=atomic unique=map listMapKey=name maxItems=8;
    partitionTypeAttribute ifDisabled(DRAPartitionableDevicesType)=forbidden
    ifEnabled(DRAPartitionableDevicesType)=optional
    ifEnabled(DRAPartitionableDevicesType)=format=k8s-resource-fully-qualified-name;
    skipNodeOperations listType=set optional eachVal=enum
  `,
  "scheduling/v1alpha3.TopologyConstraint": "key required format=k8s-label-key",
  "scheduling/v1alpha3.WorkloadPodGroupDisruptionMode": `
    single optional unionMember; all optional unionMember
  `,
  "scheduling/v1alpha3.WorkloadPodGroupGangSchedulingPolicy": "minCount optional minimum=1",
  "scheduling/v1alpha3.WorkloadPodGroupResourceClaim": `
    name required format=k8s-short-name;
    resourceClaimName optional unionMember format=k8s-long-name;
    resourceClaimTemplateName optional unionMember format=k8s-long-name
  `,
  "scheduling/v1alpha3.WorkloadPodGroupSchedulingConstraints": `
    topology optional maxItems=1 listType=atomic
  `,
  "scheduling/v1alpha3.WorkloadPodGroupSchedulingPolicy": `
    basic optional unionMember; gang optional unionMember
  `,
  "storage.CSIDriverSpec": "volumeLifecycleModes hidden=immutable",
  "storage.StorageClass": `
    provisioner required immutable; parameters immutable optional; reclaimPolicy immutable optional;
    volumeBindingMode immutable optional
  `,
  "storage.VolumeAttachment": "spec immutable",
  "storage.VolumeAttachmentSpec": "attacher required format=k8s-long-name-caseless maxLength=63",
};

/**
 * The rules in the comments of the Go types that servers enforce, by struct: those of the first minor version that
 * enforces rules, and what later ones have differently. The rules of a field follow its name; fields are separated by
 * semicolons.
 */
export const RULES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "1.37": SINCE_1_37,
};
