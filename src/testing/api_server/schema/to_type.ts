import {
  ANY,
  type Field,
  getOwn,
  isNumber,
  isObject,
  type ListKey,
  type StructType,
  type Type,
} from "../../values/mod.ts";
import { SCHEMAS } from "./builtin.ts";
import type { Structural } from "../../structural/mod.ts";

/** Returns the type of a custom resource, which specifies how server-side apply merges its lists and objects. */
export function rootType(schema: Structural): StructType {
  const own = structType(schema);
  const string: Type = { kind: "scalar", name: "string" };
  const fields = new Map<string, Field>([
    ["apiVersion", field("apiVersion", string)],
    ["kind", field("kind", string)],
    ["metadata", field("metadata", SCHEMAS.struct("meta.ObjectMeta"))],
  ]);
  for (const [name, member] of own.fields) if (!fields.has(name)) fields.set(name, member);
  return { ...own, fields };
}

function field(name: string, type: Type): Field {
  return { name, type, presence: "given", merge: false, retainKeys: false };
}

function structType(schema: Structural): StructType {
  const fields = new Map<string, Field>();
  for (const [name, property] of schema.properties) fields.set(name, field(name, toType(property)));
  const additional = additionalType(schema);
  return {
    kind: "struct",
    name: "",
    fields,
    atomic: schema.atomicMap,
    ...(additional === undefined ? {} : { additional }),
  };
}

function additionalType(schema: Structural): Type | undefined {
  if (typeof schema.additional === "object") return toType(schema.additional);
  const open = schema.additional === true || schema.preserveUnknown || schema.embedded;
  return open ? ANY : undefined;
}

/** Reports whether an object may have any fields, as in OpenAPI: without properties, unless it says what others may be. */
function isFree({ properties, raw }: Structural): boolean {
  return properties.size === 0 && getOwn(raw, "additionalProperties") === undefined;
}

function toType(schema: Structural): Type {
  if (schema.intOrString) return { kind: "scalar", name: "intOrString" };
  switch (schema.type) {
    case "object":
      if (schema.properties.size === 0 && typeof schema.additional === "object") {
        return { kind: "map", value: toType(schema.additional), atomic: schema.atomicMap };
      }
      return isFree(schema) ? { ...structType(schema), additional: ANY } : structType(schema);
    case "array":
      return {
        kind: "list",
        item: schema.items === undefined ? ANY : toType(schema.items),
        listType: schema.listType,
        keys: schema.mapKeys.map((name) => listKey(name, schema.items)),
      };
    case "string":
      return { kind: "scalar", name: "string" };
    case "integer":
      return { kind: "scalar", name: "int64" };
    case "number":
      return { kind: "scalar", name: "float" };
    case "boolean":
      return { kind: "scalar", name: "bool" };
    default:
      return ANY;
  }
}

function listKey(name: string, items: Structural | undefined): ListKey {
  const standIn = items?.properties.get(name)?.raw;
  const value = isObject(standIn) ? getOwn(standIn, "default") : undefined;
  if (typeof value === "string" || isNumber(value) || typeof value === "boolean") {
    return { name, default: value };
  }
  return { name };
}
