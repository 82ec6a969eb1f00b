import { assert, assertEquals, assertMatch, assertNotEquals, assertThrows } from "@std/assert";
import type { Random } from "../../../src/base/mod.ts";
import { SeededRandom } from "../../../src/testing/mod.ts";
import { ApiServer } from "../../../src/testing/api_server/mod.ts";
import { Cluster } from "./cluster.ts";

const MAPS = Cluster.path("configmaps");

Deno.test("create sets uid, revision and time, and completes generateName", async () => {
  await using cluster = new Cluster();
  const { status, json } = await cluster.call("POST", MAPS, { metadata: { generateName: "a-" } });
  assertEquals(status, 201);
  assertMatch(json.metadata.name, /^a-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
  assertMatch(
    json.metadata.uid,
    /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  );
  assertEquals(json.metadata.creationTimestamp, "2026-01-01T00:00:00Z");
  assertEquals(json.metadata.resourceVersion, cluster.server.resourceVersion);
});

Deno.test("create rejects a taken name, and a namespace that is missing or terminating", async () => {
  await using cluster = new Cluster();
  await cluster.configMap("a");
  assertEquals((await cluster.configMap("a")).json.reason, "AlreadyExists");
  const missing = await cluster.call("POST", "/api/v1/namespaces/none/pods", {
    metadata: { name: "p" },
  });
  assertEquals([missing.status, missing.json.message], [404, 'namespaces "none" not found']);
  await cluster.call("POST", "/api/v1/namespaces", { metadata: { name: "old" } });
  await cluster.call("DELETE", "/api/v1/namespaces/old");
  const late = await cluster.call("POST", "/api/v1/namespaces/old/configmaps", {
    metadata: { name: "a" },
  });
  assertEquals([late.status, late.json.details.causes[0].reason], [403, "NamespaceTerminating"]);
});

Deno.test("create tries eight names for a generateName, and then says that none was free", async () => {
  const rest = new SeededRandom(1);
  let equalNames = 0;
  // A name takes five draws. The others of the server must differ, since they are uids too.
  const draws: Random = { next: () => equalNames-- > 0 ? 0 : 0.5 };
  const random: Random = {
    next: () => rest.next(),
    fork: (purpose) => purpose === "names" ? draws : random,
  };
  await using cluster = new Cluster({ random });
  const generate = async (names: number) => {
    equalNames = 5 * names;
    return await cluster.call("POST", MAPS, { metadata: { generateName: "a-" } });
  };
  assertEquals((await generate(1)).json.metadata.name, "a-bbbbb");
  assertEquals((await generate(7)).json.metadata.name, "a-rrrrr");
  const { status, json } = await generate(8);
  const taken = 'configmaps "a-bbbbb" already exists';
  const why = "the server was not able to generate a unique name for the object";
  assertEquals([status, json.reason, json.message], [409, "AlreadyExists", `${taken}, ${why}`]);
  assertEquals(json.details, { name: "a-bbbbb", kind: "configmaps", retryAfterSeconds: 1 });
  // Also if the caller has chosen the name, as the real server answers.
  const named = await cluster.configMap("a-bbbbb", { generateName: "a-" });
  assertEquals(named.json.message, json.message);
  assertEquals((await cluster.configMap("a-bbbbb")).json.message, taken);
});

Deno.test("update with a stale revision is a conflict and changes nothing", async () => {
  await using cluster = new Cluster();
  const first = (await cluster.configMap("a")).json;
  await cluster.merge(`${MAPS}/a`, { data: { k: "1" } });
  const stale = await cluster.call("PUT", `${MAPS}/a`, { ...first, data: { k: "2" } });
  assertEquals([stale.status, stale.json.reason], [409, "Conflict"]);
  assertEquals((await cluster.get(`${MAPS}/a`)).json.data, { k: "1" });
});

Deno.test("update and patch that change nothing keep the revision and send no event", async () => {
  await using cluster = new Cluster();
  const object =
    (await cluster.call("POST", MAPS, { metadata: { name: "a" }, data: { b: "1", a: "2" } }))
      .json;
  await using watch = await cluster.watch(
    `${MAPS}?resourceVersion=${object.metadata.resourceVersion}`,
  );
  await cluster.clock.advance(5000);
  const put = await cluster.call("PUT", `${MAPS}/a`, object);
  const patched = await cluster.merge(`${MAPS}/a`, { data: { b: "1" } });
  await cluster.clock.settle();
  for (const { json } of [put, patched]) {
    assertEquals(json.metadata.resourceVersion, object.metadata.resourceVersion);
  }
  assertEquals(watch.lines, []);
});

const APPLY = { "content-type": "application/apply-patch+yaml" };

Deno.test("an apply with keys that occur twice is refused, warned about or taken, as it asks for", async () => {
  await using cluster = new Cluster();
  const body = "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {k: a, k: b}}";
  const outcome = async (fieldValidation: string) => {
    const path = `${MAPS}/a?fieldManager=m&fieldValidation=${fieldValidation}`;
    const { status, json, headers } = await cluster.call("PATCH", path, body, APPLY);
    return [status, json.message ?? json.data.k, headers.get("warning")];
  };
  const why = 'key "k" already set in map';
  const [code, message, warning] = await outcome("Strict");
  assertEquals([code, warning], [400, null]);
  assertMatch(
    message,
    new RegExp(`^error strict decoding YAML: error converting YAML to JSON: .*${why}$`, "s"),
  );
  assertEquals(await outcome("Ignore"), [201, "b", null]);
  assertEquals(await outcome("Warn"), [200, "b", `299 - "line 1: ${why.replaceAll('"', '\\"')}"`]);
});

Deno.test("an apply of a Scale makes its manager the owner of the replicas of the object", async () => {
  await using cluster = new Cluster();
  const path = Cluster.path("replicationcontrollers");
  const labels = { app: "a" };
  await cluster.call("POST", `${path}?fieldManager=maker`, {
    metadata: { name: "a" },
    spec: {
      replicas: 1,
      selector: labels,
      template: { metadata: { labels }, spec: { containers: [{ name: "c", image: "i" }] } },
    },
  });
  const scale = async (manager: string, replicas: number, query = "") => {
    const target = `${path}/a/scale?fieldManager=${manager}${query}`;
    const body = { apiVersion: "autoscaling/v1", kind: "Scale", spec: { replicas } };
    return await cluster.call("PATCH", target, { ...body, metadata: { name: "a" } }, APPLY);
  };
  const owners = async () => {
    const { json } = await cluster.get(`${path}/a`);
    const found = json.metadata.managedFields.filter((one: { fieldsV1: object }) =>
      JSON.stringify(one.fieldsV1).includes('"f:replicas"')
    );
    return found.map((one: Record<string, unknown>) =>
      [one["manager"], one["operation"], one["apiVersion"], one["subresource"]].join(" ")
    );
  };
  assertEquals(await owners(), ["maker Update v1 "]);
  const refused = await scale("scaler", 2);
  assertEquals([refused.status, refused.json.message], [
    409,
    'Apply failed with 1 conflict: conflict with "maker" using autoscaling/v1: .spec.replicas',
  ]);
  assertEquals((await scale("scaler", 2, "&force=true")).json.spec, { replicas: 2 });
  assertEquals(await owners(), ["scaler Apply v1 scale"]);
  const { json } = await cluster.get(`${path}/a`);
  // The fields that the Scale does not have stay with who has set them.
  assertEquals(json.metadata.managedFields.map(({ manager }: Record<string, string>) => manager), [
    "scaler",
    "maker",
  ]);
  assertEquals((await scale("other", 2)).status, 200);
  assertEquals(await owners(), ["other Apply v1 scale", "scaler Apply v1 scale"]);
});

Deno.test("owner references that occur twice are stored once, with a warning", async () => {
  await using cluster = new Cluster();
  const owner = (uid: string, name = "o") => ({ apiVersion: "v1", kind: "Node", name, uid });
  const written = async (method: string, path: string, owners: unknown[]) => {
    const body = { metadata: { name: "a", ownerReferences: owners } };
    const type = `application/${method === "PATCH" ? "merge-patch+" : ""}json`;
    const reply = await cluster.call(method, path, body, { "content-type": type });
    const names = reply.json.metadata.ownerReferences.map(({ uid }: { uid: string }) => uid);
    const warning = reply.headers.get("warning")?.replace(/API server dedups.*observed/, "...");
    return [names.join(" "), warning];
  };
  const what = '299 - ".metadata.ownerReferences contains duplicate entries';
  const twice = [owner("1"), owner("2"), owner("1"), owner("2")];
  assertEquals(await written("POST", MAPS, twice), ["1 2", `${what}; ...: 1, 2"`]);
  assertEquals(await written("PUT", `${MAPS}/a`, twice.slice(1)), ["2 1", `${what}; ...: 2"`]);
  const after = " after mutating admission happens";
  assertEquals(await written("PATCH", `${MAPS}/a`, twice), ["1 2", `${what}${after}; ...: 1, 2"`]);
  // References that differ are all kept.
  const different = [owner("1"), owner("1", "p")];
  assertEquals(await written("PUT", `${MAPS}/a`, different), ["1 1", undefined]);
});

Deno.test("updates have ten managed fields: the oldest of the others are merged", async () => {
  await using cluster = new Cluster();
  const body = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data: { own: "" } };
  await cluster.call("PATCH", `${MAPS}/a?fieldManager=applier`, body, APPLY);
  let merged: unknown;
  const managersAfter = async (from: number, to: number) => {
    for (let i = from; i <= to; i++) {
      await cluster.clock.advance(1000);
      await cluster.merge(`${MAPS}/a?fieldManager=m${i}`, { data: { [`k${i}`]: "1" } });
    }
    const [, first, ...rest] = (await cluster.get(`${MAPS}/a`)).json.metadata.managedFields;
    merged = first.fieldsV1["f:data"];
    return [first, ...rest].map(({ manager }) => manager).join(" ");
  };
  assertEquals(await managersAfter(0, 9), "m0 m1 m2 m3 m4 m5 m6 m7 m8 m9");
  assertEquals(await managersAfter(10, 10), "ancient-changes m2 m3 m4 m5 m6 m7 m8 m9 m10");
  assertEquals(merged, { "f:k0": {}, "f:k1": {} });
  assertEquals(await managersAfter(11, 12), "ancient-changes m4 m5 m6 m7 m8 m9 m10 m11 m12");
  assertEquals(merged, { "f:k0": {}, "f:k1": {}, "f:k2": {}, "f:k3": {} });
});

Deno.test("generation counts changes of the spec, not of metadata or status", async () => {
  await using cluster = new Cluster();
  const path = "/apis/apps/v1/namespaces/default/deployments";
  const labels = { app: "a" };
  await cluster.call("POST", path, {
    metadata: { name: "d" },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "c", image: "i" }] } },
    },
  });
  const generations: number[] = [];
  for (
    const [part, patch] of [
      ["", { metadata: { labels: { x: "1" } } }],
      ["", { spec: { replicas: 3 } }],
      ["/status", { status: { replicas: 3 } }],
      ["/status", { spec: { replicas: 9 } }],
      ["", { status: { replicas: 7 } }],
    ] as const
  ) {
    generations.push((await cluster.merge(`${path}/d${part}`, patch)).json.metadata.generation);
  }
  const { json } = await cluster.get(`${path}/d`);
  assertEquals(generations, [1, 2, 2, 2, 2]);
  assertEquals([json.spec.replicas, json.status.replicas], [3, 3]);
});

Deno.test("dry run answers like a real write, and stores nothing", async () => {
  await using cluster = new Cluster();
  await cluster.configMap("a");
  const before = cluster.server.resourceVersion;
  const created = await cluster.call("POST", `${MAPS}?dryRun=All`, { metadata: { name: "b" } });
  assertEquals([created.status, created.json.metadata.resourceVersion], [201, undefined]);
  const patched = await cluster.merge(`${MAPS}/a?dryRun=All`, { data: { k: "v" } });
  assertEquals(patched.json.data, { k: "v" });
  assertEquals((await cluster.call("DELETE", `${MAPS}/a?dryRun=All`)).status, 200);
  assertEquals(cluster.server.resourceVersion, before);
  assertEquals((await cluster.get(MAPS)).json.items.map((item: { data?: unknown }) => item.data), [
    undefined,
  ]);
});

Deno.test("delete waits for finalizers and removes the object with the last one", async () => {
  await using cluster = new Cluster();
  const created = await cluster.configMap("a", { finalizers: ["example.com/f"] });
  await using watch = await cluster.watch(
    `${MAPS}?resourceVersion=${created.json.metadata.resourceVersion}`,
  );
  const marked = await cluster.call("DELETE", `${MAPS}/a`);
  assertEquals(marked.json.metadata.deletionTimestamp, "2026-01-01T00:00:00Z");
  const again = await cluster.call("DELETE", `${MAPS}/a`);
  assertEquals(again.json.metadata.resourceVersion, marked.json.metadata.resourceVersion);
  const cleared = await cluster.merge(`${MAPS}/a`, { metadata: { finalizers: null } });
  assertEquals(cleared.json.metadata.resourceVersion, marked.json.metadata.resourceVersion);
  assertEquals((await cluster.get(`${MAPS}/a`)).status, 404);
  await cluster.clock.settle();
  assertEquals(watch.events, ["MODIFIED a", "DELETED a"]);
  assertEquals(watch.lines[1]!.object.metadata.finalizers, ["example.com/f"]);
});

Deno.test("delete of a bound Pod waits for the grace period; an unbound Pod is removed at once", async () => {
  await using cluster = new Cluster();
  const pods = Cluster.path("pods");
  await cluster.pod("bound", { nodeName: "n", terminationGracePeriodSeconds: 60 });
  await cluster.pod("free");
  await using watch = await cluster.watch(
    `${pods}?resourceVersion=${cluster.server.resourceVersion}`,
  );
  await cluster.call("DELETE", `${pods}/free`);
  const marked = await cluster.call("DELETE", `${pods}/bound`);
  assertEquals(marked.json.metadata.deletionTimestamp, "2026-01-01T00:01:00Z");
  assertEquals(marked.json.metadata.deletionGracePeriodSeconds, 60);
  await cluster.call("DELETE", `${pods}/bound`, { gracePeriodSeconds: 90 });
  await cluster.call("DELETE", `${pods}/bound`, { gracePeriodSeconds: 0 });
  await cluster.clock.settle();
  assertEquals(watch.events, [
    "MODIFIED free",
    "DELETED free",
    "MODIFIED bound",
    "MODIFIED bound",
    "DELETED bound",
  ]);
});

Deno.test("a second delete changes the finalizers of a ConfigMap, but not of a Pod", async () => {
  await using cluster = new Cluster();
  const metadata = { name: "a", finalizers: ["example.com/f"] };
  await cluster.call("POST", MAPS, { metadata });
  const spec = { containers: [{ name: "c", image: "i" }] };
  const pods = Cluster.path("pods");
  assertEquals((await cluster.call("POST", pods, { metadata, spec })).status, 201);
  const expected = { [MAPS]: ["example.com/f", "foregroundDeletion"], [pods]: ["example.com/f"] };
  for (const [path, finalizers] of Object.entries(expected)) {
    await cluster.call("DELETE", `${path}/a`);
    const again = await cluster.call("DELETE", `${path}/a?propagationPolicy=Foreground`);
    assertEquals([again.status, again.json.metadata.finalizers], [200, finalizers]);
    const taken = await cluster.call("POST", path, {
      metadata: { name: "a" },
      spec: path === pods ? spec : undefined,
    });
    assertMatch(taken.json.message, /^object is being deleted: \w+ "a" already exists$/);
    assertEquals([taken.status, taken.json.reason], [409, "AlreadyExists"]);
  }
});

Deno.test("update with the uid of another object is rejected with the key of the object", async () => {
  await using cluster = new Cluster();
  const services = Cluster.path("services");
  const spec = { ports: [{ port: 80 }] };
  await cluster.call("POST", services, { metadata: { name: "s" }, spec });
  const refused = await cluster.call("PUT", `${services}/s`, {
    metadata: { name: "s", uid: "other" },
    spec,
  });
  assertEquals(refused.status, 409);
  assertMatch(refused.json.message, /Key: \/registry\/services\/specs\/default\/s, /);
});

Deno.test("create and update check the resource version and the uid of the body", async () => {
  await using cluster = new Cluster();
  const leases = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
  const huge = "99999999999999999999999";
  const unset = "resourceVersion should not be set on objects to be created";
  const rows: [method: string, path: string, metadata: object, code: number, message?: string][] = [
    ["POST", MAPS, { name: "a", resourceVersion: "5" }, 500, unset],
    ["POST", MAPS, { name: "a", resourceVersion: "0" }, 201],
    ["POST", MAPS, { name: "b", resourceVersion: "x" }, 201],
    ["POST", MAPS, { name: "c", resourceVersion: huge }, 201],
    ["PUT", `${MAPS}/a`, { name: "a", resourceVersion: "5" }, 409],
    ["PUT", `${MAPS}/a`, { name: "a", resourceVersion: huge }, 500, "value out of range"],
    ["PUT", `${leases}/a`, { name: "a", resourceVersion: "x" }, 500, "invalid syntax"],
    ["PUT", `${leases}/a`, { name: "a", uid: "u" }, 409, "Key: /registry/leases/default/a, "],
    ["PUT", `${leases}/a?dryRun=All`, { name: "a", uid: "u" }, 409, "Key: /leases/default/a, "],
    ["PUT", `${leases}/a`, { name: "a", resourceVersion: "5" }, 201],
    ["PUT", `${MAPS}/a`, { name: "b", namespace: "o" }, 400, "the namespace of the provided"],
    ["PUT", `${MAPS}/a`, { name: "b" }, 400, "the name of the object (b) does not match"],
  ];
  for (const [method, path, metadata, code, message = ""] of rows) {
    const reply = await cluster.call(method, path, { metadata });
    assertEquals([path, reply.status], [path, code]);
    assert((reply.json.message ?? "").includes(message), reply.json.message);
  }
});

Deno.test("delete checks its preconditions", async () => {
  await using cluster = new Cluster();
  const { metadata } = (await cluster.configMap("a")).json;
  for (const preconditions of [{ uid: "other" }, { resourceVersion: "1" }]) {
    const refused = await cluster.call("DELETE", `${MAPS}/a`, { preconditions });
    assertEquals([refused.status, refused.json.details.kind], [409, "ConfigMap"]);
  }
  const { uid, resourceVersion } = metadata;
  const done = await cluster.call("DELETE", `${MAPS}/a`, {
    preconditions: { uid, resourceVersion },
  });
  assertEquals([done.status, done.json.details.uid], [200, uid]);
});

Deno.test("deletecollection removes the objects that match the selector", async () => {
  await using cluster = new Cluster();
  for (const name of ["a", "b", "c"]) {
    await cluster.configMap(name, { labels: { keep: name === "b" ? "1" : "0" } });
  }
  const gone = await cluster.call("DELETE", `${MAPS}?labelSelector=keep%3D0`);
  assertEquals(gone.json.items.length, 2);
  const left = await cluster.get(MAPS);
  assertEquals(left.json.items.map((item: { metadata: { name: string } }) => item.metadata.name), [
    "b",
  ]);
});

Deno.test("events are the same objects in both API groups", async () => {
  await using cluster = new Cluster();
  const events = "/apis/events.k8s.io/v1/namespaces/default/events";
  await cluster.call("POST", events, {
    metadata: { name: "e" },
    eventTime: "2026-01-01T00:00:00.000000Z",
    reportingController: "example.com/c",
    reportingInstance: "c-1",
    action: "Act",
    reason: "Because",
    type: "Normal",
    note: "a note",
    regarding: { kind: "Pod", name: "p", namespace: "default" },
  });
  const core = await cluster.get(Cluster.path("events", "e"));
  assertEquals([core.json.apiVersion, core.json.message], ["v1", "a note"]);
  assertEquals(core.json.involvedObject.name, "p");
  await using watch = await cluster.watch(events);
  assertEquals([watch.lines[0]!.object.apiVersion, watch.lines[0]!.object.note], [
    "events.k8s.io/v1",
    "a note",
  ]);
});

Deno.test("eviction deletes a Pod unless a disruption budget forbids it", async () => {
  await using cluster = new Cluster();
  const pods = Cluster.path("pods");
  const budgets = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";
  const labels = { app: "a" };
  for (const name of ["a", "b"]) {
    await cluster.pod(name);
    await cluster.merge(`${pods}/${name}`, { metadata: { labels } });
    await cluster.merge(`${pods}/${name}/status`, {
      status: { phase: "Running", conditions: [{ type: "Ready", status: "True" }] },
    });
  }
  const budget = await cluster.call("POST", budgets, {
    metadata: { name: "pdb" },
    spec: { minAvailable: 1, selector: { matchLabels: labels } },
  });
  assertEquals(budget.status, 201);
  const evict = (name: string) =>
    cluster.call("POST", `${pods}/${name}/eviction`, { metadata: { name } });
  const early = await evict("a");
  assertEquals([early.status, early.headers.get("retry-after")], [429, "10"]);
  await cluster.merge(`${budgets}/pdb/status`, {
    status: { observedGeneration: 1, disruptionsAllowed: 1, currentHealthy: 2, desiredHealthy: 1 },
  });
  for (
    const [query, body] of [
      ["?dryRun=All", {}],
      ["", { deleteOptions: { dryRun: ["All"] } }],
      ["?dryRun=All", { deleteOptions: { gracePeriodSeconds: 0 } }],
    ] as const
  ) {
    const dry = await cluster.call("POST", `${pods}/a/eviction${query}`, {
      metadata: { name: "a" },
      ...body,
    });
    assertEquals([dry.status, dry.json.status], [201, "Success"]);
    assertEquals((await cluster.get(`${budgets}/pdb`)).json.status.disruptionsAllowed, 1);
    assertEquals((await cluster.get(`${pods}/a`)).json.metadata.deletionTimestamp, undefined);
  }
  assertEquals((await evict("a")).status, 201);
  const refused = await evict("b");
  assertEquals([refused.status, refused.json.details.causes[0].reason], [429, "DisruptionBudget"]);
  assertEquals((await cluster.get(pods)).json.items.length, 1);
});

Deno.test("binding puts a Pod on a node, once", async () => {
  await using cluster = new Cluster();
  const pods = Cluster.path("pods");
  await cluster.pod("p");
  const bind = (node: string) =>
    cluster.call("POST", `${pods}/p/binding`, { metadata: { name: "p" }, target: { name: node } });
  assertEquals((await bind("n1")).status, 201);
  const { spec, status } = (await cluster.get(`${pods}/p`)).json;
  assertEquals([spec.nodeName, status.conditions[0].type], ["n1", "PodScheduled"]);
  assertEquals((await bind("n2")).status, 409);
});

Deno.test("a binding adds its annotations to the Pod, and overwrites annotations with the same key", async () => {
  await using cluster = new Cluster();
  const pods = Cluster.path("pods");
  await cluster.pod("p");
  await cluster.merge(`${pods}/p`, { metadata: { annotations: { a: "pod", b: "pod" } } });
  await cluster.call("POST", `${pods}/p/binding`, {
    metadata: { name: "p", annotations: { a: "binding", c: "binding" } },
    target: { name: "n" },
  });
  const { annotations } = (await cluster.get(`${pods}/p`)).json.metadata;
  assertEquals(annotations, { a: "binding", b: "pod", c: "binding" });
});

Deno.test("keys such as __proto__ are ordinary keys", async () => {
  await using cluster = new Cluster();
  const text =
    '{"metadata":{"name":"a","labels":{"constructor":"x","__proto__":"y"}},"data":{"__proto__":"1","constructor":"2","toString":"3"}}';
  const created = await cluster.call("POST", MAPS, text);
  const { text: stored } = await cluster.get(`${MAPS}/a`);
  assertEquals(created.status === 201 ? created.text : stored, stored);
  assert(created.status === 422 || stored.includes('"constructor":"2"'), created.text);
  const patched = await cluster.call(
    "PATCH",
    `${MAPS}/a`,
    '{"data":{"__proto__":{"polluted":"yes"}},"__proto__":{"polluted":"yes"}}',
    { "content-type": "application/merge-patch+json" },
  );
  assertNotEquals(patched.status, 500);
  assertEquals(({} as { polluted?: string }).polluted, undefined);
  assertEquals((await cluster.get("/api/v1/namespaces/default/constructor")).status, 404);
  assertEquals((await cluster.get(`${MAPS}/__proto__`)).status, 404);
});

Deno.test("bodies over 3 MiB get 413, other bodies that cannot be read 400 or 415", async () => {
  await using cluster = new Cluster();
  const large = { metadata: { name: "a" }, data: { k: "x".repeat(3 * 1024 * 1024) } };
  assertEquals((await cluster.call("POST", MAPS, large)).status, 413);
  assertEquals((await cluster.call("POST", MAPS, '{"kind":')).status, 400);
  const plain = await cluster.call("POST", MAPS, "{}", { "content-type": "text/plain" });
  assertEquals(plain.status, 415);
  assertEquals((await cluster.get(MAPS)).json.items, []);
});

Deno.test("returned objects are copies", async () => {
  await using cluster = new Cluster();
  await cluster.configMap("a", { labels: { k: "v" } });
  const resource = {
    group: "",
    version: "v1",
    plural: "configmaps",
    kind: "ConfigMap",
    namespaced: true,
  };
  const [copy] = cluster.server.objects(resource);
  copy!.metadata.labels!["k"] = "changed";
  const one = cluster.server.get(resource, "a", "default")!;
  assertEquals(one.metadata.labels, { k: "v" });
  assertEquals(cluster.server.get(resource, "none", "default"), undefined);
});

Deno.test("two servers with the same seed answer the same bytes", async () => {
  const texts: string[] = [];
  for (let run = 0; run < 2; run++) {
    await using cluster = new Cluster();
    await cluster.call("POST", MAPS, { metadata: { generateName: "x-" } });
    const list = await cluster.get(MAPS);
    texts.push(list.text + JSON.stringify([...list.headers]));
  }
  assertEquals(texts[0], texts[1]);
});

Deno.test("ApiServer serves the kinds of the given minor version, and names the known versions for another", async () => {
  await using server = new ApiServer({ kubernetes: "1.36" });
  const answer = await server.fetch("http://cluster/version");
  assertEquals((await answer.json()).gitVersion, "v1.36.3");
  assertThrows(
    () => new ApiServer({ kubernetes: "1.2" as "1.35" }),
    RangeError,
    'Cannot start an API server: "kubernetes" is "1.2", must be one of "1.35", "1.36", "1.37"',
  );
});

Deno.test("ApiServer rejects invalid limits", () => {
  for (const limit of [0, -1, 1.5, NaN, Infinity]) {
    assertThrows(() => new Cluster({ historyLimit: limit }), RangeError, '"historyLimit"');
  }
});

Deno.test("binding is for the Pod with the uid and the resource version that it names, if it names them", async () => {
  await using cluster = new Cluster();
  const pods = Cluster.path("pods");
  const { uid, resourceVersion } = (await cluster.pod("p")).json.metadata;
  const bind = (metadata: object, query = "") =>
    cluster.call("POST", `${pods}/p/binding${query}`, {
      metadata: { name: "p", ...metadata },
      target: { name: "n" },
    });
  const failed = (key: string, what: string, wanted: string, found: string) =>
    `Operation cannot be fulfilled on pods "p": StorageError: invalid object, Code: 4, Key: ${key}, ` +
    `ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: ${what} in precondition: ${wanted}, ` +
    `${what} in object meta: ${found}`;
  // The answers of a real server.
  for (
    const [query, key] of [["", "/registry/pods/default/p"], ["?dryRun=All", "/pods/default/p"]]
  ) {
    for (const metadata of [{ uid: "other" }, { uid: "other", resourceVersion: "1" }]) {
      const { status, json } = await bind(metadata, query);
      assertEquals([status, json.message], [409, failed(key!, "UID", "other", uid)]);
    }
    const { status, json } = await bind({ resourceVersion: "1" }, query);
    const message = failed(key!, "ResourceVersion", "1", resourceVersion);
    assertEquals([status, json.message], [409, message]);
  }
  assertEquals((await bind({ uid, resourceVersion })).status, 201);
});

Deno.test("binding stores nothing in a dry run, and is refused for a Pod that is being deleted", async () => {
  await using cluster = new Cluster();
  const pods = Cluster.path("pods");
  await cluster.pod("p");
  const bind = (query = "") =>
    cluster.call("POST", `${pods}/p/binding${query}`, {
      metadata: { name: "p" },
      target: { name: "n" },
    });
  assertEquals((await bind("?dryRun=All")).status, 201);
  assertEquals((await cluster.get(`${pods}/p`)).json.spec.nodeName, undefined);
  await cluster.merge(`${pods}/p`, { metadata: { finalizers: ["example.com/hold"] } });
  await cluster.call("DELETE", `${pods}/p`);
  const { status, json } = await bind();
  assertEquals([status, json.reason], [409, "Conflict"]);
  assertEquals((await cluster.get(`${pods}/p`)).json.spec.nodeName, undefined);
});

Deno.test("a bound Pod stays until its grace period is 0, also without finalizers", async () => {
  await using cluster = new Cluster();
  const pod = Cluster.path("pods", "p");
  await cluster.pod("p", { nodeName: "n" });
  await cluster.merge(pod, { metadata: { finalizers: ["example.com/f"] } });
  await cluster.call("DELETE", pod);
  const { json } = await cluster.merge(pod, { metadata: { finalizers: null } });
  assertEquals(json.metadata.deletionGracePeriodSeconds, 30);
  assertEquals((await cluster.get(pod)).status, 200);
  await cluster.call("DELETE", pod, { gracePeriodSeconds: 0 });
  assertEquals((await cluster.get(pod)).status, 404);
});

Deno.test("delete of an object that waits for finalizers counts as a change of its generation", async () => {
  await using cluster = new Cluster();
  const deployments = "/apis/apps/v1/namespaces/default/deployments";
  const labels = { app: "a" };
  const { json } = await cluster.call("POST", deployments, {
    metadata: { name: "a", finalizers: ["example.com/f"] },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "c", image: "i" }] } },
    },
  });
  assertEquals(json.metadata.generation, 1);
  const generations = [];
  for (let i = 0; i < 2; i++) {
    generations.push((await cluster.call("DELETE", `${deployments}/a`)).json.metadata.generation);
  }
  assertEquals(generations, [2, 2]);
});

Deno.test("delete of a namespace checks its preconditions and its name, and stores nothing in a dry run", async () => {
  await using cluster = new Cluster();
  const namespaces = "/api/v1/namespaces";
  const { metadata } = (await cluster.call("POST", namespaces, { metadata: { name: "a" } })).json;
  const { uid, resourceVersion } = metadata;
  const remove = (name: string, preconditions: object = {}, dryRun: string[] = []) =>
    cluster.call("DELETE", `${namespaces}/${name}`, { preconditions, dryRun });
  for (
    const [preconditions, problem] of [
      [{ uid: "other" }, `UID in precondition: other, UID in object meta: ${uid}`],
      [
        { resourceVersion: "1" },
        `ResourceVersion in precondition: 1, ResourceVersion in object meta: ${resourceVersion}`,
      ],
    ] as const
  ) {
    const { status, json } = await remove("a", preconditions);
    assertEquals(status, 409);
    assert(json.message.endsWith(`Precondition failed: ${problem}`), json.message);
  }
  for (const name of ["default", "kube-system", "kube-public"]) {
    assertEquals((await remove(name)).status, 403, name);
  }
  assertEquals((await remove("a", { uid }, ["All"])).json.status.phase, "Terminating");
  const { json } = await cluster.get(`${namespaces}/a`);
  assertEquals([json.metadata, json.status.phase], [metadata, "Active"]);
  assertEquals((await remove("a", { uid, resourceVersion })).status, 200);
  assertEquals((await cluster.get(`${namespaces}/a`)).json.status.phase, "Terminating");
});
