import { assertEquals } from "@std/assert";
import {
  matchesRule,
  type RuleSubject,
} from "../../../../src/testing/api_server/webhooks/webhook_rules.ts";

Deno.test("matchesRule() compares scope, operation, group, version, resource and subresource", () => {
  const pod: RuleSubject = {
    operation: "CREATE",
    group: "apps",
    version: "v1",
    plural: "pods",
    subresource: "",
    namespace: "default",
    isNamespace: false,
  };
  const status = { subresource: "status" };
  const cluster = { namespace: "" };
  const space = { namespace: "a", isNamespace: true };
  const cases: readonly (readonly [Record<string, string[] | string>, object, boolean])[] = [
    [{}, {}, true],
    [{ operations: ["CREATE", "UPDATE"] }, { operation: "UPDATE" }, true],
    [{ operations: ["CREATE"] }, { operation: "UPDATE" }, false],
    [{ operations: [] }, {}, false],
    [{ apiGroups: ["apps"] }, {}, true],
    [{ apiGroups: [""] }, {}, false],
    [{ apiVersions: ["v1"] }, {}, true],
    [{ apiVersions: ["v2"] }, {}, false],
    [{ resources: ["pods"] }, {}, true],
    [{ resources: ["maps", "pods"] }, {}, true],
    [{ resources: ["maps"] }, {}, false],
    [{ resources: ["pods"] }, status, false],
    [{ resources: ["*"] }, {}, true],
    [{ resources: ["*"] }, status, false],
    [{ resources: ["pods/status"] }, status, true],
    [{ resources: ["pods/status"] }, {}, false],
    [{ resources: ["pods/scale"] }, status, false],
    [{ resources: ["pods/*"] }, status, true],
    [{ resources: ["pods/*"] }, {}, true],
    [{ resources: ["maps/*"] }, status, false],
    [{ resources: ["*/status"] }, status, true],
    [{ resources: ["*/*"] }, status, true],
    // A resource without a name matches nothing.
    [{ resources: ["/status"] }, status, false],
    [{ scope: "*" }, cluster, true],
    [{ scope: "Cluster" }, cluster, true],
    [{ scope: "Cluster" }, space, true],
    [{ scope: "Cluster" }, {}, false],
    [{ scope: "Namespaced" }, {}, true],
    [{ scope: "Namespaced" }, cluster, false],
    [{ scope: "Namespaced" }, space, false],
  ];
  const all = { operations: ["*"], apiGroups: ["*"], apiVersions: ["*"], resources: ["*/*"] };
  for (const [rule, subject, expected] of cases) {
    const matches = matchesRule({ ...all, ...rule }, { ...pod, ...subject });
    assertEquals(matches, expected, JSON.stringify([rule, subject]));
  }
});
