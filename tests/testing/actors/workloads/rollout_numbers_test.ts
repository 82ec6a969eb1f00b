import { assertEquals } from "@std/assert";
import type { Cached } from "../../../../mod.ts";
import type {
  Deployment,
  ReplicaSet,
} from "../../../../src/testing/actors/workloads/apps_kinds.ts";
import {
  deadlineMs,
  isComplete,
  rolloutStatus,
} from "../../../../src/testing/actors/workloads/deployment_status.ts";
import {
  newSetAnnotations,
  revisionOf,
  sizeAnnotations,
} from "../../../../src/testing/actors/workloads/rollout_annotations.ts";
import {
  annotatedNumber,
  hasTemplateOf,
  limitsOf,
  newSetReplicas,
  proportionally,
} from "../../../../src/testing/actors/workloads/rollout_numbers.ts";

const MAX = "deployment.kubernetes.io/max-replicas";
const REVISION = "deployment.kubernetes.io/revision";
const HISTORY = "deployment.kubernetes.io/revision-history";
const START_MS = Date.parse("2026-01-01T00:00:00Z");

type Spec = NonNullable<Deployment["spec"]>;
type Rolling = NonNullable<NonNullable<Spec["strategy"]>["rollingUpdate"]>;

function rolling(
  replicas: number | undefined,
  maxSurge: Rolling["maxSurge"],
  maxUnavailable: Rolling["maxUnavailable"],
  rest: object = {},
): Cached<Deployment> {
  const rollingUpdate = { maxSurge, maxUnavailable };
  return {
    metadata: { name: "web", generation: 3 },
    spec: { replicas, strategy: { type: "RollingUpdate", rollingUpdate } },
    ...rest,
  } as unknown as Cached<Deployment>;
}

function set(name: string, replicas: number, rest: object = {}): Cached<ReplicaSet> {
  const annotations = { [MAX]: "13" };
  return {
    metadata: { name, creationTimestamp: `2026-01-01T00:00:0${name.length}Z`, annotations },
    spec: { replicas },
    ...rest,
  } as unknown as Cached<ReplicaSet>;
}

Deno.test("limitsOf() rounds the surge up and the unavailable Pods down, and leaves no rollout stuck", () => {
  for (
    const [replicas, surge, unavailable, expected] of [
      [10, "25%", "25%", [3, 2]],
      [10, 0, 0, [0, 1]],
      [1, "1%", "99%", [1, 0]],
      [3, 0, "10%", [0, 1]],
      [3, 1, 0, [1, 0]],
      [2, 1, 5, [1, 2]],
      [0, 1, 1, [0, 0]],
      [undefined, "50%", 0, [1, 0]],
    ] as const
  ) {
    const limits = limitsOf(rolling(replicas, surge, unavailable));
    assertEquals([limits.surge, limits.unavailable], [...expected]);
  }
  const recreate = { spec: { replicas: 3, strategy: { type: "Recreate" } } };
  assertEquals(limitsOf(recreate as never), { surge: 0, unavailable: 0 });
});

Deno.test("newSetReplicas() fills the room that the old ReplicaSets leave, and no more", () => {
  const deployment = rolling(5, 2, 0);
  for (
    const [old, present, expected] of [[5, 0, 2], [4, 2, 3], [7, 0, 0], [9, 1, 1], [0, 4, 5], [
      1,
      4,
      5,
    ]] as const
  ) {
    const sets = [set("a", old), set("bb", present)];
    assertEquals(newSetReplicas(deployment, sets, present), expected, `${old} ${present}`);
  }
  const recreate = { spec: { replicas: 3, strategy: { type: "Recreate" } } };
  assertEquals(newSetReplicas(recreate as never, [set("a", 3)], 0), 3);
});

Deno.test("proportionally() spreads a change over the ReplicaSets, and takes no more than it", () => {
  const sizes = (deployment: Cached<Deployment>, ...sets: Cached<ReplicaSet>[]) =>
    Object.fromEntries(
      [...proportionally(deployment, sets)].map(([{ metadata }, n]) => [metadata.name, n]),
    );
  // 10 replicas and 3 more become 20 and 6 more, or 5 and 2 more.
  assertEquals(sizes(rolling(20, "25%", 0), set("a", 8), set("bb", 5)), { a: 15, bb: 10 });
  assertEquals(sizes(rolling(5, "25%", 0), set("a", 8), set("bb", 5)), { a: 4, bb: 3 });
  assertEquals(sizes(rolling(10, "25%", 0), set("a", 8), set("bb", 5)), { a: 8, bb: 5 });
  assertEquals(sizes(rolling(0, "25%", 0), set("a", 8), set("bb", 5)), { a: 0, bb: 0 });
  // Rounding asks for less or more than the change: the largest gets the rest, the smallest nothing.
  assertEquals(sizes(rolling(12, 3, 0), set("a", 5), set("bb", 5), set("ccc", 3)), {
    a: 6,
    bb: 6,
    ccc: 3,
  });
  assertEquals(sizes(rolling(11, 3, 0), set("a", 5), set("bb", 5), set("ccc", 3)), {
    a: 5,
    bb: 6,
    ccc: 3,
  });
  assertEquals(sizes(rolling(12, 3, 0), set("a", 4), set("bb", 4), set("ccc", 5)), {
    a: 4,
    bb: 5,
    ccc: 6,
  });
  assertEquals(sizes(rolling(9, 2, 0), set("a", 4), set("bb", 4), set("ccc", 5)), {
    a: 3,
    bb: 4,
    ccc: 4,
  });
  // Of equals, the newer one grows first, and the older one shrinks first.
  assertEquals(sizes(rolling(11, 3, 0), set("bb", 4), set("a", 4), set("ccc", 5)), {
    a: 4,
    bb: 4,
    ccc: 6,
  });
  assertEquals(sizes(rolling(9, 5, 0), set("a", 6), set("bb", 6), set("ccc", 1)), {
    a: 6,
    bb: 7,
    ccc: 1,
  });
  assertEquals(sizes(rolling(9, 3, 0), set("bb", 6), set("a", 6), set("ccc", 1)), {
    a: 5,
    bb: 6,
    ccc: 1,
  });
  // Without the annotation, the status counts; without both, nothing is known.
  const plain = (name: string, replicas: number) => set(name, replicas, { metadata: { name } });
  const counted = rolling(20, 0, 1, { status: { replicas: 10 } });
  assertEquals(sizes(counted, plain("a", 6), plain("b", 4)), { a: 12, b: 8 });
  assertEquals(sizes(rolling(20, 0, 1), plain("a", 6), plain("b", 4)), { a: 16, b: 4 });
  assertEquals(sizes(rolling(20, 0, 1)), {});
});

Deno.test("annotatedNumber() and hasTemplateOf() read what a ReplicaSet says", () => {
  for (const [text, value] of [["3", 3], ["0", 0], ["-1", undefined], ["x", undefined]] as const) {
    const one = set("a", 1, { metadata: { annotations: { [MAX]: text } } });
    assertEquals(annotatedNumber(one, MAX), value);
  }
  assertEquals(annotatedNumber(set("a", 1, { metadata: {} }), MAX), undefined);
  const template = (labels: object, image = "i") => ({
    spec: { template: { metadata: { labels }, spec: { containers: [{ name: "c", image }] } } },
  });
  const deployment = template({ app: "web" }) as never;
  const of = (labels: object, image?: string) =>
    hasTemplateOf(template(labels, image) as never, deployment);
  assertEquals(of({ app: "web", "pod-template-hash": "x" }), true);
  assertEquals([of({ app: "db" }), of({ app: "web" }, "j"), of({})], [false, false, false]);
});

Deno.test("newSetAnnotations() copies annotations, and keeps a bounded history of revisions", () => {
  const own = {
    team: "a",
    "kubectl.kubernetes.io/last-applied-configuration": "{}",
    [REVISION]: "9",
    [HISTORY]: "8",
    [MAX]: "7",
    "deployment.kubernetes.io/desired-replicas": "6",
    "deprecated.deployment.rollback.to": "5",
  };
  const deployment = { metadata: { annotations: own } } as unknown as Cached<Deployment>;
  assertEquals(newSetAnnotations(deployment, {}, 1), { team: "a", [REVISION]: "1" });
  const present = { team: "b", other: "c", [REVISION]: "1" };
  const second = { team: "a", other: "c", [REVISION]: "4", [HISTORY]: "1" };
  assertEquals(newSetAnnotations(deployment, present, 4), second);
  assertEquals(newSetAnnotations(deployment, second, 4), second);
  assertEquals(newSetAnnotations(deployment, second, 3), second);
  assertEquals(newSetAnnotations(deployment, second, 5)[HISTORY], "1,4");
  const long = { [REVISION]: "7", [HISTORY]: "12345,".repeat(333).slice(0, -1) };
  assertEquals(newSetAnnotations(deployment, long, 8)[HISTORY]?.length, 1999);
  assertEquals(
    newSetAnnotations(deployment, { ...long, [REVISION]: "71" }, 72)[HISTORY],
    [
      ...Array(333).fill("12345"),
      "71",
    ].join(",").slice(0, 2000),
  );
  assertEquals(
    newSetAnnotations(deployment, { ...long, [REVISION]: "712" }, 713)[HISTORY]?.length,
    1995,
  );
  assertEquals(revisionOf({ metadata: { annotations: { [REVISION]: "3" } } }), 3);
  assertEquals(revisionOf({ metadata: {} }), 0);
  assertEquals(sizeAnnotations(rolling(10, "25%", 0)), {
    [MAX]: "13",
    "deployment.kubernetes.io/desired-replicas": "10",
  });
});

Deno.test("isComplete() asks for all replicas, new and available, and for the generation", () => {
  const deployment = rolling(3, 1, 0);
  const status = {
    replicas: 3,
    updatedReplicas: 3,
    availableReplicas: 3,
    observedGeneration: 3,
  } as Deployment["status"] & object;
  assertEquals(isComplete(deployment, status), true);
  assertEquals(isComplete(deployment, { ...status, observedGeneration: 4 }), true);
  for (const key of Object.keys(status)) {
    assertEquals(isComplete(deployment, { ...status, [key]: 2 }), false, key);
  }
  assertEquals(isComplete(deployment, { ...status, replicas: 4 }), false);
  assertEquals(isComplete(deployment, undefined), false);
});

/** Returns the condition of a type after `seconds`, as `status reason since updated`. */
function condition(
  deployment: Cached<Deployment>,
  sets: Cached<ReplicaSet>[],
  seconds: number,
  type = "Progressing",
): string | undefined {
  const { conditions } = rolloutStatus(deployment, sets, sets[0], START_MS + 1000 * seconds);
  const found = conditions?.find((one) => one.type === type);
  if (found === undefined) return undefined;
  const since = [found.lastTransitionTime, found.lastUpdateTime].map((time) => time?.slice(17, 19));
  return [found.status, found.reason, ...since].join(" ");
}

Deno.test("rolloutStatus() renews the progress with each step, and times out without one", () => {
  const counts = { replicas: 2, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1 };
  const progressing = (reason = "ReplicaSetUpdated", status = "True") => ({
    type: "Progressing",
    status,
    reason,
    lastTransitionTime: "2026-01-01T00:00:00Z",
    lastUpdateTime: "2026-01-01T00:00:05Z",
  });
  const started = (conditions: object[], deadline?: number, before: object = counts) =>
    rolling(2, 1, 0, {
      spec: {
        replicas: 2,
        progressDeadlineSeconds: deadline,
        strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      },
      status: { ...before, conditions },
    });
  const sets = (fresh: object, old: object) => [
    set("a", 2, { status: fresh }),
    set("bb", 0, { status: old }),
  ];
  const one = { replicas: 1, readyReplicas: 1, availableReplicas: 1 };
  const none = { replicas: 1 };
  const running = started([progressing()], 10);
  assertEquals(deadlineMs(running), START_MS + 15_000);
  assertEquals(deadlineMs(started([], 10)), Infinity);
  assertEquals(deadlineMs(started([progressing()])), Infinity);
  // Nothing has changed.
  assertEquals(condition(running, sets(one, none), 9), "True ReplicaSetUpdated 00 05");
  assertEquals(condition(running, sets(one, none), 15), "True ReplicaSetUpdated 00 05");
  assertEquals(condition(running, sets(one, none), 16), "False ProgressDeadlineExceeded 16 16");
  // A new Pod, an old one less, a ready one, an available one.
  for (
    const [fresh, old] of [
      [{ ...one, replicas: 2 }, none],
      [one, {}],
      [{ ...one, readyReplicas: 2 }, none],
      [{ ...one, availableReplicas: 2 }, none],
    ] as const
  ) {
    assertEquals(condition(running, sets(fresh, old), 20), "True ReplicaSetUpdated 00 20");
  }
  // Of a status without numbers, the first of each is progress.
  for (
    const [fresh, old] of [
      [{ replicas: 1 }, {}],
      [{ readyReplicas: 1 }, {}],
      [{ availableReplicas: 1 }, {}],
    ] as const
  ) {
    const first = started([progressing()], 10, {});
    assertEquals(condition(first, sets(fresh, old), 9), "True ReplicaSetUpdated 00 09");
  }
  const nothing = started([progressing()], 10, {});
  assertEquals(condition(nothing, sets({}, {}), 9), "True ReplicaSetUpdated 00 05");
  assertEquals(condition(nothing, sets({}, { replicas: 1 }), 9), "True ReplicaSetUpdated 00 05");
  const late = started([progressing("ProgressDeadlineExceeded", "False")], 1000);
  assertEquals(condition(late, sets(one, none), 6), "False ProgressDeadlineExceeded 00 05");
  assertEquals(condition(late, sets(one, {}), 6), "True ReplicaSetUpdated 06 06");
  const done = started([progressing("NewReplicaSetAvailable")], 1);
  assertEquals(
    condition(done, sets({ ...one, replicas: 1 }, {}), 59)?.slice(5),
    [
      "NewReplicaSetAvailable",
      "00",
      "05",
    ].join(" "),
  );
  const unlimited = started([progressing()], 2 ** 31 - 1);
  assertEquals(condition(unlimited, sets(one, none), 9), undefined);
  const all = { replicas: 2, readyReplicas: 2, availableReplicas: 2 };
  assertEquals(condition(running, sets(all, {}), 9), "True NewReplicaSetAvailable 00 09");
});

Deno.test("rolloutStatus() shows the failure of a ReplicaSet until it is over, and what is available", () => {
  const failure = {
    type: "ReplicaFailure",
    status: "True",
    reason: "FailedCreate",
    lastTransitionTime: "2026-01-01T00:00:07Z",
  };
  const deployment = rolling(4, 1, 1, { status: { conditions: [failure] } });
  const fresh = rolling(4, 1, 1, { status: {} });
  const failed = set("a", 4, { status: { conditions: [failure, { ...failure, type: "X" }] } });
  assertEquals(condition(fresh, [failed], 9, "ReplicaFailure"), "True FailedCreate 07 07");
  const other = set("a", 4, { status: { conditions: [{ ...failure, type: "X" }] } });
  assertEquals(condition(deployment, [other], 9, "ReplicaFailure"), undefined);
  for (const [availableReplicas, holds] of [[2, "False"], [3, "True"], [4, "True"]] as const) {
    const sets = [set("a", 4, { status: { availableReplicas } })];
    assertEquals(condition(deployment, sets, 9, "Available")?.split(" ")[0], holds);
    const status = rolloutStatus(deployment, sets, sets[0], START_MS);
    assertEquals([status.unavailableReplicas, status.observedGeneration], [
      4 - availableReplicas,
      3,
    ]);
  }
});
