import { assertEquals } from "@std/assert";
import {
  inScopes,
  NOT_COUNTED,
  objectCount,
  selectsClass,
  totalUsage,
  usageIn,
} from "../../../../../src/testing/api_server/kinds/record/quota_rules.ts";
import { POD_QUOTA } from "../../../../../src/testing/api_server/kinds/core/pod/pod_quota.ts";
import { quotaRulesOf } from "../../../../../src/testing/api_server/kinds/mod.ts";

Deno.test("objectCount() counts objects by the name of their resource, and by another name", () => {
  const widgets = objectCount("widgets.demo.example.com");
  assertEquals(widgets.usage({}, 0), { "count/widgets.demo.example.com": "1" });
  assertEquals(
    ["count/widgets.demo.example.com", "widgets.demo.example.com", "count/widgets"].map(
      widgets.counts,
    ),
    [true, false, false],
  );
  const secrets = objectCount("secrets", "secrets");
  assertEquals(secrets.usage({}, 0), { "count/secrets": "1", secrets: "1" });
  assertEquals(["count/secrets", "secrets", "pods"].map(secrets.counts), [true, true, false]);
});

Deno.test("quotaRulesOf() knows the built-in resources, and counts the objects of others", () => {
  const cases = [
    ["pods", "requests.cpu", true],
    ["services", "services.nodeports", true],
    ["persistentvolumeclaims", "gold.storageclass.storage.k8s.io/requests.storage", true],
    ["resourceclaims.resource.k8s.io", "gpu.deviceclass.resource.k8s.io/devices", true],
    ["configmaps", "configmaps", true],
    ["replicationcontrollers", "replicationcontrollers", true],
    ["resourcequotas", "resourcequotas", true],
    ["secrets", "secrets", true],
    ["deployments.apps", "count/deployments.apps", true],
    ["deployments.apps", "deployments.apps", false],
    ["serviceaccounts", "count/serviceaccounts", true],
    ["serviceaccounts", "serviceaccounts", false],
    ["events", "count/events", false],
    ["events.events.k8s.io", "count/events.events.k8s.io", false],
    ["widgets.demo.example.com", "count/widgets.demo.example.com", true],
  ] as const;
  for (const [resource, name, counts] of cases) {
    assertEquals([resource, name, quotaRulesOf(resource).counts(name)], [resource, name, counts]);
  }
  assertEquals(NOT_COUNTED.usage({}, 0), {});
});

Deno.test("selectsClass() follows the operator", () => {
  const scope = (operator: string) => ({ operator, values: ["high"] });
  const cases = [
    ["In", [false, true, false, true]],
    ["NotIn", [true, false, true, true]],
    ["Exists", [false, true, true, true]],
    ["DoesNotExist", [true, false, false, false]],
  ] as const;
  for (const [operator, expected] of cases) {
    const found = [[], ["high"], ["low"], ["high", "low"]]
      .map((classes) => selectsClass(scope(operator), classes));
    assertEquals([operator, found], [operator, [...expected]]);
  }
});

const best = { spec: { containers: [{ name: "a" }] } };

Deno.test("inScopes() requires all scopes and all expressions", () => {
  const quota = (scopes: string[], ...matchExpressions: object[]) => ({
    spec: { scopes, scopeSelector: { matchExpressions } as never },
  });
  const exists = (scopeName: string) => ({ scopeName, operator: "Exists" });
  const cases = [
    [quota([]), true],
    [quota(["BestEffort", "NotTerminating"]), true],
    [quota(["BestEffort", "Terminating"]), false],
    [quota(["BestEffort"], exists("NotTerminating")), true],
    [quota(["BestEffort"], exists("Terminating")), false],
    [quota([], exists("Terminating")), false],
  ] as const;
  for (const [one, included] of cases) {
    assertEquals([one, inScopes(one, POD_QUOTA, best)], [one, included]);
  }
  const secrets = objectCount("secrets");
  assertEquals([inScopes(quota([]), secrets, {}), inScopes(quota(["BestEffort"]), secrets, {})], [
    true,
    false,
  ]);
});

Deno.test("usageIn() returns what is limited, and nothing outside the scopes", () => {
  const limits = { limited: ["pods", "requests.cpu"], nowMs: 0 };
  assertEquals(usageIn({ spec: {} }, POD_QUOTA, best, limits), { pods: "1" });
  const long = { spec: { scopes: ["Terminating"] } };
  assertEquals(usageIn(long, POD_QUOTA, best, limits), {});
});

Deno.test("totalUsage() adds up, and has zero for what nothing uses", () => {
  const usages = [{ pods: "1", "limits.memory": "1Gi" }, { pods: "1" }, { secrets: "1" }];
  assertEquals(totalUsage(["pods", "limits.memory", "limits.cpu"], usages), {
    pods: "2",
    "limits.memory": "1Gi",
    "limits.cpu": "0",
  });
});
