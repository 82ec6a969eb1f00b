import {
  type ApiError,
  byteLength,
  type FieldError,
  forbiddenField,
  invalid,
  invalidValue,
  notSupported,
  required,
  tooLong,
} from "../../values/mod.ts";

/** The name of the type that holds the options in the real server. */
export type OptionsType =
  | "CreateOptions"
  | "UpdateOptions"
  | "PatchOptions"
  | "DeleteOptions"
  | "ListOptions";

/** The source of query parameters, such as a `URLSearchParams`. */
export interface QueryParameters {
  /** The first value of a parameter, or null if it is absent. */
  get(name: string): string | null;
  /** All values of a parameter. */
  getAll(name: string): string[];
}

const FIELD_VALIDATIONS = ["", "Ignore", "Strict", "Warn"];

/** Returns the 422 for invalid request options. */
export function optionsInvalid(type: OptionsType, errors: readonly FieldError[]): ApiError {
  return invalid({ group: "meta.k8s.io", kind: type }, "", errors);
}

/**
 * Validates the options of a create, an update or a patch.
 *
 * @param applies Whether the request is a server-side apply.
 * @throws {ApiError} 422, if an option is invalid.
 */
export function validateWriteOptions(
  type: "CreateOptions" | "UpdateOptions" | "PatchOptions",
  query: QueryParameters,
  applies = false,
): void {
  const errors: FieldError[] = [];
  const manager = query.get("fieldManager") ?? "";
  if (type === "PatchOptions") {
    if (applies && manager === "") {
      errors.push(required("fieldManager", "is required for apply patch"));
    }
    if (!applies && query.get("force") !== null) {
      errors.push(forbiddenField("force", "may not be specified for non-apply patch"));
    }
  }
  if (byteLength(manager) > 128) errors.push(tooLong("fieldManager", 128));
  errors.push(...unprintable(manager), ...dryRunErrors(query));
  const fieldValidation = query.get("fieldValidation") ?? "";
  if (!FIELD_VALIDATIONS.includes(fieldValidation)) {
    errors.push(notSupported("fieldValidation", fieldValidation, FIELD_VALIDATIONS));
  }
  if (errors.length > 0) throw optionsInvalid(type, errors);
}

/** Returns the error for the first character of a manager's name that is not printable. */
function unprintable(manager: string): FieldError[] {
  const found = /\p{C}|(?! )\p{Z}/u.exec(manager);
  if (found === null) return [];
  const code = found[0].codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0");
  const at = byteLength(manager.slice(0, found.index));
  return [invalidValue("fieldManager", manager, `invalid character U+${code} (at position ${at})`)];
}

/** Returns the errors of the `dryRun` parameter. */
export function dryRunErrors(query: QueryParameters): FieldError[] {
  const given = query.getAll("dryRun");
  if (given.every((value) => value === "All")) return [];
  return [notSupported("dryRun", given, ["All"])];
}
