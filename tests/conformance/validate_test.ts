import { assertEquals } from "@std/assert";
import { validate } from "../../src/crd/mod.ts";
import {
  type CustomResourceDefinition,
  defineResource,
  type JSONSchemaProps,
  type Resource,
  type Schema,
} from "../../src/types/mod.ts";
import { readRecording } from "./recording.ts";
import type { Answer, Call } from "./sets/caller.ts";
import { playExpressions } from "./sets/play_expressions.ts";

Deno.test("validate() answers all recorded expressions as the real server does", async () => {
  const recorded = await readRecording("expressions", "1.37");
  const refused = new Map(recorded.map(({ id, causes }) => [id, causes as readonly string[]]));
  const resources = new Map<string, Resource>();
  /** Takes and refuses definitions as the real server did. */
  const define = ({ spec }: CustomResourceDefinition): Answer => {
    const [version] = spec.versions;
    const schema = version!.schema!.openAPIV3Schema!.properties!["spec"] as JSONSchemaProps;
    const { rule, messageExpression } = schema["x-kubernetes-validations"]![0]!;
    const resource = defineResource({
      group: spec.group,
      version: version!.name,
      kind: spec.names.kind,
      spec: schema as Schema,
    });
    resources.set(`/apis/${spec.group}/${version!.name}/${spec.names.plural}`, resource);
    const id = messageExpression === undefined
      ? rule
      : `message of ${/\[(.*)\]\)$/s.exec(messageExpression)![1]}`;
    const [code = "201", ...causes] = refused.get(id) ?? [];
    return { code: Number(code), warning: null, text: causes.join("\n") };
  };
  const call: Call = async (_method, path, body) => {
    const resource = resources.get(path.replace(/\?.*$/, ""));
    if (resource === undefined) return define(body as CustomResourceDefinition);
    const causes = await validate(resource, body);
    const text = JSON.stringify({ details: { causes } });
    return { code: causes.length === 0 ? 201 : 422, warning: null, text };
  };
  const played = await playExpressions(call, () => Promise.resolve());
  const ofObjects = ({ id }: { readonly id: string }) => id.startsWith("object ");
  const found = played.filter(ofObjects);
  assertEquals(found.length, 23);
  assertEquals(found, recorded.filter(ofObjects));
});
