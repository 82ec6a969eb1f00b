import {
  child,
  type FieldError,
  getString,
  type JsonObject,
  notSupported,
  required,
} from "../../../values/mod.ts";

/** Returns the errors of a field that must have one of the `known` values. */
export function choiceErrors(
  object: JsonObject,
  field: string,
  name: string,
  known: readonly string[],
): FieldError[] {
  const value = getString(object, name);
  if (value === "") return [required(child(field, name))];
  return known.includes(value) ? [] : [notSupported(child(field, name), value, known)];
}

/** Returns the errors of the field that says when an image is pulled. */
export function pullPolicyErrors(object: JsonObject, field: string, name: string): FieldError[] {
  return choiceErrors(object, field, name, ["Always", "IfNotPresent", "Never"]);
}
