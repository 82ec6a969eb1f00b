import { assertArrayIncludes, assertEquals } from "@std/assert";
import fc from "fast-check";
import { readScale, writeScale } from "../../../../src/testing/api_server/kinds/scale.ts";
import { decodeObject } from "../../../../src/testing/api_server/schema/decode.ts";
import type { KindInfo } from "../../../../src/testing/api_server/schema/kind.ts";
import {
  causes,
  crdOfAnything,
  crdWithSpec,
  create,
  customKind,
  type Loose,
  patch,
} from "../support.ts";
import { assertProperty } from "../../../support/seeded_runs.ts";

function kindWith(property: Loose, more: Loose = {}): KindInfo {
  return customKind(crdWithSpec({ type: "object", properties: { x: property }, ...more }));
}

/** Returns the validation errors of a value of `spec.x`. */
function said(property: Loose, x: Loose): string[] {
  const kind = kindWith(property);
  const body = { apiVersion: "a.example/v1", kind: "Thing", metadata: { name: "t" }, spec: { x } };
  try {
    create(kind, body);
    return [];
  } catch {
    return causes(() => create(kind, body));
  }
}

Deno.test("ApiServer checks values against the schema", () => {
  const string = { type: "string" };
  const cases: [Loose, Loose, string][] = [
    [string, 5, 'Invalid value: "integer": spec.x in body must be of type string: "integer"'],
    [
      { type: "integer" },
      1.5,
      'Invalid value: "number": spec.x in body must be of type integer: "number"',
    ],
    [
      { type: "array", items: string },
      {},
      'Invalid value: "object": spec.x in body must be of type array: "object"',
    ],
    [{ ...string, enum: ["a", "b"] }, "c", 'Unsupported value: "c": supported values: "a", "b"'],
    [{ ...string, maxLength: 1 }, "ab", "Too long: may not be more than 1 byte"],
    [
      { ...string, minLength: 2 },
      "a",
      'Invalid value: "a": spec.x in body should be at least 2 chars long',
    ],
    [
      { ...string, pattern: "^a+$" },
      "b",
      "Invalid value: \"b\": spec.x in body should match '^a+$'",
    ],
    [
      { type: "integer", minimum: 3 },
      2,
      "Invalid value: 2: spec.x in body should be greater than or equal to 3",
    ],
    [
      { type: "integer", maximum: 3 },
      4,
      "Invalid value: 4: spec.x in body should be less than or equal to 3",
    ],
    [
      { type: "integer", minimum: 3, exclusiveMinimum: true },
      3,
      "Invalid value: 3: spec.x in body should be greater than 3",
    ],
    [
      { type: "integer", maximum: 3, exclusiveMaximum: true },
      3,
      "Invalid value: 3: spec.x in body should be less than 3",
    ],
    [
      { type: "integer", multipleOf: 2 },
      3,
      "Invalid value: 3: spec.x in body should be a multiple of 2",
    ],
    [
      { type: "integer", multipleOf: 0.5 },
      3,
      "Invalid value: 0: factor MultipleOf declared for spec.x must be positive: 0",
    ],
    [
      { type: "array", items: string, maxItems: 1 },
      ["a", "b"],
      "Too many: 2: must have at most 1 item",
    ],
    [
      { type: "array", items: string, minItems: 2 },
      ["a"],
      "Invalid value: 1: spec.x in body should have at least 2 items",
    ],
    [
      { type: "object", additionalProperties: string, minProperties: 1 },
      {},
      "Invalid value: 0: spec.x in body should have at least 1 properties",
    ],
    [
      { type: "object", additionalProperties: string, maxProperties: 1 },
      { a: "b", c: "d" },
      "Too many: 2: must have at most 1 item",
    ],
    [
      { ...string, format: "date-time" },
      "x",
      'Invalid value: "x": spec.x in body must be of type date-time: "x"',
    ],
  ];
  for (const [schema, value, message] of cases) {
    // An integer of another form is found by its format, too.
    assertArrayIncludes(said(schema, value), [`spec.x: ${message}`]);
  }
  const three = ["a", "b", "c"];
  const object = { type: "object", additionalProperties: string };
  const accepted: [Loose, Loose][] = [
    [{ ...string, minLength: 2, maxLength: 2 }, "ab"],
    [{ type: "integer", minimum: 3, maximum: 3 }, 3],
    [{ type: "number", minimum: 3, exclusiveMinimum: true }, 3.5],
    [{ type: "number", maximum: 3, exclusiveMaximum: true }, 2.5],
    [{ type: "number", multipleOf: 0.5 }, 1.5],
    [{ type: "number", multipleOf: 2.5 }, 4],
    [{ type: "array", items: string, minItems: 3, maxItems: 3 }, three],
    [{ ...object, minProperties: 1, maxProperties: 1 }, { a: "b" }],
    [{ ...string, enum: ["a", "b"] }, "b"],
    [{ ...string, format: "date-time" }, "2026-01-01T00:00:00Z"],
    [{ ...string, pattern: "^a+$" }, "aa"],
  ];
  for (const [schema, value] of accepted) {
    assertEquals(said(schema, value), [], JSON.stringify(schema));
  }
  const closed = { type: "object", required: ["a", "b"], properties: { a: string, b: string } };
  assertEquals(said(closed, { a: "c" }), ["spec.x.b: Required value"]);
  assertEquals(said({ "x-kubernetes-int-or-string": true }, "5%"), []);
  assertEquals(said({ "x-kubernetes-int-or-string": true }, 5), []);
  assertEquals(said({ ...string, nullable: true }, null), []);
});

Deno.test("ApiServer checks anyOf, oneOf, allOf and not", () => {
  const least = (minimum: number) => ({ minimum });
  const most = (maximum: number) => ({ maximum });
  const failed = (what: string) => `<nil>: Invalid value: "": "spec.x" ${what}`;
  const any = failed("must validate at least one schema (anyOf)");
  const one = failed("must validate one and only one schema (oneOf). Found");
  const all = failed("must validate all the schemas (allOf)");
  const tooSmall = (value: number, minimum: number) =>
    `spec.x: Invalid value: ${value}: spec.x in body should be greater than or equal to ${minimum}`;
  const cases: [Loose, number, string[]][] = [
    [{ anyOf: [least(5), most(1)] }, 3, [any, tooSmall(3, 5)]],
    [{ anyOf: [least(5), most(1)] }, 0, []],
    [{ oneOf: [least(5), most(1)] }, 3, [`${one} none valid`, tooSmall(3, 5)]],
    [{ oneOf: [least(5), most(1)] }, 6, []],
    [{ oneOf: [least(5), most(7)] }, 6, [`${one} 2 valid alternatives`]],
    [{ allOf: [most(7), least(5)] }, 3, [tooSmall(3, 5), all]],
    [{ allOf: [least(5), least(7)] }, 3, [
      tooSmall(3, 5),
      tooSmall(3, 7),
      `${all}. None validated`,
    ]],
    [{ allOf: [most(7), least(5)] }, 6, []],
    [{ not: least(5) }, 6, [failed("must not validate the schema (not)")]],
    [{ not: least(5) }, 4, []],
  ];
  for (const [rules, value, expected] of cases) {
    assertEquals(said({ type: "integer", ...rules }, value), expected, JSON.stringify(rules));
  }
});

Deno.test("ApiServer rejects duplicate keys of list maps and duplicate items of sets", () => {
  const set = { type: "array", "x-kubernetes-list-type": "set", items: { type: "string" } };
  assertEquals(said(set, ["a", "b", "a"]), ['spec.x[2]: Duplicate value: "a"']);
  const map = {
    type: "array",
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["k"],
    items: { type: "object", required: ["k"], properties: { k: { type: "string" } } },
  };
  assertEquals(said(map, [{ k: "a" }, { k: "a" }]), [
    'spec.x[1]: Duplicate value: {"k":"a"}',
  ]);
});

Deno.test("applyDefaults() sets the defaults of a schema, also in place of null", () => {
  const kind = kindWith({
    type: "object",
    default: {},
    properties: { a: { type: "string", default: "A" }, b: { type: "string" } },
  });
  const stored = (spec: Loose) =>
    create(kind, { apiVersion: "a.example/v1", kind: "Thing", metadata: { name: "t" }, spec }).spec;
  assertEquals(stored({}), { x: { a: "A" } });
  assertEquals(stored({ x: { a: null, b: null } }), { x: { a: "A" } });
  assertEquals(stored({ x: { a: "1", b: "2" } }), { x: { a: "1", b: "2" } });
  const list = kindWith({ type: "array", items: { type: "string", default: "D" } });
  const body = { apiVersion: "a.example/v1", kind: "Thing", metadata: { name: "t" } };
  assertEquals(create(list, { ...body, spec: { x: [null, "a"] } }).spec, { x: ["D", "a"] });
});

Deno.test("decodeObject() prunes fields that a schema does not have, and warns about them", () => {
  const kind = kindWith({
    type: "object",
    properties: {
      open: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
      map: { type: "object", additionalProperties: { type: "object", properties: {} } },
    },
  });
  const body = {
    apiVersion: "a.example/v1",
    kind: "Thing",
    metadata: { name: "t" },
    spec: { x: { open: { kept: 1 }, map: { m: { gone: 1 } }, gone: 2 } },
    gone: 3,
  };
  const { object, warnings } = decodeObject(JSON.stringify(body), kind, "Warn");
  assertEquals((object as Loose).spec, { x: { open: { kept: 1 }, map: { m: {} } } });
  assertEquals(warnings, [
    'unknown field "gone"',
    'unknown field "spec.x.gone"',
    'unknown field "spec.x.map.m.gone"',
  ]);
});

Deno.test("decodeObject() treats every key of an open schema as an ordinary key", () => {
  const kind = kindWith({ type: "object", "x-kubernetes-preserve-unknown-fields": true });
  const keys = fc.constantFrom("__proto__", "constructor", "toString", "a");
  const object = fc.dictionary(keys, fc.jsonValue(), { noNullPrototype: true });
  assertProperty(fc.property(object, (x) => {
    const head = '"apiVersion":"a.example/v1","kind":"Thing","metadata":{"name":"t"}';
    const stored: Loose = create(
      kind,
      JSON.parse(`{${head},"spec":{"x":${JSON.stringify(x)}}}`),
    );
    assertEquals(Object.keys(stored.spec.x ?? {}).sort(), Object.keys(x).sort());
    assertEquals(Object.getPrototypeOf(stored.spec), Object.prototype);
    assertEquals(({} as Loose).a, undefined);
  }));
});

const WIDGET = customKind(crdOfAnything({
  subresources: {
    status: {},
    scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" },
  },
}));

const WIDGET_VERSION = `${WIDGET.group}/${WIDGET.version}`;

Deno.test("ApiServer writes the status of a custom resource only through its subresource", () => {
  const live = create(WIDGET, {
    apiVersion: WIDGET_VERSION,
    kind: WIDGET.kind,
    metadata: { name: "w" },
    spec: { replicas: 1 },
    status: { replicas: 9 },
  });
  assertEquals([live.status, live.metadata.generation], [undefined, 1]);
  const changed = patch(WIDGET, live, "merge", { spec: { replicas: 2 } });
  assertEquals(changed.metadata.generation, 2);
});

Deno.test("readScale() and writeScale() use the paths of the CRD", () => {
  const live = create(WIDGET, {
    apiVersion: WIDGET_VERSION,
    kind: WIDGET.kind,
    metadata: { name: "w" },
    spec: { replicas: 1 },
  });
  const scale = readScale(WIDGET, live) as Loose;
  assertEquals([scale.kind, scale.apiVersion, scale.spec.replicas], ["Scale", "autoscaling/v1", 1]);
  assertEquals((writeScale(WIDGET, live, 4) as Loose).spec.replicas, 4);
  assertEquals(live.spec.replicas, 1);
  assertEquals(readScale(kindWith({ type: "string" }), live), undefined);
});
