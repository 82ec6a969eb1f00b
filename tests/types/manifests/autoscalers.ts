import type { HorizontalPodAutoscaler } from "@kubeloop/controller/types/autoscaling/v2";
import type { HorizontalPodAutoscaler as HorizontalPodAutoscalerV1 } from "@kubeloop/controller/types/autoscaling/v1";

export const simple: HorizontalPodAutoscalerV1 = {
  apiVersion: "autoscaling/v1",
  kind: "HorizontalPodAutoscaler",
  metadata: { name: "simple", namespace: "default" },
  spec: {
    scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" },
    minReplicas: 1,
    maxReplicas: 5,
    targetCPUUtilizationPercentage: 80,
  },
};

export const cpu: HorizontalPodAutoscaler = {
  apiVersion: "autoscaling/v2",
  kind: "HorizontalPodAutoscaler",
  metadata: { name: "web", namespace: "default" },
  spec: {
    scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" },
    minReplicas: 2,
    maxReplicas: 10,
    metrics: [
      {
        type: "Resource",
        resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 70 } },
      },
      {
        type: "ContainerResource",
        containerResource: {
          container: "nginx",
          name: "memory",
          target: { type: "AverageValue", averageValue: "500Mi" },
        },
      },
    ],
    behavior: {
      scaleUp: {
        stabilizationWindowSeconds: 0,
        selectPolicy: "Max",
        policies: [{ type: "Percent", value: 100, periodSeconds: 15 }],
        tolerance: "0.05",
      },
      scaleDown: {
        stabilizationWindowSeconds: 300,
        policies: [{ type: "Pods", value: 1, periodSeconds: 60 }],
      },
    },
  },
};

export const requests: HorizontalPodAutoscaler = {
  metadata: { name: "worker", namespace: "default" },
  spec: {
    scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "worker" },
    maxReplicas: 20,
    metrics: [
      {
        type: "Pods",
        pods: {
          metric: { name: "packets-per-second" },
          target: { type: "AverageValue", averageValue: "1k" },
        },
      },
      {
        type: "Object",
        object: {
          describedObject: { apiVersion: "networking.k8s.io/v1", kind: "Ingress", name: "site" },
          metric: { name: "requests-per-second", selector: { matchLabels: { verb: "GET" } } },
          target: { type: "Value", value: "10k" },
        },
      },
      {
        type: "External",
        external: {
          metric: {
            name: "queue_messages_ready",
            selector: { matchLabels: { queue: "tasks" } },
          },
          target: { type: "AverageValue", averageValue: "30" },
        },
      },
    ],
  },
};
