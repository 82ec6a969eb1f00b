import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import fc from "fast-check";
import { assertProperty } from "../../support/seeded_runs.ts";
import { defineResource } from "../../../mod.ts";
import { conversion, type ConversionHandler } from "../../../src/webhooks/mod.ts";
import { roundTrip, type RoundTripOptions } from "../../../src/testing/evolve/mod.ts";
import { wholeSchema } from "../samples/_schemas.ts";
import { widgets } from "./_definitions.ts";

type Spec = Record<string, unknown>;
interface Functions {
  readonly toHub: (spec: Spec) => Spec;
  readonly fromHub: (spec: Spec) => Spec;
}

const same: Functions = { toHub: (spec) => spec, fromHub: (spec) => spec };

/** Returns the conversion of a kind with the versions v1, the hub, and v1beta1. */
function kind(
  hub: object,
  spoke: object,
  { toHub, fromHub }: Functions,
  more: object = {},
): ConversionHandler {
  const Widgets = defineResource({
    group: "acme.io",
    version: "v1",
    kind: "Widget",
    spec: { type: "object", properties: hub },
    versions: [{ name: "v1beta1", spec: { type: "object", properties: spoke } }],
    ...more,
  } as never);
  return conversion(Widgets, {
    v1beta1: {
      toHub: (object: { spec: Spec }) => ({ ...object, spec: toHub(object.spec) }),
      fromHub: (object: { spec: Spec }) => ({ ...object, spec: fromHub(object.spec) }),
    },
  } as never);
}

async function problem(handler: ConversionHandler, options?: RoundTripOptions): Promise<string> {
  return await roundTrip(handler, options).then(() => "", (error) => error.message);
}

const string = { type: "string" };
const integer = { type: "integer" };
const RENAME: Functions = {
  toHub: ({ length, ...rest }) => length === undefined ? rest : { ...rest, size: length },
  fromHub: ({ size, ...rest }) => size === undefined ? rest : { ...rest, length: size },
};

Deno.test("roundTrip() accepts conversions that lose nothing", async () => {
  await roundTrip(kind({ size: integer }, { length: integer }, RENAME));
  const all = {
    flag: { type: "boolean", default: true },
    port: { "x-kubernetes-int-or-string": true },
    labels: { type: "object", additionalProperties: string },
    list: {
      type: "array",
      items: { type: "object", properties: { a: string, b: { ...integer, nullable: true } } },
    },
    any: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    big: { type: "integer", minimum: 9_007_199_254_740_000 },
  };
  await roundTrip(kind(all, all, same));
  // A default that both versions have may be lost.
  const mode = { mode: { ...string, default: "a" } };
  await roundTrip(kind(mode, mode, {
    ...same,
    fromHub: ({ mode, ...rest }) => mode === "a" ? rest : { ...rest, mode },
  }));
});

Deno.test("roundTrip() shows the smallest object that loses a field, in both directions", async () => {
  const lost = await problem(kind({ size: integer, weight: integer }, { length: integer }, {
    toHub: ({ length }) => length === undefined ? {} : { size: length },
    fromHub: ({ size }) => size === undefined ? {} : { length: size },
  }));
  assertStringIncludes(
    lost,
    "widgets.acme.io loses something from v1 to v1beta1 and back:\n- spec.weight: 0\n",
  );
  assertStringIncludes(lost, 'The object in v1: {"apiVersion":"acme.io/v1","kind":"Widget"');
  assertStringIncludes(lost, '"spec":{"weight":0}}\nand in v1beta1: ');

  const other = await problem(kind({ size: integer }, { length: integer, color: string }, RENAME));
  assertStringIncludes(other, "from v1beta1 to v1 and back:\n- spec.color: ");
});

Deno.test("roundTrip() finds a value that only a limit loses", async () => {
  // Only numbers above a limit of the other version are lost.
  const capped = await problem(kind({ size: integer }, { size: { ...integer, maximum: 71_234 } }, {
    ...same,
    fromHub: (spec) => "size" in spec ? { size: Math.min(spec["size"] as number, 71_234) } : spec,
  }));
  assertStringIncludes(capped, "- spec.size: 71235\n+ spec.size: 71234");
  // 0 is taken for absent.
  const zero = await problem(kind({ size: integer }, { length: integer }, {
    toHub: ({ length }) => length ? { size: length } : {},
    fromHub: ({ size }) => size ? { length: size } : {},
  }));
  assertStringIncludes(zero, "- spec.size: 0");
  // The keys of a map become a list, in which one key is a path.
  const keys = await problem(
    kind({ labels: { type: "object", additionalProperties: string } }, {
      labels: { type: "array", items: string },
    }, {
      toHub: ({ labels }) =>
        labels === undefined
          ? {}
          : { labels: Object.fromEntries((labels as string[]).map((it) => it.split("/"))) },
      fromHub: ({ labels }) =>
        labels === undefined
          ? {}
          : { labels: Object.entries(labels as Spec).map((it) => it.join("/")) },
    }),
  );
  assertStringIncludes(keys, "example.com/name");
  // An integer or a string becomes a string.
  const port = { port: { "x-kubernetes-int-or-string": true } };
  const texts = await problem(kind(port, { port: string }, {
    toHub: ({ port }) =>
      port === undefined ? {} : { port: isNaN(Number(port)) || port === "" ? port : Number(port) },
    fromHub: ({ port }) => port === undefined ? {} : { port: String(port) },
  }));
  assertStringIncludes(texts, '- spec.port: "1"\n+ spec.port: 1');
});

Deno.test("roundTrip() drops unknown fields and sets defaults between the conversions, as a server does", async () => {
  // The function keeps a field that the other version does not have.
  const kept = await problem(kind({ a: string }, { b: string }, same));
  assertStringIncludes(kept, "- spec.a: ");
  // The default of one version only appears when a client writes the object back.
  const more = await problem(kind({ a: integer }, { a: { ...integer, default: 5 } }, same));
  assertStringIncludes(more, "+ spec.a: 5");
});

Deno.test("roundTrip() converts only objects that the rules allow", async () => {
  const rules = [{ rule: "has(self.a) != has(self.b)" }];
  const swap: Functions = {
    toHub: ({ either }) => (either as string).startsWith("a") ? { a: either } : { b: either },
    fromHub: ({ a, b }) => ({ either: a ?? b }),
  };
  const options = { ...string, enum: ["a1", "a2"] };
  const spoke = {
    type: "object",
    properties: { either: { ...string, enum: ["a1", "a2", "b"] } },
    required: ["either"],
  };
  await roundTrip(kind({ a: options, b: { ...string, enum: ["b"] } }, {}, swap, {
    rules,
    versions: [{ name: "v1beta1", spec: spoke }],
  }));
});

Deno.test("roundTrip() shows labels and annotations that are lost, and an error of a conversion", async () => {
  const Widgets = defineResource({
    group: "acme.io",
    version: "v1",
    kind: "Widget",
    spec: { type: "object", properties: { a: integer } },
    versions: [{ name: "v1beta1", spec: { type: "object", properties: { a: integer } } }],
  } as never);
  const noLabels = conversion(Widgets, {
    v1beta1: {
      toHub: (object: object) => object,
      fromHub: ({ metadata, ...object }: { metadata: Spec }) => {
        const { labels: _, ...rest } = metadata;
        return { ...object, metadata: rest };
      },
    },
  } as never);
  assertStringIncludes(await problem(noLabels), '- metadata.labels.app: ""');
  const fails = kind({ a: integer }, { a: integer }, {
    ...same,
    toHub: (spec) => {
      if (Number(spec["a"]) > 50) throw new Error("a is too large\u001b[2J");
      return spec;
    },
  });
  const message = await problem(fails);
  assertStringIncludes(message, "cannot convert it: a is too large\\u001b[2J");
  assertStringIncludes(message, '"spec":{"a":51}');
  const nothing = kind({ a: integer }, { a: integer }, same);
  const convert = () => Promise.resolve(undefined as never);
  assertStringIncludes(
    await problem({ ...nothing, conversion: { ...nothing.conversion, convert } } as never),
    "cannot convert it: ",
  );
});

Deno.test("roundTrip() takes the definition of a kind that an interface describes", async () => {
  const Widgets = defineResource({
    group: "acme.io",
    version: "v1",
    plural: "widgets",
    kind: "Widget",
    namespaced: true,
  });
  const handler = conversion(
    Widgets,
    { v1beta1: { toHub: (it: object) => it, fromHub: (it: object) => it } } as never,
  );
  await assertRejects(
    () => roundTrip(handler),
    TypeError,
    "roundTrip() needs the schemas of Widget",
  );
  const schema = (name: string) => ({
    name,
    schema: {
      type: "object",
      properties: { spec: { type: "object", properties: { a: integer } } },
    },
  });
  await roundTrip(handler, { definition: widgets([schema("v1"), schema("v1beta1")]) });
  await assertRejects(
    () => roundTrip(handler, { definition: widgets([schema("v1"), schema("v2")]) }),
    TypeError,
    "widgets.acme.io has no schema of v1beta1: it has v1, v2",
  );
});

Deno.test("roundTrip() reports misuse, and a schema without objects", async () => {
  const handler = kind({ a: integer }, { a: integer }, same);
  const fails = (given: unknown, text: string, options?: unknown) =>
    assertRejects(() => roundTrip(given as never, options as never), Error, text);
  await fails(undefined, "roundTrip() takes the result of conversion(): received undefined");
  await fails({}, "roundTrip() takes the result of conversion(): received an object");
  await fails(handler, "runs must be", { runs: 0 });
  await fails(handler, 'has no option "seed"', { seed: 1 });
  await fails(
    kind({ a: integer }, { a: integer }, same, { rules: [{ rule: "false" }] }),
    "roundTrip() found no valid object of Widget v1, so it proves nothing",
  );
});

Deno.test("roundTrip() finds what is lost in a random schema, and throws nothing unclear", async () => {
  let [clean, lost] = [0, 0];
  await assertProperty(
    fc.asyncProperty(wholeSchema, fc.nat(), async (schema, n) => {
      const { spec } = schema["properties"] as { spec: { properties: Spec } };
      const names = Object.keys(spec.properties);
      const gone = n % 2 === 0 ? undefined : names[n % names.length]!;
      const handler = kind(spec.properties, spec.properties, {
        ...same,
        fromHub: (given) => {
          if (gone === undefined) return given;
          const { [gone]: _, ...rest } = given;
          return rest;
        },
      });
      const message = await problem(handler, { runs: 6 });
      if (message === "") clean++;
      else if (message.includes("found no valid object")) return;
      else {
        lost++;
        assert(gone !== undefined, message);
        assertStringIncludes(message, ` spec.${gone}`);
      }
    }),
    1000,
  );
  assert(clean > 0 && lost > 0);
});

Deno.test("roundTrip() converts each object there and back once, in two directions", async () => {
  let calls = 0;
  const counted = (spec: Spec) => {
    calls++;
    return spec;
  };
  await roundTrip(kind({ a: integer }, { a: integer }, { toHub: counted, fromHub: counted }), {
    runs: 70,
  });
  assertEquals(calls, 2 * 2 * 70);
});
