import { assertEquals } from "@std/assert";
import { Deployments } from "../../../mod.ts";
import type { MetricSource } from "../../../src/testing/mod.ts";
import {
  type HorizontalPodAutoscaler,
  HorizontalPodAutoscalers,
} from "../../../src/testing/actors/autoscaling/autoscaler_kinds.ts";
import { Cluster, named, template } from "./workloads/cluster.ts";

type Spec = NonNullable<HorizontalPodAutoscaler["spec"]>;

const CPU = {
  type: "Resource",
  resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 50 } },
};

async function scaled(
  metrics: MetricSource | undefined,
  spec: Partial<Spec> = {},
  replicas = 2,
): Promise<Cluster> {
  const cluster = await Cluster.start({ metrics });
  const pods = template("web");
  Object.assign(pods.spec.containers[0]!, { resources: { requests: { cpu: "100m" } } });
  await cluster.create(Deployments, {
    metadata: named("web"),
    spec: { replicas, selector: { matchLabels: { app: "web" } }, template: pods },
  });
  await cluster.clock.advance(5000);
  await cluster.create(HorizontalPodAutoscalers, {
    metadata: named("web"),
    spec: {
      scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" },
      minReplicas: 1,
      maxReplicas: 10,
      metrics: [CPU],
      ...spec,
    },
  });
  return cluster;
}

function replicas(cluster: Cluster): number | undefined {
  return cluster.get(Deployments, "web").spec?.replicas;
}

function conditions(cluster: Cluster): string[] {
  return (cluster.get(HorizontalPodAutoscalers, "web").status?.conditions ?? [])
    .map(({ type, status, reason }) => `${type} ${status} ${reason}`).sort();
}

Deno.test("HorizontalPodAutoscalerController scales up at once and down after its window", async () => {
  let cpu = "75m";
  await using cluster = await scaled(() => cpu);
  await cluster.clock.advance(10_000);
  assertEquals(replicas(cluster), 3);
  const { currentMetrics, currentReplicas, desiredReplicas } =
    cluster.get(HorizontalPodAutoscalers, "web").status ?? {};
  assertEquals([currentReplicas, desiredReplicas, currentMetrics], [2, 3, [{
    type: "Resource",
    resource: { name: "cpu", current: { averageUtilization: 75, averageValue: "75m" } },
  }]]);
  assertEquals(cluster.events("web").filter((one) => one.includes("Rescale")), [
    "SuccessfulRescale: New size: 3; reason: cpu resource utilization (percentage of request) above target",
  ]);
  // Within the tolerance of a tenth, nothing happens and nothing is written.
  cpu = "54m";
  await cluster.clock.advance(60_000);
  const { resourceVersion } = cluster.get(HorizontalPodAutoscalers, "web").metadata;
  await cluster.clock.advance(60_000);
  assertEquals(
    [replicas(cluster), cluster.get(HorizontalPodAutoscalers, "web").metadata.resourceVersion],
    [3, resourceVersion],
  );
  cpu = "10m";
  await cluster.clock.advance(200_000);
  assertEquals([replicas(cluster), conditions(cluster)], [3, [
    "AbleToScale True ScaleDownStabilized",
    "ScalingActive True ValidMetricFound",
    "ScalingLimited False DesiredWithinRange",
  ]]);
  await cluster.clock.advance(120_000);
  assertEquals(replicas(cluster), 1);
  assertEquals(cluster.warnings, []);
});

Deno.test("HorizontalPodAutoscalerController honours the limits and the policies of its behaviour", async () => {
  await using cluster = await scaled(() => "10", {
    maxReplicas: 9,
    behavior: {
      scaleUp: { policies: [{ type: "Pods", value: 2, periodSeconds: 60 }] },
    },
  });
  await cluster.clock.advance(10_000);
  assertEquals([replicas(cluster), conditions(cluster)[2]], [
    4,
    "ScalingLimited True ScaleUpLimit",
  ]);
  await cluster.clock.advance(40_000);
  assertEquals(replicas(cluster), 4);
  await cluster.clock.advance(200_000);
  assertEquals([replicas(cluster), conditions(cluster)[2]], [
    9,
    "ScalingLimited True TooManyReplicas",
  ]);
  await cluster.patch(HorizontalPodAutoscalers, "web", { spec: { maxReplicas: 5 } }, 20_000);
  assertEquals(replicas(cluster), 5);
});

Deno.test("HorizontalPodAutoscalerController takes the largest proposal of Pods, object and external metrics", async () => {
  const values: Record<string, string> = { rps: "20", queue: "40", hits: "300" };
  await using cluster = await scaled(({ name }) => values[name], {
    metrics: [
      {
        type: "Pods",
        pods: { metric: { name: "rps" }, target: { type: "AverageValue", averageValue: "10" } },
      },
      {
        type: "External",
        external: {
          metric: { name: "queue" },
          target: { type: "AverageValue", averageValue: "10" },
        },
      },
      {
        type: "Object",
        object: {
          describedObject: { kind: "Service", name: "web" },
          metric: { name: "hits" },
          target: { type: "Value", value: "100" },
        },
      },
    ],
  });
  await cluster.clock.advance(10_000);
  assertEquals(replicas(cluster), 4);
  assertEquals(cluster.events("web").filter((one) => one.includes("Rescale")), [
    "SuccessfulRescale: New size: 4; reason: Service metric hits above target",
  ]);
});

Deno.test("HorizontalPodAutoscalerController reports missing metrics and targets, once", async () => {
  await using cluster = await scaled(undefined);
  await cluster.clock.advance(100_000);
  assertEquals(conditions(cluster), [
    "AbleToScale True SucceededGetScale",
    "ScalingActive False FailedGetResourceMetric",
  ]);
  const events = cluster.events("web").filter((one) => one.startsWith("Failed"));
  assertEquals(events.map((one) => one.split(":")[0]), [
    "FailedGetResourceMetric",
    "FailedComputeMetricsReplicas",
  ]);
  const gone = { spec: { scaleTargetRef: { name: "none" } } };
  await cluster.patch(HorizontalPodAutoscalers, "web", gone, 20_000);
  assertEquals(conditions(cluster)[0], "AbleToScale False FailedGetScale");
});
