import { del, get, merge, post, SETTLE_MS, type StepScenario } from "../step.ts";

// deno-lint-ignore no-explicit-any
type Loose = any;

const G = "admissionregistration.k8s.io";
const P = `/apis/${G}/v1/validatingadmissionpolicies`;
const B = `/apis/${G}/v1/validatingadmissionpolicybindings`;
const W = `/apis/${G}/v1/validatingwebhookconfigurations`;
const CM = "/api/v1/namespaces/default/configmaps";

/** Returns an object that only the policy or webhook called `by` sees. */
const cm = (by: string, name: string, data: Record<string, string> = {}) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, labels: { by } },
  data,
});
const policies: [string, Loose, Loose][] = [
  ["plain", { validations: [{ expression: "object.data.size() < 2" }] }, {}],
  ["message", {
    validations: [{ expression: "has(object.data.a)", message: " needs a ", reason: "Forbidden" }],
  }, {}],
  ["msgexpr", {
    validations: [{
      expression: "false",
      messageExpression: "'no ' + object.metadata.name + ' by ' + request.operation",
    }],
  }, {}],
  ["vars", {
    variables: [{ name: "n", expression: "object.data.size()" }, {
      name: "m",
      expression: "variables.n + 1",
    }],
    validations: [{
      expression: "variables.m > 3",
      messageExpression: "'m is ' + string(variables.m)",
    }],
  }, {}],
  ["error", { validations: [{ expression: "object.data.none == 'x'" }] }, {}],
  [
    "ignored",
    { failurePolicy: "Ignore", validations: [{ expression: "object.data.none == 'x'" }] },
    {},
  ],
  ["cond", {
    matchConditions: [{ name: "skip", expression: "object.metadata.name != 'x'" }],
    validations: [{ expression: "false" }],
  }, {}],
  ["conderr", {
    matchConditions: [{ name: "err", expression: "object.none.x == 1" }],
    validations: [{ expression: "false" }],
  }, {}],
  ["warn", { validations: [{ expression: "false", message: "warned" }] }, {
    validationActions: ["Warn"],
  }],
  ["both", { validations: [{ expression: "1 == 2" }, { expression: "2 == 3" }] }, {}],
  ["ns", {
    validations: [{
      expression: "namespaceObject.metadata.name != 'default'",
      messageExpression: "'in ' + namespaceObject.metadata.name",
    }],
  }, {}],
  ["authz", {
    validations: [{
      expression:
        "authorizer.group('').resource('pods').namespace('default').check('get').allowed() && authorizer.requestResource.check('delete').allowed()",
    }, { expression: "!authorizer.path('/x').check('get').allowed()" }],
  }, {}],
  ["user", {
    validations: [{
      expression: "request.userInfo.username == 'nobody'",
      messageExpression: "request.resource.resource + request.kind.kind + string(request.dryRun)",
    }],
  }, {}],
  ["params", {
    paramKind: { apiVersion: "v1", kind: "ConfigMap" },
    validations: [{
      expression: "object.metadata.name != params.data.forbidden",
      messageExpression: "'params say ' + params.data.forbidden",
    }],
  }, { paramRef: { name: "vap-params", namespace: "default", parameterNotFoundAction: "Deny" } }],
  ["noparams", {
    paramKind: { apiVersion: "v1", kind: "ConfigMap" },
    validations: [{ expression: "true" }],
  }, { paramRef: { name: "vap-none", namespace: "default", parameterNotFoundAction: "Deny" } }],
  ["old", {
    validations: [{
      expression: "oldObject == null || oldObject.data == object.data",
      message: "fixed",
    }],
  }, {}],
  ["names", { validations: [{ expression: "false" }] }, {}],
  ["audit", { validations: [{ expression: "false" }] }, { validationActions: ["Audit"] }],
];

const hook = (name: string, conditions: Loose[]) => ({
  apiVersion: `${G}/v1`,
  kind: "ValidatingWebhookConfiguration",
  metadata: { name },
  webhooks: [{
    name: "a.b.c",
    clientConfig: { url: "https://127.0.0.1:1/x" },
    rules: [{ apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"], operations: ["*"] }],
    objectSelector: { matchLabels: { by: name } },
    sideEffects: "None",
    admissionReviewVersions: ["v1"],
    matchConditions: conditions,
  }],
});

const conditions: Loose[][] = [
  [{ name: "a", expression: "false" }],
  [{ name: "a", expression: "true" }],
  [{ name: "a", expression: "object.none == 1" }],
  [{ name: "a", expression: "object.none == 1" }, { name: "b", expression: "false" }],
  [{ name: "a", expression: "object.none == 1" }, { name: "b", expression: "object.nil == 1" }],
  [{ name: "a", expression: "1" }],
  [{ name: "a", expression: "x" }],
  [{ name: "", expression: "" }],
  [{ name: "A b", expression: "true" }],
  [{ name: "a", expression: "true" }, { name: "a", expression: "true" }],
  [{ name: "a", expression: "request.foo == 'x'" }],
  [{ name: "a", expression: "params.x == 1" }],
  [{ name: "a", expression: "namespaceObject.metadata.name == 'default'" }],
];

function policyOf(name: string, spec: Loose): Loose {
  const rule = {
    apiGroups: [""],
    apiVersions: ["v1"],
    resources: ["configmaps"],
    operations: ["CREATE", "UPDATE"],
    scope: "*",
    ...(name === "names" ? { resourceNames: ["other"] } : {}),
  };
  const matchConstraints = {
    matchPolicy: "Equivalent",
    objectSelector: { matchLabels: { by: name } },
    namespaceSelector: {},
    resourceRules: [rule],
  };
  return {
    apiVersion: `${G}/v1`,
    kind: "ValidatingAdmissionPolicy",
    metadata: { name },
    spec: { failurePolicy: "Fail", matchConstraints, ...spec },
  };
}

const hooks = conditions.map((own, index) => ({ name: `mc-${index}`, own }));

function bindingOf(name: string, more: Loose): Loose {
  return {
    apiVersion: `${G}/v1`,
    kind: "ValidatingAdmissionPolicyBinding",
    metadata: { name: `${name}-b` },
    spec: { policyName: name, validationActions: ["Deny"], ...more },
  };
}

/**
 * Requests that validating admission policies and the match conditions of webhooks decide. All policies and webhooks are
 * created first, since a real server needs some time until they have an effect.
 */
export const decisions: StepScenario = {
  name: "decisions",
  setting: {},
  steps: [
    post(CM, { ...cm("", "vap-params", { forbidden: "x" }), metadata: { name: "vap-params" } }),
    ...policies.flatMap(([name, spec, binding]) => [
      post(CM, cm(name, `y-${name}`, { a: "1" })),
      post(P, policyOf(name, spec)),
      post(B, bindingOf(name, binding)),
    ]),
    ...hooks.map(({ name, own }) => post(W, hook(name, own))),
    get(`${CM}/vap-params`, { settleMs: SETTLE_MS }),
    ...policies.flatMap(([name]) => [
      post(`${CM}?dryRun=All`, cm(name, "x", { b: "1", c: "2" })),
      post(`${CM}?dryRun=All`, cm(name, "z", { a: "1" })),
      merge(`${CM}/y-${name}?dryRun=All`, { data: { a: "2" } }),
    ]),
    ...hooks.map(({ name }) => post(`${CM}?dryRun=All`, cm(name, "x"))),
    ...policies.flatMap(([name]) => [del(`${B}/${name}-b`), del(`${P}/${name}`)]),
    ...hooks.map(({ name }) => del(`${W}/${name}`)),
  ],
};
