import { showJson } from "../base/mod.ts";
import type { StatusCause } from "../types/mod.ts";
import { isObject, type Json } from "./json.ts";

/** An invalid field of an object, in the form of the API server: a cause of a `Status`. */
export interface FieldError extends StatusCause {
  /** The path of the field, such as `spec.ports[0].name`. */
  field: string;
  /** The reason, such as `FieldValueInvalid`. */
  reason: string;
  /** The message, such as `Invalid value: 0: should be greater than or equal to 1`. */
  message: string;
}

/** Maximum length of a value in an error, in characters. */
const MAX_SHOWN = 200;

export function invalidValue(field: string, value: unknown, why: string): FieldError {
  return {
    field,
    reason: "FieldValueInvalid",
    message: `Invalid value: ${shown(value)}: ${why}`,
  };
}

/** Returns the error of a missing field, with the message of a schema library if there is one. */
export function requiredValue(field: string, why?: string): FieldError {
  const message = why === undefined ? "Required value" : `Required value: ${why}`;
  return { field, reason: "FieldValueRequired", message };
}

/** Returns the error of a value outside its enum. */
export function unsupportedValue(field: string, value: unknown, known: Json[]): FieldError {
  const list = known.map(showJson).join(", ");
  return {
    field,
    reason: "FieldValueNotSupported",
    message: `Unsupported value: ${shown(value)}: supported values: ${list}`,
  };
}

export function wrongType(field: string, value: Json, wanted: string): FieldError {
  const type = Array.isArray(value) ? "array" : value === null ? "null" : nameOf(value);
  return {
    field,
    reason: "FieldValueTypeInvalid",
    message: `Invalid value: ${JSON.stringify(type)}: must be of type ${wanted}`,
  };
}

function nameOf(value: Json): string {
  return typeof value === "bigint" ? "number" : typeof value;
}

/** Returns the path of a field of the object at `path`. */
export function fieldPath(path: string, name: PropertyKey): string {
  const text = String(name);
  if (/^[A-Za-z_$][\w$-]*$/.test(text)) return path === "" ? text : `${path}.${text}`;
  return `${path}[${text}]`;
}

function shown(value: unknown): string {
  if (isObject(value)) return "an object";
  if (Array.isArray(value)) return "an array";
  const text = showJson(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
