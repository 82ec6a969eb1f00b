// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.
import type { StructChanges } from "../../../values/mod.ts";

/** The structs that Kubernetes 1.36 has differently. */
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
  "authentication.TokenRequest": `
    @object; metadata meta.ObjectMeta!; spec authentication.TokenRequestSpec!;
    status authentication.TokenRequestStatus!
  `,
  "authentication.TokenRequestSpec": `
    audiences []string! atomic; expirationSeconds int64!? #4;
    boundObjectRef authentication.BoundObjectReference!? #3
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
  "batch.CronJob": `
    @object; metadata meta.ObjectMeta!; spec batch.CronJobSpec!*; status batch.CronJobStatus!
  `,
  "core.ImageVolumeStatus": "imageRef string*",
  "core.NodeAllocatableResourceClaimStatus": `
    resourceClaimName string!*; containers []string set; resources {}quantity!*
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
  "core.ResourceHealth": `
    resourceID string!* go=v1.ResourceID; health string go=v1.ResourceHealthStatus;
    message string? #6
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
    allowMultipleAllocations bool?;
    nodeAllocatableResourceMappings {}resource.NodeAllocatableResourceMapping
  `,
  "resource.DeviceAttribute": `
    int int64? #2; bool bool?; string string?; version string?; ints []int64 atomic;
    bools []bool atomic; strings []string atomic; versions []string atomic
  `,
  "resource.NodeAllocatableResourceMapping": `
    capacityKey string? go=v1.QualifiedName; allocationMultiplier quantity?
  `,
  "scheduling.PriorityClass": `
    @object; metadata meta.ObjectMeta!; value int32!; globalDefault bool; description string;
    preemptionPolicy core.PreemptionPolicy? go=v1.PreemptionPolicy
  `,
  "storage.CSIDriverSpec": `
    attachRequired bool?; podInfoOnMount bool?;
    volumeLifecycleModes []string set go=[]v1.VolumeLifecycleMode; storageCapacity bool?;
    fsGroupPolicy string? go=v1.FSGroupPolicy; tokenRequests []storage.TokenRequest atomic;
    requiresRepublish bool?; seLinuxMount bool?; nodeAllocatableUpdatePeriodSeconds int64?;
    serviceAccountTokenInSecrets bool?; preventPodSchedulingIfMissing bool?
  `,
};

/** The kinds of the groups that have others. */
export const KINDS: Readonly<Record<string, string>> = {
  admissionregistration: `
    MutatingAdmissionPolicy MutatingAdmissionPolicyBinding MutatingAdmissionPolicyBindingList
    MutatingAdmissionPolicyList MutatingWebhookConfiguration MutatingWebhookConfigurationList
    ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding ValidatingAdmissionPolicyBindingList
    ValidatingAdmissionPolicyList ValidatingWebhookConfiguration ValidatingWebhookConfigurationList
  `,
};
