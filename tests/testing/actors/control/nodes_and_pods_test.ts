import { assertEquals } from "@std/assert";
import type { Cached, Node, Pod } from "../../../../mod.ts";
import { matchesNode } from "../../../../src/testing/actors/control/node_affinity.ts";
import {
  availableAtMs,
  isActive,
  isAvailable,
  readySinceMs,
} from "../../../../src/testing/actors/control/pod_facts.ts";
import { repellingTaint, tolerates } from "../../../../src/testing/actors/control/taints.ts";
import { covers } from "../../../../src/testing/actors/pods/covers.ts";

const NODE = {
  metadata: { name: "n1", labels: { zone: "a", size: "4" } },
} as unknown as Cached<Node>;

function matches(spec: object): boolean {
  return matchesNode({ spec } as unknown as Cached<Pod>, NODE);
}

function required(...nodeSelectorTerms: object[]): object {
  const requiredDuringSchedulingIgnoredDuringExecution = { nodeSelectorTerms };
  return { affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution } } };
}

Deno.test("matchesNode() asks for all labels of the selector", () => {
  assertEquals(matches({}), true);
  assertEquals(matches({ nodeSelector: { zone: "a", size: "4" } }), true);
  assertEquals(matches({ nodeSelector: { zone: "a", size: "5" } }), false);
  assertEquals(matches({ nodeSelector: { zone: "a" }, ...required() }), false);
  assertEquals(matchesNode({} as Cached<Pod>, NODE), true);
});

Deno.test("matchesNode() asks for all expressions of one of the terms", () => {
  const one = (key: string, operator: string, ...values: string[]) => ({ key, operator, values });
  const holds = (...expressions: object[]) => matches(required({ matchExpressions: expressions }));
  for (
    const [key, operator, values, expected] of [
      ["zone", "In", ["b", "a"], true],
      ["zone", "In", ["b"], false],
      ["none", "In", ["b"], false],
      ["zone", "NotIn", ["b"], true],
      ["zone", "NotIn", ["a"], false],
      ["none", "NotIn", ["a"], true],
      ["zone", "Exists", [], true],
      ["none", "Exists", [], false],
      ["none", "DoesNotExist", [], true],
      ["zone", "DoesNotExist", [], false],
      ["size", "Gt", ["3"], true],
      ["size", "Gt", ["4"], false],
      ["size", "Lt", ["5"], true],
      ["size", "Lt", ["4"], false],
      ["none", "Gt", ["0"], false],
      ["zone", "Like", ["a"], false],
    ] as const
  ) assertEquals(holds(one(key, operator, ...values)), expected, `${key} ${operator} ${values}`);
  assertEquals(holds(one("zone", "Exists"), one("none", "Exists")), false);
  const no = { matchExpressions: [one("none", "Exists")] };
  const yes = { matchExpressions: [one("zone", "Exists")] };
  assertEquals([matches(required(no, yes)), matches(required(no, no))], [true, false]);
  assertEquals([matches(required({})), matches(required())], [false, false]);
  const named = (...values: string[]) => ({ matchFields: [one("metadata.name", "In", ...values)] });
  assertEquals(matches(required(named("n1"))), true);
  assertEquals(matches(required(named("n2"))), false);
  assertEquals(matches(required({ ...named("n1"), ...no })), false);
  assertEquals(matches(required({ matchFields: [one("spec.x", "In", "n1")] })), false);
});

Deno.test("tolerates() compares effect, key and value, each only if the toleration has it", () => {
  const taint = { key: "k", value: "v", effect: "NoSchedule" } as const;
  const equal = { key: "k", value: "v", effect: "NoSchedule" };
  assertEquals(tolerates(equal, taint), true);
  assertEquals(tolerates({ ...equal, effect: "NoExecute" }, taint), false);
  assertEquals(tolerates({ ...equal, effect: "" }, taint), true);
  assertEquals(tolerates({ ...equal, key: "other" }, taint), false);
  assertEquals(tolerates({ ...equal, value: "w" }, taint), false);
  assertEquals(tolerates({ key: "k", operator: "Exists" }, taint), true);
  assertEquals(tolerates({ key: "k" }, taint), false);
  assertEquals(tolerates({ key: "k" }, { key: "k", effect: "NoExecute" }), true);
  assertEquals(tolerates({ operator: "Exists" }, taint), true);
  assertEquals(tolerates({ operator: "Equal" }, taint), false);
});

Deno.test("repellingTaint() finds the first taint with an effect that is not tolerated", () => {
  const taints = [
    { key: "soft", effect: "PreferNoSchedule" },
    { key: "a", effect: "NoSchedule" },
    { key: "b", effect: "NoExecute" },
  ];
  const node = { metadata: { name: "n" }, spec: { taints } } as unknown as Cached<Node>;
  const key = (...keys: string[]) => {
    const tolerations = keys.map((one) => ({ key: one, operator: "Exists" }));
    return repellingTaint(node, { spec: { tolerations } } as unknown as Cached<Pod>)?.key;
  };
  assertEquals([key(), key("a"), key("b"), key("a", "b")], ["a", "b", "a", undefined]);
  assertEquals(repellingTaint({ metadata: {} } as Cached<Node>, {} as Cached<Pod>), undefined);
});

Deno.test("isAvailable() counts minReadySeconds from the time at which the Pod became ready", () => {
  const at = "2026-01-01T00:00:00Z";
  const pod = (status: string, more: object = {}) => {
    const conditions = [{ type: "PodScheduled", status: "True" }, {
      type: "Ready",
      status,
      lastTransitionTime: at,
    }];
    return {
      metadata: {},
      status: { phase: "Running", conditions, ...more },
    } as unknown as Cached<Pod>;
  };
  const startMs = Date.parse(at);
  assertEquals([readySinceMs(pod("True")), readySinceMs(pod("False"))], [startMs, undefined]);
  assertEquals([availableAtMs(pod("True"), 3), availableAtMs(pod("True"))], [
    startMs + 3000,
    startMs,
  ]);
  assertEquals(availableAtMs(pod("False"), 3), Infinity);
  assertEquals(isAvailable(pod("True"), 3, startMs + 2999), false);
  assertEquals(isAvailable(pod("True"), 3, startMs + 3000), true);
  const phases = ["Pending", "Running", "Succeeded", "Failed"];
  assertEquals(phases.map((phase) => isActive(pod("True", { phase }))), [true, true, false, false]);
  const metadata = { deletionTimestamp: at };
  assertEquals(isActive({ ...pod("True"), metadata } as unknown as Cached<Pod>), false);
});

Deno.test("covers() compares the wanted fields only, and list items by their type", () => {
  for (
    const [actual, wanted, expected] of [
      [{ a: 1, b: 2 }, { a: 1 }, true],
      [{ a: 1 }, { a: 1, b: 2 }, false],
      [{ a: 1 }, { a: 2 }, false],
      [{ a: { b: 1, c: 2 } }, { a: { c: 2 } }, true],
      [undefined, { a: 1 }, false],
      [null, { a: 1 }, false],
      ["a", { a: 1 }, false],
      [undefined, null, true],
      [{ a: 1 }, { b: undefined }, true],
      [[1, 2], [1, 2], true],
      [[1, 2], [1], false],
      [[1, 3], [1, 2], false],
      [{ 0: 1, length: 1 }, [1], false],
      [[{ type: "A", x: 1 }, { type: "B", x: 2 }], [{ type: "B", x: 2 }], true],
      [[{ type: "A", x: 1 }], [{ type: "A", x: 2 }], false],
      [[{ type: "A", x: 1 }], [{ type: "C" }], false],
      [[{ type: "A" }], [{ type: "A" }, { type: "C" }], false],
    ] as const
  ) assertEquals(covers(actual, wanted), expected, JSON.stringify([actual, wanted]));
});
