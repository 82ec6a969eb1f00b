import { assertEquals } from "@std/assert";
import {
  type AccessAttributes,
  allows,
  FULL_AUTHORITY,
  missingRights,
  type PolicyRule,
} from "../../../../src/testing/api_server/access/policy_rule.ts";

const GET_PODS: PolicyRule = { verbs: ["get"], apiGroups: [""], resources: ["pods"] };

Deno.test("allows() compares verb, group, resource, subresource and name, or the path", () => {
  const url = (nonResourceURLs: string[]): PolicyRule => ({ verbs: ["get"], nonResourceURLs });
  const named = { ...GET_PODS, resourceNames: ["a", "b"] };
  const cases: readonly (readonly [PolicyRule, Partial<AccessAttributes>, boolean])[] = [
    [GET_PODS, {}, true],
    [GET_PODS, { verb: "list" }, false],
    [GET_PODS, { group: "apps" }, false],
    [GET_PODS, { resource: "secrets" }, false],
    [GET_PODS, { subresource: "log" }, false],
    [GET_PODS, { path: "/pods" }, false],
    [{}, {}, false],
    [{ ...GET_PODS, verbs: ["*"] }, { verb: "list" }, true],
    [{ ...GET_PODS, apiGroups: ["*"] }, { group: "apps" }, true],
    [{ ...GET_PODS, resources: ["*"] }, { subresource: "log" }, true],
    [{ ...GET_PODS, resources: ["pods/log"] }, { subresource: "log" }, true],
    [{ ...GET_PODS, resources: ["pods/log"] }, {}, false],
    [{ ...GET_PODS, resources: ["*/log"] }, { subresource: "log" }, true],
    [{ ...GET_PODS, resources: ["*/log"] }, { subresource: "exec" }, false],
    [named, { name: "b" }, true],
    [named, { name: "c" }, false],
    [named, {}, false],
    [{ ...GET_PODS, resourceNames: [] }, { name: "c" }, true],
    [url(["/logs"]), { path: "/logs" }, true],
    [url(["/logs"]), { path: "/logs/a" }, false],
    [url(["/logs*"]), { path: "/logs/a" }, true],
    [url(["/logs/**"]), { path: "/logs/a" }, true],
    [url(["/logs/*"]), { path: "/logs" }, false],
    [url(["*"]), { path: "/logs" }, true],
    [url(["*"]), { path: "/logs", verb: "post" }, false],
    [url(["*"]), {}, false],
  ];
  const request = { verb: "get", group: "", resource: "pods", subresource: "", namespace: "" };
  for (const [rule, asked, expected] of cases) {
    const attributes = { ...request, name: "", ...asked };
    assertEquals(allows(rule, attributes), expected, JSON.stringify([rule, asked]));
  }
});

Deno.test("missingRights() returns what no held rule covers", () => {
  const missing = (held: readonly PolicyRule[], wanted: readonly PolicyRule[]) =>
    missingRights(held, wanted)?.shown;
  const urls = (...nonResourceURLs: string[]): PolicyRule => ({ verbs: ["get"], nonResourceURLs });
  const pods = (rest: Partial<PolicyRule>): PolicyRule => ({ ...GET_PODS, ...rest });
  const shown = (resource: string, verbs: string, more = "", group = "") =>
    `{APIGroups:["${group}"], Resources:["${resource}"]${more}, Verbs:[${verbs}]}`;
  const cases: readonly (readonly [PolicyRule, PolicyRule, readonly string[] | undefined])[] = [
    [GET_PODS, GET_PODS, undefined],
    [pods({ verbs: ["*"], apiGroups: ["*"], resources: ["*"] }), GET_PODS, undefined],
    [GET_PODS, pods({ verbs: ["watch", "get", "list"] }), [shown("pods", '"watch" "list"')]],
    [GET_PODS, pods({ verbs: ["*"] }), [shown("pods", '"*"')]],
    [GET_PODS, pods({ apiGroups: ["", "apps"] }), [shown("pods", '"get"', "", "apps")]],
    [GET_PODS, pods({ resources: ["secrets", "pods", "maps"] }), [
      shown("maps", '"get"'),
      shown("secrets", '"get"'),
    ]],
    [pods({ resources: ["*/log"] }), pods({ resources: ["pods/log"] }), undefined],
    [pods({ resources: ["*/log"] }), GET_PODS, [shown("pods", '"get"')]],
    [GET_PODS, pods({ resourceNames: ["a"] }), undefined],
    [pods({ resourceNames: ["a"] }), pods({ resourceNames: ["a", "b"] }), [
      shown("pods", '"get"', ', ResourceNames:["b"]'),
    ]],
    [pods({ resourceNames: ["a"] }), GET_PODS, [shown("pods", '"get"')]],
    [urls("/a*"), urls("/a", "/ab"), undefined],
    [urls("/a"), urls("/ab", "/b"), [
      '{NonResourceURLs:["/ab"], Verbs:["get"]}',
      '{NonResourceURLs:["/b"], Verbs:["get"]}',
    ]],
    // A rule for some names does not cover a URL.
    [{ ...urls("*"), resourceNames: ["a"] }, urls("/a"), [
      '{NonResourceURLs:["/a"], Verbs:["get"]}',
    ]],
    [{ ...urls("/a"), verbs: [] }, { ...urls("/a"), verbs: ["get", "put"] }, [
      '{NonResourceURLs:["/a"], Verbs:["get"]}',
      '{NonResourceURLs:["/a"], Verbs:["put"]}',
    ]],
    [GET_PODS, pods({ apiGroups: null }), undefined],
  ];
  for (const [held, wanted, expected] of cases) {
    assertEquals(missing([held], [wanted]), expected, JSON.stringify([held, wanted]));
  }
  assertEquals(missing(FULL_AUTHORITY, [GET_PODS, urls("/a")]), undefined);
  // Several held rules cover what none of them covers alone.
  assertEquals(
    missing([GET_PODS, pods({ verbs: ["list"] })], [pods({ verbs: ["get", "list"] })]),
    undefined,
  );
});

Deno.test("missingRights() looks at 20,000 permissions, and says if there are more", () => {
  const wanted = (...verbs: string[]): PolicyRule => ({
    apiGroups: [""],
    resources: Array.from({ length: 10_000 }, (_, index) => `r${index}`),
    verbs,
  });
  assertEquals(missingRights(FULL_AUTHORITY, [wanted("get", "list")]), undefined);
  const [first, last] = [wanted("get", "list"), GET_PODS];
  assertEquals(missingRights(FULL_AUTHORITY, [first, last]), { shown: [], tooMany: true });
});
