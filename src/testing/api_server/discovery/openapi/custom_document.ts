import type { ResourceInfo } from "../../kinds/mod.ts";
import type { Release } from "../../release/mod.ts";
import { SCHEMAS } from "../../schema/mod.ts";
import type { JsonObject } from "../../../values/mod.ts";
import { listSchema } from "./custom_fields.ts";
import { customPaths } from "./custom_paths.ts";
import { customSchema } from "./custom_schema.ts";
import { Definitions } from "./definitions.ts";
import { V3 } from "./dialect.ts";
import { customName } from "./names.ts";

/**
 * Returns the OpenAPI v3 document of a group version of custom resources. A real server makes one of each CRD and puts
 * them together; they share only the definitions of metadata with the documents of built-in kinds.
 */
export function customDocument(
  resources: readonly ResourceInfo[],
  release: Release,
): JsonObject {
  const paths: JsonObject = {};
  const definitions = new Definitions(V3, release);
  definitions.addMeta();
  for (const resource of resources) {
    const { kind, definition: { group, version, listKind } } = resource;
    const object = customName(group, version, kind.kind);
    const list = customName(group, version, listKind);
    Object.assign(paths, customPaths(resource, { object, list }));
    const selectable = selectableOf(resource);
    const own = (name: string) => [{ group, kind: name, version }];
    definitions.addOther(object, {
      ...customSchema(kind.custom!.openApi),
      "x-kubernetes-group-version-kind": own(kind.kind),
      ...selectable,
    });
    definitions.addOther(list, {
      ...listSchema(resource, object, V3),
      "x-kubernetes-group-version-kind": own(listKind),
      ...selectable,
    });
    if (kind.custom!.scale !== undefined) definitions.add(SCHEMAS.struct("autoscaling.Scale"));
  }
  return {
    openapi: "3.0.0",
    info: { title: "Kubernetes CRD Swagger", version: "v0.1.0" },
    paths: sorted(paths),
    components: { schemas: sorted(definitions.all) },
  };
}

function selectableOf({ kind }: ResourceInfo): JsonObject {
  const fields = kind.custom!.selectableFields;
  if (fields.length === 0) return {};
  const paths = fields.map((path) => ({ fieldPath: path.replace(/^\./, "") }));
  return { "x-kubernetes-selectable-fields": paths };
}

function sorted(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.keys(object).sort().map((key) => [key, object[key]!]));
}
