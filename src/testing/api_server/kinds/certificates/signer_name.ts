import {
  dnsLabel,
  dnsSubdomain,
  type FieldError,
  invalidValue,
  quote,
  required,
  tooLong,
} from "../../../values/mod.ts";

/** The longest domain of a signer, and the longest path: a namespaced name, as a subdomain and a label. */
const MAX_DOMAIN = 253;
const MAX_PATH = 253 + 63 + 1;

/** Returns the errors of the name of a signer, such as `example.com/signer`. */
export function validateSignerName(field: string, name: string): FieldError[] {
  if (name === "") return [required(field)];
  const segments = name.split("/");
  if (segments.length !== 2) {
    const form = "must be a fully qualified domain and path of the form 'example.com/signer-name'";
    return [invalidValue(field, name, form)];
  }
  const [domain = "", path = ""] = segments;
  const labels = domain.split(".");
  const two = "should be a domain with at least two segments separated by dots";
  return [
    ...(domain.length > MAX_DOMAIN ? [tooLong(field, MAX_DOMAIN)] : []),
    ...labelErrors(field, domain, labels, dnsLabel),
    ...(labels.length < 2 ? [invalidValue(field, domain, two)] : []),
    ...labelErrors(field, path, path.split("."), dnsSubdomain),
    ...(path.length > MAX_PATH ? [tooLong(field, MAX_PATH)] : []),
  ];
}

/** Returns the errors of the first label that has some. */
function labelErrors(
  field: string,
  segment: string,
  labels: readonly string[],
  check: (label: string) => string[],
): FieldError[] {
  const wrong = labels.find((label) => check(label).length > 0);
  if (wrong === undefined) return [];
  return check(wrong).map((text) =>
    invalidValue(field, segment, `validating label ${quote(wrong)}: ${text}`)
  );
}
