import { del, merge, post, type RequestStep, type StepScenario } from "../step.ts";
import { core, grouped, namespaced } from "./_objects.ts";

const NS = "suite-policies";
const BUDGETS = grouped("policy/v1", NS, "poddisruptionbudgets");
const LEASES = grouped("coordination.k8s.io/v1", NS, "leases");
const ROLES = grouped("rbac.authorization.k8s.io/v1", NS, "roles");
const BOUND = grouped("rbac.authorization.k8s.io/v1", NS, "rolebindings");
const LIMITS = core(NS, "limitranges");
const QUOTAS = core(NS, "resourcequotas");
const CLUSTER_ROLES = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
const CLUSTER_BOUND = "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings";
const PRIORITIES = "/apis/scheduling.k8s.io/v1/priorityclasses";
const RUNTIMES = "/apis/node.k8s.io/v1/runtimeclasses";
const SERVICES = "/apis/apiregistration.k8s.io/v1/apiservices";
const SCHEMAS = "/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas";
const LEVELS = "/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations";
const HOOKS = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
const MUTATING = "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations";
const ADMISSION = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies";

const trial = (path: string, rest: object, name = "suite-x"): RequestStep =>
  post(`${path}?dryRun=All`, { metadata: { name }, ...rest });

const made = (path: string, rest: object, name = "suite-policies"): RequestStep =>
  post(path, { metadata: { name }, ...rest });

const hook = (parts: object) => ({
  webhooks: [{
    name: "a.b.example",
    clientConfig: { url: "https://x.example/y" },
    admissionReviewVersions: ["v1"],
    sideEffects: "None",
    ...parts,
  }],
});

const rule = (parts: object = {}) => ({
  apiGroups: ["a"],
  apiVersions: ["v1"],
  resources: ["rs"],
  operations: ["CREATE"],
  ...parts,
});

const admitted = (spec: object): RequestStep =>
  trial(ADMISSION, {
    spec: {
      matchConstraints: { resourceRules: [rule()] },
      validations: [{ expression: "true" }],
      ...spec,
    },
  });

const limited = (limited: object): RequestStep =>
  trial(LEVELS, { spec: { type: "Limited", limited } });

const schema = (spec: object): RequestStep =>
  trial(SCHEMAS, { spec: { priorityLevelConfiguration: { name: "exempt" }, ...spec } });

const subjects = (...list: object[]) => ({ subjects: list });

/** Refusals and defaults of the kinds of policies, access and the server's own configuration. */
export const policies: StepScenario = {
  name: "policies",
  steps: [
    namespaced(NS),
    made(BUDGETS, { spec: { minAvailable: "50%", selector: { matchLabels: { a: "b" } } } }),
    trial(BUDGETS, { spec: { minAvailable: -1 } }),
    trial(BUDGETS, { spec: { minAvailable: "101%", unhealthyPodEvictionPolicy: "Odd" } }),
    trial(BUDGETS, {
      spec: { maxUnavailable: "x", selector: { matchExpressions: [{ key: "a", operator: "In" }] } },
    }),
    trial(BUDGETS, { spec: { maxUnavailable: -2 } }),
    trial(BUDGETS, {}),
    trial(BUDGETS, { spec: { selector: {} } }),
    merge(`${BUDGETS}/suite-policies/status?dryRun=All`, {
      status: {
        disruptionsAllowed: -1,
        currentHealthy: -1,
        desiredHealthy: -1,
        expectedPods: -1,
        conditions: [{ type: "A" }, {
          type: "A",
          status: "True",
          reason: "b d",
          lastTransitionTime: "2026-01-01T00:00:00Z",
        }],
      },
    }),
    merge(`${BUDGETS}/suite-policies`, { spec: { maxUnavailable: 1 } }),
    // Priorities, runtimes and leases
    made(PRIORITIES, { value: 1000, description: "d" }),
    trial(PRIORITIES, { value: 1000000001 }),
    trial(PRIORITIES, { value: 5 }, "system-mine"),
    trial(PRIORITIES, { value: 2000000000 }, "system-node-critical"),
    trial(PRIORITIES, { value: 5, preemptionPolicy: "Odd" }),
    trial(PRIORITIES, { value: 5, globalDefault: true }),
    trial(PRIORITIES, {}),
    merge(`${PRIORITIES}/suite-policies`, { value: 5, preemptionPolicy: "Never" }),
    merge(`${PRIORITIES}/suite-policies?dryRun=All`, { globalDefault: true, description: "e" }),
    del(`${PRIORITIES}/system-node-critical?dryRun=All`),
    merge(`${PRIORITIES}/system-node-critical`, { description: "x" }),
    made(RUNTIMES, { handler: "h", overhead: { podFixed: { cpu: "1" } } }),
    trial(RUNTIMES, {}),
    trial(RUNTIMES, {
      handler: "Bad_Handler",
      overhead: { podFixed: { "b d": "1" } },
      scheduling: {
        nodeSelector: { "b d": "x y" },
        tolerations: [{ operator: "Exists", value: "v" }, { key: "a", effect: "Odd" }, {
          key: "k",
          operator: "Exists",
        }, { key: "k", operator: "Exists" }],
      },
    }),
    merge(`${RUNTIMES}/suite-policies`, { handler: "i" }),
    merge(`${RUNTIMES}/suite-policies`, { overhead: null }),
    made(LEASES, {
      spec: {
        holderIdentity: "h",
        leaseDurationSeconds: 5,
        renewTime: "2026-01-01T00:00:00.000000Z",
      },
    }),
    trial(LEASES, { spec: { leaseDurationSeconds: 0, leaseTransitions: -1, holderIdentity: "" } }),
    trial(LEASES, { spec: { strategy: "Odd", preferredHolder: "p" } }),
    trial(LEASES, { spec: { preferredHolder: "p" } }),
    trial(LEASES, { spec: { strategy: "OldestEmulationVersion" } }, "Bad_Name"),
    // RBAC
    trial(ROLES, { rules: [{}, { apiGroups: [""], resources: ["pods"] }, { verbs: ["get"] }] }),
    trial(ROLES, {
      rules: [{ verbs: ["get"], nonResourceURLs: ["/a"] }, { verbs: ["get"], apiGroups: [""] }],
    }),
    trial(CLUSTER_ROLES, {
      rules: [{
        verbs: ["get"],
        nonResourceURLs: ["/a"],
        apiGroups: ["x"],
        resources: ["y"],
        resourceNames: ["z"],
      }],
    }),
    trial(CLUSTER_ROLES, { aggregationRule: {} }),
    trial(CLUSTER_ROLES, {
      aggregationRule: {
        clusterRoleSelectors: [{ matchLabels: { "b d": "c" } }, {
          matchExpressions: [{ key: "a", operator: "Odd" }],
        }],
      },
    }),
    trial(CLUSTER_ROLES, { rules: null }, "a/b"),
    trial(CLUSTER_ROLES, { rules: [] }, "a:b"),
    trial(BOUND, { roleRef: {} }),
    trial(BOUND, { roleRef: { apiGroup: "x", kind: "Odd", name: "a/b" } }),
    trial(BOUND, {
      roleRef: { kind: "Role", name: "r" },
      ...subjects(
        { kind: "Odd", name: "x" },
        { kind: "User", name: "" },
        { kind: "User", name: "u", apiGroup: "x" },
        {
          kind: "ServiceAccount",
          name: "Bad_Name",
          namespace: "",
          apiGroup: "x",
        },
        { kind: "Group", name: "g", namespace: "n" },
        {},
      ),
    }),
    trial(CLUSTER_BOUND, {
      roleRef: { kind: "Role", name: "r" },
      ...subjects({ kind: "ServiceAccount", name: "a" }, {
        kind: "ServiceAccount",
        name: "a",
        namespace: "Bad_N",
      }),
    }),
    made(BOUND, {
      roleRef: { kind: "ClusterRole", name: "view" },
      ...subjects({ kind: "User", name: "u" }, { kind: "Group", name: "g" }, {
        kind: "ServiceAccount",
        name: "a",
      }),
    }),
    merge(`${BOUND}/suite-policies`, { roleRef: { name: "edit" } }),
    // Limits and quotas
    trial(LIMITS, {
      spec: {
        limits: [
          {
            type: "Container",
            max: { cpu: "1" },
            min: { cpu: "2" },
            default: { cpu: "3" },
            defaultRequest: { cpu: "4" },
          },
          {
            type: "Container",
            default: { memory: "-1" },
            maxLimitRequestRatio: { cpu: "0.5" },
          },
          { type: "Pod", default: { cpu: "1" }, defaultRequest: { cpu: "1" } },
          { type: "PersistentVolumeClaim" },
          {
            type: "Pod",
            max: { cpu: "1" },
            min: { cpu: "0.5" },
            maxLimitRequestRatio: { cpu: "5" },
          },
          { type: "" },
        ],
      },
    }),
    made(LIMITS, {
      spec: { limits: [{ type: "Container", max: { cpu: "2" } }, { type: "example.com/mine" }] },
    }),
    trial(core(NS, "pods"), {
      spec: { containers: [{ name: "c", image: "i", resources: { requests: { cpu: "3" } } }] },
    }),
    del(`${LIMITS}/suite-policies`, undefined, { unseen: true }),
    trial(QUOTAS, {
      spec: {
        hard: { pods: "1.5" },
      },
    }),
    trial(QUOTAS, {
      spec: { hard: { pods: 1 }, scopes: ["Odd", "Terminating", "NotTerminating"] },
    }),
    trial(QUOTAS, {
      spec: { hard: { "requests.storage": "1Gi" }, scopes: ["BestEffort", "NotBestEffort"] },
    }),
    trial(QUOTAS, {
      spec: {
        hard: { pods: 1, services: 1 },
        scopeSelector: {
          matchExpressions: [
            { scopeName: "PriorityClass", operator: "In" },
            { scopeName: "PriorityClass", operator: "Exists", values: ["x"] },
            { scopeName: "Terminating", operator: "In", values: ["x"] },
            { scopeName: "Odd", operator: "Odd" },
          ],
        },
      },
    }),
    made(QUOTAS, {
      spec: { hard: { pods: "2", "limits.cpu": "1500m" }, scopes: ["NotBestEffort"] },
    }),
    merge(`${QUOTAS}/suite-policies/status`, {
      status: { hard: { pods: "2" }, used: { pods: "1" } },
    }),
    // The configuration of the server
    made(SERVICES, {
      spec: {
        group: "suite.other",
        version: "v1",
        groupPriorityMinimum: 10,
        versionPriority: 5,
        service: { name: "s", namespace: "n" },
        insecureSkipTLSVerify: true,
      },
    }, "v1.suite.other"),
    trial(SERVICES, {
      spec: { group: "a", version: "v1", groupPriorityMinimum: 10, versionPriority: 5 },
    }),
    trial(SERVICES, {
      spec: {
        group: "suite.z",
        version: "v1",
        groupPriorityMinimum: 20001,
        versionPriority: 1001,
        service: { name: "", namespace: "", port: 70000 },
        insecureSkipTLSVerify: true,
        caBundle: "YQ==",
      },
    }, "v1.suite.z"),
    trial(SERVICES, {
      spec: { group: "suite.z", version: "v1", service: { name: "s", namespace: "n" } },
    }, "v1.suite.z"),
    trial(
      SERVICES,
      { spec: { version: "v9", groupPriorityMinimum: 1, versionPriority: 1 } },
      "v9.",
    ),
    trial(SERVICES, {
      spec: {
        group: "suite.z",
        version: "v1",
        groupPriorityMinimum: 1,
        versionPriority: 1,
        insecureSkipTLSVerify: true,
      },
    }, "v1.suite.z"),
    del(`${SERVICES}/v1.suite.other`, undefined, { unseen: true }),
    limited({}),
    limited({
      nominalConcurrencyShares: -1,
      lendablePercent: 101,
      borrowingLimitPercent: -1,
      limitResponse: { type: "Odd" },
    }),
    limited({ limitResponse: { type: "Queue" } }),
    limited({
      limitResponse: { type: "Queue", queuing: { queues: 0, handSize: 0, queueLengthLimit: 0 } },
    }),
    limited({
      limitResponse: { type: "Queue", queuing: { queues: 4, handSize: 8, queueLengthLimit: 1 } },
    }),
    limited({
      limitResponse: {
        type: "Queue",
        queuing: { queues: 10000001, handSize: 12, queueLengthLimit: 1 },
      },
    }),
    limited({ limitResponse: { type: "Reject", queuing: { queues: 1 } } }),
    trial(LEVELS, { spec: { type: "Limited" } }),
    trial(LEVELS, { spec: { type: "Exempt", limited: {} } }),
    trial(LEVELS, { spec: { type: "Odd" } }),
    trial(LEVELS, {
      spec: { type: "Exempt", exempt: { nominalConcurrencyShares: -1, lendablePercent: 200 } },
    }),
    trial(LEVELS, { spec: { type: "Exempt" } }, "exempt"),
    schema({}),
    schema({
      matchingPrecedence: 10001,
      distinguisherMethod: { type: "Odd" },
      priorityLevelConfiguration: {},
    }),
    schema({ matchingPrecedence: 1 }),
    // Webhooks and admission policies
    trial(HOOKS, { webhooks: [{}] }),
    trial(HOOKS, hook({ admissionReviewVersions: ["v2", "V", "v2"], timeoutSeconds: 0 })),
    trial(HOOKS, hook({ clientConfig: {} })),
    trial(MUTATING, hook({ reinvocationPolicy: "Odd", rules: [rule()] })),
    made(MUTATING, hook({ clientConfig: { service: { name: "s", namespace: "n" } } })),
    merge(`${MUTATING}/suite-policies`, { webhooks: [] }),
    del(`${MUTATING}/suite-policies`, undefined, { unseen: true }),
    trial(ADMISSION, { spec: {} }),
    trial(ADMISSION, {}),
    admitted({ failurePolicy: "Odd", paramKind: { apiVersion: "a/b/c", kind: "" } }),
    admitted({
      matchConstraints: {
        resourceRules: [{}],
        matchPolicy: "Odd",
        excludeResourceRules: [rule({ resourceNames: ["a", "a"] })],
      },
    }),
    admitted({
      validations: [
        { expression: "" },
        { expression: "1" },
        { expression: "object.", reason: "Odd" },
        { expression: "true", message: "a\nb", messageExpression: "1" },
        { expression: "params.x" },
      ],
    }),
    admitted({
      variables: [{ name: "1x", expression: "1" }, { name: "a", expression: "variables.b" }, {
        name: "a",
        expression: "",
      }, { name: "if", expression: "2" }],
    }),
    admitted({
      auditAnnotations: [{ key: "", valueExpression: "" }, { key: "b d", valueExpression: "1" }, {
        key: "a",
        valueExpression: "'x'",
      }, { key: "a", valueExpression: "null" }],
    }),
    admitted({
      matchConditions: [{ name: "x", expression: "variables.a" }, {
        name: "x",
        expression: "request.operation",
      }],
    }),
    admitted({
      validations: [{
        expression:
          "object.spec.replicas > 5 && authorizer.group('').resource('pods').check('get').allowed()",
        reason: "Forbidden",
      }],
      auditAnnotations: [{ key: "k", valueExpression: "'v'" }],
    }),
  ],
};
