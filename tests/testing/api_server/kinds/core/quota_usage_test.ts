import { assertEquals } from "@std/assert";
import {
  addAmounts,
  inScopes,
  matchingResources,
  missingAmounts,
  moreThan,
  usageOf,
  usesQuota,
} from "../../../../../src/testing/api_server/kinds/core/quota_usage.ts";

const container = (name: string, requests: object = {}, limits: object = {}) => ({
  name,
  resources: { requests: { ...requests }, limits: { ...limits } },
});

Deno.test("usageOf() counts a Pod with its overhead, its limits and its devices", () => {
  const pod = {
    spec: {
      containers: [
        container("a", { cpu: "100m", "example.com/gpu": "1" }, { memory: "1Gi" }),
        container("b", { cpu: "1" }),
      ],
      overhead: { cpu: "50m" },
    },
  };
  assertEquals(usageOf("pods", pod), {
    "count/pods": "1",
    pods: "1",
    cpu: "1150m",
    "requests.cpu": "1150m",
    "requests.example.com/gpu": "1",
    "limits.memory": "1Gi",
  });
  assertEquals(usageOf("pods", { ...pod, status: { phase: "Failed" } }), { "count/pods": "1" });
});

Deno.test("usageOf() counts the node ports of a Service by its type", () => {
  const service = (type: string, more: object = {}) => ({
    spec: { type, ports: [{ port: 80, nodePort: 30080 }, { port: 81 }], ...more },
  });
  const used = (object: ReturnType<typeof service>) =>
    Object.entries(usageOf("services", object)).map(([name, amount]) => `${name}=${amount}`);
  assertEquals(used(service("ClusterIP")), ["count/services=1", "services=1"]);
  assertEquals(used(service("NodePort")).at(-1), "services.nodeports=2");
  const free = service("LoadBalancer", { allocateLoadBalancerNodePorts: false });
  assertEquals(used(free).slice(-2), ["services.loadbalancers=1", "services.nodeports=1"]);
});

Deno.test("usesQuota() looks at what a write can use more of", () => {
  const spec = { spec: {} };
  assertEquals(usesQuota("events", spec, undefined, ""), false);
  assertEquals(usesQuota("configmaps", spec, undefined, ""), true);
  assertEquals(usesQuota("configmaps", spec, spec, ""), false);
  assertEquals(usesQuota("services", spec, spec, ""), true);
  assertEquals(usesQuota("services", spec, spec, "status"), false);
  assertEquals(usesQuota("pods", spec, spec, ""), false);
  assertEquals(usesQuota("pods", { spec: { activeDeadlineSeconds: 5 } }, spec, ""), true);
  assertEquals(usesQuota("pods", spec, spec, "resize"), true);
});

Deno.test("matchingResources() returns what the objects of a resource use", () => {
  const hard = [
    "count/configmaps",
    "gold.storageclass.storage.k8s.io/requests.storage",
    "limits.cpu",
    "pods",
    "requests.example.com/gpu",
    "requests.storage",
    "services.nodeports",
  ];
  assertEquals(matchingResources("pods", hard), ["limits.cpu", "pods", "requests.example.com/gpu"]);
  assertEquals(matchingResources("services", hard), ["services.nodeports"]);
  assertEquals(matchingResources("persistentvolumeclaims", hard), [
    "gold.storageclass.storage.k8s.io/requests.storage",
    "requests.storage",
  ]);
  assertEquals(matchingResources("configmaps", hard), ["count/configmaps"]);
});

Deno.test("missingAmounts() names the containers that do not say what a quota limits", () => {
  const pod = { spec: { containers: [container("b"), container("a", { cpu: "1" })] } };
  const limited = ["pods", "requests.cpu", "limits.memory", "requests.ephemeral-storage"];
  assertEquals(missingAmounts(pod, limited), "limits.memory for: a,b; requests.cpu for: b");
  assertEquals(missingAmounts({ spec: { ...pod.spec, resources: { limits: {} } } }, limited), "");
});

Deno.test("inScopes() compares a Pod with all scopes of a quota", () => {
  const best = { spec: { containers: [container("a")] } };
  const scopes = (...names: string[]) => ({ spec: { scopes: names } });
  assertEquals(inScopes(scopes(), "pods", best), true);
  assertEquals(inScopes(scopes("BestEffort", "NotTerminating"), "pods", best), true);
  assertEquals(inScopes(scopes("BestEffort", "Terminating"), "pods", best), false);
  assertEquals(inScopes(scopes("BestEffort"), "services", best), false);
  const classed = (operator: string) => ({
    spec: {
      scopeSelector: {
        matchExpressions: [{ scopeName: "PriorityClass", operator, values: ["high"] }],
      },
    },
  });
  const high = { spec: { ...best.spec, priorityClassName: "high" } };
  const found = ["In", "NotIn", "Exists", "DoesNotExist"].map((operator) =>
    [best, high].map((pod) => inScopes(classed(operator), "pods", pod))
  );
  assertEquals(found, [[false, true], [true, false], [false, true], [true, false]]);
});

Deno.test("addAmounts() and moreThan() keep the format of the amounts", () => {
  assertEquals(addAmounts("0", "1Gi"), "1Gi");
  assertEquals(addAmounts("600m", "400m"), "1");
  assertEquals(moreThan("3Gi", "1Gi"), "2Gi");
  assertEquals(moreThan("1", "2"), "0");
});
