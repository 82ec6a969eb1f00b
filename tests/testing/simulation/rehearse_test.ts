import { ConfigMaps, Deployments, type KubeObject } from "@kubeloop/controller";
import {
  DaemonSets,
  ReplicaSets,
  type StatefulSet,
  StatefulSets,
} from "@kubeloop/controller/types/apps/v1";
import { Leases } from "@kubeloop/controller/types/coordination/v1";
import { type Process, rehearse } from "@kubeloop/testing/simulation";
import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";

const namespace = "default";

function configMap(name: string, data: Record<string, string>): KubeObject {
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name, namespace },
    data,
  } as KubeObject;
}

/** Returns an operator that applies these values to the ConfigMap `made`. */
function applies(data: Record<string, string>, fieldManager = "operator", force = false): Process {
  return async ({ client }) => {
    await client.apply(ConfigMaps, { metadata: { name: "made" }, data }, {
      namespace,
      fieldManager,
      force,
    });
  };
}

Deno.test("rehearse() finds no difference between a version and itself", async () => {
  const rehearsal = await rehearse({
    world: [],
    before: applies({ a: "1" }),
    after: applies({ a: "1" }),
  });
  assertEquals([rehearsal.isSame, rehearsal.tables()], [true, []]);
  assertEquals(
    String(rehearsal),
    "The upgrade changes nothing in a world of 0 objects, within 1 hour.",
  );
});

Deno.test("rehearse() reports writes by kind and field, with the first object and its values", async () => {
  const all = (value: string): Process => async ({ client }) => {
    for (const name of ["a", "b"]) {
      const change = { data: { value } };
      await client.patch(ConfigMaps, name, change, { namespace });
    }
  };
  const world = [configMap("a", { value: "0" }), configMap("b", { value: "0" })];
  const rehearsal = await rehearse({ world, before: all("1"), after: all("2") });
  const [write] = rehearsal.writes;
  assertEquals(rehearsal.writes.length, 1);
  assertEquals(
    { ...write, after: 0 },
    {
      verb: "update",
      resource: "configmaps",
      field: "data.value",
      before: 0,
      after: 0,
      objects: 2,
      example: "default/a",
      from: "1",
      to: "2",
    },
  );
  assertStringIncludes(String(rehearsal), 'update configmaps data.value: "1" → "2"');
});

Deno.test("rehearse() reports deletions", async () => {
  const deletes: Process = async ({ client }) => {
    await client.deleteCollection(ConfigMaps, { namespace, labelSelector: "old=yes" });
  };
  const old = configMap("old", {});
  const world = [{ ...old, metadata: { ...old.metadata, labels: { old: "yes" } } }];
  const rehearsal = await rehearse({ world, before: () => {}, after: deletes });
  assertEquals(rehearsal.deletions, [
    { resource: "configmaps", before: 0, after: 1, example: "default/old" },
  ]);
});

/** Returns a workload with a template of this image. */
function workload(kind: string, uid: string, spec: object = {}): KubeObject {
  const labels = { app: "web" };
  return {
    apiVersion: "apps/v1",
    kind,
    metadata: { name: "web", namespace, uid },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "main", image: "web:1" }] } },
      ...spec,
    },
  } as KubeObject;
}

function ownedBy(kind: string, uid: string, object: KubeObject, name: string): KubeObject {
  const owner = { apiVersion: "apps/v1", kind, name: "web", uid, controller: true };
  return { ...object, metadata: { ...object.metadata, name, ownerReferences: [owner] } };
}

const pod = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "web", namespace },
  spec: { nodeName: "n", containers: [{ name: "main", image: "web:1" }] },
} as KubeObject;

const [outer, inner] = [
  "11111111-1111-4111-8111-111111111111",
  "22222222-2222-4222-8222-222222222222",
];
const setImage = {
  spec: { template: { spec: { containers: [{ name: "main", image: "web:2" }] } } },
};

Deno.test("rehearse() counts the Pods of the ReplicaSets of a Deployment", async () => {
  const rehearsal = await rehearse({
    world: [
      workload("Deployment", outer, { replicas: 9 }),
      ownedBy("Deployment", outer, workload("ReplicaSet", inner), "web-1"),
      ownedBy("ReplicaSet", inner, pod, "web-1-a"),
      ownedBy("ReplicaSet", inner, pod, "web-1-b"),
    ],
    before: () => {},
    after: async ({ client }) => {
      await client.patch(Deployments, "web", setImage, { namespace });
      await client.patch(ReplicaSets, "web-1", { metadata: { labels: { a: "b" } } }, { namespace });
    },
  });
  assertEquals(rehearsal.restarts, [{
    owner: "deployments.apps default/web",
    how: "rolls",
    pods: 2,
    times: 1,
    fields: [{
      field: "spec.template.spec.containers[name=main].image",
      from: "web:1",
      to: "web:2",
    }],
  }]);
  assertStringIncludes(rehearsal.summary(), "restarts 2 Pods");
});

Deno.test("rehearse() marks Pods that are replaced only after their deletion", async () => {
  const rehearsal = await rehearse({
    world: [workload("DaemonSet", outer, { updateStrategy: { type: "OnDelete" } })],
    before: () => {},
    after: async ({ client }) => {
      await client.patch(DaemonSets, "web", setImage, { namespace });
    },
  });
  assertEquals(rehearsal.restarts.map(({ how }) => how), ["on delete"]);
  assertStringIncludes(rehearsal.summary(), "restarts no Pod");
});

Deno.test("rehearse() reports a workload that is deleted and created again, with its Pods once", async () => {
  const rehearsal = await rehearse({
    world: [workload("StatefulSet", outer), ownedBy("StatefulSet", outer, pod, "web-0")],
    before: () => {},
    after: async ({ client, clock }) => {
      await client.delete(StatefulSets, "web", { namespace });
      await new Promise<void>((resolve) => void clock.setTimer(resolve, 20_000));
      const again = workload("StatefulSet", outer, { serviceName: "other" }) as StatefulSet;
      await client.create(StatefulSets, { ...again, metadata: { name: "web" } }, { namespace });
      await new Promise(() => {});
    },
  });
  const [restart] = rehearsal.restarts;
  assertEquals(rehearsal.restarts.length, 1);
  assertEquals([restart?.how, restart?.pods], ["deletes the owner", 1]);
  assertEquals(restart?.fields.map(({ field }) => field), ["spec.serviceName"]);
  // The garbage collector has deleted the Pod.
  assertEquals(rehearsal.deletions.map(({ resource }) => resource).sort(), [
    "pods",
    "statefulsets.apps",
  ]);
});

Deno.test("rehearse() reports applies that conflict with another field manager", async () => {
  const world = [configMap("made", { a: "0" })];
  const rehearsal = await rehearse({
    world,
    before: () => {},
    after: applies({ a: "1" }),
  });
  const [refusal] = rehearsal.refusals;
  assertEquals([refusal?.verb, refusal?.resource, refusal?.status], ["patch", "configmaps", 409]);
  assertStringIncludes(refusal!.message, ".data.a");
  assert(rehearsal.problems.some((problem) => problem.includes("conflict")));
});

Deno.test("rehearse() reports fields that move to another field manager", async () => {
  const rehearsal = await rehearse({
    world: [],
    before: applies({ a: "1" }),
    after: applies({ a: "1" }, "operator-v2"),
  });
  assertEquals(rehearsal.ownership, [{
    resource: "configmaps",
    field: "data.a",
    from: "operator",
    to: "operator, operator-v2",
    objects: 1,
    example: "default/made",
  }]);
});

Deno.test("rehearse() reports the requests that only the new version sends", async () => {
  const rehearsal = await rehearse({
    world: [],
    before: applies({ a: "1" }),
    after: async (env) => {
      await applies({ a: "1" })(env);
      await env.client.list(Deployments);
    },
  });
  assertEquals(
    rehearsal.requests.filter(({ differs }) => differs).map(({ before, resource, verb }) =>
      `${verb} ${resource} ${before}`
    ),
    ["list deployments.apps 0"],
  );
  assertEquals(rehearsal.isSame, false);
});

Deno.test("rehearse() ends a version that never rests, and says so", async () => {
  const again = (pauseMs: number): Process => async ({ client, clock }) => {
    for (;;) {
      await client.list(ConfigMaps, { namespace });
      await new Promise<void>((resolve) => void clock.setTimer(resolve, pauseMs));
    }
  };
  const { problems } = await rehearse({ world: [], before: () => {}, after: again(5) });
  assertEquals(problems.length, 1);
  assertMatch(problems[0]!, /^it sends \d+ requests within \d+ s$/);
});

Deno.test("rehearse() lets the next version lead at once", async () => {
  const leads: Process = async ({ client, identity }) => {
    await client.create(Leases, {
      metadata: { name: "lock" },
      spec: { holderIdentity: identity },
    }, { namespace });
    await new Promise(() => {});
  };
  const rehearsal = await rehearse({ world: [], before: leads, after: leads });
  assertEquals([rehearsal.isSame, rehearsal.notes], [true, []]);
});

Deno.test("rehearse() waits for a version that leads late", async () => {
  const leadsLate = (value: string): Process => async (env) => {
    const { client, clock } = env;
    await client.create(Leases, { metadata: { name: "lock" } }, { namespace });
    await new Promise<void>((resolve) => void clock.setTimer(resolve, 120_000));
    await client.list(ConfigMaps, { namespace });
    await new Promise<void>((resolve) => void clock.setTimer(resolve, 30_000));
    await applies({ value })(env);
  };
  const { writes } = await rehearse({ world: [], before: leadsLate("1"), after: leadsLate("2") });
  assertEquals(writes.map(({ field, from, verb }) => [verb, field, from]), [
    ["update", "data.value", "1"],
  ]);
});

Deno.test("rehearse() reads the lines of a snapshot that was resumed", async () => {
  const line = (value: unknown) => JSON.stringify(value);
  const stored = (name: string, resourceVersion: string) =>
    line({ ...configMap(name, {}), metadata: { name, namespace, resourceVersion } });
  const lines = [
    line({ snapshot: { format: 1, kubernetes: "v1.37.2" } }),
    line({ snapshot: { resource: "configmaps" } }),
    stored("gone", "100"),
    '{"apiVersion":"v1","ki',
    line({ snapshot: { resource: "configmaps" } }),
    stored("kept", "101"),
    line({ snapshot: { resource: "configmaps", complete: true } }),
    line({ snapshot: { complete: true } }),
  ];
  const names: string[] = [];
  const reads: Process = async ({ client }) => {
    const { items } = await client.list(ConfigMaps, { namespace });
    names.splice(0, Infinity, ...items.map(({ metadata }) => metadata.name));
  };
  const rehearsal = await rehearse({ world: lines, before: reads, after: reads });
  assertEquals(names.includes("kept"), true);
  assertEquals([names.includes("gone"), rehearsal.objects], [false, 1]);
  await assertRejects(
    () => rehearse({ world: lines.slice(0, -1), before: reads, after: reads }),
    SyntaxError,
    "kubeloop snapshot --resume",
  );
  const hurt = [lines[0]!, lines[1]!, lines[3]!, ...lines.slice(5)];
  await assertRejects(
    () => rehearse({ world: hurt, before: reads, after: reads }),
    SyntaxError,
    "line 3 is not JSON",
  );
});

Deno.test("rehearse() reads the file of a world, and names a missing file", async () => {
  const world = await Deno.makeTempFile();
  const nothing: Process = () => {};
  try {
    const text = ["a", "b"].map((name) => JSON.stringify(configMap(name, { a: "€" }))).join("\n");
    await Deno.writeTextFile(world, text);
    const { objects } = await rehearse({ world, before: nothing, after: nothing, forMs: 60_000 });
    assertEquals(objects, 2);
  } finally {
    await Deno.remove(world);
  }
  const error = await assertRejects(() => rehearse({ world, before: nothing, after: nothing }));
  assertStringIncludes(String(error), world);
});

Deno.test("rehearse() names an object of a world that cannot be created", async () => {
  const error = await assertRejects(
    () => rehearse({ world: [configMap("Not A Name", {})], before: () => {}, after: () => {} }),
    SyntaxError,
  );
  assertStringIncludes(error.message, "Cannot create the ConfigMap Not A Name of the world");
});

Deno.test("rehearse() notes the kinds that the server does not serve", async () => {
  const metadata = { name: "a", resourceVersion: "7" };
  const odd = { apiVersion: "example.com/v1", kind: "Odd", metadata };
  const { notes } = await rehearse({ world: [odd], before: () => {}, after: () => {} });
  assertEquals(notes, [
    "1 object left out, because the server does not serve Odd of example.com/v1",
  ]);
});

Deno.test("rehearse() compares nothing with an old version that fails", async () => {
  const fails = () => {
    throw new Error("no configuration");
  };
  const rehearsal = await rehearse({ world: [], before: fails, after: fails });
  assertEquals(rehearsal.isSame, false);
  assertStringIncludes(rehearsal.summary(), "The old version fails");
  assertStringIncludes(String(rehearsal), "no configuration");
});

Deno.test("rehearse() ends when its signal aborts", async () => {
  const stop = new AbortController();
  const ends = ({ signal }: { readonly signal: AbortSignal }) => {
    stop.abort(new Error("enough"));
    return new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
  };
  const options = { world: [], before: ends, after: ends, signal: stop.signal };
  await assertRejects(() => rehearse(options), Error, "enough");
});

Deno.test("rehearse() refuses what is neither a process nor a command", async () => {
  await assertRejects(
    () => rehearse({ world: [], before: () => {}, after: { command: [] } as never }),
    TypeError,
    "Invalid after",
  );
});

Deno.test("a Rehearsal is a page without scripts, and hides nothing as a mark", async () => {
  const rehearsal = await rehearse({
    world: [],
    before: applies({ a: "1" }),
    after: applies({ a: "<script>alert(1)</script>" }),
  });
  const page = rehearsal.toHtml();
  assert(!page.includes("<script"));
  assertStringIncludes(page, "&lt;script&gt;");
  assertStringIncludes(page, "default-src 'none'");
  const { isSame, writes } = JSON.parse(JSON.stringify(rehearsal));
  assertEquals([isSame, writes[0].to], [false, "<script>alert(1)</script>"]);
});

/** A program without dependencies: it writes a value, and then waits. */
const PROGRAM = `
import { readFileSync } from "node:fs";
const { clusters: [{ cluster: { server } }] } = JSON.parse(readFileSync(process.env.KUBECONFIG, "utf8"));
const url = server + "/api/v1/namespaces/default/configmaps/made?fieldManager=program&force=true";
await (await fetch(url, {
  method: "PATCH",
  headers: { "content-type": "application/apply-patch+yaml" },
  body: JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "made" }, data: { v: process.env.VALUE } }),
})).text();
setInterval(() => {}, 1000);
`;

Deno.test("rehearse() runs programs of any language, and ends them", async () => {
  const program = await Deno.makeTempFile({ suffix: ".mjs" });
  await Deno.writeTextFile(program, PROGRAM);
  const run = (VALUE: string) => ({
    command: [Deno.execPath(), "run", "-A", "--no-config", program] as [string, ...string[]],
    env: { VALUE },
  });
  try {
    const rehearsal = await rehearse({
      world: [],
      before: run("1"),
      after: run("2"),
      quietMs: 500,
    });
    assertEquals(rehearsal.problems, []);
    assertEquals(
      rehearsal.writes.map(({ field, from, to }) => ({ field, from, to })),
      [{ field: "data.v", from: "1", to: "2" }],
    );
    const broken = await rehearse({
      world: [],
      before: run("1"),
      after: { command: ["/there/is/no/such/program"] },
      quietMs: 500,
    });
    assertStringIncludes(broken.problems.join(), "it cannot be started");
  } finally {
    await Deno.remove(program);
  }
});
