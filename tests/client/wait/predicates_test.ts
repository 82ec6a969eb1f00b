import { assertEquals, assertThrows } from "@std/assert";
import { complete, condition, deleted, established, rolledOut } from "@kubeloop/controller/client";
import type { KubeObject, Stored } from "@kubeloop/controller/types";

function object(kind: string, parts: Record<string, unknown> = {}): Stored<KubeObject> {
  const { metadata, ...rest } = parts as { metadata?: Record<string, unknown> };
  return {
    apiVersion: "apps/v1",
    kind,
    metadata: {
      name: "web",
      namespace: "default",
      uid: "u1",
      resourceVersion: "7",
      generation: 2,
      ...metadata,
    },
    ...rest,
  };
}

/** The status of three replicas that are all updated and available. */
const DONE = {
  observedGeneration: 2,
  replicas: 3,
  updatedReplicas: 3,
  readyReplicas: 3,
  availableReplicas: 3,
};

Deno.test("rolledOut follows the rules of kubectl rollout status for a Deployment", () => {
  const spec = { replicas: 3 };
  const verdict = (status: Record<string, unknown> | undefined) =>
    rolledOut(object("Deployment", { spec, status }));
  const unseen = "its controller has not yet seen the last change";
  assertEquals(verdict(undefined), unseen);
  assertEquals(verdict({ ...DONE, observedGeneration: 1 }), unseen);
  assertEquals(verdict({ ...DONE, updatedReplicas: 1 }), "1 of 3 replicas are updated");
  assertEquals(verdict({ ...DONE, replicas: 4 }), "1 old replicas have not terminated");
  assertEquals(
    verdict({ ...DONE, availableReplicas: 2 }),
    "2 of 3 updated replicas are available",
  );
  assertEquals(verdict(DONE), true);
  assertEquals(rolledOut(undefined), "it does not exist");
});

Deno.test("rolledOut fails for a Deployment that exceeded its progress deadline", () => {
  const conditions = [{
    type: "Progressing",
    status: "False",
    reason: "ProgressDeadlineExceeded",
  }];
  const deployment = (observedGeneration: number) =>
    object("Deployment", {
      spec: { replicas: 3 },
      status: { observedGeneration, conditions },
    });
  assertThrows(
    () => rolledOut(deployment(2)),
    Error,
    "Deployment default/web exceeded its progress deadline",
  );
  // The failure was that of the generation before.
  assertEquals(rolledOut(deployment(1)), "its controller has not yet seen the last change");
});

Deno.test("rolledOut follows the rules of kubectl rollout status for a StatefulSet", () => {
  const verdict = (status: Record<string, unknown>, updateStrategy: unknown) =>
    rolledOut(object("StatefulSet", { spec: { replicas: 3, updateStrategy }, status }));
  const rolling = (partition: number) => ({ type: "RollingUpdate", rollingUpdate: { partition } });
  assertEquals(
    verdict({ ...DONE, observedGeneration: 0 }, rolling(0)),
    "its controller has not yet seen the last change",
  );
  assertEquals(verdict({ ...DONE, readyReplicas: 2 }, rolling(0)), "2 of 3 replicas are ready");
  assertEquals(verdict({ ...DONE, updatedReplicas: 1 }, rolling(0)), "1 of 3 replicas are updated");
  assertEquals(verdict({ ...DONE, updatedReplicas: 1 }, rolling(2)), true);
  assertEquals(verdict({ ...DONE, updatedReplicas: 0 }, rolling(5)), true);
  const revisions = { ...DONE, currentRevision: "a", updateRevision: "b", updatedReplicas: 2 };
  assertEquals(verdict(revisions, { type: "RollingUpdate" }), "2 of 3 replicas are updated");
  assertEquals(verdict({ ...revisions, currentRevision: "b" }, undefined), true);
  assertThrows(
    () => verdict(DONE, { type: "OnDelete" }),
    Error,
    "StatefulSet default/web has the update strategy OnDelete",
  );
});

Deno.test("rolledOut follows the rules of kubectl rollout status for a DaemonSet", () => {
  const all = {
    observedGeneration: 2,
    desiredNumberScheduled: 5,
    updatedNumberScheduled: 5,
    numberAvailable: 5,
  };
  const verdict = (status: Record<string, unknown>, type = "RollingUpdate") =>
    rolledOut(object("DaemonSet", { spec: { updateStrategy: { type } }, status }));
  assertEquals(
    verdict({ ...all, observedGeneration: 1 }),
    "its controller has not yet seen the last change",
  );
  assertEquals(verdict({ ...all, updatedNumberScheduled: 2 }), "2 of 5 Pods are updated");
  assertEquals(verdict({ ...all, numberAvailable: 4 }), "4 of 5 Pods are available");
  assertEquals(verdict(all), true);
  assertThrows(() => verdict(all, "OnDelete"), Error, "rolledOut needs RollingUpdate");
});

Deno.test("rolledOut refuses objects of other kinds", () => {
  assertThrows(
    () => rolledOut(object("Pod")),
    TypeError,
    "rolledOut is for Deployments, StatefulSets and DaemonSets of the group apps: " +
      "received Pod default/web of apps/v1",
  );
  assertThrows(
    () => rolledOut({ ...object("Deployment"), apiVersion: "acme.io/v1" }),
    TypeError,
    "of acme.io/v1",
  );
});

Deno.test("complete waits for a Job, and fails with it", () => {
  const job = (...conditions: unknown[]) =>
    object("Job", { status: { conditions, succeeded: 1, active: 2 } });
  assertEquals(complete(object("Job")), "0 Pods have succeeded, 0 are active");
  assertEquals(
    complete(job({ type: "Complete", status: "False" }, { type: "Failed", status: "False" })),
    "1 Pods have succeeded, 2 are active",
  );
  assertEquals(complete(job({ type: "Complete", status: "True" })), true);
  assertThrows(
    () =>
      complete(job({ type: "Failed", status: "True", reason: "DeadlineExceeded", message: "x" })),
    Error,
    "Job default/web has failed: DeadlineExceeded: x",
  );
});

Deno.test("condition() compares the status, and ignores one of an older generation", () => {
  const ready = condition("Ready");
  const withReady = (fields: Record<string, unknown>, status: Record<string, unknown> = {}) =>
    object("Widget", { status: { ...status, conditions: [null, { type: "Ready", ...fields }] } });
  assertEquals(ready(object("Widget")), "it has no condition Ready");
  assertEquals(
    ready(object("Widget", { status: { conditions: "none" } })),
    "it has no condition Ready",
  );
  assertEquals(ready(withReady({ status: "True" })), true);
  assertEquals(
    ready(withReady({ status: "False", reason: "Pulling", message: "\x1b[2J" })),
    "its condition Ready is False: Pulling: \\u001b[2J",
  );
  assertEquals(ready(withReady({ status: "True", observedGeneration: 2 })), true);
  const old = "its condition Ready is of generation 1, the object is at 2";
  assertEquals(ready(withReady({ status: "True", observedGeneration: 1 })), old);
  assertEquals(ready(withReady({ status: "True" }, { observedGeneration: 1 })), old);
  assertEquals(
    ready(withReady({ status: "True", observedGeneration: 2 }, { observedGeneration: 1 })),
    true,
  );
  assertEquals(condition("Ready", "False")(withReady({ status: "False" })), true);
  // As for kubectl, upper and lower case make no difference.
  assertEquals(condition("rEADY")(withReady({ status: "true" })), true);
  assertEquals(condition("ready", "False")(withReady({ status: "FALSE" })), true);
  assertEquals(condition("ready")(withReady({ status: 5 })), "its condition ready is 5");
  const both = [{ type: "ready", status: "False" }, { type: "Ready", status: "True" }];
  assertEquals(ready(object("Widget", { status: { conditions: both } })), true);
  assertEquals(established(withReady({ status: "True" })), "it has no condition Established");
  const conditions = [
    { type: "NamesAccepted", status: "False", reason: "KindConflict", message: "in use" },
    { type: "Established", status: "False" },
  ];
  assertThrows(
    () => established(object("CustomResourceDefinition", { status: { conditions } })),
    Error,
    "its names are taken (KindConflict): in use: delete the other CustomResourceDefinition",
  );
  assertEquals(condition("Ready", "Unknown")(withReady({ status: "Unknown" })), true);
  for (
    const [fields, reason] of [
      [{ reason: "", message: "" }, ""],
      [{ reason: 5, message: "slow" }, ": slow"],
      [{ reason: "Slow" }, ": Slow"],
      // The colon and the blank count, too.
      [{ message: "x".repeat(498) }, `: ${"x".repeat(498)}`],
      [{ message: "x".repeat(499) }, `: ${"x".repeat(498)}… (1 more characters)`],
    ] as const
  ) {
    assertEquals(
      ready(withReady({ status: "False", ...fields })),
      `its condition Ready is False${reason}`,
    );
  }
  const withoutGeneration = object("Widget", {
    metadata: { generation: undefined },
    status: { observedGeneration: 1, conditions: [{ type: "Ready", status: "True" }] },
  });
  assertEquals(ready(withoutGeneration), true);
  const needsType = 'condition() needs the type of a condition, such as condition("Ready")';
  const needsStatus = 'condition("Ready", …) needs the status "True", "False" or "Unknown"';
  for (
    const [args, problem] of [
      [[""], `${needsType}: received an empty text`],
      [[5], `${needsType}: received a value of type number`],
      [["Ready", "true"], `${needsStatus}: received "true"`],
      [["Ready", true], `${needsStatus}: received a value of type boolean`],
    ] as const
  ) {
    assertThrows(() => condition(...args as unknown as ["Ready", "True"]), TypeError, problem);
  }
});

Deno.test("deleted() holds for an object that is gone, or that has another UID", () => {
  assertEquals(deleted()(undefined), true);
  assertEquals(deleted("u0")(object("Pod")), true);
  assertEquals(deleted("u1")(object("Pod")), "it exists, and nobody has deleted it");
  const deletionTimestamp = "2026-01-01T00:00:00Z";
  assertEquals(deleted()(object("Pod", { metadata: { deletionTimestamp } })), "it terminates");
  assertEquals(
    deleted()(object("Pod", { metadata: { deletionTimestamp, finalizers: ["a/b", "c/d"] } })),
    "it waits for its finalizers a/b, c/d",
  );
  assertThrows(() => deleted({} as unknown as string), TypeError, "metadata.uid");
  assertThrows(() => deleted(""), TypeError, "an empty text");
});
