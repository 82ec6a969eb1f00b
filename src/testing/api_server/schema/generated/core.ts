// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.
import type { StructTable } from "../../../values/mod.ts";

/** The structs of `core`. */
export const CORE: StructTable = {
  "core.AWSElasticBlockStoreVolumeSource": `
    volumeID string!*; fsType string; partition int32; readOnly bool
  `,
  "core.Affinity": `
    nodeAffinity core.NodeAffinity?; podAffinity core.PodAffinity?;
    podAntiAffinity core.PodAntiAffinity?
  `,
  "core.AppArmorProfile": `
    type core.AppArmorProfileType!* go=v1.AppArmorProfileType; localhostProfile string?
  `,
  "core.AppArmorProfileType": "enum Localhost | RuntimeDefault | Unconfined",
  "core.AttachedVolume": "name string!* go=v1.UniqueVolumeName; devicePath string!*",
  "core.AzureDataDiskCachingMode": "enum None | ReadOnly | ReadWrite",
  "core.AzureDataDiskKind": "enum Dedicated | Managed | Shared",
  "core.AzureDiskVolumeSource": `
    diskName string!*; diskURI string!*;
    cachingMode core.AzureDataDiskCachingMode? default="ReadWrite" go=v1.AzureDataDiskCachingMode;
    fsType string? default="ext4"; readOnly bool? default=false;
    kind core.AzureDataDiskKind? default="Shared" go=v1.AzureDataDiskKind
  `,
  "core.AzureFilePersistentVolumeSource": `
    secretName string!*; shareName string!*; readOnly bool; secretNamespace string!?
  `,
  "core.AzureFileVolumeSource": "secretName string!*; shareName string!*; readOnly bool",
  "core.Binding": "@object; metadata meta.ObjectMeta!; target core.ObjectReference!*",
  "core.CSIPersistentVolumeSource": `
    driver string!*; volumeHandle string!*; readOnly bool; fsType string; volumeAttributes {}string;
    controllerPublishSecretRef core.SecretReference?; nodeStageSecretRef core.SecretReference?;
    nodePublishSecretRef core.SecretReference?; controllerExpandSecretRef core.SecretReference?;
    nodeExpandSecretRef core.SecretReference?
  `,
  "core.CSIVolumeSource": `
    driver string!*; readOnly bool?; fsType string?; volumeAttributes {}string;
    nodePublishSecretRef core.LocalObjectReference?
  `,
  "core.Capabilities": `
    add []string atomic go=[]v1.Capability; drop []string atomic go=[]v1.Capability
  `,
  "core.CephFSPersistentVolumeSource": `
    monitors []string!* atomic; path string; user string; secretFile string;
    secretRef core.SecretReference?; readOnly bool
  `,
  "core.CephFSVolumeSource": `
    monitors []string!* atomic; path string; user string; secretFile string;
    secretRef core.LocalObjectReference?; readOnly bool
  `,
  "core.CinderPersistentVolumeSource": `
    volumeID string!*; fsType string; readOnly bool; secretRef core.SecretReference?
  `,
  "core.CinderVolumeSource": `
    volumeID string!*; fsType string; readOnly bool; secretRef core.LocalObjectReference?
  `,
  "core.ClaimResourceStatus": `
    enum ControllerResizeInProgress | ControllerResizeInfeasible | NodeResizeInProgress |
    NodeResizeInfeasible | NodeResizePending
  `,
  "core.ClientIPConfig": "timeoutSeconds int32?",
  "core.ClusterTrustBundleProjection": `
    name string?; signerName string?; labelSelector meta.LabelSelector?; optional bool? #5;
    path string!* #4; user int64? #6
  `,
  "core.ComponentCondition": `
    type string!* go=v1.ComponentConditionType; status string!* go=v1.ConditionStatus;
    message string; error string
  `,
  "core.ComponentStatus": `
    @object; metadata meta.ObjectMeta!; conditions []core.ComponentCondition key=type
  `,
  "core.ComponentStatusList": "@object; metadata meta.ListMeta!; items []core.ComponentStatus!*",
  "core.ConfigMap": `
    @object; metadata meta.ObjectMeta!; immutable bool? #4; data {}string #2; binaryData {}bytes
  `,
  "core.ConfigMapEnvSource": `
    name string default="" in=LocalObjectReference #1.1; optional bool? #2
  `,
  "core.ConfigMapKeySelector": `
    @atomic; name string default="" in=LocalObjectReference #1.1; key string!* #2; optional bool?
  `,
  "core.ConfigMapList": "@object; metadata meta.ListMeta!; items []core.ConfigMap!*",
  "core.ConfigMapNodeConfigSource": `
    namespace string!*; name string!*; uid string go=types.UID; resourceVersion string;
    kubeletConfigKey string!*
  `,
  "core.ConfigMapProjection": `
    name string default="" in=LocalObjectReference #1.1; items []core.KeyToPath atomic #2;
    optional bool? #4
  `,
  "core.ConfigMapVolumeSource": `
    name string default="" in=LocalObjectReference #1.1; items []core.KeyToPath atomic #2;
    defaultMode int32?; optional bool?; defaultUser int64?
  `,
  "core.Container": `
    name string!*; image string; command []string atomic; args []string atomic; workingDir string;
    ports []core.ContainerPort map=containerPort,protocol merge=containerPort;
    envFrom []core.EnvFromSource atomic #19; env []core.EnvVar key=name #7;
    resources core.ResourceRequirements!; resizePolicy []core.ContainerResizePolicy atomic #23;
    restartPolicy string? go=v1.ContainerRestartPolicy;
    restartPolicyRules []core.ContainerRestartRule atomic;
    volumeMounts []core.VolumeMount key=mountPath #9;
    volumeDevices []core.VolumeDevice key=devicePath #21; livenessProbe core.Probe? #10;
    readinessProbe core.Probe?; startupProbe core.Probe? #22; lifecycle core.Lifecycle? #12;
    terminationMessagePath string;
    terminationMessagePolicy core.TerminationMessagePolicy go=v1.TerminationMessagePolicy #20;
    imagePullPolicy core.PullPolicy go=v1.PullPolicy #14; securityContext core.SecurityContext?;
    stdin bool; stdinOnce bool; tty bool
  `,
  "core.ContainerExtendedResourceRequest": `
    containerName string!*; resourceName string!*; requestName string!*
  `,
  "core.ContainerImage": "names []string! atomic; sizeBytes int64",
  "core.ContainerPort": `
    name string; hostPort int32; containerPort int32!*;
    protocol core.Protocol default="TCP" go=v1.Protocol; hostIP string
  `,
  "core.ContainerResizePolicy": `
    resourceName string!* go=v1.ResourceName;
    restartPolicy string!* go=v1.ResourceResizeRestartPolicy
  `,
  "core.ContainerRestartRule": `
    action string* go=v1.ContainerRestartRuleAction;
    exitCodes core.ContainerRestartRuleOnExitCodes?
  `,
  "core.ContainerRestartRuleOnExitCodes": `
    operator string* go=v1.ContainerRestartRuleOnExitCodesOperator; values []int32 set
  `,
  "core.ContainerState": `
    waiting core.ContainerStateWaiting?; running core.ContainerStateRunning?;
    terminated core.ContainerStateTerminated?
  `,
  "core.ContainerStateRunning": "startedAt time!",
  "core.ContainerStateTerminated": `
    exitCode int32!*; signal int32; reason string; message string; startedAt time!;
    finishedAt time!; containerID string
  `,
  "core.ContainerStateWaiting": "reason string; message string",
  "core.ContainerStatus": `
    name string!*; state core.ContainerState!; lastState core.ContainerState!; ready bool!*;
    restartCount int32!*; image string!*; imageID string!*; containerID string; started bool?;
    allocatedResources {}quantity go=v1.ResourceList; resources core.ResourceRequirements?;
    volumeMounts []core.VolumeMountStatus key=mountPath; user core.ContainerUser?;
    allocatedResourcesStatus []core.ResourceStatus key=name; stopSignal core.Signal? go=v1.Signal
  `,
  "core.ContainerUser": "linux core.LinuxContainerUser?",
  "core.DNSPolicy": "enum ClusterFirst | ClusterFirstWithHostNet | Default | None",
  "core.DaemonEndpoint": "Port int32!*",
  "core.DownwardAPIProjection": "items []core.DownwardAPIVolumeFile atomic",
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
  "core.EndpointAddress": `
    @atomic; ip string!*; hostname string #3; nodeName string?; targetRef core.ObjectReference? #2
  `,
  "core.EndpointPort": `
    @atomic; name string; port int32!*; protocol core.Protocol go=v1.Protocol; appProtocol string?
  `,
  "core.EndpointSubset": `
    addresses []core.EndpointAddress atomic; notReadyAddresses []core.EndpointAddress atomic;
    ports []core.EndpointPort atomic
  `,
  "core.Endpoints": "@object; metadata meta.ObjectMeta!; subsets []core.EndpointSubset atomic",
  "core.EndpointsList": "@object; metadata meta.ListMeta!; items []core.Endpoints!*",
  "core.EnvFromSource": `
    prefix string; configMapRef core.ConfigMapEnvSource?; secretRef core.SecretEnvSource?
  `,
  "core.EnvVar": "name string!*; value string; valueFrom core.EnvVarSource?",
  "core.EnvVarSource": `
    fieldRef core.ObjectFieldSelector?; resourceFieldRef core.ResourceFieldSelector?;
    configMapKeyRef core.ConfigMapKeySelector?; secretKeyRef core.SecretKeySelector?;
    fileKeyRef core.FileKeySelector?
  `,
  "core.EphemeralContainer": `
    name string!* in=EphemeralContainerCommon #1.1; image string in=EphemeralContainerCommon;
    command []string atomic in=EphemeralContainerCommon;
    args []string atomic in=EphemeralContainerCommon; workingDir string in=EphemeralContainerCommon;
    ports []core.ContainerPort map=containerPort,protocol merge=containerPort
    in=EphemeralContainerCommon;
    envFrom []core.EnvFromSource atomic in=EphemeralContainerCommon #1.19;
    env []core.EnvVar key=name in=EphemeralContainerCommon #1.7;
    resources core.ResourceRequirements! in=EphemeralContainerCommon;
    resizePolicy []core.ContainerResizePolicy atomic in=EphemeralContainerCommon #1.23;
    restartPolicy string? go=v1.ContainerRestartPolicy in=EphemeralContainerCommon;
    restartPolicyRules []core.ContainerRestartRule atomic in=EphemeralContainerCommon;
    volumeMounts []core.VolumeMount key=mountPath in=EphemeralContainerCommon #1.9;
    volumeDevices []core.VolumeDevice key=devicePath in=EphemeralContainerCommon #1.21;
    livenessProbe core.Probe? in=EphemeralContainerCommon #1.10;
    readinessProbe core.Probe? in=EphemeralContainerCommon;
    startupProbe core.Probe? in=EphemeralContainerCommon #1.22;
    lifecycle core.Lifecycle? in=EphemeralContainerCommon #1.12;
    terminationMessagePath string in=EphemeralContainerCommon; terminationMessagePolicy
    core.TerminationMessagePolicy go=v1.TerminationMessagePolicy in=EphemeralContainerCommon #1.20;
    imagePullPolicy core.PullPolicy go=v1.PullPolicy in=EphemeralContainerCommon #1.14;
    securityContext core.SecurityContext? in=EphemeralContainerCommon;
    stdin bool in=EphemeralContainerCommon; stdinOnce bool in=EphemeralContainerCommon;
    tty bool in=EphemeralContainerCommon; targetContainerName string #2
  `,
  "core.EphemeralVolumeSource": "volumeClaimTemplate core.PersistentVolumeClaimTemplate?",
  "core.Event": `
    @object; metadata meta.ObjectMeta!*; involvedObject core.ObjectReference!*; reason string;
    message string; source core.EventSource!; firstTimestamp time!; lastTimestamp time!;
    count int32; type string; eventTime microTime!; series core.EventSeries?; action string;
    related core.ObjectReference?; reportingComponent string!; reportingInstance string!
  `,
  "core.EventList": "@object; metadata meta.ListMeta!; items []core.Event!*",
  "core.EventSeries": "count int32; lastObservedTime microTime!",
  "core.EventSource": "component string; host string",
  "core.EvictionResponder": "@atomic; name string!*; priority int32!?*",
  "core.ExecAction": "command []string atomic",
  "core.FCVolumeSource": `
    targetWWNs []string atomic; lun int32?; fsType string; readOnly bool; wwids []string atomic
  `,
  "core.FileKeySelector": `
    @atomic; volumeName string!*; path string!*; key string!*; optional bool? default=false
  `,
  "core.FlexPersistentVolumeSource": `
    driver string!*; fsType string; secretRef core.SecretReference?; readOnly bool;
    options {}string
  `,
  "core.FlexVolumeSource": `
    driver string!*; fsType string; secretRef core.LocalObjectReference?; readOnly bool;
    options {}string
  `,
  "core.FlockerVolumeSource": "datasetName string; datasetUUID string",
  "core.GCEPersistentDiskVolumeSource": `
    pdName string!*; fsType string; partition int32; readOnly bool
  `,
  "core.GRPCAction": `
    port int32!*; service string!? default=""; mode core.GRPCProbeMode? go=v1.GRPCProbeMode
  `,
  "core.GRPCProbeMode": "enum Plaintext | TLS",
  "core.GitRepoVolumeSource": "repository string!*; revision string; directory string",
  "core.GlusterfsPersistentVolumeSource": `
    endpoints string!*; path string!*; readOnly bool; endpointsNamespace string?
  `,
  "core.GlusterfsVolumeSource": "endpoints string!*; path string!*; readOnly bool",
  "core.HTTPGetAction": `
    path string; port intOrString!*; host string; scheme core.URIScheme go=v1.URIScheme;
    httpHeaders []core.HTTPHeader atomic; protocol core.HTTPProtocol? go=v1.HTTPProtocol
  `,
  "core.HTTPHeader": "name string!*; value string!*",
  "core.HTTPProtocol": "enum HTTP1 | HTTP2",
  "core.HostAlias": "ip string!*; hostnames []string atomic",
  "core.HostIP": "ip string!*",
  "core.HostPathType": `
    enum "" | BlockDevice | CharDevice | Directory | DirectoryOrCreate | File | FileOrCreate |
    Socket
  `,
  "core.HostPathVolumeSource": "path string!*; type core.HostPathType? go=v1.HostPathType",
  "core.IPFamily": 'enum "" | IPv4 | IPv6',
  "core.IPFamilyPolicy": "enum PreferDualStack | RequireDualStack | SingleStack",
  "core.ISCSIPersistentVolumeSource": `
    targetPortal string!*; iqn string!*; lun int32!*; iscsiInterface string default="default";
    fsType string; readOnly bool; portals []string atomic; chapAuthDiscovery bool;
    chapAuthSession bool #11; secretRef core.SecretReference? #10; initiatorName string? #12
  `,
  "core.ISCSIVolumeSource": `
    targetPortal string!*; iqn string!*; lun int32!*; iscsiInterface string default="default";
    fsType string; readOnly bool; portals []string atomic; chapAuthDiscovery bool;
    chapAuthSession bool #11; secretRef core.LocalObjectReference? #10; initiatorName string? #12
  `,
  "core.ImageVolumeSource": "reference string; pullPolicy core.PullPolicy go=v1.PullPolicy",
  "core.ImageVolumeStatus": "imageRef string*",
  "core.KeyToPath": "key string!*; path string!*; mode int32?; user int64?",
  "core.Lifecycle": `
    postStart core.LifecycleHandler?; preStop core.LifecycleHandler?;
    stopSignal core.Signal? go=v1.Signal
  `,
  "core.LifecycleHandler": `
    exec core.ExecAction?; httpGet core.HTTPGetAction?; tcpSocket core.TCPSocketAction?;
    sleep core.SleepAction?
  `,
  "core.LimitRange": "@object; metadata meta.ObjectMeta!; spec core.LimitRangeSpec!",
  "core.LimitRangeItem": `
    type string!* go=v1.LimitType; max {}quantity go=v1.ResourceList;
    min {}quantity go=v1.ResourceList; default {}quantity go=v1.ResourceList;
    defaultRequest {}quantity go=v1.ResourceList;
    maxLimitRequestRatio {}quantity go=v1.ResourceList
  `,
  "core.LimitRangeList": "@object; metadata meta.ListMeta!; items []core.LimitRange!*",
  "core.LimitRangeSpec": "limits []core.LimitRangeItem!* atomic",
  "core.LinuxContainerUser": "uid int64!*; gid int64!*; supplementalGroups []int64 atomic",
  "core.LoadBalancerIngress": `
    ip string; hostname string; ipMode string? go=v1.LoadBalancerIPMode;
    ports []core.PortStatus atomic
  `,
  "core.LoadBalancerStatus": "ingress []core.LoadBalancerIngress atomic",
  "core.LocalObjectReference": '@atomic; name string default=""',
  "core.LocalVolumeSource": "path string!*; fsType string?",
  "core.ModifyVolumeStatus": `
    targetVolumeAttributesClassName string; status core.PersistentVolumeClaimModifyVolumeStatus!*
    go=v1.PersistentVolumeClaimModifyVolumeStatus
  `,
  "core.MountPropagationMode": "enum Bidirectional | HostToContainer | None",
  "core.NFSVolumeSource": "server string!*; path string!*; readOnly bool",
  "core.Namespace": `
    @object; metadata meta.ObjectMeta!; spec core.NamespaceSpec!; status core.NamespaceStatus!
  `,
  "core.NamespaceCondition": `
    type string!* go=v1.NamespaceConditionType; status string!* go=v1.ConditionStatus;
    lastTransitionTime time! #4; reason string; message string
  `,
  "core.NamespaceList": "@object; metadata meta.ListMeta!; items []core.Namespace!*",
  "core.NamespacePhase": "enum Active | Terminating",
  "core.NamespaceSpec": "finalizers []string atomic go=[]v1.FinalizerName",
  "core.NamespaceStatus": `
    phase core.NamespacePhase go=v1.NamespacePhase; conditions []core.NamespaceCondition key=type
  `,
  "core.Node": "@object; metadata meta.ObjectMeta!; spec core.NodeSpec!; status core.NodeStatus!",
  "core.NodeAddress": "type string!* go=v1.NodeAddressType; address string!*",
  "core.NodeAffinity": `
    requiredDuringSchedulingIgnoredDuringExecution core.NodeSelector?;
    preferredDuringSchedulingIgnoredDuringExecution []core.PreferredSchedulingTerm atomic
  `,
  "core.NodeAllocatableMappedResources": "name string!* go=v1.ResourceName; quantity quantity!?*",
  "core.NodeAllocatableOverheadResources": `
    name string!* go=v1.ResourceName; perPod quantity?; perContainer quantity?
  `,
  "core.NodeAllocatableResourceClaimStatus": `
    resourceClaimName string!*; containers []string set;
    mapping []core.NodeAllocatableMappedResources key=name #4;
    overhead []core.NodeAllocatableOverheadResources key=name
  `,
  "core.NodeCondition": `
    type string!* go=v1.NodeConditionType; status string!* go=v1.ConditionStatus;
    lastHeartbeatTime time!; lastTransitionTime time!; reason string; message string
  `,
  "core.NodeConfigSource": "configMap core.ConfigMapNodeConfigSource? #2",
  "core.NodeConfigStatus": `
    assigned core.NodeConfigSource?; active core.NodeConfigSource?;
    lastKnownGood core.NodeConfigSource?; error string
  `,
  "core.NodeDaemonEndpoints": "kubeletEndpoint core.DaemonEndpoint!",
  "core.NodeFeatures": "supplementalGroupsPolicy bool?",
  "core.NodeInclusionPolicy": "enum Honor | Ignore",
  "core.NodeList": "@object; metadata meta.ListMeta!; items []core.Node!*",
  "core.NodePhase": "enum Pending | Running | Terminated",
  "core.NodePodPreemptionPolicy": "disableResizePreemption []string set",
  "core.NodeProxyOptions": "@object; path string",
  "core.NodeRuntimeHandler": "name string!; features core.NodeRuntimeHandlerFeatures?",
  "core.NodeRuntimeHandlerFeatures": "recursiveReadOnlyMounts bool?; userNamespaces bool?",
  "core.NodeSelector": "@atomic; nodeSelectorTerms []core.NodeSelectorTerm!* atomic",
  "core.NodeSelectorOperator": "enum DoesNotExist | Exists | Gt | In | Lt | NotIn",
  "core.NodeSelectorRequirement": `
    key string!*; operator core.NodeSelectorOperator!* go=v1.NodeSelectorOperator;
    values []string atomic
  `,
  "core.NodeSelectorTerm": `
    @atomic; matchExpressions []core.NodeSelectorRequirement atomic;
    matchFields []core.NodeSelectorRequirement atomic
  `,
  "core.NodeSpec": `
    podCIDR string; podCIDRs []string set merge #7; providerID string #3; unschedulable bool;
    taints []core.Taint atomic; configSource core.NodeConfigSource?; externalID string #2;
    podPreemptionPolicy core.NodePodPreemptionPolicy? #8
  `,
  "core.NodeStatus": `
    capacity {}quantity go=v1.ResourceList; allocatable {}quantity go=v1.ResourceList;
    phase core.NodePhase go=v1.NodePhase; conditions []core.NodeCondition key=type;
    addresses []core.NodeAddress key=type; daemonEndpoints core.NodeDaemonEndpoints!;
    nodeInfo core.NodeSystemInfo!; images []core.ContainerImage atomic;
    volumesInUse []string atomic go=[]v1.UniqueVolumeName;
    volumesAttached []core.AttachedVolume atomic; config core.NodeConfigStatus?;
    runtimeHandlers []core.NodeRuntimeHandler atomic; features core.NodeFeatures?;
    declaredFeatures []string atomic
  `,
  "core.NodeSwapStatus": "capacity int64?",
  "core.NodeSystemInfo": `
    machineID string!*; systemUUID string!*; bootID string!*; kernelVersion string!*;
    osImage string!*; containerRuntimeVersion string!*; kubeletVersion string!*;
    kubeProxyVersion string!*; operatingSystem string!*; architecture string!*;
    swap core.NodeSwapStatus?; runningInUserNamespace bool?
  `,
  "core.ObjectFieldSelector": "@atomic; apiVersion string; fieldPath string!*",
  "core.ObjectReference": `
    @atomic; kind string; namespace string; name string; uid string go=types.UID; apiVersion string;
    resourceVersion string; fieldPath string
  `,
  "core.PersistentVolume": `
    @object; metadata meta.ObjectMeta!; spec core.PersistentVolumeSpec!;
    status core.PersistentVolumeStatus!
  `,
  "core.PersistentVolumeAccessMode": `
    enum ReadOnlyMany | ReadWriteMany | ReadWriteOnce | ReadWriteOncePod
  `,
  "core.PersistentVolumeClaim": `
    @object; metadata meta.ObjectMeta!; spec core.PersistentVolumeClaimSpec!;
    status core.PersistentVolumeClaimStatus!
  `,
  "core.PersistentVolumeClaimCondition": `
    type string!* go=v1.PersistentVolumeClaimConditionType; status string!* go=v1.ConditionStatus;
    lastProbeTime time!; lastTransitionTime time!; reason string; message string
  `,
  "core.PersistentVolumeClaimList": `
    @object; metadata meta.ListMeta!; items []core.PersistentVolumeClaim!*
  `,
  "core.PersistentVolumeClaimModifyVolumeStatus": "enum InProgress | Infeasible | Pending",
  "core.PersistentVolumeClaimPhase": "enum Bound | Lost | Pending",
  "core.PersistentVolumeClaimSpec": `
    accessModes []core.PersistentVolumeAccessMode atomic go=[]v1.PersistentVolumeAccessMode;
    selector meta.LabelSelector? #4; resources core.VolumeResourceRequirements! #2;
    volumeName string; storageClassName string? #5;
    volumeMode core.PersistentVolumeMode? go=v1.PersistentVolumeMode;
    dataSource core.TypedLocalObjectReference?; dataSourceRef core.TypedObjectReference?;
    volumeAttributesClassName string?
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
  "core.PersistentVolumeClaimTemplate": `
    metadata meta.ObjectMeta!; spec core.PersistentVolumeClaimSpec!*
  `,
  "core.PersistentVolumeClaimVolumeSource": "claimName string!*; readOnly bool",
  "core.PersistentVolumeList": "@object; metadata meta.ListMeta!; items []core.PersistentVolume!*",
  "core.PersistentVolumeMode": "enum Block | Filesystem",
  "core.PersistentVolumePhase": "enum Available | Bound | Failed | Pending | Released",
  "core.PersistentVolumeReclaimPolicy": "enum Delete | Recycle | Retain",
  "core.PersistentVolumeSpec": `
    capacity {}quantity go=v1.ResourceList;
    gcePersistentDisk core.GCEPersistentDiskVolumeSource? in=PersistentVolumeSource #2.1;
    awsElasticBlockStore core.AWSElasticBlockStoreVolumeSource? in=PersistentVolumeSource;
    hostPath core.HostPathVolumeSource? in=PersistentVolumeSource;
    glusterfs core.GlusterfsPersistentVolumeSource? in=PersistentVolumeSource;
    nfs core.NFSVolumeSource? in=PersistentVolumeSource;
    rbd core.RBDPersistentVolumeSource? in=PersistentVolumeSource;
    iscsi core.ISCSIPersistentVolumeSource? in=PersistentVolumeSource;
    cinder core.CinderPersistentVolumeSource? in=PersistentVolumeSource;
    cephfs core.CephFSPersistentVolumeSource? in=PersistentVolumeSource;
    fc core.FCVolumeSource? in=PersistentVolumeSource;
    flocker core.FlockerVolumeSource? in=PersistentVolumeSource;
    flexVolume core.FlexPersistentVolumeSource? in=PersistentVolumeSource;
    azureFile core.AzureFilePersistentVolumeSource? in=PersistentVolumeSource;
    vsphereVolume core.VsphereVirtualDiskVolumeSource? in=PersistentVolumeSource;
    quobyte core.QuobyteVolumeSource? in=PersistentVolumeSource;
    azureDisk core.AzureDiskVolumeSource? in=PersistentVolumeSource;
    photonPersistentDisk core.PhotonPersistentDiskVolumeSource? in=PersistentVolumeSource;
    portworxVolume core.PortworxVolumeSource? in=PersistentVolumeSource;
    scaleIO core.ScaleIOPersistentVolumeSource? in=PersistentVolumeSource;
    local core.LocalVolumeSource? in=PersistentVolumeSource;
    storageos core.StorageOSPersistentVolumeSource? in=PersistentVolumeSource;
    csi core.CSIPersistentVolumeSource? in=PersistentVolumeSource;
    accessModes []core.PersistentVolumeAccessMode atomic go=[]v1.PersistentVolumeAccessMode #3;
    claimRef core.ObjectReference? granular; persistentVolumeReclaimPolicy
    core.PersistentVolumeReclaimPolicy go=v1.PersistentVolumeReclaimPolicy; storageClassName string;
    mountOptions []string atomic; volumeMode core.PersistentVolumeMode? go=v1.PersistentVolumeMode;
    nodeAffinity core.VolumeNodeAffinity?; volumeAttributesClassName string?
  `,
  "core.PersistentVolumeStatus": `
    phase core.PersistentVolumePhase go=v1.PersistentVolumePhase; message string; reason string;
    lastPhaseTransitionTime time?
  `,
  "core.PhotonPersistentDiskVolumeSource": "pdID string!*; fsType string",
  "core.Pod": "@object; metadata meta.ObjectMeta!; spec core.PodSpec!; status core.PodStatus!",
  "core.PodAffinity": `
    requiredDuringSchedulingIgnoredDuringExecution []core.PodAffinityTerm atomic;
    preferredDuringSchedulingIgnoredDuringExecution []core.WeightedPodAffinityTerm atomic
  `,
  "core.PodAffinityTerm": `
    labelSelector meta.LabelSelector?; namespaces []string atomic; topologyKey string!*;
    namespaceSelector meta.LabelSelector?; matchLabelKeys []string atomic;
    mismatchLabelKeys []string atomic
  `,
  "core.PodAntiAffinity": `
    requiredDuringSchedulingIgnoredDuringExecution []core.PodAffinityTerm atomic;
    preferredDuringSchedulingIgnoredDuringExecution []core.WeightedPodAffinityTerm atomic
  `,
  "core.PodAttachOptions": `
    @object; stdin bool; stdout bool; stderr bool; tty bool; container string
  `,
  "core.PodCertificateProjection": `
    signerName string*; keyType string*; maxExpirationSeconds int32?; credentialBundlePath string;
    keyPath string; certificateChainPath string; userAnnotations {}string; user int64?
  `,
  "core.PodCondition": `
    type string!* go=v1.PodConditionType; observedGeneration int64 #7;
    status string!* go=v1.ConditionStatus #2; lastProbeTime time!; lastTransitionTime time!;
    reason string; message string
  `,
  "core.PodDNSConfig": `
    nameservers []string atomic; searches []string atomic; options []core.PodDNSConfigOption atomic
  `,
  "core.PodDNSConfigOption": "name string; value string?",
  "core.PodExecOptions": `
    @object; stdin bool; stdout bool; stderr bool; tty bool; container string;
    command []string!* atomic
  `,
  "core.PodExtendedResourceClaimStatus": `
    requestMappings []core.ContainerExtendedResourceRequest!* atomic; resourceClaimName string!*
  `,
  "core.PodFSGroupChangePolicy": "enum Always | OnRootMismatch",
  "core.PodIP": "ip string!*",
  "core.PodList": "@object; metadata meta.ListMeta!; items []core.Pod!*",
  "core.PodLogOptions": `
    @object; container string; follow bool; previous bool; sinceSeconds int64?; sinceTime time?;
    timestamps bool; tailLines int64?; limitBytes int64?; insecureSkipTLSVerifyBackend bool;
    stream string?
  `,
  "core.PodOS": "name string!* go=v1.OSName",
  "core.PodPhase": "enum Failed | Pending | Running | Succeeded | Unknown",
  "core.PodPortForwardOptions": "@object; ports []int32 atomic",
  "core.PodProxyOptions": "@object; path string",
  "core.PodQOSClass": "enum BestEffort | Burstable | Guaranteed",
  "core.PodReadinessGate": "conditionType string!* go=v1.PodConditionType",
  "core.PodResourceClaim": `
    name string!*; resourceClaimName string? #3; resourceClaimTemplateName string?
  `,
  "core.PodResourceClaimStatus": "name string!*; resourceClaimName string?",
  "core.PodSchedulingGate": "name string!*",
  "core.PodSchedulingGroup": "podGroupName string?",
  "core.PodSecurityContext": `
    seLinuxOptions core.SELinuxOptions?; windowsOptions core.WindowsSecurityContextOptions? #8;
    runAsUser int64? #2; runAsGroup int64? #6; runAsNonRoot bool? #3;
    supplementalGroups []int64 atomic;
    supplementalGroupsPolicy core.SupplementalGroupsPolicy? go=v1.SupplementalGroupsPolicy #12;
    fsGroup int64? #5; sysctls []core.Sysctl atomic #7;
    fsGroupChangePolicy core.PodFSGroupChangePolicy? go=v1.PodFSGroupChangePolicy #9;
    seccompProfile core.SeccompProfile?; appArmorProfile core.AppArmorProfile?;
    seLinuxChangePolicy string? go=v1.PodSELinuxChangePolicy #13
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
  "core.PodTemplate": "@object; metadata meta.ObjectMeta!; template core.PodTemplateSpec!",
  "core.PodTemplateList": "@object; metadata meta.ListMeta!; items []core.PodTemplate!*",
  "core.PodTemplateSpec": "metadata meta.ObjectMeta!; spec core.PodSpec!",
  "core.PodVolumeHealth": `
    name string!*; healthConditions []core.VolumeHealthCondition map=status,reason merge=status;
    lastTransitionTime time!
  `,
  "core.PortStatus": "port int32!*; protocol core.Protocol!* go=v1.Protocol; error string?",
  "core.PortworxVolumeSource": "volumeID string!*; fsType string; readOnly bool",
  "core.PreemptionPolicy": "enum Never | PreemptLowerPriority",
  "core.PreferredSchedulingTerm": "weight int32!*; preference core.NodeSelectorTerm!*",
  "core.Probe": `
    exec core.ExecAction? in=ProbeHandler #1.1; httpGet core.HTTPGetAction? in=ProbeHandler;
    tcpSocket core.TCPSocketAction? in=ProbeHandler; grpc core.GRPCAction? in=ProbeHandler;
    initialDelaySeconds int32 #2; timeoutSeconds int32; periodSeconds int32; successThreshold int32;
    failureThreshold int32; terminationGracePeriodSeconds int64?
  `,
  "core.ProcMountType": "enum Default | Unmasked",
  "core.ProjectedVolumeSource": `
    sources []core.VolumeProjection! atomic; defaultMode int32?; defaultUser int64?
  `,
  "core.Protocol": "enum SCTP | TCP | UDP",
  "core.PullPolicy": "enum Always | IfNotPresent | Never",
  "core.QuobyteVolumeSource": `
    registry string!*; volume string!*; readOnly bool; user string; group string; tenant string
  `,
  "core.RBDPersistentVolumeSource": `
    monitors []string!* atomic; image string!*; fsType string; pool string default="rbd";
    user string default="admin"; keyring string default="/etc/ceph/keyring";
    secretRef core.SecretReference?; readOnly bool
  `,
  "core.RBDVolumeSource": `
    monitors []string!* atomic; image string!*; fsType string; pool string default="rbd";
    user string default="admin"; keyring string default="/etc/ceph/keyring";
    secretRef core.LocalObjectReference?; readOnly bool
  `,
  "core.RangeAllocation": "@object; metadata meta.ObjectMeta!; range string!*; data bytes!*",
  "core.ReplicationController": `
    @object; metadata meta.ObjectMeta!; spec core.ReplicationControllerSpec!;
    status core.ReplicationControllerStatus!
  `,
  "core.ReplicationControllerCondition": `
    type string!* go=v1.ReplicationControllerConditionType; status string!* go=v1.ConditionStatus;
    lastTransitionTime time!; reason string; message string
  `,
  "core.ReplicationControllerList": `
    @object; metadata meta.ListMeta!; items []core.ReplicationController!*
  `,
  "core.ReplicationControllerSpec": `
    replicas int32? default=1; minReadySeconds int32 default=0 #4; selector {}string atomic #2;
    template core.PodTemplateSpec?
  `,
  "core.ReplicationControllerStatus": `
    replicas int32!*; fullyLabeledReplicas int32; readyReplicas int32 #4; availableReplicas int32;
    observedGeneration int64 #3; conditions []core.ReplicationControllerCondition key=type #6
  `,
  "core.ResourceClaim": "name string!*; request string",
  "core.ResourceFieldSelector": `
    @atomic; containerName string; resource string!*; divisor quantity!
  `,
  "core.ResourceHealth": `
    resourceID string!* go=v1.ResourceID; health string go=v1.ResourceHealthStatus;
    message string? #6
  `,
  "core.ResourceQuota": `
    @object; metadata meta.ObjectMeta!; spec core.ResourceQuotaSpec!;
    status core.ResourceQuotaStatus!
  `,
  "core.ResourceQuotaList": "@object; metadata meta.ListMeta!; items []core.ResourceQuota!*",
  "core.ResourceQuotaScope": `
    enum BestEffort | CrossNamespacePodAffinity | NotBestEffort | NotTerminating | PriorityClass |
    Terminating | VolumeAttributesClass
  `,
  "core.ResourceQuotaSpec": `
    hard {}quantity go=v1.ResourceList;
    scopes []core.ResourceQuotaScope atomic go=[]v1.ResourceQuotaScope;
    scopeSelector core.ScopeSelector?
  `,
  "core.ResourceQuotaStatus": `
    hard {}quantity go=v1.ResourceList; used {}quantity go=v1.ResourceList
  `,
  "core.ResourceRequirements": `
    limits {}quantity go=v1.ResourceList; requests {}quantity go=v1.ResourceList;
    claims []core.ResourceClaim map=name
  `,
  "core.ResourceStatus": `
    name string!* go=v1.ResourceName; resources []core.ResourceHealth map=resourceID
  `,
  "core.RestartPolicy": "enum Always | Never | OnFailure",
  "core.SELinuxOptions": "user string; role string; type string; level string",
  "core.ScaleIOPersistentVolumeSource": `
    gateway string!*; system string!*; secretRef core.SecretReference!?*; sslEnabled bool;
    protectionDomain string; storagePool string; storageMode string default="ThinProvisioned";
    volumeName string; fsType string default="xfs"; readOnly bool
  `,
  "core.ScaleIOVolumeSource": `
    gateway string!*; system string!*; secretRef core.LocalObjectReference!?*; sslEnabled bool;
    protectionDomain string; storagePool string; storageMode string default="ThinProvisioned";
    volumeName string; fsType string default="xfs"; readOnly bool
  `,
  "core.ScopeSelector": `
    @atomic; matchExpressions []core.ScopedResourceSelectorRequirement atomic
  `,
  "core.ScopeSelectorOperator": "enum DoesNotExist | Exists | In | NotIn",
  "core.ScopedResourceSelectorRequirement": `
    scopeName core.ResourceQuotaScope!* go=v1.ResourceQuotaScope;
    operator core.ScopeSelectorOperator!* go=v1.ScopeSelectorOperator; values []string atomic
  `,
  "core.SeccompProfile": `
    type core.SeccompProfileType!* go=v1.SeccompProfileType; localhostProfile string?
  `,
  "core.SeccompProfileType": "enum Localhost | RuntimeDefault | Unconfined",
  "core.Secret": `
    @object; metadata meta.ObjectMeta!; immutable bool? #5; data {}bytes #2; stringData {}string #4;
    type string go=v1.SecretType #3
  `,
  "core.SecretEnvSource": 'name string default="" in=LocalObjectReference #1.1; optional bool? #2',
  "core.SecretKeySelector": `
    @atomic; name string default="" in=LocalObjectReference #1.1; key string!* #2; optional bool?
  `,
  "core.SecretList": "@object; metadata meta.ListMeta!; items []core.Secret!*",
  "core.SecretProjection": `
    name string default="" in=LocalObjectReference #1.1; items []core.KeyToPath atomic #2;
    optional bool? #4
  `,
  "core.SecretReference": "@atomic; name string; namespace string",
  "core.SecretVolumeSource": `
    secretName string; items []core.KeyToPath atomic; defaultMode int32?; optional bool?;
    defaultUser int64?
  `,
  "core.SecurityContext": `
    capabilities core.Capabilities?; privileged bool?; seLinuxOptions core.SELinuxOptions?;
    windowsOptions core.WindowsSecurityContextOptions? #10; runAsUser int64? #4;
    runAsGroup int64? #8; runAsNonRoot bool? #5; readOnlyRootFilesystem bool?;
    allowPrivilegeEscalation bool?; procMount core.ProcMountType? go=v1.ProcMountType #9;
    seccompProfile core.SeccompProfile? #11; appArmorProfile core.AppArmorProfile?
  `,
  "core.SerializedReference": "@object; reference core.ObjectReference!",
  "core.Service": `
    @object; metadata meta.ObjectMeta!; spec core.ServiceSpec!; status core.ServiceStatus!
  `,
  "core.ServiceAccount": `
    @object; metadata meta.ObjectMeta!; secrets []core.ObjectReference key=name;
    imagePullSecrets []core.LocalObjectReference atomic; automountServiceAccountToken bool?
  `,
  "core.ServiceAccountList": "@object; metadata meta.ListMeta!; items []core.ServiceAccount!*",
  "core.ServiceAccountTokenProjection": `
    audience string; expirationSeconds int64?; path string!*; user int64?
  `,
  "core.ServiceAffinity": "enum ClientIP | None",
  "core.ServiceExternalTrafficPolicy": "enum Cluster | Local",
  "core.ServiceInternalTrafficPolicy": "enum Cluster | Local",
  "core.ServiceList": "@object; metadata meta.ListMeta!; items []core.Service!*",
  "core.ServicePort": `
    name string; protocol core.Protocol default="TCP" go=v1.Protocol; appProtocol string? #6;
    port int32!* #3; targetPort intOrString!; nodePort int32
  `,
  "core.ServiceProxyOptions": "@object; path string",
  "core.ServiceSpec": `
    ports []core.ServicePort map=port,protocol merge=port; selector {}string atomic;
    clusterIP string; clusterIPs []string atomic #18; type core.ServiceType go=v1.ServiceType #4;
    externalIPs []string atomic; sessionAffinity core.ServiceAffinity go=v1.ServiceAffinity #7;
    loadBalancerIP string; loadBalancerSourceRanges []string atomic; externalName string;
    externalTrafficPolicy core.ServiceExternalTrafficPolicy go=v1.ServiceExternalTrafficPolicy;
    healthCheckNodePort int32; publishNotReadyAddresses bool;
    sessionAffinityConfig core.SessionAffinityConfig?;
    ipFamilies []core.IPFamily atomic go=[]v1.IPFamily #19;
    ipFamilyPolicy core.IPFamilyPolicy? go=v1.IPFamilyPolicy #17;
    allocateLoadBalancerNodePorts bool? #20; loadBalancerClass string?;
    internalTrafficPolicy core.ServiceInternalTrafficPolicy? go=v1.ServiceInternalTrafficPolicy;
    trafficDistribution string?
  `,
  "core.ServiceStatus": `
    loadBalancer core.LoadBalancerStatus!; conditions []meta.Condition key=type
  `,
  "core.ServiceType": "enum ClusterIP | ExternalName | LoadBalancer | NodePort",
  "core.SessionAffinityConfig": "clientIP core.ClientIPConfig?",
  "core.Signal": `
    enum SIGABRT | SIGALRM | SIGBUS | SIGCHLD | SIGCLD | SIGCONT | SIGFPE | SIGHUP | SIGILL | SIGINT
    | SIGIO | SIGIOT | SIGKILL | SIGPIPE | SIGPOLL | SIGPROF | SIGPWR | SIGQUIT | SIGRTMAX |
    SIGRTMAX-1 | SIGRTMAX-10 | SIGRTMAX-11 | SIGRTMAX-12 | SIGRTMAX-13 | SIGRTMAX-14 | SIGRTMAX-2 |
    SIGRTMAX-3 | SIGRTMAX-4 | SIGRTMAX-5 | SIGRTMAX-6 | SIGRTMAX-7 | SIGRTMAX-8 | SIGRTMAX-9 |
    SIGRTMIN | SIGRTMIN+1 | SIGRTMIN+10 | SIGRTMIN+11 | SIGRTMIN+12 | SIGRTMIN+13 | SIGRTMIN+14 |
    SIGRTMIN+15 | SIGRTMIN+2 | SIGRTMIN+3 | SIGRTMIN+4 | SIGRTMIN+5 | SIGRTMIN+6 | SIGRTMIN+7 |
    SIGRTMIN+8 | SIGRTMIN+9 | SIGSEGV | SIGSTKFLT | SIGSTOP | SIGSYS | SIGTERM | SIGTRAP | SIGTSTP |
    SIGTTIN | SIGTTOU | SIGURG | SIGUSR1 | SIGUSR2 | SIGVTALRM | SIGWINCH | SIGXCPU | SIGXFSZ
  `,
  "core.SleepAction": "seconds int64!*",
  "core.StorageOSPersistentVolumeSource": `
    volumeName string; volumeNamespace string; fsType string; readOnly bool;
    secretRef core.ObjectReference?
  `,
  "core.StorageOSVolumeSource": `
    volumeName string; volumeNamespace string; fsType string; readOnly bool;
    secretRef core.LocalObjectReference?
  `,
  "core.SupplementalGroupsPolicy": "enum Merge | Strict",
  "core.Sysctl": "name string!*; value string!*",
  "core.TCPSocketAction": "port intOrString!*; host string",
  "core.Taint": `
    key string!*; value string; effect core.TaintEffect!* go=v1.TaintEffect; timeAdded time?
  `,
  "core.TaintEffect": "enum NoExecute | NoSchedule | PreferNoSchedule",
  "core.TerminationMessagePolicy": "enum FallbackToLogsOnError | File",
  "core.Toleration": `
    key string; operator core.TolerationOperator go=v1.TolerationOperator; value string;
    effect core.TaintEffect go=v1.TaintEffect; tolerationSeconds int64?
  `,
  "core.TolerationOperator": "enum Equal | Exists | Gt | Lt",
  "core.TopologySelectorLabelRequirement": "key string!*; values []string!* atomic",
  "core.TopologySelectorTerm": `
    @atomic; matchLabelExpressions []core.TopologySelectorLabelRequirement atomic
  `,
  "core.TopologySpreadConstraint": `
    maxSkew int32!*; topologyKey string!*;
    whenUnsatisfiable core.UnsatisfiableConstraintAction!* go=v1.UnsatisfiableConstraintAction;
    labelSelector meta.LabelSelector?; minDomains int32?;
    nodeAffinityPolicy core.NodeInclusionPolicy? go=v1.NodeInclusionPolicy;
    nodeTaintsPolicy core.NodeInclusionPolicy? go=v1.NodeInclusionPolicy;
    matchLabelKeys []string atomic
  `,
  "core.TypedLocalObjectReference": "@atomic; apiGroup string!?; kind string!*; name string!*",
  "core.TypedObjectReference": `
    apiGroup string!?; kind string!*; name string!*; namespace string?
  `,
  "core.URIScheme": "enum HTTP | HTTPS",
  "core.UnsatisfiableConstraintAction": "enum DoNotSchedule | ScheduleAnyway",
  "core.Volume": `
    name string!*; hostPath core.HostPathVolumeSource? in=VolumeSource #2.1;
    emptyDir core.EmptyDirVolumeSource? in=VolumeSource;
    gcePersistentDisk core.GCEPersistentDiskVolumeSource? in=VolumeSource;
    awsElasticBlockStore core.AWSElasticBlockStoreVolumeSource? in=VolumeSource;
    gitRepo core.GitRepoVolumeSource? in=VolumeSource;
    secret core.SecretVolumeSource? in=VolumeSource; nfs core.NFSVolumeSource? in=VolumeSource;
    iscsi core.ISCSIVolumeSource? in=VolumeSource;
    glusterfs core.GlusterfsVolumeSource? in=VolumeSource;
    persistentVolumeClaim core.PersistentVolumeClaimVolumeSource? in=VolumeSource;
    rbd core.RBDVolumeSource? in=VolumeSource; flexVolume core.FlexVolumeSource? in=VolumeSource;
    cinder core.CinderVolumeSource? in=VolumeSource;
    cephfs core.CephFSVolumeSource? in=VolumeSource;
    flocker core.FlockerVolumeSource? in=VolumeSource;
    downwardAPI core.DownwardAPIVolumeSource? in=VolumeSource;
    fc core.FCVolumeSource? in=VolumeSource; azureFile core.AzureFileVolumeSource? in=VolumeSource;
    configMap core.ConfigMapVolumeSource? in=VolumeSource;
    vsphereVolume core.VsphereVirtualDiskVolumeSource? in=VolumeSource;
    quobyte core.QuobyteVolumeSource? in=VolumeSource;
    azureDisk core.AzureDiskVolumeSource? in=VolumeSource;
    photonPersistentDisk core.PhotonPersistentDiskVolumeSource? in=VolumeSource;
    projected core.ProjectedVolumeSource? in=VolumeSource #2.26;
    portworxVolume core.PortworxVolumeSource? in=VolumeSource #2.24;
    scaleIO core.ScaleIOVolumeSource? in=VolumeSource;
    storageos core.StorageOSVolumeSource? in=VolumeSource #2.27;
    csi core.CSIVolumeSource? in=VolumeSource;
    ephemeral core.EphemeralVolumeSource? in=VolumeSource;
    image core.ImageVolumeSource? in=VolumeSource
  `,
  "core.VolumeDevice": "name string!*; devicePath string!*",
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
  "core.VolumeNodeAffinity": "required core.NodeSelector?",
  "core.VolumeProjection": `
    secret core.SecretProjection?; downwardAPI core.DownwardAPIProjection?;
    configMap core.ConfigMapProjection?; serviceAccountToken core.ServiceAccountTokenProjection?;
    clusterTrustBundle core.ClusterTrustBundleProjection?;
    podCertificate core.PodCertificateProjection?
  `,
  "core.VolumeResourceRequirements": `
    limits {}quantity go=v1.ResourceList; requests {}quantity go=v1.ResourceList
  `,
  "core.VolumeStatus": "image core.ImageVolumeStatus?",
  "core.VsphereVirtualDiskVolumeSource": `
    volumePath string!*; fsType string; storagePolicyName string; storagePolicyID string
  `,
  "core.WeightedPodAffinityTerm": "weight int32!*; podAffinityTerm core.PodAffinityTerm!*",
  "core.WindowsSecurityContextOptions": `
    gmsaCredentialSpecName string?; gmsaCredentialSpec string?; runAsUserName string?;
    hostProcess bool?
  `,
};
