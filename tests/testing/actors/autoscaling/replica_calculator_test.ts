import { assertEquals, assertThrows } from "@std/assert";
import type { Cached, Pod } from "../../../../mod.ts";
import type { MetricSpec } from "../../../../src/testing/actors/autoscaling/autoscaler_kinds.ts";
import {
  NoMetric,
  propose,
  type Workload,
} from "../../../../src/testing/actors/autoscaling/replica_calculator.ts";

function pod(name: string, { cpu = "100m", phase = "Running", ready = "True", rest = {} }: {
  readonly cpu?: string | undefined;
  readonly phase?: string;
  readonly ready?: string;
  readonly rest?: object;
} = {}): Cached<Pod> {
  const container = (own: string, amount: string | undefined) => ({
    name: own,
    resources: { requests: amount === undefined ? {} : { cpu: amount } },
  });
  return {
    metadata: { name, ...rest },
    spec: { containers: [container("a", cpu === "" ? undefined : cpu), container("b", "100m")] },
    status: { phase, conditions: [{ type: "Ready", status: ready }] },
  } as unknown as Cached<Pod>;
}

const PODS = [pod("p"), pod("q")];

function workload(value: string | undefined, rest: Partial<Workload> = {}): Workload {
  return { namespace: "default", replicas: 2, pods: PODS, source: () => value, ...rest };
}

function cpu(target: object, container?: string): MetricSpec {
  const metric = { name: "cpu", target };
  return (container === undefined
    ? { type: "Resource", resource: metric }
    : { type: "ContainerResource", containerResource: { ...metric, container } }) as MetricSpec;
}

function external(target: object): MetricSpec {
  return { type: "External", external: { metric: { name: "queue" }, target } } as MetricSpec;
}

function hits(target: object): MetricSpec {
  const describedObject = { kind: "Service", name: "web" };
  const object = { describedObject, metric: { name: "hits" }, target };
  return { type: "Object", object } as MetricSpec;
}

Deno.test("propose() compares resources with their requests, or with an amount", () => {
  const half = { type: "Utilization", averageUtilization: 50 };
  assertEquals(propose(cpu(half), workload("150m")), {
    replicas: 3,
    name: "cpu resource utilization (percentage of request)",
    status: {
      type: "Resource",
      resource: { name: "cpu", current: { averageValue: "150m", averageUtilization: 75 } },
    },
  });
  const average = { type: "AverageValue", averageValue: "100m" };
  assertEquals(propose(cpu(average), workload("150m")), {
    replicas: 3,
    name: "cpu resource",
    status: { type: "Resource", resource: { name: "cpu", current: { averageValue: "150m" } } },
  });
  assertEquals(propose(cpu(half, "b"), workload("150m")), {
    replicas: 6,
    name: "cpu container resource utilization (percentage of request)",
    status: {
      type: "ContainerResource",
      containerResource: {
        name: "cpu",
        container: "b",
        current: { averageValue: "150m", averageUtilization: 150 },
      },
    },
  });
});

Deno.test("propose() changes nothing within a tenth, and counts only Pods that are ready", () => {
  const average = { type: "AverageValue", averageValue: "100m" };
  const replicas = (value: string, rest: Partial<Workload> = {}) =>
    propose(cpu(average), workload(value, { replicas: 7, ...rest })).replicas;
  assertEquals(["90m", "110m", "111m", "89m"].map((value) => replicas(value)), [7, 7, 3, 2]);
  const deleted = { deletionTimestamp: "2026-01-01T00:00:00Z" };
  const pods = [
    ...PODS,
    pod("r", { ready: "False" }),
    pod("s", { phase: "Succeeded" }),
    pod("t", { rest: deleted }),
  ];
  assertEquals(replicas("300m", { pods }), 6);
  const asked: string[] = [];
  const source: Workload["source"] = ({ name, namespace, pod, type }) => {
    asked.push(`${type} ${name} ${namespace}/${pod?.metadata.name}`);
    return pod?.metadata.name === "p" ? "300m" : undefined;
  };
  assertEquals(replicas("", { pods, source }), 3);
  assertEquals(asked, ["Resource cpu default/p", "Resource cpu default/q"]);
});

Deno.test("propose() divides one value by the target, per Pod or in all", () => {
  const perPod = { type: "AverageValue", averageValue: "10" };
  const inAll = { type: "Value", value: "10" };
  const replicas = (metric: MetricSpec, value: string) =>
    propose(metric, workload(value, { replicas: 4 })).replicas;
  assertEquals(["35", "36", "44", "45", "55"].map((value) => replicas(external(perPod), value)), [
    4,
    4,
    4,
    5,
    6,
  ]);
  assertEquals(["9", "11", "25"].map((value) => replicas(external(inAll), value)), [4, 4, 5]);
  assertEquals(replicas(hits(inAll), "25"), 5);
  assertEquals(propose(external(perPod), workload("30")), {
    replicas: 3,
    name: "external metric queue(nil)",
    status: {
      type: "External",
      external: { metric: { name: "queue" }, current: { averageValue: "15" } },
    },
  });
  assertEquals(propose(hits(inAll), workload("30")), {
    replicas: 6,
    name: "Service metric hits",
    status: {
      type: "Object",
      object: {
        describedObject: { kind: "Service", name: "web" },
        metric: { name: "hits" },
        current: { value: "30" },
      },
    },
  });
  const none = propose(external(perPod), workload("30", { replicas: 0 }));
  assertEquals((none.status as { external: { current: unknown } }).external.current, {
    averageValue: "30",
  });
});

Deno.test("propose() says why a metric has no value", () => {
  const half = { type: "Utilization", averageUtilization: 50 };
  const average = { type: "AverageValue", averageValue: "1" };
  const pods = { type: "Pods", pods: { metric: { name: "rps" }, target: average } } as MetricSpec;
  const noSource =
    "unable to get metrics for resource cpu: unable to fetch metrics from resource metrics API: " +
    "the server could not find the requested resource (get pods.metrics.k8s.io)";
  const unready = "did not receive metrics for targeted pods (pods might be unready)";
  for (
    const [metric, of, reason, message] of [
      [
        cpu(half),
        { source: undefined },
        "FailedGetResourceMetric",
        `failed to get cpu utilization: ${noSource}`,
      ],
      [
        cpu(average),
        { pods: [] },
        "FailedGetResourceMetric",
        "failed to get cpu usage: no pods returned by selector while calculating replica count",
      ],
      [
        cpu(average, "b"),
        { source: () => undefined },
        "FailedGetContainerResourceMetric",
        `failed to get cpu usage: ${unready}`,
      ],
      [
        pods,
        { pods: [pod("p", { ready: "False" })] },
        "FailedGetPodsMetric",
        `failed to get pods metric value: ${unready}`,
      ],
      [
        cpu(half),
        { pods: [pod("p"), pod("q", { phase: "Failed", cpu: "" }), pod("r", { cpu: "" })] },
        "FailedGetResourceMetric",
        "failed to get cpu utilization: missing request for cpu in container a of Pod r",
      ],
      [
        external(average),
        { source: undefined },
        "FailedGetExternalMetric",
        "failed to get queue external metric value: unable to get metric queue: no metrics returned",
      ],
      [
        hits(average),
        { source: () => undefined },
        "FailedGetObjectMetric",
        "failed to get object metric value: unable to get metric hits: no metrics returned",
      ],
    ] as const
  ) {
    const error = assertThrows(() => propose(metric, workload("1", of)), NoMetric);
    assertEquals([error.reason, error.message], [reason, message] as string[]);
  }
});
