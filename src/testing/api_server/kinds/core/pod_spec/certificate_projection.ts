import {
  child,
  dnsSubdomain,
  type FieldError,
  getObject,
  getOwn,
  getString,
  invalidValue,
  isObject,
  type JsonObject,
  notSupported,
  required,
} from "../../../../values/mod.ts";
import {
  filePath,
  maxCertificateSeconds,
  MIN_CERTIFICATE_SECONDS,
  userAnnotationErrors,
  validateLabelSelector,
  validateSignerName,
} from "../../shared/mod.ts";

const KEY_TYPES = ["RSA3072", "RSA4096", "ECDSAP256", "ECDSAP384", "ECDSAP521", "ED25519"];

/** The names of the files of a certificate. */
const FILES = ["credentialBundlePath", "keyPath", "certificateChainPath"];

/** Adds the path of a file to the volume. Returns an error if the volume has a file at this path. */
type TakePath = (path: string) => FieldError[];

/** Returns the errors of a certificate of the Pod in a volume. */
export function validatePodCertificate(
  certificate: JsonObject,
  field: string,
  take: TakePath,
): FieldError[] {
  const signer = getString(certificate, "signerName");
  const keyType = getString(certificate, "keyType");
  const errors = [
    ...validateSignerName(child(field, "signerName"), signer),
    ...userAnnotationErrors(
      child(field, "userAnnotations"),
      getObject(certificate, "userAnnotations"),
    ),
  ];
  if (!KEY_TYPES.includes(keyType)) {
    errors.push(notSupported(child(field, "keyType"), keyType, KEY_TYPES));
  }
  const seconds = getOwn(certificate, "maxExpirationSeconds");
  if (typeof seconds === "number") {
    const at = child(field, "maxExpirationSeconds");
    const said = "if provided, maxExpirationSeconds must be";
    const max = maxCertificateSeconds(signer);
    if (seconds < MIN_CERTIFICATE_SECONDS) {
      errors.push(invalidValue(at, seconds, `${said} >= ${MIN_CERTIFICATE_SECONDS}`));
    }
    if (seconds > max) errors.push(invalidValue(at, seconds, `${said} <= ${max}`));
  }
  const files = FILES.filter((name) => getString(certificate, name) !== "");
  for (const name of files) {
    const path = getString(certificate, name);
    errors.push(...filePath(path, child(field, name)), ...take(path));
  }
  if (files.length > 0) return errors;
  return [
    ...errors,
    required(field, `specify at least one of ${FILES[0]}, ${FILES[1]}, and ${FILES[2]}`),
  ];
}

/** Returns the errors of trusted certificates in a volume. */
export function validateTrustBundle(
  bundle: JsonObject,
  field: string,
  take: TakePath,
): FieldError[] {
  const path = getString(bundle, "path");
  return [
    ...sourceErrors(bundle, field),
    ...(path === "" ? [required(child(field, "path"))] : []),
    ...filePath(path, child(field, "path")),
    ...take(path),
  ];
}

function sourceErrors(bundle: JsonObject, field: string): FieldError[] {
  const [name, signer] = [getOwn(bundle, "name"), getOwn(bundle, "signerName")];
  const selector = getOwn(bundle, "labelSelector");
  if (typeof name === "string" && typeof signer === "string") {
    return [invalidValue(field, bundle, "only one of name and signerName may be used")];
  }
  if (typeof name === "string") {
    const at = child(field, "name");
    return [
      ...(name === "" ? [required(at, "must be a valid object name")] : []),
      ...dnsSubdomain(name.slice(name.lastIndexOf(":") + 1)).map((text) =>
        invalidValue(at, name, `not a valid clustertrustbundlename: ${text}`)
      ),
      ...(isObject(selector)
        ? [
          invalidValue(
            child(field, "labelSelector"),
            selector,
            "labelSelector must be unset if name is specified",
          ),
        ]
        : []),
    ];
  }
  if (typeof signer === "string") {
    const at = child(field, "signerName");
    return [
      ...(signer === "" ? [required(at, "must be a valid signer name")] : []),
      ...validateSignerName(at, signer),
      ...(isObject(selector) ? validateLabelSelector(selector, child(field, "labelSelector")) : []),
    ];
  }
  return [required(field, "either name or signerName must be specified")];
}
