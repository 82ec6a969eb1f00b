import { Type } from "@sinclair/typebox";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import { Codec, Refine, Type as TypeBox } from "typebox";
import * as v from "valibot";
import { z } from "zod";
import { assertEquals, assertMatch } from "@std/assert";
import { crd } from "../../src/crd/mod.ts";
import { defineResource } from "../../src/types/mod.ts";
import { errorOf, fieldsOf, specOf } from "./_definitions.ts";

Deno.test("crd() reports constructs that a structural schema cannot express, with their path", () => {
  const message = (what: string) =>
    `Widget.spec.f: cannot express ${what} in a structural schema: `;
  const cases: [schema: unknown, what: string][] = [
    [z.date(), "a Date"],
    [z.bigint(), "a bigint"],
    [z.int64(), "a bigint"],
    [z.set(z.string()), "a Set"],
    [z.map(z.string(), z.string()), "a Map"],
    [z.tuple([z.string()]), "a tuple"],
    [z.undefined(), "undefined"],
    [z.null(), 'the type "null"'],
    [z.never(), '"not"'],
    [z.string().transform(Number), "a pipe"],
    [z.stringbool(), "a pipe"],
    [z.string().trim(), 'the check "overwrite"'],
    [z.string().catch("x"), "a catch()"],
    [z.string().refine(() => true), "a refinement"],
    [z.string().regex(/a/i), 'a regular expression with the flags "i"'],
    [z.string().regex(/(?=a)b/), 'the pattern "(?=a)b", which has a lookahead or a lookbehind,'],
    [z.string().regex(/(a)\1/), 'the pattern "(a)\\\\1", which has a backreference,'],
    [z.string().nullable().default(null), "the default null"],
    [z.jwt(), 'the format "jwt"'],
    [z.string().meta({ label: "x" }), 'the keyword "label"'],
    [z.record(z.string().regex(/a/), z.string()), '"propertyNames"'],
    [z.union([z.string(), z.object({ a: z.string() })]), "a union of string and object"],
    [z.array(z.object({ a: z.string() })).meta({ uniqueItems: true }), "a set of objects"],
    [z.object({ a: z.string() }).catchall(z.int()), '"additionalProperties" beside "properties"'],
    [Type.Date(), 'the type "Date"'],
    [Type.Record(Type.Integer(), Type.String()), '"patternProperties"'],
    [{ type: "object" }, "an object without fields"],
    [
      { type: "object", properties: { a: { type: "string" } }, required: ["b"] },
      'the required field "b"',
    ],
    [{ minimum: 1 }, "a schema without a type"],
    [{ type: ["string", "boolean"] }, "the types string and boolean together"],
    [{ enum: ["a", 1] }, "an enum of several types"],
    [{ type: "string", not: { type: "integer" } }, '"not"'],
    [{ type: "string", if: {} }, 'the keyword "if"'],
    [{ $ref: "https://example.com/schema" }, 'the $ref "https://example.com/schema"'],
    [
      { type: "string", "x-kubernetes-list-type": "set" },
      '"x-kubernetes-list-type" of a field that is no array',
    ],
    [
      {
        type: "array",
        items: { type: "object", properties: { name: { type: "string" } } },
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["name"],
      },
      'the key "name" of a list map',
    ],
  ];
  for (const [schema, what] of cases) {
    const text = errorOf(() => specOf(schema));
    assertEquals(text.slice(0, message(what).length), message(what), text);
  }
});

Deno.test("crd() names the path within arrays, records and alternatives, in each library", () => {
  const paths: [() => unknown, RegExp][] = [
    [() => specOf(z.array(z.object({ at: z.date() }))), /^Widget\.spec\.f\[\*\]\.at: .* a Date /],
    [() => specOf(z.record(z.string(), z.bigint())), /^Widget\.spec\.f\[\*\]: .* a bigint /],
    [
      () =>
        specOf(z.union([z.object({ a: z.string().default("x") }), z.object({ b: z.string() })])),
      /^Widget\.spec\.f\.anyOf\[0\]\.a: .* "default" in one alternative/,
    ],
    [
      () => fieldsOf(toStandardJsonSchema(v.object({ a: v.object({ b: v.date() }) }))),
      /^Widget\.spec\.a\.b: cannot express the schema "date" of Valibot /,
    ],
    [
      () =>
        fieldsOf(
          toStandardJsonSchema(v.object({ a: v.pipe(v.string(), v.check((text) => text !== "")) })),
        ),
      /^Widget\.spec\.a: cannot express the action "check" of Valibot .* CEL rule/,
    ],
    [
      () => fieldsOf(toStandardJsonSchema(v.object({ a: v.pipe(v.string(), v.trim()) }))),
      /^Widget\.spec\.a: cannot express the action "trim" of Valibot /,
    ],
    [() => fieldsOf(type({ a: { b: "Date" } })), /^Widget\.spec\.a\.b: cannot express a Date /],
    [() => fieldsOf(type({ a: "bigint" })), /^Widget\.spec\.a: cannot express a type that is not/],
    [
      () => fieldsOf(type({ a: "string.numeric.parse" })),
      /^Widget\.spec\.a: cannot express a morph /,
    ],
    [
      () => fieldsOf(type({ a: type("string").narrow(() => true) })),
      /^Widget\.spec\.a: cannot express a narrow\(\) /,
    ],
  ];
  for (const [run, expected] of paths) assertMatch(errorOf(run), expected);
});

Deno.test("crd() reports a default that its own schema does not allow", () => {
  assertEquals(
    errorOf(() => specOf({ type: "integer", minimum: 1, default: 0 })),
    "Widget.spec.f.default: the default does not match its own schema: Invalid value: 0: should be greater than or equal to 1",
  );
  assertMatch(
    errorOf(() =>
      specOf({
        type: "object",
        properties: { a: { type: "string" } },
        required: ["a"],
        default: {},
      })
    ),
    /^Widget\.spec\.f\.default\.a: .* Required value$/,
  );
  assertMatch(
    errorOf(() => specOf({ type: "integer", default: 2 ** 63 })),
    /^Widget\.spec\.f\.default: .* "number": must be of type integer$/,
  );
});

Deno.test("crd() reports a default with a field that the server would prune", () => {
  const a = { type: "string" };
  const fields = { type: "object", properties: { a } };
  const pruned = (schema: object) => errorOf(() => specOf(schema)).split(": the default has a")[0];
  assertEquals(pruned({ ...fields, default: { a: "x", b: 1 } }), "Widget.spec.f.default.b");
  assertEquals(
    pruned({ type: "array", items: fields, default: [{ a: "x" }, { c: 1 }] }),
    "Widget.spec.f.default[1].c",
  );
  assertEquals(
    pruned({ type: "object", additionalProperties: fields, default: { x: { b: 1 } } }),
    "Widget.spec.f.default.x.b",
  );
  for (
    const schema of [
      { ...fields, "x-kubernetes-preserve-unknown-fields": true, default: { b: 1 } },
      {
        ...fields,
        "x-kubernetes-embedded-resource": true,
        default: { apiVersion: "v1", kind: "Pod", metadata: {} },
      },
      { type: "object", additionalProperties: a, default: { b: "x" } },
      { "x-kubernetes-preserve-unknown-fields": true, default: { b: [{ c: 1 }] } },
      { type: "number", multipleOf: 0.1, default: 0.3 },
      { type: "number", multipleOf: 0.01, default: 0.07 },
      { type: "number", multipleOf: 0.1, default: 0 },
    ]
  ) assertEquals(specOf(schema)["default"], schema.default);
});

Deno.test("crd() says how to wrap a schema that cannot be converted", () => {
  assertEquals(
    errorOf(() => fieldsOf(v.object({ a: v.string() }))),
    'Widget.spec: the schema of valibot has no "~standard".jsonSchema: wrap it in toStandardJsonSchema() of @valibot/to-json-schema',
  );
  assertEquals(
    errorOf(() => fieldsOf("string")),
    'Widget.spec: a schema is an object, but this is "string"',
  );
});

Deno.test("crd() ends with an error for cyclic, deep, huge and hostile schemas", () => {
  const cyclic: Record<string, unknown> = { type: "object" };
  cyclic["properties"] = { self: cyclic };
  assertMatch(errorOf(() => fieldsOf(cyclic)), /^Widget\.spec\.properties\.self: .* recursive /);

  interface Tree {
    children: Tree[];
  }
  const tree: z.ZodType<Tree> = z.object({ children: z.array(z.lazy(() => tree)) });
  assertMatch(
    errorOf(() => fieldsOf(tree)),
    /^Widget\.spec\.children\[\*\]: .* a recursive schema /,
  );
  const list = type({ name: "string", "next?": "this" });
  assertMatch(errorOf(() => fieldsOf(list)), /^Widget\.spec\.next: .* a recursive schema /);

  let deep: unknown = { type: "string" };
  for (let i = 0; i < 10_000; i++) deep = { type: "array", items: deep };
  assertMatch(errorOf(() => specOf(deep)), /nested deeper than 200$/);

  const definitions: Record<string, unknown> = { d0: { type: "string" } };
  for (let i = 1; i < 30; i++) {
    const $ref = `#/$defs/d${i - 1}`;
    definitions[`d${i}`] = { type: "object", properties: { a: { $ref }, b: { $ref } } };
  }
  assertMatch(
    errorOf(() => fieldsOf({ $ref: "#/$defs/d29", $defs: definitions })),
    /larger than 20000 parts when its \$refs are resolved$/,
  );

  const throwing = {
    type: "object",
    get properties() {
      throw new Error("no fields today");
    },
  };
  assertMatch(errorOf(() => fieldsOf(throwing)), /^Widget\.spec\.properties: .* no fields today$/);
  const standard = {
    "~standard": {
      version: 1,
      vendor: "mine",
      jsonSchema: {
        input: () => {
          throw new Error("not now");
        },
      },
    },
  };
  assertMatch(errorOf(() => fieldsOf(standard)), /^Widget\.spec: mine cannot convert .* not now$/);

  const proto = JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}');
  assertMatch(errorOf(() => fieldsOf(proto)), /__proto__: cannot express a field of this name$/);
  assertEquals(
    Object.keys(fieldsOf({
      type: "object",
      properties: { constructor: { type: "string" }, toString: { type: "string" } },
      required: ["toString"],
    })),
    ["constructor", "toString"],
  );
  assertMatch(
    errorOf(() => specOf({ type: "string", default: () => "x" })),
    /a function is not JSON$/,
  );
  assertMatch(errorOf(() => specOf({ constructor: 1 })), /the keyword "constructor"/);
});

Deno.test("crd() refuses constructs that a library would drop silently", () => {
  const inValibot = (f: v.GenericSchema) => () => fieldsOf(toStandardJsonSchema(v.object({ f })));
  const inArkType = (f: unknown) => () => fieldsOf(type({ f } as never));
  const cases: [run: () => unknown, what: string][] = [
    [() => specOf(z.coerce.number()), "a coercion"],
    [() => specOf(z.url({ protocol: /^https$/ })), "a URL of certain protocols or hosts"],
    [() => specOf(z.url({ normalize: true })), "a URL that is normalized"],
    [() => specOf(z.string().regex(/[\p{L}--[x]]/v)), 'a regular expression with the flags "v"'],
    [
      () => specOf(z.string().refine(() => true).meta({ "x-kubernetes-validations": [] })),
      "a refinement",
    ],
    [inValibot(v.pipe(v.string(), v.transform(Number))), 'the action "transform" of Valibot'],
    [
      inValibot(v.pipe(v.string(), v.transform(Number), v.number(), v.minValue(5))),
      'the action "transform" of Valibot',
    ],
    [inValibot(v.pipe(v.string(), v.toNumber())), 'the action "to_number" of Valibot'],
    [
      inValibot(
        v.pipe(v.looseObject({ a: v.string() }), v.looseObject({ a: v.string(), b: v.unknown() })),
      ),
      "a pipe with several schemas",
    ],
    [inValibot(v.fallback(v.string(), "x")), "a fallback()"],
    [inValibot(v.fallback(v.pipe(v.string(), v.minLength(1)), "x")), "a fallback()"],
    [inValibot(v.optional(v.fallback(v.pipe(v.string(), v.url()), "x"))), "a fallback()"],
    [inArkType(/a/i), 'a regular expression with the flags "i"'],
    [
      () => specOf(Type.Transform(Type.String()).Decode(Number).Encode(String)),
      "a codec or a transform",
    ],
    [() => specOf(Codec(TypeBox.String()).Decode(Number).Encode(String)), "a codec or a transform"],
    [() => specOf(Refine(TypeBox.String(), (text) => text !== "")), "a refinement"],
  ];
  for (const [run, what] of cases) {
    const expected = `Widget.spec.f: cannot express ${what} in a structural schema: `;
    const text = errorOf(run);
    assertEquals(text.slice(0, expected.length), expected, text);
  }
});

Deno.test("crd() accepts pipes, wrappers and brands of Valibot that do not change values", () => {
  const name = v.pipe(v.string(), v.minLength(1), v.brand("Name"), v.readonly());
  const fields = fieldsOf(toStandardJsonSchema(v.object({
    a: name,
    b: v.nullable(v.optional(name)),
    c: v.array(name),
    d: v.record(v.string(), name),
    e: v.optional(name, "x"),
  })));
  const text = { minLength: 1, type: "string" };
  assertEquals(fields, {
    a: text,
    b: { ...text, nullable: true },
    c: { items: text, type: "array" },
    d: { additionalProperties: text, type: "object" },
    e: { ...text, default: "x" },
  });
});

Deno.test("crd() refuses a field of two alternatives if a keyword of one would apply to the other", () => {
  const union = (a: z.ZodType, b: z.ZodType) => () =>
    specOf(z.discriminatedUnion("type", [
      z.object({ type: z.literal("a"), value: a }),
      z.object({ type: z.literal("b"), value: b }),
    ]));
  const set = z.array(z.string()).meta({ uniqueItems: true });
  const cases: [run: () => unknown, keyword: string][] = [
    [union(z.string().nullable(), z.string()), "nullable"],
    [union(z.string(), z.string().nullable()), "nullable"],
    [union(z.union([z.int(), z.string()]), z.string()), "x-kubernetes-int-or-string"],
    [union(set, z.array(z.string())), "x-kubernetes-list-type"],
    [union(z.record(z.string(), z.int()), z.looseObject({})), "additionalProperties"],
    [
      union(z.object({ x: z.string() }), z.object({ x: z.string().nullable() })),
      "nullable",
    ],
  ];
  for (const [run, keyword] of cases) {
    assertMatch(
      errorOf(run),
      new RegExp(
        `^Widget\\.spec\\.f\\.value.*alternatives of which one has "${keyword}" in .*another name$`,
      ),
    );
  }
});

Deno.test("crd() checks the keywords of Kubernetes as the server does, or drops without an error", () => {
  const map = (field: object, more: object = {}) => ({
    type: "array",
    items: { type: "object", properties: { name: field }, required: ["name"], ...more },
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["name"],
  });
  const name = { type: "string" };
  const cases: [schema: object, what: string][] = [
    [{ ...name, "x-kubernetes-list-typ": "set" }, 'the keyword "x-kubernetes-list-typ"'],
    [{ ...name, "x-kubernetes-preserve-unknown-fields": false }, '"x-kubernetes-preserve-unknown-'],
    [{ ...name, "x-kubernetes-validations": { rule: "true" } }, '"x-kubernetes-validations": {'],
    [
      { ...name, "x-kubernetes-validations": [{ rule: "true", mesage: "no" }] },
      '"x-kubernetes-validations": [{"rule":"true","mesage":"no"}]',
    ],
    [{ ...name, "x-kubernetes-map-type": "atomic" }, '"x-kubernetes-map-type" of a field that is'],
    [{ ...name, "x-kubernetes-embedded-resource": true }, '"x-kubernetes-embedded-resource" of a'],
    [
      { type: "object", "x-kubernetes-embedded-resource": true },
      "an embedded resource without fields",
    ],
    [
      { type: "object", properties: { name }, "x-kubernetes-map-type": "set" },
      '"x-kubernetes-map-type": "set"',
    ],
    [
      { type: "array", items: { ...name, nullable: true }, uniqueItems: true },
      "a list set of items that can be null",
    ],
    [map(name, { nullable: true }), "a list map of items that can be null"],
    [map({ ...name, nullable: true }), 'the key "name" of a list map'],
    [map({ type: "array", items: name }), 'the key "name" of a list map'],
    [
      { ...map(name), "x-kubernetes-list-type": "atomic" },
      '"x-kubernetes-list-map-keys" of a list that is no map',
    ],
    [
      { ...map(name), "x-kubernetes-list-map-keys": ["name", "name"] },
      '"x-kubernetes-list-map-keys": ["name","name"]',
    ],
  ];
  for (const [schema, what] of cases) {
    const expected = `Widget.spec.f: cannot express ${what}`;
    const text = errorOf(() => specOf(schema));
    assertEquals(text.slice(0, expected.length), expected, text);
  }
  // The server drops the empty list, so that it would be written again at each start.
  assertEquals(specOf({ ...name, "x-kubernetes-validations": [] }), name);
});

Deno.test("crd() refuses a rule with a field that the server would drop", () => {
  const rules = [{ rule: "true", mesage: "no" }];
  const Widgets = defineResource({
    group: "acme.io",
    version: "v1",
    kind: "Widget",
    spec: { type: "object", properties: { a: { type: "string" } } },
    rules,
  });
  assertMatch(
    errorOf(() => crd(Widgets)),
    /^Widget\.spec: .*"mesage":"no".* fields fieldPath, mess/,
  );
});
