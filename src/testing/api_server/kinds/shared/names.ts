import {
  dnsSubdomain,
  type FieldError,
  invalidValue,
  required,
  tooLong,
} from "../../../values/mod.ts";

/** Returns the errors of a path that must begin with a domain, as in `acme.io/foo`. */
export function domainPrefixedPath(text: string, field: string): FieldError[] {
  if (text === "") return [required(field)];
  const slash = text.indexOf("/");
  const [host, path] = [text.slice(0, slash), text.slice(slash + 1)];
  if (slash <= 0 || path === "") {
    const reason = 'must be a domain-prefixed path (such as "acme.io/foo")';
    return [invalidValue(field, text, reason)];
  }
  const errors = dnsSubdomain(host).map((reason) => invalidValue(field, host, reason));
  if (/^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/.test(path)) return errors;
  const shape = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";
  return [
    ...errors,
    invalidValue(field, path, `Invalid path (regex used for validation is '${shape}')`),
  ];
}

/** Returns the errors of the name of a CSI driver. */
export function driverErrors(driver: string, field: string): FieldError[] {
  if (driver === "") return [required(field)];
  const errors = driver.length > 63 ? [tooLong(field, 63)] : [];
  const wrong = dnsSubdomain(driver.toLowerCase());
  return [...errors, ...wrong.map((text) => invalidValue(field, driver, text))];
}

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
