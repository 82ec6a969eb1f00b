import { assertEquals } from "@std/assert";
import {
  behaviorOf,
  behaviorText,
  conditionsOf,
  flatMetrics,
  nestedMetrics,
} from "../../../../../src/testing/api_server/kinds/autoscaling/metric_texts.ts";

type Metrics = Parameters<typeof flatMetrics>[0];

const selector = { matchLabels: { a: "b" } };
const described = { kind: "Service", name: "main" };
const metric = { name: "requests", selector };

const TARGETS = [
  {
    type: "Object",
    object: {
      target: { type: "Value", value: "10" },
      describedObject: described,
      metric,
    },
  },
  { type: "Pods", pods: { target: { type: "AverageValue", averageValue: "2" }, metric } },
  {
    type: "Resource",
    resource: { target: { type: "AverageValue", averageValue: "3" }, name: "a" },
  },
  {
    type: "Resource",
    resource: { target: { type: "Utilization", averageUtilization: 4 }, name: "b" },
  },
  {
    type: "ContainerResource",
    containerResource: {
      target: { type: "Utilization", averageUtilization: 5 },
      name: "c",
      container: "main",
    },
  },
  { type: "External", external: { target: { type: "Value", value: "6" }, metric } },
  { type: "External", external: { target: { type: "AverageValue", averageValue: "7" }, metric } },
] as unknown as Metrics;

const CURRENT = [
  {
    type: "Object",
    object: { current: { value: "1", averageValue: "2" }, describedObject: described, metric },
  },
  { type: "Pods", pods: { current: { averageValue: "3" }, metric } },
  {
    type: "Resource",
    resource: { current: { averageUtilization: 4, averageValue: "5" }, name: "a" },
  },
  {
    type: "ContainerResource",
    containerResource: { current: { averageValue: "6" }, name: "b", container: "main" },
  },
  { type: "External", external: { current: { value: "7", averageValue: "8" }, metric } },
] as unknown as Metrics;

Deno.test("nestedMetrics() reads what flatMetrics() has written", () => {
  assertEquals(nestedMetrics(flatMetrics(TARGETS, "target"), "target"), [...TARGETS]);
  assertEquals(nestedMetrics(flatMetrics(CURRENT, "current"), "current"), [...CURRENT]);
});

Deno.test("flatMetrics() has the fields of the Go types, with zero for amounts that must be there", () => {
  const flat = (one: object, part: "target" | "current") =>
    JSON.stringify(flatMetrics([one] as unknown as Metrics, part));
  assertEquals(
    flat(TARGETS[0]!, "target"),
    '[{"type":"Object","object":{"target":{"kind":"Service","name":"main"},"metricName":"requests",' +
      '"targetValue":"10","selector":{"matchLabels":{"a":"b"}}}}]',
  );
  const cases = [
    [{ type: "Object", object: {} }, "target", {
      target: { kind: "", name: "" },
      metricName: "",
      targetValue: "0",
    }],
    [{ type: "Pods", pods: {} }, "target", { metricName: "", targetAverageValue: "0" }],
    [{ type: "Resource", resource: {} }, "target", { name: "" }],
    [{ type: "X", containerResource: {} }, "target", { name: "", container: "" }],
    [{ type: "X", external: {} }, "target", { metricName: "" }],
    [{ type: "X", object: {} }, "current", {
      target: { kind: "", name: "" },
      metricName: "",
      currentValue: "0",
    }],
    [{ type: "X", pods: {} }, "current", { metricName: "", currentAverageValue: "0" }],
    [{ type: "X", resource: {} }, "current", { name: "", currentAverageValue: "0" }],
    [{ type: "X", containerResource: {} }, "current", {
      name: "",
      currentAverageValue: "0",
      container: "",
    }],
    [{ type: "X", external: {} }, "current", { metricName: "", currentValue: "0" }],
  ] as const;
  for (const [one, part, expected] of cases) {
    const source = Object.keys(one)[1]!;
    assertEquals(flat(one, part), JSON.stringify([{ type: one.type, [source]: expected }]));
  }
});

Deno.test("nestedMetrics() finds out the type of a target", () => {
  const cases = [
    ["object", {}, "Value"],
    ["object", { averageValue: "1" }, "AverageValue"],
    ["pods", {}, "AverageValue"],
    ["external", {}, "AverageValue"],
    ["external", { targetValue: "1" }, "Value"],
    ["resource", {}, "AverageValue"],
    ["resource", { targetAverageUtilization: 1 }, "Utilization"],
    ["containerResource", { targetAverageUtilization: 1 }, "Utilization"],
  ] as const;
  for (const [source, own, type] of cases) {
    const [found] = nestedMetrics([{ type: "X", [source]: { ...own } }], "target") ?? [];
    const { target } = found?.[source] as { target: { type: string } };
    assertEquals([source, own, target.type], [source, own, type]);
  }
});

Deno.test("nestedMetrics() reads as Go does, or nothing", () => {
  const resource = (own: object) => [{ type: "Resource", resource: own }] as never;
  const cases: [unknown, unknown][] = [
    [null, []],
    [[], []],
    [[null], [{ type: "" }]],
    [[{ TYPE: "A", type: "B" }], [{ type: "B" }]],
    [[{ type: "A", Type: "B" }], [{ type: "B" }]],
    [[{ type: "A", resource: null, unknown: 5 }], [{ type: "A" }]],
    [resource({ NAME: "cpu", targetaverageutilization: 5 }), [{
      type: "Resource",
      resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 5 } },
    }]],
    [resource({ targetAverageValue: 5 }), [{
      type: "Resource",
      resource: { name: "", target: { type: "AverageValue", averageValue: "5" } },
    }]],
    [{}, undefined],
    ["x", undefined],
    [[5], undefined],
    [[{ type: 5 }], undefined],
    [[{ resource: [] }], undefined],
    [resource({ name: 5 }), undefined],
    [resource({ targetAverageUtilization: "5" }), undefined],
    [resource({ targetAverageUtilization: 1.5 }), undefined],
    [resource({ targetAverageValue: "x" }), undefined],
    [[{ pods: { selector: "x" } }], undefined],
    [[{ object: { target: "x" } }], undefined],
  ];
  for (const [value, expected] of cases) {
    assertEquals([value, nestedMetrics(value as never, "target")], [value, expected]);
  }
});

Deno.test("behaviorOf() reads what behaviorText() has written, whatever the case", () => {
  const behavior = {
    scaleUp: {
      stabilizationWindowSeconds: 5,
      selectPolicy: "Min",
      policies: [{ type: "Pods", value: 1, periodSeconds: 2 }],
      tolerance: "50m",
    },
    scaleDown: { policies: [] },
  };
  assertEquals(behaviorOf(behaviorText(behavior)), behavior);
  assertEquals(behaviorOf(behavior), behavior);
  assertEquals(
    JSON.stringify(behaviorText({ scaleUp: { policies: [{}] }, scaleDown: {} } as never)),
    '{"ScaleUp":{"StabilizationWindowSeconds":null,"SelectPolicy":null,' +
      '"Policies":[{"Type":"","Value":0,"PeriodSeconds":0}],"Tolerance":null},' +
      '"ScaleDown":{"StabilizationWindowSeconds":null,"SelectPolicy":null,"Policies":null,"Tolerance":null}}',
  );
  assertEquals(behaviorText({}), { ScaleUp: null, ScaleDown: null });
  const cases: [unknown, unknown][] = [
    [null, undefined],
    [{}, undefined],
    [{ ScaleUp: null, ScaleDown: null }, undefined],
    [{ ScaleUp: {} }, { scaleUp: {} }],
    [{ SCALEDOWN: { SelectPolicy: null, Policies: [null] } }, {
      scaleDown: { policies: [{ type: "", value: 0, periodSeconds: 0 }] },
    }],
    [[], undefined],
    [{ ScaleUp: [] }, undefined],
    [{ ScaleUp: { SelectPolicy: 5 } }, undefined],
    [{ ScaleUp: { Policies: {} } }, undefined],
    [{ ScaleUp: { Policies: [{ Value: "1" }] } }, undefined],
    [{ ScaleUp: { Tolerance: "x" } }, undefined],
  ];
  for (const [value, expected] of cases) {
    assertEquals([value, behaviorOf(value as never)], [value, expected]);
  }
});

Deno.test("conditionsOf() reads conditions, or nothing", () => {
  const whole = { type: "A", status: "True", lastTransitionTime: "T", reason: "R", message: "M" };
  const cases: [unknown, unknown][] = [
    [[whole], [whole]],
    [null, []],
    [[{}], [{ type: "", status: "", lastTransitionTime: null }]],
    [{}, undefined],
    [[{ type: 1 }], undefined],
    [[{ reason: 1 }], undefined],
  ];
  for (const [value, expected] of cases) {
    assertEquals([value, conditionsOf(value as never)], [value, expected]);
  }
});
