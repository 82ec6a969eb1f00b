import type { Json } from "./json.ts";
import { encodeJson } from "./encode.ts";

/** One thing that is wrong with one field: a cause of a 422. */
export interface FieldError {
  /** The word for machines, as in `FieldValueInvalid`. */
  readonly reason: string;
  /** The sentence for people, without the field. */
  readonly message: string;
  /** The field's path, as in `spec.containers[0].name`. */
  readonly field: string;
}

/** `parent.name`, or `name` where there is no parent. */
export function child(parent: string, name: string): string {
  return parent === "" ? name : `${parent}.${name}`;
}

/** `parent[key]`: an item of a list or a map. */
export function item(parent: string, key: string | number): string {
  return `${parent}[${key}]`;
}

/** A value that must be there is not. */
export function required(field: string, detail = ""): FieldError {
  return withDetail("FieldValueRequired", field, "Required value", detail);
}

/** A value is not allowed. */
export function invalidValue(field: string, value: Json | undefined, detail: string): FieldError {
  return withDetail("FieldValueInvalid", field, `Invalid value: ${show(value)}`, detail);
}

/** A value has the wrong type. */
export function typeInvalid(field: string, value: Json | undefined, detail: string): FieldError {
  return withDetail("FieldValueTypeInvalid", field, `Invalid value: ${show(value)}`, detail);
}

/** A value is not one of those that are known. */
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

/** A value is not allowed here or now. */
export function forbiddenField(field: string, detail: string): FieldError {
  return withDetail("FieldValueForbidden", field, "Forbidden", detail);
}

/** A value that must be unique is there twice. */
export function duplicate(field: string, value: Json | undefined): FieldError {
  return withDetail("FieldValueDuplicate", field, `Duplicate value: ${show(value)}`, "");
}

/** A text has too many bytes. */
export function tooLong(field: string, maxBytes: number): FieldError {
  return withDetail(
    "FieldValueTooLong",
    field,
    "Too long",
    `may not be more than ${maxBytes} bytes`,
  );
}

/** A list has too many items. */
export function tooMany(field: string, actual: number, max: number): FieldError {
  return withDetail(
    "FieldValueTooMany",
    field,
    `Too many: ${actual}`,
    `must have at most ${max} ${max === 1 ? "item" : "items"}`,
  );
}

/** Something that a field names does not exist. */
export function notFoundField(field: string, value: Json | undefined): FieldError {
  return withDetail("FieldValueNotFound", field, `Not found: ${show(value)}`, "");
}

function withDetail(reason: string, field: string, head: string, detail: string): FieldError {
  return { reason, message: detail === "" ? head : `${head}: ${detail}`, field };
}

/** A bad value as the messages show it: JSON. */
function show(value: Json | undefined): string {
  return value === undefined ? "null" : encodeJson(value, undefined, { escapeHtml: false });
}
