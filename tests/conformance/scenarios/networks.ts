import { get, merge, post, type RequestStep, type StepScenario } from "../step.ts";
import { core, grouped, namespaced } from "./_objects.ts";

const NS = "suite-networks";
const INGRESSES = grouped("networking.k8s.io/v1", NS, "ingresses");
const POLICIES = grouped("networking.k8s.io/v1", NS, "networkpolicies");
const SLICES = grouped("discovery.k8s.io/v1", NS, "endpointslices");
const ENDPOINTS = core(NS, "endpoints");
const CLASSES = "/apis/networking.k8s.io/v1/ingressclasses";
const ADDRESSES = "/apis/networking.k8s.io/v1/ipaddresses";
const RANGES = "/apis/networking.k8s.io/v1/servicecidrs";

const trial = (path: string, rest: object, metadata: object = {}): RequestStep =>
  post(`${path}?dryRun=All`, { metadata: { name: "suite-x", ...metadata }, ...rest });

const backend = (port: object = { number: 80 }) => ({ service: { name: "s", port } });

const ingress = (spec: object, annotations?: object): RequestStep =>
  trial(INGRESSES, { spec }, annotations === undefined ? {} : { annotations });

/** An Ingress with one rule of these paths. */
const paths = (...values: object[]): RequestStep =>
  ingress({
    rules: [{
      http: { paths: values.map((path) => ({ pathType: "Prefix", backend: backend(), ...path })) },
    }],
  });

const policy = (spec: object): RequestStep =>
  trial(POLICIES, { spec: { podSelector: {}, ...spec } });

const slice = (rest: object): RequestStep =>
  trial(SLICES, { addressType: "IPv4", endpoints: [], ...rest });

/** Refusals and defaults of the kinds of networking and discovery. */
export const networks: StepScenario = {
  name: "networks",
  steps: [
    namespaced(NS),
    post(INGRESSES, {
      metadata: { name: "i" },
      spec: {
        ingressClassName: "c",
        tls: [{ hosts: ["a.example"], secretName: "t" }],
        rules: [{
          host: "*.example.com",
          http: { paths: [{ path: "/a", pathType: "Exact", backend: backend({ name: "web" }) }] },
        }, { host: "b.example.com" }],
      },
    }),
    ingress({}),
    ingress({ defaultBackend: {} }),
    ingress({ defaultBackend: backend({}) }),
    ingress({ defaultBackend: backend({ name: "x", number: 1 }) }),
    ingress({ defaultBackend: backend({ number: 70000 }) }),
    ingress({ defaultBackend: backend({ name: "Not_valid" }) }),
    ingress({ defaultBackend: { service: { name: "", port: { number: 1 } } } }),
    ingress({ defaultBackend: { ...backend(), resource: { kind: "K", name: "n" } } }),
    ingress({ defaultBackend: { resource: { apiGroup: "Bad_Group", kind: "", name: "" } } }),
    ingress({ defaultBackend: backend(), ingressClassName: "Bad_Name" }),
    ingress({ defaultBackend: backend(), ingressClassName: "c" }, {
      "kubernetes.io/ingress.class": "d",
    }),
    ingress({
      defaultBackend: backend(),
      tls: [{ hosts: ["A.b", "1.2.3.4", "*", "*.x.y"], secretName: "Bad_Name" }, {}],
    }),
    ingress({
      rules: [{ host: "1.2.3.4" }, { host: "*" }, { host: "*.*.x" }, { host: "A" }, { http: {} }],
    }),
    paths({ path: "a" }, { path: "" }, { path: "/a//b" }, { path: "/a/../b" }, { path: "/./" }),
    paths({ path: "/a%2fb" }, { path: "/a%2F" }, { path: "/a/.." }, { path: "/x/." }),
    paths({ pathType: "Odd" }, { pathType: null }, { pathType: "Exact" }, {
      pathType: "ImplementationSpecific",
      path: "x",
    }),
    paths({ pathType: "ImplementationSpecific" }, { path: "/a?b" }, { path: "/a", backend: {} }),
    merge(`${INGRESSES}/i/status?dryRun=All`, {
      status: {
        loadBalancer: {
          ingress: [
            { ip: "1.2.3" },
            { hostname: "1.2.3.4" },
            { hostname: "Bad_Host" },
            { ip: "1.2.3.4", ports: [{ port: 0, protocol: "Odd", error: "x y" }] },
          ],
        },
      },
    }),
    merge(`${INGRESSES}/i/status`, {
      status: { loadBalancer: { ingress: [{ ip: "1.2.3.04" }, { hostname: "lb.example" }] } },
    }),
    post(CLASSES, { metadata: { name: "suite-networks" }, spec: { controller: "example.com/c" } }),
    trial(CLASSES, { spec: {} }),
    trial(CLASSES, { spec: { controller: "noslash" } }),
    trial(CLASSES, { spec: { controller: `example.com/${"c".repeat(250)}` } }),
    trial(CLASSES, {
      spec: {
        controller: "a.b/c",
        parameters: { kind: "", name: "", apiGroup: "Bad_G", scope: "Odd" },
      },
    }),
    trial(CLASSES, {
      spec: { controller: "a.b/c", parameters: { kind: "K", name: "n", scope: "Namespace" } },
    }),
    trial(CLASSES, {
      spec: { controller: "a.b/c", parameters: { kind: "K", name: "n", namespace: "x" } },
    }),
    trial(CLASSES, {
      spec: {
        controller: "a.b/c",
        parameters: { kind: "K", name: "a/b", scope: "Namespace", namespace: "B d" },
      },
    }),
    merge(`${CLASSES}/suite-networks`, { spec: { controller: "example.com/d" } }),
    // NetworkPolicies
    post(POLICIES, {
      metadata: { name: "p" },
      spec: {
        podSelector: { matchLabels: { a: "b" } },
        ingress: [{ ports: [{ port: 80 }], from: [{ ipBlock: { cidr: "10.0.0.0/8" } }] }],
        egress: [{}],
      },
    }),
    policy({}),
    policy({ policyTypes: ["Ingress", "Egress", "Ingress"] }),
    policy({ policyTypes: ["Odd"] }),
    policy({
      ingress: [{
        ports: [
          { protocol: "Odd", port: "x_" },
          { port: 0 },
          { port: 70000 },
          { endPort: 5 },
          { port: "web", endPort: 5 },
          { port: 80, endPort: 79 },
          { port: 80, endPort: 70000 },
          { port: "toolongnameofaport" },
        ],
      }],
    }),
    policy({
      egress: [{
        to: [
          {},
          { ipBlock: { cidr: "" } },
          { ipBlock: { cidr: "1.2.3.4" } },
          { ipBlock: { cidr: "10.0.0.0/8", except: ["10.0.0.0/8", "11.0.0.0/16", "x"] } },
          { ipBlock: { cidr: "10.0.0.0/8" }, podSelector: {} },
          { podSelector: { matchExpressions: [{ key: "a", operator: "In" }] } },
          { namespaceSelector: { matchLabels: { "a b": "c" } } },
        ],
      }],
    }),
    policy({
      ingress: [{
        from: [{ ipBlock: { cidr: "010.0.0.1/8" } }, { ipBlock: { cidr: "10.1.0.0/8" } }],
      }],
    }),
    policy({ podSelector: { matchLabels: { a: "b c" } } }),
    // Addresses and ranges of Services
    trial(ADDRESSES, {}),
    trial(ADDRESSES, { spec: { parentRef: {} } }, { name: "10.0.0.9" }),
    trial(ADDRESSES, {
      spec: { parentRef: { group: "B d", resource: "B d", name: "a/b", namespace: "B d" } },
    }, {
      name: "010.0.0.9",
    }),
    trial(ADDRESSES, { spec: { parentRef: { resource: "services", name: "a" } } }, {
      name: "2001:DB8::1",
    }),
    post(ADDRESSES, {
      metadata: { name: "10.99.7.7" },
      spec: { parentRef: { resource: "services", name: "s", namespace: "n" } },
    }),
    get(`${ADDRESSES}?labelSelector=x%3Dy`),
    get(`${ADDRESSES}?fieldSelector=spec.parentRef.name%3Ds`),
    trial(RANGES, { spec: {} }),
    trial(RANGES, { spec: { cidrs: ["x", "10.0.0.0"] } }),
    trial(RANGES, { spec: { cidrs: ["10.9.0.0/16", "10.8.0.0/16"] } }),
    trial(RANGES, { spec: { cidrs: ["10.9.0.0/16", "2001:db8::/64", "10.7.0.0/24"] } }),
    trial(RANGES, { spec: { cidrs: ["10.9.0.1/16", "2001:DB8::/64"] } }),
    post(RANGES, { metadata: { name: "suite-networks" }, spec: { cidrs: ["2001:db8:7::/64"] } }, {
      unseen: true,
    }),
    merge(`${RANGES}/suite-networks?dryRun=All`, {
      spec: { cidrs: ["2001:db8:7::/64", "10.97.0.0/16"] },
    }),
    merge(`${RANGES}/suite-networks`, { spec: { cidrs: ["2001:db8:6::/64"] } }),
    // Endpoints
    trial(ENDPOINTS, {
      subsets: [
        {
          addresses: [
            { ip: "127.0.0.1" },
            { ip: "169.254.1.1" },
            { ip: "x" },
            { ip: "224.0.0.1" },
            { ip: "0.0.0.0" },
          ],
          ports: [{ port: 80 }, { port: 0, protocol: "Odd", name: "A b", appProtocol: "b d" }],
        },
        {},
        { notReadyAddresses: [{ ip: "1.2.3.4", hostname: "A_b", nodeName: "A_b" }] },
      ],
    }),
    post(ENDPOINTS, {
      metadata: { name: "e" },
      subsets: [{
        addresses: [{ ip: "10.1.1.2" }, { ip: "10.1.1.1", nodeName: "n" }],
        ports: [{ port: 443, name: "s" }, { port: 80, name: "w" }],
      }, { notReadyAddresses: [{ ip: "10.1.1.3" }], ports: [{ port: 80, name: "w" }] }],
    }),
    merge(`${ENDPOINTS}/e`, {
      subsets: [{
        addresses: [{ ip: "10.1.1.1", nodeName: "m" }],
        ports: [{ port: 80, name: "w" }],
      }],
    }),
    // EndpointSlices
    trial(SLICES, { endpoints: [] }),
    slice({ addressType: "Odd" }),
    slice({
      endpoints: [
        {},
        { addresses: [] },
        { addresses: ["x", "::1", "127.0.0.1"] },
        { addresses: ["10.0.0.1", "10.0.0.1"], hostname: "A_b", nodeName: "A_b" },
        {
          addresses: ["10.0.0.1"],
          deprecatedTopology: { "kubernetes.io/hostname": "n", "b d": "x y" },
        },
        {
          addresses: ["10.0.0.1"],
          hints: { forZones: [{ name: "" }, { name: "B d" }, { name: "z" }, { name: "z" }] },
        },
        {
          addresses: ["10.0.0.1"],
          hints: { forNodes: [{ name: "" }, { name: "n" }, { name: "n" }] },
        },
      ],
      ports: [
        { name: "A" },
        { name: "a", port: 0, protocol: "Odd", appProtocol: "b d" },
        { name: "a", port: 1 },
      ],
    }),
    slice({
      addressType: "IPv6",
      endpoints: [{ addresses: ["10.0.0.1"] }, { addresses: ["2001:DB8::1"] }],
    }),
    slice({ addressType: "FQDN", endpoints: [{ addresses: ["a.b", "Bad_name", "10.0.0.1"] }] }),
    slice({ endpoints: [{ addresses: Array.from({ length: 101 }, (_, i) => `10.0.0.${i + 1}`) }] }),
    post(SLICES, {
      metadata: { name: "e", labels: { "kubernetes.io/service-name": "s" } },
      addressType: "IPv4",
      endpoints: [{ addresses: ["10.0.0.1"], conditions: { ready: true }, zone: "z" }],
      ports: [{ port: 80 }, { name: "b" }],
    }),
    merge(`${SLICES}/e`, { addressType: "IPv6" }),
    merge(`${SLICES}/e?dryRun=All`, { endpoints: null, ports: null }),
  ],
};
