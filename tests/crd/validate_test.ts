import { Type } from "@sinclair/typebox";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import * as v from "valibot";
import { z } from "zod";
import { assertEquals, assertRejects } from "@std/assert";
import { validate } from "../../src/crd/mod.ts";
import { CustomResourceDefinitions, defineResource, type Schema } from "../../src/types/mod.ts";
import { Widgets } from "./_definitions.ts";

const metadata = { name: "a" };

/** Returns the errors of an object with this spec, as lines. */
async function errorsOf(spec: Schema, value: unknown): Promise<string[]> {
  const resource = defineResource({ group: "acme.io", version: "v1", kind: "Widget", spec });
  return lines(await validate(resource, { metadata, spec: value }));
}

function lines(errors: readonly { field: string; message: string }[]): string[] {
  return errors.map(({ field, message }) => `${field}: ${message}`);
}

Deno.test("validate() reports the fields that each library finds wrong, in the server's form", async () => {
  const specs = {
    zod: z.object({
      size: z.int().min(1).default(1),
      ports: z.array(z.object({ name: z.string() })),
    }),
    valibot: toStandardJsonSchema(v.object({
      size: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)), 1),
      ports: v.array(v.object({ name: v.string() })),
    })),
    arktype: type({ size: "number.integer >= 1 = 1", ports: type({ name: "string" }).array() }),
    typebox: Type.Object({
      size: Type.Integer({ minimum: 1, default: 1 }),
      ports: Type.Array(Type.Object({ name: Type.String() })),
    }),
  };
  for (const [library, spec] of Object.entries(specs)) {
    assertEquals(await errorsOf(spec, { ports: [{ name: "a" }] }), [], library);
    const wrong = await errorsOf(spec, { size: 0, ports: [{ name: "a" }, { name: 5 }, {}] });
    assertEquals(
      wrong.map((line) =>
        line.replace(/: ("integer"|"number"|5): .*/, ": 5").replace(/: 0: .*/, ": 0")
      )
        .sort(),
      [
        "spec.ports[1].name: Invalid value: 5",
        "spec.ports[2].name: Required value",
        "spec.size: Invalid value: 0",
      ],
      library,
    );
    assertEquals(await errorsOf(spec, undefined), ["spec: Required value"], library);
  }
});

Deno.test("validate() checks a JSON Schema as the server does", async () => {
  const spec = {
    type: "object",
    properties: {
      size: { type: "integer", minimum: 1, maximum: 5 },
      ratio: { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 1 },
      step: { type: "integer", multipleOf: 5 },
      mode: { enum: ["A", "B", null] },
      code: { type: "string", minLength: 2, maxLength: 3, pattern: "^[a-z]+$" },
      tags: { type: "array", items: { type: "string" }, minItems: 1, maxItems: 2 },
      labels: { type: "object", additionalProperties: { type: "string" }, maxProperties: 1 },
      target: { type: ["integer", "string"] },
      one: {
        type: "object",
        properties: { a: { type: "string" }, b: { type: "string" } },
        oneOf: [{ required: ["a"] }, { required: ["b"] }],
      },
      not: { type: "string", not: { enum: ["x"] } },
      any: {},
    },
    required: ["size"],
  };
  const good = {
    size: 5,
    ratio: 0.5,
    step: 10,
    mode: null,
    code: "ab",
    tags: ["a"],
    labels: { "a.b/c": "d" },
    target: "http",
    one: { a: "x" },
    not: "y",
    any: [1, { b: null }],
    unknown: true,
  };
  assertEquals(await errorsOf(spec, good), []);
  const cases: [field: string, value: unknown, error: string][] = [
    ["size", 0, "spec.size: Invalid value: 0: should be greater than or equal to 1"],
    ["size", 6, "spec.size: Invalid value: 6: should be less than or equal to 5"],
    ["size", 1.5, 'spec.size: Invalid value: "number": must be of type integer'],
    ["size", null, 'spec.size: Invalid value: "null": must be of type integer'],
    ["size", undefined, "spec.size: Required value"],
    ["ratio", 0, "spec.ratio: Invalid value: 0: should be greater than 0"],
    ["ratio", 1, "spec.ratio: Invalid value: 1: should be less than 1"],
    ["step", 7, "spec.step: Invalid value: 7: should be a multiple of 5"],
    ["mode", "C", 'spec.mode: Invalid value: "C": must validate at least one schema (anyOf)'],
    ["code", "a", 'spec.code: Invalid value: "a": should be at least 2 chars long'],
    ["code", "abcd", 'spec.code: Invalid value: "abcd": should be at most 3 chars long'],
    ["code", "A1", "spec.code: Invalid value: \"A1\": should match '^[a-z]+$'"],
    ["tags", [], "spec.tags: Invalid value: 0: should have at least 1 items"],
    ["tags", ["a", 1], 'spec.tags[1]: Invalid value: "number": must be of type string'],
    [
      "labels",
      { "a.b/c": 1 },
      'spec.labels[a.b/c]: Invalid value: "number": must be of type string',
    ],
    ["labels", { a: "", b: "" }, "spec.labels: Invalid value: 2: should have at most 1 properties"],
    ["target", 1.5, 'spec.target: Invalid value: "number": must be of type integer,string'],
    [
      "one",
      {},
      "spec.one: Invalid value: an object: must validate one and only one schema (oneOf), but validates 0",
    ],
    ["not", "x", 'spec.not: Invalid value: "x": must not validate the schema (not)'],
  ];
  for (const [field, value, error] of cases) {
    assertEquals((await errorsOf(spec, { ...good, [field]: value }))[0], error);
  }
});

Deno.test("validate() matches patterns in linear time, as the server does", async () => {
  const spec = (pattern: string) => ({
    type: "object",
    properties: { a: { type: "string", pattern } },
  });
  // The time of a backtracking engine doubles with each letter: it would not end.
  const a = `${"a".repeat(5_000)}!`;
  const [error] = await errorsOf(spec("^([a-z]+)+$"), { a });
  assertEquals(error?.endsWith("should match '^([a-z]+)+$'"), true, error);
  assertEquals(await errorsOf(spec("^([a-z]+)+!$"), { a }), []);
  // Syntax that JavaScript does not have.
  assertEquals(await errorsOf(spec("(?i)^B$"), { a: "b" }), []);
  assertEquals((await errorsOf(spec("(?i)^B$"), { a: "c" })).length, 1);
});

Deno.test("validate() reports no error for a pattern that it leaves to the server", async () => {
  // The longest text of the API, and a pattern with thousands of steps per character.
  const pattern = "([a-z]{1,100}){9}!";
  const a = "a".repeat(1_000_000);
  for (const keyword of ["not", "oneOf"]) {
    const parts = { not: { pattern }, oneOf: [{ pattern }, { maxLength: 2_000_000 }] };
    const field = { type: "string", [keyword]: parts[keyword as "not"] };
    const spec = { type: "object", properties: { a: field } };
    assertEquals(await errorsOf(spec, { a }), [], keyword);
    assertEquals((await errorsOf(spec, { a: "aaaaaaaaa!" })).length, 1, keyword);
  }
});

Deno.test("validate() runs refinements, also asynchronous ones, and checks the status", async () => {
  const resource = defineResource({
    group: "acme.io",
    version: "v1",
    kind: "Widget",
    spec: z.object({
      image: z.string().refine(async (text) => await Promise.resolve(text !== "bad"), "is bad"),
    }),
    status: z.object({ ready: z.int() }),
  });
  assertEquals(
    lines(await validate(resource, { metadata, spec: { image: "bad" }, status: { ready: "1" } })),
    [
      'spec.image: Invalid value: "bad": is bad',
      'status.ready: Invalid value: "1": Invalid input: expected int, received string',
    ].map((line, index) => index === 0 ? line : line.replace("expected int", "expected number")),
  );
  assertEquals(await validate(resource, { metadata, spec: { image: "good" } }), []);
});

Deno.test("validate() keeps the message of a refinement about a missing field", async () => {
  const fields = { a: z.string().optional(), b: z.string().optional() };
  const spec = z.object(fields).refine(({ a, b }) => a === undefined || b !== undefined, {
    path: ["b"],
    message: "a needs b",
  });
  assertEquals(await errorsOf(spec, { a: "x" }), ["spec.b: Required value: a needs b"]);
  const piped = toStandardJsonSchema(v.pipe(
    v.object({ a: v.optional(v.string()), b: v.optional(v.string()) }),
    v.forward(v.check(({ a, b }) => a === undefined || b !== undefined, "a needs b"), ["b"]),
  ));
  assertEquals(await errorsOf(piped, { a: "x" }), ["spec.b: Required value: a needs b"]);
});

Deno.test("validate() uses the schema of the version of the object", async () => {
  assertEquals(
    lines(
      await validate(Widgets, { apiVersion: "acme.io/v1beta1", metadata, spec: { count: "1" } }),
    ),
    ['spec.count: Invalid value: "string": must be of type integer'],
  );
  assertEquals(
    lines(
      await validate(Widgets, { apiVersion: "acme.io/v9", kind: "Gadget", metadata, spec: {} }),
    ),
    [
      'kind: Invalid value: "Gadget": should be Widget',
      'apiVersion: Unsupported value: "acme.io/v9": supported values: "acme.io/v1", "acme.io/v1beta1"',
    ],
  );
});

Deno.test("validate() does not change the object, and survives hostile ones", async () => {
  const frozen = Object.freeze({ metadata, spec: Object.freeze({ image: "a" }) });
  assertEquals(await validate(Widgets, frozen), []);
  assertEquals(
    lines(await validate(Widgets, null)),
    [
      "Invalid value: null: should be an object of the kind Widget",
    ].map((line) => `: ${line}`),
  );
  const spec = { type: "object", properties: { a: {} } };
  const cyclic: Record<string, unknown> = {};
  cyclic["a"] = cyclic;
  let deep: unknown = 1;
  for (let i = 0; i < 10_001; i++) deep = { a: deep };
  for (const value of [cyclic, deep, { a: () => 1 }]) {
    const errors = await errorsOf(spec, value);
    assertEquals([errors.length, errors[0]?.startsWith("spec: Invalid value: ")], [1, true]);
    // The value is at fault, and no schema.
    assertEquals(errors[0]?.includes("cannot read the value: "), true, errors[0]);
  }
  assertEquals(await errorsOf(spec, { a: NaN }), [
    "spec: Invalid value: an object: spec.a: cannot read the value: NaN is not JSON",
  ]);
  let valid: unknown = 1;
  for (let i = 0; i < 9_000; i++) valid = i % 2 === 0 ? [valid] : { a: valid };
  const free = { type: "object", "x-kubernetes-preserve-unknown-fields": true } as const;
  const fields = { type: "object", properties: { free, text: { type: "string" } } };
  assertEquals(await errorsOf(fields, { free: { valid } }), []);
  assertEquals(await errorsOf(fields, { text: { valid } }), [
    'spec.text: Invalid value: "object": must be of type string',
  ]);
  const many = { type: "array", items: { type: "string" } };
  assertEquals((await errorsOf(many, Array.from({ length: 5000 }, () => 1))).length, 100);
  const error = await assertRejects(() => validate(CustomResourceDefinitions, {}), TypeError);
  assertEquals(error.message.includes("has no schema"), true);
});

Deno.test("validate() checks integers beyond 2^53 with all their digits", async () => {
  const integer = (more: object) => ({
    type: "object",
    properties: { size: { type: "integer", ...more } },
  });
  const errorOf = async (more: object, size: unknown) => {
    const [error = ""] = await errorsOf(integer(more), { size });
    return error.replace("spec.size: ", "");
  };
  assertEquals(await errorOf({ format: "int64" }, 9223372036854775807n), "");
  assertEquals(
    await errorOf({}, 9223372036854775808n),
    'Invalid value: "number": must be of type integer',
  );
  assertEquals(
    await errorOf({ maximum: 9007199254740992 }, 9007199254740993n),
    "Invalid value: 9007199254740993: should be less than or equal to 9007199254740992",
  );
  assertEquals(await errorOf({ maximum: 9007199254740992 }, 9007199254740992n), "");
  assertEquals(await errorOf({ minimum: 0 }, -9007199254740993n) === "", false);
  assertEquals(
    await errorOf({ multipleOf: 2 }, 9007199254740993n),
    "Invalid value: 9007199254740993: should be a multiple of 2",
  );
  assertEquals(await errorOf({ multipleOf: 3 }, 9007199254740993n), "");
  assertEquals(await errorOf({ enum: [9007199254740993n] }, 9007199254740993n), "");
  assertEquals(
    await errorOf({ enum: [9007199254740993n] }, 9007199254740995n),
    "Unsupported value: 9007199254740995: supported values: 9007199254740993",
  );
  const either = { type: "object", properties: { size: { "x-kubernetes-int-or-string": true } } };
  assertEquals(await errorsOf(either, { size: 9007199254740993n }), []);
});

Deno.test("validate() refuses a bigint as a limit, which the server would round", async () => {
  const spec = { type: "object", properties: { size: { type: "integer", maximum: 1n as never } } };
  await assertRejects(
    () => errorsOf(spec, {}),
    TypeError,
    'Widget.spec.size: "maximum" has an invalid value: 1',
  );
});
