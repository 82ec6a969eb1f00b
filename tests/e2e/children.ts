/**
 * One object of each kind that operators make, as people write them: with quantities that are not canonical, and without
 * what has a default.
 *
 * @module
 */

import {
  type ApplyConfiguration,
  defineResource,
  type KubeObject,
  type Resource,
} from "@kubeloop/controller";

function resource(apiVersion: string, kind: string, plural: string): Resource<KubeObject> {
  const [group, version] = apiVersion.includes("/") ? apiVersion.split("/") : ["", apiVersion];
  return defineResource({ group: group!, version: version!, kind, plural, namespaced: true });
}

const labels = { app: "a" };
const selector = { matchLabels: labels };

function template(pod: object = {}, container: object = {}): object {
  const containers = [{ name: "main", image: "nginx", ...container }];
  return { metadata: { labels }, spec: { containers, ...pod } };
}

const claim = {
  metadata: { name: "data" },
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1024Mi" } } },
};
const nameOfPod = { fieldRef: { fieldPath: "metadata.name" } };

/** The kinds, and what is applied of them. */
const CHILDREN: readonly (readonly [Resource<KubeObject>, object])[] = [
  [resource("v1", "ConfigMap", "configmaps"), { data: {}, immutable: false }],
  [resource("v1", "Secret", "secrets"), { stringData: { key: "ä" } }],
  [resource("v1", "ServiceAccount", "serviceaccounts"), { automountServiceAccountToken: false }],
  [resource("v1", "Service", "services"), { spec: { selector: labels, ports: [{ port: 80 }] } }],
  [resource("v1", "PersistentVolumeClaim", "persistentvolumeclaims"), { spec: claim.spec }],
  [resource("apps/v1", "StatefulSet", "statefulsets"), {
    spec: { serviceName: "a", selector, template: template(), volumeClaimTemplates: [claim] },
  }],
  [resource("apps/v1", "DaemonSet", "daemonsets"), {
    spec: {
      selector,
      template: template({
        hostNetwork: true,
        volumes: [{
          name: "projected",
          projected: {
            sources: [
              { serviceAccountToken: { path: "token" } },
              { downwardAPI: { items: [{ path: "name", ...nameOfPod }] } },
            ],
          },
        }],
        tolerations: [{ key: "spot", operator: "Exists" }],
      }, {
        ports: [{ containerPort: 80 }],
        env: [{ name: "POD", valueFrom: nameOfPod }],
        command: [],
      }),
    },
  }],
  [resource("batch/v1", "Job", "jobs"), {
    spec: {
      template: template({ restartPolicy: "Never" }),
      podFailurePolicy: {
        rules: [{ action: "Ignore", onPodConditions: [{ type: "DisruptionTarget" }] }],
      },
    },
  }],
  [resource("batch/v1", "CronJob", "cronjobs"), {
    spec: {
      schedule: "@daily",
      jobTemplate: { spec: { template: template({ restartPolicy: "Never" }) } },
    },
  }],
  [resource("networking.k8s.io/v1", "Ingress", "ingresses"), {
    spec: {
      rules: [{
        host: "a.example",
        http: {
          paths: [{
            path: "/",
            pathType: "Prefix",
            backend: { service: { name: "a", port: { number: 80 } } },
          }],
        },
      }],
    },
  }],
  [resource("networking.k8s.io/v1", "NetworkPolicy", "networkpolicies"), {
    spec: { podSelector: {}, ingress: [{ ports: [{ port: 80 }], from: [{ podSelector: {} }] }] },
  }],
  [resource("autoscaling/v2", "HorizontalPodAutoscaler", "horizontalpodautoscalers"), {
    spec: {
      scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "a" },
      maxReplicas: 3,
      metrics: [{
        type: "Resource",
        resource: { name: "cpu", target: { type: "AverageValue", averageValue: "1000m" } },
      }],
    },
  }],
  [resource("policy/v1", "PodDisruptionBudget", "poddisruptionbudgets"), {
    spec: { minAvailable: 1, selector },
  }],
  [resource("rbac.authorization.k8s.io/v1", "Role", "roles"), {
    rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }],
  }],
  [resource("rbac.authorization.k8s.io/v1", "RoleBinding", "rolebindings"), {
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "a" },
    subjects: [{ kind: "ServiceAccount", name: "a", namespace: "default" }],
  }],
];

/** The kinds. */
export const CHILD_KINDS: readonly Resource<KubeObject>[] = CHILDREN.map(([kind]) => kind);

/** Returns what to apply: one object of each kind, with a name. */
export function childrenOf(
  name: string,
): (readonly [Resource<KubeObject>, ApplyConfiguration<KubeObject>])[] {
  return CHILDREN.map(([kind, object]) => [kind, { metadata: { name }, ...object }]);
}
