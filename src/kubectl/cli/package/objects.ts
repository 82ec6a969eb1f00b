import type { KubeObject } from "@kubeloop/controller/types";
import type { Declaration } from "./declaration.ts";
import type { ContainerRuntime, Variable } from "./files.ts";

/** The fields of a Deployment that differ between clusters. A chart has placeholders there. */
export interface Values {
  readonly image: string;
  readonly imagePullPolicy: string;
  readonly replicas: number | string;
  readonly resources: unknown;
  /** More fields of the container, such as `env`. */
  readonly container: Readonly<Record<string, unknown>>;
  /** More fields of the Pod, such as `nodeSelector`. */
  readonly pod: Readonly<Record<string, unknown>>;
}

/** The resources of a small operator: its caches decide how much memory it needs. */
export const RESOURCES = {
  limits: { memory: "256Mi" },
  requests: { cpu: "20m", memory: "96Mi" },
};

/** Returns the environment of the container. Deno may reach the API server only under the name in its permissions. */
export function environmentOf(runtime: ContainerRuntime): readonly Variable[] {
  if (runtime !== "deno") return [];
  return [
    { name: "KUBERNETES_SERVICE_HOST", value: "kubernetes.default.svc" },
    { name: "KUBERNETES_SERVICE_PORT", value: "443" },
  ];
}

/** The user and the group of an operator, as in distroless images. */
export const NONROOT = 65532;

/** Returns the Namespace of the operator; undefined for `default`, which each cluster has. */
export function namespaceOf({ namespace }: Declaration): KubeObject | undefined {
  if (namespace === "default") return undefined;
  return { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } };
}

/** Returns the Service in front of webhooks and metrics; undefined without any port. */
export function serviceOf(declaration: Declaration): KubeObject | undefined {
  const { httpPort, name, webhooks } = declaration;
  const ports = [
    ...webhooks === undefined
      ? []
      : [{ name: "webhooks", port: webhooks.servicePort, targetPort: "webhooks" }],
    ...httpPort === undefined ? [] : [{ name: "http", port: httpPort, targetPort: "http" }],
  ];
  if (ports.length === 0) return undefined;
  return {
    ...headOf("v1", "Service", declaration, webhooks?.service ?? name),
    spec: { selector: labelsOf(name), ports },
  } as KubeObject;
}

/** Returns the Deployment. */
export function deploymentOf(declaration: Declaration, values: Values): KubeObject {
  const { hasReplicas, httpPort, name, stopSeconds, webhooks } = declaration;
  const ports = [
    ...httpPort === undefined ? [] : [{ name: "http", containerPort: httpPort }],
    ...webhooks === undefined ? [] : [{ name: "webhooks", containerPort: webhooks.port }],
  ];
  return {
    ...headOf("apps/v1", "Deployment", declaration),
    spec: {
      replicas: values.replicas,
      // Without an election, an old and a new Pod would both reconcile.
      strategy: hasReplicas
        ? { type: "RollingUpdate", rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } }
        : { type: "Recreate" },
      selector: { matchLabels: labelsOf(name) },
      template: {
        metadata: { labels: labelsOf(name) },
        spec: {
          serviceAccountName: name,
          terminationGracePeriodSeconds: stopSeconds,
          securityContext: {
            runAsGroup: NONROOT,
            runAsNonRoot: true,
            runAsUser: NONROOT,
            seccompProfile: { type: "RuntimeDefault" },
          },
          containers: [{
            name: "operator",
            image: values.image,
            imagePullPolicy: values.imagePullPolicy,
            ...ports.length > 0 && { ports },
            ...httpPort !== undefined && {
              readinessProbe: { httpGet: { path: "/readyz", port: "http" } },
              livenessProbe: {
                httpGet: { path: "/healthz", port: "http" },
                initialDelaySeconds: 10,
              },
            },
            resources: values.resources,
            securityContext: {
              allowPrivilegeEscalation: false,
              capabilities: { drop: ["ALL"] },
              readOnlyRootFilesystem: true,
            },
            ...values.container,
          }],
          ...values.pod,
        },
      },
    },
  } as KubeObject;
}

/** Returns the PodDisruptionBudget, which keeps one replica while nodes are drained. */
export function budgetOf(declaration: Declaration): KubeObject {
  return {
    ...headOf("policy/v1", "PodDisruptionBudget", declaration),
    spec: { minAvailable: 1, selector: { matchLabels: labelsOf(declaration.name) } },
  } as KubeObject;
}

/** Returns the NetworkPolicy, which admits connections to these ports only. It does not limit the calls of the operator. */
export function policyOf(declaration: Declaration): KubeObject {
  const { httpPort, name, webhooks } = declaration;
  const ports = [httpPort, webhooks?.port].flatMap((port) =>
    port === undefined ? [] : [{ port, protocol: "TCP" }]
  );
  return {
    ...headOf("networking.k8s.io/v1", "NetworkPolicy", declaration),
    spec: {
      podSelector: { matchLabels: labelsOf(name) },
      policyTypes: ["Ingress"],
      ingress: ports.length === 0 ? [] : [{ ports }],
    },
  } as KubeObject;
}

function headOf(
  apiVersion: string,
  kind: string,
  { name: operator, namespace }: Declaration,
  name: string = operator,
): KubeObject {
  return { apiVersion, kind, metadata: { name, namespace, labels: labelsOf(operator) } };
}

function labelsOf(name: string): Record<string, string> {
  return { "app.kubernetes.io/name": name };
}
