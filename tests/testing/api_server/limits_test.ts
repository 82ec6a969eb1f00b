import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { realRandom, silentLogger } from "../../../src/base/mod.ts";
import { warningHeaders } from "../../../src/testing/api_server/http/mod.ts";
import { Storage, Turns } from "../../../src/testing/api_server/storage/mod.ts";
import { YamlError, yamlToJson } from "../../../src/testing/api_server/yaml/mod.ts";
import { VirtualClock } from "../../../src/testing/mod.ts";
import { PatternError, patternOf } from "../../../src/structural/mod.ts";
import { assertLinear } from "../../support/linear_time.ts";
import { heapMiB } from "../../support/heap.ts";
import { assertProperty } from "../../support/seeded_runs.ts";
import { Cluster } from "./cluster.ts";
import { crdOfAnything, crdWithSpec } from "./support.ts";

const MAPS = Cluster.path("configmaps");
const DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const KIB = 1024;

Deno.test("the history of all resources together stays within its bytes", async () => {
  await using cluster = new Cluster({ historyBytesLimit: 1024 * KIB });
  const first = (await cluster.configMap("old")).json.metadata.resourceVersion;
  const secret = await cluster.call("POST", Cluster.path("secrets"), { metadata: { name: "s" } });
  const before = secret.json.metadata.resourceVersion;
  await cluster.configMap("a");
  let last = "";
  for (let i = 0; i < 40; i++) {
    const { json } = await cluster.merge(`${MAPS}/a`, { data: { k: `${i}`.repeat(50 * KIB) } });
    if (i === 37) last = json.metadata.resourceVersion;
  }
  await using expired = await cluster.watch(`${MAPS}?resourceVersion=${first}`);
  assertEquals([expired.lines[0]!.type, expired.lines[0]!.object.code], ["ERROR", 410]);
  assertEquals(expired.lines[0]!.object.reason, "Expired");
  await using recent = await cluster.watch(`${MAPS}?resourceVersion=${last}`);
  assertEquals(recent.events, ["MODIFIED a", "MODIFIED a"]);
  const exact = `resourceVersion=${first}&resourceVersionMatch=Exact`;
  assertEquals((await cluster.get(`${MAPS}?${exact}`)).status, 410);
  // A small change of another resource is as old, so it is gone too.
  const others = `${Cluster.path("secrets")}?resourceVersion=${Number(before) - 1}`;
  await using other = await cluster.watch(others);
  assertEquals(other.lines[0]!.object.code, 410);
  assertEquals((await cluster.get(MAPS)).json.items.length, 2);
});

Deno.test("Storage keeps the newest changes that fit into its bytes, and none before a gap", () => {
  const change = fc.record({
    resource: fc.integer({ min: 0, max: 2 }),
    name: fc.integer({ min: 0, max: 3 }),
    length: fc.integer({ min: 0, max: 400 }),
    wide: fc.boolean(),
    remove: fc.boolean(),
    compact: fc.integer({ min: 0, max: 30 }),
  });
  assertProperty(
    fc.property(fc.array(change, { maxLength: 80 }), (changes) => {
      const clock = new VirtualClock();
      const parts = { clock, turns: new Turns(clock, realRandom), logger: silentLogger };
      const storage = new Storage(parts, { entries: 1000, bytes: 2000 });
      for (const { resource, name, length, wide, remove, compact } of changes) {
        const store = storage.store(`r${resource}`);
        const encode = () => (wide ? "\u0100" : "x").repeat(length);
        const stored = store.get(`n${name}`);
        if (remove && stored !== undefined) {
          storage.remove(store, Object.assign(stored, { parse: () => named(name) }), encode);
        } else storage.put(store, named(name), encode);
        if (compact === 0) storage.compact();
        if (compact === 1) storage.dropWindows();
        let bytes = 0;
        for (const one of storage.stores()) {
          bytes += one.logBytes;
          const entries = one.entriesAfter(one.windowStart) ?? [];
          assert(entries.every(({ revision }) => revision > one.windowStart));
          assertEquals(
            one.logBytes >= entries.reduce((sum, { object }) => sum + object.bytes, 0),
            true,
          );
        }
        assert(bytes <= 2000, `${bytes} bytes`);
      }
    }),
    200,
  );
});

const named = (name: number) => ({ metadata: { name: `n${name}` } });

Deno.test("the watch that is furthest behind ends when too many bytes wait for readers", async () => {
  await using cluster = new Cluster({ watchBacklogBytesLimit: 500 * KIB });
  const stalled = await cluster.fetch(`${MAPS}?watch=1&labelSelector=large`);
  await using slow = await cluster.fetch(`${MAPS}?watch=1`).then(({ body }) => ({
    body,
    [Symbol.asyncDispose]: () => body!.cancel(),
  }));
  await using reading = await cluster.watch(MAPS);
  for (let i = 0; i < 5; i++) await cluster.configMap(`small${i}`);
  for (let i = 0; i < 8; i++) {
    await cluster.call("POST", MAPS, {
      metadata: { name: `large${i}`, labels: { large: "" } },
      data: { k: "x".repeat(50 * KIB) },
    });
  }
  // Twice 400 KiB are too much; then one of the two unread watches has to end, and the other may stay.
  await cluster.clock.settle();
  assertEquals(cluster.server.openWatches, 2);
  assertEquals(reading.lines.length, 13);
  await stalled.body!.cancel();
  assert(slow.body !== null);
});

Deno.test("a watch that is a little behind stays when another one is further behind", async () => {
  await using cluster = new Cluster({ watchBacklogBytesLimit: 500 * KIB });
  const names = Array.from({ length: 16 }, (_, i) => `m${i}`);
  const create = async (some: readonly string[], labels: object) => {
    for (const name of some) {
      const data = { k: "x".repeat(50 * KIB) };
      await cluster.call("POST", MAPS, { metadata: { name, labels }, data });
    }
  };
  const few = await cluster.fetch(`${MAPS}?watch=1&labelSelector=few`);
  await create(names.slice(0, 4), { few: "" });
  const { resourceVersion } = cluster.server;
  const all = await cluster.fetch(`${MAPS}?watch=1&resourceVersion=${resourceVersion}`);
  await create(names.slice(4), {});
  assertEquals(cluster.server.openWatches, 1);
  cluster.server.closeWatches();
  const read = async (response: Response) =>
    (await response.text()).trim().split("\n").map((line) => JSON.parse(line).object.metadata.name);
  assertEquals(await read(few), names.slice(0, 4));
  const seen = await read(all);
  assertEquals(seen, names.slice(4, 4 + seen.length));
  assert(seen.length < 12);
});

Deno.test("a stalled watch that has timed out gives its bytes back when they are needed", async () => {
  await using cluster = new Cluster({ watchBacklogBytesLimit: 500 * KIB });
  const large = (name: string) =>
    cluster.call("POST", MAPS, { metadata: { name }, data: { k: "x".repeat(100 * KIB) } });
  const ended = await cluster.fetch(`${MAPS}?watch=1&timeoutSeconds=1`);
  for (const name of ["a", "b", "c", "d"]) await large(name);
  await cluster.clock.advance(2000);
  assertEquals(cluster.server.openWatches, 0);
  const open = await cluster.fetch(
    `${MAPS}?watch=1&resourceVersion=${cluster.server.resourceVersion}`,
  );
  for (const name of ["e", "f", "g", "h"]) await large(name);
  assertEquals(cluster.server.openWatches, 1);
  const names = (text: string) =>
    text.trim().split("\n").map((line) => JSON.parse(line).object.metadata.name);
  assertEquals(names(await ended.text()), ["a"]);
  await open.body!.cancel();
});

Deno.test("a watch that was dropped keeps nothing of its start, even if its answer is kept unread", async () => {
  const limit = 2 ** 21;
  await using cluster = new Cluster({ watchBacklogBytesLimit: limit, historyBytesLimit: limit });
  const kept: Response[] = [];
  const fill = async (round: number) => {
    for (const name of ["a", "b", "c", "d"]) {
      const data = { text: String(round).padEnd(700_000, "x") };
      await cluster.call("PUT", Cluster.path("configmaps", name), { metadata: { name }, data });
    }
  };
  for (const name of ["a", "b", "c", "d"]) await cluster.configMap(name);
  const initial = "watch=1&sendInitialEvents=1&resourceVersionMatch=NotOlderThan";
  const before = heapMiB();
  for (let round = 0; round < 30; round++) {
    await fill(round);
    kept.push(await cluster.clock.run(cluster.fetch(`${MAPS}?${initial}`)));
  }
  await fill(30);
  const grown = heapMiB() - before;
  // 30 starts of 2.7 MiB each would be 80 MiB.
  assert(grown < 40, `${grown} MiB`);
  for (const { body } of kept) await body?.cancel();
});

Deno.test("an object does not grow with patches beyond what etcd stores", async () => {
  await using cluster = new Cluster();
  await cluster.call("POST", DEFINITIONS, crdOfAnything());
  const things = "/apis/a.example/v1/namespaces/default/things";
  await cluster.call("POST", things, {
    apiVersion: "a.example/v1",
    kind: "Thing",
    metadata: { name: "t" },
  });
  const before = cluster.server.resourceVersion;
  for (const text of ["x".repeat(1.6 * 1024 * KIB), "\u20ac".repeat(600 * KIB)]) {
    const { status, json } = await cluster.merge(`${things}/t`, { text });
    assertEquals([status, json.message], [500, "etcdserver: request is too large"]);
  }
  assertEquals(cluster.server.resourceVersion, before);
  const { json } = await cluster.merge(`${things}/t`, { text: "x".repeat(1024 * KIB) });
  assertEquals(json.metadata.resourceVersion, String(Number(before) + 1));
});

Deno.test("an object of a built-in kind is measured without the escapes of JSON, as in etcd", async () => {
  await using cluster = new Cluster();
  // 400 KiB in etcd, and 2.4 MiB of JSON.
  const data = { k: "\u0001".repeat(400 * KIB) };
  const { status } = await cluster.call("POST", MAPS, { metadata: { name: "a" }, data });
  assertEquals(status, 201);
});

Deno.test("a JSON patch cannot nest values until the server cannot copy them", async () => {
  await using cluster = new Cluster();
  await cluster.configMap("a");
  const deep = (levels: number) => `{"a":`.repeat(levels) + "1" + "}".repeat(levels);
  const operations = Array.from({ length: 300 }, (_, index) => [
    `{"op":"add","path":"/x${index}","value":${deep(400)}}`,
    ...(index === 0
      ? []
      : [`{"op":"move","from":"/x${index - 1}","path":"/x${index}${"/a".repeat(400)}"}`]),
  ]).flat();
  const { status } = await cluster.call("PATCH", `${MAPS}/a`, `[${operations}]`, {
    "content-type": "application/json-patch+json",
  });
  assertEquals(status, 422);
});

Deno.test("yamlToJson() copies aliases, within bounds", () => {
  const parsed = yamlToJson("a: &a {b: [1]}\nc: *a\nd: {<<: *a, e: f}\n").value as unknown as {
    a: object;
    c: object;
  };
  assertEquals(JSON.stringify(parsed), '{"a":{"b":[1]},"c":{"b":[1]},"d":{"b":[1],"e":"f"}}');
  assert(parsed.a !== parsed.c);
  const levels = (width: number, depth: number, leaf: string) =>
    [
      `a0: &a0 [${Array(width).fill(leaf).join(", ")}]`,
      ...Array.from({ length: depth }, (_, i) =>
        `a${i + 1}: &a${i + 1} [${Array(width).fill(`*a${i}`).join(", ")}]`),
    ].join("\n");
  for (
    const text of [
      levels(10, 9, "x"),
      levels(2, 40, "x"),
      levels(10, 5, `"${"x".repeat(1000)}"`),
      `s: &s ${"x".repeat(100_000)}\nl: [${Array(1000).fill("*s").join(",")}]`,
      `s: &s ${"x".repeat(100_000)}\n? [${Array(1000).fill("*s").join(",")}]\n: x`,
      `k: &k {? ${"x".repeat(100_000)} : y}\nl: [${Array(100).fill("*k").join(",")}]`,
      `m: &m {a: b}\nl: [${Array(400_000).fill("*m").join(",")}]`,
    ]
  ) {
    assertThrows(() => yamlToJson(text), YamlError, "excessive aliasing", text.slice(0, 60));
  }
  assertThrows(() => yamlToJson("a: &a [*a]"), YamlError, "contains itself");
  assertThrows(() => yamlToJson("a: *b"), YamlError, "unknown anchor 'b' referenced");
  assertThrows(() => yamlToJson("[".repeat(600)), YamlError);
  for (const open of ["[", "{a: ", "- ", "? "]) {
    assertThrows(() => yamlToJson(open.repeat(100_000)), YamlError);
  }
  assertThrows(() => yamlToJson("a: {<<: 1}"), YamlError, "map merge requires map");
  assertEquals(yamlToJson("# * * & *x\na: '*'\nb: \"&*\"\n").value, { a: "*", b: "&*" });
  assertEquals(
    yamlToJson('{"__proto__": {"x": 1}}').value as object,
    JSON.parse('{"__proto__":{"x":1}}'),
  );
});

Deno.test("patternOf() matches in Go's syntax, and without backtracking", () => {
  for (
    const [pattern, text, expected] of [
      ["(a+)+$", `${"a".repeat(100_000)}!`, false],
      ["^(([a-z])+.)+[A-Z]([a-z])+$", "a".repeat(100_000), false],
      ["(x+x+)+y", "x".repeat(100_000), false],
      ["(.*a){20}$", `${"a".repeat(100_000)}b`, false],
      ["\\Aab\\z", "ab", true],
      ["(?i)straße", "STRAßE", true],
      ["^(?P<n>a)(?P<n>b)$", "ab", true],
      ["^\\pL+$", "äöü", true],
    ] as const
  ) assertEquals(patternOf(pattern).matches(text), expected, pattern);
  for (const pattern of ["(?=a)", "\\1", "a\\Z", "(", "x".repeat(10_001)]) {
    assertThrows(() => patternOf(pattern), PatternError, "error parsing regexp: ");
  }
});

Deno.test("warningHeaders() keeps each warning once, and cuts them when they are too long", () => {
  assertEquals(warningHeaders(["a", 'b"', "a"]), ['299 - "a"', '299 - "b\\""']);
  const many = warningHeaders(Array.from({ length: 100_000 }, (_, index) => `unknown ${index}`));
  assert(many.length < 400 && many.join().length < 10_000);
  const long = warningHeaders(["x".repeat(5000), "y"]);
  assertEquals(long.map((text) => text.length), [256 + 8, 1 + 8]);
});

/** Serves a custom resource whose spec has this schema. Returns a function that creates an object with a spec. */
async function define(cluster: Cluster, spec: unknown) {
  const definition = await cluster.call("POST", DEFINITIONS, crdWithSpec(spec));
  assertEquals(definition.status, 201, definition.text);
  return (spec: unknown) =>
    cluster.call("POST", "/apis/a.example/v1/namespaces/default/things", {
      apiVersion: "a.example/v1",
      kind: "Thing",
      metadata: { generateName: "t" },
      spec,
    });
}

const many = <T>(length: number, item: (index: number) => T) =>
  Array.from({ length }, (_, index) => item(index));

Deno.test("defaults do not blow up an object", async () => {
  await using cluster = new Cluster();
  const create = await define(cluster, {
    type: "array",
    items: {
      type: "object",
      properties: {
        text: { type: "string", default: "x".repeat(100_000) },
        none: { type: "object", default: {}, properties: { a: { type: "string", default: "" } } },
      },
    },
  });
  assertEquals((await create(many(3, () => ({})))).status, 201);
  const { status, json } = await create(many(100_000, () => ({})));
  assertEquals([status, json.message], [500, "etcdserver: request is too large"]);
});

Deno.test("lists of many equal or invalid items are answered in linear time, with bounded errors", async () => {
  await using cluster = new Cluster();
  const create = await define(cluster, {
    type: "object",
    properties: {
      set: { type: "array", "x-kubernetes-list-type": "set", items: { type: "string" } },
      enums: { type: "array", items: { type: "string", enum: many(5000, (i) => `v${i}`) } },
      any: {
        type: "array",
        items: { type: "integer", anyOf: many(200, (i) => ({ maximum: -i })) },
      },
      slow: { type: "array", items: { type: "string", pattern: "(a|b)*a(a|b){500}$" } },
      numbers: { type: "array", items: { type: "integer" } },
    },
  });
  const cases: readonly (readonly [string, number, number, (i: number) => unknown])[] = [
    ["set", 5000, 201, (i) => `${i}`],
    ["set", 5000, 422, () => "same"],
    ["enums", 5000, 201, () => "v4999"],
    ["enums", 5000, 422, () => "none"],
    ["any", 1000, 422, () => 5],
    ["slow", 20, 422, () => `${"ab".repeat(600)}c`],
    ["numbers", 10_000, 422, () => "x"],
  ];
  for (const [field, length, expected, item] of cases) {
    await assertLinear(length, async (length) => {
      const { status, text } = await create({ [field]: many(length, item) });
      assertEquals(status, expected);
      assert(text.length < 16 * 1024 * KIB, `${text.length} characters for ${field}`);
    }, field);
  }
});

Deno.test("errors of a definition that show all keys of a list are bounded", async () => {
  await using cluster = new Cluster();
  const lists = [many(16_000, (i) => `k${i}`), many(16_000, () => "k"), ["k".repeat(1_000_000)]];
  for (const keys of lists) {
    const list = {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": keys,
      items: { type: "object", properties: { a: { type: "string" } } },
    };
    const definition = crdWithSpec({ type: "object", properties: { list } });
    const { status, text } = await cluster.call("POST", DEFINITIONS, definition);
    assertEquals(status, 422);
    assert(text.includes("entries must all be names of item properties"));
    assert(text.length < 16 * 1024 * KIB, `${text.length} characters`);
  }
});

Deno.test("a strategic merge patch merges long lists in linear time", async () => {
  await using cluster = new Cluster();
  await cluster.configMap("a");
  const type = { "content-type": "application/strategic-merge-patch+json" };
  const patch = (metadata: unknown) => cluster.call("PATCH", `${MAPS}/a`, { metadata }, type);
  await assertLinear(2000, async (length) => {
    const finalizers = many(length, (index) => `a.b/${index}`);
    assertEquals((await patch({ finalizers })).json.metadata.finalizers, finalizers);
    const reversed = finalizers.toReversed();
    const ordered = await patch({ "$setElementOrder/finalizers": reversed });
    assertEquals(ordered.json.metadata.finalizers, reversed);
    const left = await patch({ "$deleteFromPrimitiveList/finalizers": finalizers.slice(1) });
    assertEquals(left.json.metadata.finalizers, [finalizers[0]]);
    await patch({ "$deleteFromPrimitiveList/finalizers": [finalizers[0]] });
  });
});

Deno.test("a JSON patch with a long path and many numbers takes linear time", async () => {
  await using cluster = new Cluster();
  await cluster.configMap("a");
  const type = { "content-type": "application/json-patch+json" };
  await assertLinear(220, async (count) => {
    const path = `/data/${"x".repeat(100 * count)}`;
    const value = many(count, () => "1.0").join();
    const body = `[{"op":"add","path":"${path}","value":[${value}]}]`;
    assertEquals((await cluster.call("PATCH", `${MAPS}/a`, body, type)).status, 422);
  });
});

Deno.test("a hundred unknown or repeated fields are reported, however many there are", async () => {
  await using cluster = new Cluster();
  const unknown = Object.fromEntries(many(150_000, (index) => [`u${index}`, 1]));
  const body = { metadata: { name: "a" }, ...unknown };
  const strict = await cluster.call("POST", `${MAPS}?fieldValidation=Strict`, body);
  assertEquals([strict.status, strict.json.message.split("unknown field").length], [400, 101]);
  assertEquals((await cluster.call("POST", MAPS, body)).status, 201);
  const key = "k".repeat(1024 * KIB);
  const repeated = `{"metadata":{"name":"b"},"${key}":{${many(100_000, () => '"a":1').join()}}}`;
  assertEquals((await cluster.call("POST", MAPS, repeated)).status, 201);
});

Deno.test("values that do not fit together are found in linear time, with bounded errors", async () => {
  await using cluster = new Cluster();
  const metadata = { name: "a" };
  const refused = async (path: string, body: object, times: RegExp, least: number) => {
    const { status, text } = await cluster.call("POST", path, { metadata, ...body });
    assertEquals(status, 422);
    assert(text.length < 20 * 1024 * KIB, `${text.length} characters`);
    assert([...text.matchAll(times)].length >= least, text.slice(0, 500));
  };
  await refused(
    "/apis/storage.k8s.io/v1/storageclasses",
    {
      provisioner: "a.example/b",
      allowedTopologies: many(30_000, () => ({})),
    },
    /allowedTopologies\[0\]/g,
    1,
  );
  await refused(
    "/apis/storage.k8s.io/v1/storageclasses",
    {
      provisioner: "a.example/b",
      allowedTopologies: [{
        matchLabelExpressions: many(30_000, (index) => ({ key: `k${index}`, values: [] })),
      }],
    },
    /Required/gi,
    100,
  );
  await refused(
    "/api/v1/namespaces/default/resourcequotas",
    {
      spec: {
        scopes: many(50_000, () => "Terminating"),
        hard: { services: "1" },
      },
    },
    /spec\.scopes/g,
    2,
  );
  await refused(
    "/api/v1/namespaces/default/resourcequotas",
    {
      spec: {
        scopeSelector: {
          matchExpressions: many(20_000, () => ({ scopeName: "BestEffort", operator: "Exists" })),
        },
        hard: { "requests.cpu": "1" },
      },
    },
    /matchExpressions/g,
    2,
  );
  // Many that fit hide none that does not.
  await refused(
    "/api/v1/namespaces/default/resourcequotas",
    {
      spec: { scopes: [...many(5000, () => "Terminating"), "None"], hard: { "requests.cpu": "1" } },
    },
    /unsupported scope/g,
    1,
  );
  await refused(
    "/apis/storage.k8s.io/v1/storageclasses",
    {
      provisioner: "a.example/b",
      allowedTopologies: many(500_000, () => ({})),
    },
    /allowedTopologies/g,
    1,
  );
});
