import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { assertProperty } from "../../../support/seeded_runs.ts";
import { Cluster, type Reply } from "../cluster.ts";
import { crdWithSpec, type Loose } from "../support.ts";

/** Server-side apply and managed fields, as clients see them. */

const MAPS = Cluster.path("configmaps");
const THINGS = "/apis/a.example/v1/namespaces/default/things";
const DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/** Writes one object of a server under the names of several managers. */
class Writes implements AsyncDisposable {
  readonly cluster: Cluster = new Cluster();
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** Sends a write, and returns the answer. */
  send(method: string, body: Loose, manager: string, type = "json", more = ""): Promise<Reply> {
    const path = `${this.#path}${more}${more.includes("?") ? "&" : "?"}fieldManager=${manager}`;
    return this.cluster.call(method, path, body, { "content-type": `application/${type}` });
  }

  /** Returns the object of a write that must succeed. */
  async #written(reply: Promise<Reply>): Promise<Loose> {
    const { json, status, text } = await reply;
    assert(status < 300, text);
    return json;
  }

  tryApply(body: Loose, manager: string, force = false): Promise<Reply> {
    return this.send("PATCH", body, manager, "apply-patch+yaml", force ? "?force=true" : "");
  }

  apply(body: Loose, manager: string, force = false): Promise<Loose> {
    return this.#written(this.tryApply(body, manager, force));
  }

  patch(body: Loose, manager: string): Promise<Loose> {
    return this.#written(this.send("PATCH", body, manager, "merge-patch+json"));
  }

  update(body: Loose, manager: string, subresource = ""): Promise<Loose> {
    return this.#written(this.send("PUT", body, manager, "json", subresource));
  }

  /** Returns the Status of an apply that is refused. */
  async refusal(body: Loose, manager: string): Promise<Loose> {
    const { json, status, text } = await this.tryApply(body, manager);
    assert(status >= 400, text);
    return json;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.cluster[Symbol.asyncDispose]();
  }
}

const configMaps = (name = "ssa") => new Writes(`${MAPS}/${name}`);

/** Serves a custom resource whose spec has this schema, and writes its object `t`. */
async function things(spec: Loose): Promise<Writes> {
  const writes = new Writes(`${THINGS}/t`);
  const { status, text } = await writes.cluster.call("POST", DEFINITIONS, crdWithSpec(spec));
  assert(status === 201, text);
  return writes;
}

/** Returns the managed fields, as `manager operation: fields`. */
function owners(object: Loose): string[] {
  return (object.metadata.managedFields ?? []).map((entry: Loose) =>
    `${entry.manager} ${entry.operation}: ${JSON.stringify(entry.fieldsV1)}`
  );
}

function configMap(data: Loose, metadata: Loose = {}): Loose {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "ssa", ...metadata }, data };
}

Deno.test("an apply names every conflict, by manager", async () => {
  await using writes = configMaps();
  await writes.apply(configMap({ a: "1", b: "1" }), "m1");
  await writes.apply(configMap({ c: "1" }), "m2");
  const status = await writes.refusal(configMap({ a: "2", b: "2", c: "2" }), "m3");
  assertEquals(
    status.message,
    'Apply failed with 3 conflicts: conflicts with "m1":\n- .data.a\n- .data.b\nconflicts with "m2":\n- .data.c',
  );
  assertEquals(status.details.causes.map((cause: Loose) => cause.field), [
    ".data.a",
    ".data.b",
    ".data.c",
  ]);
});

Deno.test("an apply with another kind or undeclared fields is refused", async () => {
  await using writes = configMaps();
  await writes.apply(configMap({ a: "1" }), "m1");
  const message = async (change: Loose) =>
    (await writes.refusal({ ...configMap({}), ...change }, "m1")).message;
  assertEquals(await message({ apiVersion: "v2" }), "invalid object type: /v2, Kind=ConfigMap");
  assertEquals(
    await message({ bogus: 1 }),
    "failed to create typed patch object (/ssa; /v1, Kind=ConfigMap): .bogus: field not declared in schema",
  );
});

Deno.test("an apply removes fields that its manager no longer applies, unless another manager owns them", async () => {
  await using writes = configMaps();
  await writes.apply(configMap({ a: "1", b: "1", c: "1" }), "m1");
  await writes.apply(configMap({ b: "1" }), "m2");
  await writes.patch({ data: { d: "1" } }, "other");
  const live = await writes.apply(configMap({ c: "1" }), "m1");
  assertEquals(live.data, { b: "1", c: "1", d: "1" });
});

Deno.test("the manager that changes a field becomes its owner", async () => {
  await using writes = configMaps();
  await writes.apply(configMap({ a: "1", b: "1" }), "m1");
  const next = await writes.patch({ data: { a: "2" } }, "kubectl-edit");
  assertEquals(owners(next), [
    'm1 Apply: {"f:data":{"f:b":{}}}',
    'kubectl-edit Update: {"f:data":{"f:a":{}}}',
  ]);
  const same = await writes.patch({ data: { b: "1" } }, "third");
  assertEquals(owners(same), owners(next));
  const removed = await writes.patch({ data: { b: null } }, "third");
  assertEquals(owners(removed), ['kubectl-edit Update: {"f:data":{"f:a":{}}}']);
});

Deno.test("managed fields have an entry for each subresource", async () => {
  await using writes = new Writes("/apis/apps/v1/namespaces/default/deployments/d");
  const template = {
    metadata: { labels: { a: "b" } },
    spec: { containers: [{ name: "c", image: "i" }] },
  };
  const spec = { selector: { matchLabels: { a: "b" } }, template };
  const path = "/apis/apps/v1/namespaces/default/deployments?fieldManager=test";
  const { json: live } = await writes.cluster.call("POST", path, { metadata: { name: "d" }, spec });
  const next = await writes.update({ ...live, status: { replicas: 2 } }, "test", "/status");
  assertEquals(
    next.metadata.managedFields.map((entry: Loose) => [entry.manager, entry.subresource ?? ""]),
    [["test", ""], ["test", "status"]],
  );
  assertEquals(next.metadata.managedFields[1].fieldsV1, { "f:status": { "f:replicas": {} } });
});

Deno.test("an update with an empty entry of managed fields removes all entries", async () => {
  await using writes = configMaps();
  for (const managedFields of [[{}], []]) {
    await writes.apply(configMap({ k: "v" }), "m1", true);
    const next = await writes.update(configMap({ k: "v2" }, { managedFields }), "upd");
    assertEquals(next.metadata.managedFields, undefined);
  }
});

Deno.test("the default manager is the text before the slash of the user agent", async () => {
  await using cluster = new Cluster();
  for (
    const [agent, manager] of [
      ["kubectl/v1.30 (linux)", "kubectl"],
      ["wire-recorder", "wire-recorder"],
      ["a\tb/c", "ab"],
      ["x".repeat(200), "x".repeat(128)],
    ] as const
  ) {
    const body = { metadata: { generateName: "a" }, data: { k: "v" } };
    const { json } = await cluster.call("POST", MAPS, body, { "user-agent": agent });
    assertEquals(json.metadata.managedFields[0].manager, manager);
  }
});

const text = { type: "string" };
const SPEC = {
  type: "object",
  properties: {
    map: { type: "object", additionalProperties: text },
    list: {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["k"],
      items: { type: "object", required: ["k"], properties: { k: text, v: text } },
    },
    set: { type: "array", "x-kubernetes-list-type": "set", items: text },
    atom: { type: "array", items: text },
    keep: text,
  },
};

function thing(spec: Loose): Loose {
  return { apiVersion: "a.example/v1", kind: "Thing", metadata: { name: "t" }, spec };
}

Deno.test("an apply owns list items by key, set items by value and atomic lists as a whole", async () => {
  await using writes = await things(SPEC);
  const spec = { map: { a: "1" }, list: [{ k: "x", v: "1" }], set: ["s"], atom: ["z"] };
  const live = await writes.apply(thing(spec), "m1");
  assertEquals(live.metadata.managedFields[0].fieldsV1, {
    "f:spec": {
      "f:atom": {},
      "f:list": { 'k:{"k":"x"}': { ".": {}, "f:k": {}, "f:v": {} } },
      "f:map": { "f:a": {} },
      "f:set": { 'v:"s"': {} },
    },
  });
  const other = thing({ list: [{ k: "y", v: "2" }], set: ["t"], map: { b: "2" } });
  const both = await writes.apply(other, "m2");
  assertEquals(both.spec, {
    atom: ["z"],
    list: [{ k: "x", v: "1" }, { k: "y", v: "2" }],
    map: { a: "1", b: "2" },
    set: ["s", "t"],
  });
  const { details } = await writes.refusal(thing({ atom: ["q"] }), "m2");
  assertEquals(details.causes[0].field, ".spec.atom");
});

Deno.test("owned items are sorted by one key after the other, numbers by size", async () => {
  await using writes = new Writes("/api/v1/namespaces/default/services/s");
  const pairs = [[80, "UDP"], [443, "TCP"], [80, "TCP"], [9, "UDP"], [80, "SCTP"]];
  const ports = pairs.map(([port, protocol], at) => ({ port, protocol, name: `p${at}` }));
  const service = { apiVersion: "v1", kind: "Service", metadata: { name: "s" }, spec: { ports } };
  const live = await writes.apply(service, "m");
  assertEquals(
    Object.keys(live.metadata.managedFields[0].fieldsV1["f:spec"]["f:ports"]),
    [[9, "UDP"], [80, "SCTP"], [80, "TCP"], [80, "UDP"], [443, "TCP"]].map(([port, protocol]) =>
      `k:${JSON.stringify({ port, protocol })}`
    ),
  );
});

Deno.test("an apply takes the fields that a schema has, and any field where it is open", async () => {
  const object = { type: "object", properties: { a: text } };
  await using writes = await things({
    type: "object",
    properties: {
      closed: object,
      open: { ...object, "x-kubernetes-preserve-unknown-fields": true },
      embedded: { ...object, "x-kubernetes-embedded-resource": true },
      map: { type: "object", additionalProperties: text },
    },
  });
  const inner = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "b" } };
  for (
    const spec of [
      { closed: { a: "1" } },
      { open: { a: "1", b: 2 } },
      { embedded: { ...inner, a: "1" } },
      { map: { any: "1" } },
    ]
  ) assertEquals((await writes.apply(thing(spec), "m")).spec, spec);
  const reason = async (spec: Loose) =>
    (await writes.refusal(thing(spec), "m")).message.split("): ")[1];
  assertEquals(
    await reason({ closed: { b: "1" } }),
    ".spec.closed.b: field not declared in schema",
  );
  assertEquals(await reason({ other: {} }), ".spec.other: field not declared in schema");
});

/** The real server turns a map or list that an apply empties into null, and then rejects the null. */
const EMPTIED = /in body must be of type (object|array): "null"/;

Deno.test("an apply that empties a map of a custom resource is refused, as by the real server", async () => {
  await using writes = await things(SPEC);
  await writes.apply(thing({ keep: "1", map: { a: "1" } }), "m1");
  const { details } = await writes.refusal(thing({ keep: "1", map: {} }), "m1");
  assertEquals(details.causes.map(({ field, message }: Loose) => [field, message]), [
    ["spec.map", 'Invalid value: "null": spec.map in body must be of type object: "null"'],
  ]);
  assertEquals((await writes.apply(thing({ keep: "1" }), "m1")).spec, { keep: "1" });
});

Deno.test("an apply treats __proto__ and constructor as ordinary keys", async () => {
  await using writes = await things(SPEC);
  const map = JSON.parse('{"__proto__":"1","constructor":"2","a":"3"}');
  const live = await writes.apply(thing({ map }), "m1");
  assertEquals(Object.keys(live.spec.map).sort(), ["__proto__", "a", "constructor"]);
  const fields = live.metadata.managedFields[0].fieldsV1["f:spec"]["f:map"];
  assertEquals(Object.keys(fields).sort(), ["f:__proto__", "f:a", "f:constructor"]);
  const less = await writes.apply(thing({ map: { a: "3" } }), "m1");
  assertEquals(Object.keys(less.spec.map), ["a"]);
  assertEquals(({} as Loose).a, undefined);
});

/** Fails unless every field that `fields` names exists in `value`. */
function assertDescribes(fields: Loose, value: Loose, at = ""): void {
  for (const [name, inner] of Object.entries(fields)) {
    if (name === ".") continue;
    const element = name.slice(2);
    let found: Loose;
    if (name.startsWith("f:")) {
      found = value !== null && Object.hasOwn(value, element) ? value[element] : undefined;
    } else if (name.startsWith("k:")) {
      const { k } = JSON.parse(element);
      found = value.find((one: Loose) => one.k === k);
    } else {
      found = value.find((one: Loose) => one === JSON.parse(element));
    }
    assert(found !== undefined, `${at}/${name} is owned, but not there`);
    assertDescribes(inner, found, `${at}/${name}`);
  }
}

const value = fc.constantFrom("1", "2");
const key = fc.constantFrom("a", "b", "constructor", "__proto__");
/** `keep` gives each apply a field to own. An empty list has no owner, so applying it is not idempotent. */
const spec = fc.record({
  keep: fc.constant("1"),
  map: fc.dictionary(key, value, { noNullPrototype: true }),
  list: fc.uniqueArray(fc.record({ k: key, v: value }, { requiredKeys: ["k"] }), {
    selector: (one) => one.k,
    maxLength: 3,
  }),
  set: fc.uniqueArray(key, { maxLength: 3 }),
  atom: fc.array(value, { maxLength: 2 }),
}, { requiredKeys: ["keep"] });
const step = fc.record({
  manager: fc.constantFrom("m1", "m2", "m3"),
  verb: fc.constantFrom("apply", "update", "patch"),
  spec,
});

/** Applies with force. Returns undefined if the apply is refused because it would empty a map or list. */
async function applyUnlessEmptied(
  writes: Writes,
  spec: Loose,
  manager: string,
): Promise<Loose | undefined> {
  const { json, status, text } = await writes.tryApply(thing(spec), manager, true);
  if (status < 300) return json;
  assert(EMPTIED.test(json.message), text);
  return undefined;
}

Deno.test("managed fields name only existing fields after random applies, updates and patches", async () => {
  await using writes = await things(SPEC);
  let live = await writes.apply(thing({ keep: "1" }), "m1");
  await assertProperty(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
      for (const { manager, verb, spec } of steps) {
        if (verb === "apply") live = await applyUnlessEmptied(writes, spec, manager) ?? live;
        else if (verb === "update") live = await writes.update({ ...live, spec }, manager);
        else live = await writes.patch({ spec }, manager);
        for (const entry of live.metadata.managedFields ?? []) {
          assertDescribes(entry.fieldsV1, live);
        }
      }
    }),
    60,
  );
});

const isFull = (spec: Loose) => Object.values(spec).every((one: Loose) => one.length !== 0);

Deno.test("an apply sets the applied fields, and changes nothing the second time", async () => {
  await using writes = await things(SPEC);
  await assertProperty(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
      for (const { manager, spec } of steps.filter((one) => isFull(one.spec))) {
        const live = await applyUnlessEmptied(writes, spec, manager);
        if (live === undefined) continue;
        for (const [name, wanted] of Object.entries(spec.map ?? {})) {
          assert(Object.hasOwn(live.spec.map, name));
          assertEquals(live.spec.map[name], wanted);
        }
        if (spec.atom !== undefined) assertEquals(live.spec.atom, spec.atom);
        for (const one of spec.set ?? []) assert(live.spec.set.includes(one));
        const again = await writes.apply(thing(spec), manager);
        assertEquals(again.metadata.resourceVersion, live.metadata.resourceVersion);
      }
    }),
    60,
  );
});
