import { apply, get, merge, post, put, type StepScenario } from "../../step.ts";
import { core, pod } from "../_objects.ts";
import { allow, EVERYTHING, Hooks, patch } from "./_hooks.ts";
import type { Script } from "../../scripted_webhooks.ts";

const NS = "hooks-order";
const hooks = new Hooks(NS);
const { maps } = hooks;
const pods = core(NS, "pods");
const IF_NEEDED = { reinvocationPolicy: "IfNeeded" };

/** Adds an annotation. */
const annotate = (name: string): Script => ({ object }) =>
  object.metadata.annotations === undefined
    ? patch({ op: "add", path: "/metadata/annotations", value: { [name]: "1" } })
    : patch({ op: "add", path: `/metadata/annotations/${name}`, value: "1" });

/** Counts its calls for one object. */
const count = (name: string): Script => ({ object }) => {
  const { annotations = {} } = object.metadata;
  const value = String(Number(annotations[name] ?? 0) + 1);
  return patch({
    op: "add",
    path: "/metadata/annotations",
    value: { ...annotations, [name]: value },
  });
};

const CONTAINER = { name: "side", image: "i:2" };

const pair = (type: "mutating" | "validating", name: string, hookNames: readonly string[]) =>
  hooks.configure(type, `${NS}-${name}`, hookNames.map((one) => hooks.webhook(type, one)));

/** The order of webhooks, and repeated calls. */
export const order: StepScenario = {
  name: "hooks-order",
  webhooks: hooks.scripts({
    "mutating/b-first": annotate("b-first"),
    "mutating/a-second": annotate("a-second"),
    "mutating/c-third": annotate("c-third"),
    "mutating/again": count("again"),
    "mutating/again-too": count("again-too"),
    "mutating/change": annotate("change"),
    "mutating/same": ({ object }) =>
      patch({ op: "replace", path: "/metadata/name", value: object.metadata.name }),
    "mutating/label": ({ object }) =>
      patch({
        op: "add",
        path: "/metadata/labels",
        value: { ...object.metadata.labels, "by-label": "on" },
      }),
    "mutating/by-label": annotate("by-label"),
    "mutating/unlabel": () => patch({ op: "remove", path: "/metadata/labels/unlabelled" }),
    "mutating/unlabelled": annotate("unlabelled"),
    "mutating/container": () => patch({ op: "add", path: "/spec/containers/-", value: CONTAINER }),
    "mutating/pod-again": allow,
    "mutating/warn": () => ({ allowed: true, warnings: ["mutating"] }),
    "mutating/deny": () => ({ allowed: false, warnings: ["mutating denies"] }),
    "validating/v-warn": () => ({ allowed: true, warnings: ["validating"] }),
    "validating/v-late": allow,
    "validating/v-deny": () => ({ allowed: false }),
    "validating/v-see": allow,
    "mutating/finalizer": () =>
      patch({ op: "add", path: "/metadata/finalizers", value: ["acme.io/f"] }),
    "mutating/manager": ({ object }) =>
      patch({ op: "add", path: "/data", value: { ...object.data, managed: "1" } }),
    "mutating/reset": () => patch({ op: "replace", path: "/data", value: { k: "reset" } }),
  }),
  steps: [
    ...hooks.begin,
    pair("mutating", "b", ["b-first", "a-second"]),
    pair("mutating", "c", ["c-third"]),
    hooks.configure("mutating", `${NS}-d`, [
      hooks.webhook("mutating", "again", IF_NEEDED),
      hooks.webhook("mutating", "change"),
      hooks.webhook("mutating", "same"),
      hooks.webhook("mutating", "again-too", IF_NEEDED),
    ]),
    pair("mutating", "e", ["label", "by-label", "unlabel", "unlabelled"]),
    hooks.configure("mutating", `${NS}-f`, [
      hooks.webhook("mutating", "pod-again", { ...IF_NEEDED, rules: [EVERYTHING] }),
      hooks.webhook("mutating", "container", { rules: [EVERYTHING] }),
    ]),
    pair("mutating", "g", ["warn", "deny"]),
    hooks.configure("mutating", `${NS}-h`, [
      hooks.webhook("mutating", "finalizer"),
      hooks.webhook("mutating", "manager", { rules: [EVERYTHING] }),
      hooks.webhook("mutating", "reset", { rules: [EVERYTHING] }),
    ]),
    pair("validating", "v", ["v-warn"]),
    pair("validating", "w", ["v-deny"]),
    pair("validating", "x", ["v-late", "v-see"]),
    ...hooks.ready,
    post(maps, hooks.map("three", ["a-second", "b-first", "c-third", "v-see"])),
    post(maps, hooks.map("again", ["again", "change"])),
    post(maps, hooks.map("again-only", ["again"])),
    post(maps, hooks.map("again-both", ["again", "again-too"])),
    post(maps, hooks.map("again-all", ["again", "again-too", "change", "v-see"])),
    post(maps, hooks.map("again-same", ["again", "same"])),
    post(maps, hooks.map("again-last", ["change", "again-too"])),
    post(maps, hooks.map("labelled", ["label", "v-see"])),
    post(maps, hooks.map("unlabelled", ["unlabel", "unlabelled", "v-see"])),
    post(pods, pod("p", {}, { labels: { container: "on", "pod-again": "on" } })),
    post(pods, pod("r", {}, { labels: { "pod-again": "on" } })),
    post(maps, hooks.map("warned", ["warn", "v-warn"])),
    post(maps, hooks.map("denied", ["warn", "deny", "v-warn"])),
    post(maps, hooks.map("v-denied", ["warn", "v-warn", "v-deny"])),
    post(maps, hooks.map("all", ["v-deny", "v-late", "v-warn", "v-see"])),
    post(`${maps}?dryRun=All`, hooks.map("dry", ["b-first", "v-see"])),
    post(maps, hooks.map("finalized", ["finalizer"])),
    post(maps, hooks.map("managed", ["manager"], { data: { k: "v" } })),
    apply(`${maps}/managed`, "applier", {
      apiVersion: "v1",
      kind: "ConfigMap",
      ...hooks.map("managed", ["manager"], { data: { k: "v", own: "1" } }),
    }, { force: true }),
    apply(`${maps}/applied`, "applier", {
      apiVersion: "v1",
      kind: "ConfigMap",
      ...hooks.map("applied", ["manager"], { data: { own: "1" } }),
    }),
    merge(`${maps}/applied`, { data: { managed: null } }),
    apply(`${maps}/applied`, "applier", {
      apiVersion: "v1",
      kind: "ConfigMap",
      ...hooks.map("applied", ["manager"], {}),
    }),
    post(maps, hooks.map("reset", ["reset"], { data: { k: "first" } })),
    put(`${maps}/reset`, hooks.map("reset", ["reset"], { data: { k: "second" } })),
    merge(`${maps}/reset`, { data: { l: "third" } }),
    apply(`${maps}/reset`, "applier", {
      apiVersion: "v1",
      kind: "ConfigMap",
      ...hooks.map("reset", ["reset"], { data: { k: "fourth" } }),
    }, { force: true }),
    get(`${maps}/reset`),
    ...hooks.end,
  ],
};
