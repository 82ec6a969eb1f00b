import type { StructTable } from "../field_tables.ts";

/** Nodes. */
export const NODE: StructTable = {
  Node: "kind string; apiVersion string; metadata ObjectMeta!; spec NodeSpec!; status NodeStatus!",
  NodeSpec: `
    podCIDR string; podCIDRs []string set merge; providerID string; unschedulable bool;
    taints []Taint; configSource NodeConfigSource?; externalID string
  `,
  NodeStatus: `
    capacity {}quantity; allocatable {}quantity; phase string; conditions []NodeCondition key=type;
    addresses []NodeAddress key=type; daemonEndpoints NodeDaemonEndpoints!;
    nodeInfo NodeSystemInfo!; images []ContainerImage; volumesInUse []string;
    volumesAttached []AttachedVolume; config NodeConfigStatus?;
    runtimeHandlers []NodeRuntimeHandler; features NodeFeatures?; declaredFeatures []string
  `,
  Taint: "key string!; value string; effect string!; timeAdded time?",
  NodeConfigSource: "configMap ConfigMapNodeConfigSource?",
  NodeCondition: `
    type string!; status string!; lastHeartbeatTime time!; lastTransitionTime time!; reason string;
    message string
  `,
  NodeAddress: "type string!; address string!",
  NodeDaemonEndpoints: "kubeletEndpoint DaemonEndpoint!",
  NodeSystemInfo: `
    machineID string!; systemUUID string!; bootID string!; kernelVersion string!; osImage string!;
    containerRuntimeVersion string!; kubeletVersion string!; kubeProxyVersion string!;
    operatingSystem string!; architecture string!; swap NodeSwapStatus?
  `,
  ContainerImage: "names []string!; sizeBytes int64",
  AttachedVolume: "name string!; devicePath string!",
  NodeConfigStatus: `
    assigned NodeConfigSource?; active NodeConfigSource?; lastKnownGood NodeConfigSource?;
    error string
  `,
  NodeRuntimeHandler: "name string!; features NodeRuntimeHandlerFeatures?",
  NodeFeatures: "supplementalGroupsPolicy bool?",
  ConfigMapNodeConfigSource: `
    namespace string!; name string!; uid string; resourceVersion string; kubeletConfigKey string!
  `,
  DaemonEndpoint: "Port int32!",
  NodeSwapStatus: "capacity int64?",
  NodeRuntimeHandlerFeatures: "recursiveReadOnlyMounts bool?; userNamespaces bool?",
};
