import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { assertProperty } from "../../support/seeded_runs.ts";
import {
  changesOf,
  sampleOf,
  type SchemaNode,
  valuesOf,
} from "../../../src/testing/simulation/campaign/mod.ts";
import { compileStructural, validateStructural } from "../../../src/structural/mod.ts";

const NUMBERS = { inRange: true, rounded: true };

function errorsOf(schema: SchemaNode, value: unknown): unknown {
  return validateStructural(value as never, compileStructural(schema as never), {
    numbers: NUMBERS,
  });
}

const bounds = (least: number, most: number) =>
  fc.tuple(fc.integer({ min: least, max: most }), fc.integer({ min: 0, max: 300 }))
    .map(([min, more]) => [min, min + more] as const);

const leaf: fc.Arbitrary<SchemaNode> = fc.oneof(
  fc.constant({ type: "boolean" }),
  bounds(-50, 70_000).map(([minimum, maximum]) => ({ type: "integer", minimum, maximum })),
  bounds(0, 20).map(([minLength, maxLength]) => ({
    type: "string",
    minLength,
    maxLength: Math.max(1, maxLength),
  })),
  fc.uniqueArray(fc.string(), { minLength: 1 }).map((values) => ({ type: "string", enum: values })),
  fc.constantFrom("date-time", "ipv4", "uuid", "cidr", "duration", "uri", "email")
    .map((format) => ({ type: "string", format })),
  fc.constantFrom("^[0-9]+(Mi|Gi)$", "^v[0-9.]+$", "^[a-z]([-a-z0-9]*[a-z0-9])?$")
    .map((pattern) => ({ type: "string", pattern })),
  fc.constant({
    anyOf: [{ type: "integer" }, { type: "string" }],
    "x-kubernetes-int-or-string": true,
  }),
);

const { node } = fc.letrec<{ node: SchemaNode }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.tuple(tie("node"), bounds(0, 3)).map(([items, [minItems, maxItems]]) => ({
      type: "array",
      items,
      minItems,
      maxItems: Math.max(1, maxItems),
    })),
    tie("node").map((additionalProperties) => ({ type: "object", additionalProperties })),
    fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), tie("node"), { maxKeys: 4 }).map((
      properties,
    ) => ({
      type: "object",
      properties,
      required: Object.keys(properties).slice(0, 1),
    })),
  ),
}));

Deno.test("the server accepts each sample of a schema, and each value of a property", () => {
  assertProperty(fc.property(node, fc.nat(5), fc.boolean(), (schema, n, isSmall) => {
    const sample = sampleOf(schema, { n, isSmall });
    if (sample === undefined) return;
    assertEquals(errorsOf(schema, sample), []);
    for (const value of [...valuesOf(schema, sample), ...valuesOf(schema, undefined)]) {
      assertEquals(errorsOf(schema, value), [], JSON.stringify(value));
    }
  }));
});

Deno.test("the values of a property are the extremes of its schema, without the present value", () => {
  const integer = { type: "integer", minimum: 1, maximum: 7 };
  assertEquals(valuesOf(integer, 3), [1, 7, 4]);
  assertEquals(valuesOf(integer, 7), [1]);
  assertEquals(valuesOf({ type: "integer", minimum: 0, maximum: 2147483647 }, 3), [0, 4]);
  assertEquals(valuesOf({ type: "integer", minimum: 1, maximum: 65535 }, 8080), [1, 65535, 8081]);
  assertEquals(valuesOf({ type: "boolean" }, true), [false]);
  assertEquals(valuesOf({ type: "string", enum: ["a", "b", "c"] }, "b"), ["a", "c"]);
  assertEquals(valuesOf({ type: "string", maxLength: 5 }, "x"), ["b", "c", "", "aaaaa"]);
  assertEquals(valuesOf({ type: "string" }, "1Gi"), ["2Gi", "512Mi"]);
  assertEquals(valuesOf({ "x-kubernetes-int-or-string": true }, 1), [0, 2, "50%"]);
  const list = { type: "array", items: { type: "string" }, maxItems: 3 };
  assertEquals(valuesOf(list, ["x"]), [[], ["x", "b"], ["x", "b", "c"]]);
  const map = { type: "object", additionalProperties: { type: "string" } };
  assertEquals(valuesOf(map, { k: "v" }), [{}, { k: "v", "sample-2": "c" }, { k: "c" }]);
});

const text = { type: "string" };

/** Returns the paths that are changed, each once, in order. */
function pathsOf(schema: SchemaNode, object: Record<string, unknown>, depth = 2): string[] {
  const changes = changesOf(schema, object, { depth, except: new Set(["spec.except"]) });
  return [...new Set(changes.map((set) => set.map(({ path }) => path.join(".")).join(" + ")))];
}

const SPEC: SchemaNode = {
  type: "object",
  properties: {
    metadata: { type: "object" },
    status: { type: "object", properties: { ready: { type: "boolean" } } },
    spec: {
      type: "object",
      required: ["image"],
      properties: {
        image: { type: "string", enum: ["a", "b"] },
        except: text,
        storageClass: text,
        storageSize: text,
        min: text,
        max: text,
        file: { type: "object", properties: { path: { type: "object", properties: { a: text } } } },
      },
      "x-kubernetes-validations": [{ rule: "self.min <= self.max" }],
    },
  },
};

Deno.test("each property of the spec is changed, down to a depth; coupled properties change together", () => {
  const object = { spec: { image: "a", file: { path: { a: "x" } } } };
  const flat = ["image", "storageClass", "storageSize", "min", "max", "file"];
  const pairs = ["spec.max + spec.min", "spec.storageClass + spec.storageSize"];
  const expected = (more: string[]) => [
    ...flat.map((name) => `spec.${name}`),
    ...more,
    ...pairs,
  ];
  assertEquals(pathsOf(SPEC, object, 1), expected([]));
  assertEquals(pathsOf(SPEC, object, 2), expected(["spec.file.path"]));
  assertEquals(pathsOf(SPEC, object, 3), expected(["spec.file.path", "spec.file.path.a"]));
});

Deno.test("a required property is never removed, and an absent property is set", () => {
  const changes = changesOf(SPEC, { spec: { image: "a" } }, { depth: 2, except: new Set() });
  const of = (name: string) =>
    changes.filter((set) => set.length === 1 && set[0]!.path.at(-1) === name).flat();
  assertEquals(of("image"), [{ path: ["spec", "image"], from: "a", to: "b" }]);
  assert(of("min").length > 0);
  assert(of("min").every(({ from, to }) => from === undefined && to !== undefined));
});

Deno.test("the alternatives of a choice are changed together", () => {
  const schema = {
    type: "object",
    properties: {
      spec: {
        type: "object",
        properties: { url: text, secret: text },
        oneOf: [{ required: ["url"] }, { required: ["secret"] }],
      },
    },
  };
  const changes = changesOf(schema, { spec: { url: "x" } }, { depth: 2, except: new Set() });
  assert(
    changes.some((set) =>
      set.length === 2 && set.some(({ path, to }) => path[1] === "url" && to === undefined) &&
      set.some(({ path, to }) => path[1] === "secret" && to !== undefined)
    ),
  );
});
