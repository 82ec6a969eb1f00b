// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.
import type { StructChanges } from "../../../values/mod.ts";

/** The structs that Kubernetes 1.36 has differently. */
export const CHANGES: StructChanges = {
  "apps.ControllerRevision": "@object; metadata meta.ObjectMeta!; data any; revision int64!*",
  "apps.DaemonSet": `
    @object; metadata meta.ObjectMeta!; spec apps.DaemonSetSpec!; status apps.DaemonSetStatus!
  `,
  "apps.DaemonSetCondition": `
    type string!* go=v1.DaemonSetConditionType; status string!* go=v1.ConditionStatus;
    lastTransitionTime time!; reason string; message string
  `,
  "apps.Deployment": `
    @object; metadata meta.ObjectMeta!; spec apps.DeploymentSpec!; status apps.DeploymentStatus!
  `,
  "apps.DeploymentCondition": `
    type string!* go=v1.DeploymentConditionType; status string!* go=v1.ConditionStatus;
    lastUpdateTime time! #6; lastTransitionTime time!; reason string #4; message string
  `,
  "apps.ReplicaSet": `
    @object; metadata meta.ObjectMeta!; spec apps.ReplicaSetSpec!; status apps.ReplicaSetStatus!
  `,
  "apps.ReplicaSetCondition": `
    type string!* go=v1.ReplicaSetConditionType; status string!* go=v1.ConditionStatus;
    lastTransitionTime time!; reason string; message string
  `,
  "apps.StatefulSet": `
    @object; metadata meta.ObjectMeta!; spec apps.StatefulSetSpec!; status apps.StatefulSetStatus!
  `,
  "apps.StatefulSetCondition": `
    type string!* go=v1.StatefulSetConditionType; status string!* go=v1.ConditionStatus;
    lastTransitionTime time!; reason string; message string
  `,
  "apps.StatefulSetUpdateStrategyType": "enum OnDelete | RollingUpdate",
  "authentication.TokenRequestSpec": `
    audiences []string! atomic; expirationSeconds int64!? #4;
    boundObjectRef authentication.BoundObjectReference!? #3
  `,
  "autoscaling/v2.HorizontalPodAutoscalerCondition": `
    type string!* go=v2.HorizontalPodAutoscalerConditionType; status string!* go=v1.ConditionStatus;
    lastTransitionTime time!; reason string; message string
  `,
  "batch.JobSchedulingConfiguration": null,
  "batch.JobSpec": `
    parallelism int32?; completions int32?; activeDeadlineSeconds int64?;
    podFailurePolicy batch.PodFailurePolicy? #11; successPolicy batch.SuccessPolicy? #16;
    backoffLimit int32? #7; backoffLimitPerIndex int32? #12; maxFailedIndexes int32?;
    selector meta.LabelSelector? #4; manualSelector bool?; template core.PodTemplateSpec!*;
    ttlSecondsAfterFinished int32? #8; completionMode batch.CompletionMode? go=v1.CompletionMode;
    suspend bool?; podReplacementPolicy batch.PodReplacementPolicy? go=v1.PodReplacementPolicy #14;
    managedBy string?
  `,
  "certificates.ClusterTrustBundle": null,
  "certificates.ClusterTrustBundleList": null,
  "certificates.ClusterTrustBundleSpec": null,
  "certificates.PodCertificateRequest": null,
  "certificates.PodCertificateRequestList": null,
  "certificates.PodCertificateRequestSpec": null,
  "certificates.PodCertificateRequestStatus": null,
  "core.ClusterTrustBundleProjection": `
    name string?; signerName string?; labelSelector meta.LabelSelector?; optional bool? #5;
    path string!* #4
  `,
  "core.ConfigMapVolumeSource": `
    name string default="" in=LocalObjectReference #1.1; items []core.KeyToPath atomic #2;
    defaultMode int32?; optional bool?
  `,
  "core.DownwardAPIVolumeFile": `
    path string!*; fieldRef core.ObjectFieldSelector?; resourceFieldRef core.ResourceFieldSelector?;
    mode int32?
  `,
  "core.DownwardAPIVolumeSource": "items []core.DownwardAPIVolumeFile atomic; defaultMode int32?",
  "core.EmptyDirVolumeSource": "medium string go=v1.StorageMedium; sizeLimit quantity?",
  "core.EvictionResponder": null,
  "core.GRPCAction": 'port int32!*; service string!? default=""',
  "core.GRPCProbeMode": null,
  "core.HTTPGetAction": `
    path string; port intOrString!*; host string; scheme core.URIScheme go=v1.URIScheme;
    httpHeaders []core.HTTPHeader atomic
  `,
  "core.HTTPProtocol": null,
  "core.KeyToPath": "key string!*; path string!*; mode int32?",
  "core.NodeAllocatableMappedResources": null,
  "core.NodeAllocatableOverheadResources": null,
  "core.NodeAllocatableResourceClaimStatus": `
    resourceClaimName string!*; containers []string set; resources {}quantity!*
  `,
  "core.NodePodPreemptionPolicy": null,
  "core.NodeSpec": `
    podCIDR string; podCIDRs []string set merge #7; providerID string #3; unschedulable bool;
    taints []core.Taint atomic; configSource core.NodeConfigSource?; externalID string #2
  `,
  "core.NodeSystemInfo": `
    machineID string!*; systemUUID string!*; bootID string!*; kernelVersion string!*;
    osImage string!*; containerRuntimeVersion string!*; kubeletVersion string!*;
    kubeProxyVersion string!*; operatingSystem string!*; architecture string!*;
    swap core.NodeSwapStatus?
  `,
  "core.PersistentVolumeClaimStatus": `
    phase core.PersistentVolumeClaimPhase go=v1.PersistentVolumeClaimPhase;
    accessModes []core.PersistentVolumeAccessMode atomic go=[]v1.PersistentVolumeAccessMode;
    capacity {}quantity go=v1.ResourceList;
    conditions []core.PersistentVolumeClaimCondition key=type;
    allocatedResources {}quantity go=v1.ResourceList; allocatedResourceStatuses
    {}core.ClaimResourceStatus granular go=map[v1.ResourceName]v1.ClaimResourceStatus #7;
    currentVolumeAttributesClassName string?; modifyVolumeStatus core.ModifyVolumeStatus?
  `,
  "core.PodCertificateProjection": `
    signerName string*; keyType string*; maxExpirationSeconds int32?; credentialBundlePath string;
    keyPath string; certificateChainPath string; userAnnotations {}string
  `,
  "core.PodSpec": `
    volumes []core.Volume key=name retainKeys; initContainers []core.Container key=name #20;
    containers []core.Container!* key=name #2;
    ephemeralContainers []core.EphemeralContainer key=name #34;
    restartPolicy core.RestartPolicy go=v1.RestartPolicy #3; terminationGracePeriodSeconds int64?;
    activeDeadlineSeconds int64?; dnsPolicy core.DNSPolicy go=v1.DNSPolicy;
    nodeSelector {}string atomic; serviceAccountName string; serviceAccount string;
    automountServiceAccountToken bool? #21; nodeName string #10; hostNetwork bool; hostPID bool;
    hostIPC bool; shareProcessNamespace bool? #27; securityContext core.PodSecurityContext? #14;
    imagePullSecrets []core.LocalObjectReference key=name; hostname string; subdomain string;
    affinity core.Affinity?; schedulerName string; tolerations []core.Toleration atomic #22;
    hostAliases []core.HostAlias key=ip; priorityClassName string; priority int32?;
    dnsConfig core.PodDNSConfig?; readinessGates []core.PodReadinessGate atomic #28;
    runtimeClassName string?; enableServiceLinks bool?;
    preemptionPolicy core.PreemptionPolicy? go=v1.PreemptionPolicy;
    overhead {}quantity go=v1.ResourceList; topologySpreadConstraints
    []core.TopologySpreadConstraint map=topologyKey,whenUnsatisfiable merge=topologyKey;
    setHostnameAsFQDN bool? #35; os core.PodOS?; hostUsers bool?;
    schedulingGates []core.PodSchedulingGate key=name;
    resourceClaims []core.PodResourceClaim key=name retainKeys;
    resources core.ResourceRequirements?; hostnameOverride string?;
    schedulingGroup core.PodSchedulingGroup? #43
  `,
  "core.PodStatus": `
    observedGeneration int64 #17; phase core.PodPhase go=v1.PodPhase #1;
    conditions []core.PodCondition key=type; message string; reason string;
    nominatedNodeName string #11; hostIP string #5; hostIPs []core.HostIP atomic merge=ip #16;
    podIP string #6; podIPs []core.PodIP key=ip #12; startTime time? #7;
    initContainerStatuses []core.ContainerStatus atomic #10;
    containerStatuses []core.ContainerStatus atomic #8; qosClass core.PodQOSClass go=v1.PodQOSClass;
    ephemeralContainerStatuses []core.ContainerStatus atomic #13;
    resize string go=v1.PodResizeStatus;
    resourceClaimStatuses []core.PodResourceClaimStatus key=name retainKeys;
    extendedResourceClaimStatus core.PodExtendedResourceClaimStatus? #18;
    allocatedResources {}quantity go=v1.ResourceList; resources core.ResourceRequirements?;
    nodeAllocatableResourceClaimStatuses []core.NodeAllocatableResourceClaimStatus atomic
  `,
  "core.PodStatusResult": "@object; metadata meta.ObjectMeta!; status core.PodStatus!",
  "core.PodVolumeHealth": null,
  "core.ProjectedVolumeSource": "sources []core.VolumeProjection! atomic; defaultMode int32?",
  "core.SecretVolumeSource": `
    secretName string; items []core.KeyToPath atomic; defaultMode int32?; optional bool?
  `,
  "core.ServiceAccountTokenProjection": "audience string; expirationSeconds int64?; path string!*",
  "core.VolumeHealthCondition": null,
  "core.VolumeHealthStatus": null,
  "core.VolumeHealthStatusType": null,
  "core.VolumeMount": `
    name string!*; readOnly bool; recursiveReadOnly string? go=v1.RecursiveReadOnlyMode #7;
    mountPath string!* #3; subPath string;
    mountPropagation core.MountPropagationMode? go=v1.MountPropagationMode; subPathExpr string
  `,
  "flowcontrol.FlowSchema": `
    @object; metadata meta.ObjectMeta!; spec flowcontrol.FlowSchemaSpec!;
    status flowcontrol.FlowSchemaStatus!
  `,
  "flowcontrol.FlowSchemaCondition": `
    type string go=v1.FlowSchemaConditionType; status string go=v1.ConditionStatus;
    lastTransitionTime time!; reason string; message string
  `,
  "flowcontrol.LimitedPriorityLevelConfiguration": `
    nominalConcurrencyShares int32!?; limitResponse flowcontrol.LimitResponse!;
    lendablePercent int32?; borrowingLimitPercent int32?
  `,
  "flowcontrol.PriorityLevelConfiguration": `
    @object; metadata meta.ObjectMeta!; spec flowcontrol.PriorityLevelConfigurationSpec!;
    status flowcontrol.PriorityLevelConfigurationStatus!
  `,
  "flowcontrol.PriorityLevelConfigurationCondition": `
    type string go=v1.PriorityLevelConfigurationConditionType; status string go=v1.ConditionStatus;
    lastTransitionTime time!; reason string; message string
  `,
  "meta.GroupResource": null,
  "resource.Device": `
    name string!*; attributes {}resource.DeviceAttribute; capacity {}resource.DeviceCapacity;
    consumesCounters []resource.DeviceCounterConsumption atomic; nodeName string?;
    nodeSelector core.NodeSelector?; allNodes bool?; taints []resource.DeviceTaint atomic;
    bindsToNode bool?; bindingConditions []string atomic; bindingFailureConditions []string atomic;
    allowMultipleAllocations bool?;
    nodeAllocatableResourceMappings {}resource.NodeAllocatableResourceMapping
  `,
  "resource.DeviceClass": "@object; metadata meta.ObjectMeta!; spec resource.DeviceClassSpec!*",
  "resource.DeviceCounterConsumption": "counterSet string!*; counters {}resource.Counter*",
  "resource.DeviceDerivedAttribute": null,
  "resource.DeviceRequestAllocationResult": `
    request string!*; driver string!*; pool string!*; device string!*; adminAccess bool?;
    tolerations []resource.DeviceToleration atomic; bindingConditions []string atomic;
    bindingFailureConditions []string atomic; shareID string? go=types.UID;
    consumedCapacity {}quantity
  `,
  "resource.DeviceSubRequest": `
    name string!*; deviceClassName string!*; selectors []resource.DeviceSelector atomic;
    allocationMode resource.DeviceAllocationMode go=v1.DeviceAllocationMode; count int64;
    tolerations []resource.DeviceToleration atomic; capacity resource.CapacityRequirements?
  `,
  "resource.DeviceTaintRule": null,
  "resource.DeviceTaintRuleList": null,
  "resource.DeviceTaintRuleSpec": null,
  "resource.DeviceTaintRuleStatus": null,
  "resource.DeviceTaintSelector": null,
  "resource.ExactDeviceRequest": `
    deviceClassName string!*; selectors []resource.DeviceSelector atomic;
    allocationMode resource.DeviceAllocationMode go=v1.DeviceAllocationMode; count int64;
    adminAccess bool?; tolerations []resource.DeviceToleration atomic;
    capacity resource.CapacityRequirements?
  `,
  "resource.NodeAllocatableMapping": null,
  "resource.NodeAllocatableOverhead": null,
  "resource.NodeAllocatableResource": null,
  "resource.NodeAllocatableResourceMapping": `
    capacityKey string? go=v1.QualifiedName; allocationMultiplier quantity?
  `,
  "resource.ResourceClaim": `
    @object; metadata meta.ObjectMeta!; spec resource.ResourceClaimSpec!*;
    status resource.ResourceClaimStatus!
  `,
  "resource.ResourceClaimTemplate": `
    @object; metadata meta.ObjectMeta!; spec resource.ResourceClaimTemplateSpec!*
  `,
  "resource.ResourceClaimTemplateSpec": `
    metadata meta.ObjectMeta!; spec resource.ResourceClaimSpec!*
  `,
  "resource.ResourceSliceSpec": `
    driver string!*; pool resource.ResourcePool!*; nodeName string?;
    nodeSelector core.NodeSelector?; allNodes bool?; devices []resource.Device atomic;
    perDeviceNodeSelection bool?; sharedCounters []resource.CounterSet atomic
  `,
  "resource.SkipNodeOperation": null,
  "scheduling/v1alpha3.TopologyConstraint": null,
  "scheduling/v1alpha3.WorkloadPodGroupAllDisruptionMode": null,
  "scheduling/v1alpha3.WorkloadPodGroupBasicSchedulingPolicy": null,
  "scheduling/v1alpha3.WorkloadPodGroupDisruptionMode": null,
  "scheduling/v1alpha3.WorkloadPodGroupGangSchedulingPolicy": null,
  "scheduling/v1alpha3.WorkloadPodGroupResourceClaim": null,
  "scheduling/v1alpha3.WorkloadPodGroupSchedulingConstraints": null,
  "scheduling/v1alpha3.WorkloadPodGroupSchedulingPolicy": null,
  "scheduling/v1alpha3.WorkloadPodGroupSingleDisruptionMode": null,
  "storage.CSINode": "@object; metadata meta.ObjectMeta!; spec storage.CSINodeSpec!*",
  "storage.CSINodeStatus": null,
  "storage.StorageHealth": null,
  "storage.StorageHealthCondition": null,
  "storage.StorageHealthStatusType": null,
  "storagemigration.StorageVersionMigration": null,
  "storagemigration.StorageVersionMigrationList": null,
  "storagemigration.StorageVersionMigrationSpec": null,
  "storagemigration.StorageVersionMigrationStatus": null,
};

/** The kinds of the groups that have others. */
export const KINDS: Readonly<Record<string, string>> = {
  core: `
    Binding ComponentStatus ComponentStatusList ConfigMap ConfigMapList Endpoints EndpointsList
    Event EventList LimitRange LimitRangeList List Namespace NamespaceList Node NodeList
    NodeProxyOptions PersistentVolume PersistentVolumeClaim PersistentVolumeClaimList
    PersistentVolumeList Pod PodAttachOptions PodExecOptions PodList PodLogOptions
    PodPortForwardOptions PodProxyOptions PodStatusResult PodTemplate PodTemplateList
    RangeAllocation ReplicationController ReplicationControllerList ResourceQuota ResourceQuotaList
    Secret SecretList SerializedReference Service ServiceAccount ServiceAccountList ServiceList
    ServiceProxyOptions
  `,
  certificates: "CertificateSigningRequest CertificateSigningRequestList",
  resource: `
    DeviceClass DeviceClassList ResourceClaim ResourceClaimList ResourceClaimTemplate
    ResourceClaimTemplateList ResourceSlice ResourceSliceList
  `,
  storagemigration: "",
};
