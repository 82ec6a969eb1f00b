import { goFormatString, type Json } from "../../values/mod.ts";

/** The error for an invalid strategic merge patch, with the message of a real server. */
export class StrategicPatchError extends Error {
  /** Always `StrategicPatchError`. */
  override readonly name: string = "StrategicPatchError";
  /** The status code of the response. */
  readonly code: 400 | 422 | 500;

  /** Creates the error. A real server reports most of these errors as internal ones. */
  constructor(message: string, code: 400 | 422 | 500 = 500) {
    super(message);
    this.code = code;
  }
}

/** Returns the error for an object without the merge key of its list. */
export function noMergeKey(item: string, key: string): StrategicPatchError {
  return new StrategicPatchError(`map: ${item} does not contain declared merge key: ${key}`);
}

/** Returns the error for a value that is not of the Go type `expected`. */
export function badArgument(expected: string, actual: Json): StrategicPatchError {
  const type = goTypeOf(actual);
  return new StrategicPatchError(
    `expected a ${expected}, but received a ${type ?? goFormatString(null)}`,
  );
}

/** Returns the Go type of a decoded JSON value; undefined for null, which has none. */
export function goTypeOf(value: Json): string | undefined {
  if (value === null) return undefined;
  if (Array.isArray(value)) return LIST_TYPE;
  switch (typeof value) {
    case "string":
      return "string";
    case "boolean":
      return "bool";
    case "number":
      return Number.isInteger(value) ? "int64" : "float64";
    default:
      return MAP_TYPE;
  }
}

/** The Go type of a decoded JSON object. */
export const MAP_TYPE = "map[string]interface {}";

/** The Go type of a decoded JSON array. */
export const LIST_TYPE = "[]interface {}";
