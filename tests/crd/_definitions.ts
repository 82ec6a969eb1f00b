/**
 * The shared fixture of the tests of schemas.
 *
 * @module
 */

import { z } from "zod";
import { crd } from "../../src/crd/mod.ts";
import {
  type DefinedResource,
  defineResource,
  type JSONSchemaProps,
  type KubeObject,
  type Schema,
} from "../../src/types/mod.ts";

/** The interface of a widget. */
export interface Widget extends KubeObject {
  spec: { size: number; image: string };
  status?: { ready?: number | undefined };
}

/** A custom resource with two versions. */
export const Widgets: DefinedResource<Widget> = defineResource({
  group: "acme.io",
  version: "v1",
  kind: "Widget",
  spec: z.object({ size: z.int().min(1).default(1), image: z.string() }),
  status: z.object({ ready: z.int().optional() }),
  rules: [{ rule: "self.size >= oldSelf.size", message: "size cannot shrink" }],
  shortNames: ["wd"],
  columns: [{ name: "Size", type: "integer", jsonPath: ".spec.size", priority: 0 }],
  scale: { specReplicasPath: ".spec.size", statusReplicasPath: ".status.ready" },
  versions: [{
    name: "v1beta1",
    deprecated: true,
    deprecationWarning: "use v1",
    spec: { type: "object", properties: { count: { type: "integer" } } },
  }],
}) as DefinedResource<Widget>;

/** Returns the structural schema of one field `f` with this schema. */
export function specOf(schema: unknown): JSONSchemaProps {
  const spec = isZod(schema)
    ? z.object({ f: schema })
    : { type: "object", properties: { f: schema } };
  return fieldsOf(spec as Schema)["f"]!;
}

/** Returns the structural schemas of the fields of a spec. */
export function fieldsOf(spec: unknown): Record<string, JSONSchemaProps> {
  const resource = defineResource({
    group: "acme.io",
    version: "v1",
    kind: "Widget",
    spec: spec as Schema,
  });
  return crd(resource).spec.versions[0]!.schema!.openAPIV3Schema!.properties!["spec"]!.properties!;
}

/** Returns the message of the TypeError of `run`. */
export function errorOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof TypeError) return error.message;
    throw error;
  }
  throw new Error("It did not fail");
}

function isZod(schema: unknown): schema is z.ZodType {
  return typeof schema === "object" && schema !== null && "_zod" in schema;
}
