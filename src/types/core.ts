import type { Condition, KubeObject } from "./meta.ts";
import { defineResource } from "./define_resource.ts";
import type { Resource } from "./resource.ts";

/** The desired state of a single container of a Pod. */
export interface Container {
  /** The name of the container, unique within the Pod. */
  name: string;
  /** The name of the container image. */
  image?: string;
  /** The entry point, in place of the image's `ENTRYPOINT`. */
  command?: string[];
  /** The arguments of the entry point, in place of the image's `CMD`. */
  args?: string[];
  /** The environment variables of the container. */
  env?: { name: string; value?: string; valueFrom?: Record<string, unknown> }[];
  /** The ports that the container exposes. */
  ports?: { name?: string; containerPort: number; protocol?: string }[];
  /**
   * The compute resources of the container: `requests` is the minimum that it needs, `limits` the maximum that it may
   * use.
   */
  resources?: { requests?: Record<string, string>; limits?: Record<string, string> };
}

/** The desired state of a Pod. */
export interface PodSpec {
  /** The containers of the Pod. At least one is required. */
  containers: Container[];
  /** The init containers. They run one after another, before the other containers start. */
  initContainers?: Container[];
  /** The name of the node that the Pod is bound to. Set by the scheduler. */
  nodeName?: string;
  /** The labels that a node must have for the Pod to be scheduled onto it. */
  nodeSelector?: Record<string, string>;
  /** The restart policy for all containers of the Pod. */
  restartPolicy?: "Always" | "OnFailure" | "Never";
  /** The name of the ServiceAccount that the Pod runs as. */
  serviceAccountName?: string;
  /** The grace period for a termination of the Pod, in seconds. */
  terminationGracePeriodSeconds?: number;
}

/** The observed state of a single container of a Pod. */
export interface ContainerStatus {
  /** The name of the container. */
  name: string;
  /** Whether the container passes its readiness checks. */
  ready: boolean;
  /** The number of times that the container has been restarted. */
  restartCount: number;
  /** The image that the container runs. */
  image?: string;
  /** The current state of the container: `waiting`, `running` or `terminated`, with details. */
  state?: Record<string, unknown>;
}

/** The observed state of a Pod. */
export interface PodStatus {
  /** The phase of the Pod: a summary of where the Pod is in its lifecycle. */
  phase?: "Pending" | "Running" | "Succeeded" | "Failed" | "Unknown";
  /** The current conditions of the Pod. */
  conditions?: Condition[];
  /** The reason why the Pod is in this state, as a brief CamelCase word. */
  reason?: string;
  /** The reason why the Pod is in this state, as a message for people. */
  message?: string;
  /** The IP address of the node that the Pod is assigned to. */
  hostIP?: string;
  /** The IP address of the Pod. */
  podIP?: string;
  /** The time at which the kubelet acknowledged the Pod (RFC 3339). */
  startTime?: string;
  /** The observed state of each container, except init containers. */
  containerStatuses?: ContainerStatus[];
}

/** A Pod: a group of containers that run together on one node. */
export interface Pod extends KubeObject {
  /** The desired state of the Pod. */
  spec?: PodSpec;
  /** The observed state of the Pod, as last reported by the kubelet. */
  status?: PodStatus;
}

/** A ConfigMap: configuration data that is not confidential, for Pods to consume. */
export interface ConfigMap extends KubeObject {
  /** The configuration data as text, by key. */
  data?: Record<string, string>;
  /** The configuration data as bytes, by key, base64-encoded. */
  binaryData?: Record<string, string>;
  /** Whether the data can no longer be changed. */
  immutable?: boolean;
}

/** A Secret: sensitive configuration, such as passwords and tokens. */
export interface Secret extends KubeObject {
  /** The type of the Secret, for programs that handle it, such as `kubernetes.io/tls`. */
  type?: string;
  /** The secret data as bytes, by key, base64-encoded. */
  data?: Record<string, string>;
  /** Write-only: the secret data as text, by key. The server merges it into `data`. */
  stringData?: Record<string, string>;
  /** Whether the data can no longer be changed. */
  immutable?: boolean;
}

/** A Namespace: names of objects are unique within it. */
export interface Namespace extends KubeObject {
  /** The desired state: the finalizers that must be removed before the Namespace is deleted. */
  spec?: { finalizers?: string[] };
  /** The observed state: whether the Namespace is active or being deleted. */
  status?: { phase?: "Active" | "Terminating"; conditions?: Condition[] };
}

/** A Node: a worker machine of the cluster. */
export interface Node extends KubeObject {
  /** The desired state: whether Pods may be scheduled onto the Node, and its taints. */
  spec?: { unschedulable?: boolean; taints?: { key: string; value?: string; effect: string }[] };
  /** The observed state: conditions, resources and addresses of the Node. */
  status?: {
    conditions?: Condition[];
    capacity?: Record<string, string>;
    allocatable?: Record<string, string>;
    addresses?: { type: string; address: string }[];
  };
}

/** A port of a Service. */
export interface ServicePort {
  /** The name of the port. Required if the Service has several ports. */
  name?: string;
  /** The port on which the Service is exposed. */
  port: number;
  /** The number or name of the port on the selected Pods. */
  targetPort?: number | string;
  /** The IP protocol of the port. Default `TCP`. */
  protocol?: string;
}

/** A Service: a stable address for a set of Pods. */
export interface Service extends KubeObject {
  /** The desired state: the selected Pods, the exposed ports, and the kind of address. */
  spec?: {
    selector?: Record<string, string>;
    ports?: ServicePort[];
    clusterIP?: string;
    type?: string;
  };
  /** The observed state, such as the address of a load balancer. */
  status?: Record<string, unknown>;
}

/** A ServiceAccount: the identity that the processes in a Pod use towards the API server. */
export interface ServiceAccount extends KubeObject {
  /** Whether Pods that use the account get a token mounted automatically. */
  automountServiceAccountToken?: boolean;
}

/** A reference to an object, or to a part of it. */
export interface ObjectReference {
  /** The API version of the object. */
  apiVersion?: string;
  /** The kind of the object. */
  kind?: string;
  /** The name of the object. */
  name?: string;
  /** The namespace of the object. */
  namespace?: string;
  /** The UID of the object. */
  uid?: string;
  /** The resource version to which the reference refers. */
  resourceVersion?: string;
  /** The part of the object to which the reference refers, such as `spec.containers{main}`. */
  fieldPath?: string;
}

/** An Event of core/v1: a report of something that happened to an object, for people to read. */
export interface Event extends KubeObject {
  /** The object that the event is about. */
  involvedObject: ObjectReference;
  /** The reason for the event, as a short CamelCase word. */
  reason?: string;
  /** The description of the event, for people. */
  message?: string;
  /** The severity: `Normal` or `Warning`. */
  type?: "Normal" | "Warning";
  /** The number of times that the event has occurred. */
  count?: number;
  /** The time of the first occurrence (RFC 3339). */
  firstTimestamp?: string | null;
  /** The time of the most recent occurrence (RFC 3339). */
  lastTimestamp?: string | null;
  /** The time at which the event was first observed, with six fraction digits. */
  eventTime?: string | null;
  /** The component that reports the event, and the host that it runs on. */
  source?: { component?: string; host?: string };
  /** The name of the controller that reported the event, such as `kubernetes.io/kubelet`. */
  reportingComponent?: string;
  /** The ID of the controller instance that reported the event. */
  reportingInstance?: string;
  /** The action that the reporting controller took, or that failed. */
  action?: string;
}

/** The resource `pods` of the core group. */
export const Pods: Resource<Pod> = core<Pod>("pods", "Pod", true);
/** The resource `configmaps` of the core group. */
export const ConfigMaps: Resource<ConfigMap> = core<ConfigMap>("configmaps", "ConfigMap", true);
/** The resource `secrets` of the core group. */
export const Secrets: Resource<Secret> = core<Secret>("secrets", "Secret", true);
/** The resource `services` of the core group. */
export const Services: Resource<Service> = core<Service>("services", "Service", true);
/** The resource `serviceaccounts` of the core group. */
export const ServiceAccounts: Resource<ServiceAccount> = core<ServiceAccount>(
  "serviceaccounts",
  "ServiceAccount",
  true,
);
/** The resource `events` of the core group. */
export const Events: Resource<Event> = core<Event>("events", "Event", true);
/** The resource `namespaces` of the core group, which is cluster-scoped. */
export const Namespaces: Resource<Namespace> = core<Namespace>("namespaces", "Namespace", false);
/** The resource `nodes` of the core group, which is cluster-scoped. */
export const Nodes: Resource<Node> = core<Node>("nodes", "Node", false);

function core<T extends KubeObject>(
  plural: string,
  kind: string,
  namespaced: boolean,
): Resource<T> {
  return defineResource<T>({ group: "", version: "v1", plural, kind, namespaced });
}
