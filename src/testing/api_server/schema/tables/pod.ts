import type { StructTable } from "../field_tables.ts";

/** Pods and their parts, except containers and volumes. */
export const POD: StructTable = {
  Pod: "kind string; apiVersion string; metadata ObjectMeta!; spec PodSpec!; status PodStatus!",
  Binding: "kind string; apiVersion string; metadata ObjectMeta!; target ObjectReference!",
  PodSpec: `
    volumes []Volume retainKeys key=name; initContainers []Container key=name;
    containers []Container! key=name; ephemeralContainers []EphemeralContainer key=name;
    restartPolicy string; terminationGracePeriodSeconds int64?; activeDeadlineSeconds int64?;
    dnsPolicy string; nodeSelector {}string atomic; serviceAccountName string;
    serviceAccount string; automountServiceAccountToken bool?; nodeName string; hostNetwork bool;
    hostPID bool; hostIPC bool; shareProcessNamespace bool?; securityContext PodSecurityContext?;
    imagePullSecrets []LocalObjectReference key=name; hostname string; subdomain string;
    affinity Affinity?; schedulerName string; tolerations []Toleration;
    hostAliases []HostAlias key=ip; priorityClassName string; priority int32?;
    dnsConfig PodDNSConfig?; readinessGates []PodReadinessGate; runtimeClassName string?;
    enableServiceLinks bool?; preemptionPolicy string?; overhead {}quantity;
    topologySpreadConstraints []TopologySpreadConstraint map=topologyKey,whenUnsatisfiable merge=topologyKey;
    setHostnameAsFQDN bool?; os PodOS?; hostUsers bool?;
    schedulingGates []PodSchedulingGate key=name;
    resourceClaims []PodResourceClaim retainKeys key=name; resources ResourceRequirements?;
    hostnameOverride string?; workloadRef WorkloadReference?
  `,
  PodStatus: `
    observedGeneration int64; phase string; conditions []PodCondition key=type; message string;
    reason string; nominatedNodeName string; hostIP string; hostIPs []HostIP merge=ip; podIP string;
    podIPs []PodIP key=ip; startTime time?; initContainerStatuses []ContainerStatus;
    containerStatuses []ContainerStatus; qosClass string;
    ephemeralContainerStatuses []ContainerStatus; resize string;
    resourceClaimStatuses []PodResourceClaimStatus retainKeys key=name;
    extendedResourceClaimStatus PodExtendedResourceClaimStatus?; allocatedResources {}quantity;
    resources ResourceRequirements?
  `,
  ObjectReference: `
    @atomic; kind string; namespace string; name string; uid string; apiVersion string;
    resourceVersion string; fieldPath string
  `,
  PodSecurityContext: `
    seLinuxOptions SELinuxOptions?; windowsOptions WindowsSecurityContextOptions?; runAsUser int64?;
    runAsGroup int64?; runAsNonRoot bool?; supplementalGroups []int64;
    supplementalGroupsPolicy string?; fsGroup int64?; sysctls []Sysctl; fsGroupChangePolicy string?;
    seccompProfile SeccompProfile?; appArmorProfile AppArmorProfile?; seLinuxChangePolicy string?
  `,
  LocalObjectReference: "@atomic; name string",
  Affinity: `
    nodeAffinity NodeAffinity?; podAffinity PodAffinity?; podAntiAffinity PodAntiAffinity?
  `,
  Toleration: "key string; operator string; value string; effect string; tolerationSeconds int64?",
  HostAlias: "ip string!; hostnames []string",
  PodDNSConfig: "nameservers []string; searches []string; options []PodDNSConfigOption",
  PodReadinessGate: "conditionType string!",
  TopologySpreadConstraint: `
    maxSkew int32!; topologyKey string!; whenUnsatisfiable string!; labelSelector LabelSelector?;
    minDomains int32?; nodeAffinityPolicy string?; nodeTaintsPolicy string?; matchLabelKeys []string
  `,
  PodOS: "name string!",
  PodSchedulingGate: "name string!",
  PodResourceClaim: "name string!; resourceClaimName string?; resourceClaimTemplateName string?",
  WorkloadReference: "name string!; podGroup string!; podGroupReplicaKey string",
  PodCondition: `
    type string!; observedGeneration int64; status string!; lastProbeTime time!;
    lastTransitionTime time!; reason string; message string
  `,
  HostIP: "ip string!",
  PodIP: "ip string!",
  PodResourceClaimStatus: "name string!; resourceClaimName string?",
  PodExtendedResourceClaimStatus: `
    requestMappings []ContainerExtendedResourceRequest!; resourceClaimName string!
  `,
  Sysctl: "name string!; value string!",
  NodeAffinity: `
    requiredDuringSchedulingIgnoredDuringExecution NodeSelector?;
    preferredDuringSchedulingIgnoredDuringExecution []PreferredSchedulingTerm
  `,
  PodAffinity: `
    requiredDuringSchedulingIgnoredDuringExecution []PodAffinityTerm;
    preferredDuringSchedulingIgnoredDuringExecution []WeightedPodAffinityTerm
  `,
  PodAntiAffinity: `
    requiredDuringSchedulingIgnoredDuringExecution []PodAffinityTerm;
    preferredDuringSchedulingIgnoredDuringExecution []WeightedPodAffinityTerm
  `,
  PodDNSConfigOption: "name string; value string?",
  ContainerExtendedResourceRequest: `
    containerName string!; resourceName string!; requestName string!
  `,
  NodeSelector: "@atomic; nodeSelectorTerms []NodeSelectorTerm!",
  PreferredSchedulingTerm: "weight int32!; preference NodeSelectorTerm!",
  PodAffinityTerm: `
    labelSelector LabelSelector?; namespaces []string; topologyKey string!;
    namespaceSelector LabelSelector?; matchLabelKeys []string; mismatchLabelKeys []string
  `,
  WeightedPodAffinityTerm: "weight int32!; podAffinityTerm PodAffinityTerm!",
  NodeSelectorTerm: `
    @atomic; matchExpressions []NodeSelectorRequirement; matchFields []NodeSelectorRequirement
  `,
  NodeSelectorRequirement: "key string!; operator string!; values []string",
};
