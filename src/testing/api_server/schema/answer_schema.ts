import type { Field, StructType } from "../../values/mod.ts";
import type { Schemas } from "./builtin.ts";

/**
 * Returns the schema of an object that a server answers with: one of a built-in kind, a Status, or the metadata of
 * other objects.
 *
 * @throws {RangeError} If it is of another kind.
 */
export function answerSchema(schemas: Schemas, apiVersion: string, kind: string): StructType {
  const [version = "", group = ""] = apiVersion.split("/").reverse();
  if (group === "meta.k8s.io") {
    if (kind === "PartialObjectMetadata") return partialObject(schemas);
    if (kind === "PartialObjectMetadataList") return partialList(schemas);
  }
  if (apiVersion === "v1" && kind === "Status") return schemas.struct("meta.Status");
  const schema = schemas.kind(group, version, kind);
  if (schema === undefined) throw new RangeError(`Unknown kind ${kind} of ${apiVersion}`);
  return schema;
}

function partialObject(schemas: Schemas): StructType {
  return structOf("PartialObjectMetadata", [member("metadata", schemas.struct("meta.ObjectMeta"))]);
}

function partialList(schemas: Schemas): StructType {
  const item = partialObject(schemas);
  const items: Field = {
    ...member("items", item),
    type: { kind: "list", item, listType: "atomic", keys: [] },
    numbers: [2],
  };
  const metadata = member("metadata", schemas.struct("meta.ListMeta"));
  return structOf("PartialObjectMetadataList", [metadata, items]);
}

function structOf(name: string, fields: readonly Field[]): StructType {
  return {
    kind: "struct",
    name,
    fields: new Map(fields.map((field) => [field.name, field])),
    atomic: false,
  };
}

function member(name: string, type: StructType): Field {
  return { name, type, presence: "always", numbers: [1], merge: false, retainKeys: false };
}
