import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { assertProperty } from "../../support/seeded_runs.ts";
import { sampleOf, type SchemaNode, valuesOf } from "../../../src/testing/samples/mod.ts";
import { compileStructural, validateStructural } from "../../../src/structural/mod.ts";
import { node } from "./_schemas.ts";

const NUMBERS = { inRange: true, rounded: true };

function errorsOf(schema: SchemaNode, value: unknown): unknown {
  return validateStructural(value as never, compileStructural(schema as never), {
    numbers: NUMBERS,
  });
}

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
