import type { Deployment, ReplicaSet } from "@kubeloop/controller";
import type { DaemonSet, StatefulSet } from "@kubeloop/controller/types/apps/v1";

export const web: Deployment = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "web", namespace: "default", labels: { app: "web" } },
  spec: {
    replicas: 3,
    selector: { matchLabels: { app: "web" } },
    strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: "25%", maxUnavailable: 0 } },
    minReadySeconds: 10,
    revisionHistoryLimit: 5,
    progressDeadlineSeconds: 300,
    template: {
      metadata: { labels: { app: "web" }, annotations: { "prometheus.io/scrape": "true" } },
      spec: {
        containers: [{
          name: "nginx",
          image: "nginx:1.29",
          ports: [{ containerPort: 80 }],
          resources: { requests: { cpu: "100m", memory: "64Mi" }, limits: { memory: "128Mi" } },
          readinessProbe: { httpGet: { path: "/", port: 80 }, periodSeconds: 5 },
          volumeMounts: [{ name: "cache", mountPath: "/var/cache/nginx" }],
        }],
        volumes: [{ name: "cache", emptyDir: {} }],
      },
    },
  },
};

export const worker: Deployment = {
  metadata: { name: "worker", namespace: "default" },
  spec: {
    paused: true,
    selector: { matchExpressions: [{ key: "app", operator: "In", values: ["worker"] }] },
    strategy: { type: "Recreate" },
    template: {
      metadata: { labels: { app: "worker" } },
      spec: {
        serviceAccountName: "worker",
        securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
        containers: [{
          name: "worker",
          image: "registry.example.com/worker:3.1.0",
          envFrom: [{ secretRef: { name: "queue" } }],
          securityContext: { capabilities: { drop: ["ALL"] }, readOnlyRootFilesystem: true },
        }],
      },
    },
  },
};

export const ingressController: Deployment = {
  metadata: { name: "ingress-controller", namespace: "ingress" },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: "ingress" } },
    template: {
      metadata: { labels: { app: "ingress" } },
      spec: {
        priorityClassName: "system-cluster-critical",
        topologySpreadConstraints: [{
          maxSkew: 1,
          topologyKey: "kubernetes.io/hostname",
          whenUnsatisfiable: "ScheduleAnyway",
          labelSelector: { matchLabels: { app: "ingress" } },
        }],
        containers: [{
          name: "controller",
          image: "registry.example.com/ingress:1.13.0",
          args: ["--election-id=ingress"],
          ports: [{ name: "http", containerPort: 80 }, { name: "https", containerPort: 443 }],
          lifecycle: { preStop: { exec: { command: ["/wait-shutdown"] } } },
        }],
        terminationGracePeriodSeconds: 300,
      },
    },
  },
};

export const operator: Deployment = {
  metadata: { name: "widget-operator", namespace: "widgets" },
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: "widget-operator" } },
    template: {
      metadata: { labels: { app: "widget-operator" } },
      spec: {
        serviceAccountName: "widget-operator",
        containers: [{
          name: "operator",
          image: "registry.example.com/widget-operator:0.1.0",
          env: [{
            name: "POD_NAMESPACE",
            valueFrom: { fieldRef: { fieldPath: "metadata.namespace" } },
          }],
          livenessProbe: { httpGet: { path: "/healthz", port: 8080 } },
          readinessProbe: { httpGet: { path: "/readyz", port: 8080 } },
        }],
      },
    },
  },
};

export const dashboard: Deployment = {
  metadata: { name: "dashboard", namespace: "monitoring" },
  spec: {
    selector: { matchLabels: { app: "dashboard" } },
    template: {
      metadata: { labels: { app: "dashboard" } },
      spec: {
        initContainers: [{
          name: "permissions",
          image: "busybox:1.37",
          command: ["chown", "-R", "472", "/var/lib/grafana"],
          volumeMounts: [{ name: "data", mountPath: "/var/lib/grafana" }],
        }],
        containers: [{
          name: "grafana",
          image: "grafana/grafana:12.3.0",
          volumeMounts: [
            { name: "data", mountPath: "/var/lib/grafana" },
            { name: "config", mountPath: "/etc/grafana/grafana.ini", subPath: "grafana.ini" },
          ],
        }],
        volumes: [
          { name: "data", persistentVolumeClaim: { claimName: "dashboard" } },
          { name: "config", configMap: { name: "dashboard" } },
        ],
      },
    },
  },
};

export const replicas: ReplicaSet = {
  apiVersion: "apps/v1",
  kind: "ReplicaSet",
  metadata: { name: "frontend", namespace: "default" },
  spec: {
    replicas: 3,
    minReadySeconds: 5,
    selector: { matchLabels: { tier: "frontend" } },
    template: {
      metadata: { labels: { tier: "frontend" } },
      spec: { containers: [{ name: "php", image: "registry.example.com/frontend:5" }] },
    },
  },
};

export const database: StatefulSet = {
  apiVersion: "apps/v1",
  kind: "StatefulSet",
  metadata: { name: "postgres", namespace: "default" },
  spec: {
    serviceName: "postgres",
    replicas: 3,
    selector: { matchLabels: { app: "postgres" } },
    podManagementPolicy: "OrderedReady",
    updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 1, maxUnavailable: 1 } },
    persistentVolumeClaimRetentionPolicy: { whenDeleted: "Retain", whenScaled: "Delete" },
    ordinals: { start: 1 },
    minReadySeconds: 10,
    revisionHistoryLimit: 3,
    template: {
      metadata: { labels: { app: "postgres" } },
      spec: {
        securityContext: { fsGroup: 999 },
        containers: [{
          name: "postgres",
          image: "postgres:18",
          env: [{
            name: "POSTGRES_PASSWORD",
            valueFrom: { secretKeyRef: { name: "postgres", key: "password" } },
          }],
          ports: [{ name: "db", containerPort: 5432 }],
          readinessProbe: { exec: { command: ["pg_isready"] } },
          volumeMounts: [{ name: "data", mountPath: "/var/lib/postgresql" }],
        }],
      },
    },
    volumeClaimTemplates: [{
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      metadata: { name: "data" },
      spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "10Gi" } } },
    }],
  },
};

export const queue: StatefulSet = {
  metadata: { name: "nats", namespace: "default" },
  spec: {
    serviceName: "nats",
    selector: { matchLabels: { app: "nats" } },
    podManagementPolicy: "Parallel",
    updateStrategy: { type: "OnDelete" },
    template: {
      metadata: { labels: { app: "nats" } },
      spec: {
        affinity: {
          podAntiAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [{
              labelSelector: { matchLabels: { app: "nats" } },
              topologyKey: "kubernetes.io/hostname",
            }],
          },
        },
        containers: [{ name: "nats", image: "nats:2.12", args: ["-js"] }],
      },
    },
  },
};

export const nodeExporter: DaemonSet = {
  apiVersion: "apps/v1",
  kind: "DaemonSet",
  metadata: { name: "node-exporter", namespace: "monitoring" },
  spec: {
    selector: { matchLabels: { app: "node-exporter" } },
    updateStrategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } },
    minReadySeconds: 5,
    revisionHistoryLimit: 2,
    template: {
      metadata: { labels: { app: "node-exporter" } },
      spec: {
        hostNetwork: true,
        hostPID: true,
        tolerations: [{ operator: "Exists" }],
        containers: [{
          name: "node-exporter",
          image: "prom/node-exporter:v1.10.2",
          args: ["--path.rootfs=/host"],
          ports: [{ containerPort: 9100, hostPort: 9100 }],
          volumeMounts: [{
            name: "root",
            mountPath: "/host",
            readOnly: true,
            mountPropagation: "HostToContainer",
          }],
        }],
        volumes: [{ name: "root", hostPath: { path: "/" } }],
      },
    },
  },
};

export const logs: DaemonSet = {
  metadata: { name: "fluent-bit", namespace: "logging" },
  spec: {
    selector: { matchLabels: { app: "fluent-bit" } },
    updateStrategy: { type: "OnDelete" },
    template: {
      metadata: { labels: { app: "fluent-bit" } },
      spec: {
        nodeSelector: { "kubernetes.io/os": "linux" },
        containers: [{
          name: "fluent-bit",
          image: "fluent/fluent-bit:4.2",
          volumeMounts: [{ name: "logs", mountPath: "/var/log", readOnly: true }],
        }],
        volumes: [{ name: "logs", hostPath: { path: "/var/log", type: "DirectoryOrCreate" } }],
      },
    },
  },
};
