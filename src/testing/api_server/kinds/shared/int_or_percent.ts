import { type FieldError, invalidValue, isNumber, type Json } from "../../../values/mod.ts";
import { NEGATIVE } from "./object_meta.ts";

const BAD_PERCENT =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";

/** Returns the errors of a value that must be a non-negative integer or a percentage. */
export function intOrPercent(value: Json | undefined, field: string): FieldError[] {
  if (isNumber(value) && value < 0) {
    return [invalidValue(field, value, NEGATIVE)];
  }
  if (typeof value !== "string" || /^[0-9]+%$/.test(value)) return [];
  return [invalidValue(field, value, BAD_PERCENT)];
}

/** Returns the number of an integer or a percentage; 0 for anything else. */
export function amountOf(value: Json | undefined): number {
  if (typeof value !== "string") return Number(value ?? 0);
  return /^([0-9]+%|[-+]?[0-9]+)$/.test(value) ? Number.parseInt(value, 10) : 0;
}

/** Returns an error if the value is a percentage above 100%. */
export function atMost100Percent(value: Json | undefined, field: string): FieldError[] {
  const percent = typeof value === "string" ? /^([0-9]+)%$/.exec(value)?.[1] : undefined;
  if (percent === undefined || Number(percent) <= 100) return [];
  return [invalidValue(field, value, "must not be greater than 100%")];
}
