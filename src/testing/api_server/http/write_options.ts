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
} from "../values/mod.ts";

/** The options of a request, by the name of the type that holds them in the real server. */
export type OptionsType =
  | "CreateOptions"
  | "UpdateOptions"
  | "PatchOptions"
  | "DeleteOptions"
  | "ListOptions";

/** Where query parameters come from; a `URLSearchParams` is one. */
export interface QueryParameters {
  /** The first value of a parameter; null when there is none. */
  get(name: string): string | null;
  /** All values of a parameter. */
  getAll(name: string): string[];
}

const FIELD_VALIDATIONS = ["", "Ignore", "Strict", "Warn"];

/** 422: an option of the request makes no sense. */
export function optionsInvalid(type: OptionsType, errors: readonly FieldError[]): ApiError {
  return invalid({ group: "meta.k8s.io", kind: type }, "", errors);
}

/**
 * Checks the options of a create, an update or a patch.
 *
 * @param applies Whether the request is a server-side apply.
 * @throws {ApiError} 422 when one makes no sense.
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

/** The first character of a manager's name that cannot be printed. */
function unprintable(manager: string): FieldError[] {
  const found = /\p{C}|(?! )\p{Z}/u.exec(manager);
  if (found === null) return [];
  const code = found[0].codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0");
  const at = byteLength(manager.slice(0, found.index));
  return [invalidValue("fieldManager", manager, `invalid character U+${code} (at position ${at})`)];
}

/** What is wrong with `dryRun`. */
export function dryRunErrors(query: QueryParameters): FieldError[] {
  const given = query.getAll("dryRun");
  if (given.every((value) => value === "All")) return [];
  return [notSupported("dryRun", given, ["All"])];
}
