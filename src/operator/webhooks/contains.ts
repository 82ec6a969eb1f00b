import { isRecord } from "../../base/mod.ts";

/**
 * Reports whether an object of the API has what it should have: all the fields of `wanted`, in which the server may
 * have added others as defaults. Lists have the same length.
 */
export function contains(actual: unknown, wanted: unknown): boolean {
  if (actual === wanted) return true;
  if (Array.isArray(actual) && Array.isArray(wanted)) {
    return actual.length === wanted.length &&
      wanted.every((item, index) => contains(actual[index], item));
  }
  if (!isRecord(actual) || !isRecord(wanted)) return false;
  return Object.entries(wanted).every(([key, value]) =>
    Object.hasOwn(actual, key) && contains(actual[key], value)
  );
}
