import {
  child,
  type FieldError,
  getOwn,
  isObject,
  item,
  type Json,
  type JsonObject,
  notSupported,
  required,
  type StructType,
  type Type,
} from "../../values/mod.ts";

/** The parts of an object that have a validation of their own. */
const SKIPPED: ReadonlySet<string> = new Set(["metadata", "status"]);

/**
 * Returns the errors that follow from the schema of a kind: fields that must be given, and values of enums. It is the
 * validation of kinds for which nothing better is written.
 */
export function validateBySchema(object: JsonObject, schema: StructType): FieldError[] {
  return structErrors(object, schema, "");
}

function structErrors(value: JsonObject, type: StructType, path: string): FieldError[] {
  return [...type.fields.values()].flatMap((field) => {
    if (path === "" && SKIPPED.has(field.name)) return [];
    const own = getOwn(value, field.name);
    const at = path === "" ? field.name : child(path, field.name);
    if (isAbsent(own)) {
      return field.required === true && needsValue(field.type) ? [required(at)] : [];
    }
    return errorsOf(own!, field.type, at);
  });
}

function errorsOf(value: Json, type: Type, path: string): FieldError[] {
  switch (type.kind) {
    case "struct":
      return isObject(value) ? structErrors(value, type, path) : [];
    case "list":
      return Array.isArray(value)
        ? value.flatMap((one, index) => errorsOf(one, type.item, item(path, index)))
        : [];
    case "map":
      return isObject(value)
        ? Object.keys(value).flatMap((key) => errorsOf(value[key]!, type.value, item(path, key)))
        : [];
    case "scalar":
      return type.enum === undefined || type.enum.includes(String(value))
        ? []
        : [notSupported(path, value, type.enum)];
    case "any":
      return [];
  }
}

function isAbsent(value: Json | undefined): boolean {
  return value === undefined || value === null || value === "" ||
    (Array.isArray(value) && value.length === 0);
}

/**
 * Reports whether a required field must not be empty: numbers and booleans may be, and structs have fields themselves.
 */
function needsValue(type: Type): boolean {
  return type.kind === "list" || (type.kind === "scalar" && type.name === "string");
}
