// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.
import type { StructChanges } from "../../../values/mod.ts";

/** The structs that Kubernetes 1.34 has differently. */
export const CHANGES: StructChanges = {
  "apiextensions.CustomResourceDefinitionCondition": `
    type string!* go=v1.CustomResourceDefinitionConditionType;
    status string!* go=v1.ConditionStatus; lastTransitionTime time!; reason string; message string
  `,
  "apiextensions.CustomResourceDefinitionStatus": `
    conditions []apiextensions.CustomResourceDefinitionCondition! map=type;
    acceptedNames apiextensions.CustomResourceDefinitionNames!; storedVersions []string! atomic
  `,
  "batch.PodFailurePolicyOnPodConditionsPattern": `
    type string!* go=v1.PodConditionType; status string!* go=v1.ConditionStatus
  `,
  "certificates.CertificateSigningRequestSpec": `
    request bytes!* atomic; signerName string!* #7; expirationSeconds int32?;
    usages []certificates.KeyUsage atomic go=[]v1.KeyUsage #5; username string #2; uid string;
    groups []string atomic; extra {}[]string go=map[string]v1.ExtraValue #6
  `,
  "certificates.CertificateSigningRequestStatus": `
    conditions []certificates.CertificateSigningRequestCondition map=type; certificate bytes atomic
  `,
  "core.NodeStatus": `
    capacity {}quantity go=v1.ResourceList; allocatable {}quantity go=v1.ResourceList;
    phase core.NodePhase go=v1.NodePhase; conditions []core.NodeCondition key=type;
    addresses []core.NodeAddress key=type; daemonEndpoints core.NodeDaemonEndpoints!;
    nodeInfo core.NodeSystemInfo!; images []core.ContainerImage atomic;
    volumesInUse []string atomic go=[]v1.UniqueVolumeName;
    volumesAttached []core.AttachedVolume atomic; config core.NodeConfigStatus?;
    runtimeHandlers []core.NodeRuntimeHandler atomic; features core.NodeFeatures?
  `,
  "core.PodCertificateProjection": `
    signerName string*; keyType string*; maxExpirationSeconds int32?; credentialBundlePath string;
    keyPath string; certificateChainPath string
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
    resources core.ResourceRequirements?; hostnameOverride string?
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
    extendedResourceClaimStatus core.PodExtendedResourceClaimStatus? #18
  `,
  "core.TolerationOperator": "enum Equal | Exists",
  "core.WorkloadReference": null,
  "meta.Status": `
    @object; metadata meta.ListMeta!; status string; message string;
    reason string go=v1.StatusReason; details meta.StatusDetails? atomic; code int32
  `,
  "resource.AllocationConfigSource": null,
  "resource.DeviceAllocationConfiguration": `
    source string!* go=v1.AllocationConfigSource; requests []string atomic;
    opaque resource.OpaqueDeviceConfiguration? in=DeviceConfiguration #3.1
  `,
  "resource.DeviceAllocationMode": null,
  "resource.DeviceSubRequest": `
    name string!*; deviceClassName string!*; selectors []resource.DeviceSelector atomic;
    allocationMode string go=v1.DeviceAllocationMode; count int64;
    tolerations []resource.DeviceToleration atomic; capacity resource.CapacityRequirements?
  `,
  "resource.DeviceTaintEffect": "enum NoExecute | NoSchedule",
  "resource.ExactDeviceRequest": `
    deviceClassName string!*; selectors []resource.DeviceSelector atomic;
    allocationMode string go=v1.DeviceAllocationMode; count int64; adminAccess bool?;
    tolerations []resource.DeviceToleration atomic; capacity resource.CapacityRequirements?
  `,
  "resource.ResourceSliceSpec": `
    driver string!*; pool resource.ResourcePool!*; nodeName string?;
    nodeSelector core.NodeSelector?; allNodes bool?; devices []resource.Device! atomic;
    perDeviceNodeSelection bool?; sharedCounters []resource.CounterSet atomic
  `,
  "storage.CSIDriverSpec": `
    attachRequired bool?; podInfoOnMount bool?;
    volumeLifecycleModes []string set go=[]v1.VolumeLifecycleMode; storageCapacity bool?;
    fsGroupPolicy string? go=v1.FSGroupPolicy; tokenRequests []storage.TokenRequest atomic;
    requiresRepublish bool?; seLinuxMount bool?; nodeAllocatableUpdatePeriodSeconds int64?
  `,
};

/** The kinds of the groups that have others. */
export const KINDS: Readonly<Record<string, string>> = {};
