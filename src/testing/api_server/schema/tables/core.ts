import type { StructTable } from "../field_tables.ts";

/** The kinds of the core group other than Pods and Nodes. */
export const CORE: StructTable = {
  ConfigMap: `
    kind string; apiVersion string; metadata ObjectMeta!; immutable bool?; data {}string;
    binaryData {}bytes
  `,
  Secret: `
    kind string; apiVersion string; metadata ObjectMeta!; immutable bool?; data {}bytes;
    stringData {}string; type string
  `,
  Service: `
    kind string; apiVersion string; metadata ObjectMeta!; spec ServiceSpec!; status ServiceStatus!
  `,
  ServiceAccount: `
    kind string; apiVersion string; metadata ObjectMeta!; secrets []ObjectReference key=name;
    imagePullSecrets []LocalObjectReference; automountServiceAccountToken bool?
  `,
  Namespace: `
    kind string; apiVersion string; metadata ObjectMeta!; spec NamespaceSpec!;
    status NamespaceStatus!
  `,
  Event: `
    kind string; apiVersion string; metadata ObjectMeta!; involvedObject ObjectReference!;
    reason string; message string; source EventSource!; firstTimestamp time!; lastTimestamp time!;
    count int32; type string; eventTime microTime!; series EventSeries?; action string;
    related ObjectReference?; reportingComponent string!; reportingInstance string!
  `,
  ServiceSpec: `
    ports []ServicePort map=port,protocol:TCP merge=port; selector {}string atomic;
    clusterIP string; clusterIPs []string; type string; externalIPs []string;
    sessionAffinity string; loadBalancerIP string; loadBalancerSourceRanges []string;
    externalName string; externalTrafficPolicy string; healthCheckNodePort int32;
    publishNotReadyAddresses bool; sessionAffinityConfig SessionAffinityConfig?;
    ipFamilies []string; ipFamilyPolicy string?; allocateLoadBalancerNodePorts bool?;
    loadBalancerClass string?; internalTrafficPolicy string?; trafficDistribution string?
  `,
  ServiceStatus: "loadBalancer LoadBalancerStatus!; conditions []Condition key=type",
  NamespaceSpec: "finalizers []string",
  NamespaceStatus: "phase string; conditions []NamespaceCondition key=type",
  EventSource: "component string; host string",
  EventSeries: "count int32; lastObservedTime microTime!",
  ServicePort: `
    name string; protocol string; appProtocol string?; port int32!; targetPort intOrString!;
    nodePort int32
  `,
  SessionAffinityConfig: "clientIP ClientIPConfig?",
  LoadBalancerStatus: "ingress []LoadBalancerIngress",
  NamespaceCondition: `
    type string!; status string!; lastTransitionTime time!; reason string; message string
  `,
  ClientIPConfig: "timeoutSeconds int32?",
  LoadBalancerIngress: "ip string; hostname string; ipMode string?; ports []PortStatus",
  PortStatus: "port int32!; protocol string!; error string?",
};
