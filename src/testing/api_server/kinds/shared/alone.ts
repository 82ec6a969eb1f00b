import { type FieldError, invalidValue, type Json } from "../../../values/mod.ts";

/** Returns an error if a list contains `*` and something else. `what` is how the error calls the items. */
export function aloneErrors(values: readonly Json[], field: string, what: string): FieldError[] {
  if (values.length === 1 || !values.includes("*")) return [];
  return [invalidValue(field, [...values], `if '*' is present, must not specify other ${what}`)];
}
