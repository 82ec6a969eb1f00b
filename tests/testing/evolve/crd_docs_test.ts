import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import fc from "fast-check";
import { z } from "zod";
import { assertProperty } from "../../support/seeded_runs.ts";
import {
  Client,
  CustomResourceDefinitions,
  defineResource,
  type KubeObject,
} from "../../../mod.ts";
import { readYaml } from "../../../src/yaml/mod.ts";
import { crdDocs } from "../../../src/testing/evolve/mod.ts";
import { ApiServer } from "../../../src/testing/mod.ts";
import { wholeSchema } from "../samples/_schemas.ts";
import { ofSpec, widgets, widgetsOf } from "./_definitions.ts";

const string = { type: "string" };
const integer = { type: "integer" };

/** Returns the cells of the row of a field. */
function rowOf(page: string, field: string): readonly string[] {
  const line = page.split("\n").find((one) => one.startsWith(`| \`${field}\` |`));
  return line?.split(" | ").map((cell) => cell.replace(/^\| | \|$/g, "")) ?? [];
}

Deno.test("crdDocs() describes fields, defaults and rules in words", async () => {
  const page = await crdDocs(widgetsOf({
    size: { ...integer, minimum: 1, maximum: 10, default: 3, description: "The size in bytes." },
    rate: { type: "number", minimum: 0, exclusiveMinimum: true, multipleOf: 0.5 },
    name: { ...string, minLength: 1, maxLength: 63, pattern: "^[a-z]+$" },
    mode: { ...string, enum: ["a", "b"], nullable: true },
    at: { ...string, format: "date-time" },
    tags: {
      type: "array",
      items: string,
      minItems: 1,
      maxItems: 1,
      "x-kubernetes-list-type": "set",
    },
    ports: {
      type: "array",
      items: { type: "object", properties: { port: integer }, required: ["port"] },
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["port"],
    },
    labels: { type: "object", additionalProperties: { ...string, maxLength: 5 }, maxProperties: 2 },
    any: { "x-kubernetes-int-or-string": true, anyOf: [integer, string] },
    source: {
      type: "object",
      properties: { url: string, secret: string },
      oneOf: [{ required: ["url"] }, { required: ["secret"] }],
      not: { required: ["url", "secret"] },
    },
    open: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
  }, {
    required: ["name"],
    "x-kubernetes-validations": [
      { rule: "self.size < 9", message: "too large" },
      { rule: "self.size != 7" },
    ],
  }));
  const rows = (field: string) => rowOf(page, field).slice(1);
  assertEquals(rows("spec.size"), ["integer", "`3`", "from 1 to 10", "The size in bytes."]);
  assertEquals(rows("spec.rate")[2], "more than 0<br>a multiple of 0.5");
  assertEquals(rows("spec.name")[2], "required<br>1 to 63 characters<br>matches `^[a-z]+$`");
  assertEquals(rows("spec.mode")[2], 'one of `"a"`, `"b"`<br>may be null');
  assertEquals(rows("spec.at")[2], "format date-time");
  assertEquals(rows("spec.tags"), ["list of string", "", "exactly 1 item<br>no item twice", ""]);
  assertEquals(rows("spec.ports"), ["list of object", "", "one item for each `port`", ""]);
  assertEquals(rows("spec.ports[].port"), ["integer", "", "required", ""]);
  assertEquals(rows("spec.labels"), [
    "map of string",
    "",
    "at most 2 fields<br>each value: at most 5 characters",
    "",
  ]);
  assertEquals(rows("spec.any"), ["integer or string", "", "", ""]);
  assertEquals(
    rows("spec.source")[2],
    "exactly one of: `url` is set; `secret` is set<br>not: `url` and `secret` are set",
  );
  assertEquals(rows("spec.open")[2], "may have other fields");
  assertEquals(rows("spec")[2], "too large (`self.size < 9`)<br>must hold: `self.size != 7`");
});

Deno.test("crdDocs() describes each served version of a resource", async () => {
  const page = await crdDocs(defineResource({
    group: "acme.io",
    version: "v1",
    kind: "Widget",
    shortNames: ["wd"],
    categories: ["all"],
    spec: z.object({ size: z.int() }),
    versions: [
      {
        name: "v1beta1",
        spec: z.object({ length: z.int() }),
        deprecated: true,
        deprecationWarning: "use v1",
      },
      { name: "v1alpha1", spec: z.object({ old: z.int() }), served: false },
    ],
  }));
  assert(page.startsWith(
    "# Widget\n\n`widgets.acme.io`, in a namespace. Short names: `wd`. Categories: `all`.\n\n## acme.io/v1\n",
  ));
  assertStringIncludes(page, "## acme.io/v1beta1\n\n**Deprecated.** use v1\n");
  const beta = { name: "v1beta1", schema: ofSpec({ a: string }) };
  const ordered = await crdDocs(widgets([beta, { ...beta, name: "v1" }]));
  assert(ordered.indexOf("## acme.io/v1\n") < ordered.indexOf("## acme.io/v1beta1\n"));
  assert(!page.includes("v1alpha1"));
  assertStringIncludes(
    page,
    "apiVersion: acme.io/v1beta1\nkind: Widget\nmetadata:\n  name: example\nspec:\n  length: ",
  );
});

Deno.test("crdDocs() shows an example with as many fields as are valid together", async () => {
  const page = await crdDocs(widgetsOf({
    a: string,
    b: string,
    size: integer,
    list: {
      type: "array",
      items: {
        type: "object",
        properties: { x: string, y: string },
        oneOf: [{ required: ["x"] }, { required: ["y"] }],
      },
    },
  }, { required: ["size"], "x-kubernetes-validations": [{ rule: "has(self.a) != has(self.b)" }] }));
  const [, example = ""] = /```yaml\n([^]*?)```/.exec(page) ?? [];
  const { spec } = await readYaml(example) as { spec: Record<string, unknown> };
  assertEquals(Object.keys(spec).filter((name) => ["a", "b"].includes(name)).length, 1);
  assertEquals(spec["size"], 1);
});

Deno.test("crdDocs() escapes hostile texts", async () => {
  const evil =
    "# a | b\n\n<script>alert(1)</script> `x` [y](javascript:z) *i* {q} &amp; \u001b[2J\u202e ```\n- item";
  const page = await crdDocs(widgets([{
    name: "v1",
    deprecated: true,
    // The server refuses other characters here.
    deprecationWarning: evil.replace(/[^ -~]+/g, " "),
    schema: {
      ...ofSpec({
        a: {
          ...string,
          description: evil,
          default: "```\n| # x",
          pattern: "^(?s:.*)$|`",
          enum: ["```\n| # x", "|"],
        },
        "<b>": string,
        "x | y": { type: "object", properties: { "`": string } },
        n: { type: "integer", description: "1. not a list" },
      }, {
        "x-kubernetes-validations": [{ rule: "self.a != '<|>'", message: "no | or\u2028<i>" }],
      }),
      description: evil,
    },
  }]));
  // Outside of code, nothing is left that Markdown, HTML, MDX or a terminal acts on.
  const outside = page.replace(/(`{3,})yaml\n[^]*?\n\1/g, "").replace(/`[^`\n]+`/g, "")
    .replace(/<\/?code>|<br>/g, "");
  assert(!/[<>{}]/.test(outside), outside);
  assert(!/(?<!\\)[`*[\]]/.test(outside.replace("**Deprecated.**", "")), outside);
  assert(!page.includes("\u001b") && !page.includes("\u202e") && !page.includes("\u2028"));
  const table = page.split("\n").filter((line) => line.startsWith("|"));
  assertEquals(new Set(table.map((line) => line.split("|").length)), new Set([7]));
  assertEquals(page.split("\n").filter((line) => /^#/.test(line)), ["# Widget", "## acme.io/v1"]);
  assertStringIncludes(page, "1\\. not a list");
  assertStringIncludes(page, "\n\\# a &#124; b &#60;script&#62;");
});

Deno.test("crdDocs() shows only examples that a server accepts, for random schemas", async () => {
  await assertProperty(
    fc.asyncProperty(wholeSchema, async (schema) => {
      const definition = widgets([{ name: "v1", schema }]);
      await using server = new ApiServer();
      await using client = new Client(server.clientOptions);
      const isValid = await client.create(CustomResourceDefinitions, definition).then(
        () => true,
        () => false,
      );
      if (!isValid) {
        await assertRejects(() => crdDocs(definition), Error, "A server refuses the definition: ");
        return;
      }
      const page = await crdDocs(definition);
      const [, , example] = /(`{3,})yaml\n([^]*?)\n\1/.exec(page) ?? [];
      if (example === undefined) return;
      const Widgets = defineResource<KubeObject>({
        group: "acme.io",
        version: "v1",
        plural: "widgets",
        kind: "Widget",
        namespaced: true,
      });
      await client.create(Widgets, await readYaml(example) as KubeObject, { namespace: "default" });
    }),
    60,
  );
});
