import { type FieldError, invalidValue } from "../../../values/mod.ts";

/** Returns the error of a path that has `..` in it. */
export function noBacksteps(path: string, field: string): FieldError[] {
  return path.split("/").includes("..") ? [invalidValue(field, path, "must not contain '..'")] : [];
}

/** Returns the errors of a path that must be relative and must not contain `..`. */
export function descendingPath(path: string, field: string): FieldError[] {
  const absolute = path.startsWith("/")
    ? [invalidValue(field, path, "must be a relative path")]
    : [];
  return [...absolute, ...noBacksteps(path, field)];
}

/** Returns the errors of the path of a file in a volume, whose name must not start with `..` either. */
export function filePath(path: string, field: string): FieldError[] {
  const errors = descendingPath(path, field);
  if (path.startsWith("..") && !path.startsWith("../")) {
    errors.push(invalidValue(field, path, "must not start with '..'"));
  }
  return errors;
}
