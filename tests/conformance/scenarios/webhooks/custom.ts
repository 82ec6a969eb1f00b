import {
  apply,
  del,
  get,
  merge,
  post,
  put,
  type RequestStep,
  type StepScenario,
} from "../../step.ts";
import { core, DEFINITIONS, deployment, grouped } from "../_objects.ts";
import { allow, EVERYTHING, Hooks, patch } from "./_hooks.ts";
import type { Script } from "../../scripted_webhooks.ts";

const NS = "hooks-custom";
const hooks = new Hooks(NS);
const GROUP = "custom.example.com";
const path = (version: string) => `/apis/${GROUP}/${version}/namespaces/${NS}/gears`;
const V1 = path("v1");
const V2 = path("v2");

const version = (name: string, storage: boolean) => ({
  name,
  served: true,
  storage,
  subresources: {
    status: {},
    scale: { specReplicasPath: ".spec.teeth", statusReplicasPath: ".status.n" },
  },
  schema: {
    openAPIV3Schema: {
      type: "object",
      properties: {
        spec: {
          type: "object",
          properties: {
            teeth: { type: "integer", minimum: 1, default: 8 },
            size: { type: "string", enum: ["small", "large"] },
            parts: { type: "array", items: { type: "string" } },
            free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
          },
          "x-kubernetes-validations": [{ rule: "self.teeth < 100", message: "too many teeth" }],
        },
        status: { type: "object", properties: { n: { type: "integer" } } },
      },
    },
  },
});

const gear = (name: string, spec: object, labels: readonly string[] = [], version = "v1") => ({
  apiVersion: `${GROUP}/${version}`,
  kind: "Gear",
  metadata: { name, labels: Object.fromEntries(labels.map((label) => [label, "on"])) },
  spec,
});

const add = (path: string, value: unknown): Script => () => patch({ op: "add", path, value });

/** Changes of custom resources by webhooks, by name. */
const CHANGES: Readonly<Record<string, Script>> = {
  "size": add("/spec/size", "large"),
  "size-bad": add("/spec/size", "huge"),
  "teeth-bad": add("/spec/teeth", 0),
  "teeth-many": add("/spec/teeth", 100),
  "teeth-text": add("/spec/teeth", "8"),
  "teeth-float": add("/spec/teeth", 8.5),
  "teeth-null": add("/spec/teeth", null),
  "teeth-gone": () => patch({ op: "remove", path: "/spec/teeth" }),
  "unknown": add("/spec/other", 1),
  "free": add("/spec/free", { a: { b: [1, null] } }),
  "parts": add("/spec/parts", []),
  "spec-gone": () => patch({ op: "remove", path: "/spec" }),
  "status": add("/status", { n: 5 }),
  "kind": add("/kind", "Other"),
  "name": add("/metadata/name", "renamed"),
  "metadata-unknown": add("/metadata/other", 1),
  "metadata-gone": () => patch({ op: "remove", path: "/metadata" }),
  "whole": () => patch({ op: "replace", path: "", value: {} }),
  "list": () => patch({ op: "replace", path: "", value: [] }),
  "generation": add("/metadata/generation", 7),
};

const RULE = {
  operations: ["*"],
  apiGroups: [GROUP],
  apiVersions: ["v1"],
  resources: ["gears", "gears/*"],
};

const OTHERS: readonly RequestStep[] = [
  post(core(NS, "secrets"), {
    metadata: { name: "s", labels: { secret: "on" } },
    stringData: { a: "b" },
  }),
  post(core(NS, "services"), {
    metadata: { name: "s", labels: { service: "on" } },
    spec: { ports: [{ port: 80 }] },
  }),
  post(grouped("apps/v1", NS, "deployments"), {
    ...deployment("d", { replicas: 0 }),
    metadata: { name: "d", labels: { replicas: "on" } },
  }),
  merge(grouped("apps/v1", NS, "deployments/d"), { metadata: { annotations: { a: "b" } } }),
  merge(grouped("apps/v1", NS, "deployments/d/status"), { status: { replicas: 1 } }),
];

/** Custom resources and other kinds that webhooks change. */
export const custom: StepScenario = {
  name: "hooks-custom",
  webhooks: hooks.scripts({
    ...Object.fromEntries(
      Object.entries(CHANGES).map(([name, script]) => [`mutating/${name}`, script]),
    ),
    "mutating/see-first": allow,
    "validating/see": allow,
    "mutating/secret": add("/stringData", { c: "d" }),
    "mutating/service": add("/spec/ports/0/name", "http"),
    "mutating/replicas": add("/spec/replicas", 3),
  }),
  steps: [
    ...hooks.begin,
    post(DEFINITIONS, {
      metadata: { name: `gears.${GROUP}` },
      spec: {
        group: GROUP,
        scope: "Namespaced",
        names: { plural: "gears", kind: "Gear" },
        versions: [version("v1", true), version("v2", false)],
      },
    }, { unseen: true }),
    hooks.configure("mutating", `${NS}-m`, [
      hooks.webhook("mutating", "see-first", { rules: [RULE], objectSelector: {} }),
      ...Object.keys(CHANGES).map((name) => hooks.webhook("mutating", name, { rules: [RULE] })),
      ...["secret", "service", "replicas"].map((name) =>
        hooks.webhook("mutating", name, { rules: [EVERYTHING] })
      ),
    ]),
    hooks.install("validating", "see", { rules: [RULE], objectSelector: {} }),
    ...["v1", "v2"].map((one) => get(path(one), { unseen: true, whileStatus: [404, 429] })),
    ...hooks.ready,
    post(V1, gear("a", {})),
    post(V2, gear("b", { teeth: 9, other: 1 }, [], "v2")),
    post(`${V1}?fieldValidation=Strict`, gear("strict", { other: 1 })),
    ...Object.keys(CHANGES).map((name) => post(V1, gear(`c-${name}`, { teeth: 5 }, [name]))),
    post(V2, gear("d-size", { teeth: 5 }, ["size"], "v2")),
    put(`${V1}/a`, gear("a", { teeth: 3 })),
    merge(`${V1}/a`, { spec: { teeth: 4 } }),
    merge(`${V2}/a`, { spec: { size: "small" } }),
    merge(`${V1}/a/status`, { status: { n: 3 }, spec: { teeth: 50 } }),
    merge(`${V2}/a/status`, { status: { n: 4 } }),
    merge(`${V1}/a/scale`, { spec: { replicas: 6 } }),
    get(`${V1}/a`),
    apply(`${V1}/e`, "m", gear("e", { teeth: 5 }, ["size"])),
    apply(`${V2}/e`, "n", gear("e", { teeth: 5, size: "small" }, [], "v2"), { force: true }),
    post(V1, { ...gear("", { teeth: 5 }), metadata: { generateName: "gen-" } }),
    del(`${V1}/a`),
    del(`${V2}/b`),
    del(`${V1}?labelSelector=size`),
    ...OTHERS,
    ...hooks.end,
    del(`${DEFINITIONS}/gears.${GROUP}`, undefined, { unseen: true }),
  ],
};
