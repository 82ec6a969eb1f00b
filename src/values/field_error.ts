import { type Json, quote } from "./json.ts";
import { encodeJson } from "./encode.ts";

/** A validation error of one field: a cause of a 422 response. */
export interface FieldError {
  /** The machine-readable reason, such as `FieldValueInvalid`. */
  readonly reason: string;
  /** The human-readable message, without the path of the field. */
  readonly message: string;
  /** The path of the field, such as `spec.containers[0].name`. */
  readonly field: string;
}

/** Returns the path `parent.name`, or `name` if `parent` is empty. */
export function child(parent: string, name: string): string {
  return parent === "" ? name : `${parent}.${name}`;
}

/** Returns the path `parent[key]` of a list item or map entry. */
export function item(parent: string, key: string | number): string {
  return `${parent}[${key}]`;
}

/** Returns the error for a required value that is missing. */
export function required(field: string, detail = ""): FieldError {
  return withDetail("FieldValueRequired", field, "Required value", detail);
}

/** Returns the error for an invalid value. */
export function invalidValue(field: string, value: Json | undefined, detail: string): FieldError {
  return withDetail("FieldValueInvalid", field, `Invalid value: ${show(value)}`, detail);
}

/** Returns the error for an invalid value that the message does not show. */
export function invalidHidden(field: string, detail: string): FieldError {
  return withDetail("FieldValueInvalid", field, "Invalid value", detail);
}

/** Returns the error for a value of the wrong type. */
export function typeInvalid(field: string, value: Json | undefined, detail: string): FieldError {
  return withDetail("FieldValueTypeInvalid", field, `Invalid value: ${show(value)}`, detail);
}

/** Returns the error for a value that is not one of the `supported` values. */
export function notSupported(
  field: string,
  value: Json | undefined,
  supported: readonly string[],
): FieldError {
  const detail = supported.length === 0
    ? ""
    : `supported values: ${supported.map((text) => JSON.stringify(text)).join(", ")}`;
  return withDetail("FieldValueNotSupported", field, `Unsupported value: ${show(value)}`, detail);
}

/** Returns the error for a field that may not be set or changed in this situation. */
export function forbiddenField(field: string, detail: string): FieldError {
  return withDetail("FieldValueForbidden", field, "Forbidden", detail);
}

/** Returns the error for a duplicate of a value that must be unique. */
export function duplicate(field: string, value: Json | undefined): FieldError {
  return withDetail("FieldValueDuplicate", field, `Duplicate value: ${show(value)}`, "");
}

/** Returns the error for a string of more than `maxBytes` bytes. */
export function tooLong(field: string, maxBytes: number): FieldError {
  return withDetail(
    "FieldValueTooLong",
    field,
    "Too long",
    `may not be more than ${maxBytes} ${maxBytes === 1 ? "byte" : "bytes"}`,
  );
}

/** Returns the error for a list or map of `actual` items, which is more than `max`. */
export function tooMany(field: string, actual: number, max: number): FieldError {
  return withDetail(
    "FieldValueTooMany",
    field,
    `Too many: ${actual}`,
    `must have at most ${max} ${max === 1 ? "item" : "items"}`,
  );
}

/** Returns the error for a field that refers to something that does not exist. */
export function notFoundField(field: string, value: Json | undefined): FieldError {
  return withDetail("FieldValueNotFound", field, `Not found: ${show(value)}`, "");
}

function withDetail(reason: string, field: string, head: string, detail: string): FieldError {
  return { reason, message: detail === "" ? head : `${head}: ${detail}`, field };
}

/** Returns a value as error messages show it: a string quoted as by Go, else as JSON, with undefined as `null`. */
function show(value: Json | undefined): string {
  if (typeof value === "string") return quote(value);
  return value === undefined ? "null" : encodeJson(value, undefined, { escapeHtml: false });
}
