import { apply, get, post, type RequestStep, type StepScenario } from "../step.ts";
import { configMap, core, definition, DEFINITIONS, grouped, namespaced } from "./_objects.ts";

const NS = "suite-takeovers";
const V1 = "suite.example.com/v1";
const MAPS = core(NS, "configmaps");
const ROWS = grouped(V1, NS, "rows");
const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

const DEFINITION = definition("rows", "Row", {
  versions: [{
    name: "v1",
    served: true,
    storage: true,
    schema: {
      openAPIV3Schema: {
        type: "object",
        properties: {
          spec: {
            type: "object",
            properties: {
              set: { type: "array", "x-kubernetes-list-type": "set", items: { type: "string" } },
              map: {
                type: "array",
                "x-kubernetes-list-type": "map",
                "x-kubernetes-list-map-keys": ["k"],
                items: {
                  type: "object",
                  required: ["k"],
                  properties: { k: { type: "string" }, v: { type: "string" } },
                },
              },
            },
          },
        },
      },
    },
  }],
});

const row = (set: string, map: string) => ({
  apiVersion: V1,
  kind: "Row",
  metadata: { name: "r" },
  spec: { set: [...set], map: [...map].map((k) => ({ k, v: k })) },
});
const merged = (letters: string): RequestStep =>
  apply(`${ROWS}/r?dryRun=All`, "other", row(letters, letters));

/** A ConfigMap as client-side `kubectl apply` writes it, with this as the configuration that it applied last. */
const applied = (name: string, last: unknown, data: object): RequestStep =>
  post(
    `${MAPS}?fieldManager=kubectl-client-side-apply`,
    configMap(name, data, {
      annotations: {
        [LAST_APPLIED]: typeof last === "string" ? last : `${JSON.stringify(last)}\n`,
        other: "x",
      },
    }),
  );
const takeover = (name: string, data: object, metadata: object = {}): RequestStep =>
  apply(`${MAPS}/${name}`, "kubectl", configMap(name, data, metadata));

/** The order of merged lists, and the fields that `kubectl apply --server-side` takes over from client-side apply. */
export const takeovers: StepScenario = {
  name: "takeovers",
  steps: [
    namespaced(NS),
    post(DEFINITIONS, DEFINITION, { unseen: true }),
    get(ROWS, { whileStatus: [404, 429], unseen: true }),
    post(`${ROWS}?dryRun=All`, row("", ""), { whileStatus: [404, 429], unseen: true }),
    apply(`${ROWS}/r`, "owner", row("abcd", "abcd")),
    ...["", "a", "d", "ab", "ba", "dcba", "ca", "bd", "db", "x", "xa", "ax", "xax".slice(0, 2)]
      .map(merged),
    ...["axb", "bxa", "dxa", "xdya", "cxayb", "xyz", "axyd", "xbycz", "cabd", "bcda", "dabc"]
      .map(merged),
    apply(`${ROWS}/r`, "other", row("xbycz", "xbycz")),
    apply(`${ROWS}/r`, "owner", row("db", "db")),
    apply(`${ROWS}/r`, "owner", row("xq", "xq")),
    apply(`${ROWS}/r`, "other", row("", "")),
    applied("same", configMap("same", { a: "1", b: "1" }), { a: "1", b: "1" }),
    takeover("same", { a: "2" }),
    takeover("same", { a: "2" }, { annotations: { [LAST_APPLIED]: "mine", more: "y" } }),
    applied("changed", configMap("changed", { a: "1", b: "1" }), { a: "1", b: "9" }),
    takeover("changed", { a: "2", b: "2" }),
    applied("gone", configMap("gone", { a: "1", b: "1" }), { a: "1" }),
    takeover("gone", { a: "2", b: "2" }),
    applied("extra", configMap("extra", { a: "1" }), { a: "1", b: "1" }),
    takeover("extra", { a: "2", b: "2" }),
    applied("broken", "{", { a: "1" }),
    takeover("broken", { a: "2" }),
    applied("empty", "", { a: "1" }),
    takeover("empty", { a: "2" }),
    applied("array", [], { a: "1" }),
    takeover("array", { a: "2" }),
    applied("version", { ...configMap("version", { a: "1" }), apiVersion: "v2" }, { a: "1" }),
    takeover("version", { a: "2" }),
    applied("unversioned", { data: { a: "1" } }, { a: "1" }),
    takeover("unversioned", { a: "2" }),
    applied("stranger", configMap("stranger", { a: "1" }), { a: "1" }),
    apply(`${MAPS}/stranger`, "someone", configMap("stranger", { a: "2" })),
    applied("before", configMap("before", { a: "1" }), { a: "1" }),
    apply(`${MAPS}/before`, "before-first-apply", configMap("before", { a: "2" })),
    takeover("before", { a: "1" }, { managedFields: null }),
    takeover("new", { a: "1" }, { annotations: { [LAST_APPLIED]: "x" } }),
    apply(`${MAPS}/new`, "kubectl", { apiVersion: "v1", kind: "ConfigMap", data: { a: "3" } }),
    get(`${MAPS}/same`),
  ],
};
