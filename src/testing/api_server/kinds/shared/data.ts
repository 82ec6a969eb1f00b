import { stripEnd } from "@kubeloop/controller/internal/base";
import {
  configMapKey,
  type FieldError,
  forbiddenField,
  getObject,
  getOwn,
  invalidValue,
  item,
  jsonEqual,
  type JsonObject,
  parseJson,
} from "../../../values/mod.ts";

/** The maximum size of the data of a ConfigMap or Secret, in bytes. */
export const MAX_DATA_BYTES = 1_048_576;

/** Returns the number of bytes that a base64 text encodes. */
export function base64Bytes(text: string): number {
  return Math.floor(stripEnd(text, "=").length * 3 / 4);
}

/** Returns the errors of a key of a ConfigMap or Secret. */
export function keyErrors(key: string, field: string): FieldError[] {
  return configMapKey(key).map((text) => invalidValue(item(field, key), key, text));
}

/** Returns the validation errors of an update to a ConfigMap or Secret with `immutable: true`. */
export function validateImmutableData(
  next: JsonObject,
  old: JsonObject,
  fields: readonly string[],
): FieldError[] {
  if (getOwn(old, "immutable") !== true) return [];
  const reason = "field is immutable when `immutable` is set";
  const errors: FieldError[] = [];
  if (getOwn(next, "immutable") !== true) errors.push(forbiddenField("immutable", reason));
  for (const field of fields) {
    if (!jsonEqual(getObject(next, field), getObject(old, field))) {
      errors.push(forbiddenField(field, reason));
    }
  }
  return errors;
}

/** Returns Go's error for a text that is not JSON; undefined for JSON. */
export function jsonProblem(text: string): string | undefined {
  try {
    parseJson(text, false);
    return undefined;
  } catch (error) {
    return (error as SyntaxError).message;
  }
}
