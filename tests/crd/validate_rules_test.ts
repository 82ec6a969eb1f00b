import { assertEquals, assertRejects } from "@std/assert";
import { z } from "zod";
import { silentLogger } from "../../src/base/mod.ts";
import { Client } from "../../src/client/mod.ts";
import { type FieldError, installDefinitions, validate } from "../../src/crd/mod.ts";
import { ApiServer } from "../../src/testing/mod.ts";
import {
  defineResource,
  type KubeObject,
  type Resource,
  type ResourceDefinition,
  type Schema,
} from "../../src/types/mod.ts";

/** An object as the client takes it. */
type Stored = KubeObject & { metadata: { name: string; namespace: string } };

const metadata = { name: "a" };

/** Returns a resource with this spec, and with rules. */
function widgets(spec: Schema, definition: Partial<ResourceDefinition> = {}): Resource {
  return defineResource({ group: "acme.io", version: "v1", kind: "Widget", spec, ...definition });
}

function lines(errors: readonly FieldError[]): string[] {
  return errors.map(({ field, message }) => `${field}: ${message}`);
}

const SIZES = { type: "object", properties: { size: { type: "integer", default: 1 } } } as const;

Deno.test("validate() answers transitions as the server, which is given the old object", async () => {
  const Widgets = widgets({
    type: "object",
    properties: {
      size: { type: "integer", default: 1 },
      mode: { type: "string", maxLength: 5 },
      a: { type: "object", properties: { x: { type: "integer" } } },
      b: { type: "object", properties: { x: { type: "integer" } } },
      ports: {
        type: "array",
        maxItems: 5,
        items: {
          type: "object",
          required: ["name"],
          properties: { name: { type: "string", maxLength: 9 }, port: { type: "integer" } },
          "x-kubernetes-validations": [{ rule: "self.port == oldSelf.port", message: "is fixed" }],
        },
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["name"],
      },
    },
    "x-kubernetes-validations": [
      { rule: "self.size >= oldSelf.size", message: "size cannot shrink" },
      {
        rule: "!oldSelf.hasValue() || oldSelf.value().size < 9",
        optionalOldSelf: true,
        messageExpression: "oldSelf.value().size == 9 ? 'was nine' : 'was more'",
      },
      { rule: "!has(self.a) || dyn(self.a) == dyn(self.b)", message: "differ" },
      { rule: "self.?mode.orValue('a') != 'b'", message: "b is out", fieldPath: ".mode" },
    ],
  });
  await using server = new ApiServer();
  await using client = new Client({ fetch: server.fetch, logger: silentLogger });
  await installDefinitions(client, [Widgets]);
  const port = (name: string, port: number) => ({ name, port });
  const specs = [
    undefined,
    {},
    { size: 3 },
    { size: 9 },
    { size: 4, mode: "b" },
    { size: 4, mode: "b", ports: [port("a", 1)] },
    { ports: [port("a", 1), port("b", 2)] },
    { ports: [port("b", 1), port("a", 1)], unknown: null },
    { size: "5" },
    { size: 10, other: {} },
    { a: { x: 1 }, b: { x: 1, y: 2 } },
    { a: { x: 1 }, b: { x: 2 } },
  ];
  const withSpec = (spec: object) =>
    ({ metadata: { name: "a", namespace: "default" }, spec }) as Stored;
  let refused = 0;
  for (const before of specs) {
    const stored = before && await client.create(Widgets, withSpec(before)).catch(() => undefined);
    if (before !== undefined && stored === undefined) continue;
    for (const spec of specs) {
      if (spec === undefined) continue;
      const sent = {
        ...stored,
        ...withSpec(spec),
        ...stored?.metadata && { metadata: stored.metadata },
      };
      const causes = await client[stored === undefined ? "create" : "update"](Widgets, sent, {
        dryRun: true,
      })
        .then(() => [], (error) => error.status.details.causes);
      const errors = await validate(Widgets, sent, { oldObject: stored && withSpec(before!) });
      // Only the texts of schemas differ.
      const told = (found: readonly FieldError[]) =>
        found.map((one) => one.reason === "FieldValueTypeInvalid" ? one.field : one);
      assertEquals(told(errors), told(causes), JSON.stringify([before, spec]));
      if (causes.length > 0) refused++;
    }
    if (stored !== undefined) await client.delete(Widgets, "a", { namespace: "default" });
  }
  assertEquals(refused, 52);
});

Deno.test("validate() evaluates rules beside a schema of a library, of the status and of other versions", async () => {
  const rule = (text: string) => ({ "x-kubernetes-validations": [{ rule: text }] });
  const Widgets = widgets(
    z.object({ size: z.int().default(1), max: z.int().optional() }).meta(rule("self.size < 9")),
    {
      rules: [{
        rule: "!has(self.max) || self.size <= self.max",
        message: "too large",
        fieldPath: ".size",
      }],
      status: z.object({ ready: z.int().optional() }).meta(rule("self.ready >= 0")),
      versions: [{ name: "v2", spec: { ...SIZES, ...rule("self.size > 1") } }],
    },
  );
  const errorsOf = async (object: object) =>
    lines(await validate(Widgets, { metadata, ...object }));
  assertEquals(await errorsOf({ spec: {} }), []);
  assertEquals(await errorsOf({ spec: { max: 0 } }), ["spec.size: Invalid value: too large"]);
  assertEquals(await errorsOf({ spec: { size: 10, max: 4 }, status: { ready: -1 } }), [
    "spec.size: Invalid value: too large",
    "spec: Invalid value: failed rule: self.size < 9",
    "status: Invalid value: failed rule: self.ready >= 0",
  ]);
  assertEquals(await errorsOf({ apiVersion: "acme.io/v2", spec: {} }), [
    "spec: Invalid value: failed rule: self.size > 1",
  ]);
  assertEquals(await errorsOf({ spec: { size: "1" } }), [
    'spec.size: Invalid value: "1": Invalid input: expected number, received string',
    "<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation",
  ]);
});

Deno.test("validate() refuses an old object that it cannot compare", async () => {
  const Widgets = widgets(SIZES, {
    rules: [{ rule: "self.size >= oldSelf.size" }],
    versions: [{ name: "v2", spec: SIZES, served: true }],
    conversion: "None",
  });
  const now = { metadata, spec: { size: 1 } };
  for (
    const [oldObject, message] of [
      [5, "oldObject must be an object"],
      [null, "oldObject must be an object"],
      [
        { apiVersion: "acme.io/v2", spec: {} },
        "The oldObject of validate() must be of the version",
      ],
      [{ spec: { size: () => 1 } }, "The oldObject of validate(): spec: Invalid value"],
    ] as const
  ) {
    await assertRejects(
      () => validate(Widgets, now, { oldObject: oldObject as object }),
      TypeError,
      message,
      "",
    );
  }
  await assertRejects(() => validate(Widgets, now, { old: now } as object), TypeError, "oldObject");
});

Deno.test("validate() survives hostile objects, schemas and rules", async () => {
  const items = {
    type: "array",
    items: { type: "object", properties: { a: { type: "string", default: "x".repeat(10_000) } } },
  } as const;
  const Widgets = widgets(
    { type: "object", properties: { items, text: { type: "string" } } },
    {
      rules: [
        {
          rule: "self.items.all(a, self.items.all(b, self.items.all(c, a == b || b == c || true)))",
        },
        { rule: "self.nothing.more(" },
      ],
    },
  );
  const errorsOf = async (spec: unknown) =>
    lines(await validate(Widgets, { metadata, spec })).map((line) => line.slice(0, 104));
  const list = (makes: (index: number) => object) =>
    Array.from({ length: 1_000 }, (_, i) => makes(i));
  const broken = [
    'spec: Invalid value: "object": rule compile error: compilation failed: ERROR: <input>:1:19: Syntax error',
  ];
  assertEquals(await errorsOf({ items: [] }), broken);
  assertEquals(await errorsOf({ items: list(() => ({})) }), [
    ': Invalid value: "": the defaults are too large',
  ]);
  assertEquals(await errorsOf({ items: list((i) => ({ a: String(i) })) }), [
    `spec: Invalid value: "object": 'operation cancelled: actual cost limit exceeded': no further validation `,
  ]);
  assertEquals(await errorsOf({ items: [], text: () => 1 }), [
    "spec: Invalid value: an object: spec.text: cannot read the value: a function is not JSON",
  ]);
});
