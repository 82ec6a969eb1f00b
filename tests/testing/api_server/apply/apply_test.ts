import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { managerFromUserAgent } from "../../../../src/testing/api_server/kinds/server_side_apply.ts";
import { isNoop } from "../../../../src/testing/api_server/kinds/strategy/strategy.ts";
import { ApiError } from "../../../../src/testing/values/api_error.ts";
import {
  apply,
  causes,
  CONFIG_MAP,
  crdWithSpec,
  create,
  customKind,
  kindOf,
  type Loose,
  patch,
  recorded,
  recordedStatus,
  refusal,
  update,
} from "../support.ts";
import { assertProperty } from "../../../support/seeded_runs.ts";

/** Returns the managed fields, as `manager operation: fields`. */
function owners(object: Loose): string[] {
  return (object.metadata.managedFields ?? []).map((entry: Loose) =>
    `${entry.manager} ${entry.operation}: ${JSON.stringify(entry.fieldsV1)}`
  );
}

function configMap(data: Loose, metadata: Loose = {}): Loose {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "ssa", ...metadata }, data };
}

Deno.test("applyPatch() repeats a recorded sequence of applies by several managers", () => {
  const recordedOwners = (id: string) => owners(JSON.parse(recorded(id).body));
  const body = (id: string) => JSON.parse(recorded(id).requestBody!);
  let object = apply(CONFIG_MAP, undefined, body("0701"), "m1");
  assertEquals(owners(object), recordedOwners("0701"));
  const again = apply(CONFIG_MAP, object, body("0702"), "m1");
  assert(isNoop(again, object));
  assertEquals(
    refusal(() => apply(CONFIG_MAP, object, body("0703"), "m2")),
    recordedStatus("0703"),
  );
  object = apply(CONFIG_MAP, object, body("0704"), "m2", true);
  assertEquals(owners(object), recordedOwners("0704"));
  object = apply(CONFIG_MAP, object, body("0705"), "m3");
  assertEquals(owners(object), recordedOwners("0705"));
  object = apply(CONFIG_MAP, object, body("0706"), "m3");
  assertEquals(owners(object), recordedOwners("0706"));
  assertEquals(object.data, { a: "2" });
});

Deno.test("applyPatch() conflicts with managers that update, and names their version", () => {
  const live = create(CONFIG_MAP, { metadata: { name: "pt" }, data: { a: "1" } }, "wire-recorder");
  const body = JSON.parse(recorded("0711").requestBody!);
  assertEquals(refusal(() => apply(CONFIG_MAP, live, body, "m1")), recordedStatus("0711"));
});

Deno.test("applyPatch() names every conflict, by manager", () => {
  let live = apply(CONFIG_MAP, undefined, configMap({ a: "1", b: "1" }), "m1");
  live = apply(CONFIG_MAP, live, configMap({ c: "1" }), "m2");
  const status = refusal(() =>
    apply(CONFIG_MAP, live, configMap({ a: "2", b: "2", c: "2" }), "m3")
  );
  assertEquals(
    status.message,
    'Apply failed with 3 conflicts: conflicts with "m1":\n- .data.a\n- .data.b\nconflicts with "m2":\n- .data.c',
  );
  assertEquals(status.details?.causes?.map((cause) => cause.field), [
    ".data.a",
    ".data.b",
    ".data.c",
  ]);
});

Deno.test("applyPatch() rejects managed fields, other kinds and undeclared fields", () => {
  const live = apply(CONFIG_MAP, undefined, configMap({ a: "1" }), "m1");
  const refused = (body: Loose) => refusal(() => apply(CONFIG_MAP, live, body, "m1"));
  assertEquals(refused(JSON.parse(recorded("0708").requestBody!)), recordedStatus("0708"));
  assertEquals(
    refusal(() =>
      apply(CONFIG_MAP, live, { ...JSON.parse(recorded("0716").requestBody!), metadata: {} }, "m2")
    ),
    recordedStatus("0716"),
  );
  assertEquals(
    refused({ ...configMap({}), apiVersion: "v2" }).message,
    "invalid object type: /v2, Kind=ConfigMap",
  );
  assertEquals(
    refused({ ...configMap({}), bogus: 1 }).message,
    "failed to create typed patch object (/ssa; /v1, Kind=ConfigMap): .bogus: field not declared in schema",
  );
});

Deno.test("applyPatch() removes fields that its manager no longer applies, unless another manager owns them", () => {
  let live = apply(CONFIG_MAP, undefined, configMap({ a: "1", b: "1", c: "1" }), "m1");
  live = apply(CONFIG_MAP, live, configMap({ b: "1" }), "m2");
  live = patch(CONFIG_MAP, live, "merge", { data: { d: "1" } }, "other");
  live = apply(CONFIG_MAP, live, configMap({ c: "1" }), "m1");
  assertEquals(live.data, { b: "1", c: "1", d: "1" });
});

Deno.test("updateManagedFields() makes the manager that changed a field its owner", () => {
  const live = apply(CONFIG_MAP, undefined, configMap({ a: "1", b: "1" }), "m1");
  const next = patch(CONFIG_MAP, live, "merge", { data: { a: "2" } }, "kubectl-edit");
  assertEquals(owners(next), [
    'm1 Apply: {"f:data":{"f:b":{}}}',
    'kubectl-edit Update: {"f:data":{"f:a":{}}}',
  ]);
  const same = patch(CONFIG_MAP, next, "merge", { data: { b: "1" } }, "third");
  assertEquals(owners(same), owners(next));
  const removed = patch(CONFIG_MAP, next, "merge", { data: { b: null } }, "third");
  assertEquals(owners(removed), ['kubectl-edit Update: {"f:data":{"f:a":{}}}']);
});

Deno.test("updateManagedFields() keeps an entry for each subresource", () => {
  const deployment = kindOf("apps", "Deployment", "deployments");
  const template = {
    metadata: { labels: { a: "b" } },
    spec: { containers: [{ name: "c", image: "i" }] },
  };
  const live = create(deployment, {
    metadata: { name: "d" },
    spec: { selector: { matchLabels: { a: "b" } }, template },
  });
  const next = update(deployment, live, { ...live, status: { replicas: 2 } }, "test", "status");
  assertEquals(
    next.metadata.managedFields.map((entry: Loose) => [entry.manager, entry.subresource ?? ""]),
    [["test", ""], ["test", "status"]],
  );
  assertEquals(next.metadata.managedFields[1].fieldsV1, { "f:status": { "f:replicas": {} } });
});

Deno.test("updateManagedFields() removes all entries if the update has an empty one", () => {
  const live = apply(CONFIG_MAP, undefined, configMap({ k: "v" }), "m1");
  for (const managedFields of [[{}], []]) {
    const next = update(CONFIG_MAP, live, configMap({ k: "v2" }, { managedFields }), "upd");
    assertEquals(next.metadata.managedFields, undefined);
  }
});

Deno.test("managerFromUserAgent() returns the text before the slash", () => {
  assertEquals(managerFromUserAgent("kubectl/v1.30 (linux)"), "kubectl");
  assertEquals(managerFromUserAgent("wire-recorder"), "wire-recorder");
  assertEquals(managerFromUserAgent("a\tb/c"), "ab");
  assertEquals(managerFromUserAgent("x".repeat(200)).length, 128);
});

const text = { type: "string" };
const THING = customKind(crdWithSpec({
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
}));

function thing(spec: Loose): Loose {
  return { apiVersion: "a.example/v1", kind: "Thing", metadata: { name: "t" }, spec };
}

Deno.test("applyPatch() owns list items by key, set items by value and atomic lists as a whole", () => {
  const spec = { map: { a: "1" }, list: [{ k: "x", v: "1" }], set: ["s"], atom: ["z"] };
  const live = apply(THING, undefined, thing(spec), "m1");
  assertEquals(live.metadata.managedFields[0].fieldsV1, {
    "f:spec": {
      "f:atom": {},
      "f:list": { 'k:{"k":"x"}': { ".": {}, "f:k": {}, "f:v": {} } },
      "f:map": { "f:a": {} },
      "f:set": { 'v:"s"': {} },
    },
  });
  const other = thing({ list: [{ k: "y", v: "2" }], set: ["t"], map: { b: "2" } });
  const both = apply(THING, live, other, "m2");
  assertEquals(both.spec, {
    atom: ["z"],
    list: [{ k: "x", v: "1" }, { k: "y", v: "2" }],
    map: { a: "1", b: "2" },
    set: ["s", "t"],
  });
  assertEquals(
    refusal(() => apply(THING, both, thing({ atom: ["q"] }), "m2")).details?.causes?.[0]?.field,
    ".spec.atom",
  );
});

Deno.test("applyPatch() sorts owned items: numbers by size and before texts, keys by one after the other", () => {
  const list = (type: string, items: Loose, more: Loose = {}) => ({
    type: "array",
    "x-kubernetes-list-type": type,
    items,
    ...more,
  });
  const port = { port: { type: "integer" }, protocol: text };
  const kind = customKind(crdWithSpec({
    type: "object",
    properties: {
      ports: list("map", { type: "object", required: Object.keys(port), properties: port }, {
        "x-kubernetes-list-map-keys": ["port", "protocol"],
      }),
      set: list("set", { "x-kubernetes-int-or-string": true }),
    },
  }));
  const ports = [[80, "UDP"], [443, "TCP"], [80, "TCP"], [9, "X"], [80, "SCTP"]]
    .map(([port, protocol]) => ({ port, protocol }));
  const live = apply(kind, undefined, thing({ ports, set: ["b", 10, "a", 9, "a0"] }), "m");
  const fields = live.metadata.managedFields[0].fieldsV1["f:spec"];
  assertEquals(
    Object.keys(fields["f:ports"]),
    [[9, "X"], [80, "SCTP"], [80, "TCP"], [80, "UDP"], [443, "TCP"]].map(([port, protocol]) =>
      `k:${JSON.stringify({ port, protocol })}`
    ),
  );
  assertEquals(Object.keys(fields["f:set"]), ["v:9", "v:10", 'v:"a"', 'v:"a0"', 'v:"b"']);
});

Deno.test("applyPatch() takes the fields that a schema has, and any field where it is open", () => {
  const object = { type: "object", properties: { a: text } };
  const kind = customKind(crdWithSpec({
    type: "object",
    properties: {
      closed: object,
      open: { ...object, "x-kubernetes-preserve-unknown-fields": true },
      embedded: { ...object, "x-kubernetes-embedded-resource": true },
      map: { type: "object", additionalProperties: text },
    },
  }));
  const applied = (spec: Loose) => apply(kind, undefined, thing(spec), "m").spec;
  const inner = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "b" } };
  for (
    const spec of [
      { closed: { a: "1" } },
      { open: { a: "1", b: 2 } },
      { embedded: { ...inner, a: "1" } },
      { map: { any: "1" } },
    ]
  ) assertEquals(applied(spec), spec);
  const said = (spec: Loose) => refusal(() => applied(spec)).message?.split("): ")[1];
  assertEquals(said({ closed: { b: "1" } }), ".spec.closed.b: field not declared in schema");
  assertEquals(said({ other: {} }), ".spec.other: field not declared in schema");
});

/** The real server turns a map or list that an apply empties into null, and then rejects the null. */
const EMPTIED = /in body must be of type (object|array): "null"/;

Deno.test("applyPatch() rejects an apply that empties a map of a custom resource, as the real server does", () => {
  const live = apply(THING, undefined, thing({ keep: "1", map: { a: "1" } }), "m1");
  const emptied = thing({ keep: "1", map: {} });
  assertEquals(causes(() => apply(THING, live, emptied, "m1")), [
    'spec.map: Invalid value: "null": spec.map in body must be of type object: "null"',
  ]);
  assertEquals(apply(THING, live, thing({ keep: "1" }), "m1").spec, { keep: "1" });
});

Deno.test("applyPatch() treats __proto__ and constructor as ordinary keys", () => {
  const map = JSON.parse('{"__proto__":"1","constructor":"2","a":"3"}');
  const live = apply(THING, undefined, thing({ map }), "m1");
  assertEquals(Object.keys(live.spec.map).sort(), ["__proto__", "a", "constructor"]);
  const fields = live.metadata.managedFields[0].fieldsV1["f:spec"]["f:map"];
  assertEquals(Object.keys(fields).sort(), ["f:__proto__", "f:a", "f:constructor"]);
  const less = apply(THING, live, thing({ map: { a: "3" } }), "m1");
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
/** `keep` gives each apply a field to own. Nobody owns an empty list, so applying one is not idempotent. */
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

/** Applies with force; returns the unchanged object if the apply would empty a map or list. */
function applyUnlessEmptied(live: Loose, spec: Loose, manager: string): Loose {
  try {
    return apply(THING, live, thing(spec), manager, true);
  } catch (error) {
    assert(ApiError.is(error) && EMPTIED.test(error.message), String(error));
    return live;
  }
}

Deno.test("applyPatch() and updateManagedFields() record no owner of a missing field", () => {
  assertProperty(
    fc.property(fc.array(step, { minLength: 1, maxLength: 8 }), (steps) => {
      let live: Loose = apply(THING, undefined, thing({ keep: "1" }), "m1");
      for (const { manager, verb, spec } of steps) {
        if (verb === "apply") live = applyUnlessEmptied(live, spec, manager);
        else if (verb === "update") live = update(THING, live, { ...live, spec }, manager);
        else live = patch(THING, live, "merge", { spec }, manager);
        for (const entry of live.metadata.managedFields ?? []) {
          assertDescribes(entry.fieldsV1, live);
        }
      }
    }),
    300,
  );
});

const isFull = (spec: Loose) => Object.values(spec).every((one: Loose) => one.length !== 0);

Deno.test("applyPatch() sets the applied fields, and changes nothing the second time", () => {
  assertProperty(
    fc.property(fc.array(step, { minLength: 1, maxLength: 8 }), (steps) => {
      let live: Loose;
      for (const { manager, spec } of steps.filter((one) => isFull(one.spec))) {
        const next = applyUnlessEmptied(live, spec, manager);
        if (next === live) continue;
        live = next;
        for (const [name, wanted] of Object.entries(spec.map ?? {})) {
          assert(Object.hasOwn(live.spec.map, name));
          assertEquals(live.spec.map[name], wanted);
        }
        if (spec.atom !== undefined) assertEquals(live.spec.atom, spec.atom);
        for (const one of spec.set ?? []) assert(live.spec.set.includes(one));
        assert(isNoop(apply(THING, live, thing(spec), manager), live));
      }
    }),
    300,
  );
});
