import { type FieldError, getOwn, invalidValue, type JsonObject } from "../../values/mod.ts";

/** Returns an error if a number of a status is greater than another. `shown` is how the error calls the other. */
export function atMost(
  status: JsonObject,
  name: string,
  bound: string,
  shown: string,
): FieldError[] {
  const value = numberOf(status, name);
  if (value <= numberOf(status, bound)) return [];
  return [invalidValue(`status.${name}`, value, `cannot be greater than ${shown}`)];
}

function numberOf(status: JsonObject, name: string): number {
  const value = getOwn(status, name);
  return typeof value === "number" ? value : 0;
}
