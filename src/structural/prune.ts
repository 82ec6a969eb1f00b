import { isObject, type Json, type JsonObject, setOwn } from "../values/mod.ts";
import type { Structural } from "./structural.ts";

/** The result of pruning. */
export interface Pruned {
  /** The object without the fields that the schema does not specify. */
  readonly object: JsonObject;
  /** The paths of the removed fields, in alphabetical order. */
  readonly unknown: readonly string[];
  /** Why the metadata of an embedded object cannot be read; undefined if all of it can. */
  readonly error: string | undefined;
}

/** The metadata of an embedded object, as it is kept. */
export interface PrunedMetadata {
  readonly metadata: Json;
  /** The names of the removed fields. */
  readonly unknown: readonly string[];
  /** Why it cannot be read; undefined if all of it can. */
  readonly error?: string | undefined;
}

/**
 * Removes the fields that the schema does not specify from a custom resource.
 *
 * Fields with null are removed, too, if they are not nullable and have no default. The metadata of the custom resource
 * itself is not pruned.
 *
 * @param ofMetadata Prunes the metadata of embedded objects. Default: it is kept unchanged.
 */
export function prune(
  object: JsonObject,
  schema: Structural,
  ofMetadata: (metadata: JsonObject) => PrunedMetadata = keepMetadata,
): Pruned {
  const unknown: Unknown = { fields: [], metadata: [], error: undefined, ofMetadata };
  const pruned = pruneObject(object, schema, "", true, unknown);
  // The metadata of embedded objects is looked at when the rest is done.
  const { fields, metadata, error } = unknown;
  return { object: pruned, unknown: [...fields.sort(), ...metadata.sort()], error };
}

/** The paths of fields that are not known: of the metadata of embedded objects, and of everything else. */
interface Unknown {
  readonly fields: string[];
  readonly metadata: string[];
  error: string | undefined;
  readonly ofMetadata: (metadata: JsonObject) => PrunedMetadata;
}

function keepMetadata(metadata: JsonObject): PrunedMetadata {
  return { metadata, unknown: [] };
}

/** Prunes a value. Without a schema, objects lose all fields. */
function pruneValue(
  value: Json,
  schema: Structural | undefined,
  path: string,
  unknown: Unknown,
): Json {
  if (Array.isArray(value)) {
    const items = schema?.items;
    if (items === undefined && schema?.preserveUnknown) return value;
    return value.map((item, index) => pruneValue(item, items, `${path}[${index}]`, unknown));
  }
  if (!isObject(value)) return value;
  if (schema !== undefined) return pruneObject(value, schema, path, false, unknown);
  unknown.fields.push(...Object.keys(value).map((key) => `${path}.${key}`));
  return {};
}

function pruneObject(
  object: JsonObject,
  schema: Structural,
  path: string,
  root: boolean,
  unknown: Unknown,
): JsonObject {
  const result: JsonObject = {};
  for (const key of Object.keys(object)) {
    const value = object[key] ?? null;
    const inner = path === "" ? key : `${path}.${key}`;
    if ((root || schema.embedded) && ["apiVersion", "kind", "metadata"].includes(key)) {
      setOwn(result, key, root ? value : pruneMetadata(key, value, inner, unknown));
      continue;
    }
    const own = schema.properties.get(key);
    if (own !== undefined) {
      if (value === null && !own.nullable && own.default === undefined) continue;
      setOwn(result, key, pruneValue(value, own, inner, unknown));
    } else if (schema.additional !== undefined) {
      const { additional } = schema;
      const fits = value !== null || additional === true || additional.nullable ||
        additional.default !== undefined;
      if (!fits) continue;
      const values = additional === true ? undefined : additional;
      setOwn(result, key, pruneValue(value, values, inner, unknown));
    } else if (schema.preserveUnknown) setOwn(result, key, value);
    else unknown.fields.push(inner);
  }
  return result;
}

/** Prunes the metadata of an embedded object. */
function pruneMetadata(key: string, value: Json, path: string, found: Unknown): Json {
  if (key !== "metadata" || !isObject(value)) return value;
  const { metadata, unknown, error } = found.ofMetadata(value);
  found.metadata.push(...unknown.map((name) => `${path}.${name}`));
  if (error !== undefined) found.error ??= `${path}: ${error}`;
  return metadata;
}
