import { assertEquals } from "@std/assert";
import type { Cached, Client, Pod } from "../../../../mod.ts";
import type { Job, JobStatus } from "../../../../src/testing/actors/workloads/batch_kinds.ts";
import { countPods, pendingIndexes } from "../../../../src/testing/actors/workloads/job_count.ts";
import {
  judgeFailure,
  successRule,
} from "../../../../src/testing/actors/workloads/job_policies.ts";
import {
  backoffEndMs,
  finishedAtMs,
  indexOf,
  jobPod,
  TRACKING_FINALIZER,
} from "../../../../src/testing/actors/workloads/job_pods.ts";
import {
  announced,
  finished,
  JobTracking,
} from "../../../../src/testing/actors/workloads/job_tracking.ts";
import { deadlineMs, judgeJob } from "../../../../src/testing/actors/workloads/job_verdict.ts";

const INDEX = "batch.kubernetes.io/job-completion-index";
const FAILURES = "batch.kubernetes.io/job-index-failure-count";
const IGNORED = "batch.kubernetes.io/job-index-ignored-failure-count";
const START_MS = Date.parse("2026-01-01T00:00:00Z");

function job(spec: object = {}, status: object = {}, metadata: object = {}): Cached<Job> {
  const template = { spec: { containers: [{ name: "main", image: "i" }] } };
  return {
    metadata: { name: "job", namespace: "default", uid: "j", ...metadata },
    spec: { template, ...spec },
    status,
  } as unknown as Cached<Job>;
}

/** Returns a Pod that its Job tracks. */
function pod(name: string, phase: string, rest: { metadata?: object; status?: object } = {}) {
  return {
    metadata: {
      name,
      namespace: "default",
      uid: name,
      finalizers: [TRACKING_FINALIZER],
      ...rest.metadata,
    },
    spec: {},
    status: { phase, ...rest.status },
  } as unknown as Cached<Pod>;
}

function indexed(name: string, phase: string, index: number, failures = 0): Cached<Pod> {
  const annotations = { [INDEX]: String(index), [FAILURES]: String(failures) };
  return pod(name, phase, { metadata: { annotations } });
}

function exited(name: string, ...codes: number[]): Cached<Pod> {
  const containerStatuses = codes.map((exitCode, i) => ({
    name: `c${i}`,
    state: { terminated: { exitCode } },
  }));
  return pod(name, "Failed", { status: { containerStatuses } });
}

Deno.test("judgeFailure() follows the first rule that the exit codes of a Pod match", () => {
  const verdict = (rules: object[], one: Cached<Pod>) =>
    judgeFailure(job({ podFailurePolicy: { rules } }).spec, one);
  const on = (action: string, operator: string, values: number[], containerName?: string) => ({
    action,
    onExitCodes: { operator, values, ...(containerName && { containerName }) },
  });
  const rules = [on("Ignore", "In", [3]), on("FailIndex", "In", [4]), on("Count", "In", [5])];
  assertEquals(verdict(rules, exited("p", 3)), { action: "Ignore", isCounted: false });
  assertEquals(verdict(rules, exited("p", 4)), { action: "FailIndex", isCounted: true });
  assertEquals(verdict(rules, exited("p", 5)), { action: "Count", isCounted: true });
  assertEquals(verdict(rules, exited("p", 6)), { isCounted: true });
  assertEquals(verdict([on("Ignore", "In", [3]), on("Count", "In", [3])], exited("p", 3)), {
    action: "Ignore",
    isCounted: false,
  });
  const fails = (rule: object, one: Cached<Pod>) => verdict([rule], one).message;
  const text = (container: string, code: number) =>
    `Container ${container} for pod default/p failed with exit code ${code} matching FailJob rule at index 0`;
  assertEquals(fails(on("FailJob", "NotIn", [3]), exited("p", 3, 4)), text("c1", 4));
  assertEquals(fails(on("FailJob", "NotIn", [3]), exited("p", 0, 3)), undefined);
  assertEquals(fails(on("FailJob", "In", [3, 7], "c1"), exited("p", 3, 7)), text("c1", 7));
  assertEquals(fails(on("FailJob", "In", [3], "c1"), exited("p", 3, 7)), undefined);
  const initContainerStatuses = [{ name: "init", state: { terminated: { exitCode: 9 } } }];
  const init = pod("p", "Failed", { status: { initContainerStatuses } });
  assertEquals(fails(on("FailJob", "In", [9]), init), text("init", 9));
  assertEquals(fails(on("FailJob", "In", [9]), pod("p", "Failed")), undefined);
});

Deno.test("judgeFailure() follows a rule for conditions, whose status is True by default", () => {
  const verdict = (pattern: object, condition: object) =>
    judgeFailure(
      job({ podFailurePolicy: { rules: [{ action: "FailJob", onPodConditions: [pattern] }] } })
        .spec,
      pod("p", "Failed", { status: { conditions: [condition] } }),
    ).message;
  const message = "Pod default/p has condition DisruptionTarget matching FailJob rule at index 0";
  const type = "DisruptionTarget";
  assertEquals(verdict({ type }, { type, status: "True" }), message);
  assertEquals(verdict({ type }, { type, status: "False" }), undefined);
  assertEquals(verdict({ type, status: "False" }, { type, status: "False" }), message);
  assertEquals(verdict({ type }, { type: "Ready", status: "True" }), undefined);
});

Deno.test("successRule() asks for indexes, for a number of them, or for both", () => {
  const rule = (rules: object[], ...succeeded: number[]) =>
    successRule(job({ completions: 5, successPolicy: { rules } }).spec, new Set(succeeded))
      ?.at(-1);
  assertEquals(rule([{ succeededCount: 2 }], 0), undefined);
  assertEquals(rule([{ succeededCount: 2 }], 0, 4), "0");
  assertEquals(rule([{ succeededIndexes: "1-3" }], 1, 2), undefined);
  assertEquals(rule([{ succeededIndexes: "1-3" }], 1, 2, 3), "0");
  assertEquals(rule([{ succeededIndexes: "1-3", succeededCount: 2 }], 0, 1), undefined);
  assertEquals(rule([{ succeededIndexes: "1-3", succeededCount: 2 }], 1, 3), "0");
  assertEquals(rule([{ succeededIndexes: "1-3", succeededCount: 5 }], 1, 2, 3), "0");
  assertEquals(rule([{ succeededCount: 3 }, { succeededIndexes: "4" }], 4), "1");
  assertEquals(rule([{ succeededIndexes: "7" }], 0), undefined);
  assertEquals(rule([{ succeededCount: 0 }]), undefined);
  assertEquals(successRule(job().spec, new Set([0])), undefined);
});

Deno.test("judgeJob() ends a Job at its limits, and not before", () => {
  const judge = (
    one: Cached<Job>,
    { failed = 0, failedIndexes, succeeded = [], pods = [], wallMs = START_MS }: {
      failed?: number;
      failedIndexes?: number[];
      succeeded?: number[];
      pods?: Cached<Pod>[];
      wallMs?: number;
    },
  ) =>
    judgeJob(one, pods, {
      failed,
      failedIndexes: failedIndexes && new Set(failedIndexes),
      succeededIndexes: new Set(succeeded),
    }, wallMs)?.reason;
  assertEquals(judge(job(), { failed: 6 }), undefined);
  assertEquals(judge(job(), { failed: 7 }), "BackoffLimitExceeded");
  assertEquals(judge(job({ backoffLimit: 0 }), { failed: 1 }), "BackoffLimitExceeded");
  assertEquals(judge(job({ backoffLimit: 0 }), {}), undefined);
  const limited = job({ activeDeadlineSeconds: 5 }, { startTime: "2026-01-01T00:00:00Z" });
  assertEquals(judge(limited, { wallMs: START_MS + 4999 }), undefined);
  assertEquals(judge(limited, { wallMs: START_MS + 5000 }), "DeadlineExceeded");
  assertEquals(deadlineMs(job({ activeDeadlineSeconds: 5 })), Infinity);
  const suspended = job({ activeDeadlineSeconds: 5, suspend: true }, limited.status!);
  assertEquals([deadlineMs(suspended), deadlineMs(job({}, limited.status!))], [
    Infinity,
    Infinity,
  ]);
  const three = { completions: 3, maxFailedIndexes: 1, backoffLimit: 99 };
  assertEquals(judge(job(three), { failedIndexes: [1], succeeded: [0] }), undefined);
  assertEquals(judge(job(three), { failedIndexes: [1], succeeded: [0, 2] }), "FailedIndexes");
  assertEquals(judge(job(three), { failedIndexes: [1, 2] }), "MaxFailedIndexesExceeded");
  assertEquals(judge(job(three), { failedIndexes: [], succeeded: [0, 1, 2] }), undefined);
  const rules = [{ action: "FailJob", onExitCodes: { operator: "In", values: [3] } }];
  const policy = job({ podFailurePolicy: { rules } });
  assertEquals(judge(policy, { pods: [exited("p", 3)] }), "PodFailurePolicy");
  const running = { ...exited("p", 3), status: { ...exited("p", 3).status, phase: "Running" } };
  assertEquals(judge(policy, { pods: [running as Cached<Pod>] }), undefined);
  const rich = job({ completions: 2, successPolicy: { rules: [{ succeededCount: 1 }] } });
  assertEquals(judge(rich, { succeeded: [1] }), "SuccessPolicy");
  assertEquals(judge(rich, { succeeded: [1], failed: 7 }), "BackoffLimitExceeded");
});

Deno.test("judgeJob() counts restarts with the restart policy OnFailure, and keeps what is decided", () => {
  const restarting = (restarts: number, phase = "Running", init = 0) =>
    pod("p", phase, {
      status: {
        containerStatuses: [{ restartCount: restarts }],
        initContainerStatuses: [{ restartCount: init }],
      },
    });
  const none = { failed: 0, failedIndexes: undefined, succeededIndexes: new Set<number>() };
  const judge = (backoffLimit: number | undefined, pods: Cached<Pod>[], restartPolicy: string) =>
    judgeJob(
      job({ backoffLimit, template: { spec: { restartPolicy, containers: [] } } }),
      pods,
      none,
      START_MS,
    )?.reason;
  const limit = "BackoffLimitExceeded";
  assertEquals(judge(3, [restarting(1), restarting(1)], "OnFailure"), undefined);
  assertEquals(judge(3, [restarting(1), restarting(1, "Pending", 1)], "OnFailure"), limit);
  assertEquals(judge(3, [restarting(3, "Succeeded")], "OnFailure"), undefined);
  assertEquals(judge(3, [restarting(3)], "Never"), undefined);
  assertEquals(judge(undefined, [restarting(5)], "OnFailure"), undefined);
  assertEquals(judge(undefined, [restarting(6)], "OnFailure"), limit);
  assertEquals(judge(0, [restarting(0)], "OnFailure"), undefined);
  assertEquals(judge(0, [restarting(1)], "OnFailure"), limit);
  for (const type of ["SuccessCriteriaMet", "FailureTarget"]) {
    const condition = { type, status: "True", reason: "Decided" };
    const met = (status: string) =>
      judgeJob(job({}, { conditions: [{ ...condition, status }] }), [], none, START_MS);
    assertEquals([met("True"), met("False")], [condition, undefined] as never);
  }
});

Deno.test("finishedAtMs() takes the last container, the condition Ready or the deletion", () => {
  const at = (second: number) => `2026-01-01T00:00:0${second}Z`;
  const ends = (...seconds: (number | undefined)[]) =>
    seconds.map((second) => ({
      state: second === undefined ? {} : { terminated: { finishedAt: at(second) } },
    }));
  const ready = (status: string) => [{ type: "Ready", status, lastTransitionTime: at(4) }];
  const metadata = { creationTimestamp: at(1) };
  const seconds = (status: object, more: object = {}) =>
    (finishedAtMs(pod("p", "Failed", { status, metadata: { ...metadata, ...more } })) - START_MS) /
    1000;
  assertEquals(seconds({ containerStatuses: ends(2, 5, 3) }), 5);
  assertEquals(seconds({ containerStatuses: ends(2, undefined), conditions: ready("False") }), 4);
  assertEquals(seconds({ conditions: ready("False") }), 4);
  assertEquals(seconds({ conditions: ready("True") }), 1);
  assertEquals(seconds({}), 1);
  const deleted = { deletionTimestamp: at(9), deletionGracePeriodSeconds: 3 };
  assertEquals(seconds({}, deleted), 6);
  assertEquals(seconds({ conditions: ready("False") }, deleted), 4);
});

Deno.test("backoffEndMs() doubles up to ten minutes", () => {
  assertEquals([0, 1, 2, 3, 6, 7, 8, 99].map((failures) => backoffEndMs(failures, 5) - 5), [
    -5,
    10_000,
    20_000,
    40_000,
    320_000,
    600_000,
    600_000,
    600_000,
  ]);
});

Deno.test("jobPod() gives a Pod its finalizer, its index and the failures before it", () => {
  const rules = [{ action: "Ignore", onExitCodes: { operator: "In", values: [3] } }];
  const template = {
    metadata: { finalizers: ["example.com/a"] },
    spec: {
      containers: [{ name: "a", image: "i" }],
      initContainers: [{ name: "b", image: "i", env: [{ name: "JOB_COMPLETION_INDEX" }] }],
    },
  };
  const plain = jobPod(job({ template }));
  assertEquals(plain.metadata.finalizers, ["example.com/a", TRACKING_FINALIZER]);
  assertEquals([plain.metadata.annotations, plain.spec?.containers[0]?.env], [
    undefined,
    undefined,
  ]);
  const spec = { template, completions: 9, completionMode: "Indexed" };
  const first = jobPod(job(spec), 7);
  assertEquals(first.metadata.generateName, "job-7-");
  assertEquals([first.metadata.annotations, first.metadata.labels?.[INDEX]], [
    { [INDEX]: "7" },
    "7",
  ]);
  assertEquals((first.spec as { hostname?: string }).hostname, "job-7");
  assertEquals(first.spec?.containers[0]?.env?.length, 1);
  const inits = (first.spec as { initContainers?: { env?: unknown[] }[] }).initContainers;
  assertEquals(inits?.[0]?.env, [{ name: "JOB_COMPLETION_INDEX" }]);
  const long = jobPod(job(spec, {}, { name: "x".repeat(60) }), 7);
  assertEquals(long.metadata.generateName?.length, 58);
  const limited = { ...spec, backoffLimitPerIndex: 3, podFailurePolicy: { rules } };
  const counts = (replaced?: Cached<Pod>) => {
    const { annotations } = jobPod(job(limited), 7, replaced).metadata;
    return [annotations?.[FAILURES], annotations?.[IGNORED]];
  };
  const failed = (code: number, failures: string, ignored?: string) => {
    const one = exited("p", code);
    const annotations = { [FAILURES]: failures, ...(ignored && { [IGNORED]: ignored }) };
    return { ...one, metadata: { ...one.metadata, annotations } } as unknown as Cached<Pod>;
  };
  assertEquals(counts(), ["0", undefined]);
  assertEquals(counts(failed(1, "0")), ["1", undefined]);
  assertEquals(counts(failed(3, "1")), ["1", "1"]);
  assertEquals(counts(failed(1, "1", "2")), ["2", "2"]);
  assertEquals(counts(failed(3, "1", "2")), ["1", "3"]);
});

Deno.test("indexOf() knows only indexes below the completions", () => {
  const of = (text: string) =>
    indexOf(
      pod("p", "Running", { metadata: { annotations: { [INDEX]: text } } }),
      job({
        completions: 3,
      }),
    );
  assertEquals(["0", "2", "3", "-1", "x"].map(of), [0, 2, undefined, undefined, undefined]);
});

Deno.test("countPods() counts each Pod once, and only Pods with a valid index", () => {
  const counted = new Set(["gone"]);
  const status = {
    succeeded: 4,
    failed: 2,
    uncountedTerminatedPods: { succeeded: ["old"], failed: ["bad"] },
  };
  const free = { metadata: { finalizers: undefined } };
  const deleted = { metadata: { deletionTimestamp: "2026-01-01T00:00:00Z" } };
  const pods = [
    pod("new", "Succeeded"),
    pod("old", "Succeeded"),
    pod("gone", "Succeeded"),
    pod("free", "Succeeded", free),
    pod("fail", "Failed"),
    pod("bad", "Failed"),
    pod("run", "Running"),
    pod("stop", "Running", deleted),
    pod("done", "Failed", { metadata: { ...deleted.metadata, finalizers: undefined } }),
  ];
  const names = (list: readonly Cached<Pod>[]) => list.map(({ metadata }) => metadata.name).join();
  const count = countPods(job({}, status), pods, counted);
  assertEquals([names(count.newlySucceeded), names(count.newlyFailed), names(count.active)], [
    "new",
    "fail,stop",
    "run",
  ]);
  assertEquals([count.succeeded, count.failed, count.terminating, count.ready], [6, 5, 1, 0]);
  const waits = countPods(job({ podReplacementPolicy: "Failed" }, status), pods, counted);
  assertEquals(names(waits.newlyFailed), "fail");
  const spec = { completions: 6, completionMode: "Indexed", backoffLimitPerIndex: 1 };
  const byIndex = countPods(
    job(spec, { completedIndexes: "0", failedIndexes: "5" }),
    [
      indexed("a", "Succeeded", 1),
      indexed("b", "Succeeded", 6),
      indexed("c", "Failed", 2, 0),
      indexed("d", "Failed", 3, 1),
      indexed("e", "Running", 4, 1),
      indexed("f", "Failed", 4, 0),
      indexed("g", "Failed", 2, 0),
    ],
    counted,
  );
  assertEquals([[...byIndex.succeededIndexes], [...byIndex.failedIndexes!], byIndex.succeeded], [
    [0, 1],
    [5, 3],
    2,
  ]);
  assertEquals([...byIndex.replaceable].map(([i, { metadata }]) => `${i} ${metadata.name}`), [
    "2 g",
  ]);
  assertEquals(names(byIndex.newlySucceeded), "a");
});

Deno.test("pendingIndexes() takes the first free ones, and waits for Pods that stop if it must", () => {
  const stopping = { deletionTimestamp: "2026-01-01T00:00:00Z", annotations: { [INDEX]: "1" } };
  const pods = [
    indexed("a", "Running", 0),
    pod("b", "Running", { metadata: stopping }),
    pod("c", "Failed", { metadata: { ...stopping, annotations: { [INDEX]: "2" } } }),
  ];
  const pending = (rest: object, most: number) => {
    const one = job({ completions: 6, completionMode: "Indexed", ...rest }, {
      completedIndexes: "3",
    });
    return pendingIndexes(one, countPods(one, pods, new Set()), most);
  };
  assertEquals(pending({}, 9), [1, 2, 4, 5]);
  assertEquals(pending({}, 2), [1, 2]);
  assertEquals(pending({ podReplacementPolicy: "Failed" }, 9), [2, 4, 5]);
  assertEquals(pending({ podFailurePolicy: { rules: [] } }, 1), [2]);
});

Deno.test("JobTracking notes 500 ended Pods at a time", () => {
  const tracking = new JobTracking({} as Client);
  for (const [pods, ended, isAll] of [[499, 499, true], [500, 500, false], [501, 500, false]]) {
    const all = Array.from({ length: Number(pods) }, (_, i) => pod(`p${i}`, "Succeeded"));
    const noted = tracking.note(job(), {}, countPods(job(), all, new Set()), undefined);
    assertEquals([noted.ended.length, noted.isAll], [ended, isAll] as never);
    assertEquals(noted.status.uncountedTerminatedPods?.succeeded?.length, ended as number);
  }
});

Deno.test("JobTracking counts the listed Pods whose finalizers are gone", () => {
  const tracking = new JobTracking({} as Client);
  const before: JobStatus = {
    succeeded: 1,
    failed: 2,
    uncountedTerminatedPods: { succeeded: ["a", "b"], failed: ["c", "d", "e"] },
  };
  const pods = [
    pod("a", "Succeeded"),
    pod("b", "Succeeded", { metadata: { finalizers: [] } }),
    pod("c", "Failed"),
  ];
  const settled = tracking.settle(before, countPods(job(), pods, new Set(["c"])));
  assertEquals(settled, {
    succeeded: 2,
    failed: 5,
    uncountedTerminatedPods: { succeeded: ["a"], failed: [] },
  });
});

Deno.test("JobTracking keeps the failed Pod of an index until its successor counts on", () => {
  const tracking = new JobTracking({} as Client);
  const one = job({ completions: 3, completionMode: "Indexed", backoffLimitPerIndex: 2 });
  const pods = [
    indexed("a", "Failed", 0),
    indexed("b", "Failed", 1),
    indexed("c", "Running", 1, 1),
    indexed("d", "Succeeded", 2),
    indexed("e", "Failed", 7),
  ];
  const count = countPods(one, pods, new Set());
  const names = (verdict?: object, of: Cached<Job> = one) => {
    const { ended, status } = tracking.note(of, {}, count, verdict as never);
    const { failed, succeeded } = status.uncountedTerminatedPods ?? {};
    return [ended.map(({ metadata }) => metadata.name).join(), failed?.join(), succeeded?.join()];
  };
  assertEquals(names(), ["b,d,e", "b", ""]);
  assertEquals(names({ type: "SuccessCriteriaMet" }), ["a,b,c,d,e", "a,b", ""]);
  assertEquals(names({ type: "FailureTarget" }), ["a,b,c,d,e", "a,b,c", ""]);
  const deleted = job(one.spec, {}, { deletionTimestamp: "2026-01-01T00:00:00Z" });
  assertEquals(names(undefined, deleted), ["a,b,c,d,e", "a,b", ""]);
});

Deno.test("announced() and finished() add their condition, once and at the time", () => {
  const verdict = { type: "FailureTarget", status: "True" as const, reason: "R", message: "M" };
  const first = announced({ failed: 1 }, verdict);
  assertEquals([first, announced(first, { ...verdict, reason: "S" })], [
    { failed: 1, conditions: [verdict] },
    first,
  ]);
  const last = finished(first, verdict, START_MS);
  assertEquals([last.conditions?.at(-1)?.type, last.completionTime], ["Failed", undefined]);
  const done = finished({}, { ...verdict, type: "SuccessCriteriaMet" }, START_MS);
  const time = "2026-01-01T00:00:00Z";
  assertEquals(done, {
    completionTime: time,
    conditions: [{
      type: "Complete",
      status: "True",
      reason: "R",
      message: "M",
      lastProbeTime: time,
      lastTransitionTime: time,
    }],
  });
});
