import type { KubeObject } from "@kubeloop/controller/types";
import type { JsonObject } from "../../values/mod.ts";

/** The address of the Service by which Pods find the API server. */
const SERVICE_IP = "10.0.0.1";

/** The port at which the API server would be found behind that Service, and the address of its machine. */
const PORT = { name: "https", protocol: "TCP", port: 6443 };
const MACHINE_IP = "172.18.0.1";

const KUBERNETES = { name: "kubernetes", namespace: "default" };

/** Returns the Namespaces. */
export function namespaces(): KubeObject[] {
  return ["default", "kube-node-lease", "kube-public", "kube-system"].map((name) => ({
    kind: "Namespace",
    apiVersion: "v1",
    metadata: { name, labels: { "kubernetes.io/metadata.name": name } },
  }));
}

/**
 * Returns the ConfigMaps that an API server writes itself. It has no certificate authority for clients or proxies, so it
 * names none.
 */
export function configMaps(now: string): KubeObject[] {
  const map = (name: string, data?: object) => ({
    kind: "ConfigMap",
    apiVersion: "v1",
    metadata: { name, namespace: "kube-system" },
    ...(data === undefined ? {} : { data }),
  });
  return [
    map("extension-apiserver-authentication"),
    map("kube-apiserver-legacy-service-account-token-tracking", { since: now.slice(0, 10) }),
  ];
}

/** Returns the PriorityClasses. */
export function priorityClasses(): KubeObject[] {
  return [
    priorityClass(
      "system-node-critical",
      2_000_001_000,
      "Used for system critical pods that must not be moved from their current node.",
    ),
    priorityClass(
      "system-cluster-critical",
      2_000_000_000,
      "Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.",
    ),
  ];
}

function priorityClass(name: string, value: number, description: string): KubeObject {
  return {
    kind: "PriorityClass",
    apiVersion: "scheduling.k8s.io/v1",
    metadata: { name },
    value,
    description,
    preemptionPolicy: "PreemptLowerPriority",
  } as KubeObject;
}

/** Returns the addresses of Services. */
export function serviceCidr(): KubeObject {
  return {
    kind: "ServiceCIDR",
    apiVersion: "networking.k8s.io/v1",
    metadata: { name: "kubernetes" },
    spec: { cidrs: ["10.0.0.0/24"] },
  } as KubeObject;
}

/** Returns the status of the addresses of Services. */
export function readyCidr(_: JsonObject, now: string): JsonObject {
  const condition = { type: "Ready", status: "True", lastTransitionTime: now };
  return {
    conditions: [{ ...condition, message: "Kubernetes default Service CIDR is ready" }],
  };
}

/** Returns the reservation of the address of the Service. */
export function serviceAddress(): KubeObject {
  return {
    kind: "IPAddress",
    apiVersion: "networking.k8s.io/v1",
    metadata: {
      name: SERVICE_IP,
      labels: {
        "ipaddress.kubernetes.io/ip-family": "IPv4",
        "ipaddress.kubernetes.io/managed-by": "ipallocator.k8s.io",
      },
    },
    spec: { parentRef: { resource: "services", ...KUBERNETES } },
  } as KubeObject;
}

/**
 * Returns the Service by which Pods find the API server. It has no selector: a real API server maintains its endpoints
 * itself.
 */
export function service(): KubeObject {
  return {
    kind: "Service",
    apiVersion: "v1",
    metadata: { ...KUBERNETES, labels: { component: "apiserver", provider: "kubernetes" } },
    spec: {
      ports: [{ ...PORT, port: 443, targetPort: PORT.port }],
      clusterIP: SERVICE_IP,
      type: "ClusterIP",
      sessionAffinity: "None",
      ipFamilyPolicy: "SingleStack",
      internalTrafficPolicy: "Cluster",
    },
  } as KubeObject;
}

/** Returns the Endpoints of the Service. */
export function endpoints(): KubeObject {
  return {
    kind: "Endpoints",
    apiVersion: "v1",
    metadata: { ...KUBERNETES, labels: { "endpointslice.kubernetes.io/skip-mirror": "true" } },
    subsets: [{ addresses: [{ ip: MACHINE_IP }], ports: [PORT] }],
  } as KubeObject;
}

/** Returns the EndpointSlice of the Service. */
export function endpointSlice(): KubeObject {
  return {
    kind: "EndpointSlice",
    apiVersion: "discovery.k8s.io/v1",
    metadata: { ...KUBERNETES, labels: { "kubernetes.io/service-name": "kubernetes" } },
    addressType: "IPv4",
    endpoints: [{ addresses: [MACHINE_IP], conditions: { ready: true } }],
    ports: [PORT],
  } as KubeObject;
}
