import { apply, get, merge, post, put, type RequestStep, type StepScenario } from "../step.ts";
import { core, namespaced } from "./_objects.ts";

const NS = "suite-services";
const SERVICES = core(NS, "services");
const TABLE = { headers: { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" } };
const PORTS = [{ port: 80 }];

function service(name: string, spec: object): object {
  return { apiVersion: "v1", kind: "Service", metadata: { name }, spec };
}

/** Returns a step that only tries to create a Service. */
function tried(spec: object): RequestStep {
  return post(`${SERVICES}?dryRun=All`, service("tried", { ports: PORTS, ...spec }));
}

const nodePort = (nodePort: number, port: object = {}) => ({ port: 80, nodePort, ...port });
const LOCAL = { type: "LoadBalancer", externalTrafficPolicy: "Local" };

/** Addresses and ports in dry runs, which take none, and ports that a Service shares between protocols. */
const allocations: readonly RequestStep[] = [
  post(
    SERVICES,
    service("dns", {
      type: "NodePort",
      ports: [{ name: "tcp", port: 53 }, { name: "udp", port: 53, protocol: "UDP" }],
    }),
    { save: "dns" },
  ),
  merge(
    `${SERVICES}/dns`,
    `{"spec":{"ports":[
      {"name":"tcp","port":53,"nodePort":{{dns.spec.ports.1.nodePort}}},
      {"name":"udp","port":53,"nodePort":{{dns.spec.ports.0.nodePort}},"protocol":"UDP"}]}}`,
  ),
  post(SERVICES, service("first", { type: "NodePort", ports: [nodePort(30_040)] })),
  post(
    SERVICES,
    service("no", { type: "NodePort", ports: [nodePort(30_040, { protocol: "UDP" })] }),
  ),
  tried({ type: "NodePort", ports: [nodePort(30_040)] }),
  tried({ type: "NodePort", ports: [nodePort(1)] }),
  tried({ ...LOCAL, ports: [{ port: 80, name: "a" }, { port: 81, name: "b" }] }),
  tried({ ...LOCAL, ports: [{ port: 80, name: "a" }, nodePort(30_041, { port: 81, name: "b" })] }),
  tried({ clusterIP: "10.96.0.10" }),
  tried({ clusterIP: "10.0.0.0" }),
  tried({ clusterIP: "10.0.0.255" }),
  tried({ clusterIP: "10.0.0.1" }),
  post(SERVICES, service("no", { ...LOCAL, healthCheckNodePort: 30_040, ports: PORTS })),
  post(SERVICES, service("local", { ...LOCAL, healthCheckNodePort: 30_042, ports: PORTS })),
  merge(`${SERVICES}/first`, { spec: { ports: [nodePort(30_042)] } }),
  merge(`${SERVICES}/first`, {
    spec: { ports: [nodePort(30_043, { name: "a" }), { port: 81, name: "b" }] },
  }),
  merge(`${SERVICES}/local`, {
    spec: { externalTrafficPolicy: "Cluster", healthCheckNodePort: null },
  }),
  merge(`${SERVICES}/local`, { spec: { externalTrafficPolicy: "Local" } }),
];

/** Services that change their type, and with it their addresses and ports. */
export const services: StepScenario = {
  name: "services",
  steps: [
    namespaced(NS),
    get(core("default", "services"), TABLE),
    get(`${core("default", "services")}/kubernetes`),
    post(SERVICES, service("s", { ports: PORTS, selector: { app: "a" } })),
    merge(`${SERVICES}/s`, { spec: { type: "NodePort" } }),
    merge(`${SERVICES}/s`, { spec: { ports: [{ port: 80 }, { port: 81, name: "b" }] } }),
    merge(`${SERVICES}/s`, {
      spec: { ports: [{ port: 80, name: "a" }, { port: 81, name: "b" }] },
    }),
    merge(`${SERVICES}/s`, { spec: { type: "LoadBalancer" } }),
    merge(`${SERVICES}/s/status`, { status: { loadBalancer: { ingress: [{ ip: "1.2.3.4" }] } } }),
    merge(`${SERVICES}/s/status`, {
      status: { loadBalancer: { ingress: [{ hostname: "a.example" }, { ip: "1.2.3.5" }] } },
    }),
    merge(`${SERVICES}/s/status`, {
      status: { loadBalancer: { ingress: [{ ip: "1.2.3.4", ipMode: "Nope" }] } },
    }),
    merge(`${SERVICES}/s/status`, { status: { loadBalancer: { ingress: [{ ip: "nope" }] } } }),
    merge(`${SERVICES}/s`, { spec: { externalTrafficPolicy: "Local" } }),
    merge(`${SERVICES}/s`, { spec: { externalTrafficPolicy: "Cluster" } }),
    merge(`${SERVICES}/s`, { spec: { allocateLoadBalancerNodePorts: false } }),
    get(SERVICES, TABLE),
    merge(`${SERVICES}/s`, { spec: { type: "ClusterIP" } }),
    merge(`${SERVICES}/s`, { spec: { type: "ExternalName", externalName: "example.com" } }),
    get(SERVICES, TABLE),
    merge(`${SERVICES}/s`, { spec: { type: "ClusterIP" } }),
    merge(`${SERVICES}/s`, { spec: { clusterIP: "None" } }),
    merge(`${SERVICES}/s`, { spec: { type: "ExternalName" } }),
    merge(`${SERVICES}/s`, { spec: { sessionAffinity: "ClientIP" } }),
    merge(`${SERVICES}/s`, { spec: { sessionAffinity: "None" } }),
    post(SERVICES, service("p", { type: "NodePort", ports: [{ port: 80, nodePort: 30010 }] })),
    put(`${SERVICES}/p`, service("p", { type: "NodePort", ports: PORTS })),
    put(`${SERVICES}/p`, service("p", { ports: PORTS })),
    put(`${SERVICES}/p`, service("p", { type: "ExternalName", externalName: "b.example" })),
    put(`${SERVICES}/p`, service("p", { type: "LoadBalancer", ports: PORTS })),
    put(`${SERVICES}/p`, service("p", { clusterIP: "None", ports: PORTS })),
    post(SERVICES, service("l", { type: "LoadBalancer", ports: PORTS })),
    post(
      SERVICES,
      service("m", { type: "LoadBalancer", ports: PORTS, allocateLoadBalancerNodePorts: false }),
    ),
    post(SERVICES, service("bad", { type: "ExternalName" })),
    post(SERVICES, service("bad", { type: "NodePort", clusterIP: "None", ports: PORTS })),
    post(SERVICES, service("bad", { type: "NodePort", ports: [{ port: 80, nodePort: 1 }] })),
    post(SERVICES, service("bad", { clusterIP: "1.2.3.4", ports: PORTS })),
    post(SERVICES, service("bad", { clusterIP: "nope", ports: PORTS })),
    post(SERVICES, service("fixed", { clusterIP: "10.0.0.10", ports: PORTS })),
    post(SERVICES, service("bad", { clusterIP: "10.0.0.10", ports: PORTS })),
    post(SERVICES, service("np", { type: "NodePort", ports: [{ port: 80, nodePort: 30011 }] })),
    post(SERVICES, service("bad", { type: "NodePort", ports: [{ port: 80, nodePort: 30011 }] })),
    post(SERVICES, service("bad", { ports: [{ port: 80, nodePort: 30012 }] })),
    post(
      SERVICES,
      service("named", {
        type: "ExternalName",
        externalName: "a.example",
        ports: [{ port: 80, nodePort: 30012 }],
      }),
    ),
    post(
      SERVICES,
      service("bad", {
        type: "NodePort",
        ports: [{ port: 80, nodePort: 30013, name: "a" }, { port: 81, nodePort: 30013, name: "b" }],
      }),
    ),
    post(
      SERVICES,
      service("two", {
        type: "NodePort",
        ports: [
          { port: 80, nodePort: 30013, name: "a" },
          { port: 80, nodePort: 30013, name: "b", protocol: "UDP" },
        ],
      }),
    ),
    post(SERVICES, service("bad", { externalTrafficPolicy: "Local", ports: PORTS })),
    post(SERVICES, service("bad", { allocateLoadBalancerNodePorts: true, ports: PORTS })),
    post(SERVICES, service("bad", { healthCheckNodePort: 30014, ports: PORTS })),
    post(SERVICES, service("bad", { externalName: "a.example", ports: PORTS })),
    post(
      SERVICES,
      service("headless", {
        clusterIP: "None",
        sessionAffinity: "ClientIP",
        externalIPs: ["1.2.3.4"],
        loadBalancerIP: "1.2.3.4",
      }),
    ),
    post(SERVICES, service("bad", { clusterIPs: ["10.0.0.11"], ports: PORTS })),
    post(
      SERVICES,
      service("bad", { clusterIP: "10.0.0.12", clusterIPs: ["10.0.0.13"], ports: PORTS }),
    ),
    post(SERVICES, service("bad", { clusterIP: "10.0.0.0", ports: PORTS })),
    post(SERVICES, service("bad", { clusterIP: "10.0.0.255", ports: PORTS })),
    merge(`${SERVICES}/headless`, { spec: { type: "NodePort", ports: PORTS } }),
    merge(`${SERVICES}/headless`, { spec: { type: "ExternalName", externalName: "c.example" } }),
    merge(`${SERVICES}/headless/status`, {
      status: { loadBalancer: { ingress: [{ ip: "1.2.3.4" }] } },
    }),
    merge(`${SERVICES}/np`, { spec: { ports: [{ port: 80, nodePort: 30013 }] } }),
    merge(`${SERVICES}/np`, { spec: { ports: [{ port: 80, nodePort: 30015 }] } }),
    merge(`${SERVICES}/np`, {
      spec: { type: "ClusterIP", ports: [{ port: 80, nodePort: 30016 }] },
    }),
    merge(`${SERVICES}/np`, { spec: { clusterIP: "10.0.0.14" } }),
    merge(`${SERVICES}/np?dryRun=All`, { spec: { type: "LoadBalancer" } }),
    merge(`${SERVICES}/l/status`, {
      status: {
        loadBalancer: { ingress: [{ ip: "1.2.3.4", ipMode: "Proxy" }, { ipMode: "VIP" }] },
      },
    }),
    merge(`${SERVICES}/l/status`, {
      status: { loadBalancer: { ingress: [{ ip: "1.2.3.4", ipMode: "Proxy" }] } },
    }),
    merge(`${SERVICES}/l/status`, {
      status: { loadBalancer: { ingress: [{ hostname: "1.2.3.4" }] } },
    }),
    merge(`${SERVICES}/l/status`, { status: { loadBalancer: { ingress: [{ hostname: "A_B" }] } } }),
    apply(`${SERVICES}/applied`, "me", service("applied", { type: "NodePort", ports: PORTS })),
    apply(`${SERVICES}/applied`, "me", service("applied", { ports: PORTS })),
    get(SERVICES, TABLE),
    ...allocations,
  ],
};
