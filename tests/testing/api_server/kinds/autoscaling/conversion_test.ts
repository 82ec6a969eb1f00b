import { assertEquals } from "@std/assert";
import {
  dropTexts,
  toV1,
  toV2,
  withTextsOf,
} from "../../../../../src/testing/api_server/kinds/autoscaling/conversion.ts";

const PREFIX = "autoscaling.alpha.kubernetes.io";

const cpu = (averageUtilization: number) => ({
  type: "Resource",
  resource: { name: "cpu", target: { type: "Utilization", averageUtilization } },
});
const memory = {
  type: "Resource",
  resource: { name: "memory", target: { type: "AverageValue", averageValue: "1Gi" } },
};

// deno-lint-ignore no-explicit-any -- objects of two versions
type Loose = any;

const autoscaler = (
  version: string,
  spec: object,
  annotations = {},
  status: object = {},
): Loose => ({
  apiVersion: `autoscaling/${version}`,
  kind: "HorizontalPodAutoscaler",
  metadata: { name: "a", annotations },
  spec: { maxReplicas: 1, ...spec },
  status,
});

Deno.test("toV1() replaces the annotations that it makes, and takes the first target and the last share of CPU", () => {
  const stale = {
    [`${PREFIX}/metrics`]: "[]",
    [`${PREFIX}/behavior`]: "{}",
    [`${PREFIX}/scale-up-tolerance`]: "1",
    own: "kept",
  };
  const current = (averageUtilization?: number) => ({
    type: "Resource",
    resource: { name: "cpu", current: { ...(averageUtilization && { averageUtilization }) } },
  });
  const status = { currentMetrics: [current(3), current(4), current()] };
  const metrics = [memory, cpu(1), cpu(2)];
  const { metadata, spec, status: shown } = toV1(autoscaler("v2", { metrics }, stale, status));
  assertEquals(
    metadata.annotations[`${PREFIX}/metrics`],
    JSON.stringify([
      { type: "Resource", resource: { name: "memory", targetAverageValue: "1Gi" } },
    ]),
  );
  assertEquals(Object.keys(metadata.annotations), [
    `${PREFIX}/current-metrics`,
    `${PREFIX}/metrics`,
    "own",
  ]);
  assertEquals([spec.targetCPUUtilizationPercentage, shown.currentCPUUtilizationPercentage], [
    1,
    4,
  ]);
  assertEquals(toV1(autoscaler("v2", { metrics: [cpu(1)] }, stale)).metadata.annotations, {
    own: "kept",
  });
});

Deno.test("toV2() puts the share of CPU last, and has a metric in any case", () => {
  const texts = {
    [`${PREFIX}/metrics`]: JSON.stringify([
      { type: "Resource", resource: { name: "memory", targetAverageValue: "1Gi" } },
    ]),
    own: "kept",
  };
  const read = (spec: object, annotations: object) => {
    const { metadata, spec: found } = toV2(autoscaler("v1", spec, annotations));
    return [found.metrics, metadata.annotations];
  };
  const target = { targetCPUUtilizationPercentage: 5 };
  assertEquals(read(target, texts), [[memory, cpu(5)], { own: "kept" }]);
  assertEquals(read({}, texts), [[memory], { own: "kept" }]);
  assertEquals(read({}, { [`${PREFIX}/metrics`]: "[" }), [[cpu(80)], undefined]);
});

Deno.test("toV2() prefers the annotation of current metrics, unless conversion made it of the share of CPU", () => {
  const read = (text: string | undefined) => {
    const annotations = text === undefined ? {} : { [`${PREFIX}/current-metrics`]: text };
    const status = { currentCPUUtilizationPercentage: 5 };
    return toV2(autoscaler("v1", {}, annotations, status)).status.currentMetrics
      .map(({ resource }: Loose) => resource.current);
  };
  const made = '[{"type":"Resource","resource":{"name":"cpu","currentAverageUtilization":5,' +
    '"currentAverageValue":"0"}}]';
  assertEquals(read(undefined), [{ averageUtilization: 5 }]);
  assertEquals(read(made), [{ averageUtilization: 5 }]);
  assertEquals(read(made.replace("5", "6")), [{ averageValue: "0", averageUtilization: 6 }]);
  assertEquals(read("?"), [{ averageUtilization: 5 }]);
});

Deno.test("conversion to the same version changes nothing", () => {
  const [v1, v2] = [autoscaler("v1", {}), autoscaler("v2", {})];
  assertEquals([toV1(v1) === v1, toV2(v2) === v2], [true, true]);
});

Deno.test("dropTexts() and withTextsOf() change only the annotations of conversion", () => {
  const texts = { [`${PREFIX}/metrics`]: "[]", own: "kept" };
  const one = autoscaler("v2", {}, { ...texts });
  dropTexts(one);
  assertEquals(one.metadata.annotations, { own: "kept" });
  const taken = (other?: Loose) =>
    (withTextsOf(autoscaler("v1", {}, texts), [`${PREFIX}/metrics`], other) as Loose)
      .metadata.annotations;
  assertEquals(taken(), { own: "kept" });
  const other = { [`${PREFIX}/metrics`]: "x", own: "other" };
  assertEquals(taken(autoscaler("v1", {}, other)), { [`${PREFIX}/metrics`]: "x", own: "kept" });
});
