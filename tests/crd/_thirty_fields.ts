/**
 * One schema of thirty fields, written in four schema libraries and as JSON Schema.
 *
 * @module
 */

import { Type } from "@sinclair/typebox";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import Type1 from "typebox";
import * as v from "valibot";
import { z } from "zod";
import { type DefinedResource, defineResource, type Schema } from "../../src/types/mod.ts";

const zod = z.object({
  image: z.string().min(1).max(300).describe("The image to run."),
  size: z.int().min(1).max(100).default(1),
  mode: z.enum(["Fast", "Safe", "Auto"]).default("Auto"),
  tier: z.union([z.literal("gold"), z.literal("silver")]).optional(),
  paused: z.boolean().default(false),
  debug: z.boolean().optional(),
  ratio: z.number().min(0).max(1),
  weight: z.number().gt(0).lt(10).optional(),
  step: z.number().multipleOf(5).optional(),
  port: z.int().min(1).max(65535),
  note: z.string().nullable().optional(),
  choice: z.enum(["a", "b"]).nullable().optional(),
  level: z.union([z.literal(1), z.literal(2), z.literal(3)]).optional(),
  kind: z.literal("Widget").optional(),
  code: z.string().regex(/^[a-z]{2}-\d+$/),
  homepage: z.url().optional(),
  startAt: z.string().meta({ format: "date-time" }).optional(),
  tags: z.array(z.string()).min(1).max(10).optional(),
  zones: z.array(z.string()).meta({ "x-kubernetes-list-type": "set" }).optional(),
  ports: z.array(z.object({ name: z.string(), port: z.int(), hostPort: z.int().optional() })).meta({
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["name"],
  }).optional(),
  labels: z.record(z.string(), z.string()).optional(),
  limits: z.record(z.string(), z.object({ cpu: z.number() })).optional(),
  storage: z.object({
    size: z.string().default("1Gi"),
    retain: z.boolean().optional(),
    backup: z.object({ cron: z.string(), keep: z.int().default(3) }).optional(),
  }),
  matrix: z.array(z.array(z.number())).optional(),
  target: z.union([z.int(), z.string()]).optional(),
  extra: z.unknown().optional(),
  values: z.record(z.string(), z.unknown()).optional(),
  source: z.discriminatedUnion("type", [
    z.object({ type: z.literal("git"), url: z.string() }),
    z.object({ type: z.literal("inline"), text: z.string().min(1) }),
  ]),
  args: z.array(z.string()).default(["run"]),
  replicas: z.int().nullable().default(3),
});

const valibot = toStandardJsonSchema(v.object({
  image: v.pipe(
    v.string(),
    v.minLength(1),
    v.maxLength(300),
    v.description("The image to run."),
  ),
  size: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100)), 1),
  mode: v.optional(v.picklist(["Fast", "Safe", "Auto"]), "Auto"),
  tier: v.optional(v.union([v.literal("gold"), v.literal("silver")])),
  paused: v.optional(v.boolean(), false),
  debug: v.optional(v.boolean()),
  ratio: v.pipe(v.number(), v.minValue(0), v.maxValue(1)),
  weight: v.optional(v.pipe(v.number(), v.gtValue(0), v.ltValue(10))),
  step: v.optional(v.pipe(v.number(), v.multipleOf(5))),
  port: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65535)),
  note: v.nullish(v.string()),
  choice: v.nullish(v.picklist(["a", "b"])),
  level: v.optional(v.picklist([1, 2, 3])),
  kind: v.optional(v.literal("Widget")),
  code: v.pipe(v.string(), v.regex(/^[a-z]{2}-\d+$/)),
  homepage: v.optional(v.pipe(v.string(), v.url())),
  startAt: v.optional(v.pipe(v.string(), v.metadata({ format: "date-time" }))),
  tags: v.optional(v.pipe(v.array(v.string()), v.minLength(1), v.maxLength(10))),
  zones: v.optional(
    v.pipe(v.array(v.string()), v.metadata({ "x-kubernetes-list-type": "set" })),
  ),
  ports: v.optional(v.pipe(
    v.array(v.object({
      name: v.string(),
      port: v.pipe(v.number(), v.integer()),
      hostPort: v.optional(v.pipe(v.number(), v.integer())),
    })),
    v.metadata({
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["name"],
    }),
  )),
  labels: v.optional(v.record(v.string(), v.string())),
  limits: v.optional(v.record(v.string(), v.object({ cpu: v.number() }))),
  storage: v.object({
    size: v.optional(v.string(), "1Gi"),
    retain: v.optional(v.boolean()),
    backup: v.optional(
      v.object({ cron: v.string(), keep: v.optional(v.pipe(v.number(), v.integer()), 3) }),
    ),
  }),
  matrix: v.optional(v.array(v.array(v.number()))),
  target: v.optional(v.union([v.pipe(v.number(), v.integer()), v.string()])),
  extra: v.optional(v.unknown()),
  values: v.optional(v.record(v.string(), v.unknown())),
  source: v.variant("type", [
    v.object({ type: v.literal("git"), url: v.string() }),
    v.object({ type: v.literal("inline"), text: v.pipe(v.string(), v.minLength(1)) }),
  ]),
  args: v.optional(v.array(v.string()), ["run"]),
  replicas: v.optional(v.nullable(v.pipe(v.number(), v.integer())), 3),
}));

/** Users would declare the keywords of their metadata in the global interface `ArkEnv`. */
function metadata(keywords: Record<string, unknown>): object {
  return keywords;
}

const arktype = type({
  image: type("1 <= string <= 300").describe("The image to run."),
  size: "1 <= number.integer <= 100 = 1",
  mode: "'Fast' | 'Safe' | 'Auto' = 'Auto'",
  "tier?": "'gold' | 'silver'",
  paused: "boolean = false",
  "debug?": "boolean",
  ratio: "0 <= number <= 1",
  "weight?": "0 < number < 10",
  "step?": "number % 5",
  port: "1 <= number.integer <= 65535",
  "note?": "string | null",
  "choice?": "'a' | 'b' | null",
  "level?": "1 | 2 | 3",
  "kind?": "'Widget'",
  code: /^[a-z]{2}-\d+$/,
  "homepage?": "string.url",
  "startAt?": type("string").configure(metadata({ format: "date-time" }), "self"),
  "tags?": "1 <= string[] <= 10",
  "zones?": type("string[]").configure(metadata({ "x-kubernetes-list-type": "set" }), "self"),
  "ports?": type({ name: "string", port: "number.integer", "hostPort?": "number.integer" }).array()
    .configure(
      metadata({ "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"] }),
      "self",
    ),
  "labels?": "Record<string, string>",
  "limits?": { "[string]": { cpu: "number" } },
  storage: {
    size: "string = '1Gi'",
    "retain?": "boolean",
    "backup?": { cron: "string", keep: "number.integer = 3" },
  },
  "matrix?": "number[][]",
  "target?": "number.integer | string",
  "extra?": "unknown",
  "values?": "Record<string, unknown>",
  source: type({ type: "'git'", url: "string" }).or({ type: "'inline'", text: "string >= 1" }),
  args: type("string[]").default(() => ["run"]),
  replicas: "number.integer | null = 3",
});

const typebox = Type.Object({
  image: Type.String({ minLength: 1, maxLength: 300, description: "The image to run." }),
  size: Type.Integer({ minimum: 1, maximum: 100, default: 1 }),
  mode: Type.Union([Type.Literal("Fast"), Type.Literal("Safe"), Type.Literal("Auto")], {
    default: "Auto",
  }),
  tier: Type.Optional(Type.Union([Type.Literal("gold"), Type.Literal("silver")])),
  paused: Type.Boolean({ default: false }),
  debug: Type.Optional(Type.Boolean()),
  ratio: Type.Number({ minimum: 0, maximum: 1 }),
  weight: Type.Optional(Type.Number({ exclusiveMinimum: 0, exclusiveMaximum: 10 })),
  step: Type.Optional(Type.Number({ multipleOf: 5 })),
  port: Type.Integer({ minimum: 1, maximum: 65535 }),
  note: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  choice: Type.Optional(Type.Union([Type.Literal("a"), Type.Literal("b"), Type.Null()])),
  level: Type.Optional(Type.Union([Type.Literal(1), Type.Literal(2), Type.Literal(3)])),
  kind: Type.Optional(Type.Literal("Widget")),
  code: Type.String({ pattern: "^[a-z]{2}-\\d+$" }),
  homepage: Type.Optional(Type.String({ format: "uri" })),
  startAt: Type.Optional(Type.String({ format: "date-time" })),
  tags: Type.Optional(Type.Array(Type.String(), { minItems: 1, maxItems: 10 })),
  zones: Type.Optional(Type.Array(Type.String(), { uniqueItems: true })),
  ports: Type.Optional(Type.Array(
    Type.Object({
      name: Type.String(),
      port: Type.Integer(),
      hostPort: Type.Optional(Type.Integer()),
    }),
    { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"] },
  )),
  labels: Type.Optional(Type.Record(Type.String(), Type.String())),
  limits: Type.Optional(Type.Record(Type.String(), Type.Object({ cpu: Type.Number() }))),
  storage: Type.Object({
    size: Type.String({ default: "1Gi" }),
    retain: Type.Optional(Type.Boolean()),
    backup: Type.Optional(
      Type.Object({ cron: Type.String(), keep: Type.Integer({ default: 3 }) }),
    ),
  }, { additionalProperties: false }),
  matrix: Type.Optional(Type.Array(Type.Array(Type.Number()))),
  target: Type.Optional(Type.Union([Type.Integer(), Type.String()])),
  extra: Type.Optional(Type.Unknown()),
  values: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  source: Type.Union([
    Type.Object({ type: Type.Literal("git"), url: Type.String() }),
    Type.Object({ type: Type.Literal("inline"), text: Type.String({ minLength: 1 }) }),
  ]),
  args: Type.Array(Type.String(), { default: ["run"] }),
  replicas: Type.Union([Type.Integer(), Type.Null()], { default: 3 }),
});

/** The version 1 of TypeBox. Its schemas are plain JSON Schema too. */
const typebox1 = Type1.Object({
  ...typebox.properties as unknown as Record<string, ReturnType<typeof Type1.String>>,
  image: Type1.String({ minLength: 1, maxLength: 300, description: "The image to run." }),
  labels: Type1.Optional(Type1.Record(Type1.String(), Type1.String())),
  size: Type1.Integer({ minimum: 1, maximum: 100, default: 1 }),
}, { required: typebox.required });

/** The schema in each library. */
export const SPECS: Readonly<Record<string, Schema>> = { zod, valibot, arktype, typebox, typebox1 };

/** The resource with the schema of a library. */
export function thirtyFields(library: string): DefinedResource {
  return defineResource({
    group: "acme.io",
    version: "v1",
    kind: "Widget",
    spec: SPECS[library]!,
    status: z.object({ ready: z.int().optional() }),
    shortNames: ["wd"],
    categories: ["all"],
    rules: [{ rule: "self.size >= oldSelf.size", message: "size cannot shrink" }],
    columns: [{ name: "Size", type: "integer", jsonPath: ".spec.size" }],
    scale: { specReplicasPath: ".spec.size", statusReplicasPath: ".status.ready" },
    versions: [{
      name: "v1alpha1",
      served: false,
      spec: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    }],
  }) as DefinedResource;
}
