import {
  child,
  type FieldError,
  getString,
  invalidValue,
  type Json,
  type JsonObject,
  notSupported,
  required,
} from "../../../values/mod.ts";

/** Returns an error if a list contains `*` and other items. `what` names the items in the error. */
export function aloneErrors(values: readonly Json[], field: string, what: string): FieldError[] {
  if (values.length === 1 || !values.includes("*")) return [];
  return [invalidValue(field, [...values], `if '*' is present, must not specify other ${what}`)];
}

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

/** Returns the errors of an image pull policy. */
export function pullPolicyErrors(object: JsonObject, field: string, name: string): FieldError[] {
  return choiceErrors(object, field, name, ["Always", "IfNotPresent", "Never"]);
}

/** Maximum number of errors for the items of one list. */
export const MOST_ERRORS = 1000;

/** Returns the errors of the items, and stops after {@linkcode MOST_ERRORS}. */
export function firstErrors<T>(
  items: readonly T[],
  errorsOf: (item: T, index: number) => readonly FieldError[],
): FieldError[] {
  const errors: FieldError[] = [];
  for (const [index, item] of items.entries()) {
    for (const error of errorsOf(item, index)) errors.push(error);
    if (errors.length >= MOST_ERRORS) break;
  }
  return errors;
}
