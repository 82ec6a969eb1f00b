/** The server's own controllers when a write of theirs fails, as on a full disk. */

import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { assertProperty } from "../../support/seeded_runs.ts";
import { RecordingLogger } from "../../support/recording_logger.ts";
import { Cluster } from "./cluster.ts";

const DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const THINGS = "/apis/names.example.com/v1/namespaces/default";
const ROLES = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
const FLOW = "/apis/flowcontrol.apiserver.k8s.io/v1";
const MERGE = { "content-type": "application/merge-patch+json" };

/** A request of the client, with the status of its success. */
type Step = readonly [method: string, path: string, body?: object, status?: number];

function definition(plural: string, kind: string, group = "names.example.com"): object {
  const openAPIV3Schema = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  return {
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { plural, kind },
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  };
}

function approved(plural: string, kind: string): object {
  const one = definition(plural, kind, "own.k8s.io") as { metadata: object };
  const annotations = { "api-approved.kubernetes.io": "https://example.com/1" };
  return { ...one, metadata: { ...one.metadata, annotations } };
}

function apple(name: string, finalizers: string[] = []): object {
  return { apiVersion: "names.example.com/v1", kind: "Apple", metadata: { name, finalizers } };
}

function role(name: string, verb: string): object {
  const rules = [{ apiGroups: ["names.example.com"], resources: ["apples"], verbs: [verb] }];
  return { metadata: { name, labels: { part: "yes" } }, rules };
}

const DEFINED: readonly Step[] = [
  ["POST", DEFINITIONS, definition("apples", "Apple"), 201],
  ["POST", DEFINITIONS, definition("pears", "Apple"), 201],
  ["POST", DEFINITIONS, approved("plums", "Plum"), 201],
  ["POST", `${THINGS}/apples`, apple("free"), 201],
  ["POST", `${THINGS}/apples`, apple("held", ["example.com/hold"]), 201],
  ["PATCH", `${DEFINITIONS}/apples.names.example.com`, { spec: { names: { shortNames: ["a"] } } }],
  ["DELETE", `${DEFINITIONS}/apples.names.example.com`],
  ["PATCH", `${THINGS}/apples/held`, { metadata: { finalizers: null } }],
  ["DELETE", `${DEFINITIONS}/plums.own.k8s.io`],
];

const AGGREGATED: readonly Step[] = [
  ["POST", ROLES, {
    metadata: { name: "all" },
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: { part: "yes" } }] },
    rules: [],
  }, 201],
  ["POST", ROLES, role("reader", "get"), 201],
  ["POST", ROLES, role("writer", "create"), 201],
  ["PATCH", `${ROLES}/writer`, { metadata: { labels: { part: "no" } } }],
  ["DELETE", `${ROLES}/reader`],
  ["POST", ROLES, role("lister", "list"), 201],
];

const DIRECTED: readonly Step[] = [
  ["POST", `${FLOW}/flowschemas`, {
    metadata: { name: "own" },
    spec: { priorityLevelConfiguration: { name: "own" } },
  }, 201],
  ["POST", `${FLOW}/prioritylevelconfigurations`, {
    metadata: { name: "own" },
    spec: {
      type: "Limited",
      limited: { nominalConcurrencyShares: 1, limitResponse: { type: "Reject" } },
    },
  }, 201],
  ["POST", `${FLOW}/flowschemas`, {
    metadata: { name: "other" },
    spec: { priorityLevelConfiguration: { name: "own" } },
  }, 201],
  ["DELETE", `${FLOW}/prioritylevelconfigurations/own`],
];

/** The state that a run ends in. */
interface End {
  /** The objects without what depends on times and on the number of writes. */
  readonly objects: string[];
  /** The served resources of the groups of the definitions. */
  readonly served: string[];
  /** The number of attempts to write. */
  readonly attempts: number;
}

/** Runs the steps on a disk that takes no write from attempt `first` on, for `count` attempts. */
async function run(steps: readonly Step[], first: number, count: number): Promise<End> {
  await using cluster = new Cluster({ logger: new RecordingLogger() });
  let attempts = 0;
  cluster.server.beforeWrite(() => {
    attempts++;
    if (attempts >= first && attempts < first + count) throw new Error("no space left on device");
  });
  for (const [method, path, body, status = 200] of steps) {
    let answer = await cluster.call(method, path, body, method === "PATCH" ? MERGE : {});
    // A request that has failed has stored nothing, so that it can be repeated as it was.
    for (let tries = 0; answer.status === 500 && tries < 100; tries++) {
      await cluster.clock.advance(1000);
      answer = await cluster.call(method, path, body, method === "PATCH" ? MERGE : {});
    }
    assertEquals(answer.status, status, `${method} ${path}: ${answer.text}`);
    await cluster.clock.advance(10_000);
  }
  await cluster.clock.advance(300_000);
  assertEquals(cluster.clock.pendingTimers, 0, "nothing is left to do");
  const served: string[] = [];
  for (const group of ["names.example.com", "own.k8s.io"]) {
    const { json } = await cluster.get(`/apis/${group}/v1`);
    served.push(...(json?.resources ?? []).map(({ name }: { name: string }) => `${name}.${group}`));
  }
  const objects = cluster.server.state().objects
    .filter(({ resource, text }) =>
      /example|k8s.io$/.test(resource) && !text.includes("kubernetes.io/bootstrapping")
    )
    .map(({ text }) =>
      text.replace(/"(uid|resourceVersion|creationTimestamp|lastTransitionTime|time)":"[^"]*"/g, "")
    );
  return { objects, served, attempts };
}

for (const [name, steps] of Object.entries({ DEFINED, AGGREGATED, DIRECTED })) {
  Deno.test(`${name.toLowerCase()} objects end in the same state whichever write fails`, async () => {
    const whole = await run(steps, Infinity, 0);
    assert(whole.attempts > steps.length, "the controllers write too");
    for (let first = 1; first <= whole.attempts; first++) {
      const { objects, served } = await run(steps, first, 1);
      assertEquals([objects, served], [whole.objects, whole.served], `write ${first}`);
    }
    const outage = fc.tuple(
      fc.integer({ min: 1, max: whole.attempts }),
      fc.integer({ min: 2, max: 12 }),
    );
    await assertProperty(
      fc.asyncProperty(outage, async ([first, count]) => {
        const { objects, served } = await run(steps, first, count);
        assertEquals([objects, served], [whole.objects, whole.served]);
      }),
      20,
    );
  });
}

Deno.test("work that fails is retried with growing delays, with a line for each, until the server is closed", async () => {
  const logger = new RecordingLogger();
  const cluster = new Cluster({ logger });
  let isFull = false;
  cluster.server.beforeWrite(({ type }) => {
    if (isFull) throw new Error("no space left on device");
    // The definition is stored, and nothing after it.
    isFull = type === "ADDED";
  });
  const [, , body] = DEFINED[0]!;
  assertEquals((await cluster.call("POST", DEFINITIONS, body)).status, 201);
  await cluster.clock.advance(3600_000);
  const lines = logger.of("warn");
  assertEquals(
    lines[0],
    "The API server cannot serve the definition apples.names.example.com and tries again in 100 ms",
  );
  // Half a minute apart, after the first minute.
  assert(lines.length > 120 && lines.length < 140, `${lines.length} lines`);
  assertEquals(cluster.clock.pendingTimers, 1);
  await cluster.server.close();
  assertEquals(cluster.clock.pendingTimers, 0);
});
