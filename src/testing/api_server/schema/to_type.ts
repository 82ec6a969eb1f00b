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
import type { Structural } from "@kubeloop/controller/internal/structural";

/** Returns the type of a custom resource, which specifies how server-side apply merges its lists and objects. */
export function rootType(schema: Structural): StructType {
  return withHead(structType(schema, false));
}

/** Adds the fields that every object has to the type of an object. */
function withHead(own: StructType): StructType {
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

/** Whether an object may have unknown fields: its schema keeps them, or that of an object above it does. */
function isOpen(schema: Structural, above: boolean): boolean {
  return above || schema.preserveUnknown;
}

function structType(schema: Structural, above: boolean): StructType {
  const open = isOpen(schema, above);
  const fields = new Map<string, Field>();
  for (const [name, property] of schema.properties) {
    fields.set(name, field(name, toType(property, open)));
  }
  const additional = additionalType(schema, open);
  const type: StructType = {
    kind: "struct",
    name: "",
    fields,
    atomic: schema.atomicMap,
    ...(additional === undefined ? {} : { additional }),
  };
  return schema.embedded ? withHead(type) : type;
}

function additionalType(schema: Structural, open: boolean): Type | undefined {
  if (typeof schema.additional === "object") return toType(schema.additional, open);
  return schema.additional === true || open ? ANY : undefined;
}

/** Reports whether an object may have any fields, as in OpenAPI: without properties, unless it says what others may be. */
function isFree({ properties, raw }: Structural): boolean {
  return properties.size === 0 && getOwn(raw, "additionalProperties") === undefined;
}

function toType(schema: Structural, above: boolean): Type {
  const open = isOpen(schema, above);
  if (schema.intOrString) return { kind: "scalar", name: "intOrString" };
  switch (schema.type) {
    case "object":
      if (schema.properties.size === 0 && typeof schema.additional === "object") {
        return { kind: "map", value: toType(schema.additional, open), atomic: schema.atomicMap };
      }
      return isFree(schema)
        ? { ...structType(schema, above), additional: ANY }
        : structType(schema, above);
    case "array":
      return {
        kind: "list",
        item: schema.items === undefined ? ANY : toType(schema.items, open),
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
