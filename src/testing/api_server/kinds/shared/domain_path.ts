import { dnsSubdomain, type FieldError, invalidValue, required } from "../../../values/mod.ts";

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
