import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { parse } from "@std/yaml/parse";
import { silentLogger } from "@kubeloop/controller/base";
import { Client } from "@kubeloop/controller/client";
import {
  type CustomResourceDefinition,
  CustomResourceDefinitions,
} from "@kubeloop/controller/types";
import { ApiServer, VirtualClock } from "@kubeloop/testing";
import { type GivenDefinition, typesOf } from "../../../src/kubectl/cli/types/mod.ts";
import { type Widget, Widgets, WidgetsV1beta1 } from "./generated/widgets.ts";
import { slowTest } from "../../support/kinds_of_tests.ts";

const CRD = parse(
  await Deno.readTextFile(new URL("widgets_crd.yaml", import.meta.url)),
) as CustomResourceDefinition;

type Schema = Record<string, unknown>;

/** Returns a definition whose only version has this schema of the spec. */
function definition(spec: unknown, names: object = {}, version: object = {}): GivenDefinition {
  const object = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "things.acme.io" },
    spec: {
      group: "acme.io",
      scope: "Namespaced",
      names: { plural: "things", kind: "Thing", ...names },
      versions: [{
        name: "v1",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: "object", properties: { spec } } },
        ...version,
      }],
    },
  };
  return { where: "a.yaml, document 1 (things.acme.io)", object };
}

function object(properties: object, more: Schema = {}): Schema {
  return { type: "object", properties, ...more };
}

const TEXT = { type: "string" };

/** Returns the body of the interface of the spec. */
function specOf(properties: Schema, more: Schema = {}): string {
  return interfaceOf(typesOf([definition(object(properties, more))]).text, "ThingSpec");
}

function interfaceOf(text: string, name: string): string {
  const head = `export interface ${name} `;
  const start = text.indexOf(head);
  assert(start >= 0, `no ${name} in ${text}`);
  return text.slice(text.indexOf("{", start) + 2, text.indexOf("\n}", start));
}

/** Runs `deno` on a module beside the configuration of the strictest compiler. */
async function deno(args: readonly string[], text: string): Promise<void> {
  const cwd = await Deno.makeTempDir({ prefix: "kubeloop-types-" });
  try {
    const types = new URL("../../../src/types/mod.ts", import.meta.url).href;
    const compilerOptions = Object.fromEntries([
      "strict",
      "erasableSyntaxOnly",
      "exactOptionalPropertyTypes",
      "isolatedDeclarations",
      "noImplicitOverride",
      "noUncheckedIndexedAccess",
      "noUnusedLocals",
      "noUnusedParameters",
      "verbatimModuleSyntax",
    ].map((name) => [name, true]));
    const config = {
      imports: { "@kubeloop/controller/types": types },
      compilerOptions,
      lint: { rules: { tags: ["recommended", "jsr"] } },
    };
    await Deno.writeTextFile(`${cwd}/deno.json`, JSON.stringify(config));
    await Deno.writeTextFile(`${cwd}/types.ts`, text);
    const { success, stderr, stdout } = await new Deno.Command(Deno.execPath(), {
      args: [...args, "types.ts"],
      cwd,
      env: { NO_COLOR: "1" },
    }).output();
    const decoder = new TextDecoder();
    assert(success, `${args}: ${decoder.decode(stdout)}${decoder.decode(stderr)}\n${text}`);
  } finally {
    await Deno.remove(cwd, { recursive: true });
  }
}

Deno.test("typesOf() prints the module that is kept beside this test", async () => {
  const { text, notes } = typesOf([{ where: "widgets_crd.yaml", object: CRD }]);
  assertEquals(
    text,
    await Deno.readTextFile(new URL("generated/widgets.ts", import.meta.url)),
    "generate it again: deno run --allow-read src/kubectl/cli/main.ts types tests/kubectl/cli/widgets_crd.yaml > tests/kubectl/cli/generated/widgets.ts",
  );
  assertEquals(notes, []);
});

Deno.test("objects of the generated interfaces are accepted by an API server with the definition", async () => {
  const clock = new VirtualClock();
  await using server = new ApiServer({ clock });
  await using client = new Client({ ...server.clientOptions, logger: silentLogger });
  await clock.run(client.create(CustomResourceDefinitions, CRD));
  await clock.advance(1000);
  const widget: Widget = {
    metadata: { name: "all", namespace: "default" },
    spec: {
      size: 1,
      mode: "NeverUnlessAsked",
      maxUnavailable: "10%",
      owner: null,
      labels: { a: "b" },
      ports: [{ number: 80 }, { number: 53, protocol: "UDP" }],
      backups: { daily: { ports: [1, 2] } },
      template: { metadata: { c: "d" }, matrix: [[1], [2, 3]] },
      settings: { deep: { er: 1 } },
      anything: [1, "two"],
      marker: {},
      manifest: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "x" }, data: { e: "f" } },
      "x-quoted": true,
      class: "first",
    },
  };
  const created = await clock.run(client.create(Widgets, widget));
  // Nothing is lost, and the server has set the defaults.
  assertEquals(created.spec, {
    ...widget.spec,
    color: "red",
    ports: [{ number: 80, protocol: "TCP" }, { number: 53, protocol: "UDP" }],
  });
  const status = { phase: "Ready", ports: [{ number: 80, protocol: "TCP" as const }] };
  const updated = await clock.run(
    client.update(Widgets, { ...created, status }, { subresource: "status" }),
  );
  assertEquals(updated.status, status);
  const old = await clock.run(client.get(WidgetsV1beta1, "all", { namespace: "default" }));
  assertEquals(old.spec?.size, 1);
  // The server refuses the same objects as the compiler.
  const wrong = {
    metadata: { name: "wrong", namespace: "default" },
    // @ts-expect-error: `size` is missing, and there is no such color.
    spec: { ports: [], color: "pink" },
  } satisfies Widget;
  const refused = await clock.run(client.create(Widgets, wrong as never).catch(String));
  assertStringIncludes(String(refused), "spec.size: Required value");
  assertStringIncludes(String(refused), 'Unsupported value: "pink"');
});

slowTest(
  "typesOf() prints what the strictest compiler, the formatter and the linter accept",
  async () => {
    const evil: Schema = object(
      {
        ...JSON.parse('{ "__proto__": { "type": "string" }, "constructor": { "type": "object" } }'),
        "new": TEXT,
        get: TEXT,
        readonly: TEXT,
        "with blank": TEXT,
        "123": TEXT,
        "": object({ a: TEXT }),
        "日本": object({ a: TEXT }),
        "quote\"s'": TEXT,
        "*/ export const x = 1; /*": object({ b: TEXT }),
        "line\nbreak": TEXT,
        end: { type: "string", description: "*/ export const evil = 1; /*" },
        tag: { type: "string", description: "@ts-expect-error" },
        tags: { type: "string", description: "a\n@ts-ignore\n\n  @deprecated no" },
        bidi: { type: "string", description: "\u202eevil\u2028\u00a0\u0007" },
        long: { type: "string", description: `${"word ".repeat(40)}\n\n${"x".repeat(200)}` },
        code: { type: "string", description: "See:\n```yaml\na:\n  b: 1 # */\n```\n1. x\n2) y" },
        // The names of the types would be equal.
        "a-b": object({ c: TEXT }),
        aB: object({ d: TEXT }),
        enum: { type: "string", enum: ["it's", 'a "b"', "\\", "", "\n", "a".repeat(90)] },
        one: { type: "string", enum: ["b".repeat(90)] },
        numbers: { type: "integer", enum: [1, -2, 1e21], nullable: true },
        nothing: { type: "string", enum: [null], nullable: true },
        mixed: { enum: ["x", 1, true, null] },
        listOfOptional: { type: "array", items: object({ f: TEXT }, { nullable: true }) },
        maps: {
          type: "object",
          additionalProperties: { type: "array", items: { type: "string", enum: ["u", "v"] } },
        },
        reallyLongNameThatGoesOnAndOnAndOn: {
          type: "object",
          additionalProperties: object({ g: TEXT }),
        },
        anotherReallyLongNameThatGoesOnAndOnAndOnAndOn: object({ h: TEXT }, { nullable: true }),
        both: object({ i: TEXT }, { "x-kubernetes-preserve-unknown-fields": true }),
        bothMore: object({ j: TEXT }, { additionalProperties: TEXT }),
      },
      { required: ["toString", "new"] },
    );
    const deep = (levels: number): Schema =>
      levels === 0 ? object({ leaf: TEXT }) : object({ aRatherLongFieldName: deep(levels - 1) });
    const { text } = typesOf([
      definition(evil),
      definition(deep(12), { kind: "Record", plural: "records" }),
      definition(object({}), { kind: "Resource", plural: "resources" }),
      definition({ type: "object" }, { kind: "Endpoints", plural: "endpoints" }),
      definition(TEXT, { kind: "AKindWithAnExtraordinarilyLongName", plural: "longnames" }),
      definition(TEXT, { kind: "CertificateRequest", plural: "certificaterequests" }),
      definition(deep(1), { kind: "CertificateRequests", plural: "more" }),
      definition(TEXT, { kind: "Empty", plural: "empties" }, {
        schema: { openAPIV3Schema: { type: "object" } },
      }),
      definition(TEXT, { kind: "Open", plural: "opens" }, {
        schema: {
          openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
        },
      }),
    ]);
    await Promise.all([
      deno(["check"], text),
      deno(["fmt", "--check"], text),
      deno(["lint"], text),
    ]);
    assert(!text.includes("evil = 1; /*\n"), text);
    assertStringIncludes(text, "*\\/ export const evil");
    assert(!text.includes("\u202e"));
  },
);

Deno.test("typesOf() gives each keyword its type", () => {
  const cases: [Schema, string][] = [
    [TEXT, "string"],
    [{ type: "integer", format: "int64" }, "number"],
    [{ type: "boolean" }, "boolean"],
    [{ type: "number", nullable: true }, "number | null"],
    [{ "x-kubernetes-int-or-string": true }, "number | string"],
    [{ "x-kubernetes-int-or-string": true, nullable: true }, "number | string | null"],
    [{ type: "array", items: { "x-kubernetes-int-or-string": true } }, "(number | string)[]"],
    [{ type: "array" }, "unknown[]"],
    [{ type: "string", enum: ["a", "b", "a"] }, '"a" | "b"'],
    [{ allOf: [{ enum: ["a", "b"] }, { enum: ["b", "c"] }], type: "string" }, '"b"'],
    [{ type: "string", enum: ["a", null], nullable: true }, '"a" | null'],
    [{ "x-kubernetes-preserve-unknown-fields": true }, "unknown"],
    [{ "x-kubernetes-preserve-unknown-fields": true, nullable: true }, "unknown"],
    [{ type: "object", "x-kubernetes-preserve-unknown-fields": true }, "Record<string, unknown>"],
    [{ type: "object" }, "Record<string, never>"],
    [{ type: "object", additionalProperties: true }, "Record<string, unknown>"],
    [{ type: "object", additionalProperties: {} }, "Record<string, unknown>"],
    [{ type: "object", additionalProperties: false }, "Record<string, never>"],
    [{ type: "object", additionalProperties: { type: "integer" } }, "Record<string, number>"],
    [{ properties: { b: TEXT } }, "ThingSpecA"],
    [{ type: "array", items: object({ b: TEXT }) }, "ThingSpecA[]"],
  ];
  for (const [schema, expected] of cases) {
    assertEquals(specOf({ a: schema }), `  a?: ${expected};`, JSON.stringify(schema));
  }
  assertEquals(specOf({ a: TEXT, b: TEXT }, { required: ["b"] }), "  a?: string;\n  b: string;");
  const defaulted = { type: "object", default: { x: 1 }, description: "About it." };
  assertEquals(
    specOf({ a: defaulted }),
    '  /**\n   * About it.\n   *\n   * Default `{"x":1}`.\n   */\n  a?: Record<string, never>;',
  );
});

Deno.test("typesOf() declares equal types of one name once, and others by their path", () => {
  const selector = object({ matchLabels: { type: "object", additionalProperties: TEXT } });
  const { text } = typesOf([definition(object({
    first: object({ selector, ref: object({ name: TEXT }) }),
    second: object({ selector, ref: object({ name: TEXT, key: TEXT }) }),
    secretRef: object({ name: TEXT }),
    policies: { type: "array", items: object({ x: TEXT }) },
    matches: { type: "array", items: object({ y: TEXT }) },
    dns: { type: "array", items: object({ z: TEXT }) },
  }))]);
  const declared = [...text.matchAll(/^export interface (\w+)/gm)].map(([, name]) => name);
  assertEquals(declared, [
    "Thing",
    "ThingSpec",
    "ThingSpecFirst",
    "ThingSpecFirstSelector",
    "ThingSpecFirstRef",
    "ThingSpecSecond",
    "ThingSpecSecondRef",
    "ThingSpecSecretRef",
    "ThingSpecPolicy",
    "ThingSpecMatch",
    "ThingSpecDns",
  ]);
  assertStringIncludes(interfaceOf(text, "ThingSpecSecond"), "selector?: ThingSpecFirstSelector;");
});

slowTest(
  "typesOf() takes no longer for names that are equal, defaults that are huge and enums that are long",
  () => {
    const many = Array.from(
      { length: 20_000 },
      (
        _,
        i,
      ) => [
        `a${"-".repeat(i % 200)}${"_".repeat(i / 200)}b`,
        object({ x: { type: "string", default: i } }),
      ],
    );
    let bomb: unknown = ["x"];
    for (let i = 0; i < 60; i++) bomb = [bomb, bomb];
    const values = Array.from({ length: 50_000 }, (_, i) => `v${i}`);
    const { text } = typesOf([definition(object({
      ...Object.fromEntries(many),
      bomb: { type: "object", default: bomb },
      long: { type: "string", enum: values, allOf: [{ enum: values.toReversed() }] },
    }))]);
    assert(text.includes("export interface ThingSpecAB19999 {"));
    assert(text.includes("  bomb?: Record<string, never>;"));
  },
);

Deno.test("typesOf() prints an embedded object with its own fields", () => {
  const embedded = { "x-kubernetes-embedded-resource": true };
  const text = typesOf([definition(object({
    a: object({ kind: TEXT, metadata: { type: "object" }, spec: TEXT }, embedded),
  }))]).text;
  assertStringIncludes(
    text,
    "export interface ThingSpecA extends KubeObject {\n  apiVersion: string;\n  kind: string;\n  spec?: string;\n}",
  );
});

Deno.test("typesOf() gives the plain names to the version that Kubernetes prefers", () => {
  const versions = ["v1alpha1", "v1beta2", "v10", "v2", "v1beta10", "foo"].map((name) => ({
    name,
    served: name !== "v2",
    storage: name === "v1alpha1",
    schema: { openAPIV3Schema: object({ spec: TEXT }) },
  }));
  const given = definition(TEXT);
  (given.object as { spec: Schema }).spec["versions"] = versions;
  const { text } = typesOf([given]);
  assertEquals([...text.matchAll(/^export const (\w+)/gm)].map(([, name]) => name), [
    "Things",
    "ThingsV1beta10",
    "ThingsV1beta2",
    "ThingsV1alpha1",
    "ThingsFoo",
  ]);
  assertStringIncludes(text, 'version: "v10",');
});

Deno.test("typesOf() tells kinds of one name apart by their groups", () => {
  const other = definition(TEXT);
  (other.object as { spec: Schema }).spec["group"] = "other.dev";
  const { text } = typesOf([definition(TEXT), other]);
  assertEquals([...text.matchAll(/^export \w+ (\w+)/gm)].map(([, name]) => name), [
    "ThingAcmeIo",
    "ThingsAcmeIo",
    "ThingOtherDev",
    "ThingsOtherDev",
  ]);
});

Deno.test("typesOf() leaves out a definition that serves no version, and says so", () => {
  const unserved = definition(TEXT, {}, { served: false });
  const { text, notes } = typesOf([
    unserved,
    definition(TEXT, { kind: "Other", plural: "others" }),
  ]);
  const note = "things.acme.io is left out: none of its versions is served";
  assertEquals(notes, [note]);
  assert(!text.includes("hing"));
  assertThrows(() => typesOf([unserved]), TypeError, `There is nothing to print: ${note}`);
});

Deno.test("typesOf() reports what is wrong, where, and what to do", () => {
  const deep = (levels: number): Schema => levels === 0 ? TEXT : object({ a: deep(levels - 1) });
  const loop: { items?: unknown; type: string } = { type: "array" };
  loop.items = loop;
  let bomb: Schema = object({ x: TEXT });
  for (let i = 0; i < 30; i++) bomb = object({ a: bomb, b: bomb });
  const without = (path: string[]): GivenDefinition => {
    const given = structuredClone(definition(TEXT));
    let at = given.object as Record<string, Schema>;
    for (const key of path.slice(0, -1)) at = at[key] as Record<string, Schema>;
    delete at[path.at(-1) ?? ""];
    return given;
  };
  const spec = "spec.versions[0].schema.openAPIV3Schema.properties.spec";
  const cases: [GivenDefinition, string][] = [
    [definition([]), `${spec}: found a list, expected a schema: a mapping`],
    [definition({ type: "strin" }), `${spec}.type: found "strin", expected "array", "boolean"`],
    [definition({ type: ["string"] }), `${spec}.type: found a list, expected`],
    [definition({ $ref: "#/x" }), `${spec}.$ref`.replace(".$ref", '["$ref"]')],
    [definition({ type: "array", items: [TEXT] }), `${spec}.items: found a list`],
    [definition({ type: "object", properties: [] }), `${spec}.properties: found a list`],
    [definition({ type: "object", required: "a" }), `${spec}.required: found "a", expected a list`],
    [definition(object({ "a b": 1 })), `${spec}.properties["a b"]: found 1, expected a schema`],
    [definition(deep(200)), "more than 100 levels deep: flatten it"],
    [definition(loop), "more than 100 levels deep"],
    [definition(bomb), "more than 200000 schemas (aliases"],
    [definition(TEXT, { kind: "" }), 'spec.names.kind: found "", expected letters'],
    [definition(TEXT, { plural: undefined }), "spec.names.plural: found nothing, expected a name"],
    [definition(TEXT, {}, { name: "v1/x" }), 'spec.versions[0].name: found "v1/x"'],
    [
      definition(TEXT, {}, { schema: {} }),
      "schema.openAPIV3Schema: the version has no schema: add",
    ],
    [
      definition(TEXT, {}, { schema: { openAPIV3Schema: { type: "array" } } }),
      'openAPIV3Schema.type: found "array", expected "object"',
    ],
    [without(["spec", "group"]), "spec.group: found nothing, expected a domain, as in acme.io"],
    [without(["spec", "scope"]), 'spec.scope: found nothing, expected "Namespaced" or "Cluster"'],
    [without(["spec", "versions"]), "spec.versions: found nothing, expected a list"],
    [without(["spec"]), "spec: found nothing"],
    [without(["apiVersion"]), 'apiVersion: found nothing, expected "apiextensions.k8s.io/v1"'],
    [
      { where: "b.yaml, document 3", object: null },
      "Cannot make types of b.yaml, document 3: found null",
    ],
  ];
  for (const [given, message] of cases) {
    const error = assertThrows(() => typesOf([given]), TypeError);
    assertStringIncludes(error.message, message);
    assertStringIncludes(error.message, `Cannot make types of ${given.where}: `);
  }
  assertThrows(
    () => typesOf([definition(TEXT), definition(TEXT)]),
    TypeError,
    "things.acme.io is defined already by a.yaml, document 1 (things.acme.io): give it once",
  );
});

Deno.test("typesOf() takes versions and kinds with a hyphen, as the API server does", () => {
  const given = structuredClone(definition(TEXT, { kind: "Big-Thing" }));
  const { spec } = given.object as { spec: { versions: Record<string, unknown>[] } };
  spec.versions.push({ ...spec.versions[0], name: "v1-2-0" });
  const { text } = typesOf([given]);
  assertEquals([...text.matchAll(/^export \w+ (\w+)/gm)].map(([, name]) => name), [
    "BigThing",
    "Things",
    "BigThingV120",
    "ThingsV120",
  ]);
  assertStringIncludes(text, 'version: "v1-2-0",');
  assertStringIncludes(text, 'kind: "Big-Thing",');
});

Deno.test("typesOf() takes a schema whose root has no type", () => {
  for (const type of [undefined, "", null]) {
    const schema = { openAPIV3Schema: { type, properties: { spec: object({ a: TEXT }) } } };
    assertStringIncludes(typesOf([definition(TEXT, {}, { schema })]).text, "spec?: ThingSpec;");
  }
});

Deno.test("typesOf() leaves out keywords that are null", () => {
  const nulls = {
    properties: null,
    required: null,
    items: null,
    additionalProperties: null,
    enum: null,
    allOf: null,
    nullable: null,
    default: null,
    description: null,
    "x-kubernetes-int-or-string": null,
    "x-kubernetes-preserve-unknown-fields": null,
  };
  const fields = {
    a: { type: "object", ...nulls },
    b: { type: "string", ...nulls },
    c: { ...nulls, type: null },
    d: { type: "array", ...nulls },
  };
  const { text } = typesOf([definition({ ...nulls, type: "object", properties: fields })]);
  for (
    const line of ["a?: Record<string, never>;", "b?: string;", "c?: unknown;", "d?: unknown[];"]
  ) {
    assertStringIncludes(text, `  ${line}\n`);
  }
  const root = { ...nulls, type: "object" };
  assertStringIncludes(
    typesOf([definition(TEXT, {}, { schema: { openAPIV3Schema: root } })]).text,
    "export type Thing = KubeObject;",
  );
});
