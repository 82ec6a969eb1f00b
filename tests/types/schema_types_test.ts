import { Type } from "@sinclair/typebox";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import Type1 from "typebox";
import * as v from "valibot";
import { z } from "zod";
import { assertEquals, assertThrows } from "@std/assert";
import { Client } from "../../src/client/mod.ts";
import {
  type Condition,
  defineResource,
  type JsonSchema,
  metadataOf,
  type ObjectOf,
  type PartialObjectMetadata,
  type Resource,
} from "../../src/types/mod.ts";

/** Compiles only if `A` and `B` are the same type. */
function same<A, B>(
  _: (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : never,
): void {}

type Flat<T> = T extends object ? { [K in keyof T]: T[K] } : T;

const names = { group: "acme.io", version: "v1", kind: "Widget" } as const;

/** The type of the spec and the status, as the four libraries are to infer it. */
type Spec = { image: string; mode: "A" | "B"; size: number; tags?: string[] };

Deno.test("defineResource() infers the type of the objects from a schema of Zod", () => {
  const Widgets = defineResource({
    ...names,
    spec: z.object({
      image: z.string(),
      mode: z.enum(["A", "B"]),
      size: z.int().default(1),
      tags: z.array(z.string()).optional(),
    }),
    status: z.object({ ready: z.int() }),
  });
  type Widget = ObjectOf<typeof Widgets>;
  same<Widget["spec"]["size"], number>(true);
  same<Widget["spec"]["mode"], "A" | "B">(true);
  same<NonNullable<Widget["status"]>["ready"], number>(true);
  same<NonNullable<Widget["status"]>["conditions"], Condition[] | undefined>(true);
  same<NonNullable<Widget["status"]>["observedGeneration"], number | undefined>(true);
  const general: Resource = Widgets;
  same<ReturnType<typeof metadataOf>, Resource<PartialObjectMetadata>>(true);
  assertEquals([general.plural, general.namespaced], ["widgets", true]);
  assertEquals("definition" in metadataOf(Widgets), false);
});

Deno.test("defineResource() infers the type from Valibot, ArkType, TypeBox and a JSON Schema", () => {
  const Valibot = defineResource({
    ...names,
    spec: toStandardJsonSchema(v.object({
      image: v.string(),
      mode: v.picklist(["A", "B"]),
      size: v.optional(v.pipe(v.number(), v.integer()), 1),
      tags: v.optional(v.array(v.string())),
    })),
  });
  same<Flat<ObjectOf<typeof Valibot>["spec"]>["size"], number>(true);
  const ArkType = defineResource({
    ...names,
    spec: type({
      image: "string",
      mode: "'A'|'B'",
      size: "number.integer = 1",
      "tags?": "string[]",
    }),
  });
  same<ObjectOf<typeof ArkType>["spec"]["size"], number>(true);
  const TypeBox = defineResource({
    ...names,
    spec: Type.Object({
      image: Type.String(),
      mode: Type.Union([Type.Literal("A"), Type.Literal("B")]),
      size: Type.Integer({ default: 1 }),
      tags: Type.Optional(Type.Array(Type.String())),
    }),
  });
  same<Flat<ObjectOf<typeof TypeBox>["spec"]>, Spec>(true);
  const TypeBox1 = defineResource({
    ...names,
    spec: Type1.Object({
      image: Type1.String(),
      mode: Type1.Union([Type1.Literal("A"), Type1.Literal("B")]),
      size: Type1.Integer(),
      tags: Type1.Optional(Type1.Array(Type1.String())),
    }),
  });
  same<Flat<ObjectOf<typeof TypeBox1>["spec"]>, Spec>(true);
  const Plain = defineResource({
    ...names,
    spec: {
      type: "object",
      properties: {
        image: { type: "string" },
        mode: { type: "string", enum: ["A", "B"] },
        size: { type: "integer", default: 1 },
        tags: { type: "array", items: { type: "string" } },
      },
      required: ["image", "mode"],
    },
  });
  same<Flat<ObjectOf<typeof Plain>["spec"]>, Spec>(true);
  const Rich = defineResource({
    ...names,
    spec: {
      type: "object",
      properties: {
        note: { type: "string", nullable: true },
        count: { type: ["integer", "null"] },
        port: { "x-kubernetes-int-or-string": true },
        labels: { type: "object", additionalProperties: { type: "string" } },
        list: { type: "array", items: { type: "object", properties: { a: { type: "boolean" } } } },
        either: { anyOf: [{ type: "string" }, { type: "null" }] },
        any: {},
      },
      required: ["note", "count", "port", "labels", "list", "either", "any"],
    },
  });
  same<ObjectOf<typeof Rich>["spec"], {
    note: string | null;
    count: number | null;
    port: number | string;
    labels: Record<string, string>;
    list: { a?: boolean }[];
    either: string | null;
    any: unknown;
  }>(true);
  const schema: JsonSchema<Spec> = { type: "object" };
  const Annotated = defineResource({ ...names, spec: schema });
  same<ObjectOf<typeof Annotated>["spec"], Spec>(true);
});

Deno.test("a Client creates objects without the fields that have a default, and returns them with these", async () => {
  const Widgets = defineResource({
    ...names,
    spec: z.object({ image: z.string(), size: z.int().default(1) }),
  });
  await using client = new Client({
    fetch: async (request) => {
      const object = await request.json();
      return Response.json({ ...object, spec: { size: 1, ...object.spec } });
    },
  });
  const metadata = { name: "a", namespace: "default" };
  const { spec } = await client.create(Widgets, { metadata, spec: { image: "nginx" } });
  same<typeof spec.size, number>(true);
  assertEquals(spec, { image: "nginx", size: 1 });
  const updated = await client.update(Widgets, { metadata, spec: { image: "busybox" } });
  assertEquals(updated.spec, { image: "busybox", size: 1 });
  // @ts-expect-error `image` has no default.
  await client.create(Widgets, { metadata, spec: { size: 2 } });
  // @ts-expect-error `size` is a number.
  await client.create(Widgets, { metadata, spec: { image: "nginx", size: "2" } });
});

Deno.test("defineResource() takes no Valibot schema that cannot be converted", () => {
  // @ts-expect-error It is not wrapped by `toStandardJsonSchema`.
  defineResource({ ...names, spec: v.object({ image: v.string() }) });
});

Deno.test("defineResource() guesses the plural as apimachinery does", () => {
  const spec = { type: "object", properties: {} } as const;
  const plural = (kind: string) => defineResource({ ...names, kind, spec }).plural;
  assertEquals(
    ["Widget", "Ingress", "NetworkPolicy", "Endpoints", "Gateway"].map(plural),
    ["widgets", "ingresses", "networkpolicies", "endpoints", "gatewaies"],
  );
  assertEquals(defineResource({ ...names, plural: "widgetry", spec }).plural, "widgetry");
});

Deno.test("defineResource() keeps a descriptor without a schema as it was", () => {
  const descriptor = { ...names, plural: "widgets", namespaced: false };
  assertEquals(defineResource(descriptor), descriptor);
  assertThrows(
    () => defineResource({ ...names, plural: "widgets" } as unknown as typeof descriptor),
    TypeError,
    '"namespaced" must be true or false',
  );
});

Deno.test("defineResource() takes the type of a nested schema that states it", () => {
  const template: JsonSchema<{ image: string }> = {
    type: "object",
    "x-kubernetes-preserve-unknown-fields": true,
  };
  const Widgets = defineResource({
    ...names,
    spec: { type: "object", required: ["template"], properties: { template, any: {} } },
  });
  type Widget = ObjectOf<typeof Widgets>;
  same<Widget["spec"]["template"], { image: string }>(true);
  assertEquals(Widgets.kind, "Widget");
});
