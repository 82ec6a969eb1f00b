import { assertEquals } from "@std/assert";
import { POD_QUOTA } from "../../../../../../src/testing/api_server/kinds/core/pod/pod_quota.ts";

const container = (name: string, requests: object = {}, limits: object = {}) => ({
  name,
  resources: { requests: { ...requests }, limits: { ...limits } },
});

const usage = (pod: object, nowMs = 0) => POD_QUOTA.usage(pod as never, nowMs);

Deno.test("POD_QUOTA counts a Pod with its overhead, its limits, huge pages and devices", () => {
  const pod = {
    spec: {
      containers: [
        container("a", { cpu: "100m", "example.com/gpu": "1" }, { memory: "1Gi", cpu: "2" }),
        container("b", { cpu: "1", "hugepages-2Mi": "4Mi", "ephemeral-storage": "1Gi" }, {
          "ephemeral-storage": "2Gi",
          "hugepages-2Mi": "4Mi",
          "example.com/gpu": "1",
        }),
        container("c", {
          "deviceclass.resource.kubernetes.io/gpu": "1",
          "kubernetes.io/other": "1",
          storage: "1Gi",
          memory: "1Mi",
        }),
      ],
      overhead: { cpu: "50m" },
    },
  };
  assertEquals(usage(pod), {
    "count/pods": "1",
    pods: "1",
    cpu: "1150m",
    "requests.cpu": "1150m",
    memory: "1Mi",
    "requests.memory": "1Mi",
    "ephemeral-storage": "1Gi",
    "requests.ephemeral-storage": "1Gi",
    "hugepages-2Mi": "4Mi",
    "requests.hugepages-2Mi": "4Mi",
    "requests.example.com/gpu": "1",
    "requests.deviceclass.resource.kubernetes.io/gpu": "1",
    "limits.cpu": "2050m",
    "limits.memory": "1Gi",
    "limits.ephemeral-storage": "2Gi",
  });
});

Deno.test("POD_QUOTA counts only the object of a Pod that has ended or should be gone", () => {
  const deletionTimestamp = "1970-01-01T00:01:00Z";
  const deleted = (deletionGracePeriodSeconds?: number) => ({
    metadata: {
      deletionTimestamp,
      ...(deletionGracePeriodSeconds === undefined ? {} : { deletionGracePeriodSeconds }),
    },
  });
  const cases = [
    [{ status: { phase: "Pending" } }, 0, true],
    [{ status: { phase: "Running" } }, 0, true],
    [{ status: { phase: "Unknown" } }, 0, true],
    [{ status: { phase: "Succeeded" } }, 0, false],
    [{ status: { phase: "Failed" } }, 0, false],
    [deleted(30), 90_000, true],
    [deleted(30), 90_001, false],
    [deleted(0), 60_000, true],
    [deleted(0), 60_001, false],
    // Its grace period is unknown.
    [deleted(), 1e9, true],
    [{ metadata: { deletionGracePeriodSeconds: 0 } }, 1e9, true],
  ] as const;
  for (const [pod, nowMs, counts] of cases) {
    const expected = counts ? { "count/pods": "1", pods: "1" } : { "count/pods": "1" };
    assertEquals([pod, nowMs, usage(pod, nowMs)], [pod, nowMs, expected]);
  }
});

Deno.test("POD_QUOTA counts the larger of what containers ask for and hold while they are resized", () => {
  const resized = (conditions: object[], cpu: string, held: object) => ({
    spec: {
      containers: [container("a", { cpu, memory: "1Gi" }, { cpu })],
      initContainers: [
        { ...container("side", { cpu: "1" }), restartPolicy: "Always" },
        container("init", { cpu: "1" }),
      ],
    },
    status: {
      conditions,
      containerStatuses: [{ name: "a", ...held }, { name: "other" }],
      initContainerStatuses: [
        { name: "side", resources: { requests: { cpu: "2" } } },
        { name: "init", resources: { requests: { cpu: "20" } } },
      ],
    },
  });
  const of = (cpu: string, held: object, ...conditions: object[]) => {
    const { "requests.cpu": requests, "limits.cpu": limits, "requests.memory": memory } = usage(
      resized(conditions, cpu, held),
    );
    return `${requests} ${limits} ${memory}`;
  };
  const holds = (cpu: string, allocated?: string) => ({
    resources: { requests: { cpu, memory: "1Gi" }, limits: { cpu } },
    ...(allocated === undefined ? {} : { allocatedResources: { cpu: allocated } }),
  });
  // The sidecar adds 2.
  assertEquals(of("3", {}), "5 3 1Gi");
  assertEquals(of("3", holds("4")), "6 4 1Gi");
  assertEquals(of("5", holds("4")), "7 5 1Gi");
  assertEquals(of("5", holds("4", "6")), "8 5 1Gi");
  const infeasible = { type: "PodResizePending", reason: "Infeasible" };
  assertEquals(of("5", holds("4"), infeasible), "6 4 1Gi");
  assertEquals(of("5", holds("3", "4"), infeasible), "6 3 1Gi");
  assertEquals(of("5", holds("4"), { ...infeasible, reason: "Deferred" }), "7 5 1Gi");
  assertEquals(of("5", holds("4"), { ...infeasible, type: "Other" }), "7 5 1Gi");
});

Deno.test("POD_QUOTA counts under the names of Pods only", () => {
  const names = [
    "count/pods",
    "pods",
    "cpu",
    "memory",
    "ephemeral-storage",
    "requests.cpu",
    "requests.memory",
    "requests.ephemeral-storage",
    "limits.cpu",
    "limits.memory",
    "limits.ephemeral-storage",
    "hugepages-2Mi",
    "requests.hugepages-2Mi",
    "requests.example.com/gpu",
    "requests.deviceclass.resource.kubernetes.io/gpu",
    // Others.
    "limits.hugepages-2Mi",
    "limits.pods",
    "example.com/gpu",
    "limits.example.com/gpu",
    "requests.storage",
    "requests.kubernetes.io/gpu",
    "gold.storageclass.storage.k8s.io/requests.storage",
    "count/pods.example.com",
    "secrets",
  ];
  assertEquals(names.filter(POD_QUOTA.counts), names.slice(0, 15));
});

Deno.test("POD_QUOTA is charged for updates that change the deadline, and for a resize", () => {
  const spec = { spec: {} };
  const deadline = (activeDeadlineSeconds: number) => ({ spec: { activeDeadlineSeconds } });
  const cases = [
    [spec, spec, "", false],
    [deadline(5), spec, "", true],
    [spec, deadline(0), "", true],
    [deadline(5), deadline(6), "", false],
    [deadline(-1), spec, "", false],
    [deadline(5), spec, "status", false],
    [spec, spec, "resize", true],
  ] as const;
  for (const [next, old, part, grows] of cases) {
    assertEquals([next, old, part, POD_QUOTA.grows?.(next, old, part)], [next, old, part, grows]);
  }
});

Deno.test("POD_QUOTA names the containers that do not say what a quota limits", () => {
  const missing = (pod: object, ...limited: string[]) => POD_QUOTA.missing?.(pod as never, limited);
  const pod = {
    spec: {
      containers: [container("b"), container("a", { cpu: "1" })],
      initContainers: [container("c", {}, { memory: "1" })],
    },
  };
  assertEquals(
    missing(pod, "pods", "requests.cpu", "limits.memory", "requests.ephemeral-storage"),
    "limits.memory for: a,b; requests.cpu for: b,c",
  );
  assertEquals(missing(pod, "cpu", "memory"), "cpu for: b,c; memory for: a,b,c");
  assertEquals(
    missing(pod, "requests.memory", "limits.cpu"),
    "limits.cpu for: a,b,c; requests.memory for: a,b,c",
  );
  assertEquals(missing(pod, "pods", "requests.example.com/gpu", "hugepages-2Mi"), "");
  const own = (resources: object) => ({ spec: { ...pod.spec, resources } });
  assertEquals(missing(own({ limits: { cpu: "1" } }), "memory"), "");
  assertEquals(missing(own({ requests: { cpu: "1" } }), "memory"), "");
  assertEquals(missing(own({ limits: {} }), "memory"), "memory for: a,b,c");
});

Deno.test("POD_QUOTA selects Pods by scope", () => {
  const best = { containers: [container("a")] };
  const burst = { containers: [container("a", { cpu: "1" })] };
  const long = { ...best, activeDeadlineSeconds: 0 };
  const high = { ...best, priorityClassName: "high" };
  const near = (kind: string, term: object) => ({
    ...best,
    affinity: { [kind]: { requiredDuringSchedulingIgnoredDuringExecution: [term] } },
  });
  const rather = (kind: string, podAffinityTerm: object) => ({
    ...best,
    affinity: {
      [kind]: { preferredDuringSchedulingIgnoredDuringExecution: [{ podAffinityTerm }] },
    },
  });
  const exists = (scopeName: string) => ({ scopeName, operator: "Exists" });
  const wide = exists("CrossNamespacePodAffinity");
  const classes = (operator: string) => ({
    scopeName: "PriorityClass",
    operator,
    values: ["high"],
  });
  const cases = [
    [exists("Terminating"), best, false],
    [exists("Terminating"), long, true],
    [exists("NotTerminating"), best, true],
    [exists("NotTerminating"), long, false],
    [exists("BestEffort"), best, true],
    [exists("BestEffort"), burst, false],
    [exists("NotBestEffort"), best, false],
    [exists("NotBestEffort"), burst, true],
    [wide, best, false],
    [wide, near("podAffinity", { topologyKey: "a" }), false],
    [wide, near("podAffinity", { namespaces: [] }), false],
    [wide, near("podAffinity", { namespaces: ["a"] }), true],
    [wide, near("podAffinity", { namespaceSelector: {} }), true],
    [wide, near("podAntiAffinity", { namespaces: ["a"] }), true],
    [wide, rather("podAffinity", { namespaces: ["a"] }), true],
    [wide, rather("podAntiAffinity", { namespaceSelector: {} }), true],
    [wide, rather("podAntiAffinity", {}), false],
    [classes("In"), best, false],
    [classes("In"), high, true],
    [classes("NotIn"), best, true],
    [classes("NotIn"), high, false],
    [classes("Exists"), best, false],
    [classes("Exists"), high, true],
    [classes("DoesNotExist"), best, true],
    [classes("DoesNotExist"), high, false],
    [exists("VolumeAttributesClass"), best, false],
  ] as const;
  for (const [scope, spec, included] of cases) {
    const found = POD_QUOTA.inScope?.({ spec } as never, scope as never);
    assertEquals([scope, spec, found], [scope, spec, included]);
  }
});
