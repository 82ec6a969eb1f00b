import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import fc from "fast-check";
import { z } from "zod";
import { assertProperty } from "../../support/seeded_runs.ts";
import { defineResource } from "../../../mod.ts";
import {
  assertCompatible,
  compareDefinitions,
  type CompatibilityOptions,
  type GivenDefinition,
} from "../../../src/testing/evolve/mod.ts";
import { SeededRandom } from "../../../src/testing/mod.ts";
import { wholeSchema } from "../samples/_schemas.ts";
import { PROPERTY_CASES } from "./_crdify_cases.ts";
import { ofSpec, widgets, widgetsOf } from "./_definitions.ts";

const RULES_ONLY = { runs: 0 };

/** Returns the message of the error; an empty text if the definitions are compatible. */
function problem(
  before: GivenDefinition,
  after: GivenDefinition,
  options?: CompatibilityOptions,
): string {
  try {
    assertCompatible(before, after, options);
    return "";
  } catch (error) {
    return (error as Error).message;
  }
}

const string = { type: "string" };
const integer = { type: "integer" };
const v1 = (schema: object) => ({ name: "v1", schema });

Deno.test("assertCompatible() gives the verdicts of crdify on its own cases", () => {
  for (const [name, before, after, isFlagged] of PROPERTY_CASES) {
    const found = problem(widgetsOf({ a: before }), widgetsOf({ a: after }), RULES_ONLY);
    assertEquals(found !== "", isFlagged, `${name}: ${found}`);
    // The same within items and values.
    const list = (items: object) => widgetsOf({ a: { type: "array", items } });
    assertEquals(problem(list(before), list(after), RULES_ONLY) !== "", isFlagged, name);
    const map = (additionalProperties: object) =>
      widgetsOf({ a: { type: "object", additionalProperties } });
    assertEquals(problem(map(before), map(after), RULES_ONLY) !== "", isFlagged, name);
  }
});

Deno.test("assertCompatible() names a removed field, and not a field that only a new version lacks", () => {
  const one = ofSpec({ a: string });
  const two = ofSpec({ a: string, b: string });
  assertEquals(
    problem(widgets([v1(two)]), widgets([v1(one)]), RULES_ONLY),
    "widgets.acme.io can break its clients or stored objects\n- v1 spec.b: existingFieldRemoval: removed",
  );
  assertEquals(problem(widgets([v1(one)]), widgets([v1(two)])), "");
  const webhook = { conversion: { strategy: "Webhook" } };
  const next = [v1(two), { name: "v2", schema: one }];
  assertEquals(problem(widgets([v1(two)]), widgets(next, webhook)), "");
});

Deno.test("assertCompatible() names a changed scope, stored and served versions that are gone, and subresources", () => {
  const schema = ofSpec({ a: string });
  const before = widgets([v1(schema)]);
  const lines = (...all: string[]) =>
    ["widgets.acme.io can break its clients or stored objects", ...all].join("\n");
  assertEquals(
    problem(before, widgets([v1(schema)], { scope: "Cluster" })),
    lines("- scope: Namespaced → Cluster"),
  );
  const stored = widgets([v1(schema)], { status: { storedVersions: ["v1"] } });
  assertEquals(
    problem(stored, widgets([{ name: "v2", schema }])),
    lines(
      "- v1: storedVersionRemoval: removed, but objects may be stored in it",
      "- v1: servedVersionRemoval: no longer served",
    ),
  );
  assertEquals(problem(stored, widgets([v1(schema), { name: "v2", schema }])), "");
  assertEquals(
    problem(before, widgets([{ ...v1(schema), served: false }])),
    lines("- v1: servedVersionRemoval: no longer served"),
  );
  const subresources = { status: {}, scale: {} };
  assertEquals(
    problem(widgets([{ ...v1(schema), subresources }]), before),
    lines("- v1: subresources: /status removed", "- v1: subresources: /scale removed"),
  );
  assertEquals(
    problem(before, widgets([{ ...v1(schema), subresources }])),
    lines("- v1: subresources: /status added"),
  );
});

Deno.test("assertCompatible() compares the versions that are served together, unless a webhook converts", () => {
  const [one, two] = [ofSpec({ a: string }), ofSpec({ a: integer })];
  const both = [v1(one), { name: "v2", schema: two }];
  const before = widgets([v1(one)]);
  assertStringIncludes(
    problem(before, widgets(both), RULES_ONLY),
    '- v1 -> v2 spec.a: type: "string" → "integer"',
  );
  assertEquals(problem(before, widgets(both, { conversion: { strategy: "Webhook" } })), "");
  // A difference that was there already is not a change.
  assertEquals(problem(widgets(both), widgets(both)), "");
  const three = [...both, { name: "v3", schema: ofSpec({ a: { type: "boolean" } }) }];
  const found = problem(widgets(both), widgets(three), RULES_ONLY);
  assert(!found.includes("v1 -> v2"));
  assertStringIncludes(found, "v1 -> v3 spec.a: type");
  assertStringIncludes(found, "v2 -> v3 spec.a: type");
  assertEquals(problem(before, widgets([v1(one), { ...both[1]!, served: false }])), "");
});

Deno.test("assertCompatible() does not name a new required field with a default, which is never missing", () => {
  const after = { a: string, b: { ...integer, default: 1 } };
  assertEquals(problem(widgetsOf({ a: string }), widgetsOf(after, { required: ["b"] })), "");
  assertStringIncludes(
    problem(widgetsOf({ a: string }), widgetsOf(after, { required: ["a"] })),
    "- v1 spec.a: required: required now",
  );
  // As in crdify, a field that was optional is named even if it has a default.
  assertEquals(
    problem(widgetsOf(after), widgetsOf(after, { required: ["b"] })).split("\n").slice(1),
    ["- v1 spec.b: required: required now"],
  );
});

Deno.test("assertCompatible() shows the smallest object that the new schema refuses", () => {
  const found = (before: object, after: object, more?: object) =>
    problem(widgetsOf(before), widgetsOf(after, more)).split("\n").filter((line) =>
      !line.startsWith("- ")
    );
  const spec = (object: object) => `"spec":${JSON.stringify(object)}}`;
  const [, refusal = "", object = ""] = found({ size: integer }, {
    size: { ...integer, maximum: 99 },
  });
  assertStringIncludes(
    refusal,
    "An object of v1 that was valid is refused: spec.size: Invalid value: 100",
  );
  assertStringIncludes(object, spec({ size: 100 }));

  const of = (before: object, after: object, more?: object) =>
    found(before, after, more).join("\n");
  assertStringIncludes(
    of({ a: string }, { a: { ...string, maxLength: 7 } }),
    spec({ a: "aaaaaaaa" }),
  );
  assertStringIncludes(
    of({ a: { ...string, enum: ["x", "y"] } }, { a: { ...string, enum: ["x"] } }),
    spec({ a: "y" }),
  );
  const list = { type: "array", items: integer };
  assertStringIncludes(of({ a: list }, { a: { ...list, maxItems: 2 } }), spec({ a: [0, 0, 0] }));
  const map = { type: "object", additionalProperties: integer };
  assertStringIncludes(
    of({ a: map }, { a: { ...map, additionalProperties: { ...integer, minimum: 0 } } }),
    ":-1}",
  );
  assertStringIncludes(of({ a: string }, { a: string }, { required: ["a"] }), spec({}));
  const union = { "x-kubernetes-int-or-string": true };
  assertStringIncludes(of({ a: union }, { a: string }), spec({ a: 0 }));
  const code = { ...string, pattern: "^[A-Z]{2}-[0-9]{4}$" };
  assertStringIncludes(
    of({ a: code }, { a: { ...code, pattern: "^[A-Z]{2}-[0-4]{4}$" } }),
    "should match '^[A-Z]{2}-[0-4]{4}$'",
  );
});

Deno.test("compareDefinitions() returns an object for each field that is refused, without the others", () => {
  const fields = { a: integer, b: integer, c: integer };
  const limited = { ...integer, maximum: 3 };
  const { counterexamples, isCompatible, untried } = compareDefinitions(
    widgetsOf(fields, { required: ["a", "b", "c"] }),
    widgetsOf({ a: limited, b: limited, c: limited }, { required: ["a", "b", "c"] }),
  );
  assertEquals(
    counterexamples.map(({ error, object }) => [error.field, object["spec"]]).sort(),
    [
      ["spec.a", { a: 4, b: 0, c: 0 }],
      ["spec.b", { a: 0, b: 4, c: 0 }],
      ["spec.c", { a: 0, b: 0, c: 4 }],
    ],
  );
  assertEquals([isCompatible, untried], [false, []]);
});

Deno.test("assertCompatible() shows the smallest object that a new CEL rule refuses", () => {
  const fields = {
    low: integer,
    high: integer,
    tls: { type: "object", properties: { mode: string } },
    protocol: string,
  };
  const before = widgetsOf(fields, {
    "x-kubernetes-validations": [{ rule: "!has(self.low) || self.low > 4" }],
  });
  const after = (rule: string, message: string) =>
    widgetsOf(fields, {
      "x-kubernetes-validations": [{ rule: "!has(self.low) || self.low > 4" }, { rule, message }],
    });
  const low = problem(before, after("!has(self.low) || self.low < 1234", "too low"));
  assertStringIncludes(low, "spec: Invalid value: too low");
  assertStringIncludes(low, '"spec":{"low":1234}');
  const tls = problem(
    before,
    after(
      "has(self.protocol) && self.protocol == 'TLS' ? has(self.tls) && has(self.tls.mode) : true",
      "tls mode",
    ),
  );
  assertStringIncludes(tls, '"spec":{"protocol":"TLS"}');
});

Deno.test("assertCompatible() finds a refusal that no rule names", () => {
  // With the default of a new field, the object has more fields than are allowed.
  const before = widgetsOf({ a: string }, { maxProperties: 1 });
  const after = widgetsOf({ a: string, b: { ...integer, default: 5 } }, { maxProperties: 1 });
  const found = problem(before, after);
  assertStringIncludes(found, "An object of v1 that was valid is refused: spec: Too many");
  assertStringIncludes(found, '"spec":{"a":""}');
  assert(!found.includes("\n- "));
});

Deno.test("assertCompatible() accepts the changes that are allowed, and their refusals", () => {
  const before = widgetsOf({ size: integer, note: { ...string, description: "a" } });
  const after = widgetsOf({
    size: { ...integer, maximum: 5 },
    note: { ...string, description: "b" },
  });
  const found = problem(before, after, { allow: ["description"] });
  assert(!found.includes("description"));
  assertStringIncludes(found, "maximum: added: 5");
  assertEquals(problem(before, after, { allow: ["description", "maximum"] }), "");
  assertEquals(
    problem(before, after, { allow: ["description spec.note", "maximum spec.size"] }),
    "",
  );
  assertStringIncludes(
    problem(before, after, { allow: ["description", "maximum spec.other"] }),
    "spec.size",
  );
  // Another refusal still counts.
  const stricter = widgetsOf({
    size: { ...integer, maximum: 5 },
    note: { ...string, maxLength: 1 },
  });
  const other = problem(before, stricter, {
    allow: ["description", "maximum", "maxLength spec.x"],
  });
  assertStringIncludes(other, "spec.note: Too long");
  assert(!other.includes("is refused: spec.size"));
});

Deno.test("assertCompatible() takes resources of defineResource() and definitions", () => {
  const of = (spec: z.ZodObject) =>
    defineResource({ group: "acme.io", version: "v1", kind: "Widget", spec });
  const before = of(z.object({ size: z.int().min(0), color: z.enum(["red", "blue"]) }));
  const after = of(z.object({ size: z.int().min(0), color: z.enum(["red"]) }));
  assertEquals(problem(before, before), "");
  assertStringIncludes(problem(before, after), 'enum: removed: "blue"');
  // The conversion of a resource is a webhook, unless it says otherwise.
  const versions = [{ name: "v1beta1", spec: z.object({ length: z.int() }) }];
  const kind = {
    group: "acme.io",
    version: "v1",
    kind: "Widget",
    spec: z.object({ size: z.int() }),
  } as const;
  assertEquals(problem(defineResource(kind), defineResource({ ...kind, versions })), "");
  assertStringIncludes(
    problem(defineResource(kind), defineResource({ ...kind, versions, conversion: "None" })),
    "v1beta1 -> v1 spec.length: existingFieldRemoval",
  );
});

Deno.test("assertCompatible() says that it found no object of a version", () => {
  const never = (more: object) =>
    widgetsOf({ a: { ...integer, ...more } }, { "x-kubernetes-validations": [{ rule: "false" }] });
  // An object without a spec is valid.
  const required = (more: object) => {
    const definition = never(more);
    const schema = definition.spec.versions[0]!.schema!.openAPIV3Schema as { required?: string[] };
    schema.required = ["spec"];
    return definition;
  };
  assertStringIncludes(
    problem(required({}), required({ maximum: 3 })),
    "No valid object of v1 was found, so only the rules were checked",
  );
});

Deno.test("assertCompatible() accepts every definition as its own successor", () => {
  assertProperty(
    fc.property(wholeSchema, fc.nat(1000), (schema, seed) => {
      const before = widgets([v1(schema)]);
      assertCompatible(before, before);
      // Another description, so that objects are tried.
      const after = widgets([v1({ ...schema, description: "new" })]);
      assertCompatible(before, after, {
        allow: ["description"],
        random: new SeededRandom(seed),
        runs: 5,
      });
    }),
    1000,
  );
});

/** Changes that break a field, by the type of its schema. */
const BREAKS: Readonly<Record<string, (schema: Record<string, unknown>) => object>> = {
  integer: (schema) => ({ ...schema, maximum: Number(schema["minimum"] ?? 0) - 1 }),
  string: (schema) => ({ ...schema, maxLength: 0 }),
  boolean: (schema) => ({ ...schema, enum: [true] }),
  array: (schema) => ({ ...schema, maxItems: 0 }),
  object: (schema) => ({ ...schema, maxProperties: 0 }),
};

Deno.test("assertCompatible() names a breaking change at any place of any definition", () => {
  assertProperty(
    fc.property(
      wholeSchema,
      fc.nat(),
      fc.constantFrom("change", "remove", "require"),
      (schema, n, what) => {
        const after = structuredClone(schema) as never as {
          properties: {
            spec: { properties: Record<string, Record<string, unknown>>; required?: string[] };
          };
        };
        const { spec } = after.properties;
        const names = Object.keys(spec.properties);
        const name = names[n % names.length]!;
        const field = spec.properties[name]!;
        const path = `spec.${name}`;
        if (what === "remove") delete spec.properties[name];
        else if (what === "require" && field["default"] === undefined) spec.required = [name];
        else {spec.properties[name] =
            (BREAKS[String(field["type"])] ?? (() => ({ type: "boolean" })))(field) as never;}
        const found = problem(widgets([v1(schema)]), widgets([v1(after)]), { runs: 20 });
        const isKept = JSON.stringify(after) === JSON.stringify(schema);
        assert(isKept || found.includes(`- v1 ${path}: `), `${what} ${path}: ${found}`);
      },
    ),
    1000,
  );
});

Deno.test("assertCompatible() reports misuse clearly", () => {
  const given = widgetsOf({ a: string });
  const fails = (before: unknown, after: unknown, text: string, options?: unknown) =>
    assertThrows(
      () => assertCompatible(before as never, after as never, options as never),
      Error,
      text,
    );
  fails(
    undefined,
    given,
    "before must be a CustomResourceDefinition or a resource of defineResource(): received undefined",
  );
  fails(given, "text", "after must be a CustomResourceDefinition");
  fails({ spec: {} }, given, "before.spec.names must be an object: received undefined");
  fails(
    given,
    { ...given, spec: { ...given.spec, versions: [] } },
    "after.spec.versions must be a list of versions",
  );
  fails(
    given,
    { ...given, spec: { ...given.spec, versions: [{ name: "v1" }] } },
    "after.spec.versions[0].schema must be an object: received undefined",
  );
  fails(
    given,
    { ...given, spec: { ...given.spec, group: "other.io" } },
    "Cannot compare widgets.acme.io with widgets.other.io",
  );
  fails(given, given, 'allow has no rule "maximun": did you mean "maximum"?', {
    allow: ["maximun spec.a"],
  });
  fails(given, given, "allow must be an array: received a string", { allow: "maximum" });
  fails(given, given, "allow has no rule 3", { allow: [3] });
  fails(given, given, "a source of randomness", { random: {} });
  fails(given, given, "runs must be", { runs: NaN });
  fails(given, given, 'has no option "run": did you mean "runs"?', { run: 1 });
  const widget = defineResource({
    group: "acme.io",
    version: "v1",
    plural: "widgets",
    kind: "Widget",
    namespaced: true,
  });
  fails(widget, given, "Widget has no schema");
});

Deno.test("assertCompatible() survives hostile definitions", () => {
  const deep = (depth: number) => {
    let schema: object = string;
    for (let i = 0; i < depth; i++) schema = { type: "object", properties: { a: schema } };
    return schema;
  };
  assertThrows(
    () => assertCompatible(widgetsOf({ a: deep(3000) }), widgetsOf({ a: deep(3001) })),
    RangeError,
    "before is nested too deeply: a server reads 500 levels",
  );
  const evil = JSON.parse(
    '{"__proto__":{"type":"string"},"constructor":{"type":"integer"},"a\\u001b[2J":{"type":"string"}}',
  );
  const found = problem(widgetsOf(evil), widgetsOf({}), { runs: 20 });
  assertStringIncludes(found, "spec.__proto__: existingFieldRemoval");
  assert(!found.includes("\u001b"));
  assertEquals(problem(widgetsOf(evil), widgetsOf({ ...evil, b: string }), { runs: 20 }), "");
  // Keywords of the wrong form.
  for (
    const junk of [null, 3, "x", [], {}, { type: [] }, { enum: 3 }, { required: {} }, {
      minimum: "a",
    }, { pattern: "(" }]
  ) {
    problem(widgetsOf({ a: junk as object }), widgetsOf({ a: string }), { runs: 5 });
    problem(widgetsOf({ a: string }), widgetsOf({ a: junk as object }), { runs: 5 });
  }
  const huge = { ...string, default: "x".repeat(10_000), description: "y".repeat(100_000) };
  assert(problem(widgetsOf({ a: huge }), widgetsOf({ a: string })).length < 2000);
});
