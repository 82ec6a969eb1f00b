import {
  apply,
  del,
  get,
  jsonPatch,
  merge,
  post,
  put,
  type RequestStep,
  SETTLE_MS,
  type StepScenario,
} from "../step.ts";
import {
  configMap,
  core,
  definition,
  DEFINITIONS,
  deployment,
  grouped,
  namespaced,
  pod,
} from "./_objects.ts";

const NS = "suite-verdicts";
const G = "/apis/admissionregistration.k8s.io/v1";
const MAPS = core(NS, "configmaps");
const PODS = core(NS, "pods");
const SECRETS = core(NS, "secrets");
const DEPLOYMENTS = grouped("apps/v1", NS, "deployments");
const LIMITS = "/apis/suite.example.com/v1/limits";
const HERE = { namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": NS } } };

const rule = (
  resources: readonly string[],
  operations = ["CREATE", "UPDATE"],
  more: object = {},
) => ({
  apiGroups: ["*"],
  apiVersions: ["*"],
  operations,
  resources,
  ...more,
});
/** A policy for objects in the namespace with the label `by`, and its binding. */
interface Policy {
  readonly spec: object;
  readonly constraints?: object;
  readonly rules?: readonly object[];
  readonly binding?: object;
}

const validation = (expression: string, more: object = {}) => ({
  validations: [{ expression, ...more }],
});
const told = (messageExpression: string): Policy => ({
  spec: validation("false", { message: "plain", messageExpression }),
});
const holds = (expression: string): Policy => ({ spec: validation(expression) });

const VALIDATING: Readonly<Record<string, Policy>> = {
  // Messages.
  "m-empty": told("''"),
  "m-blank": told("'  '"),
  "m-lines": told("'a\\nb'"),
  "m-long": told("'x' + object.data.none"),
  "m-null": told("null == null ? 'null' : ''"),
  "m-format": told("'%s %d %.2f %b %x %e'.format([object.metadata.name, 5, 1.5, 5, 255, 12.5])"),
  "m-list": told("string(object.data.map(k, k))"),
  "m-reason": { spec: validation("false", { reason: "RequestEntityTooLarge", message: "m" }) },
  "m-unauthorized": { spec: validation("false", { reason: "Unauthorized" }) },
  "m-lines-of": { spec: validation("object.metadata.name ==\n  'other'") },
  "m-several": {
    spec: {
      validations: [
        { expression: "true", message: "never" },
        { expression: "false", message: "first", reason: "Forbidden" },
        { expression: "false", message: "second" },
      ],
    },
  },
  "m-actions": {
    spec: validation("false", { message: "both" }),
    binding: { validationActions: ["Audit", "Warn"] },
  },
  // Expressions.
  "e-has": holds("has(object.data.a) && object.data.a.startsWith('1')"),
  "e-optional": holds("object.?data.?a.orValue('x') == 'x'"),
  "e-optional-index": holds("object.?data[?'zz'].hasValue()"),
  "e-quantity": holds(
    "quantity('1Gi').isGreaterThan(quantity('1G')) && quantity(object.data.a).asInteger() == 1",
  ),
  "e-quantity-bad": holds("quantity(object.metadata.name).asInteger() == 1"),
  "e-ip": holds("ip('10.0.0.1').family() == 4 && cidr('10.0.0.0/8').containsIP('10.1.1.1')"),
  "e-url": holds("url('https://a.b:80/c?d=e').getHostname() == 'a.b'"),
  "e-regex": holds("'ab12'.find('[0-9]+') == '12' && object.metadata.name.matches('^z+$')"),
  "e-sets": holds("sets.contains(['a'], object.data.map(k, k))"),
  "e-lists": holds("[1, 2, 3].sum() == 6 && ['b', 'a'].isSorted()"),
  "e-semver": holds("semver('1.2.3').isLessThan(semver('1.10.0'))"),
  "e-format": holds("!format.dns1123Label().validate(object.metadata.name).hasValue()"),
  "e-format-named": holds("format.named('nope').hasValue()"),
  "e-divide": holds("1 / (size(object.data) - 1) == 1"),
  "e-index": holds("[1][5] == 1"),
  "e-convert": holds("int(object.metadata.name) == 1"),
  "e-double": holds("double(object.data.a) == 1.0 && int('x1') == 1"),
  "e-overflow": holds("9223372036854775807 + size(object.data) > 0"),
  "e-time": holds("timestamp('2026-01-01T00:00:00Z') < timestamp('nope')"),
  "e-duration": holds("duration('1h') == duration('60m') && duration('x') == duration('1s')"),
  "e-type": holds("type(object.data) == map && type(object.metadata.name) == string"),
  "e-missing": holds("object.spec.replicas > 1"),
  "e-typo": holds("object.metadata.labls['a'] == 'b'"),
  "e-null": holds("object.metadata.annotations == null"),
  "e-old": holds("oldObject.data.a == object.data.a"),
  "e-all": holds("object.data.all(k, object.data[k] != '1')"),
  "e-two": holds(
    "object.data.exists_one(k, v, v == '1') && object.data.transformList(k, v, k + v).size() > 3",
  ),
  "e-cel-bind": holds("cel.bind(x, object.metadata.name, x + x == 'xx')"),
  "e-jsonpatch": holds(
    "string(request.operation) == 'CREATE' ? request.options.dryRun == ['All'] : true",
  ),
  "e-request": holds("request.name == object.metadata.name && request.namespace == 'x'"),
  "e-sub": holds(
    "request.subResource == '' && request.requestKind.kind == 'ConfigMap' && request.requestResource.version == 'v2'",
  ),
  "e-uid": holds("request.uid == '' "),
  "e-user": holds(
    "request.userInfo.groups.exists(g, g == 'system:masters') && request.userInfo.uid == 'x'",
  ),
  "e-authz": holds(
    "authorizer.serviceAccount('default', 'x').group('apps').resource('deployments').subresource('scale').name('n').check('get').reason() == 'x'",
  ),
  "e-authz-error": holds(
    "authorizer.group('').resource('pods').fieldSelector('a=b').labelSelector('(').check('list').errored()",
  ),
  "e-namespace": holds("namespaceObject.metadata.labels['kubernetes.io/metadata.name'] == 'x'"),
  "e-namespace-spec": holds("namespaceObject.spec.finalizers.size() == 7"),
  "e-namespace-typo": holds("namespaceObject.metadata.managedFields.size() > 0"),
  // Variables.
  "v-error": {
    spec: {
      variables: [{ name: "a", expression: "object.data.none" }],
      ...validation("variables.a == 'x'"),
    },
  },
  "v-lazy": {
    spec: {
      variables: [{ name: "a", expression: "object.data.none" }],
      ...validation("true || variables.a == 'x'"),
    },
  },
  "v-chain": {
    spec: {
      variables: [{ name: "a", expression: "1" }, { name: "b", expression: "variables.a + 1" }, {
        name: "c",
        expression: "variables.b / 0",
      }],
      ...validation("variables.c == 1"),
    },
  },
  "v-object": {
    spec: {
      variables: [{ name: "m", expression: "{'a': [1, {'b': object.metadata}]}" }],
      ...validation("variables.m.a[1].b.name == 'z'", {
        messageExpression: "variables.m.a[1].b.name",
      }),
    },
  },
  // Conditions.
  "c-skip": {
    spec: {
      matchConditions: [{ name: "c", expression: "request.userInfo.username == 'x'" }],
      ...validation("false"),
    },
  },
  "c-vars": {
    spec: {
      variables: [{ name: "a", expression: "true" }],
      matchConditions: [{ name: "c", expression: "object.metadata.name == 'x'" }, {
        name: "d",
        expression: "object.data.none == '1'",
      }],
      ...validation("variables.a == false"),
    },
  },
  // Rules.
  "r-exclude": {
    spec: validation("false"),
    constraints: { excludeResourceRules: [rule(["configmaps"], ["UPDATE"])] },
  },
  "r-names": {
    spec: validation("false"),
    rules: [rule(["configmaps"], ["*"], { resourceNames: ["x"] })],
  },
  "r-exclude-names": {
    spec: validation("false"),
    constraints: { excludeResourceRules: [rule(["*"], ["*"], { resourceNames: ["x"] })] },
  },
  "r-scope": { spec: validation("false"), rules: [rule(["*"], ["*"], { scope: "Cluster" })] },
  "r-versions": {
    spec: validation("false"),
    rules: [rule(["configmaps"], ["CREATE"], { apiVersions: ["v1", "v2"] })],
  },
  "r-binding": {
    spec: validation("false"),
    binding: { matchResources: { ...HERE, resourceRules: [rule(["configmaps"], ["UPDATE"])] } },
  },
  "r-binding-object": {
    spec: validation("false"),
    binding: {
      matchResources: {
        ...HERE,
        objectSelector: { matchExpressions: [{ key: "extra", operator: "Exists" }] },
      },
    },
  },
  "r-elsewhere": {
    spec: validation("false"),
    binding: { matchResources: { namespaceSelector: { matchLabels: { none: "x" } } } },
  },
  // Parameters.
  ...Object.fromEntries(
    Object.entries({
      "p-named": { name: "max", parameterNotFoundAction: "Deny" },
      "p-missing": { name: "none", parameterNotFoundAction: "Deny" },
      "p-allowed": { name: "none", parameterNotFoundAction: "Allow" },
      "p-selected": {
        selector: { matchLabels: { limit: "yes" } },
        parameterNotFoundAction: "Deny",
      },
      "p-unselected": {
        selector: { matchLabels: { limit: "no" } },
        parameterNotFoundAction: "Deny",
      },
      "p-all": { selector: {}, parameterNotFoundAction: "Allow" },
    }).map(([name, paramRef]) => [name, {
      spec: {
        paramKind: { apiVersion: "suite.example.com/v1", kind: "Limit" },
        ...validation("object.data.size() <= params.spec.max", {
          messageExpression: "params.metadata.name + ' allows ' + string(params.spec.max)",
        }),
      },
      binding: { paramRef },
    }]),
  ),
  "p-unbound": {
    spec: {
      paramKind: { apiVersion: "suite.example.com/v1", kind: "Limit" },
      ...validation("params == null || params.spec.max > 5"),
    },
  },
  "p-local": {
    spec: {
      paramKind: { apiVersion: "v1", kind: "Secret" },
      ...validation("params.data.a == 'x'", { messageExpression: "params.data.a" }),
    },
    binding: { paramRef: { name: "local", parameterNotFoundAction: "Deny" } },
  },
  "p-kind": {
    spec: {
      paramKind: { apiVersion: "none.example.com/v1", kind: "Nothing" },
      ...validation("params.a == 1"),
    },
    binding: { paramRef: { name: "x", parameterNotFoundAction: "Deny" } },
  },
  "p-error": {
    spec: {
      failurePolicy: "Ignore",
      paramKind: { apiVersion: "suite.example.com/v1", kind: "Limit" },
      ...validation("params.spec.none == 1"),
    },
    binding: { paramRef: { selector: {}, parameterNotFoundAction: "Deny" } },
  },
  // Audit.
  "a-annotations": {
    spec: {
      auditAnnotations: [{ key: "k", valueExpression: "'v'" }, {
        key: "n",
        valueExpression: "null",
      }],
    },
  },
  "a-error": { spec: { auditAnnotations: [{ key: "k", valueExpression: "object.data.none" }] } },
  "a-error-ignored": {
    spec: {
      failurePolicy: "Ignore",
      auditAnnotations: [{ key: "k", valueExpression: "object.data.none" }],
    },
  },
};

/** Policies for other operations and kinds. */
const OPERATIONS: Readonly<Record<string, Policy>> = {
  "o-delete": {
    spec: validation("oldObject.metadata.name != 'keep' && object == null", { message: "kept" }),
    rules: [rule(["secrets"], ["DELETE"])],
  },
  "o-connect": {
    spec: validation("object.stdin != true", {
      messageExpression: "request.name + request.subResource + request.kind.kind",
    }),
    rules: [rule(["pods/exec", "pods/attach", "pods/portforward"], ["CONNECT"])],
  },
  "o-scale": {
    spec: validation("object.spec.replicas < 5", {
      messageExpression: "string(oldObject.spec.replicas) + ' ' + request.kind.kind",
    }),
    rules: [rule(["deployments/scale"], ["UPDATE"])],
  },
  "o-status": {
    spec: validation("!has(object.status.replicas) || object.status.replicas < 5"),
    rules: [rule(["deployments/status"], ["UPDATE"])],
  },
  "o-eviction": {
    spec: validation("has(object.deleteOptions)", { messageExpression: "request.kind.kind" }),
    rules: [rule(["pods/eviction"], ["CREATE"])],
  },
  "o-binding": {
    spec: validation("object.target.name != 'bad'"),
    rules: [rule(["pods/binding"], ["CREATE"])],
  },
  "o-token": {
    spec: validation("object.spec.expirationSeconds < 5000"),
    rules: [rule(["serviceaccounts/token"], ["CREATE"])],
  },
  "o-ephemeral": {
    spec: validation("!object.spec.ephemeralContainers.exists(c, c.name == 'bad')"),
    rules: [rule(["pods/ephemeralcontainers"], ["UPDATE"])],
  },
  "o-custom": {
    spec: validation("object.spec.max < 100"),
    rules: [rule(["limits"], ["CREATE", "UPDATE"])],
  },
};

const policyOf = (name: string, { spec, rules, constraints }: Policy, isLabelled: boolean) => ({
  metadata: { name: `${NS}-${name}` },
  spec: {
    matchConstraints: {
      resourceRules: rules ?? [rule(["configmaps"])],
      ...(isLabelled ? { objectSelector: { matchLabels: { by: name } } } : {}),
      ...constraints,
    },
    ...spec,
  },
});
const bindingOf = (name: string, { binding }: Policy, isCluster = false) => ({
  metadata: { name: `${NS}-${name}` },
  spec: {
    policyName: `${NS}-${name}`,
    validationActions: ["Deny"],
    ...(isCluster ? {} : { matchResources: HERE }),
    ...binding,
  },
});
const install = (policies: Readonly<Record<string, Policy>>, isLabelled: boolean): RequestStep[] =>
  Object.entries(policies).flatMap(([name, policy]) => [
    post(`${G}/validatingadmissionpolicies`, policyOf(name, policy, isLabelled)),
    post(`${G}/validatingadmissionpolicybindings`, bindingOf(name, policy, name === "o-custom"), {
      unseen: true,
    }),
  ]);
const by = (name: string, as = "x", more: object = {}) =>
  configMap(as, { a: "1" }, { labels: { by: name, ...more } });
const limit = (name: string, max: number, labels: object = {}) => ({
  apiVersion: "suite.example.com/v1",
  kind: "Limit",
  metadata: { name, labels },
  spec: { max },
});

/** Validating policies: messages, expressions, variables, rules, parameters, and all operations. */
export const verdicts: StepScenario = {
  name: "verdicts",
  setting: {},
  steps: [
    namespaced(NS),
    post(
      DEFINITIONS,
      definition("limits", "Limit", {
        scope: "Cluster",
        versions: [{
          name: "v1",
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: "object",
              properties: { spec: { type: "object", properties: { max: { type: "integer" } } } },
            },
          },
        }],
      }),
      { unseen: true },
    ),
    get(LIMITS, { whileStatus: [404, 429], unseen: true }),
    post(LIMITS, limit("max", 0, { limit: "yes" }), { whileStatus: [404, 429], unseen: true }),
    post(LIMITS, limit("more", 7, { limit: "yes" }), { unseen: true }),
    post(SECRETS, { metadata: { name: "local" }, stringData: { a: "y" } }, { unseen: true }),
    post(SECRETS, { metadata: { name: "keep" } }, { unseen: true }),
    post(PODS, pod("p", { nodeName: "n" }), { unseen: true }),
    post(PODS, pod("q"), { unseen: true }),
    post(DEPLOYMENTS, deployment("d"), { unseen: true }),
    post(core(NS, "serviceaccounts"), { metadata: { name: "robot" } }, { unseen: true }),
    ...Object.keys(VALIDATING).map((name) => post(MAPS, by(name, name), { unseen: true })),
    ...install(VALIDATING, true),
    ...install(OPERATIONS, false),
    get(MAPS, { unseen: true, settleMs: SETTLE_MS }),
    ...Object.keys(VALIDATING).flatMap((name) => [
      post(`${MAPS}?dryRun=All`, by(name)),
      merge(`${MAPS}/${name}?dryRun=All`, {
        metadata: { labels: { extra: "1" } },
        data: { a: "2", b: "3" },
      }),
    ]),
    apply(`${MAPS}/e-old?dryRun=All`, "m", by("e-old", "e-old"), { force: true }),
    put(`${MAPS}/e-two?dryRun=All`, by("e-two", "e-two")),
    jsonPatch(`${MAPS}/m-several?dryRun=All`, [{ op: "add", path: "/data/q", value: "r" }]),
    post(MAPS, by("m-several"), { as: "nobody" }),
    post(MAPS, by("m-several"), { headers: { accept: "application/yaml" } }),
    post(MAPS, { ...by("m-several"), kind: "X" }),
    // Other operations.
    del(`${SECRETS}/keep`),
    del(`${SECRETS}/keep?dryRun=All`),
    del(SECRETS),
    get(SECRETS),
    get(`${PODS}/p/exec?command=x&stdin=true&stdout=true`),
    post(`${PODS}/p/attach?stdin=true`, undefined),
    post(`${PODS}/p/portforward`, undefined),
    merge(`${DEPLOYMENTS}/d/scale`, { spec: { replicas: 4 } }),
    merge(`${DEPLOYMENTS}/d/scale`, { spec: { replicas: 6 } }),
    put(`${DEPLOYMENTS}/d/scale`, { metadata: { name: "d" }, spec: { replicas: 7 } }),
    merge(`${DEPLOYMENTS}/d/status`, { status: { replicas: 6 } }),
    merge(`${DEPLOYMENTS}/d/status`, { status: { replicas: 3 } }),
    post(`${PODS}/q/eviction`, { metadata: { name: "q" } }),
    post(`${PODS}/q/eviction?dryRun=All`, { metadata: { name: "q" }, deleteOptions: {} }),
    post(`${PODS}/q/binding`, { metadata: { name: "q" }, target: { name: "bad" } }),
    post(`${PODS}/q/binding`, { metadata: { name: "q" }, target: { name: "good" } }),
    post(core(NS, "bindings"), { metadata: { name: "q" }, target: { name: "bad" } }),
    post(`${core(NS, "serviceaccounts")}/robot/token`, { spec: { expirationSeconds: 9000 } }),
    merge(`${PODS}/p/ephemeralcontainers`, {
      spec: { ephemeralContainers: [{ name: "bad", image: "i" }] },
    }),
    merge(`${PODS}/p/ephemeralcontainers`, {
      spec: { ephemeralContainers: [{ name: "good", image: "i" }] },
    }),
    post(LIMITS, limit("big", 200)),
    merge(`${LIMITS}/max`, { spec: { max: 100 } }),
    merge(`${LIMITS}/max`, { spec: { max: 9 } }, { settleMs: 1000 }),
    post(`${MAPS}?dryRun=All`, by("p-named")),
    get(`${G}/validatingadmissionpolicies/${NS}-e-has`),
    del(`${G}/validatingadmissionpolicies`, undefined, { unseen: true }),
    del(`${G}/validatingadmissionpolicybindings`, undefined, { unseen: true }),
  ],
};
