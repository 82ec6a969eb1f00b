import { ANY, type Field, type Type } from "../../values/mod.ts";
import { StrategicPatchError } from "./strategic_patch_error.ts";

/** How a strategic merge patch merges one field. */
export interface PatchMetadata {
  /** The type of the field or, for a list, of its items. */
  readonly type: Type;
  /** Whether lists merge, and by which key; undefined if the list of the patch replaces the old one. */
  readonly merge: boolean;
  /** The item field that identifies an item. */
  readonly mergeKey: string | undefined;
  /** Whether the object of the patch replaces the old one. */
  readonly replace: boolean;
}

/** A value without a schema merges freely. */
const FREE: PatchMetadata = { type: ANY, merge: false, mergeKey: undefined, replace: false };

/** The Go kinds of types that have no fields, for error messages. */
function goKind(type: Type): string {
  switch (type.kind) {
    case "list":
      return "slice";
    case "map":
      return "map";
    case "scalar":
      return type.name === "intOrString" ? "struct" : type.name === "bytes" ? "slice" : type.name;
    default:
      return "struct";
  }
}

/**
 * Returns how the field `key` of a struct merges. Like the JSON decoder, it ignores the case of the name if no field
 * has that very name.
 *
 * @throws {StrategicPatchError} If the type has no such field.
 */
export function fieldMetadata(type: Type, key: string): PatchMetadata {
  if (type.kind === "any") return FREE;
  if (type.kind !== "struct") {
    throw new StrategicPatchError(
      `merging an object in json but data type is not struct, instead is: ${goKind(type)}`,
    );
  }
  const field = type.fields.get(key) ?? foldedField(type.fields, key);
  if (field === undefined) {
    throw new StrategicPatchError(
      `unable to find api field in struct ${type.name} for the json field ${JSON.stringify(key)}`,
    );
  }
  const { merge, mergeKey, replace = false } = field;
  return { type: field.type, merge, mergeKey, replace };
}

/**
 * Returns how the list `key` of a struct merges, with the type of its items.
 *
 * @throws {StrategicPatchError} If the type has no such field, or if the field is not a list.
 */
export function listMetadata(type: Type, key: string): PatchMetadata {
  const field = fieldMetadata(type, key);
  if (field.type.kind === "list") {
    if (field.type.item.kind === "list") throw new StrategicPatchError("unexpected slice of slice");
    return { ...field, type: field.type.item };
  }
  if (field.type.kind === "any" || goKind(field.type) === "slice") return field;
  throw new StrategicPatchError(`expected slice or array type, but got: ${goKind(type)}`);
}

function foldedField(fields: ReadonlyMap<string, Field>, key: string): Field | undefined {
  const folded = key.toLowerCase();
  return [...fields.values()].find(({ name }) => name.toLowerCase() === folded);
}
