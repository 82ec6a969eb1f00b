import {
  byteLength,
  dnsLabel,
  dnsSubdomain,
  type FieldError,
  invalidValue,
  type JsonObject,
  qualifiedName,
  quote,
  required,
  tooLong,
} from "../../../values/mod.ts";

/** The shortest time for which a signer issues a certificate of a Pod, in seconds. */
export const MIN_CERTIFICATE_SECONDS: number = 60 * 60;
const MAX_SECONDS = 91 * 24 * 60 * 60;
const MAX_OWN_SECONDS = 24 * 60 * 60;
const MAX_ANNOTATION_BYTES = 256 * 1024;

/** Returns the longest time for which a signer issues a certificate of a Pod, in seconds. It is shorter for signers of Kubernetes. */
export function maxCertificateSeconds(signer: string): number {
  const isOwn = /(^|\.)kubernetes\.io$/.test(signer.split("/")[0]!);
  return isOwn ? MAX_OWN_SECONDS : MAX_SECONDS;
}

/** Returns the errors of the annotations of a user for the signer. */
export function userAnnotationErrors(field: string, annotations: JsonObject): FieldError[] {
  const errors = Object.keys(annotations).map((key) => key.toLowerCase()).flatMap((key) => {
    if (key === "") return [required(field)];
    const wrong = qualifiedName(key);
    if (wrong.length > 0) return wrong.map((text) => invalidValue(field, key, text));
    if (key.includes("/")) return [];
    return [invalidValue(field, key, 'must be a domain-prefixed key (such as "acme.io/foo")')];
  });
  const size = Object.entries(annotations).reduce(
    (sum, [key, value]) => sum + byteLength(key) + byteLength(String(value)),
    0,
  );
  return size > MAX_ANNOTATION_BYTES ? [...errors, tooLong(field, MAX_ANNOTATION_BYTES)] : errors;
}

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
