import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import { z } from "zod";
import { silentLogger } from "../../src/base/mod.ts";
import { Client } from "../../src/client/mod.ts";
import { crd, installDefinitions } from "../../src/crd/mod.ts";
import { ApiServer } from "../../src/testing/mod.ts";
import {
  CustomResourceDefinitions,
  defineResource,
  type JSONSchemaProps,
  metadataOf,
} from "../../src/types/mod.ts";
import { errorOf, fieldsOf, specOf, Widgets } from "./_definitions.ts";
import { SPECS, thirtyFields } from "./_thirty_fields.ts";

Deno.test("crd() of a schema of thirty fields is equal, byte for byte, from five schema libraries", () => {
  const texts = Object.keys(SPECS).map((library) => JSON.stringify(crd(thirtyFields(library))));
  const [first = ""] = texts;
  for (const [index, text] of texts.entries()) {
    assertEquals(JSON.parse(text), JSON.parse(first), Object.keys(SPECS)[index]);
    assertStrictEquals(text, first, Object.keys(SPECS)[index]);
  }
  const { spec } = crd(thirtyFields("zod"));
  const fields = spec.versions[0]?.schema?.openAPIV3Schema?.properties?.["spec"]?.properties;
  assertEquals(Object.keys(fields ?? {}).length, 30);
  assertStrictEquals(JSON.stringify(crd(thirtyFields("zod"))), first);
});

Deno.test("crd() of the thirty fields is accepted by the in-process API server, which sets the defaults", async () => {
  await using server = new ApiServer({ logger: silentLogger });
  await using client = new Client({ fetch: server.fetch });
  const resource = thirtyFields("arktype");
  await installDefinitions(client, [resource]);
  const spec = {
    image: "nginx",
    ratio: 0.5,
    port: 80,
    code: "ab-1",
    storage: { backup: { cron: "@daily" } },
    source: { type: "git", url: "https://example.com" },
    choice: null,
    extra: { any: ["thing"] },
    values: { a: 1, b: "two" },
    target: "http",
  };
  const metadata = { name: "a", namespace: "default" };
  const created = await client.create(resource, { metadata, spec } as never) as unknown as {
    spec: Record<string, unknown>;
  };
  assertEquals(created.spec, {
    ...spec,
    storage: { backup: { cron: "@daily", keep: 3 }, size: "1Gi" },
    args: ["run"],
    mode: "Auto",
    paused: false,
    replicas: 3,
    size: 1,
  });
  for (
    const wrong of [
      { size: 0 },
      { mode: "Slow" },
      { choice: "c" },
      { weight: 10 },
      { code: "AB" },
      { source: { type: "inline" } },
      { zones: ["a", "a"] },
      { ports: [{ name: "a", port: 1 }, { name: "a", port: 2 }] },
    ]
  ) {
    const object = { metadata: { ...metadata, name: "b" }, spec: { ...spec, ...wrong } };
    const error = await client.create(resource, object as never).catch((error) => error);
    assertEquals(error.reason, "Invalid", JSON.stringify(wrong));
    assert(error.message.includes(`spec.${Object.keys(wrong)[0]}`), error.message);
  }
});

Deno.test("crd() has the names, the subresources, the columns and the rules of the definition", () => {
  const definition = crd(Widgets);
  assertEquals(definition, {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "widgets.acme.io" },
    spec: {
      group: "acme.io",
      names: {
        kind: "Widget",
        listKind: "WidgetList",
        plural: "widgets",
        shortNames: ["wd"],
        singular: "widget",
      },
      scope: "Namespaced",
      versions: [
        {
          additionalPrinterColumns: [{ jsonPath: ".spec.size", name: "Size", type: "integer" }],
          name: "v1",
          schema: definition.spec.versions[0]!.schema!,
          served: true,
          storage: true,
          subresources: {
            scale: { specReplicasPath: ".spec.size", statusReplicasPath: ".status.ready" },
            status: {},
          },
        },
        {
          deprecated: true,
          deprecationWarning: "use v1",
          name: "v1beta1",
          schema: {
            openAPIV3Schema: {
              properties: {
                spec: { properties: { count: { type: "integer" } }, type: "object" },
              },
              required: ["spec"],
              type: "object",
            },
          },
          served: true,
          storage: false,
        },
      ],
    },
  });
  const { spec, status } = definition.spec.versions[0]!.schema!.openAPIV3Schema!.properties!;
  assertEquals(spec!["x-kubernetes-validations"], [{
    message: "size cannot shrink",
    rule: "self.size >= oldSelf.size",
  }]);
  assertEquals(Object.keys(status!.properties!), ["conditions", "observedGeneration", "ready"]);
  assertEquals(status!.properties!["conditions"]!["x-kubernetes-list-map-keys"], ["type"]);
  assertEquals(metadataOf(Widgets).kind, "Widget");
});

Deno.test("crd() stores objects in the version with storage: true", () => {
  const spec = z.object({ a: z.string() });
  const versions = (storage?: boolean) =>
    crd(defineResource({
      group: "acme.io",
      version: "v2",
      kind: "Widget",
      spec,
      versions: [{ name: "v1", spec, ...(storage === undefined ? {} : { storage }) }],
    })).spec.versions.map(({ name, storage }) => `${name} ${storage}`);
  assertEquals(versions(), ["v2 true", "v1 false"]);
  assertEquals(versions(true), ["v2 false", "v1 true"]);
});

Deno.test("crd() accepts a refinement of the whole spec if there are rules", () => {
  const limits = z.object({ min: z.int(), max: z.int() }).refine(({ min, max }) => min <= max);
  const resource = (rules: { rule: string }[]) =>
    defineResource({ group: "acme.io", version: "v1", kind: "Widget", spec: limits, rules });
  const rules = [{ rule: "self.min <= self.max" }];
  const { spec } = crd(resource(rules)).spec.versions[0]!.schema!.openAPIV3Schema!.properties!;
  assertEquals(spec!["x-kubernetes-validations"], rules);
  assertEquals(errorOf(() => crd(resource([]))).split(":")[0], "Widget.spec");
});

Deno.test("crd() keeps the user's schema of conditions, and makes it a list map", () => {
  const conditions = z.array(z.object({ type: z.string(), status: z.string(), why: z.string() }));
  const properties = (status: z.ZodType) => {
    const resource = defineResource({
      group: "acme.io",
      version: "v1",
      kind: "Widget",
      spec: z.object({}),
      status,
    });
    return crd(resource).spec.versions[0]!.schema!.openAPIV3Schema!.properties!["status"]!
      .properties!;
  };
  const own = properties(z.object({ conditions }))["conditions"]!;
  assertEquals(own["x-kubernetes-list-type"], "map");
  assertEquals(Object.keys(own.items!.properties!), ["status", "type", "why"]);
  const atomic = conditions.meta({ "x-kubernetes-list-type": "atomic" });
  assertEquals(
    properties(z.object({ conditions: atomic }))["conditions"]!["x-kubernetes-list-type"],
    "atomic",
  );
});

Deno.test("crd() converts the constructs of schema libraries into a structural schema", () => {
  const cases: [string, unknown, JSONSchemaProps][] = [
    ["nullable", z.string().nullable(), { nullable: true, type: "string" }],
    ["an enum with null", { enum: ["b", "a", null] }, {
      anyOf: [{ enum: ["a", "b"] }, { enum: [null] }],
      nullable: true,
      type: "string",
    }],
    ["literals", z.union([z.literal("y"), z.literal("x")]), { enum: ["x", "y"], type: "string" }],
    ["both booleans", z.union([z.literal(true), z.literal(false)]), { type: "boolean" }],
    ["any value", z.any(), { "x-kubernetes-preserve-unknown-fields": true }],
    ["other fields", z.looseObject({ a: z.string() }), {
      properties: { a: { type: "string" } },
      required: ["a"],
      type: "object",
      "x-kubernetes-preserve-unknown-fields": true,
    }],
    ["an integer or a string", z.union([z.int().min(1), z.string().regex(/%$/)]), {
      minimum: 1,
      pattern: "%$",
      "x-kubernetes-int-or-string": true,
    }],
    ["int-or-string by keyword", {
      anyOf: [{ type: "integer" }, { type: "string" }],
      "x-kubernetes-int-or-string": true,
    }, { "x-kubernetes-int-or-string": true }],
    ["exclusive bounds", { type: "number", exclusiveMinimum: 0, minimum: -5 }, {
      exclusiveMinimum: true,
      minimum: 0,
      type: "number",
    }],
    ["safe integers", z.int(), { type: "integer" }],
    ["an intersection", z.object({ a: z.string() }).and(z.object({ b: z.string() })), {
      properties: { a: { type: "string" }, b: { type: "string" } },
      required: ["a", "b"],
      type: "object",
    }],
    ["a format that only the library knows", {
      format: "starts_with",
      type: "string",
      pattern: "^a",
    }, {
      pattern: "^a",
      type: "string",
    }],
    ["a number whose step is a whole number", z.number().multipleOf(5), {
      multipleOf: 5,
      type: "integer",
    }],
    ["two patterns", z.string().regex(/^a/).regex(/b$/), {
      allOf: [{ pattern: "b$" }],
      pattern: "^a",
      type: "string",
    }],
    ["fields of which one is required", {
      type: "object",
      properties: { a: { type: "string" }, b: { type: "string" } },
      oneOf: [{ required: ["b"] }, { required: ["a"] }],
    }, {
      oneOf: [{ required: ["a"] }, { required: ["b"] }],
      properties: { a: { type: "string" }, b: { type: "string" } },
      type: "object",
    }],
    [
      "closed alternatives",
      z.discriminatedUnion("t", [
        z.strictObject({ t: z.literal("a"), a: z.string().min(2) }),
        z.object({ t: z.literal("b"), b: z.int().optional() }),
      ]),
      {
        oneOf: [
          {
            not: { anyOf: [{ required: ["b"] }] },
            properties: { a: { minLength: 2 }, t: { enum: ["a"] } },
            required: ["a"],
          },
          { properties: { t: { enum: ["b"] } } },
        ],
        properties: { a: { type: "string" }, b: { type: "integer" }, t: { type: "string" } },
        required: ["t"],
        type: "object",
      },
    ],
    ["a default that stands for its field", z.object({ a: z.int().default(2) }).prefault({}), {
      default: {},
      properties: { a: { default: 2, type: "integer" } },
      type: "object",
    }],
  ];
  for (const [name, schema, expected] of cases) {
    assertEquals(specOf(schema), expected, name);
  }
  const $ref = "#/$defs/port";
  assertEquals(
    fieldsOf({
      type: "object",
      $defs: { port: { type: "integer", minimum: 1, description: "A port." } },
      properties: { a: { $ref }, b: { $ref, maximum: 9, description: "Another." } },
    }),
    {
      a: { description: "A port.", minimum: 1, type: "integer" },
      b: { description: "Another.", maximum: 9, minimum: 1, type: "integer" },
    },
  );
  const rule = { "x-kubernetes-validations": [{ rule: "self != ''" }] };
  assertEquals(specOf(z.string().refine((text) => text !== "").meta(rule)), {
    type: "string",
    ...rule,
  });
});

Deno.test("crd() reports the wrong part of a definition", () => {
  const spec = { type: "object", properties: {} };
  const error = (parts: object) =>
    errorOf(() =>
      crd(defineResource({ group: "a.io", version: "v1", kind: "Widget", spec, ...parts }))
    );
  assertEquals(
    [
      error({ group: "acme" }),
      error({ versions: [{ name: "v1" }] }),
      error({ versions: [{ name: "v2", storage: true }, { name: "v3", storage: true }] }),
      error({ columns: [{ name: "A", type: "text", jsonPath: ".spec.a" }] }),
      error({ columns: [{ name: "A", type: "string", jsonPath: "spec.a" }] }),
      error({ scale: { specReplicasPath: ".status.a", statusReplicasPath: ".status.b" } }),
      error({ shortNames: ["A b"] }),
      error({ rules: [{ message: "no rule" }] }),
      error({ status: z.string() }),
      error({ versions: [{ name: "v2", spec: z.object({ at: z.date() }) }] }),
    ],
    [
      'Widget: "group" is "acme", must be a domain with a dot, as in acme.io',
      'Widget: the version "v1" is there twice: "versions" lists the others',
      'Widget: the versions v2 and v3 both have "storage": objects are stored in one',
      'Widget.columns[0]: "type" must be one of boolean, date, integer, number, string',
      'Widget.columns[0].jsonPath: is "spec.a", must be a JSON path that starts with .',
      'Widget.scale.specReplicasPath: is ".status.a", must be a JSON path that starts with .spec.',
      'Widget: "shortNames" is "A b", must be at most 63 lower-case letters, digits and dashes, and start with a letter',
      'Widget.rules[0]: "rule" must be a CEL expression',
      "Widget.status: cannot express a status that is no object in a structural schema: conditions and observedGeneration must have a place",
      "Widget v2.spec.at: cannot express a Date in a structural schema: use z.iso.datetime()",
    ],
  );
  assertEquals(
    errorOf(() => crd(CustomResourceDefinitions)),
    'CustomResourceDefinition has no schema: give defineResource() a "spec"',
  );
});

Deno.test("crd() refuses unknown parts of a definition, and wrong types", () => {
  const spec = { type: "object", properties: {} };
  const error = (parts: object) =>
    errorOf(() =>
      crd(defineResource({ group: "a.io", version: "v1", kind: "Widget", spec, ...parts }))
    );
  const columns = [{ name: "A", type: "string", jsonPath: ".a", prio: 1 }];
  const scale = { specReplicasPath: ".spec.a", statusReplicasPath: ".status.a", selector: ".b" };
  assertEquals(
    [
      error({ shortName: ["w"] }).slice(0, 60),
      error({ columns }).slice(0, 60),
      error({ scale }).slice(0, 60),
      error({ versions: [{ name: "v2", serve: false }] }).slice(0, 60),
      error({ versions: [null] }),
      error({ versions: [{ name: "v2", served: "no" }] }),
      error({ versions: [{ name: "v2", storage: "yes" }] }),
      error({ deprecated: "soon" }),
      errorOf(() => crd(undefined as never)),
    ],
    [
      'defineResource() has no option "shortName": did you mean "shortNames"?',
      'Widget.columns[0]: has no part "prio": its parts are name, t',
      'Widget.scale: has no part "selector": its parts are specRepl',
      'Widget.versions[0]: has no part "serve": its parts are spec,',
      "Widget.versions[0]: must be an object, is null",
      'Widget.versions[0]: "served" is "no", must be true or false',
      'Widget.versions[0]: "storage" is "yes", must be true or false',
      'Widget: "deprecated" is "soon", must be true or false',
      'The resource has no schema: give defineResource() a "spec"',
    ].map((text, index) => index < 4 ? text.slice(0, 60) : text),
  );
});

Deno.test("crd() keeps the annotations of a definition, which a group of Kubernetes requires", () => {
  const annotations = { "api-approved.kubernetes.io": "unapproved, experimental-only" };
  const spec = { type: "object", properties: { a: { type: "string" } } };
  const definition = { group: "x.k8s.io", version: "v1", kind: "Foo", spec };
  assertEquals(crd(defineResource({ ...definition, annotations })).metadata, {
    annotations,
    name: "foos.x.k8s.io",
  });
});
