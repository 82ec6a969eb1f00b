// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.
import type { StructChanges } from "../field_tables.ts";

/** The structs that Kubernetes 1.34 has differently. */
export const CHANGES: StructChanges = {
  "apiextensions.CustomResourceDefinitionCondition": `
    type string!*; status string!*; lastTransitionTime time!; reason string; message string
  `,
  "apiextensions.CustomResourceDefinitionStatus": `
    conditions []apiextensions.CustomResourceDefinitionCondition! map=type;
    acceptedNames apiextensions.CustomResourceDefinitionNames!; storedVersions []string! atomic
  `,
  "batch.PodFailurePolicyOnPodConditionsPattern": "type string!*; status string!*",
  "certificates.CertificateSigningRequestSpec": `
    request bytes!* atomic; signerName string!* #7; expirationSeconds int32?;
    usages []certificates.KeyUsage atomic #5; username string #2; uid string;
    groups []string atomic; extra {}[]string #6
  `,
  "certificates.CertificateSigningRequestStatus": `
    conditions []certificates.CertificateSigningRequestCondition map=type; certificate bytes atomic
  `,
  "core.NodeStatus": `
    capacity {}quantity; allocatable {}quantity; phase core.NodePhase;
    conditions []core.NodeCondition key=type; addresses []core.NodeAddress key=type;
    daemonEndpoints core.NodeDaemonEndpoints!; nodeInfo core.NodeSystemInfo!;
    images []core.ContainerImage atomic; volumesInUse []string atomic;
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
    ephemeralContainers []core.EphemeralContainer key=name #34; restartPolicy core.RestartPolicy #3;
    terminationGracePeriodSeconds int64?; activeDeadlineSeconds int64?; dnsPolicy core.DNSPolicy;
    nodeSelector {}string atomic; serviceAccountName string; serviceAccount string;
    automountServiceAccountToken bool? #21; nodeName string #10; hostNetwork bool; hostPID bool;
    hostIPC bool; shareProcessNamespace bool? #27; securityContext core.PodSecurityContext? #14;
    imagePullSecrets []core.LocalObjectReference key=name; hostname string; subdomain string;
    affinity core.Affinity?; schedulerName string; tolerations []core.Toleration atomic #22;
    hostAliases []core.HostAlias key=ip; priorityClassName string; priority int32?;
    dnsConfig core.PodDNSConfig?; readinessGates []core.PodReadinessGate atomic #28;
    runtimeClassName string?; enableServiceLinks bool?; preemptionPolicy core.PreemptionPolicy?;
    overhead {}quantity; topologySpreadConstraints []core.TopologySpreadConstraint
    map=topologyKey,whenUnsatisfiable merge=topologyKey; setHostnameAsFQDN bool? #35;
    os core.PodOS?; hostUsers bool?; schedulingGates []core.PodSchedulingGate key=name;
    resourceClaims []core.PodResourceClaim key=name retainKeys;
    resources core.ResourceRequirements?; hostnameOverride string?
  `,
  "core.PodStatus": `
    observedGeneration int64 #17; phase core.PodPhase #1; conditions []core.PodCondition key=type;
    message string; reason string; nominatedNodeName string #11; hostIP string #5;
    hostIPs []core.HostIP atomic merge=ip #16; podIP string #6; podIPs []core.PodIP key=ip #12;
    startTime time? #7; initContainerStatuses []core.ContainerStatus atomic #10;
    containerStatuses []core.ContainerStatus atomic #8; qosClass core.PodQOSClass;
    ephemeralContainerStatuses []core.ContainerStatus atomic #13; resize string;
    resourceClaimStatuses []core.PodResourceClaimStatus key=name retainKeys;
    extendedResourceClaimStatus core.PodExtendedResourceClaimStatus? #18
  `,
  "core.TolerationOperator": "enum Equal | Exists",
  "core.WorkloadReference": null,
  "meta.Status": `
    @object; metadata meta.ListMeta!; status string; message string; reason string;
    details meta.StatusDetails? atomic; code int32
  `,
  "resource.AllocationConfigSource": null,
  "resource.DeviceAllocationConfiguration": `
    source string!*; requests []string atomic; opaque resource.OpaqueDeviceConfiguration? #3.1
  `,
  "resource.DeviceAllocationMode": null,
  "resource.DeviceSubRequest": `
    name string!*; deviceClassName string!*; selectors []resource.DeviceSelector atomic;
    allocationMode string; count int64; tolerations []resource.DeviceToleration atomic;
    capacity resource.CapacityRequirements?
  `,
  "resource.DeviceTaintEffect": "enum NoExecute | NoSchedule",
  "resource.ExactDeviceRequest": `
    deviceClassName string!*; selectors []resource.DeviceSelector atomic; allocationMode string;
    count int64; adminAccess bool?; tolerations []resource.DeviceToleration atomic;
    capacity resource.CapacityRequirements?
  `,
  "resource.ResourceSliceSpec": `
    driver string!*; pool resource.ResourcePool!*; nodeName string?;
    nodeSelector core.NodeSelector?; allNodes bool?; devices []resource.Device! atomic;
    perDeviceNodeSelection bool?; sharedCounters []resource.CounterSet atomic
  `,
  "storage.CSIDriverSpec": `
    attachRequired bool?; podInfoOnMount bool?; volumeLifecycleModes []string set;
    storageCapacity bool?; fsGroupPolicy string?; tokenRequests []storage.TokenRequest atomic;
    requiresRepublish bool?; seLinuxMount bool?; nodeAllocatableUpdatePeriodSeconds int64?
  `,
};

/** The kinds of the groups that have others. */
export const KINDS: Readonly<Record<string, string>> = {};
