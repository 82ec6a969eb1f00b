// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.
/**
 * The types of `core/v1`, and the descriptors of its resources, except the descriptors of `often.ts`.
 *
 * @module
 */

import {
  builtinResource,
  type Condition,
  type Event as MinimalEvent,
  type KubeList,
  type KubeObject,
  type LabelSelector,
  type ObjectMeta,
  type Pod as MinimalPod,
  type Resource,
} from "../../types/minimal/mod.ts";
import type { Base64, IntOrString, MicroTime, OpenEnum, Quantity, Time } from "../scalars.ts";

/** The `spec.awsElasticBlockStore` of a PersistentVolume. */
export type AWSElasticBlockStoreVolumeSource = {
  volumeID: string;
  fsType?: string;
  partition?: number;
  readOnly?: boolean;
};

/** The `spec.affinity` of a Pod. */
export type Affinity = {
  nodeAffinity?: NodeAffinity;
  podAffinity?: PodAffinity;
  podAntiAffinity?: PodAntiAffinity;
};

/** The `spec.securityContext.appArmorProfile` of a Pod. */
export type AppArmorProfile = {
  type: AppArmorProfileType;
  localhostProfile?: string;
};

/** The known values of `AppArmorProfileType`. */
export type AppArmorProfileType = OpenEnum<"Localhost" | "RuntimeDefault" | "Unconfined">;

/** The `status.volumesAttached[]` of a Node. */
export type AttachedVolume = {
  name: string;
  devicePath: string;
};

/** The known values of `AzureDataDiskCachingMode`. */
export type AzureDataDiskCachingMode = OpenEnum<"None" | "ReadOnly" | "ReadWrite">;

/** The known values of `AzureDataDiskKind`. */
export type AzureDataDiskKind = OpenEnum<"Dedicated" | "Managed" | "Shared">;

/** The `spec.azureDisk` of a PersistentVolume. */
export type AzureDiskVolumeSource = {
  diskName: string;
  diskURI: string;
  /** Default `"ReadWrite"`. */
  cachingMode?: AzureDataDiskCachingMode;
  /** Default `"ext4"`. */
  fsType?: string;
  /** Default `false`. */
  readOnly?: boolean;
  /** Default `"Shared"`. */
  kind?: AzureDataDiskKind;
};

/** The `spec.azureFile` of a PersistentVolume. */
export type AzureFilePersistentVolumeSource = {
  secretName: string;
  shareName: string;
  readOnly?: boolean;
  secretNamespace?: string | null;
};

/** The `spec.volumes[].azureFile` of a Pod. */
export type AzureFileVolumeSource = {
  secretName: string;
  shareName: string;
  readOnly?: boolean;
};

/** A Binding of `v1`. */
export interface Binding extends KubeObject {
  /** The `target` of a Binding. */
  target: ObjectReference;
}

/** The `spec.csi` of a PersistentVolume. */
export type CSIPersistentVolumeSource = {
  driver: string;
  volumeHandle: string;
  readOnly?: boolean;
  fsType?: string;
  volumeAttributes?: Record<string, string>;
  controllerPublishSecretRef?: SecretReference;
  nodeStageSecretRef?: SecretReference;
  nodePublishSecretRef?: SecretReference;
  controllerExpandSecretRef?: SecretReference;
  nodeExpandSecretRef?: SecretReference;
};

/** The `spec.volumes[].csi` of a Pod. */
export type CSIVolumeSource = {
  driver: string;
  readOnly?: boolean;
  fsType?: string;
  volumeAttributes?: Record<string, string>;
  nodePublishSecretRef?: LocalObjectReference;
};

/** The `spec.initContainers[].securityContext.capabilities` of a Pod. */
export type Capabilities = {
  add?: string[];
  drop?: string[];
};

/** The `spec.cephfs` of a PersistentVolume. */
export type CephFSPersistentVolumeSource = {
  monitors: string[];
  path?: string;
  user?: string;
  secretFile?: string;
  secretRef?: SecretReference;
  readOnly?: boolean;
};

/** The `spec.volumes[].cephfs` of a Pod. */
export type CephFSVolumeSource = {
  monitors: string[];
  path?: string;
  user?: string;
  secretFile?: string;
  secretRef?: LocalObjectReference;
  readOnly?: boolean;
};

/** The `spec.cinder` of a PersistentVolume. */
export type CinderPersistentVolumeSource = {
  volumeID: string;
  fsType?: string;
  readOnly?: boolean;
  secretRef?: SecretReference;
};

/** The `spec.volumes[].cinder` of a Pod. */
export type CinderVolumeSource = {
  volumeID: string;
  fsType?: string;
  readOnly?: boolean;
  secretRef?: LocalObjectReference;
};

/** The known values of `ClaimResourceStatus`. */
export type ClaimResourceStatus = OpenEnum<
  | "ControllerResizeInProgress"
  | "ControllerResizeInfeasible"
  | "NodeResizeInProgress"
  | "NodeResizeInfeasible"
  | "NodeResizePending"
>;

/** The `spec.sessionAffinityConfig.clientIP` of a Service. */
export type ClientIPConfig = {
  timeoutSeconds?: number;
};

/** The `spec.volumes[].projected.sources[].clusterTrustBundle` of a Pod. */
export type ClusterTrustBundleProjection = {
  name?: string;
  signerName?: string;
  labelSelector?: LabelSelector;
  optional?: boolean;
  path: string;
  /** Since Kubernetes 1.37. */
  user?: number;
};

/** The `conditions[]` of a ComponentStatus. */
export type ComponentCondition = {
  type: ComponentConditionType;
  status: ConditionStatus;
  message?: string;
  error?: string;
};

/** The known values of `ComponentConditionType`. */
export type ComponentConditionType = OpenEnum<"Healthy">;

/** A ComponentStatus of `v1`. */
export interface ComponentStatus extends KubeObject {
  /** The `conditions` of a ComponentStatus. */
  conditions?: ComponentCondition[];
}

/** A list of ComponentStatuses. */
export type ComponentStatusList = KubeList<ComponentStatus>;

/** All values of `ConditionStatus`. */
export type ConditionStatus = "False" | "True" | "Unknown";

/** A ConfigMap of `v1`. */
export interface ConfigMap extends KubeObject {
  /** The `immutable` of a ConfigMap. */
  immutable?: boolean;
  /** The `data` of a ConfigMap. */
  data?: Record<string, string>;
  /** The `binaryData` of a ConfigMap. */
  binaryData?: Record<string, Base64>;
}

/** The `spec.initContainers[].envFrom[].configMapRef` of a Pod. */
export type ConfigMapEnvSource = {
  /** Default `""`. */
  name?: string;
  optional?: boolean;
};

/** The `spec.initContainers[].env[].valueFrom.configMapKeyRef` of a Pod. */
export type ConfigMapKeySelector = {
  /** Default `""`. */
  name?: string;
  key: string;
  optional?: boolean;
};

/** A list of ConfigMaps. */
export type ConfigMapList = KubeList<ConfigMap>;

/** The `spec.configSource.configMap` of a Node. */
export type ConfigMapNodeConfigSource = {
  namespace: string;
  name: string;
  uid?: string;
  resourceVersion?: string;
  kubeletConfigKey: string;
};

/** The `spec.volumes[].projected.sources[].configMap` of a Pod. */
export type ConfigMapProjection = {
  /** Default `""`. */
  name?: string;
  items?: KeyToPath[];
  optional?: boolean;
};

/** The `spec.volumes[].configMap` of a Pod. */
export type ConfigMapVolumeSource = {
  /** Default `""`. */
  name?: string;
  items?: KeyToPath[];
  defaultMode?: number;
  optional?: boolean;
  /** Since Kubernetes 1.37. */
  defaultUser?: number;
};

/** The `spec.initContainers[]` of a Pod. */
export type Container = {
  name: string;
  image?: string;
  command?: string[];
  args?: string[];
  workingDir?: string;
  ports?: ContainerPort[];
  envFrom?: EnvFromSource[];
  env?: EnvVar[];
  resources?: ResourceRequirements;
  resizePolicy?: ContainerResizePolicy[];
  restartPolicy?: ContainerRestartPolicy;
  restartPolicyRules?: ContainerRestartRule[];
  volumeMounts?: VolumeMount[];
  volumeDevices?: VolumeDevice[];
  livenessProbe?: Probe;
  readinessProbe?: Probe;
  startupProbe?: Probe;
  lifecycle?: Lifecycle;
  terminationMessagePath?: string;
  terminationMessagePolicy?: TerminationMessagePolicy;
  imagePullPolicy?: PullPolicy;
  securityContext?: SecurityContext;
  stdin?: boolean;
  stdinOnce?: boolean;
  tty?: boolean;
};

/** The `status.extendedResourceClaimStatus.requestMappings[]` of a Pod. */
export type ContainerExtendedResourceRequest = {
  containerName: string;
  resourceName: string;
  requestName: string;
};

/** The `status.images[]` of a Node. */
export type ContainerImage = {
  names?: string[] | null;
  sizeBytes?: number;
};

/** The `spec.initContainers[].ports[]` of a Pod. */
export type ContainerPort = {
  name?: string;
  hostPort?: number;
  containerPort: number;
  /** Default `"TCP"`. */
  protocol?: Protocol;
  hostIP?: string;
};

/** The `spec.initContainers[].resizePolicy[]` of a Pod. */
export type ContainerResizePolicy = {
  resourceName: ResourceName;
  restartPolicy: ResourceResizeRestartPolicy;
};

/** The known values of `ContainerRestartPolicy`. */
export type ContainerRestartPolicy = OpenEnum<"Always" | "Never" | "OnFailure">;

/** The `spec.initContainers[].restartPolicyRules[]` of a Pod. */
export type ContainerRestartRule = {
  action: ContainerRestartRuleAction;
  exitCodes?: ContainerRestartRuleOnExitCodes;
};

/** The known values of `ContainerRestartRuleAction`. */
export type ContainerRestartRuleAction = OpenEnum<"Restart" | "RestartAllContainers">;

/** The `spec.initContainers[].restartPolicyRules[].exitCodes` of a Pod. */
export type ContainerRestartRuleOnExitCodes = {
  operator: ContainerRestartRuleOnExitCodesOperator;
  values?: number[];
};

/** The known values of `ContainerRestartRuleOnExitCodesOperator`. */
export type ContainerRestartRuleOnExitCodesOperator = OpenEnum<"In" | "NotIn">;

/** The `status.initContainerStatuses[].state` of a Pod. */
export type ContainerState = {
  waiting?: ContainerStateWaiting;
  running?: ContainerStateRunning;
  terminated?: ContainerStateTerminated;
};

/** The `status.initContainerStatuses[].state.running` of a Pod. */
export type ContainerStateRunning = {
  startedAt?: Time | null;
};

/** The `status.initContainerStatuses[].state.terminated` of a Pod. */
export type ContainerStateTerminated = {
  exitCode: number;
  signal?: number;
  reason?: string;
  message?: string;
  startedAt?: Time | null;
  finishedAt?: Time | null;
  containerID?: string;
};

/** The `status.initContainerStatuses[].state.waiting` of a Pod. */
export type ContainerStateWaiting = {
  reason?: string;
  message?: string;
};

/** The `status.initContainerStatuses[]` of a Pod. */
export type ContainerStatus = {
  name: string;
  state?: ContainerState;
  lastState?: ContainerState;
  ready: boolean;
  restartCount: number;
  image?: string;
  imageID?: string;
  containerID?: string;
  started?: boolean;
  allocatedResources?: Record<string, Quantity>;
  resources?: ResourceRequirements;
  volumeMounts?: VolumeMountStatus[];
  user?: ContainerUser;
  allocatedResourcesStatus?: ResourceStatus[];
  stopSignal?: Signal;
};

/** The `status.initContainerStatuses[].user` of a Pod. */
export type ContainerUser = {
  linux?: LinuxContainerUser;
};

/** The known values of `DNSPolicy`. */
export type DNSPolicy = OpenEnum<"ClusterFirst" | "ClusterFirstWithHostNet" | "Default" | "None">;

/** The `status.daemonEndpoints.kubeletEndpoint` of a Node. */
export type DaemonEndpoint = {
  Port: number;
};

/** The `spec.volumes[].projected.sources[].downwardAPI` of a Pod. */
export type DownwardAPIProjection = {
  items?: DownwardAPIVolumeFile[];
};

/** The `spec.volumes[].downwardAPI.items[]` of a Pod. */
export type DownwardAPIVolumeFile = {
  path: string;
  fieldRef?: ObjectFieldSelector;
  resourceFieldRef?: ResourceFieldSelector;
  mode?: number;
  /** Since Kubernetes 1.37. */
  user?: number;
};

/** The `spec.volumes[].downwardAPI` of a Pod. */
export type DownwardAPIVolumeSource = {
  items?: DownwardAPIVolumeFile[];
  defaultMode?: number;
  /** Since Kubernetes 1.37. */
  defaultUser?: number;
};

/** The `spec.volumes[].emptyDir` of a Pod. */
export type EmptyDirVolumeSource = {
  medium?: StorageMedium;
  sizeLimit?: Quantity;
  /** Since Kubernetes 1.37. */
  mode?: number;
};

/** The `subsets[].addresses[]` of an Endpoints. */
export type EndpointAddress = {
  ip: string;
  hostname?: string;
  nodeName?: string;
  targetRef?: ObjectReference;
};

/** The `subsets[].ports[]` of an Endpoints. */
export type EndpointPort = {
  name?: string;
  port: number;
  protocol?: Protocol;
  appProtocol?: string;
};

/** The `subsets[]` of an Endpoints. */
export type EndpointSubset = {
  addresses?: EndpointAddress[];
  notReadyAddresses?: EndpointAddress[];
  ports?: EndpointPort[];
};

/** An Endpoints of `v1`. */
export interface Endpoints extends KubeObject {
  /** The `subsets` of an Endpoints. */
  subsets?: EndpointSubset[];
}

/** A list of Endpoints. */
export type EndpointsList = KubeList<Endpoints>;

/** The `spec.initContainers[].envFrom[]` of a Pod. */
export type EnvFromSource = {
  prefix?: string;
  configMapRef?: ConfigMapEnvSource;
  secretRef?: SecretEnvSource;
};

/** The `spec.initContainers[].env[]` of a Pod. */
export type EnvVar = {
  name: string;
  value?: string;
  valueFrom?: EnvVarSource;
};

/** The `spec.initContainers[].env[].valueFrom` of a Pod. */
export type EnvVarSource = {
  fieldRef?: ObjectFieldSelector;
  resourceFieldRef?: ResourceFieldSelector;
  configMapKeyRef?: ConfigMapKeySelector;
  secretKeyRef?: SecretKeySelector;
  fileKeyRef?: FileKeySelector;
};

/** The `spec.ephemeralContainers[]` of a Pod. */
export type EphemeralContainer = {
  name: string;
  image?: string;
  command?: string[];
  args?: string[];
  workingDir?: string;
  ports?: ContainerPort[];
  envFrom?: EnvFromSource[];
  env?: EnvVar[];
  resources?: ResourceRequirements;
  resizePolicy?: ContainerResizePolicy[];
  restartPolicy?: ContainerRestartPolicy;
  restartPolicyRules?: ContainerRestartRule[];
  volumeMounts?: VolumeMount[];
  volumeDevices?: VolumeDevice[];
  livenessProbe?: Probe;
  readinessProbe?: Probe;
  startupProbe?: Probe;
  lifecycle?: Lifecycle;
  terminationMessagePath?: string;
  terminationMessagePolicy?: TerminationMessagePolicy;
  imagePullPolicy?: PullPolicy;
  securityContext?: SecurityContext;
  stdin?: boolean;
  stdinOnce?: boolean;
  tty?: boolean;
  targetContainerName?: string;
};

/** The `spec.volumes[].ephemeral` of a Pod. */
export type EphemeralVolumeSource = {
  volumeClaimTemplate?: PersistentVolumeClaimTemplate;
};

/** An Event of `v1`. */
export interface Event extends MinimalEvent {
  /** The `involvedObject` of an Event. */
  involvedObject: ObjectReference;
  /** The `reason` of an Event. */
  reason?: string;
  /** The `message` of an Event. */
  message?: string;
  /** The `source` of an Event. */
  source?: EventSource;
  /** The `firstTimestamp` of an Event. */
  firstTimestamp?: Time | null;
  /** The `lastTimestamp` of an Event. */
  lastTimestamp?: Time | null;
  /** The `count` of an Event. */
  count?: number;
  /** The `type` of an Event. */
  type?: "Normal" | "Warning";
  /** The `eventTime` of an Event. */
  eventTime?: MicroTime | null;
  /** The `series` of an Event. */
  series?: EventSeries;
  /** The `action` of an Event. */
  action?: string;
  /** The `related` of an Event. */
  related?: ObjectReference;
  /** The `reportingComponent` of an Event. */
  reportingComponent?: string;
  /** The `reportingInstance` of an Event. */
  reportingInstance?: string;
}

/** A list of Events. */
export type EventList = KubeList<Event>;

/** The `series` of an Event. */
export type EventSeries = {
  count?: number;
  lastObservedTime?: MicroTime | null;
};

/** The `source` of an Event. */
export type EventSource = {
  component?: string;
  host?: string;
};

/** The `spec.evictionResponders[]` of a Pod. Since Kubernetes 1.37. */
export type EvictionResponder = {
  name: string;
  priority: number;
};

/** The `spec.initContainers[].livenessProbe.exec` of a Pod. */
export type ExecAction = {
  command?: string[];
};

/** The `spec.fc` of a PersistentVolume. */
export type FCVolumeSource = {
  targetWWNs?: string[];
  lun?: number;
  fsType?: string;
  readOnly?: boolean;
  wwids?: string[];
};

/** The `spec.initContainers[].env[].valueFrom.fileKeyRef` of a Pod. */
export type FileKeySelector = {
  volumeName: string;
  path: string;
  key: string;
  /** Default `false`. */
  optional?: boolean;
};

/** The known values of `FinalizerName`. */
export type FinalizerName = OpenEnum<"kubernetes">;

/** The `spec.flexVolume` of a PersistentVolume. */
export type FlexPersistentVolumeSource = {
  driver: string;
  fsType?: string;
  secretRef?: SecretReference;
  readOnly?: boolean;
  options?: Record<string, string>;
};

/** The `spec.volumes[].flexVolume` of a Pod. */
export type FlexVolumeSource = {
  driver: string;
  fsType?: string;
  secretRef?: LocalObjectReference;
  readOnly?: boolean;
  options?: Record<string, string>;
};

/** The `spec.flocker` of a PersistentVolume. */
export type FlockerVolumeSource = {
  datasetName?: string;
  datasetUUID?: string;
};

/** The `spec.gcePersistentDisk` of a PersistentVolume. */
export type GCEPersistentDiskVolumeSource = {
  pdName: string;
  fsType?: string;
  partition?: number;
  readOnly?: boolean;
};

/** The `spec.initContainers[].livenessProbe.grpc` of a Pod. */
export type GRPCAction = {
  port: number;
  /** Default `""`. */
  service?: string | null;
  /** Since Kubernetes 1.37. */
  mode?: GRPCProbeMode;
};

/** The known values of `GRPCProbeMode`. */
export type GRPCProbeMode = OpenEnum<"Plaintext" | "TLS">;

/** The `spec.volumes[].gitRepo` of a Pod. */
export type GitRepoVolumeSource = {
  repository: string;
  revision?: string;
  directory?: string;
};

/** The `spec.glusterfs` of a PersistentVolume. */
export type GlusterfsPersistentVolumeSource = {
  endpoints: string;
  path: string;
  readOnly?: boolean;
  endpointsNamespace?: string;
};

/** The `spec.volumes[].glusterfs` of a Pod. */
export type GlusterfsVolumeSource = {
  endpoints: string;
  path: string;
  readOnly?: boolean;
};

/** The `spec.initContainers[].livenessProbe.httpGet` of a Pod. */
export type HTTPGetAction = {
  path?: string;
  port: IntOrString;
  host?: string;
  scheme?: URIScheme;
  httpHeaders?: HTTPHeader[];
  /** Since Kubernetes 1.37. */
  protocol?: HTTPProtocol;
};

/** The `spec.initContainers[].livenessProbe.httpGet.httpHeaders[]` of a Pod. */
export type HTTPHeader = {
  name: string;
  value: string;
};

/** The known values of `HTTPProtocol`. */
export type HTTPProtocol = OpenEnum<"HTTP1" | "HTTP2">;

/** The `spec.hostAliases[]` of a Pod. */
export type HostAlias = {
  ip: string;
  hostnames?: string[];
};

/** The `status.hostIPs[]` of a Pod. */
export type HostIP = {
  ip: string;
};

/** The known values of `HostPathType`. */
export type HostPathType = OpenEnum<
  | ""
  | "BlockDevice"
  | "CharDevice"
  | "Directory"
  | "DirectoryOrCreate"
  | "File"
  | "FileOrCreate"
  | "Socket"
>;

/** The `spec.hostPath` of a PersistentVolume. */
export type HostPathVolumeSource = {
  path: string;
  type?: HostPathType;
};

/** The known values of `IPFamily`. */
export type IPFamily = OpenEnum<"" | "IPv4" | "IPv6">;

/** The known values of `IPFamilyPolicy`. */
export type IPFamilyPolicy = OpenEnum<"PreferDualStack" | "RequireDualStack" | "SingleStack">;

/** The `spec.iscsi` of a PersistentVolume. */
export type ISCSIPersistentVolumeSource = {
  targetPortal: string;
  iqn: string;
  lun: number;
  /** Default `"default"`. */
  iscsiInterface?: string;
  fsType?: string;
  readOnly?: boolean;
  portals?: string[];
  chapAuthDiscovery?: boolean;
  chapAuthSession?: boolean;
  secretRef?: SecretReference;
  initiatorName?: string;
};

/** The `spec.volumes[].iscsi` of a Pod. */
export type ISCSIVolumeSource = {
  targetPortal: string;
  iqn: string;
  lun: number;
  /** Default `"default"`. */
  iscsiInterface?: string;
  fsType?: string;
  readOnly?: boolean;
  portals?: string[];
  chapAuthDiscovery?: boolean;
  chapAuthSession?: boolean;
  secretRef?: LocalObjectReference;
  initiatorName?: string;
};

/** The `spec.volumes[].image` of a Pod. */
export type ImageVolumeSource = {
  reference?: string;
  pullPolicy?: PullPolicy;
};

/** The `status.initContainerStatuses[].volumeMounts[].volumeStatus.image` of a Pod. Since Kubernetes 1.36. */
export type ImageVolumeStatus = {
  imageRef: string;
};

/** The `spec.volumes[].secret.items[]` of a Pod. */
export type KeyToPath = {
  key: string;
  path: string;
  mode?: number;
  /** Since Kubernetes 1.37. */
  user?: number;
};

/** The `spec.initContainers[].lifecycle` of a Pod. */
export type Lifecycle = {
  postStart?: LifecycleHandler;
  preStop?: LifecycleHandler;
  stopSignal?: Signal;
};

/** The `spec.initContainers[].lifecycle.postStart` of a Pod. */
export type LifecycleHandler = {
  exec?: ExecAction;
  httpGet?: HTTPGetAction;
  tcpSocket?: TCPSocketAction;
  sleep?: SleepAction;
};

/** A LimitRange of `v1`. */
export interface LimitRange extends KubeObject {
  /** The `spec` of a LimitRange. */
  spec?: LimitRangeSpec;
}

/** The `spec.limits[]` of a LimitRange. */
export type LimitRangeItem = {
  type: LimitType;
  max?: Record<string, Quantity>;
  min?: Record<string, Quantity>;
  default?: Record<string, Quantity>;
  defaultRequest?: Record<string, Quantity>;
  maxLimitRequestRatio?: Record<string, Quantity>;
};

/** A list of LimitRanges. */
export type LimitRangeList = KubeList<LimitRange>;

/** The `spec` of a LimitRange. */
export type LimitRangeSpec = {
  limits: LimitRangeItem[];
};

/** The known values of `LimitType`. */
export type LimitType = OpenEnum<"Container" | "PersistentVolumeClaim" | "Pod">;

/** The `status.initContainerStatuses[].user.linux` of a Pod. */
export type LinuxContainerUser = {
  uid: number;
  gid: number;
  supplementalGroups?: number[];
};

/** The known values of `LoadBalancerIPMode`. */
export type LoadBalancerIPMode = OpenEnum<"Proxy" | "VIP">;

/** The `status.loadBalancer.ingress[]` of a Service. */
export type LoadBalancerIngress = {
  ip?: string;
  hostname?: string;
  ipMode?: LoadBalancerIPMode;
  ports?: PortStatus[];
};

/** The `status.loadBalancer` of a Service. */
export type LoadBalancerStatus = {
  ingress?: LoadBalancerIngress[];
};

/** The `imagePullSecrets[]` of a ServiceAccount. */
export type LocalObjectReference = {
  /** Default `""`. */
  name?: string;
};

/** The `spec.local` of a PersistentVolume. */
export type LocalVolumeSource = {
  path: string;
  fsType?: string;
};

/** The `status.modifyVolumeStatus` of a PersistentVolumeClaim. */
export type ModifyVolumeStatus = {
  targetVolumeAttributesClassName?: string;
  status: PersistentVolumeClaimModifyVolumeStatus;
};

/** The known values of `MountPropagationMode`. */
export type MountPropagationMode = OpenEnum<"Bidirectional" | "HostToContainer" | "None">;

/** The `spec.nfs` of a PersistentVolume. */
export type NFSVolumeSource = {
  server: string;
  path: string;
  readOnly?: boolean;
};

/** A Namespace of `v1`. */
export interface Namespace extends KubeObject {
  /** The `spec` of a Namespace. */
  spec?: NamespaceSpec;
  /** The `status` of a Namespace. */
  status?: NamespaceStatus;
}

/** The `status.conditions[]` of a Namespace. */
export type NamespaceCondition = {
  type: NamespaceConditionType;
  status: ConditionStatus;
  lastTransitionTime?: Time;
  reason?: string;
  message?: string;
};

/** The known values of `NamespaceConditionType`. */
export type NamespaceConditionType = OpenEnum<
  | "NamespaceContentRemaining"
  | "NamespaceDeletionContentFailure"
  | "NamespaceDeletionDiscoveryFailure"
  | "NamespaceDeletionGroupVersionParsingFailure"
  | "NamespaceFinalizersRemaining"
>;

/** A list of Namespaces. */
export type NamespaceList = KubeList<Namespace>;

/** All values of `NamespacePhase`. */
export type NamespacePhase = "Active" | "Terminating";

/** The `spec` of a Namespace. */
export type NamespaceSpec = {
  finalizers?: FinalizerName[];
};

/** The `status` of a Namespace. */
export type NamespaceStatus = {
  phase?: NamespacePhase;
  conditions?: NamespaceCondition[];
};

/** A Node of `v1`. */
export interface Node extends KubeObject {
  /** The `spec` of a Node. */
  spec?: NodeSpec;
  /** The `status` of a Node. */
  status?: NodeStatus;
}

/** The `status.addresses[]` of a Node. */
export type NodeAddress = {
  type: NodeAddressType;
  address: string;
};

/** The known values of `NodeAddressType`. */
export type NodeAddressType = OpenEnum<
  | "ExternalDNS"
  | "ExternalIP"
  | "Hostname"
  | "InternalDNS"
  | "InternalIP"
>;

/** The `spec.affinity.nodeAffinity` of a Pod. */
export type NodeAffinity = {
  requiredDuringSchedulingIgnoredDuringExecution?: NodeSelector;
  preferredDuringSchedulingIgnoredDuringExecution?: PreferredSchedulingTerm[];
};

/** The `status.nodeAllocatableResourceClaimStatuses[].mapping[]` of a Pod. Since Kubernetes 1.37. */
export type NodeAllocatableMappedResources = {
  name: ResourceName;
  quantity: Quantity;
};

/** The `status.nodeAllocatableResourceClaimStatuses[].overhead[]` of a Pod. Since Kubernetes 1.37. */
export type NodeAllocatableOverheadResources = {
  name: ResourceName;
  perPod?: Quantity;
  perContainer?: Quantity;
};

/** The `status.nodeAllocatableResourceClaimStatuses[]` of a Pod. Since Kubernetes 1.36. */
export type NodeAllocatableResourceClaimStatus = {
  resourceClaimName: string;
  containers?: string[];
  /** Since Kubernetes 1.37. */
  mapping?: NodeAllocatableMappedResources[];
  /** Since Kubernetes 1.37. */
  overhead?: NodeAllocatableOverheadResources[];
  /** @deprecated Kubernetes 1.36 is the last version that has it. */
  resources: Record<string, Quantity>;
};

/** The `status.conditions[]` of a Node. */
export type NodeCondition = {
  type: NodeConditionType;
  status: ConditionStatus;
  lastHeartbeatTime?: Time | null;
  lastTransitionTime?: Time;
  reason?: string;
  message?: string;
};

/** The known values of `NodeConditionType`. */
export type NodeConditionType = OpenEnum<
  | "DiskPressure"
  | "DrainInProgress"
  | "Drained"
  | "GracefulNodeShutdownInProgress"
  | "MaintenanceInProgress"
  | "MaintenancePlanned"
  | "MemoryPressure"
  | "NetworkUnavailable"
  | "PIDPressure"
  | "Ready"
>;

/** The `spec.configSource` of a Node. */
export type NodeConfigSource = {
  configMap?: ConfigMapNodeConfigSource;
};

/** The `status.config` of a Node. */
export type NodeConfigStatus = {
  assigned?: NodeConfigSource;
  active?: NodeConfigSource;
  lastKnownGood?: NodeConfigSource;
  error?: string;
};

/** The `status.daemonEndpoints` of a Node. */
export type NodeDaemonEndpoints = {
  kubeletEndpoint?: DaemonEndpoint;
};

/** The `status.features` of a Node. */
export type NodeFeatures = {
  supplementalGroupsPolicy?: boolean;
};

/** The known values of `NodeInclusionPolicy`. */
export type NodeInclusionPolicy = OpenEnum<"Honor" | "Ignore">;

/** A list of Nodes. */
export type NodeList = KubeList<Node>;

/** The known values of `NodePhase`. */
export type NodePhase = OpenEnum<"Pending" | "Running" | "Terminated">;

/** The `spec.podPreemptionPolicy` of a Node. Since Kubernetes 1.37. */
export type NodePodPreemptionPolicy = {
  disableResizePreemption?: string[];
};

/** The options `NodeProxyOptions` of `v1`. */
export type NodeProxyOptions = {
  apiVersion?: string;
  kind?: string;
  path?: string;
};

/** The `status.runtimeHandlers[]` of a Node. */
export type NodeRuntimeHandler = {
  name?: string;
  features?: NodeRuntimeHandlerFeatures;
};

/** The `status.runtimeHandlers[].features` of a Node. */
export type NodeRuntimeHandlerFeatures = {
  recursiveReadOnlyMounts?: boolean;
  userNamespaces?: boolean;
};

/** The `spec.nodeAffinity.required` of a PersistentVolume. */
export type NodeSelector = {
  nodeSelectorTerms: NodeSelectorTerm[];
};

/** The known values of `NodeSelectorOperator`. */
export type NodeSelectorOperator = OpenEnum<
  | "DoesNotExist"
  | "Exists"
  | "Gt"
  | "In"
  | "Lt"
  | "NotIn"
>;

/** The `spec.nodeAffinity.required.nodeSelectorTerms[].matchExpressions[]` of a PersistentVolume. */
export type NodeSelectorRequirement = {
  key: string;
  operator: NodeSelectorOperator;
  values?: string[];
};

/** The `spec.nodeAffinity.required.nodeSelectorTerms[]` of a PersistentVolume. */
export type NodeSelectorTerm = {
  matchExpressions?: NodeSelectorRequirement[];
  matchFields?: NodeSelectorRequirement[];
};

/** The `spec` of a Node. */
export type NodeSpec = {
  podCIDR?: string;
  podCIDRs?: string[];
  providerID?: string;
  unschedulable?: boolean;
  taints?: Taint[];
  configSource?: NodeConfigSource;
  externalID?: string;
  /** Since Kubernetes 1.37. */
  podPreemptionPolicy?: NodePodPreemptionPolicy;
};

/** The `status` of a Node. */
export type NodeStatus = {
  capacity?: Record<string, Quantity>;
  allocatable?: Record<string, Quantity>;
  phase?: NodePhase;
  conditions?: NodeCondition[];
  addresses?: NodeAddress[];
  daemonEndpoints?: NodeDaemonEndpoints;
  nodeInfo?: NodeSystemInfo;
  images?: ContainerImage[];
  volumesInUse?: string[];
  volumesAttached?: AttachedVolume[];
  config?: NodeConfigStatus;
  runtimeHandlers?: NodeRuntimeHandler[];
  features?: NodeFeatures;
  declaredFeatures?: string[];
};

/** The `status.nodeInfo.swap` of a Node. */
export type NodeSwapStatus = {
  capacity?: number;
};

/** The `status.nodeInfo` of a Node. */
export type NodeSystemInfo = {
  machineID: string;
  systemUUID: string;
  bootID: string;
  kernelVersion: string;
  osImage: string;
  containerRuntimeVersion: string;
  kubeletVersion: string;
  kubeProxyVersion: string;
  operatingSystem: string;
  architecture: string;
  swap?: NodeSwapStatus;
  /** Since Kubernetes 1.37. */
  runningInUserNamespace?: boolean;
};

/** The known values of `OSName`. */
export type OSName = OpenEnum<"linux" | "windows">;

/** The `spec.volumes[].downwardAPI.items[].fieldRef` of a Pod. */
export type ObjectFieldSelector = {
  apiVersion?: string;
  fieldPath: string;
};

/** The `target` of a Binding. */
export type ObjectReference = {
  kind?: string;
  namespace?: string;
  name?: string;
  uid?: string;
  apiVersion?: string;
  resourceVersion?: string;
  fieldPath?: string;
};

/** A PersistentVolume of `v1`. */
export interface PersistentVolume extends KubeObject {
  /** The `spec` of a PersistentVolume. */
  spec?: PersistentVolumeSpec;
  /** The `status` of a PersistentVolume. */
  status?: PersistentVolumeStatus;
}

/** The known values of `PersistentVolumeAccessMode`. */
export type PersistentVolumeAccessMode = OpenEnum<
  | "ReadOnlyMany"
  | "ReadWriteMany"
  | "ReadWriteOnce"
  | "ReadWriteOncePod"
>;

/** A PersistentVolumeClaim of `v1`. */
export interface PersistentVolumeClaim extends KubeObject {
  /** The `spec` of a PersistentVolumeClaim. */
  spec?: PersistentVolumeClaimSpec;
  /** The `status` of a PersistentVolumeClaim. */
  status?: PersistentVolumeClaimStatus;
}

/** The `status.conditions[]` of a PersistentVolumeClaim. */
export type PersistentVolumeClaimCondition = {
  type: PersistentVolumeClaimConditionType;
  status: ConditionStatus;
  lastProbeTime?: Time | null;
  lastTransitionTime?: Time;
  reason?: string;
  message?: string;
};

/** The known values of `PersistentVolumeClaimConditionType`. */
export type PersistentVolumeClaimConditionType = OpenEnum<
  | "ControllerResizeError"
  | "FileSystemResizePending"
  | "ModifyVolumeError"
  | "ModifyingVolume"
  | "NodeResizeError"
  | "Resizing"
  | "Unused"
>;

/** A list of PersistentVolumeClaims. */
export type PersistentVolumeClaimList = KubeList<PersistentVolumeClaim>;

/** The known values of `PersistentVolumeClaimModifyVolumeStatus`. */
export type PersistentVolumeClaimModifyVolumeStatus = OpenEnum<
  | "InProgress"
  | "Infeasible"
  | "Pending"
>;

/** The known values of `PersistentVolumeClaimPhase`. */
export type PersistentVolumeClaimPhase = OpenEnum<"Bound" | "Lost" | "Pending">;

/** The `spec` of a PersistentVolumeClaim. */
export type PersistentVolumeClaimSpec = {
  accessModes?: PersistentVolumeAccessMode[];
  selector?: LabelSelector;
  resources?: VolumeResourceRequirements;
  volumeName?: string;
  storageClassName?: string;
  volumeMode?: PersistentVolumeMode;
  dataSource?: TypedLocalObjectReference;
  dataSourceRef?: TypedObjectReference;
  volumeAttributesClassName?: string;
};

/** The `status` of a PersistentVolumeClaim. */
export type PersistentVolumeClaimStatus = {
  phase?: PersistentVolumeClaimPhase;
  accessModes?: PersistentVolumeAccessMode[];
  capacity?: Record<string, Quantity>;
  conditions?: PersistentVolumeClaimCondition[];
  allocatedResources?: Record<string, Quantity>;
  allocatedResourceStatuses?: Record<string, ClaimResourceStatus>;
  currentVolumeAttributesClassName?: string;
  modifyVolumeStatus?: ModifyVolumeStatus;
  /** Since Kubernetes 1.37. */
  healthStatus?: VolumeHealthStatus;
};

/** The `spec.volumes[].ephemeral.volumeClaimTemplate` of a Pod. */
export type PersistentVolumeClaimTemplate = {
  metadata?: ObjectMeta;
  spec: PersistentVolumeClaimSpec;
};

/** The `spec.volumes[].persistentVolumeClaim` of a Pod. */
export type PersistentVolumeClaimVolumeSource = {
  claimName: string;
  readOnly?: boolean;
};

/** A list of PersistentVolumes. */
export type PersistentVolumeList = KubeList<PersistentVolume>;

/** The known values of `PersistentVolumeMode`. */
export type PersistentVolumeMode = OpenEnum<"Block" | "Filesystem">;

/** The known values of `PersistentVolumePhase`. */
export type PersistentVolumePhase = OpenEnum<
  | "Available"
  | "Bound"
  | "Failed"
  | "Pending"
  | "Released"
>;

/** The known values of `PersistentVolumeReclaimPolicy`. */
export type PersistentVolumeReclaimPolicy = OpenEnum<"Delete" | "Recycle" | "Retain">;

/** The `spec` of a PersistentVolume. */
export type PersistentVolumeSpec = {
  capacity?: Record<string, Quantity>;
  gcePersistentDisk?: GCEPersistentDiskVolumeSource;
  awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource;
  hostPath?: HostPathVolumeSource;
  glusterfs?: GlusterfsPersistentVolumeSource;
  nfs?: NFSVolumeSource;
  rbd?: RBDPersistentVolumeSource;
  iscsi?: ISCSIPersistentVolumeSource;
  cinder?: CinderPersistentVolumeSource;
  cephfs?: CephFSPersistentVolumeSource;
  fc?: FCVolumeSource;
  flocker?: FlockerVolumeSource;
  flexVolume?: FlexPersistentVolumeSource;
  azureFile?: AzureFilePersistentVolumeSource;
  vsphereVolume?: VsphereVirtualDiskVolumeSource;
  quobyte?: QuobyteVolumeSource;
  azureDisk?: AzureDiskVolumeSource;
  photonPersistentDisk?: PhotonPersistentDiskVolumeSource;
  portworxVolume?: PortworxVolumeSource;
  scaleIO?: ScaleIOPersistentVolumeSource;
  local?: LocalVolumeSource;
  storageos?: StorageOSPersistentVolumeSource;
  csi?: CSIPersistentVolumeSource;
  accessModes?: PersistentVolumeAccessMode[];
  claimRef?: ObjectReference;
  persistentVolumeReclaimPolicy?: PersistentVolumeReclaimPolicy;
  storageClassName?: string;
  mountOptions?: string[];
  volumeMode?: PersistentVolumeMode;
  nodeAffinity?: VolumeNodeAffinity;
  volumeAttributesClassName?: string;
};

/** The `status` of a PersistentVolume. */
export type PersistentVolumeStatus = {
  phase?: PersistentVolumePhase;
  message?: string;
  reason?: string;
  lastPhaseTransitionTime?: Time;
};

/** The `spec.photonPersistentDisk` of a PersistentVolume. */
export type PhotonPersistentDiskVolumeSource = {
  pdID: string;
  fsType?: string;
};

/** A Pod of `v1`. */
export interface Pod extends MinimalPod {
  /** The `spec` of a Pod. */
  spec?: PodSpec;
  /** The `status` of a Pod. */
  status?: PodStatus;
}

/** The `spec.affinity.podAffinity` of a Pod. */
export type PodAffinity = {
  requiredDuringSchedulingIgnoredDuringExecution?: PodAffinityTerm[];
  preferredDuringSchedulingIgnoredDuringExecution?: WeightedPodAffinityTerm[];
};

/** The `spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[]` of a Pod. */
export type PodAffinityTerm = {
  labelSelector?: LabelSelector;
  namespaces?: string[];
  topologyKey: string;
  namespaceSelector?: LabelSelector;
  matchLabelKeys?: string[];
  mismatchLabelKeys?: string[];
};

/** The `spec.affinity.podAntiAffinity` of a Pod. */
export type PodAntiAffinity = {
  requiredDuringSchedulingIgnoredDuringExecution?: PodAffinityTerm[];
  preferredDuringSchedulingIgnoredDuringExecution?: WeightedPodAffinityTerm[];
};

/** The options `PodAttachOptions` of `v1`. */
export type PodAttachOptions = {
  apiVersion?: string;
  kind?: string;
  stdin?: boolean;
  stdout?: boolean;
  stderr?: boolean;
  tty?: boolean;
  container?: string;
};

/** The `spec.volumes[].projected.sources[].podCertificate` of a Pod. */
export type PodCertificateProjection = {
  signerName: string;
  keyType: string;
  maxExpirationSeconds?: number;
  credentialBundlePath?: string;
  keyPath?: string;
  certificateChainPath?: string;
  userAnnotations?: Record<string, string>;
  /** Since Kubernetes 1.37. */
  user?: number;
};

/** The `status.conditions[]` of a Pod. */
export type PodCondition = {
  type: PodConditionType;
  observedGeneration?: number;
  status: ConditionStatus;
  lastProbeTime?: Time | null;
  lastTransitionTime?: Time;
  reason?: string;
  message?: string;
};

/** The known values of `PodConditionType`. */
export type PodConditionType = OpenEnum<
  | "AllContainersRestarting"
  | "ContainersReady"
  | "DisruptionTarget"
  | "Initialized"
  | "PodReadyToStartContainers"
  | "PodResizeInProgress"
  | "PodResizePending"
  | "PodScheduled"
  | "Ready"
>;

/** The `spec.dnsConfig` of a Pod. */
export type PodDNSConfig = {
  nameservers?: string[];
  searches?: string[];
  options?: PodDNSConfigOption[];
};

/** The `spec.dnsConfig.options[]` of a Pod. */
export type PodDNSConfigOption = {
  name?: string;
  value?: string;
};

/** The options `PodExecOptions` of `v1`. */
export type PodExecOptions = {
  apiVersion?: string;
  kind?: string;
  stdin?: boolean;
  stdout?: boolean;
  stderr?: boolean;
  tty?: boolean;
  container?: string;
  command: string[];
};

/** The `status.extendedResourceClaimStatus` of a Pod. */
export type PodExtendedResourceClaimStatus = {
  requestMappings: ContainerExtendedResourceRequest[];
  resourceClaimName: string;
};

/** The known values of `PodFSGroupChangePolicy`. */
export type PodFSGroupChangePolicy = OpenEnum<"Always" | "OnRootMismatch">;

/** The `status.podIPs[]` of a Pod. */
export type PodIP = {
  ip: string;
};

/** A list of Pods. */
export type PodList = KubeList<Pod>;

/** The options `PodLogOptions` of `v1`. */
export type PodLogOptions = {
  apiVersion?: string;
  kind?: string;
  container?: string;
  follow?: boolean;
  previous?: boolean;
  sinceSeconds?: number;
  sinceTime?: Time;
  timestamps?: boolean;
  tailLines?: number;
  limitBytes?: number;
  insecureSkipTLSVerifyBackend?: boolean;
  stream?: string;
};

/** The `spec.os` of a Pod. */
export type PodOS = {
  name: OSName;
};

/** All values of `PodPhase`. */
export type PodPhase = "Failed" | "Pending" | "Running" | "Succeeded" | "Unknown";

/** The options `PodPortForwardOptions` of `v1`. */
export type PodPortForwardOptions = {
  apiVersion?: string;
  kind?: string;
  ports?: number[];
};

/** The options `PodProxyOptions` of `v1`. */
export type PodProxyOptions = {
  apiVersion?: string;
  kind?: string;
  path?: string;
};

/** The known values of `PodQOSClass`. */
export type PodQOSClass = OpenEnum<"BestEffort" | "Burstable" | "Guaranteed">;

/** The `spec.readinessGates[]` of a Pod. */
export type PodReadinessGate = {
  conditionType: PodConditionType;
};

/** The known values of `PodResizeStatus`. */
export type PodResizeStatus = OpenEnum<"Deferred" | "InProgress" | "Infeasible">;

/** The `spec.resourceClaims[]` of a Pod. */
export type PodResourceClaim = {
  name: string;
  resourceClaimName?: string;
  resourceClaimTemplateName?: string;
};

/** The `status.resourceClaimStatuses[]` of a Pod. */
export type PodResourceClaimStatus = {
  name: string;
  resourceClaimName?: string;
};

/** The known values of `PodSELinuxChangePolicy`. */
export type PodSELinuxChangePolicy = OpenEnum<"MountOption" | "Recursive">;

/** The `spec.schedulingGates[]` of a Pod. */
export type PodSchedulingGate = {
  name: string;
};

/** The `spec.schedulingGroup` of a Pod. Since Kubernetes 1.36. */
export type PodSchedulingGroup = {
  podGroupName?: string;
};

/** The `spec.securityContext` of a Pod. */
export type PodSecurityContext = {
  seLinuxOptions?: SELinuxOptions;
  windowsOptions?: WindowsSecurityContextOptions;
  runAsUser?: number;
  runAsGroup?: number;
  runAsNonRoot?: boolean;
  supplementalGroups?: number[];
  supplementalGroupsPolicy?: SupplementalGroupsPolicy;
  fsGroup?: number;
  sysctls?: Sysctl[];
  fsGroupChangePolicy?: PodFSGroupChangePolicy;
  seccompProfile?: SeccompProfile;
  appArmorProfile?: AppArmorProfile;
  seLinuxChangePolicy?: PodSELinuxChangePolicy;
};

/** The `spec` of a Pod. */
export type PodSpec = {
  volumes?: Volume[];
  initContainers?: Container[];
  containers: Container[];
  ephemeralContainers?: EphemeralContainer[];
  restartPolicy?: RestartPolicy;
  terminationGracePeriodSeconds?: number;
  activeDeadlineSeconds?: number;
  dnsPolicy?: DNSPolicy;
  nodeSelector?: Record<string, string>;
  serviceAccountName?: string;
  serviceAccount?: string;
  automountServiceAccountToken?: boolean;
  nodeName?: string;
  hostNetwork?: boolean;
  hostPID?: boolean;
  hostIPC?: boolean;
  shareProcessNamespace?: boolean;
  securityContext?: PodSecurityContext;
  imagePullSecrets?: LocalObjectReference[];
  hostname?: string;
  subdomain?: string;
  affinity?: Affinity;
  schedulerName?: string;
  tolerations?: Toleration[];
  hostAliases?: HostAlias[];
  priorityClassName?: string;
  priority?: number;
  dnsConfig?: PodDNSConfig;
  readinessGates?: PodReadinessGate[];
  runtimeClassName?: string;
  enableServiceLinks?: boolean;
  preemptionPolicy?: PreemptionPolicy;
  overhead?: Record<string, Quantity>;
  topologySpreadConstraints?: TopologySpreadConstraint[];
  setHostnameAsFQDN?: boolean;
  os?: PodOS;
  hostUsers?: boolean;
  schedulingGates?: PodSchedulingGate[];
  resourceClaims?: PodResourceClaim[];
  resources?: ResourceRequirements;
  hostnameOverride?: string;
  /** Since Kubernetes 1.36. */
  schedulingGroup?: PodSchedulingGroup;
  /** Since Kubernetes 1.37. */
  evictionResponders?: EvictionResponder[];
  /** @deprecated Kubernetes 1.35 is the last version that has it. */
  workloadRef?: WorkloadReference;
};

/** The `status` of a Pod. */
export type PodStatus = {
  observedGeneration?: number;
  phase?: PodPhase;
  conditions?: PodCondition[];
  message?: string;
  reason?: string;
  nominatedNodeName?: string;
  hostIP?: string;
  hostIPs?: HostIP[];
  podIP?: string;
  podIPs?: PodIP[];
  startTime?: Time;
  initContainerStatuses?: ContainerStatus[];
  containerStatuses?: ContainerStatus[];
  qosClass?: PodQOSClass;
  ephemeralContainerStatuses?: ContainerStatus[];
  resize?: PodResizeStatus;
  resourceClaimStatuses?: PodResourceClaimStatus[];
  extendedResourceClaimStatus?: PodExtendedResourceClaimStatus;
  allocatedResources?: Record<string, Quantity>;
  resources?: ResourceRequirements;
  /** Since Kubernetes 1.36. */
  nodeAllocatableResourceClaimStatuses?: NodeAllocatableResourceClaimStatus[];
  /** Since Kubernetes 1.37. */
  volumeHealth?: PodVolumeHealth[];
};

/** A PodStatusResult of `v1`. @deprecated Kubernetes 1.36 is the last version that has it. */
export interface PodStatusResult extends KubeObject {
  /** The `status` of a PodStatusResult. */
  status?: PodStatus;
}

/** A PodTemplate of `v1`. */
export interface PodTemplate extends KubeObject {
  /** The `template` of a PodTemplate. */
  template?: PodTemplateSpec;
}

/** A list of PodTemplates. */
export type PodTemplateList = KubeList<PodTemplate>;

/** The `template` of a PodTemplate. */
export type PodTemplateSpec = {
  metadata?: ObjectMeta;
  spec?: PodSpec;
};

/** The `status.volumeHealth[]` of a Pod. Since Kubernetes 1.37. */
export type PodVolumeHealth = {
  name: string;
  healthConditions?: VolumeHealthCondition[];
  lastTransitionTime?: Time;
};

/** The `status.loadBalancer.ingress[].ports[]` of a Service. */
export type PortStatus = {
  port: number;
  protocol: Protocol;
  error?: string;
};

/** The `spec.portworxVolume` of a PersistentVolume. */
export type PortworxVolumeSource = {
  volumeID: string;
  fsType?: string;
  readOnly?: boolean;
};

/** The known values of `PreemptionPolicy`. */
export type PreemptionPolicy = OpenEnum<"Never" | "PreemptLowerPriority">;

/** The `spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[]` of a Pod. */
export type PreferredSchedulingTerm = {
  weight: number;
  preference: NodeSelectorTerm;
};

/** The `spec.initContainers[].livenessProbe` of a Pod. */
export type Probe = {
  exec?: ExecAction;
  httpGet?: HTTPGetAction;
  tcpSocket?: TCPSocketAction;
  grpc?: GRPCAction;
  initialDelaySeconds?: number;
  timeoutSeconds?: number;
  periodSeconds?: number;
  successThreshold?: number;
  failureThreshold?: number;
  terminationGracePeriodSeconds?: number;
};

/** The known values of `ProcMountType`. */
export type ProcMountType = OpenEnum<"Default" | "Unmasked">;

/** The `spec.volumes[].projected` of a Pod. */
export type ProjectedVolumeSource = {
  sources?: VolumeProjection[] | null;
  defaultMode?: number;
  /** Since Kubernetes 1.37. */
  defaultUser?: number;
};

/** The known values of `Protocol`. */
export type Protocol = OpenEnum<"SCTP" | "TCP" | "UDP">;

/** The known values of `PullPolicy`. */
export type PullPolicy = OpenEnum<"Always" | "IfNotPresent" | "Never">;

/** The `spec.quobyte` of a PersistentVolume. */
export type QuobyteVolumeSource = {
  registry: string;
  volume: string;
  readOnly?: boolean;
  user?: string;
  group?: string;
  tenant?: string;
};

/** The `spec.rbd` of a PersistentVolume. */
export type RBDPersistentVolumeSource = {
  monitors: string[];
  image: string;
  fsType?: string;
  /** Default `"rbd"`. */
  pool?: string;
  /** Default `"admin"`. */
  user?: string;
  /** Default `"/etc/ceph/keyring"`. */
  keyring?: string;
  secretRef?: SecretReference;
  readOnly?: boolean;
};

/** The `spec.volumes[].rbd` of a Pod. */
export type RBDVolumeSource = {
  monitors: string[];
  image: string;
  fsType?: string;
  /** Default `"rbd"`. */
  pool?: string;
  /** Default `"admin"`. */
  user?: string;
  /** Default `"/etc/ceph/keyring"`. */
  keyring?: string;
  secretRef?: LocalObjectReference;
  readOnly?: boolean;
};

/** A RangeAllocation of `v1`. */
export interface RangeAllocation extends KubeObject {
  /** The `range` of a RangeAllocation. */
  range: string;
  /** The `data` of a RangeAllocation. */
  data: Base64;
}

/** The known values of `RecursiveReadOnlyMode`. */
export type RecursiveReadOnlyMode = OpenEnum<"Disabled" | "Enabled" | "IfPossible">;

/** A ReplicationController of `v1`. */
export interface ReplicationController extends KubeObject {
  /** The `spec` of a ReplicationController. */
  spec?: ReplicationControllerSpec;
  /** The `status` of a ReplicationController. */
  status?: ReplicationControllerStatus;
}

/** The `status.conditions[]` of a ReplicationController. */
export type ReplicationControllerCondition = {
  type: ReplicationControllerConditionType;
  status: ConditionStatus;
  lastTransitionTime?: Time;
  reason?: string;
  message?: string;
};

/** The known values of `ReplicationControllerConditionType`. */
export type ReplicationControllerConditionType = OpenEnum<"ReplicaFailure">;

/** A list of ReplicationControllers. */
export type ReplicationControllerList = KubeList<ReplicationController>;

/** The `spec` of a ReplicationController. */
export type ReplicationControllerSpec = {
  /** Default `1`. */
  replicas?: number;
  /** Default `0`. */
  minReadySeconds?: number;
  selector?: Record<string, string>;
  template?: PodTemplateSpec;
};

/** The `status` of a ReplicationController. */
export type ReplicationControllerStatus = {
  replicas: number;
  fullyLabeledReplicas?: number;
  readyReplicas?: number;
  availableReplicas?: number;
  observedGeneration?: number;
  conditions?: ReplicationControllerCondition[];
};

/** The `spec.resources.claims[]` of a Pod. */
export type ResourceClaim = {
  name: string;
  request?: string;
};

/** The `spec.volumes[].downwardAPI.items[].resourceFieldRef` of a Pod. */
export type ResourceFieldSelector = {
  containerName?: string;
  resource: string;
  divisor?: Quantity;
};

/** The `status.initContainerStatuses[].allocatedResourcesStatus[].resources[]` of a Pod. */
export type ResourceHealth = {
  resourceID: string;
  health?: ResourceHealthStatus;
  /** Since Kubernetes 1.36. */
  message?: string;
};

/** The known values of `ResourceHealthStatus`. */
export type ResourceHealthStatus = OpenEnum<"Healthy" | "Unhealthy" | "Unknown">;

/** The known values of `ResourceName`. */
export type ResourceName = OpenEnum<
  | "configmaps"
  | "cpu"
  | "ephemeral-storage"
  | "limits.cpu"
  | "limits.ephemeral-storage"
  | "limits.memory"
  | "memory"
  | "persistentvolumeclaims"
  | "pods"
  | "replicationcontrollers"
  | "requests.cpu"
  | "requests.ephemeral-storage"
  | "requests.memory"
  | "requests.storage"
  | "resourcequotas"
  | "secrets"
  | "services"
  | "services.loadbalancers"
  | "services.nodeports"
  | "storage"
>;

/** A ResourceQuota of `v1`. */
export interface ResourceQuota extends KubeObject {
  /** The `spec` of a ResourceQuota. */
  spec?: ResourceQuotaSpec;
  /** The `status` of a ResourceQuota. */
  status?: ResourceQuotaStatus;
}

/** A list of ResourceQuotas. */
export type ResourceQuotaList = KubeList<ResourceQuota>;

/** The known values of `ResourceQuotaScope`. */
export type ResourceQuotaScope = OpenEnum<
  | "BestEffort"
  | "CrossNamespacePodAffinity"
  | "NotBestEffort"
  | "NotTerminating"
  | "PriorityClass"
  | "Terminating"
  | "VolumeAttributesClass"
>;

/** The `spec` of a ResourceQuota. */
export type ResourceQuotaSpec = {
  hard?: Record<string, Quantity>;
  scopes?: ResourceQuotaScope[];
  scopeSelector?: ScopeSelector;
};

/** The `status` of a ResourceQuota. */
export type ResourceQuotaStatus = {
  hard?: Record<string, Quantity>;
  used?: Record<string, Quantity>;
};

/** The `spec.resources` of a Pod. */
export type ResourceRequirements = {
  limits?: Record<string, Quantity>;
  requests?: Record<string, Quantity>;
  claims?: ResourceClaim[];
};

/** The known values of `ResourceResizeRestartPolicy`. */
export type ResourceResizeRestartPolicy = OpenEnum<"NotRequired" | "RestartContainer">;

/** The `status.initContainerStatuses[].allocatedResourcesStatus[]` of a Pod. */
export type ResourceStatus = {
  name: ResourceName;
  resources?: ResourceHealth[];
};

/** All values of `RestartPolicy`. */
export type RestartPolicy = "Always" | "Never" | "OnFailure";

/** The `spec.securityContext.seLinuxOptions` of a Pod. */
export type SELinuxOptions = {
  user?: string;
  role?: string;
  type?: string;
  level?: string;
};

/** The `spec.scaleIO` of a PersistentVolume. */
export type ScaleIOPersistentVolumeSource = {
  gateway: string;
  system: string;
  secretRef: SecretReference;
  sslEnabled?: boolean;
  protectionDomain?: string;
  storagePool?: string;
  /** Default `"ThinProvisioned"`. */
  storageMode?: string;
  volumeName?: string;
  /** Default `"xfs"`. */
  fsType?: string;
  readOnly?: boolean;
};

/** The `spec.volumes[].scaleIO` of a Pod. */
export type ScaleIOVolumeSource = {
  gateway: string;
  system: string;
  secretRef: LocalObjectReference;
  sslEnabled?: boolean;
  protectionDomain?: string;
  storagePool?: string;
  /** Default `"ThinProvisioned"`. */
  storageMode?: string;
  volumeName?: string;
  /** Default `"xfs"`. */
  fsType?: string;
  readOnly?: boolean;
};

/** The `spec.scopeSelector` of a ResourceQuota. */
export type ScopeSelector = {
  matchExpressions?: ScopedResourceSelectorRequirement[];
};

/** The known values of `ScopeSelectorOperator`. */
export type ScopeSelectorOperator = OpenEnum<"DoesNotExist" | "Exists" | "In" | "NotIn">;

/** The `spec.scopeSelector.matchExpressions[]` of a ResourceQuota. */
export type ScopedResourceSelectorRequirement = {
  scopeName: ResourceQuotaScope;
  operator: ScopeSelectorOperator;
  values?: string[];
};

/** The `spec.securityContext.seccompProfile` of a Pod. */
export type SeccompProfile = {
  type: SeccompProfileType;
  localhostProfile?: string;
};

/** The known values of `SeccompProfileType`. */
export type SeccompProfileType = OpenEnum<"Localhost" | "RuntimeDefault" | "Unconfined">;

/** A Secret of `v1`. */
export interface Secret extends KubeObject {
  /** The `immutable` of a Secret. */
  immutable?: boolean;
  /** The `data` of a Secret. */
  data?: Record<string, Base64>;
  /** The `stringData` of a Secret. */
  stringData?: Record<string, string>;
  /** The `type` of a Secret. */
  type?: SecretType;
}

/** The `spec.initContainers[].envFrom[].secretRef` of a Pod. */
export type SecretEnvSource = {
  /** Default `""`. */
  name?: string;
  optional?: boolean;
};

/** The `spec.initContainers[].env[].valueFrom.secretKeyRef` of a Pod. */
export type SecretKeySelector = {
  /** Default `""`. */
  name?: string;
  key: string;
  optional?: boolean;
};

/** A list of Secrets. */
export type SecretList = KubeList<Secret>;

/** The `spec.volumes[].projected.sources[].secret` of a Pod. */
export type SecretProjection = {
  /** Default `""`. */
  name?: string;
  items?: KeyToPath[];
  optional?: boolean;
};

/** The `spec.rbd.secretRef` of a PersistentVolume. */
export type SecretReference = {
  name?: string;
  namespace?: string;
};

/** The known values of `SecretType`. */
export type SecretType = OpenEnum<
  | "Opaque"
  | "bootstrap.kubernetes.io/token"
  | "kubernetes.io/basic-auth"
  | "kubernetes.io/dockercfg"
  | "kubernetes.io/dockerconfigjson"
  | "kubernetes.io/service-account-token"
  | "kubernetes.io/ssh-auth"
  | "kubernetes.io/tls"
>;

/** The `spec.volumes[].secret` of a Pod. */
export type SecretVolumeSource = {
  secretName?: string;
  items?: KeyToPath[];
  defaultMode?: number;
  optional?: boolean;
  /** Since Kubernetes 1.37. */
  defaultUser?: number;
};

/** The `spec.initContainers[].securityContext` of a Pod. */
export type SecurityContext = {
  capabilities?: Capabilities;
  privileged?: boolean;
  seLinuxOptions?: SELinuxOptions;
  windowsOptions?: WindowsSecurityContextOptions;
  runAsUser?: number;
  runAsGroup?: number;
  runAsNonRoot?: boolean;
  readOnlyRootFilesystem?: boolean;
  allowPrivilegeEscalation?: boolean;
  procMount?: ProcMountType;
  seccompProfile?: SeccompProfile;
  appArmorProfile?: AppArmorProfile;
};

/** A SerializedReference of `v1`. */
export type SerializedReference = {
  apiVersion?: string;
  kind?: string;
  reference?: ObjectReference;
};

/** A Service of `v1`. */
export interface Service extends KubeObject {
  /** The `spec` of a Service. */
  spec?: ServiceSpec;
  /** The `status` of a Service. */
  status?: ServiceStatus;
}

/** A ServiceAccount of `v1`. */
export interface ServiceAccount extends KubeObject {
  /** The `secrets` of a ServiceAccount. */
  secrets?: ObjectReference[];
  /** The `imagePullSecrets` of a ServiceAccount. */
  imagePullSecrets?: LocalObjectReference[];
  /** The `automountServiceAccountToken` of a ServiceAccount. */
  automountServiceAccountToken?: boolean;
}

/** A list of ServiceAccounts. */
export type ServiceAccountList = KubeList<ServiceAccount>;

/** The `spec.volumes[].projected.sources[].serviceAccountToken` of a Pod. */
export type ServiceAccountTokenProjection = {
  audience?: string;
  expirationSeconds?: number;
  path: string;
  /** Since Kubernetes 1.37. */
  user?: number;
};

/** The known values of `ServiceAffinity`. */
export type ServiceAffinity = OpenEnum<"ClientIP" | "None">;

/** The known values of `ServiceExternalTrafficPolicy`. */
export type ServiceExternalTrafficPolicy = OpenEnum<"Cluster" | "Local">;

/** The known values of `ServiceInternalTrafficPolicy`. */
export type ServiceInternalTrafficPolicy = OpenEnum<"Cluster" | "Local">;

/** A list of Services. */
export type ServiceList = KubeList<Service>;

/** The `spec.ports[]` of a Service. */
export type ServicePort = {
  name?: string;
  /** Default `"TCP"`. */
  protocol?: Protocol;
  appProtocol?: string;
  port: number;
  targetPort?: IntOrString;
  nodePort?: number;
};

/** The options `ServiceProxyOptions` of `v1`. */
export type ServiceProxyOptions = {
  apiVersion?: string;
  kind?: string;
  path?: string;
};

/** The `spec` of a Service. */
export type ServiceSpec = {
  ports?: ServicePort[];
  selector?: Record<string, string>;
  clusterIP?: string;
  clusterIPs?: string[];
  type?: ServiceType;
  externalIPs?: string[];
  sessionAffinity?: ServiceAffinity;
  loadBalancerIP?: string;
  loadBalancerSourceRanges?: string[];
  externalName?: string;
  externalTrafficPolicy?: ServiceExternalTrafficPolicy;
  healthCheckNodePort?: number;
  publishNotReadyAddresses?: boolean;
  sessionAffinityConfig?: SessionAffinityConfig;
  ipFamilies?: IPFamily[];
  ipFamilyPolicy?: IPFamilyPolicy;
  allocateLoadBalancerNodePorts?: boolean;
  loadBalancerClass?: string;
  internalTrafficPolicy?: ServiceInternalTrafficPolicy;
  trafficDistribution?: string;
};

/** The `status` of a Service. */
export type ServiceStatus = {
  loadBalancer?: LoadBalancerStatus;
  conditions?: Condition[];
};

/** The known values of `ServiceType`. */
export type ServiceType = OpenEnum<"ClusterIP" | "ExternalName" | "LoadBalancer" | "NodePort">;

/** The `spec.sessionAffinityConfig` of a Service. */
export type SessionAffinityConfig = {
  clientIP?: ClientIPConfig;
};

/** The known values of `Signal`. */
export type Signal = OpenEnum<
  | "SIGABRT"
  | "SIGALRM"
  | "SIGBUS"
  | "SIGCHLD"
  | "SIGCLD"
  | "SIGCONT"
  | "SIGFPE"
  | "SIGHUP"
  | "SIGILL"
  | "SIGINT"
  | "SIGIO"
  | "SIGIOT"
  | "SIGKILL"
  | "SIGPIPE"
  | "SIGPOLL"
  | "SIGPROF"
  | "SIGPWR"
  | "SIGQUIT"
  | "SIGRTMAX"
  | "SIGRTMAX-1"
  | "SIGRTMAX-10"
  | "SIGRTMAX-11"
  | "SIGRTMAX-12"
  | "SIGRTMAX-13"
  | "SIGRTMAX-14"
  | "SIGRTMAX-2"
  | "SIGRTMAX-3"
  | "SIGRTMAX-4"
  | "SIGRTMAX-5"
  | "SIGRTMAX-6"
  | "SIGRTMAX-7"
  | "SIGRTMAX-8"
  | "SIGRTMAX-9"
  | "SIGRTMIN"
  | "SIGRTMIN+1"
  | "SIGRTMIN+10"
  | "SIGRTMIN+11"
  | "SIGRTMIN+12"
  | "SIGRTMIN+13"
  | "SIGRTMIN+14"
  | "SIGRTMIN+15"
  | "SIGRTMIN+2"
  | "SIGRTMIN+3"
  | "SIGRTMIN+4"
  | "SIGRTMIN+5"
  | "SIGRTMIN+6"
  | "SIGRTMIN+7"
  | "SIGRTMIN+8"
  | "SIGRTMIN+9"
  | "SIGSEGV"
  | "SIGSTKFLT"
  | "SIGSTOP"
  | "SIGSYS"
  | "SIGTERM"
  | "SIGTRAP"
  | "SIGTSTP"
  | "SIGTTIN"
  | "SIGTTOU"
  | "SIGURG"
  | "SIGUSR1"
  | "SIGUSR2"
  | "SIGVTALRM"
  | "SIGWINCH"
  | "SIGXCPU"
  | "SIGXFSZ"
>;

/** The `spec.initContainers[].lifecycle.postStart.sleep` of a Pod. */
export type SleepAction = {
  seconds: number;
};

/** The known values of `StorageMedium`. */
export type StorageMedium = OpenEnum<"" | "HugePages" | "HugePages-" | "Memory">;

/** The `spec.storageos` of a PersistentVolume. */
export type StorageOSPersistentVolumeSource = {
  volumeName?: string;
  volumeNamespace?: string;
  fsType?: string;
  readOnly?: boolean;
  secretRef?: ObjectReference;
};

/** The `spec.volumes[].storageos` of a Pod. */
export type StorageOSVolumeSource = {
  volumeName?: string;
  volumeNamespace?: string;
  fsType?: string;
  readOnly?: boolean;
  secretRef?: LocalObjectReference;
};

/** The known values of `SupplementalGroupsPolicy`. */
export type SupplementalGroupsPolicy = OpenEnum<"Merge" | "Strict">;

/** The `spec.securityContext.sysctls[]` of a Pod. */
export type Sysctl = {
  name: string;
  value: string;
};

/** The `spec.initContainers[].livenessProbe.tcpSocket` of a Pod. */
export type TCPSocketAction = {
  port: IntOrString;
  host?: string;
};

/** The `spec.taints[]` of a Node. */
export type Taint = {
  key: string;
  value?: string;
  effect: TaintEffect;
  timeAdded?: Time;
};

/** The known values of `TaintEffect`. */
export type TaintEffect = OpenEnum<"NoExecute" | "NoSchedule" | "PreferNoSchedule">;

/** The known values of `TerminationMessagePolicy`. */
export type TerminationMessagePolicy = OpenEnum<"FallbackToLogsOnError" | "File">;

/** The `spec.tolerations[]` of a Pod. */
export type Toleration = {
  key?: string;
  operator?: TolerationOperator;
  value?: string;
  effect?: TaintEffect;
  tolerationSeconds?: number;
};

/** The known values of `TolerationOperator`. */
export type TolerationOperator = OpenEnum<"Equal" | "Exists" | "Gt" | "Lt">;

/** The `allowedTopologies[].matchLabelExpressions[]` of a StorageClass. */
export type TopologySelectorLabelRequirement = {
  key: string;
  values: string[];
};

/** The `allowedTopologies[]` of a StorageClass. */
export type TopologySelectorTerm = {
  matchLabelExpressions?: TopologySelectorLabelRequirement[];
};

/** The `spec.topologySpreadConstraints[]` of a Pod. */
export type TopologySpreadConstraint = {
  maxSkew: number;
  topologyKey: string;
  whenUnsatisfiable: UnsatisfiableConstraintAction;
  labelSelector?: LabelSelector;
  minDomains?: number;
  nodeAffinityPolicy?: NodeInclusionPolicy;
  nodeTaintsPolicy?: NodeInclusionPolicy;
  matchLabelKeys?: string[];
};

/** The `spec.dataSource` of a PersistentVolumeClaim. */
export type TypedLocalObjectReference = {
  apiGroup?: string | null;
  kind: string;
  name: string;
};

/** The `spec.dataSourceRef` of a PersistentVolumeClaim. */
export type TypedObjectReference = {
  apiGroup?: string | null;
  kind: string;
  name: string;
  namespace?: string;
};

/** The known values of `URIScheme`. */
export type URIScheme = OpenEnum<"HTTP" | "HTTPS">;

/** The known values of `UnsatisfiableConstraintAction`. */
export type UnsatisfiableConstraintAction = OpenEnum<"DoNotSchedule" | "ScheduleAnyway">;

/** The `spec.volumes[]` of a Pod. */
export type Volume = {
  name: string;
  hostPath?: HostPathVolumeSource;
  emptyDir?: EmptyDirVolumeSource;
  gcePersistentDisk?: GCEPersistentDiskVolumeSource;
  awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource;
  gitRepo?: GitRepoVolumeSource;
  secret?: SecretVolumeSource;
  nfs?: NFSVolumeSource;
  iscsi?: ISCSIVolumeSource;
  glusterfs?: GlusterfsVolumeSource;
  persistentVolumeClaim?: PersistentVolumeClaimVolumeSource;
  rbd?: RBDVolumeSource;
  flexVolume?: FlexVolumeSource;
  cinder?: CinderVolumeSource;
  cephfs?: CephFSVolumeSource;
  flocker?: FlockerVolumeSource;
  downwardAPI?: DownwardAPIVolumeSource;
  fc?: FCVolumeSource;
  azureFile?: AzureFileVolumeSource;
  configMap?: ConfigMapVolumeSource;
  vsphereVolume?: VsphereVirtualDiskVolumeSource;
  quobyte?: QuobyteVolumeSource;
  azureDisk?: AzureDiskVolumeSource;
  photonPersistentDisk?: PhotonPersistentDiskVolumeSource;
  projected?: ProjectedVolumeSource;
  portworxVolume?: PortworxVolumeSource;
  scaleIO?: ScaleIOVolumeSource;
  storageos?: StorageOSVolumeSource;
  csi?: CSIVolumeSource;
  ephemeral?: EphemeralVolumeSource;
  image?: ImageVolumeSource;
};

/** The `spec.initContainers[].volumeDevices[]` of a Pod. */
export type VolumeDevice = {
  name: string;
  devicePath: string;
};

/** The `status.healthStatus.healthConditions[]` of a PersistentVolumeClaim. Since Kubernetes 1.37. */
export type VolumeHealthCondition = {
  status: VolumeHealthStatusType;
  reason: string;
  message?: string;
};

/** The `status.healthStatus` of a PersistentVolumeClaim. Since Kubernetes 1.37. */
export type VolumeHealthStatus = {
  healthConditions?: VolumeHealthCondition[];
  lastTransitionTime?: Time;
};

/** The known values of `VolumeHealthStatusType`. */
export type VolumeHealthStatusType = OpenEnum<"DataLoss" | "Degraded" | "Inaccessible">;

/** The `spec.initContainers[].volumeMounts[]` of a Pod. */
export type VolumeMount = {
  name: string;
  readOnly?: boolean;
  recursiveReadOnly?: RecursiveReadOnlyMode;
  mountPath: string;
  subPath?: string;
  mountPropagation?: MountPropagationMode;
  subPathExpr?: string;
  /** Since Kubernetes 1.37. */
  bindMountOptions?: string[];
};

/** The `status.initContainerStatuses[].volumeMounts[]` of a Pod. */
export type VolumeMountStatus = {
  name: string;
  mountPath: string;
  readOnly?: boolean;
  recursiveReadOnly?: RecursiveReadOnlyMode;
  /** Since Kubernetes 1.36. */
  volumeStatus?: VolumeStatus;
};

/** The `spec.nodeAffinity` of a PersistentVolume. */
export type VolumeNodeAffinity = {
  required?: NodeSelector;
};

/** The `spec.volumes[].projected.sources[]` of a Pod. */
export type VolumeProjection = {
  secret?: SecretProjection;
  downwardAPI?: DownwardAPIProjection;
  configMap?: ConfigMapProjection;
  serviceAccountToken?: ServiceAccountTokenProjection;
  clusterTrustBundle?: ClusterTrustBundleProjection;
  podCertificate?: PodCertificateProjection;
};

/** The `spec.resources` of a PersistentVolumeClaim. */
export type VolumeResourceRequirements = {
  limits?: Record<string, Quantity>;
  requests?: Record<string, Quantity>;
};

/** The `status.initContainerStatuses[].volumeMounts[].volumeStatus` of a Pod. Since Kubernetes 1.36. */
export type VolumeStatus = {
  image?: ImageVolumeStatus;
};

/** The `spec.vsphereVolume` of a PersistentVolume. */
export type VsphereVirtualDiskVolumeSource = {
  volumePath: string;
  fsType?: string;
  storagePolicyName?: string;
  storagePolicyID?: string;
};

/** The `spec.affinity.podAffinity.preferredDuringSchedulingIgnoredDuringExecution[]` of a Pod. */
export type WeightedPodAffinityTerm = {
  weight: number;
  podAffinityTerm: PodAffinityTerm;
};

/** The `spec.securityContext.windowsOptions` of a Pod. */
export type WindowsSecurityContextOptions = {
  gmsaCredentialSpecName?: string;
  gmsaCredentialSpec?: string;
  runAsUserName?: string;
  hostProcess?: boolean;
};

/** The `spec.workloadRef` of a Pod. @deprecated Kubernetes 1.35 is the last version that has it. */
export type WorkloadReference = {
  name: string;
  podGroup: string;
  podGroupReplicaKey?: string;
};

/** The resource `bindings` of the core group. */
export const Bindings: Resource<Binding> = /* @__PURE__ */ builtinResource({
  group: "",
  version: "v1",
  plural: "bindings",
  kind: "Binding",
  namespaced: true,
});

/** The resource `componentstatuses` of the core group, which is cluster-scoped. */
export const ComponentStatuses: Resource<ComponentStatus> = /* @__PURE__ */ builtinResource({
  group: "",
  version: "v1",
  plural: "componentstatuses",
  kind: "ComponentStatus",
  namespaced: false,
});

/** The resource `endpoints` of the core group. */
export const Endpoints: Resource<Endpoints> = /* @__PURE__ */ builtinResource({
  group: "",
  version: "v1",
  plural: "endpoints",
  kind: "Endpoints",
  namespaced: true,
});

/** The resource `limitranges` of the core group. */
export const LimitRanges: Resource<LimitRange> = /* @__PURE__ */ builtinResource({
  group: "",
  version: "v1",
  plural: "limitranges",
  kind: "LimitRange",
  namespaced: true,
});

/** The resource `persistentvolumes` of the core group, which is cluster-scoped. */
export const PersistentVolumes: Resource<PersistentVolume> = /* @__PURE__ */ builtinResource({
  group: "",
  version: "v1",
  plural: "persistentvolumes",
  kind: "PersistentVolume",
  namespaced: false,
});

/** The resource `persistentvolumeclaims` of the core group. */
export const PersistentVolumeClaims: Resource<PersistentVolumeClaim> =
  /* @__PURE__ */ builtinResource({
    group: "",
    version: "v1",
    plural: "persistentvolumeclaims",
    kind: "PersistentVolumeClaim",
    namespaced: true,
  });

/** The resource `podtemplates` of the core group. */
export const PodTemplates: Resource<PodTemplate> = /* @__PURE__ */ builtinResource({
  group: "",
  version: "v1",
  plural: "podtemplates",
  kind: "PodTemplate",
  namespaced: true,
});

/** The resource `replicationcontrollers` of the core group. */
export const ReplicationControllers: Resource<ReplicationController> =
  /* @__PURE__ */ builtinResource({
    group: "",
    version: "v1",
    plural: "replicationcontrollers",
    kind: "ReplicationController",
    namespaced: true,
  });

/** The resource `resourcequotas` of the core group. */
export const ResourceQuotas: Resource<ResourceQuota> = /* @__PURE__ */ builtinResource({
  group: "",
  version: "v1",
  plural: "resourcequotas",
  kind: "ResourceQuota",
  namespaced: true,
});
