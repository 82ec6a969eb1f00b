// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.
import type { StructChanges } from "../../../values/mod.ts";

/** The structs that Kubernetes 1.37 has differently. */
export const CHANGES: StructChanges = {
  "admissionregistration.ApplyConfiguration": "expression string",
  "admissionregistration.JSONPatch": "expression string",
  "admissionregistration.MutatingAdmissionPolicy": `
    @object; metadata meta.ObjectMeta!; spec admissionregistration.MutatingAdmissionPolicySpec!
  `,
  "admissionregistration.MutatingAdmissionPolicyBinding": `
    @object; metadata meta.ObjectMeta!;
    spec admissionregistration.MutatingAdmissionPolicyBindingSpec!
  `,
  "admissionregistration.MutatingAdmissionPolicyBindingList": `
    @object; metadata meta.ListMeta!;
    items []admissionregistration.MutatingAdmissionPolicyBinding!*
  `,
  "admissionregistration.MutatingAdmissionPolicyBindingSpec": `
    policyName string; paramRef admissionregistration.ParamRef?;
    matchResources admissionregistration.MatchResources?
  `,
  "admissionregistration.MutatingAdmissionPolicyList": `
    @object; metadata meta.ListMeta!; items []admissionregistration.MutatingAdmissionPolicy!*
  `,
  "admissionregistration.MutatingAdmissionPolicySpec": `
    paramKind admissionregistration.ParamKind?;
    matchConstraints admissionregistration.MatchResources?;
    variables []admissionregistration.Variable atomic;
    mutations []admissionregistration.Mutation atomic;
    failurePolicy admissionregistration.FailurePolicyType? go=v1.FailurePolicyType;
    matchConditions []admissionregistration.MatchCondition key=name;
    reinvocationPolicy admissionregistration.ReinvocationPolicyType go=v1.ReinvocationPolicyType
  `,
  "admissionregistration.Mutation": `
    patchType admissionregistration.PatchType!* go=v1.PatchType #2;
    applyConfiguration admissionregistration.ApplyConfiguration?;
    jsonPatch admissionregistration.JSONPatch?
  `,
  "admissionregistration.PatchType": "enum ApplyConfiguration | JSONPatch",
  "admissionregistration.ValidatingAdmissionPolicyBinding": `
    @object; metadata meta.ObjectMeta!;
    spec admissionregistration.ValidatingAdmissionPolicyBindingSpec!*
  `,
  "admissionregistration.ValidatingAdmissionPolicyBindingSpec": `
    policyName string*; paramRef admissionregistration.ParamRef?;
    matchResources admissionregistration.MatchResources?;
    validationActions []admissionregistration.ValidationAction* set go=[]v1.ValidationAction
  `,
  "apps.ControllerRevision": "@object; metadata meta.ObjectMeta!; data any!*; revision int64!",
  "apps.DaemonSet": `
    @object; metadata meta.ObjectMeta!; spec apps.DaemonSetSpec!*; status apps.DaemonSetStatus!
  `,
  "apps.DaemonSetCondition": `
    type string! go=v1.DaemonSetConditionType; status string! go=v1.ConditionStatus;
    lastTransitionTime time!; reason string; message string
  `,
  "apps.Deployment": `
    @object; metadata meta.ObjectMeta!; spec apps.DeploymentSpec!*; status apps.DeploymentStatus!
  `,
  "apps.DeploymentCondition": `
    type string! go=v1.DeploymentConditionType; status string! go=v1.ConditionStatus;
    lastUpdateTime time! #6; lastTransitionTime time!; reason string #4; message string
  `,
  "apps.ReplicaSet": `
    @object; metadata meta.ObjectMeta!; spec apps.ReplicaSetSpec!*; status apps.ReplicaSetStatus!
  `,
  "apps.ReplicaSetCondition": `
    type string! go=v1.ReplicaSetConditionType; status string! go=v1.ConditionStatus;
    lastTransitionTime time!; reason string; message string
  `,
  "apps.StatefulSet": `
    @object; metadata meta.ObjectMeta!; spec apps.StatefulSetSpec!*; status apps.StatefulSetStatus!
  `,
  "apps.StatefulSetCondition": `
    type string! go=v1.StatefulSetConditionType; status string! go=v1.ConditionStatus;
    lastTransitionTime time!; reason string; message string
  `,
  "apps.StatefulSetUpdateStrategyType": "enum OnDelete | Recreate | RollingUpdate",
  "authentication.TokenRequest": `
    @object; metadata meta.ObjectMeta!; spec authentication.TokenRequestSpec!;
    status authentication.TokenRequestStatus!
  `,
  "authentication.TokenRequestSpec": `
    audiences []string! atomic; expirationSeconds int64!? #4;
    boundObjectRef authentication.BoundObjectReference!? #3;
    attestations {}[]string go=map[string]v1.AttestationValue #5
  `,
  "authentication.TokenRequestStatus": "token string!; expirationTimestamp time!",
  "authentication.TokenReviewSpec": "token string*; audiences []string atomic",
  "autoscaling.HorizontalPodAutoscaler": `
    @object; metadata meta.ObjectMeta!; spec autoscaling.HorizontalPodAutoscalerSpec!*;
    status autoscaling.HorizontalPodAutoscalerStatus!
  `,
  "autoscaling/v2.HorizontalPodAutoscaler": `
    @object; metadata meta.ObjectMeta!; spec autoscaling/v2.HorizontalPodAutoscalerSpec!*;
    status autoscaling/v2.HorizontalPodAutoscalerStatus!
  `,
  "autoscaling/v2.HorizontalPodAutoscalerCondition": `
    type string!* go=v2.HorizontalPodAutoscalerConditionType; status string!* go=v1.ConditionStatus;
    lastTransitionTime time!; reason string; message string; observedGeneration int64?
  `,
  "batch.CronJob": `
    @object; metadata meta.ObjectMeta!; spec batch.CronJobSpec!*; status batch.CronJobStatus!
  `,
  "batch.JobSchedulingConfiguration": `
    schedulingPolicy scheduling/v1alpha3.WorkloadPodGroupSchedulingPolicy?;
    schedulingConstraints scheduling/v1alpha3.WorkloadPodGroupSchedulingConstraints?;
    disruptionMode scheduling/v1alpha3.WorkloadPodGroupDisruptionMode?;
    resourceClaims []scheduling/v1alpha3.WorkloadPodGroupResourceClaim key=name
  `,
  "batch.JobSpec": `
    parallelism int32?; completions int32?; activeDeadlineSeconds int64?;
    podFailurePolicy batch.PodFailurePolicy? #11; successPolicy batch.SuccessPolicy? #16;
    backoffLimit int32? #7; backoffLimitPerIndex int32? #12; maxFailedIndexes int32?;
    selector meta.LabelSelector? #4; manualSelector bool?; template core.PodTemplateSpec!*;
    ttlSecondsAfterFinished int32? #8; completionMode batch.CompletionMode? go=v1.CompletionMode;
    suspend bool?; podReplacementPolicy batch.PodReplacementPolicy? go=v1.PodReplacementPolicy #14;
    managedBy string?; scheduling batch.JobSchedulingConfiguration? #17
  `,
  "certificates.ClusterTrustBundle": `
    @object; metadata meta.ObjectMeta!; spec certificates.ClusterTrustBundleSpec!*
  `,
  "certificates.ClusterTrustBundleList": `
    @object; metadata meta.ListMeta!; items []certificates.ClusterTrustBundle!*
  `,
  "certificates.ClusterTrustBundleSpec": "signerName string; trustBundle string!*",
  "certificates.PodCertificateRequest": `
    @object; metadata meta.ObjectMeta!; spec certificates.PodCertificateRequestSpec!*;
    status certificates.PodCertificateRequestStatus!
  `,
  "certificates.PodCertificateRequestList": `
    @object; metadata meta.ListMeta!; items []certificates.PodCertificateRequest!*
  `,
  "certificates.PodCertificateRequestSpec": `
    signerName string!*; podName string!*; podUID string!* go=types.UID;
    serviceAccountName string!*; serviceAccountUID string!* go=types.UID;
    nodeName string!* go=types.NodeName; nodeUID string!* go=types.UID;
    maxExpirationSeconds int32? default=86400; stubPKCS10Request bytes!* #12;
    unverifiedUserAnnotations {}string #11
  `,
  "certificates.PodCertificateRequestStatus": `
    conditions []meta.Condition key=type; certificateChain string; notBefore time? #4;
    beginRefreshAt time?; notAfter time?
  `,
  "core.ClusterTrustBundleProjection": `
    name string?; signerName string?; labelSelector meta.LabelSelector?; optional bool? #5;
    path string!* #4; user int64? #6
  `,
  "core.ConfigMapVolumeSource": `
    name string default="" in=LocalObjectReference #1.1; items []core.KeyToPath atomic #2;
    defaultMode int32?; optional bool?; defaultUser int64?
  `,
  "core.DownwardAPIVolumeFile": `
    path string!*; fieldRef core.ObjectFieldSelector?; resourceFieldRef core.ResourceFieldSelector?;
    mode int32?; user int64?
  `,
  "core.DownwardAPIVolumeSource": `
    items []core.DownwardAPIVolumeFile atomic; defaultMode int32?; defaultUser int64?
  `,
  "core.EmptyDirVolumeSource": `
    medium string go=v1.StorageMedium; sizeLimit quantity?; mode int32?
  `,
  "core.EvictionResponder": "@atomic; name string!*; priority int32!?*",
  "core.GRPCAction": `
    port int32!*; service string!? default=""; mode core.GRPCProbeMode? go=v1.GRPCProbeMode
  `,
  "core.GRPCProbeMode": "enum Plaintext | TLS",
  "core.HTTPGetAction": `
    path string; port intOrString!*; host string; scheme core.URIScheme go=v1.URIScheme;
    httpHeaders []core.HTTPHeader atomic; protocol core.HTTPProtocol? go=v1.HTTPProtocol
  `,
  "core.HTTPProtocol": "enum HTTP1 | HTTP2",
  "core.ImageVolumeStatus": "imageRef string*",
  "core.KeyToPath": "key string!*; path string!*; mode int32?; user int64?",
  "core.NodeAllocatableMappedResources": "name string!* go=v1.ResourceName; quantity quantity!?*",
  "core.NodeAllocatableOverheadResources": `
    name string!* go=v1.ResourceName; perPod quantity?; perContainer quantity?
  `,
  "core.NodeAllocatableResourceClaimStatus": `
    resourceClaimName string!*; containers []string set;
    mapping []core.NodeAllocatableMappedResources key=name #4;
    overhead []core.NodeAllocatableOverheadResources key=name
  `,
  "core.NodePodPreemptionPolicy": "disableResizePreemption []string set",
  "core.NodeSpec": `
    podCIDR string; podCIDRs []string set merge #7; providerID string #3; unschedulable bool;
    taints []core.Taint atomic; configSource core.NodeConfigSource?; externalID string #2;
    podPreemptionPolicy core.NodePodPreemptionPolicy? #8
  `,
  "core.NodeSystemInfo": `
    machineID string!*; systemUUID string!*; bootID string!*; kernelVersion string!*;
    osImage string!*; containerRuntimeVersion string!*; kubeletVersion string!*;
    kubeProxyVersion string!*; operatingSystem string!*; architecture string!*;
    swap core.NodeSwapStatus?; runningInUserNamespace bool?
  `,
  "core.PersistentVolumeClaimStatus": `
    phase core.PersistentVolumeClaimPhase go=v1.PersistentVolumeClaimPhase;
    accessModes []core.PersistentVolumeAccessMode atomic go=[]v1.PersistentVolumeAccessMode;
    capacity {}quantity go=v1.ResourceList;
    conditions []core.PersistentVolumeClaimCondition key=type;
    allocatedResources {}quantity go=v1.ResourceList; allocatedResourceStatuses
    {}core.ClaimResourceStatus granular go=map[v1.ResourceName]v1.ClaimResourceStatus #7;
    currentVolumeAttributesClassName string?; modifyVolumeStatus core.ModifyVolumeStatus?;
    healthStatus core.VolumeHealthStatus?
  `,
  "core.PodCertificateProjection": `
    signerName string*; keyType string*; maxExpirationSeconds int32?; credentialBundlePath string;
    keyPath string; certificateChainPath string; userAnnotations {}string; user int64?
  `,
  "core.PodSchedulingGroup": "podGroupName string?",
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
    schedulingGroup core.PodSchedulingGroup? #43;
    evictionResponders []core.EvictionResponder key=name
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
    nodeAllocatableResourceClaimStatuses []core.NodeAllocatableResourceClaimStatus
    key=resourceClaimName; volumeHealth []core.PodVolumeHealth map=name
  `,
  "core.PodStatusResult": null,
  "core.PodVolumeHealth": `
    name string!*; healthConditions []core.VolumeHealthCondition map=status,reason merge=status;
    lastTransitionTime time!
  `,
  "core.ProjectedVolumeSource": `
    sources []core.VolumeProjection! atomic; defaultMode int32?; defaultUser int64?
  `,
  "core.ResourceHealth": `
    resourceID string!* go=v1.ResourceID; health string go=v1.ResourceHealthStatus;
    message string? #6
  `,
  "core.SecretVolumeSource": `
    secretName string; items []core.KeyToPath atomic; defaultMode int32?; optional bool?;
    defaultUser int64?
  `,
  "core.ServiceAccountTokenProjection": `
    audience string; expirationSeconds int64?; path string!*; user int64?
  `,
  "core.VolumeHealthCondition": `
    status core.VolumeHealthStatusType!* go=v1.VolumeHealthStatusType; reason string!*;
    message string
  `,
  "core.VolumeHealthStatus": `
    healthConditions []core.VolumeHealthCondition map=status,reason merge=status;
    lastTransitionTime time!
  `,
  "core.VolumeHealthStatusType": "enum DataLoss | Degraded | Inaccessible",
  "core.VolumeMount": `
    name string!*; readOnly bool; recursiveReadOnly string? go=v1.RecursiveReadOnlyMode #7;
    mountPath string!* #3; subPath string;
    mountPropagation core.MountPropagationMode? go=v1.MountPropagationMode; subPathExpr string;
    bindMountOptions []string set #8
  `,
  "core.VolumeMountStatus": `
    name string!*; mountPath string!*; readOnly bool;
    recursiveReadOnly string? go=v1.RecursiveReadOnlyMode; volumeStatus core.VolumeStatus?
  `,
  "core.VolumeStatus": "image core.ImageVolumeStatus?",
  "core.WorkloadReference": null,
  "discovery.EndpointSlice": `
    @object; metadata meta.ObjectMeta!; addressType string!* go=v1.AddressType #4;
    endpoints []discovery.Endpoint! atomic #2; ports []discovery.EndpointPort! atomic
  `,
  "flowcontrol.FlowSchema": `
    @object; metadata meta.ObjectMeta!; spec flowcontrol.FlowSchemaSpec!*;
    status flowcontrol.FlowSchemaStatus!
  `,
  "flowcontrol.FlowSchemaCondition": `
    type string* go=v1.FlowSchemaConditionType; status string go=v1.ConditionStatus;
    lastTransitionTime time!; reason string; message string
  `,
  "flowcontrol.LimitedPriorityLevelConfiguration": `
    nominalConcurrencyShares int32!?; limitResponse flowcontrol.LimitResponse!*;
    lendablePercent int32?; borrowingLimitPercent int32?
  `,
  "flowcontrol.PriorityLevelConfiguration": `
    @object; metadata meta.ObjectMeta!; spec flowcontrol.PriorityLevelConfigurationSpec!*;
    status flowcontrol.PriorityLevelConfigurationStatus!
  `,
  "flowcontrol.PriorityLevelConfigurationCondition": `
    type string* go=v1.PriorityLevelConfigurationConditionType; status string go=v1.ConditionStatus;
    lastTransitionTime time!; reason string; message string
  `,
  "meta.GroupResource": "group string!*; resource string!*",
  "meta.ListMeta": `
    selfLink string; resourceVersion string; continue string; remainingItemCount int64?;
    shardInfo meta.ShardInfo?
  `,
  "meta.ShardInfo": "selector string!*",
  "networking.IPAddress": "@object; metadata meta.ObjectMeta!; spec networking.IPAddressSpec!*",
  "policy.PodDisruptionBudgetStatus": `
    observedGeneration int64; disruptedPods {}time; disruptionsAllowed int32!;
    currentHealthy int32!; desiredHealthy int32!; expectedPods int32!;
    conditions []meta.Condition key=type
  `,
  "rbac.RoleRef": "@atomic; apiGroup string!; kind string!*; name string!*",
  "resource.Device": `
    name string!*; attributes {}resource.DeviceAttribute; capacity {}resource.DeviceCapacity;
    consumesCounters []resource.DeviceCounterConsumption atomic; nodeName string?;
    nodeSelector core.NodeSelector?; allNodes bool?; taints []resource.DeviceTaint atomic;
    bindsToNode bool?; bindingConditions []string atomic; bindingFailureConditions []string atomic;
    allowMultipleAllocations bool?; nodeAllocatableResources {}resource.NodeAllocatableResource #14
  `,
  "resource.DeviceAttribute": `
    int int64? #2; bool bool?; string string?; version string?; ints []int64 atomic;
    bools []bool atomic; strings []string atomic; versions []string atomic
  `,
  "resource.DeviceClass": "@object; metadata meta.ObjectMeta!; spec resource.DeviceClassSpec!",
  "resource.DeviceCounterConsumption": `
    counterSet string!*; counters {}resource.Counter*; compatibilityGroups []string atomic
  `,
  "resource.DeviceDerivedAttribute": "name string!* go=v1.FullyQualifiedName; expression string!*",
  "resource.DeviceRequestAllocationResult": `
    request string!*; driver string!*; pool string!*; device string!*; adminAccess bool?;
    tolerations []resource.DeviceToleration atomic; bindingConditions []string atomic;
    bindingFailureConditions []string atomic; shareID string? go=types.UID;
    consumedCapacity {}quantity;
    skipNodeOperations []resource.SkipNodeOperation set go=[]v1.SkipNodeOperation
  `,
  "resource.DeviceSubRequest": `
    name string!*; deviceClassName string!*; selectors []resource.DeviceSelector atomic;
    allocationMode resource.DeviceAllocationMode go=v1.DeviceAllocationMode; count int64;
    tolerations []resource.DeviceToleration atomic; capacity resource.CapacityRequirements?;
    derivedAttributes []resource.DeviceDerivedAttribute atomic
  `,
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
  "resource.ExactDeviceRequest": `
    deviceClassName string!*; selectors []resource.DeviceSelector atomic;
    allocationMode resource.DeviceAllocationMode go=v1.DeviceAllocationMode; count int64;
    adminAccess bool?; tolerations []resource.DeviceToleration atomic;
    capacity resource.CapacityRequirements?;
    derivedAttributes []resource.DeviceDerivedAttribute atomic
  `,
  "resource.NodeAllocatableMapping": `
    capacityKey string? go=v1.QualifiedName; capacityMultiplier quantity?;
    deviceMultiplier quantity?
  `,
  "resource.NodeAllocatableOverhead": "perPod quantity?; perContainer quantity?",
  "resource.NodeAllocatableResource": `
    mapping resource.NodeAllocatableMapping? #3; overhead resource.NodeAllocatableOverhead?
  `,
  "resource.ResourceClaim": `
    @object; metadata meta.ObjectMeta!; spec resource.ResourceClaimSpec!;
    status resource.ResourceClaimStatus!
  `,
  "resource.ResourceClaimTemplate": `
    @object; metadata meta.ObjectMeta!; spec resource.ResourceClaimTemplateSpec!
  `,
  "resource.ResourceClaimTemplateSpec": `
    metadata meta.ObjectMeta!; spec resource.ResourceClaimSpec!
  `,
  "resource.ResourceSliceSpec": `
    driver string!*; pool resource.ResourcePool!*; nodeName string?;
    nodeSelector core.NodeSelector?; allNodes bool?; devices []resource.Device atomic;
    perDeviceNodeSelection bool?; sharedCounters []resource.CounterSet atomic;
    partitionTypeAttribute string? go=v1.FullyQualifiedName;
    skipNodeOperations []resource.SkipNodeOperation set go=[]v1.SkipNodeOperation
  `,
  "resource.SkipNodeOperation": "enum * | NodePrepareResources | NodeUnprepareResources",
  "scheduling.PriorityClass": `
    @object; metadata meta.ObjectMeta!; value int32!; globalDefault bool; description string;
    preemptionPolicy core.PreemptionPolicy? go=v1.PreemptionPolicy
  `,
  "scheduling/v1alpha3.TopologyConstraint": "key string!*",
  "scheduling/v1alpha3.WorkloadPodGroupAllDisruptionMode": "",
  "scheduling/v1alpha3.WorkloadPodGroupBasicSchedulingPolicy": "",
  "scheduling/v1alpha3.WorkloadPodGroupDisruptionMode": `
    single scheduling/v1alpha3.WorkloadPodGroupSingleDisruptionMode?;
    all scheduling/v1alpha3.WorkloadPodGroupAllDisruptionMode?
  `,
  "scheduling/v1alpha3.WorkloadPodGroupGangSchedulingPolicy": "minCount int32?",
  "scheduling/v1alpha3.WorkloadPodGroupResourceClaim": `
    name string!*; resourceClaimName string?; resourceClaimTemplateName string?
  `,
  "scheduling/v1alpha3.WorkloadPodGroupSchedulingConstraints": `
    topology []scheduling/v1alpha3.TopologyConstraint atomic
  `,
  "scheduling/v1alpha3.WorkloadPodGroupSchedulingPolicy": `
    basic scheduling/v1alpha3.WorkloadPodGroupBasicSchedulingPolicy?;
    gang scheduling/v1alpha3.WorkloadPodGroupGangSchedulingPolicy?
  `,
  "scheduling/v1alpha3.WorkloadPodGroupSingleDisruptionMode": "",
  "storage.CSIDriverSpec": `
    attachRequired bool?; podInfoOnMount bool?;
    volumeLifecycleModes []string set go=[]v1.VolumeLifecycleMode; storageCapacity bool?;
    fsGroupPolicy string? go=v1.FSGroupPolicy; tokenRequests []storage.TokenRequest atomic;
    requiresRepublish bool?; seLinuxMount bool?; nodeAllocatableUpdatePeriodSeconds int64?;
    serviceAccountTokenInSecrets bool?; preventPodSchedulingIfMissing bool?
  `,
  "storage.CSINode": `
    @object; metadata meta.ObjectMeta!; spec storage.CSINodeSpec!*; status storage.CSINodeStatus!
  `,
  "storage.CSINodeStatus": "storageHealth []storage.StorageHealth key=name",
  "storage.StorageHealth": `
    name string!*; healthConditions []storage.StorageHealthCondition atomic
  `,
  "storage.StorageHealthCondition": `
    status storage.StorageHealthStatusType!* go=v1.StorageHealthStatusType; reason string!*;
    message string; accessMode core.PersistentVolumeAccessMode? go=v1.PersistentVolumeAccessMode;
    volumeMode core.PersistentVolumeMode? go=v1.PersistentVolumeMode; lastTransitionTime time!
  `,
  "storage.StorageHealthStatusType": "enum StorageDegraded | StorageUnreachable",
  "storagemigration.StorageVersionMigration": `
    @object; metadata meta.ObjectMeta!; spec storagemigration.StorageVersionMigrationSpec!;
    status storagemigration.StorageVersionMigrationStatus!
  `,
  "storagemigration.StorageVersionMigrationList": `
    @object; metadata meta.ListMeta!; items []storagemigration.StorageVersionMigration!*
  `,
  "storagemigration.StorageVersionMigrationSpec": "resource meta.GroupResource!*",
  "storagemigration.StorageVersionMigrationStatus": `
    conditions []meta.Condition key=type; resourceVersion string
  `,
};

/** The kinds of the groups that have others. */
export const KINDS: Readonly<Record<string, string>> = {
  core: `
    Binding ComponentStatus ComponentStatusList ConfigMap ConfigMapList Endpoints EndpointsList
    Event EventList LimitRange LimitRangeList List Namespace NamespaceList Node NodeList
    NodeProxyOptions PersistentVolume PersistentVolumeClaim PersistentVolumeClaimList
    PersistentVolumeList Pod PodAttachOptions PodExecOptions PodList PodLogOptions
    PodPortForwardOptions PodProxyOptions PodTemplate PodTemplateList RangeAllocation
    ReplicationController ReplicationControllerList ResourceQuota ResourceQuotaList Secret
    SecretList SerializedReference Service ServiceAccount ServiceAccountList ServiceList
    ServiceProxyOptions
  `,
  admissionregistration: `
    MutatingAdmissionPolicy MutatingAdmissionPolicyBinding MutatingAdmissionPolicyBindingList
    MutatingAdmissionPolicyList MutatingWebhookConfiguration MutatingWebhookConfigurationList
    ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding ValidatingAdmissionPolicyBindingList
    ValidatingAdmissionPolicyList ValidatingWebhookConfiguration ValidatingWebhookConfigurationList
  `,
  certificates: `
    CertificateSigningRequest CertificateSigningRequestList ClusterTrustBundle
    ClusterTrustBundleList PodCertificateRequest PodCertificateRequestList
  `,
  resource: `
    DeviceClass DeviceClassList DeviceTaintRule DeviceTaintRuleList ResourceClaim ResourceClaimList
    ResourceClaimTemplate ResourceClaimTemplateList ResourceSlice ResourceSliceList
  `,
  storagemigration: "StorageVersionMigration StorageVersionMigrationList",
};
