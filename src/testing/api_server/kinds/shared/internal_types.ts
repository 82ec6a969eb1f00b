/**
 * The internal Go types of the real server that some of its errors print, from `pkg/apis/core/types.go`: their fields in
 * order, with what JSON shows if a field is not set.
 *
 * A field is `Name:type`. The types: `s` is a string, `n` a number, `b` a boolean, `{}` a map, `*` what has a text of its
 * own, else another type of this table; `?` before it means a pointer, `[]` a list. `~Type` embeds the fields of a type,
 * and `~meta` those of the metadata.
 */
export const INTERNAL_TYPES: Readonly<Record<string, string>> = {
  FlowSchemaSpec:
    "PriorityLevelConfiguration:FlowName MatchingPrecedence:n DistinguisherMethod:?FlowMethod Rules:[]FlowRule",
  FlowName: "Name:s",
  FlowMethod: "Type:s",
  FlowRule:
    "Subjects:[]FlowSubject ResourceRules:[]FlowResourceRule NonResourceRules:[]FlowPathRule",
  FlowSubject: "Kind:s User:?FlowName Group:?FlowName ServiceAccount:?FlowAccount",
  FlowAccount: "Namespace:s Name:s",
  FlowResourceRule: "Verbs:[]s APIGroups:[]s Resources:[]s ClusterScope:b Namespaces:[]s",
  FlowPathRule: "Verbs:[]s NonResourceURLs:[]s",
  PriorityLevelConfigurationSpec: "Type:s Limited:?FlowLimited Exempt:?FlowExempt",
  FlowLimited:
    "NominalConcurrencyShares:n LimitResponse:FlowResponse LendablePercent:?n BorrowingLimitPercent:?n",
  FlowResponse: "Type:s Queuing:?FlowQueuing",
  FlowQueuing: "Queues:n HandSize:n QueueLengthLimit:n",
  FlowExempt: "NominalConcurrencyShares:?n LendablePercent:?n",
  PodTemplateSpec: "~meta Spec:PodSpec",
  VolumeAttachmentSpec: "Attacher:s Source:VolumeAttachmentSource NodeName:s",
  VolumeAttachmentSource: "PersistentVolumeName:?s InlineVolumeSpec:?*",
  ParentReference: "Group:s Resource:s Namespace:s Name:s",
  PodFailurePolicy: "Rules:[]PodFailurePolicyRule",
  PodFailurePolicyRule:
    "Action:s OnExitCodes:?OnExitCodesRequirement OnPodConditions:[]OnPodConditionsPattern",
  OnExitCodesRequirement: "ContainerName:?s Operator:s Values:[]n",
  OnPodConditionsPattern: "Type:s Status:s",
  SuccessPolicy: "Rules:[]SuccessPolicyRule",
  SuccessPolicyRule: "SucceededIndexes:?s SucceededCount:?n",
  CSINodeDriver: "Name:s NodeID:s TopologyKeys:[]s Allocatable:?VolumeNodeResources",
  VolumeNodeResources: "Count:?n",
  PodSpec:
    "Volumes:[]Volume InitContainers:[]Container Containers:[]Container EphemeralContainers:[]EphemeralContainer RestartPolicy:s TerminationGracePeriodSeconds:?n ActiveDeadlineSeconds:?n DNSPolicy:s NodeSelector:{} ServiceAccountName:s AutomountServiceAccountToken:?b NodeName:s SecurityContext:?PodSecurityContext ImagePullSecrets:[]LocalObjectReference Hostname:s Subdomain:s SetHostnameAsFQDN:?b Affinity:?Affinity SchedulerName:s Tolerations:[]Toleration HostAliases:[]HostAlias PriorityClassName:s Priority:?n PreemptionPolicy:?s DNSConfig:?PodDNSConfig ReadinessGates:[]PodReadinessGate RuntimeClassName:?s Overhead:{} EnableServiceLinks:?b TopologySpreadConstraints:[]TopologySpreadConstraint OS:?PodOS SchedulingGates:[]PodSchedulingGate ResourceClaims:[]PodResourceClaim Resources:?ResourceRequirements HostnameOverride:?s WorkloadRef:?WorkloadReference",
  Volume: "Name:s ~VolumeSource",
  VolumeSource:
    "HostPath:?HostPathVolumeSource EmptyDir:?EmptyDirVolumeSource GCEPersistentDisk:?GCEPersistentDiskVolumeSource AWSElasticBlockStore:?AWSElasticBlockStoreVolumeSource GitRepo:?GitRepoVolumeSource Secret:?SecretVolumeSource NFS:?NFSVolumeSource ISCSI:?ISCSIVolumeSource Glusterfs:?GlusterfsVolumeSource PersistentVolumeClaim:?PersistentVolumeClaimVolumeSource RBD:?RBDVolumeSource Quobyte:?QuobyteVolumeSource FlexVolume:?FlexVolumeSource Cinder:?CinderVolumeSource CephFS:?CephFSVolumeSource Flocker:?FlockerVolumeSource DownwardAPI:?DownwardAPIVolumeSource FC:?FCVolumeSource AzureFile:?AzureFileVolumeSource ConfigMap:?ConfigMapVolumeSource VsphereVolume:?VsphereVirtualDiskVolumeSource AzureDisk:?AzureDiskVolumeSource PhotonPersistentDisk:?PhotonPersistentDiskVolumeSource Projected:?ProjectedVolumeSource PortworxVolume:?PortworxVolumeSource ScaleIO:?ScaleIOVolumeSource StorageOS:?StorageOSVolumeSource CSI:?CSIVolumeSource Ephemeral:?EphemeralVolumeSource Image:?ImageVolumeSource",
  HostPathVolumeSource: "Path:s Type:?s",
  EmptyDirVolumeSource: "Medium:s SizeLimit:?*",
  GCEPersistentDiskVolumeSource: "PDName:s FSType:s Partition:n ReadOnly:b",
  AWSElasticBlockStoreVolumeSource: "VolumeID:s FSType:s Partition:n ReadOnly:b",
  GitRepoVolumeSource: "Repository:s Revision:s Directory:s",
  SecretVolumeSource: "SecretName:s Items:[]KeyToPath DefaultMode:?n Optional:?b",
  KeyToPath: "Key:s Path:s Mode:?n",
  NFSVolumeSource: "Server:s Path:s ReadOnly:b",
  ISCSIVolumeSource:
    "TargetPortal:s IQN:s Lun:n ISCSIInterface:s FSType:s ReadOnly:b Portals:[]s DiscoveryCHAPAuth:b SessionCHAPAuth:b SecretRef:?LocalObjectReference InitiatorName:?s",
  LocalObjectReference: "Name:s",
  GlusterfsVolumeSource: "EndpointsName:s Path:s ReadOnly:b",
  PersistentVolumeClaimVolumeSource: "ClaimName:s ReadOnly:b",
  RBDVolumeSource:
    "CephMonitors:[]s RBDImage:s FSType:s RBDPool:s RadosUser:s Keyring:s SecretRef:?LocalObjectReference ReadOnly:b",
  QuobyteVolumeSource: "Registry:s Volume:s ReadOnly:b User:s Group:s Tenant:s",
  FlexVolumeSource: "Driver:s FSType:s SecretRef:?LocalObjectReference ReadOnly:b Options:{}",
  CinderVolumeSource: "VolumeID:s FSType:s ReadOnly:b SecretRef:?LocalObjectReference",
  CephFSVolumeSource:
    "Monitors:[]s Path:s User:s SecretFile:s SecretRef:?LocalObjectReference ReadOnly:b",
  FlockerVolumeSource: "DatasetName:s DatasetUUID:s",
  DownwardAPIVolumeSource: "Items:[]DownwardAPIVolumeFile DefaultMode:?n",
  DownwardAPIVolumeFile:
    "Path:s FieldRef:?ObjectFieldSelector ResourceFieldRef:?ResourceFieldSelector Mode:?n",
  ObjectFieldSelector: "APIVersion:s FieldPath:s",
  ResourceFieldSelector: "ContainerName:s Resource:s Divisor:*",
  FCVolumeSource: "TargetWWNs:[]s Lun:?n FSType:s ReadOnly:b WWIDs:[]s",
  AzureFileVolumeSource: "SecretName:s ShareName:s ReadOnly:b",
  ConfigMapVolumeSource: "~LocalObjectReference Items:[]KeyToPath DefaultMode:?n Optional:?b",
  VsphereVirtualDiskVolumeSource: "VolumePath:s FSType:s StoragePolicyName:s StoragePolicyID:s",
  AzureDiskVolumeSource: "DiskName:s DataDiskURI:s CachingMode:?s FSType:?s ReadOnly:?b Kind:?s",
  PhotonPersistentDiskVolumeSource: "PdID:s FSType:s",
  ProjectedVolumeSource: "Sources:[]VolumeProjection DefaultMode:?n",
  VolumeProjection:
    "Secret:?SecretProjection DownwardAPI:?DownwardAPIProjection ConfigMap:?ConfigMapProjection ServiceAccountToken:?ServiceAccountTokenProjection ClusterTrustBundle:?ClusterTrustBundleProjection PodCertificate:?PodCertificateProjection",
  SecretProjection: "~LocalObjectReference Items:[]KeyToPath Optional:?b",
  DownwardAPIProjection: "Items:[]DownwardAPIVolumeFile",
  ConfigMapProjection: "~LocalObjectReference Items:[]KeyToPath Optional:?b",
  ServiceAccountTokenProjection: "Audience:s ExpirationSeconds:n Path:s",
  ClusterTrustBundleProjection: "Name:?s SignerName:?s LabelSelector:?* Optional:?b Path:s",
  PodCertificateProjection:
    "SignerName:s KeyType:s MaxExpirationSeconds:?n CredentialBundlePath:s KeyPath:s CertificateChainPath:s UserAnnotations:{}",
  PortworxVolumeSource: "VolumeID:s FSType:s ReadOnly:b",
  ScaleIOVolumeSource:
    "Gateway:s System:s SecretRef:?LocalObjectReference SSLEnabled:b ProtectionDomain:s StoragePool:s StorageMode:s VolumeName:s FSType:s ReadOnly:b",
  StorageOSVolumeSource:
    "VolumeName:s VolumeNamespace:s FSType:s ReadOnly:b SecretRef:?LocalObjectReference",
  CSIVolumeSource:
    "Driver:s ReadOnly:?b FSType:?s VolumeAttributes:{} NodePublishSecretRef:?LocalObjectReference",
  EphemeralVolumeSource: "VolumeClaimTemplate:?PersistentVolumeClaimTemplate",
  PersistentVolumeClaimTemplate: "~meta Spec:PersistentVolumeClaimSpec",
  PersistentVolumeClaimSpec:
    "AccessModes:[]s Selector:?* Resources:VolumeResourceRequirements VolumeName:s StorageClassName:?s VolumeMode:?s DataSource:?TypedLocalObjectReference DataSourceRef:?TypedObjectReference VolumeAttributesClassName:?s",
  VolumeResourceRequirements: "Limits:{} Requests:{}",
  TypedLocalObjectReference: "APIGroup:?s Kind:s Name:s",
  TypedObjectReference: "APIGroup:?s Kind:s Name:s Namespace:?s",
  ImageVolumeSource: "Reference:s PullPolicy:s",
  Container:
    "Name:s Image:s Command:[]s Args:[]s WorkingDir:s Ports:[]ContainerPort EnvFrom:[]EnvFromSource Env:[]EnvVar Resources:ResourceRequirements ResizePolicy:[]ContainerResizePolicy RestartPolicy:?s RestartPolicyRules:[]ContainerRestartRule VolumeMounts:[]VolumeMount VolumeDevices:[]VolumeDevice LivenessProbe:?Probe ReadinessProbe:?Probe StartupProbe:?Probe Lifecycle:?Lifecycle TerminationMessagePath:s TerminationMessagePolicy:s ImagePullPolicy:s SecurityContext:?SecurityContext Stdin:b StdinOnce:b TTY:b",
  ContainerPort: "Name:s HostPort:n ContainerPort:n Protocol:s HostIP:s",
  EnvFromSource: "Prefix:s ConfigMapRef:?ConfigMapEnvSource SecretRef:?SecretEnvSource",
  ConfigMapEnvSource: "~LocalObjectReference Optional:?b",
  SecretEnvSource: "~LocalObjectReference Optional:?b",
  EnvVar: "Name:s Value:s ValueFrom:?EnvVarSource",
  EnvVarSource:
    "FieldRef:?ObjectFieldSelector ResourceFieldRef:?ResourceFieldSelector ConfigMapKeyRef:?ConfigMapKeySelector SecretKeyRef:?SecretKeySelector FileKeyRef:?FileKeySelector",
  ConfigMapKeySelector: "~LocalObjectReference Key:s Optional:?b",
  SecretKeySelector: "~LocalObjectReference Key:s Optional:?b",
  FileKeySelector: "VolumeName:s Path:s Key:s Optional:?b",
  ResourceRequirements: "Limits:{} Requests:{} Claims:[]ResourceClaim",
  ResourceClaim: "Name:s Request:s",
  ContainerResizePolicy: "ResourceName:s RestartPolicy:s",
  ContainerRestartRule: "Action:s ExitCodes:?ContainerRestartRuleOnExitCodes",
  ContainerRestartRuleOnExitCodes: "Operator:s Values:[]n",
  VolumeMount:
    "Name:s ReadOnly:b RecursiveReadOnly:?s MountPath:s SubPath:s MountPropagation:?s SubPathExpr:s",
  VolumeDevice: "Name:s DevicePath:s",
  Probe:
    "~ProbeHandler InitialDelaySeconds:n TimeoutSeconds:n PeriodSeconds:n SuccessThreshold:n FailureThreshold:n TerminationGracePeriodSeconds:?n",
  ProbeHandler:
    "Exec:?ExecAction HTTPGet:?HTTPGetAction TCPSocket:?TCPSocketAction GRPC:?GRPCAction",
  ExecAction: "Command:[]s",
  HTTPGetAction: "Path:s Port:* Host:s Scheme:s HTTPHeaders:[]HTTPHeader",
  HTTPHeader: "Name:s Value:s",
  TCPSocketAction: "Port:* Host:s",
  GRPCAction: "Port:n Service:?s",
  Lifecycle: "PostStart:?LifecycleHandler PreStop:?LifecycleHandler StopSignal:?s",
  LifecycleHandler:
    "Exec:?ExecAction HTTPGet:?HTTPGetAction TCPSocket:?TCPSocketAction Sleep:?SleepAction",
  SleepAction: "Seconds:n",
  SecurityContext:
    "Capabilities:?Capabilities Privileged:?b SELinuxOptions:?SELinuxOptions WindowsOptions:?WindowsSecurityContextOptions RunAsUser:?n RunAsGroup:?n RunAsNonRoot:?b ReadOnlyRootFilesystem:?b AllowPrivilegeEscalation:?b ProcMount:?s SeccompProfile:?SeccompProfile AppArmorProfile:?AppArmorProfile",
  Capabilities: "Add:[]s Drop:[]s",
  SELinuxOptions: "User:s Role:s Type:s Level:s",
  WindowsSecurityContextOptions:
    "GMSACredentialSpecName:?s GMSACredentialSpec:?s RunAsUserName:?s HostProcess:?b",
  SeccompProfile: "Type:s LocalhostProfile:?s",
  AppArmorProfile: "Type:s LocalhostProfile:?s",
  EphemeralContainer: "~EphemeralContainerCommon TargetContainerName:s",
  EphemeralContainerCommon:
    "Name:s Image:s Command:[]s Args:[]s WorkingDir:s Ports:[]ContainerPort EnvFrom:[]EnvFromSource Env:[]EnvVar Resources:ResourceRequirements ResizePolicy:[]ContainerResizePolicy RestartPolicy:?s RestartPolicyRules:[]ContainerRestartRule VolumeMounts:[]VolumeMount VolumeDevices:[]VolumeDevice LivenessProbe:?Probe ReadinessProbe:?Probe StartupProbe:?Probe Lifecycle:?Lifecycle TerminationMessagePath:s TerminationMessagePolicy:s ImagePullPolicy:s SecurityContext:?SecurityContext Stdin:b StdinOnce:b TTY:b",
  PodSecurityContext:
    "HostNetwork:b HostPID:b HostIPC:b ShareProcessNamespace:?b HostUsers:?b SELinuxOptions:?SELinuxOptions WindowsOptions:?WindowsSecurityContextOptions RunAsUser:?n RunAsGroup:?n RunAsNonRoot:?b SupplementalGroups:[]n SupplementalGroupsPolicy:?s FSGroup:?n FSGroupChangePolicy:?s Sysctls:[]Sysctl SeccompProfile:?SeccompProfile AppArmorProfile:?AppArmorProfile SELinuxChangePolicy:?s",
  Sysctl: "Name:s Value:s",
  Affinity: "NodeAffinity:?NodeAffinity PodAffinity:?PodAffinity PodAntiAffinity:?PodAntiAffinity",
  NodeAffinity:
    "RequiredDuringSchedulingIgnoredDuringExecution:?NodeSelector PreferredDuringSchedulingIgnoredDuringExecution:[]PreferredSchedulingTerm",
  ResourceClaimTemplateSpec: "~meta Spec:ResourceClaimSpec",
  ResourceClaimSpec: "Devices:DeviceClaim",
  DeviceClaim:
    "Requests:[]DeviceRequest Constraints:[]DeviceConstraint Config:[]DeviceClaimConfiguration",
  DeviceRequest: "Name:s Exactly:?ExactDeviceRequest FirstAvailable:[]DeviceSubRequest",
  ExactDeviceRequest:
    "DeviceClassName:s Selectors:[]DeviceSelector AllocationMode:s Count:n AdminAccess:?b Tolerations:[]DeviceToleration Capacity:?CapacityRequirements",
  DeviceSubRequest:
    "Name:s DeviceClassName:s Selectors:[]DeviceSelector AllocationMode:s Count:n Tolerations:[]DeviceToleration Capacity:?CapacityRequirements",
  CapacityRequirements: "Requests:{}",
  DeviceSelector: "CEL:?CELDeviceSelector",
  CELDeviceSelector: "Expression:s",
  DeviceConstraint: "Requests:[]s MatchAttribute:?s DistinctAttribute:?s",
  DeviceClaimConfiguration: "Requests:[]s Opaque:?OpaqueDeviceConfiguration",
  AllocationResult:
    "Devices:DeviceAllocationResult NodeSelector:?NodeSelector AllocationTimestamp:?s",
  DeviceAllocationResult:
    "Results:[]DeviceRequestAllocationResult Config:[]DeviceAllocationConfiguration",
  DeviceRequestAllocationResult:
    "Request:s Driver:s Pool:s Device:s AdminAccess:?b Tolerations:[]DeviceToleration BindingConditions:[]s BindingFailureConditions:[]s ShareID:?s ConsumedCapacity:{}",
  DeviceAllocationConfiguration: "Source:s Requests:[]s Opaque:?OpaqueDeviceConfiguration",
  OpaqueDeviceConfiguration: "Driver:s Parameters:*",
  DeviceToleration: "Key:s Operator:s Value:s Effect:s TolerationSeconds:?n",
  VolumeNodeAffinity: "Required:?NodeSelector",
  NodeSelector: "NodeSelectorTerms:[]NodeSelectorTerm",
  NodeSelectorTerm:
    "MatchExpressions:[]NodeSelectorRequirement MatchFields:[]NodeSelectorRequirement",
  NodeSelectorRequirement: "Key:s Operator:s Values:[]s",
  PreferredSchedulingTerm: "Weight:n Preference:NodeSelectorTerm",
  PodAffinity:
    "RequiredDuringSchedulingIgnoredDuringExecution:[]PodAffinityTerm PreferredDuringSchedulingIgnoredDuringExecution:[]WeightedPodAffinityTerm",
  PodAffinityTerm:
    "LabelSelector:?* Namespaces:[]s TopologyKey:s NamespaceSelector:?* MatchLabelKeys:[]s MismatchLabelKeys:[]s",
  WeightedPodAffinityTerm: "Weight:n PodAffinityTerm:PodAffinityTerm",
  PodAntiAffinity:
    "RequiredDuringSchedulingIgnoredDuringExecution:[]PodAffinityTerm PreferredDuringSchedulingIgnoredDuringExecution:[]WeightedPodAffinityTerm",
  Toleration: "Key:s Operator:s Value:s Effect:s TolerationSeconds:?n",
  HostAlias: "IP:s Hostnames:[]s",
  PodDNSConfig: "Nameservers:[]s Searches:[]s Options:[]PodDNSConfigOption",
  PodDNSConfigOption: "Name:s Value:?s",
  PodReadinessGate: "ConditionType:s",
  TopologySpreadConstraint:
    "MaxSkew:n TopologyKey:s WhenUnsatisfiable:s LabelSelector:?* MinDomains:?n NodeAffinityPolicy:?s NodeTaintsPolicy:?s MatchLabelKeys:[]s",
  PodOS: "Name:s",
  PodSchedulingGate: "Name:s",
  PodResourceClaim: "Name:s ResourceClaimName:?s ResourceClaimTemplateName:?s",
  WorkloadReference: "Name:s PodGroup:s PodGroupReplicaKey:s",
  PersistentVolumeSource:
    "GCEPersistentDisk:?GCEPersistentDiskVolumeSource AWSElasticBlockStore:?AWSElasticBlockStoreVolumeSource HostPath:?HostPathVolumeSource Glusterfs:?GlusterfsPersistentVolumeSource NFS:?NFSVolumeSource RBD:?RBDPersistentVolumeSource Quobyte:?QuobyteVolumeSource ISCSI:?ISCSIPersistentVolumeSource FlexVolume:?FlexPersistentVolumeSource Cinder:?CinderPersistentVolumeSource CephFS:?CephFSPersistentVolumeSource FC:?FCVolumeSource Flocker:?FlockerVolumeSource AzureFile:?AzureFilePersistentVolumeSource VsphereVolume:?VsphereVirtualDiskVolumeSource AzureDisk:?AzureDiskVolumeSource PhotonPersistentDisk:?PhotonPersistentDiskVolumeSource PortworxVolume:?PortworxVolumeSource ScaleIO:?ScaleIOPersistentVolumeSource Local:?LocalVolumeSource StorageOS:?StorageOSPersistentVolumeSource CSI:?CSIPersistentVolumeSource",
  GlusterfsPersistentVolumeSource: "EndpointsName:s Path:s ReadOnly:b EndpointsNamespace:?s",
  RBDPersistentVolumeSource:
    "CephMonitors:[]s RBDImage:s FSType:s RBDPool:s RadosUser:s Keyring:s SecretRef:?SecretReference ReadOnly:b",
  SecretReference: "Name:s Namespace:s",
  ISCSIPersistentVolumeSource:
    "TargetPortal:s IQN:s Lun:n ISCSIInterface:s FSType:s ReadOnly:b Portals:[]s DiscoveryCHAPAuth:b SessionCHAPAuth:b SecretRef:?SecretReference InitiatorName:?s",
  FlexPersistentVolumeSource: "Driver:s FSType:s SecretRef:?SecretReference ReadOnly:b Options:{}",
  CinderPersistentVolumeSource: "VolumeID:s FSType:s ReadOnly:b SecretRef:?SecretReference",
  CephFSPersistentVolumeSource:
    "Monitors:[]s Path:s User:s SecretFile:s SecretRef:?SecretReference ReadOnly:b",
  AzureFilePersistentVolumeSource: "SecretName:s ShareName:s ReadOnly:b SecretNamespace:?s",
  ScaleIOPersistentVolumeSource:
    "Gateway:s System:s SecretRef:?SecretReference SSLEnabled:b ProtectionDomain:s StoragePool:s StorageMode:s VolumeName:s FSType:s ReadOnly:b",
  LocalVolumeSource: "Path:s FSType:?s",
  StorageOSPersistentVolumeSource:
    "VolumeName:s VolumeNamespace:s FSType:s ReadOnly:b SecretRef:?ObjectReference",
  ObjectReference: "Kind:s Namespace:s Name:s UID:s APIVersion:s ResourceVersion:s FieldPath:s",
  CSIPersistentVolumeSource:
    "Driver:s VolumeHandle:s ReadOnly:b FSType:s VolumeAttributes:{} ControllerPublishSecretRef:?SecretReference NodeStageSecretRef:?SecretReference NodePublishSecretRef:?SecretReference ControllerExpandSecretRef:?SecretReference NodeExpandSecretRef:?SecretReference",
};
