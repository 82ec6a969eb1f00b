import type { Condition, KubeObject } from "./meta.ts";

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
