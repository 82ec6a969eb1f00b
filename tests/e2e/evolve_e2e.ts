/**
 * Objects that are generated from schemas, counterexamples and examples, on a real server.
 *
 * @module
 */

import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import {
  type CustomResourceDefinition,
  defineResource,
  type KubeObject,
  type Resource,
} from "@kubeloop/controller";
import { crdDocs } from "@kubeloop/testing/evolve";
import { installDefinitions } from "../../src/operator/mod.ts";
import { compareDefinitions } from "../../src/testing/evolve/assert_compatible.ts";
import { ObjectGenerator } from "../../src/testing/samples/mod.ts";
import { SeededRandom } from "../../src/testing/mod.ts";
import { readYaml } from "../../src/yaml/mod.ts";
import { widgetsOf } from "../testing/evolve/_definitions.ts";
import { World } from "./world.ts";

/** The number of generated objects. */
const COUNT = 60;

const string = { type: "string" };
const integer = { type: "integer" };

const FIELDS = {
  size: { ...integer, minimum: 0, maximum: 1000 },
  ratio: { type: "number", multipleOf: 0.5 },
  code: { ...string, pattern: "^[A-Z]{2}-[0-9]{4}$" },
  name: { ...string, minLength: 1, maxLength: 63 },
  mode: { ...string, enum: ["Auto", "Manual"], default: "Auto" },
  note: { ...string, nullable: true },
  at: { ...string, format: "date-time" },
  address: { ...string, format: "ipv4" },
  port: { "x-kubernetes-int-or-string": true },
  labels: { type: "object", additionalProperties: string, maxProperties: 5 },
  zones: { type: "array", items: string, maxItems: 6, "x-kubernetes-list-type": "set" },
  ports: {
    type: "array",
    maxItems: 6,
    items: { type: "object", properties: { name: string, port: integer }, required: ["name"] },
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["name"],
  },
  source: {
    type: "object",
    properties: { url: string, secret: string },
    oneOf: [{ required: ["url"] }, { required: ["secret"] }],
  },
  any: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
  low: integer,
  high: integer,
};

const RULES = [{ rule: "has(self.low) == has(self.high)" }, {
  rule: "!has(self.low) || self.low <= self.high",
}];

function widgetsWith(
  change: object,
  rules: readonly object[] = RULES,
  more: object = {},
): CustomResourceDefinition {
  return widgetsOf({ ...FIELDS, ...change }, { "x-kubernetes-validations": rules, ...more });
}

/** Changes that refuse objects. */
const AFTER: readonly CustomResourceDefinition[] = [
  widgetsWith({ size: { ...integer, minimum: 0, maximum: 10 } }),
  widgetsWith({ code: { ...string, pattern: "^[A-M]{2}-[0-9]{4}$" } }),
  widgetsWith({ name: { ...string, minLength: 2, maxLength: 63 } }),
  widgetsWith({ mode: { ...string, enum: ["Auto"], default: "Auto" } }),
  widgetsWith({ at: { ...string, format: "date" } }),
  widgetsWith({ zones: { ...FIELDS.zones, maxItems: 2 } }),
  widgetsWith({ labels: { ...FIELDS.labels, maxProperties: 1 } }),
  widgetsWith({}, RULES, { required: ["size"] }),
  widgetsWith({}, [...RULES, {
    rule: "!has(self.high) || self.high < 4711",
    message: "high is too high",
  }]),
  widgetsWith({}, [...RULES, {
    rule: "!has(self.mode) || self.mode != 'Manual' || has(self.note)",
  }]),
];

Deno.test("a real kube-apiserver accepts generated objects and examples, and refuses counterexamples", async () => {
  await using world = await World.create();
  const { client, namespace } = world;
  const install = async (definition: CustomResourceDefinition, name: string): Promise<Resource> => {
    const group = `${name}.${namespace}.acme.io`;
    const given = structuredClone(definition) as unknown as {
      metadata: { name: string };
      spec: { group: string };
    };
    given.metadata.name = `widgets.${group}`;
    given.spec.group = group;
    await installDefinitions(client, [given as unknown as CustomResourceDefinition]);
    return defineResource({
      group,
      version: "v1",
      plural: "widgets",
      kind: "Widget",
      namespaced: true,
    });
  };
  let count = 0;
  const create = (resource: Resource, { apiVersion: _, metadata, ...object }: KubeObject) =>
    client.create(
      resource,
      { ...object, metadata: { ...metadata, name: `a-${count++}`, namespace } },
      { namespace },
    );
  const before = widgetsWith({});
  const Before = await install(before, "before");

  const schema = before.spec.versions[0]!.schema!.openAPIV3Schema as never;
  const type = { apiVersion: "acme.io/v1", kind: "Widget" };
  const options = { type, namespaced: true, random: new SeededRandom(7) };
  const generator = new ObjectGenerator(schema, options);
  for (let i = 0; i < COUNT; i++) await create(Before, generator.next() as unknown as KubeObject);

  const [, example = ""] = /```yaml\n([^]*?)```/.exec(await crdDocs(before)) ?? [];
  await create(Before, await readYaml(example) as KubeObject);

  for (const [index, after] of AFTER.entries()) {
    const { changes, counterexamples } = compareDefinitions(before, after);
    assert(changes.length > 0 && counterexamples.length > 0, `${index}`);
    const After = await install(after, `after-${index}`);
    for (const { error, object } of counterexamples) {
      await create(Before, object as unknown as KubeObject);
      const refusal = await assertRejects(
        () => create(After, object as unknown as KubeObject),
        Error,
      );
      assertStringIncludes(refusal.message, `${error.field}: ${error.message}`);
    }
  }
  assertEquals(count > COUNT, true);
});
