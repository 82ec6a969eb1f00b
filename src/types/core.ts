import type { Condition, KubeObject } from "./meta.ts";
import { defineResource, type Resource } from "./resource.ts";

/** One container of a Pod, as desired. */
export interface Container {
  /** Unique within the Pod. */
  name: string;
  /** The image to run. */
  image?: string;
  /** Replaces the image's entry point. */
  command?: string[];
  /** Replaces the image's arguments. */
  args?: string[];
  /** The environment. */
  env?: { name: string; value?: string; valueFrom?: Record<string, unknown> }[];
  /** The ports it listens on. */
  ports?: { name?: string; containerPort: number; protocol?: string }[];
  /** What it asks for and may use at most. */
  resources?: { requests?: Record<string, string>; limits?: Record<string, string> };
}

/** What a Pod shall be. */
export interface PodSpec {
  /** The containers; at least one. */
  containers: Container[];
  /** The containers that run first, one after another. */
  initContainers?: Container[];
  /** The node it is bound to; set by the scheduler. */
  nodeName?: string;
  /** Which nodes it may run on. */
  nodeSelector?: Record<string, string>;
  /** What happens when a container ends. */
  restartPolicy?: "Always" | "OnFailure" | "Never";
  /** The account it runs as. */
  serviceAccountName?: string;
  /** How long it may take to stop, in seconds. */
  terminationGracePeriodSeconds?: number;
}

/** One container of a Pod, as it is. */
export interface ContainerStatus {
  /** The container's name. */
  name: string;
  /** Whether it can serve. */
  ready: boolean;
  /** How often it was started again. */
  restartCount: number;
  /** The image that runs. */
  image?: string;
  /** Which of waiting, running and terminated it is in. */
  state?: Record<string, unknown>;
}

/** What a Pod is. */
export interface PodStatus {
  /** Where it is in its life. */
  phase?: "Pending" | "Running" | "Succeeded" | "Failed" | "Unknown";
  /** Its conditions. */
  conditions?: Condition[];
  /** Why it is in this state, as one word. */
  reason?: string;
  /** Why it is in this state, for people. */
  message?: string;
  /** Its node's address. */
  hostIP?: string;
  /** Its own address. */
  podIP?: string;
  /** When the node took it on. */
  startTime?: string;
  /** Its containers. */
  containerStatuses?: ContainerStatus[];
}

/** A group of containers that run together. */
export interface Pod extends KubeObject {
  /** What it shall be. */
  spec?: PodSpec;
  /** What it is. */
  status?: PodStatus;
}

/** Configuration as text. */
export interface ConfigMap extends KubeObject {
  /** Text by key. */
  data?: Record<string, string>;
  /** Bytes by key, in base64. */
  binaryData?: Record<string, string>;
  /** Whether it may no longer change. */
  immutable?: boolean;
}

/** Configuration that is not for everyone's eyes. */
export interface Secret extends KubeObject {
  /** What it is used for. */
  type?: string;
  /** Bytes by key, in base64. */
  data?: Record<string, string>;
  /** Text by key; write-only. */
  stringData?: Record<string, string>;
  /** Whether it may no longer change. */
  immutable?: boolean;
}

/** A room for names. */
export interface Namespace extends KubeObject {
  /** What must happen before it is gone. */
  spec?: { finalizers?: string[] };
  /** Whether it is being deleted. */
  status?: { phase?: "Active" | "Terminating"; conditions?: Condition[] };
}

/** A machine of the cluster. */
export interface Node extends KubeObject {
  /** How it may be used. */
  spec?: { unschedulable?: boolean; taints?: { key: string; value?: string; effect: string }[] };
  /** How it is. */
  status?: {
    conditions?: Condition[];
    capacity?: Record<string, string>;
    allocatable?: Record<string, string>;
    addresses?: { type: string; address: string }[];
  };
}

/** One port of a Service. */
export interface ServicePort {
  /** Its name, needed when there are several. */
  name?: string;
  /** The port of the Service. */
  port: number;
  /** The port of the Pods, by number or name. */
  targetPort?: number | string;
  /** `TCP` unless said otherwise. */
  protocol?: string;
}

/** A stable address for Pods. */
export interface Service extends KubeObject {
  /** Which Pods, and on which ports. */
  spec?: {
    selector?: Record<string, string>;
    ports?: ServicePort[];
    clusterIP?: string;
    type?: string;
  };
  /** What a load balancer gave it. */
  status?: Record<string, unknown>;
}

/** Whom a Pod acts as. */
export interface ServiceAccount extends KubeObject {
  /** Whether its token is mounted into Pods. */
  automountServiceAccountToken?: boolean;
}

/** Which object something is about. */
export interface ObjectReference {
  /** The object's API version. */
  apiVersion?: string;
  /** The object's kind. */
  kind?: string;
  /** The object's name. */
  name?: string;
  /** The object's namespace. */
  namespace?: string;
  /** The object's uid. */
  uid?: string;
  /** The version it was seen at. */
  resourceVersion?: string;
  /** Which part of the object. */
  fieldPath?: string;
}

/** Something that happened to an object, for people to read (core/v1). */
export interface Event extends KubeObject {
  /** Whom it happened to. */
  involvedObject: ObjectReference;
  /** Why, as one word. */
  reason?: string;
  /** What, as a sentence. */
  message?: string;
  /** Whether it is a worry. */
  type?: "Normal" | "Warning";
  /** How often. */
  count?: number;
  /** When first. */
  firstTimestamp?: string | null;
  /** When last. */
  lastTimestamp?: string | null;
  /** When, with six fraction digits. */
  eventTime?: string | null;
  /** Who noticed. */
  source?: { component?: string; host?: string };
  /** The controller that reports it. */
  reportingComponent?: string;
  /** The controller's instance. */
  reportingInstance?: string;
  /** What the controller did. */
  action?: string;
}

/** `pods` */
export const Pods: Resource<Pod> = core<Pod>("pods", "Pod", true);
/** `configmaps` */
export const ConfigMaps: Resource<ConfigMap> = core<ConfigMap>("configmaps", "ConfigMap", true);
/** `secrets` */
export const Secrets: Resource<Secret> = core<Secret>("secrets", "Secret", true);
/** `services` */
export const Services: Resource<Service> = core<Service>("services", "Service", true);
/** `serviceaccounts` */
export const ServiceAccounts: Resource<ServiceAccount> = core<ServiceAccount>(
  "serviceaccounts",
  "ServiceAccount",
  true,
);
/** `events` of the core group */
export const Events: Resource<Event> = core<Event>("events", "Event", true);
/** `namespaces` */
export const Namespaces: Resource<Namespace> = core<Namespace>("namespaces", "Namespace", false);
/** `nodes` */
export const Nodes: Resource<Node> = core<Node>("nodes", "Node", false);

function core<T extends KubeObject>(
  plural: string,
  kind: string,
  namespaced: boolean,
): Resource<T> {
  return defineResource<T>({ group: "", version: "v1", plural, kind, namespaced });
}
