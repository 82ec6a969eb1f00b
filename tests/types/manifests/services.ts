import type { Service } from "@kubeloop/controller";
import type { Ingress } from "@kubeloop/controller/types/networking/v1";

export const web: Service = {
  apiVersion: "v1",
  kind: "Service",
  metadata: { name: "web", namespace: "default", labels: { app: "web" } },
  spec: {
    selector: { app: "web" },
    ports: [
      { name: "http", port: 80, targetPort: "http", protocol: "TCP", appProtocol: "http" },
      { name: "metrics", port: 9090, targetPort: 9090 },
    ],
  },
};

export const headless: Service = {
  metadata: { name: "postgres", namespace: "default" },
  spec: {
    clusterIP: "None",
    clusterIPs: ["None"],
    selector: { app: "postgres" },
    publishNotReadyAddresses: true,
    ports: [{ name: "db", port: 5432 }],
  },
};

export const nodePort: Service = {
  metadata: { name: "node-port", namespace: "default" },
  spec: {
    type: "NodePort",
    selector: { app: "web" },
    externalIPs: ["192.0.2.10"],
    ports: [{ port: 80, nodePort: 30080 }],
  },
};

export const loadBalancer: Service = {
  metadata: { name: "edge", namespace: "ingress" },
  spec: {
    type: "LoadBalancer",
    selector: { app: "ingress" },
    loadBalancerClass: "example.com/internal",
    loadBalancerIP: "192.0.2.20",
    loadBalancerSourceRanges: ["10.0.0.0/8"],
    allocateLoadBalancerNodePorts: true,
    externalTrafficPolicy: "Local",
    healthCheckNodePort: 30081,
    ports: [{ name: "https", port: 443 }],
  },
};

export const dualStack: Service = {
  metadata: { name: "dual-stack", namespace: "default" },
  spec: {
    selector: { app: "web" },
    ipFamilyPolicy: "PreferDualStack",
    ipFamilies: ["IPv4"],
    ports: [{ port: 80 }],
  },
};

export const sticky: Service = {
  metadata: { name: "sticky", namespace: "default" },
  spec: {
    selector: { app: "web" },
    sessionAffinity: "ClientIP",
    sessionAffinityConfig: { clientIP: { timeoutSeconds: 600 } },
    internalTrafficPolicy: "Local",
    trafficDistribution: "PreferClose",
    ports: [{ port: 80 }],
  },
};

export const alias: Service = {
  metadata: { name: "alias", namespace: "default" },
  spec: { type: "ExternalName", externalName: "db.example.com" },
};

export const site: Ingress = {
  apiVersion: "networking.k8s.io/v1",
  kind: "Ingress",
  metadata: {
    name: "site",
    namespace: "default",
    annotations: { "cert-manager.io/cluster-issuer": "letsencrypt" },
  },
  spec: {
    ingressClassName: "nginx",
    tls: [{ hosts: ["example.com"], secretName: "example-tls" }],
    rules: [{
      host: "example.com",
      http: {
        paths: [
          {
            path: "/",
            pathType: "Prefix",
            backend: { service: { name: "web", port: { number: 80 } } },
          },
          {
            path: "/api",
            pathType: "Exact",
            backend: { service: { name: "api", port: { name: "http" } } },
          },
        ],
      },
    }],
  },
};

export const fallback: Ingress = {
  metadata: { name: "fallback", namespace: "default" },
  spec: { defaultBackend: { service: { name: "web", port: { number: 80 } } } },
};

export const bucket: Ingress = {
  metadata: { name: "bucket", namespace: "default" },
  spec: {
    rules: [{
      http: {
        paths: [{
          path: "/icons",
          pathType: "ImplementationSpecific",
          backend: {
            resource: { apiGroup: "example.com", kind: "StorageBucket", name: "icons" },
          },
        }],
      },
    }],
  },
};
