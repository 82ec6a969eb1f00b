import { assertEquals } from "@std/assert";
import { Deployments, type Event, Events, Pods, type Resource } from "../../../../mod.ts";
import {
  HorizontalPodAutoscalerController,
  type MetricSource,
} from "../../../../src/testing/mod.ts";
import {
  type HorizontalPodAutoscaler,
  HorizontalPodAutoscalers,
} from "../../../../src/testing/actors/autoscaling/autoscaler_kinds.ts";
import { Alone } from "../workloads/alone.ts";
import { named, template } from "../workloads/cluster.ts";

const SCALERS = HorizontalPodAutoscalers as Resource;
const DEPLOYMENTS = Deployments as Resource;
const QUEUE = {
  type: "External",
  external: { metric: { name: "queue" }, target: { type: "AverageValue", averageValue: "10" } },
};
const RPS = {
  type: "Pods",
  pods: { metric: { name: "rps" }, target: { type: "AverageValue", averageValue: "10" } },
};

type Spec = NonNullable<HorizontalPodAutoscaler["spec"]>;

/** An autoscaler of the Deployment `web`, without the controllers of workloads. */
class Scaled extends Alone {
  static async start(
    metrics: MetricSource,
    replicas: number,
    spec: Partial<Spec> = {},
  ): Promise<Scaled> {
    const world = new Scaled();
    await world.start(new HorizontalPodAutoscalerController({ ...world.options, metrics }));
    await world.create(DEPLOYMENTS, {
      metadata: named("web"),
      spec: { replicas, selector: { matchLabels: { app: "web" } }, template: template("web") },
    } as never);
    const scaleTargetRef = { apiVersion: "apps/v1", kind: "Deployment", name: "web" };
    await world.create(HorizontalPodAutoscalers, {
      metadata: named("web"),
      spec: { scaleTargetRef, minReplicas: 2, maxReplicas: 5, metrics: [QUEUE], ...spec },
    });
    await world.clock.advance(100);
    return world;
  }

  get replicas(): number | undefined {
    return (this.get(DEPLOYMENTS, "web") as { spec?: { replicas?: number } }).spec?.replicas;
  }

  /** The types of the Events, with their reasons. */
  get told(): string[] {
    return this.server.objects(Events, "default").map(({ reason, type }) => `${type} ${reason}`);
  }

  /** The message of a condition. */
  message(type: string): string | undefined {
    return this.get(HorizontalPodAutoscalers, "web").status?.conditions
      ?.find((condition) => condition.type === type)?.message;
  }

  /** The conditions, each as `type status reason`. */
  get conditions(): string[] {
    return (this.get(HorizontalPodAutoscalers, "web").status?.conditions ?? [])
      .map(({ reason, status, type }) => `${type} ${status} ${reason}`).sort();
  }
}

Deno.test("An autoscaler brings the replicas within its limits, whatever the metrics say", async () => {
  for (
    const [replicas, expected, reason] of [
      [9, 5, "Current number of replicas above Spec.MaxReplicas"],
      [1, 2, "Current number of replicas below Spec.MinReplicas"],
    ] as const
  ) {
    await using world = await Scaled.start(() => undefined, replicas);
    assertEquals(world.replicas, expected);
    assertEquals(world.events("web"), [
      `SuccessfulRescale: New size: ${expected}; reason: ${reason}`,
    ]);
    assertEquals([world.told, world.conditions], [
      ["Normal SuccessfulRescale"],
      ["AbleToScale True SucceededRescale"],
    ]);
    assertEquals(
      world.message("AbleToScale"),
      `the HPA controller was able to update the target scale to ${expected}`,
    );
  }
});

Deno.test("An autoscaler scales a workload of one replica, and one with as many as its metrics want", async () => {
  await using world = await Scaled.start(() => "20", 1, { minReplicas: 1 });
  assertEquals([world.replicas, world.message("ScalingActive")], [
    2,
    "the HPA was able to successfully calculate a replica count from external metric queue(nil)",
  ]);
});

Deno.test("An autoscaler names the first of the metrics that want the most replicas", async () => {
  const external = { metric: { name: "b" }, target: { type: "AverageValue", averageValue: "10" } };
  const metrics = [QUEUE, { type: "External", external }];
  await using world = await Scaled.start(() => "30", 2, { metrics });
  assertEquals([world.replicas, world.events("web")], [
    3,
    ["SuccessfulRescale: New size: 3; reason: external metric queue(nil) above target"],
  ]);
});

Deno.test("An autoscaler tells once that a metric fails, and when it began", async () => {
  await using world = await Scaled.start(() => undefined, 2);
  const summary = world.events("web");
  const [failure = ""] = summary;
  const why = failure.slice(failure.indexOf(": ") + 2);
  assertEquals(summary, [
    `FailedGetExternalMetric: ${why}`,
    `FailedComputeMetricsReplicas: invalid metrics (1 invalid out of 1), first error is: ${why}`,
  ]);
  assertEquals(world.told.sort(), [
    "Warning FailedComputeMetricsReplicas",
    "Warning FailedGetExternalMetric",
  ]);
  assertEquals(
    world.message("ScalingActive"),
    `the HPA was unable to compute the replica count: ${why}`,
  );
  await world.clock.advance(60_000);
  const events = world.server.objects(Events, "default") as Event[];
  assertEquals(events.map(({ count }) => count), [1, 1]);
  const { conditions = [] } = world.get(HorizontalPodAutoscalers, "web").status ?? {};
  assertEquals(conditions.map(({ lastTransitionTime, type }) => [type, lastTransitionTime]), [
    ["AbleToScale", "2026-01-01T00:00:00Z"],
    ["ScalingActive", "2026-01-01T00:00:00Z"],
  ]);
});

Deno.test("An autoscaler continues in time after a write has failed", async () => {
  const times: number[] = [];
  const clocks: { now(): number }[] = [];
  await using world = await Scaled.start(() => {
    times.push(clocks[0]?.now() ?? 0);
    return times.length % 2 === 0 ? "19" : "20";
  }, 2);
  clocks.push(world.clock);
  const fault = world.server.faults.fail(500, {
    times: 1,
    when: ({ subresource, verb }) => verb === "update" && subresource === "status",
  });
  await world.clock.advance(45_000);
  assertEquals([fault.hits, world.warnings.length], [1, 1]);
  assertEquals(times, [0, 15_000, 30_000, 45_000]);
});

Deno.test("An autoscaler leaves a workload without replicas alone, unless zero is its minimum", async () => {
  for (const minReplicas of [1, 2]) {
    await using world = await Scaled.start(() => "90", 0, { minReplicas });
    assertEquals([world.replicas, world.conditions], [0, [
      "AbleToScale True SucceededGetScale",
      "ScalingActive False ScalingDisabled",
    ]]);
    assertEquals(
      [world.message("AbleToScale"), world.message("ScalingActive")],
      [
        "the HPA controller was able to get the target's current scale",
        "scaling is disabled since the replica count of the target is zero",
      ],
    );
  }
});

Deno.test("An autoscaler calculates every 15 seconds, whatever is written meanwhile", async () => {
  let calls = 0;
  await using world = await Scaled.start(() => {
    calls++;
    return "20";
  }, 2);
  assertEquals([calls, world.replicas], [1, 2]);
  await world.patch(SCALERS, "web", { metadata: { labels: { a: "b" } } });
  await world.clock.advance(14_000);
  assertEquals(calls, 1);
  await world.clock.advance(1000);
  assertEquals(calls, 2);
  await world.clock.advance(45_000);
  assertEquals(calls, 5);
  // A deleted one is forgotten.
  await world.delete(SCALERS, "web");
  await world.clock.advance(60_000);
  assertEquals([calls, world.warnings], [5, []]);
});

Deno.test("An autoscaler that has just started scales nothing down at once", async () => {
  await using world = await Scaled.start(() => "20", 5);
  await world.clock.advance(280_000);
  assertEquals(world.replicas, 5);
  await world.clock.advance(40_000);
  assertEquals(world.replicas, 2);
  assertEquals(world.events("web"), [
    "SuccessfulRescale: New size: 2; reason: All metrics below target",
  ]);
});

Deno.test("An autoscaler scales up by the metrics that it has, and down only by all of them", async () => {
  const values: Record<string, string> = { queue: "40" };
  const pod = async (world: Scaled) => {
    await world.create(Pods, {
      metadata: { ...named("p"), labels: { app: "web" } },
      spec: { containers: [{ name: "c", image: "i" }] },
    });
    await world.runPods();
  };
  await using world = await Scaled.start(({ name }) => values[name], 3, { metrics: [RPS, QUEUE] });
  await pod(world);
  assertEquals([world.replicas, world.conditions.includes("ScalingActive True ValidMetricFound")], [
    4,
    true,
  ]);
  // As many as there are need not be all metrics' wish.
  await world.clock.advance(30_000);
  assertEquals(world.conditions.at(1), "ScalingActive True ValidMetricFound");
  values["queue"] = "10";
  await world.clock.advance(400_000);
  assertEquals([world.replicas, world.conditions.at(1)], [
    4,
    "ScalingActive False FailedGetPodsMetric",
  ]);
  const failures = world.events("web").filter((text) => text.startsWith("Failed"));
  assertEquals(failures.map((text) => text.split(":")[0]), [
    "FailedGetPodsMetric",
    "FailedComputeMetricsReplicas",
  ]);
});

Deno.test("An autoscaler says why its target cannot be scaled", async () => {
  await using world = await Scaled.start(() => "1", 2, {
    scaleTargetRef: { apiVersion: "apps/v1", kind: "Nothing", name: "web" },
  });
  const [condition] = world.get(HorizontalPodAutoscalers, "web").status?.conditions ?? [];
  assertEquals(world.conditions, ["AbleToScale False FailedGetScale"]);
  assertEquals([condition?.reason, condition?.message], [
    "FailedGetScale",
    "the HPA controller was unable to get the target's current scale: " +
    'no matches for kind "Nothing" in group "apps"',
  ]);
  assertEquals(world.events("web"), [
    'FailedGetScale: no matches for kind "Nothing" in group "apps"',
  ]);
  await world.clock.advance(60_000);
  assertEquals([world.events("web").length, world.told], [1, ["Warning FailedGetScale"]]);
});

Deno.test("An autoscaler does not scale what has changed since it looked", async () => {
  await using world = await Scaled.start(() => "20", 2);
  const delay = world.server.faults.delay(1000, {
    times: 1,
    when: ({ subresource, verb }) => verb === "patch" && subresource === "scale",
  });
  await world.patch(SCALERS, "web", { spec: { minReplicas: 3 } }, 15_000);
  assertEquals(delay.hits, 1);
  await world.patch(DEPLOYMENTS, "web", { spec: { replicas: 4 } });
  await world.clock.advance(2000);
  assertEquals(world.replicas, 4);
});

Deno.test("An autoscaler that is being deleted scales nothing", async () => {
  let queue = "20";
  await using world = await Scaled.start(() => queue, 2);
  await world.patch(SCALERS, "web", { metadata: { finalizers: ["a.io/b"] } });
  await world.delete(SCALERS, "web");
  queue = "50";
  await world.clock.advance(60_000);
  assertEquals(world.replicas, 2);
});
