import { del, get, merge, post, put, type RequestStep, type StepScenario } from "../../step.ts";
import { core, deployment, grouped } from "../_objects.ts";
import { allow, EVERYTHING, Hooks, NEW_MAPS } from "./_hooks.ts";

const NS = "hooks-matching";
const hooks = new Hooks(NS);
const { maps } = hooks;
const deployments = grouped("apps/v1", NS, "deployments");
const scalers = (version: string) =>
  grouped(`autoscaling/${version}`, NS, "horizontalpodautoscalers");

const rule = (fields: object): object => ({
  operations: ["*"],
  apiGroups: ["*"],
  apiVersions: ["*"],
  resources: ["*"],
  scope: "*",
  ...fields,
});

/** Webhooks that see what their rules, selectors and conditions select, by name. */
const SEEING: Readonly<Record<string, object>> = {
  "creates": { rules: [rule({ operations: ["CREATE"], resources: ["configmaps"] })] },
  "deletes": { rules: [rule({ operations: ["DELETE"], resources: ["configmaps"] })] },
  "several": {
    rules: [
      rule({ operations: ["DELETE"], resources: ["secrets"] }),
      rule({ operations: ["UPDATE", "CREATE"], resources: ["configmaps", "secrets"] }),
    ],
  },
  "groups": { rules: [rule({ apiGroups: ["apps", ""], resources: ["*"] })] },
  "group-other": { rules: [rule({ apiGroups: ["batch"], resources: ["*"] })] },
  "version-other": { rules: [rule({ apiVersions: ["v2"], resources: ["configmaps"] })] },
  "plain": { rules: [rule({ resources: ["deployments"] })] },
  "parts": { rules: [rule({ resources: ["deployments/*"] })] },
  "status": { rules: [rule({ resources: ["*/status"] })] },
  "scale": { rules: [rule({ resources: ["deployments/scale"] })] },
  "namespaced": { rules: [rule({ scope: "Namespaced" })] },
  "cluster": { rules: [rule({ scope: "Cluster" })] },
  "labelled": { objectSelector: { matchLabels: { team: "a" } } },
  "unlabelled": {
    objectSelector: { matchExpressions: [{ key: "team", operator: "DoesNotExist" }] },
  },
  "in": {
    objectSelector: { matchExpressions: [{ key: "team", operator: "In", values: ["a", "b"] }] },
  },
  "not-in": {
    objectSelector: { matchExpressions: [{ key: "team", operator: "NotIn", values: ["a"] }] },
  },
  "elsewhere": { namespaceSelector: { matchLabels: { none: "here" } } },
  "here": {
    namespaceSelector: {
      matchExpressions: [{ key: "kubernetes.io/metadata.name", operator: "In", values: [NS] }],
    },
  },
  "cond-true": { matchConditions: [{ name: "c", expression: "true" }] },
  "cond-false": { matchConditions: [{ name: "c", expression: "false" }] },
  "cond-name": { matchConditions: [{ name: "c", expression: "request.name == 'a'" }] },
  "cond-object": {
    matchConditions: [
      { name: "has", expression: "has(object.metadata.labels)" },
      { name: "team", expression: "'team' in object.metadata.labels" },
    ],
  },
  "cond-old": {
    matchConditions: [{ name: "c", expression: "oldObject != null && object == null" }],
  },
  "cond-user": {
    matchConditions: [{ name: "c", expression: "'system:masters' in request.userInfo.groups" }],
  },
  "cond-allowed": {
    matchConditions: [{
      name: "c",
      expression: "authorizer.group('').resource('pods').namespace('x').check('get').allowed()",
    }],
  },
  "cond-error-ignored": {
    matchConditions: [{ name: "c", expression: "object.data.none == 'x'" }],
    failurePolicy: "Ignore",
  },
  "cond-dry": { matchConditions: [{ name: "c", expression: "request.dryRun" }] },
  "cond-options": {
    matchConditions: [{ name: "c", expression: "request.options.fieldManager == 'me'" }],
    failurePolicy: "Ignore",
  },
  "cond-kind": {
    matchConditions: [{ name: "c", expression: "request.resource.resource == 'deployments'" }],
  },
};

/** Webhooks whose conditions fail, for objects with their label. */
const FAILING: Readonly<Record<string, object>> = {
  "error": { matchConditions: [{ name: "bad", expression: "object.data.none == 'x'" }] },
  "error-two": {
    matchConditions: [
      { name: "first", expression: "object.data.none == 'x'" },
      { name: "second", expression: "object.data['other'] == 'x'" },
    ],
  },
  "error-false": {
    matchConditions: [
      { name: "bad", expression: "object.data.none == 'x'" },
      { name: "false", expression: "false" },
    ],
  },
  "error-divide": { matchConditions: [{ name: "bad", expression: "1 / 0 == 1" }] },
};

/** Webhooks for one version of a kind that others use in another version. */
const EQUIVALENT: Readonly<Record<string, object>> = {
  "equivalent": {
    rules: [rule({ apiVersions: ["v1"], resources: ["horizontalpodautoscalers"] })],
  },
  "exact": {
    rules: [rule({ apiVersions: ["v1"], resources: ["horizontalpodautoscalers"] })],
    matchPolicy: "Exact",
  },
  "both": {
    rules: [rule({ apiVersions: ["v2", "v1"], resources: ["horizontalpodautoscalers"] })],
  },
  "events": { rules: [rule({ apiGroups: ["events.k8s.io"], resources: ["events"] })] },
};

const seeing = (names: Readonly<Record<string, object>>) =>
  Object.keys(names).map((name) => [`validating/${name}`, allow]);

const SCALER = {
  spec: { scaleTargetRef: { kind: "Deployment", name: "d" }, maxReplicas: 3 },
};

const STEPS: readonly RequestStep[] = [
  post(maps, hooks.map("a", [], { metadata: { name: "a", labels: { team: "a" } } })),
  post(maps, hooks.map("b")),
  post(
    `${maps}?fieldManager=me`,
    hooks.map("c", [], { metadata: { name: "c", labels: { team: "c" } } }),
  ),
  post(`${maps}?dryRun=All`, hooks.map("d")),
  merge(`${maps}/a`, { metadata: { labels: { team: null } } }),
  merge(`${maps}/a`, { metadata: { labels: { team: "b" } } }),
  put(`${maps}/b`, hooks.map("b", [], { data: { k: "v" } })),
  del(`${maps}/a`),
  del(`${maps}/b?dryRun=All`),
  post(core(NS, "secrets"), { metadata: { name: "s" } }),
  del(core(NS, "secrets/s")),
  post(deployments, deployment("d", { replicas: 0 })),
  merge(`${deployments}/d/scale`, { spec: { replicas: 2 } }),
  merge(`${deployments}/d/status`, { status: { replicas: 2 } }),
  merge(`${deployments}/d`, { metadata: { labels: { team: "a" } } }),
  post(scalers("v2"), { metadata: { name: "h" }, ...SCALER }),
  merge(`${scalers("v1")}/h`, { spec: { targetCPUUtilizationPercentage: 70 } }),
  merge(`${scalers("v2")}/h`, { spec: { minReplicas: 2 } }),
  merge(`${scalers("v2")}/h/status`, { status: { currentReplicas: 2 } }),
  del(`${scalers("v2")}/h`),
  post(core(NS, "events"), {
    metadata: { name: "e" },
    involvedObject: { namespace: NS, kind: "Pod", name: "p" },
    reason: "R",
    type: "Normal",
    count: 2,
  }),
  del(core(NS, "events/e")),
  ...Object.keys(FAILING).map((name) => post(maps, hooks.map(`f-${name}`, [name]))),
  post(maps, hooks.map("f-all", Object.keys(FAILING))),
  post(maps, hooks.map("f-data", ["error"], { data: { none: "y" } })),
  post(maps, hooks.map("f-fits", ["error"], { data: { none: "x" } })),
  post("/api/v1/namespaces/hooks-none/configmaps", hooks.map("a", ["lost"])),
  post(maps, hooks.map("effects", ["effects"])),
  post(`${maps}?dryRun=All`, hooks.map("effects", ["effects"])),
  post(`${maps}?dryRun=All`, hooks.map("effects-too", ["effects-dry"])),
  post(`${maps}?dryRun=All`, hooks.map("effects-ignored", ["effects-ignored"])),
  get(`${maps}/effects`),
];

/** The requests for which webhooks are called. */
export const matching: StepScenario = {
  name: "hooks-matching",
  webhooks: hooks.scripts(Object.fromEntries([
    ...seeing(SEEING),
    ...seeing(FAILING),
    ...seeing(EQUIVALENT),
    ...seeing({ "effects": {}, "effects-dry": {}, "effects-ignored": {}, "lost": {} }),
  ])),
  steps: [
    ...hooks.begin,
    hooks.configure(
      "validating",
      `${NS}-seeing`,
      Object.entries(SEEING).map(([name, fields]) =>
        hooks.webhook("validating", name, {
          rules: [{ ...EVERYTHING, resources: ["configmaps", "deployments"] }],
          objectSelector: {},
          ...fields,
        })
      ),
    ),
    hooks.configure(
      "validating",
      `${NS}-failing`,
      Object.entries(FAILING).map(([name, fields]) => hooks.webhook("validating", name, fields)),
    ),
    hooks.configure(
      "validating",
      `${NS}-equivalent`,
      Object.entries(EQUIVALENT).map(([name, fields]) =>
        hooks.webhook("validating", name, { objectSelector: {}, ...fields })
      ),
    ),
    hooks.configure("validating", `${NS}-other`, [
      hooks.webhook("validating", "effects", { sideEffects: "NoneOnDryRun" }),
      hooks.webhook("validating", "effects-dry", {
        sideEffects: "None",
        rules: [{ ...NEW_MAPS, operations: ["*"] }],
      }),
      hooks.webhook("validating", "effects-ignored", {
        sideEffects: "NoneOnDryRun",
        failurePolicy: "Ignore",
      }),
      hooks.webhook("validating", "lost", { timeoutSeconds: 3 }),
    ]),
    ...hooks.ready,
    ...STEPS,
    ...hooks.end,
  ],
};
