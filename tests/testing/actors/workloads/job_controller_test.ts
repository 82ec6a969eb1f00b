import { assert, assertEquals } from "@std/assert";
import { type Pod, Pods } from "../../../../mod.ts";
import type { PodOutcome } from "../../../../src/testing/mod.ts";
import { Jobs, type JobSpec } from "../../../../src/testing/actors/workloads/batch_kinds.ts";
import {
  formatIndexes,
  parseIndexes,
} from "../../../../src/testing/actors/workloads/index_ranges.ts";
import { Cluster, named } from "./cluster.ts";

const TEMPLATE = {
  spec: { restartPolicy: "Never" as const, containers: [{ name: "main", image: "i" }] },
};
const INDEX = "batch.kubernetes.io/job-completion-index";

function index({ metadata }: { metadata: Pod["metadata"] }): number {
  return Number(metadata.annotations?.[INDEX]);
}

/** Starts a cluster with a Job whose containers run for a second. */
async function work(
  spec: Partial<JobSpec> = {},
  outcome: (pod: Pod) => number | PodOutcome = () => 0,
): Promise<Cluster> {
  const cluster = await Cluster.start({
    kubelet: {
      outcome: (pod) => {
        const result = outcome(pod as Pod);
        return typeof result === "number" ? { afterMs: 1000, exitCode: result } : result;
      },
    },
  });
  await cluster.create(Jobs, { metadata: named("job"), spec: { template: TEMPLATE, ...spec } });
  return cluster;
}

function status(cluster: Cluster): Record<string, unknown> {
  const { completionTime, conditions: _, startTime, ...counts } = cluster.get(Jobs, "job").status ??
    {};
  const times = [startTime, completionTime].map((time) => time?.slice(14, 19));
  return { ...counts, times: times.join(" ") };
}

function conditions(cluster: Cluster): string[] {
  return (cluster.get(Jobs, "job").status?.conditions ?? [])
    .map(({ type, status, reason, message }) => `${type} ${status} ${reason}: ${message}`);
}

Deno.test("JobController completes a Job, counts its Pods once and lets them go", async () => {
  await using cluster = await work({ completions: 5, parallelism: 2 });
  let most = 0;
  for (let i = 0; i < 200; i++) {
    await cluster.clock.advance(100);
    most = Math.max(most, cluster.pods.filter(({ status }) => status?.phase === "Running").length);
  }
  assertEquals(most, 2);
  assertEquals(status(cluster), {
    ready: 0,
    succeeded: 5,
    terminating: 0,
    uncountedTerminatedPods: {},
    times: "00:01 00:07",
  });
  assertEquals(conditions(cluster), [
    "SuccessCriteriaMet True CompletionsReached: Reached expected number of succeeded pods",
    "Complete True CompletionsReached: Reached expected number of succeeded pods",
  ]);
  assertEquals(cluster.pods.length, 5);
  assert(cluster.pods.every(({ metadata }) => metadata.finalizers === undefined));
  assertEquals(cluster.events("job").at(-1), "Completed: Job completed");
  const { resourceVersion } = cluster.get(Jobs, "job").metadata;
  await cluster.clock.advance(60_000);
  assertEquals(cluster.get(Jobs, "job").metadata.resourceVersion, resourceVersion);
  assertEquals(cluster.warnings, []);
});

Deno.test("JobController replaces failed Pods with a growing delay, up to the backoff limit", async () => {
  await using cluster = await work({ backoffLimit: 2 }, () => 1);
  const created: number[] = [];
  for (let second = 1; second < 60; second++) {
    await cluster.clock.advance(1000);
    if (cluster.server.objects(Pods).length > created.length) created.push(second);
  }
  assertEquals(created, [1, 12, 34]);
  const { failed, active } = cluster.get(Jobs, "job").status ?? {};
  assertEquals([failed, active], [3, undefined]);
  assertEquals(conditions(cluster), [
    "FailureTarget True BackoffLimitExceeded: Job has reached the specified backoff limit",
    "Failed True BackoffLimitExceeded: Job has reached the specified backoff limit",
  ]);
  assertEquals(
    cluster.events("job").at(-1),
    "BackoffLimitExceeded: Job has reached the specified backoff limit",
  );
});

Deno.test("JobController stops a Job after activeDeadlineSeconds, whose Pods it deletes", async () => {
  const forever = { afterMs: 1e9, exitCode: 0 };
  await using cluster = await work(
    { activeDeadlineSeconds: 5, parallelism: 2, completions: 2 },
    () => forever,
  );
  await cluster.clock.advance(4000);
  assertEquals(cluster.get(Jobs, "job").status?.ready, 2);
  await cluster.clock.advance(10_000);
  assertEquals(conditions(cluster).at(-1)?.slice(0, 28), "Failed True DeadlineExceeded");
  assertEquals([cluster.names(Pods), cluster.get(Jobs, "job").status?.failed], ["", 2]);
});

Deno.test("JobController runs each index of an indexed Job to its end", async () => {
  const failures = new Map([[1, 1]]);
  await using cluster = await work(
    { completions: 4, parallelism: 4, completionMode: "Indexed" },
    (pod) => {
      const left = failures.get(index(pod)) ?? 0;
      failures.set(index(pod), left - 1);
      return left > 0 ? 1 : 0;
    },
  );
  await cluster.clock.advance(3500);
  assertEquals(cluster.get(Jobs, "job").status?.completedIndexes, "0,2,3");
  const pod = cluster.pods.find((one) => index(one) === 2);
  const { hostname, containers } = pod?.spec as { hostname?: string; containers: unknown[] };
  assertEquals([hostname, pod?.metadata.labels?.[INDEX]], ["job-2", "2"]);
  assertEquals((containers[0] as { env: unknown }).env, [{
    name: "JOB_COMPLETION_INDEX",
    valueFrom: { fieldRef: { apiVersion: "v1", fieldPath: `metadata.labels['${INDEX}']` } },
  }]);
  await cluster.clock.advance(20_000);
  const { completedIndexes, failed, succeeded } = cluster.get(Jobs, "job").status ?? {};
  assertEquals([completedIndexes, succeeded, failed], ["0-3", 4, 1]);
});

Deno.test("JobController fails single indexes with backoffLimitPerIndex", async () => {
  await using cluster = await work({
    completions: 3,
    parallelism: 3,
    completionMode: "Indexed",
    backoffLimitPerIndex: 1,
    backoffLimit: 2147483647,
  }, (pod) => index(pod) === 1 ? 1 : 0);
  await cluster.clock.advance(40_000);
  const { completedIndexes, failed, failedIndexes } = cluster.get(Jobs, "job").status ?? {};
  assertEquals([completedIndexes, failedIndexes, failed], ["0,2", "1", 2]);
  assertEquals(conditions(cluster).at(-1), "Failed True FailedIndexes: Job has failed indexes");
  const counts = cluster.pods.filter((one) => index(one) === 1)
    .map(({ metadata }) => metadata.annotations?.["batch.kubernetes.io/job-index-failure-count"]);
  assertEquals(counts.sort(), ["0", "1"]);
});

Deno.test("JobController follows a pod failure policy", async () => {
  const rules = [
    { action: "FailJob", onExitCodes: { operator: "In", values: [42] } },
    { action: "Ignore", onExitCodes: { operator: "In", values: [7] } },
  ];
  const codes = [7, 7, 7, 42];
  await using cluster = await work(
    { backoffLimit: 0, podFailurePolicy: { rules } },
    () => codes.shift() ?? 0,
  );
  await cluster.clock.advance(200_000);
  const failed = cluster.pods.find(({ status }) =>
    JSON.stringify(status).includes('"exitCode":42')
  );
  assertEquals(
    conditions(cluster).at(-1),
    `Failed True PodFailurePolicy: Container main for pod default/${failed?.metadata.name} ` +
      "failed with exit code 42 matching FailJob rule at index 0",
  );
  assertEquals(cluster.get(Jobs, "job").status?.failed, 1);
});

Deno.test("JobController follows a success policy, and ends the Pods that are left", async () => {
  await using cluster = await work({
    completions: 3,
    parallelism: 3,
    completionMode: "Indexed",
    successPolicy: { rules: [{ succeededIndexes: "0,2", succeededCount: 1 }] },
  }, (pod) => index(pod) === 2 ? 0 : { afterMs: 1e9, exitCode: 0 });
  await cluster.clock.advance(20_000);
  assertEquals(conditions(cluster), [
    "SuccessCriteriaMet True SuccessPolicy: Matched rules at index 0",
    "Complete True SuccessPolicy: Matched rules at index 0",
  ]);
  assertEquals(cluster.get(Jobs, "job").status?.completedIndexes, "2");
  assertEquals(cluster.pods.length, 1);
});

Deno.test("JobController suspends a Job and resumes it", async () => {
  await using cluster = await work({ suspend: true });
  await cluster.clock.advance(5000);
  assertEquals([cluster.names(Pods), conditions(cluster)], ["", [
    "Suspended True JobSuspended: Job suspended",
  ]]);
  assertEquals(cluster.get(Jobs, "job").status?.startTime, undefined);
  await cluster.patch(Jobs, "job", { spec: { suspend: false } }, 500);
  await cluster.patch(Jobs, "job", { spec: { suspend: true } }, 5000);
  assertEquals(cluster.names(Pods), "");
  await cluster.patch(Jobs, "job", { spec: { suspend: false } }, 10_000);
  assertEquals(conditions(cluster).map((one) => one.split(":")[0]), [
    "Suspended False JobResumed",
    "SuccessCriteriaMet True CompletionsReached",
    "Complete True CompletionsReached",
  ]);
  const events = cluster.events("job").filter((one) =>
    one.startsWith("Suspended") || one.startsWith("Resumed")
  );
  assertEquals(events, ["Suspended: Job suspended", "Resumed: Job resumed"]);
});

Deno.test("JobController releases the Pods of a deleted Job, and TTL deletes a finished Job", async () => {
  await using cluster = await work({ completions: 2, ttlSecondsAfterFinished: 10 });
  await cluster.clock.advance(8000);
  assertEquals(conditions(cluster).length, 2);
  await cluster.clock.advance(12_000);
  assertEquals([cluster.names(Jobs), cluster.names(Pods)], ["", ""]);
  const spec = { template: TEMPLATE, parallelism: 2, completions: 2 };
  for (const policy of ["Background", "Foreground"]) {
    await cluster.create(Jobs, { metadata: named("job"), spec });
    await cluster.clock.advance(1500);
    assertEquals(cluster.pods.length, 2);
    await cluster.delete(Jobs, "job", 10_000, { propagationPolicy: policy });
    assertEquals([cluster.names(Jobs), cluster.names(Pods)], ["", ""]);
  }
  await cluster.create(Jobs, { metadata: named("job"), spec });
  await cluster.clock.advance(1500);
  await cluster.delete(Jobs, "job", 10_000, { propagationPolicy: "Orphan" });
  assertEquals(cluster.pods.map(({ metadata }) => metadata.finalizers), [undefined, undefined]);
});

Deno.test("TTL keeps a finished Job that gets more time just before it is deleted", async () => {
  await using cluster = await work({ completions: 2, ttlSecondsAfterFinished: 10 });
  cluster.server.faults.delay(20_000, {
    times: 1,
    when: ({ method, name }) => method === "DELETE" && name === "job",
  });
  await cluster.clock.advance(25_000);
  assertEquals(cluster.names(Jobs), "job");
  await cluster.patch(Jobs, "job", { spec: { ttlSecondsAfterFinished: 1000 } }, 60_000);
  assertEquals(cluster.names(Jobs), "job");
});

Deno.test("parseIndexes() and formatIndexes() use the text form of the API", () => {
  assertEquals(formatIndexes(new Set([9, 1, 3, 4, 6, 7, 8])), "1,3,4,6-9");
  assertEquals([...parseIndexes("1,3,4,6-9", 8)], [1, 3, 4, 6, 7]);
  assertEquals([formatIndexes(new Set()), [...parseIndexes("", 3)]], ["", []]);
});
