import { apply, del, get, merge, post, put, SETTLE_MS, type StepScenario } from "../step.ts";
import { KEYS, PEM, PROOFS, REQUESTS } from "./_certificates.ts";

// deno-lint-ignore no-explicit-any
type Loose = any;

const TABLE = { headers: { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" } };

const C = "/apis/certificates.k8s.io/v1";
const BUNDLES = `${C}/clustertrustbundles`;
const bundle = (name: string, trustBundle: unknown, signerName?: string): Loose => ({
  apiVersion: "certificates.k8s.io/v1",
  kind: "ClusterTrustBundle",
  metadata: { name },
  spec: { ...(signerName === undefined ? {} : { signerName }), trustBundle },
});

const PODS = `${C}/namespaces/default/podcertificaterequests`;
const podRequest = (name: string, spec: Loose = {}): Loose => ({
  apiVersion: "certificates.k8s.io/v1",
  kind: "PodCertificateRequest",
  metadata: { name },
  spec: {
    signerName: "example.com/signer",
    podName: "pod",
    podUID: "pod-uid",
    serviceAccountName: "account",
    serviceAccountUID: "account-uid",
    nodeName: "node",
    nodeUID: "node-uid",
    stubPKCS10Request: REQUESTS.p256,
    ...spec,
  },
});
const keyed = (pkixPublicKey: string, proofOfPossession: string) => ({
  stubPKCS10Request: undefined,
  pkixPublicKey,
  proofOfPossession,
});
const condition = (type: string, more: Loose = {}) => ({
  type,
  status: "True",
  reason: "Because",
  message: "",
  lastTransitionTime: "2026-01-01T00:00:00Z",
  ...more,
});

const RULES = "/apis/resource.k8s.io/v1/devicetaintrules";
const rule = (name: string, taint: Loose, deviceSelector?: Loose): Loose => ({
  apiVersion: "resource.k8s.io/v1",
  kind: "DeviceTaintRule",
  metadata: { name },
  spec: { ...(deviceSelector === undefined ? {} : { deviceSelector }), taint },
});
const TIMED = { timeAdded: "2026-01-01T00:00:00Z" };

const NODES = "/apis/storage.k8s.io/v1/csinodes";
const csiNode = (name: string, more: Loose = {}): Loose => ({
  apiVersion: "storage.k8s.io/v1",
  kind: "CSINode",
  metadata: { name },
  spec: { drivers: [] },
  ...more,
});

const M = "/apis/storagemigration.k8s.io/v1";
const MIGRATIONS = `${M}/storageversionmigrations`;
const migration = (name: string, group: string, resource: unknown, more: Loose = {}): Loose => ({
  apiVersion: "storagemigration.k8s.io/v1",
  kind: "StorageVersionMigration",
  metadata: { name },
  spec: { resource: { group, resource } },
  ...more,
});

const GADGETS = "/apis/newest.example.com/v1/namespaces/default/gadgets";
const gadgets = (storage: string): Loose => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "gadgets.newest.example.com" },
  spec: {
    group: "newest.example.com",
    scope: "Namespaced",
    names: { plural: "gadgets", kind: "Gadget" },
    versions: ["v1", "v2"].map((name) => ({
      name,
      served: true,
      storage: name === storage,
      schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
    })),
  },
});

/** Requests to the kinds that Kubernetes 1.37 serves and 1.35 does not. */
export const newest: StepScenario = {
  name: "newest",
  // The list of groups must not have the groups of other scenarios.
  setting: {},
  steps: [
    get("/apis"),
    get(C),
    get("/apis/resource.k8s.io/v1"),
    get("/apis/storage.k8s.io/v1"),
    get(M),
    get("/apis/storagemigration.k8s.io"),

    post(BUNDLES, bundle("plain", PEM.authority)),
    post(BUNDLES, bundle("both", `before\n${PEM.authority}between\n${PEM.otherAuthority}`)),
    post(BUNDLES, bundle("example.com:signer:one", PEM.authority, "example.com/signer")),
    post(BUNDLES, bundle("other", PEM.authority, "example.com/signer")),
    post(BUNDLES, bundle("example.com:signer:", PEM.authority, "example.com/signer")),
    post(BUNDLES, bundle("example.com:signer:A_B", PEM.authority, "example.com/signer")),
    post(BUNDLES, bundle("example.com:one", PEM.authority)),
    post(BUNDLES, bundle("A_B", PEM.authority)),
    post(BUNDLES, bundle("", PEM.authority)),
    post(BUNDLES, bundle("bad-signer", PEM.authority, "signer")),
    post(BUNDLES, bundle("a/b", PEM.authority, "A_b/c")),
    post(BUNDLES, { ...bundle("", PEM.authority), metadata: { generateName: "gen-" } }),
    post(BUNDLES, bundle("empty", "")),
    post(BUNDLES, bundle("none", undefined)),
    post(BUNDLES, bundle("number", 3)),
    post(BUNDLES, bundle("text", "hello")),
    post(BUNDLES, bundle("twice", PEM.authority + PEM.authority)),
    post(BUNDLES, bundle("leaf", PEM.leaf)),
    post(BUNDLES, bundle("second-leaf", PEM.authority + PEM.leaf)),
    post(BUNDLES, bundle("key", PEM.authority.replaceAll("CERTIFICATE", "PRIVATE KEY"))),
    post(BUNDLES, bundle("headers", PEM.authority.replace("-----\n", "-----\nA: b\n\n"))),
    post(
      BUNDLES,
      bundle("broken", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"),
    ),
    post(BUNDLES, { ...bundle("status", PEM.authority), status: {} }),
    post(BUNDLES, bundle("nobody", PEM.authority), { as: "nobody" }),
    get(BUNDLES, TABLE),
    get(`${BUNDLES}?fieldSelector=spec.signerName%3Dexample.com/signer`),
    get(`${BUNDLES}?fieldSelector=spec.signerName%3D`, TABLE),
    get(`${BUNDLES}?fieldSelector=spec.trustBundle%3Da`),
    get(`${BUNDLES}/plain`),
    get(`${BUNDLES}/plain/status`),
    merge(`${BUNDLES}/plain`, { spec: { signerName: "example.com/other" } }),
    merge(`${BUNDLES}/plain`, { spec: { trustBundle: PEM.otherAuthority } }),
    merge(`${BUNDLES}/plain`, { spec: { trustBundle: "x" } }),
    merge(`${BUNDLES}/plain`, { spec: { trustBundle: null } }),
    merge(`${BUNDLES}/example.com:signer:one`, { spec: { signerName: "example.com/another" } }),
    merge(`${BUNDLES}/example.com:signer:one`, { metadata: { labels: { a: "b" } } }),
    put(`${BUNDLES}/plain`, bundle("plain", PEM.authority)),
    apply(`${BUNDLES}/applied`, "m", bundle("applied", PEM.authority)),
    del(`${BUNDLES}/plain`),
    del(BUNDLES),

    post(PODS, podRequest("p256")),
    ...Object.entries(REQUESTS).filter(([name]) => name !== "p256")
      .map(([name, stubPKCS10Request]) => post(PODS, podRequest(name, { stubPKCS10Request }))),
    post(PODS, podRequest("key-p256", keyed(KEYS.p256, PROOFS.p256))),
    post(PODS, podRequest("key-rsa", keyed(KEYS.rsa3072, PROOFS.rsa3072))),
    post(PODS, podRequest("key-ed", keyed(KEYS.ed, PROOFS.ed))),
    post(PODS, podRequest("key-small", keyed(KEYS.rsa2048, PROOFS.rsa3072))),
    post(PODS, podRequest("key-wrong", keyed(KEYS.ed, PROOFS.p256))),
    post(PODS, podRequest("key-bad", keyed("AAAA", PROOFS.p256))),
    post(PODS, podRequest("key-other", { ...keyed(KEYS.p256, PROOFS.p256), podUID: "other" })),
    post(
      PODS,
      podRequest("all", { ...keyed(KEYS.p256, PROOFS.p256), stubPKCS10Request: REQUESTS.p256 }),
    ),
    post(PODS, podRequest("nothing", { stubPKCS10Request: undefined })),
    post(PODS, podRequest("bad-stub", { stubPKCS10Request: "AAAA" })),
    post(PODS, podRequest("no-base64", { stubPKCS10Request: "?" })),
    post(PODS, { ...podRequest("empty"), spec: {} }),
    post(PODS, { ...podRequest("none"), spec: undefined }),
    post(
      PODS,
      podRequest("names", {
        podName: "A_",
        serviceAccountName: "-",
        nodeName: "..",
        podUID: "",
        serviceAccountUID: "",
        nodeUID: "",
      }),
    ),
    post(
      PODS,
      podRequest("uids", {
        podUID: "u".repeat(129),
        serviceAccountUID: "u".repeat(129),
        nodeUID: "u".repeat(129),
      }),
    ),
    post(PODS, podRequest("short", { maxExpirationSeconds: 3599 })),
    post(PODS, podRequest("longest", { maxExpirationSeconds: 7862400 })),
    post(PODS, podRequest("long", { maxExpirationSeconds: 7862401 })),
    post(
      PODS,
      podRequest("own-long", {
        maxExpirationSeconds: 86401,
        signerName: "kubernetes.io/kube-apiserver-client-pod",
      }),
    ),
    post(
      PODS,
      podRequest("sub-long", { maxExpirationSeconds: 86401, signerName: "a.kubernetes.io/x" }),
    ),
    post(PODS, podRequest("signer", { signerName: "x" })),
    post(PODS, podRequest("no-signer", { signerName: "" })),
    post(
      PODS,
      podRequest("annotated", {
        unverifiedUserAnnotations: { "example.com/A": "b", "example.com/c": "d" },
      }),
    ),
    post(PODS, podRequest("undomained", { unverifiedUserAnnotations: { a: "b" } })),
    post(PODS, podRequest("misnamed", { unverifiedUserAnnotations: { "a b/c": "b" } })),
    post(PODS, podRequest("unnamed", { unverifiedUserAnnotations: { "": "b" } })),
    post(PODS, { ...podRequest("with-status"), status: { certificateChain: "x" } }),
    post(PODS, podRequest("A_B")),
    get(PODS, TABLE),
    get(`${PODS}?fieldSelector=spec.podName%3Dpod,spec.nodeName%3Dnode`, TABLE),
    get(`${PODS}?fieldSelector=spec.podUID%3Dpod`),
    get(`${C}/podcertificaterequests?fieldSelector=metadata.namespace%3Ddefault`),
    get(`${PODS}/p256`),
    merge(`${PODS}/p256`, { spec: { podName: "other" } }),
    merge(`${PODS}/p256`, { metadata: { labels: { a: "b" } }, status: { certificateChain: "x" } }),
    ...[
      { certificateChain: "x" },
      { conditions: [condition("Issued", { status: "False" })] },
      { conditions: [condition("Other")] },
      { conditions: [condition("Issued"), condition("Denied")] },
      { conditions: [{ type: "Denied", status: "True" }] },
      { conditions: [condition("Denied")], certificateChain: "x" },
      { conditions: [condition("Issued")] },
      { conditions: [condition("Issued")], certificateChain: "x" },
      {
        conditions: [condition("Issued")],
        certificateChain: PEM.own.replaceAll("CERTIFICATE", "X"),
      },
      {
        conditions: [condition("Issued")],
        certificateChain: "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
      },
      { conditions: [condition("Issued")], certificateChain: PEM.leaf },
      { conditions: [condition("Issued")], certificateChain: PEM.own },
      {
        conditions: [condition("Issued")],
        certificateChain: PEM.own,
        notBefore: "2026-01-01T00:00:00Z",
        notAfter: "2026-01-02T00:00:00Z",
        beginRefreshAt: "2026-01-01T00:00:00Z",
      },
    ].map((status) => merge(`${PODS}/p256/status`, { status })),
    merge(`${PODS}/p256/status`, {
      status: { conditions: [condition("Failed", { reason: "No" })] },
      spec: { podName: "z" },
      metadata: { labels: { z: "z" } },
    }),
    merge(`${PODS}/p256/status`, {
      status: { conditions: [condition("Failed", { reason: "Other" })] },
    }),
    merge(`${PODS}/p256/status`, { status: { conditions: null } }),
    merge(`${PODS}/ed/status`, { status: { conditions: [condition("Denied")] } }),
    get(PODS, TABLE),
    get(`${PODS}/p256/status`, TABLE),
    apply(`${PODS}/longest/status`, "m", {
      apiVersion: "certificates.k8s.io/v1",
      kind: "PodCertificateRequest",
      metadata: { name: "longest" },
      status: { conditions: [condition("Denied")] },
    }),
    put(`${PODS}/p256`, podRequest("p256")),
    del(`${PODS}/p256`),
    del(PODS),

    post(
      RULES,
      rule("a", { key: "example.com/k", value: "v", effect: "NoSchedule", ...TIMED }, {
        driver: "d.example.com",
        pool: "p/q",
        device: "dev",
      }),
    ),
    post(RULES, rule("b", { key: "k", effect: "None" })),
    post(RULES, rule("c", { key: "k", effect: "PreferNoSchedule", ...TIMED })),
    post(RULES, rule("d", {})),
    post(RULES, { ...rule("e", {}), spec: {} }),
    post(
      RULES,
      rule("f", { key: "a b", value: "c d", effect: "NoExecute" }, {
        driver: "A_b",
        pool: "",
        device: "A/b",
      }),
    ),
    post(
      RULES,
      rule("g", { key: "k", effect: "NoExecute", ...TIMED }, {
        driver: "",
        pool: "a//b",
        device: "",
      }),
    ),
    post(RULES, rule("A_", { key: "k", effect: "NoExecute", ...TIMED })),
    post(RULES, {
      ...rule("h", { key: "k", effect: "NoExecute", ...TIMED }),
      status: { conditions: [condition("X")] },
    }),
    get(RULES, TABLE),
    merge(`${RULES}/a`, { spec: { taint: { effect: "NoExecute" } } }),
    merge(`${RULES}/a`, { spec: { taint: { effect: "None", timeAdded: "2026-02-01T00:00:00Z" } } }),
    merge(`${RULES}/a`, { spec: { taint: { value: "w" } } }),
    merge(`${RULES}/a`, { spec: { taint: { timeAdded: null } } }),
    merge(`${RULES}/a`, { spec: { taint: { effect: "" } } }),
    merge(`${RULES}/a`, { spec: { taint: { effect: "x", key: "" } } }),
    merge(`${RULES}/a`, { spec: { deviceSelector: { driver: "other.example.com" } } }),
    merge(`${RULES}/a/status`, {
      status: { conditions: [condition("X")] },
      spec: { taint: { value: "no" } },
    }),
    merge(`${RULES}/a/status`, {
      status: { conditions: [condition("X"), condition("X"), { type: "Y" }] },
    }),
    merge(`${RULES}/a/status`, {
      status: { conditions: "abcdefghi".split("").map((one) => condition(`T${one}`)) },
    }),
    merge(`${RULES}/a`, { status: { conditions: null } }),
    put(`${RULES}/a`, rule("a", { key: "k", effect: "None" })),
    get(`${RULES}/a`),
    get(`${RULES}?fieldSelector=spec.taint.key%3Dk`),
    apply(`${RULES}/i`, "m", rule("i", { key: "k", effect: "NoSchedule" })),
    del(`${RULES}/a`),
    del(RULES),

    post(NODES, csiNode("n", { status: { storageHealth: [{ name: "d" }] } })),
    post(NODES, csiNode("o", { spec: {} })),
    get(`${NODES}/n/status`),
    get(`${NODES}/n`, TABLE),
    merge(`${NODES}/n/status`, {
      status: { storageHealth: [{ name: "d" }] },
      metadata: { labels: { a: "b" } },
    }),
    merge(`${NODES}/n`, {
      metadata: { labels: { a: "b" } },
      status: { storageHealth: [{ name: "d" }] },
    }),
    put(`${NODES}/n/status`, csiNode("n")),
    apply(`${NODES}/n/status`, "m", {
      apiVersion: "storage.k8s.io/v1",
      kind: "CSINode",
      metadata: { name: "n" },
      status: { storageHealth: [] },
    }),
    del(NODES),

    post(MIGRATIONS, migration("a", "apps", "deployments")),
    post(MIGRATIONS, migration("b", "", "pods", { status: { resourceVersion: "3" } })),
    post(MIGRATIONS, migration("c", "A_b", "x/y")),
    post(MIGRATIONS, migration("d", "", "")),
    post(MIGRATIONS, { ...migration("e", "", ""), spec: {} }),
    post(MIGRATIONS, { ...migration("f", "", ""), spec: undefined }),
    post(MIGRATIONS, migration("g", "", 3)),
    post(MIGRATIONS, migration("A_", "", "pods")),
    post(MIGRATIONS, {
      ...migration("h", "", "pods"),
      spec: { resource: { group: "", version: "v1", resource: "pods" }, continueToken: "x" },
    }),
    get(MIGRATIONS, TABLE),
    get(`${MIGRATIONS}/a`),
    merge(`${MIGRATIONS}/a`, { spec: { resource: { resource: "replicasets" } } }),
    merge(`${MIGRATIONS}/a`, {
      metadata: { labels: { a: "b" } },
      status: { resourceVersion: "7" },
    }),
    ...[
      { resourceVersion: "x" },
      { resourceVersion: "-1" },
      { resourceVersion: "007" },
      { resourceVersion: "7" },
      { resourceVersion: "8" },
      { conditions: [condition("Running")] },
      { conditions: [condition("Running"), condition("Succeeded"), condition("Failed")] },
      { conditions: [condition("Running"), condition("Succeeded")] },
      { conditions: [condition("Running")] },
      { conditions: [condition("Succeeded", { status: "False" }), condition("Failed")] },
      { conditions: [{ type: "a b", status: "Maybe" }] },
    ].map((status) => merge(`${MIGRATIONS}/a/status`, { status })),
    merge(`${MIGRATIONS}/b/status`, { status: { resourceVersion: "0" } }),
    merge(`${MIGRATIONS}/b/status`, {
      status: { conditions: [condition("Failed"), condition("Running", { status: "False" })] },
    }),
    merge(`${MIGRATIONS}/b/status`, { status: { conditions: null } }),
    get(MIGRATIONS, TABLE),
    get(`${MIGRATIONS}?fieldSelector=spec.resource.group%3Dapps`),
    apply(`${MIGRATIONS}/i`, "m", migration("i", "batch", "jobs")),
    put(`${MIGRATIONS}/a`, migration("a", "apps", "deployments")),
    del(`${MIGRATIONS}/a`),
    del(MIGRATIONS),

    // An object that is stored in an older version is written again by a patch that changes nothing.
    post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", gadgets("v1"), {
      unseen: true,
    }),
    get(GADGETS, { whileStatus: [404, 429], unseen: true }),
    post(GADGETS, {
      apiVersion: "newest.example.com/v1",
      kind: "Gadget",
      metadata: { name: "g" },
    }),
    merge(`${GADGETS}/g`, {}),
    merge(
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/gadgets.newest.example.com",
      { spec: gadgets("v2").spec },
      { settleMs: SETTLE_MS, unseen: true },
    ),
    get(`${GADGETS}/g`),
    merge(`${GADGETS}/g?dryRun=All`, {}),
    merge(`${GADGETS}/g`, {}),
    merge(`${GADGETS}/g`, {}),
  ],
};
