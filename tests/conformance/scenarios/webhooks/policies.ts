import { del, get, merge, post, type RequestStep, type StepScenario } from "../../step.ts";
import { core, pod } from "../_objects.ts";
import { allow, EVERYTHING, Hooks, patch } from "./_hooks.ts";

const NS = "hooks-policies";
const QUOTA = "hooks-policies-quota";
const hooks = new Hooks(NS);
const counted = new Hooks(QUOTA);
const { maps } = hooks;
const REGISTRATION = "/apis/admissionregistration.k8s.io/v1";

/** Creates a policy with a binding in the namespace. */
const policy = (name: string, expression: string, actions: readonly string[]): RequestStep[] => [
  post(`${REGISTRATION}/validatingadmissionpolicies`, {
    metadata: { name: `${NS}-${name}` },
    spec: {
      matchConstraints: {
        resourceRules: [{
          operations: ["CREATE", "UPDATE"],
          apiGroups: [""],
          apiVersions: ["v1"],
          resources: ["configmaps"],
        }],
      },
      validations: [{ expression, message: `${name} says no` }],
    },
  }, { unseen: true }),
  post(`${REGISTRATION}/validatingadmissionpolicybindings`, {
    metadata: { name: `${NS}-${name}` },
    spec: {
      policyName: `${NS}-${name}`,
      validationActions: actions,
      matchResources: {
        namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": NS } },
      },
    },
  }, { unseen: true }),
];

const gone = (name: string): RequestStep[] =>
  ["validatingadmissionpolicybindings", "validatingadmissionpolicies"].map((plural) =>
    del(`${REGISTRATION}/${plural}/${NS}-${name}`, undefined, { unseen: true })
  );

const dataless = "!has(object.data) || !('bad' in object.data)";
const labelless = "!has(object.metadata.annotations) || !('bad' in object.metadata.annotations)";
const addBad = () => patch({ op: "add", path: "/data", value: { bad: "1" } });
const annotateBad = () => patch({ op: "add", path: "/metadata/annotations", value: { bad: "1" } });

/** Webhooks together with policies, quotas and the server's own admission, and webhooks that are slow. */
export const policies: StepScenario = {
  name: "hooks-policies",
  webhooks: hooks.scripts({
    "mutating/bad-data": addBad,
    "mutating/bad-annotation": annotateBad,
    "mutating/image": () =>
      patch({ op: "replace", path: "/spec/containers/0/image", value: "other:2" }),
    "mutating/priority": () => patch({ op: "replace", path: "/spec/priority", value: 7 }),
    "mutating/node": () => patch({ op: "add", path: "/spec/nodeName", value: "some-node" }),
    "mutating/slow": () => undefined,
    "mutating/slow-ignored": () => undefined,
    "validating/slow-too": () => undefined,
    "validating/v-warn": () => ({ allowed: true, warnings: ["seen"] }),
    "validating/v-deny": () => ({ allowed: false, status: { message: "webhook says no" } }),
    "validating/v-see": allow,
    "validating/v-pods": allow,
    "validating/v-count": allow,
    "mutating/m-count": allow,
  }),
  steps: [
    ...hooks.begin,
    ...counted.begin,
    ...policy("deny", dataless, ["Deny"]),
    ...policy("warn", labelless, ["Warn"]),
    hooks.configure("mutating", `${NS}-m`, [
      hooks.webhook("mutating", "bad-data"),
      hooks.webhook("mutating", "bad-annotation"),
      hooks.webhook("mutating", "image", { rules: [EVERYTHING] }),
      hooks.webhook("mutating", "priority", { rules: [EVERYTHING] }),
      hooks.webhook("mutating", "node", { rules: [EVERYTHING] }),
      hooks.webhook("mutating", "slow", { timeoutSeconds: 1 }),
      hooks.webhook("mutating", "slow-ignored", { timeoutSeconds: 1, failurePolicy: "Ignore" }),
    ]),
    hooks.configure("validating", `${NS}-v`, [
      hooks.webhook("validating", "slow-too", { timeoutSeconds: 1 }),
      hooks.webhook("validating", "v-warn"),
      hooks.webhook("validating", "v-deny"),
      hooks.webhook("validating", "v-see", {
        rules: [{ ...EVERYTHING, resources: ["configmaps"] }],
      }),
      hooks.webhook("validating", "v-pods", {
        rules: [{ ...EVERYTHING, resources: ["pods"] }],
        objectSelector: {},
      }),
    ]),
    counted.install("mutating", "m-count", { objectSelector: {} }),
    counted.install("validating", "v-count", { objectSelector: {} }),
    ...hooks.ready,
    post(maps, { metadata: { name: "probe" }, data: { bad: "" } }, {
      unseen: true,
      until: "deny says no",
    }),
    post(maps, { metadata: { name: "p", annotations: { bad: "1" } } }, {
      unseen: true,
      until: "warn says no",
    }),
    post(maps, hooks.map("a", ["bad-data", "v-see"])),
    post(maps, hooks.map("b", ["bad-annotation", "v-see", "v-warn"])),
    post(maps, hooks.map("c", ["bad-data", "v-deny", "v-warn"])),
    post(maps, hooks.map("d", ["bad-annotation", "v-deny"])),
    post(maps, hooks.map("e", ["v-warn", "v-see"], { data: { bad: "2" } })),
    merge(`${maps}/b`, { metadata: { labels: { "bad-annotation": null } } }),
    merge(`${maps}/b`, { metadata: { annotations: null } }),
    post(maps, hooks.map("slow", ["slow"])),
    post(maps, hooks.map("slow-ignored", ["slow-ignored"])),
    post(maps, hooks.map("slow-too", ["slow-too", "v-warn"])),
    post(`${maps}?timeout=2s`, hooks.map("in-time", ["v-see"])),
    post(`${maps}?timeout=1500ms`, hooks.map("in-time-too", ["v-see"])),
    del(`${maps}/in-time?timeout=3s`),
    merge(`${maps}/in-time-too?timeout=20m`, { data: { k: "v" } }),
    merge(`${maps}/in-time-too?timeout=0s`, { data: { k: "w" } }),
    post(core(NS, "pods"), pod("image", {}, { labels: { image: "on" } })),
    post(core(NS, "pods"), pod("priority", {}, { labels: { priority: "on" } })),
    post(core(NS, "pods"), pod("node", {}, { labels: { node: "on" } })),
    post(
      core(NS, "pods"),
      pod("invalid", { restartPolicy: "Perhaps" }, { labels: { image: "on" } }),
    ),
    post(core(NS, "pods"), pod("classless", { priorityClassName: "none" })),
    post(core(QUOTA, "resourcequotas"), {
      metadata: { name: "q" },
      spec: { hard: { "count/configmaps": "1" } },
    }, { unseen: true }),
    merge(core(QUOTA, "resourcequotas/q/status"), {
      status: { hard: { "count/configmaps": "1" }, used: { "count/configmaps": "0" } },
    }, { unseen: true }),
    post(counted.maps, counted.map("one"), { unseen: true }),
    post(counted.maps, counted.map("probe"), { unseen: true, until: "exceeded quota" }),
    post(counted.maps, counted.map("two")),
    post(`${counted.maps}?dryRun=All`, counted.map("three")),
    get(core(QUOTA, "resourcequotas/q")),
    ...gone("deny"),
    ...gone("warn"),
    ...hooks.end,
    ...counted.end,
  ],
};
