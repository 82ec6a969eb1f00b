/** Random schemas of custom resources. */

import fc from "fast-check";
import type { SchemaNode } from "../../../src/testing/samples/mod.ts";

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

const parts = fc.letrec<{ node: SchemaNode }>((tie) => ({
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

/** Schemas of a field, three levels deep at most. */
export const node: fc.Arbitrary<SchemaNode> = parts.node;

/** Schemas of fields with defaults, nulls, sets, maps of items and rules. */
export const richNode: fc.Arbitrary<SchemaNode> = fc.oneof(
  node,
  leaf.map((schema) => ({ ...schema, nullable: true })),
  fc.integer({ min: 0, max: 9 }).map((value) => ({ type: "integer", minimum: 0, default: value })),
  fc.constantFrom("a", "b").map((value) => ({ type: "string", enum: ["a", "b"], default: value })),
  leaf.filter(({ type }) => type !== undefined)
    .map((items) => ({ type: "array", items, maxItems: 4, "x-kubernetes-list-type": "set" })),
  fc.tuple(leaf, fc.boolean()).map(([value, isRequired]) => ({
    type: "array",
    maxItems: 5,
    items: {
      type: "object",
      properties: { key: { type: "string", maxLength: 20 }, value },
      required: isRequired ? ["key", "value"] : ["key"],
    },
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["key"],
  })),
  fc.constant({ type: "object", "x-kubernetes-preserve-unknown-fields": true }),
  fc.integer({ min: 1, max: 50 }).map((most) => ({
    type: "object",
    properties: { low: { type: "integer" }, high: { type: "integer" } },
    required: ["low", "high"],
    "x-kubernetes-validations": [{
      rule: `self.low <= self.high && self.high - self.low < ${most}`,
    }],
  })),
  fc.constant({
    type: "object",
    properties: { url: { type: "string" }, secret: { type: "string" } },
    oneOf: [{ required: ["url"] }, { required: ["secret"] }],
  }),
  fc.constant({
    type: "object",
    properties: { a: { type: "string" }, b: { type: "string" } },
    "x-kubernetes-validations": [{ rule: "has(self.a) != has(self.b)" }],
  }),
);

/** The schema of a whole object, whose fields are below `spec`. */
export const wholeSchema: fc.Arbitrary<SchemaNode> = fc.dictionary(
  fc.stringMatching(/^[a-z]{1,5}$/),
  richNode,
  { minKeys: 1, maxKeys: 5 },
).map((properties) => ({
  type: "object",
  properties: { spec: { type: "object", properties } },
  required: ["spec"],
}));
