import {
  duplicate,
  type FieldError,
  getArray,
  getOwn,
  getPath,
  getString,
  invalidValue,
  item,
  type JsonObject,
  notSupported,
  required,
} from "../../../values/mod.ts";
import { requestError } from "./pkcs10.ts";
import { validateSignerName } from "../shared/mod.ts";

const USAGES: readonly string[] = [
  "any",
  "cert sign",
  "client auth",
  "code signing",
  "content commitment",
  "crl sign",
  "data encipherment",
  "decipher only",
  "digital signature",
  "email protection",
  "encipher only",
  "ipsec end system",
  "ipsec tunnel",
  "ipsec user",
  "key agreement",
  "key encipherment",
  "microsoft sgc",
  "netscape sgc",
  "ocsp signing",
  "s/mime",
  "server auth",
  "signing",
  "timestamping",
];

/** The shortest time for which a certificate can be asked, in seconds. */
const MIN_SECONDS = 600;

/** The signer of an API version that is gone. */
const LEGACY_SIGNER = "kubernetes.io/legacy-unknown";

/** Returns the errors of the spec of a CertificateSigningRequest. */
export function validateRequest(request: JsonObject): FieldError[] {
  const sent = getPath(request, "spec", "request");
  const error = requestError(typeof sent === "string" ? sent : "");
  return [
    ...(error === undefined ? [] : [invalidValue("spec.request", sent ?? null, error)]),
    ...usageErrors(getArray(request, "spec", "usages").map(String)),
    ...signerErrors(getString(request, "spec", "signerName")),
    ...secondsErrors(getOwn(request["spec"] as JsonObject, "expirationSeconds")),
  ];
}

function usageErrors(usages: readonly string[]): FieldError[] {
  const field = "spec.usages";
  if (usages.length === 0) return [required(field)];
  const errors: FieldError[] = [];
  usages.forEach((usage, index) => {
    if (!USAGES.includes(usage)) errors.push(notSupported(item(field, index), usage, USAGES));
  });
  usages.forEach((usage, index) => {
    if (usages.indexOf(usage) < index) errors.push(duplicate(item(field, index), usage));
  });
  return errors;
}

function signerErrors(name: string): FieldError[] {
  const field = "spec.signerName";
  if (name !== LEGACY_SIGNER) return validateSignerName(field, name);
  return [invalidValue(field, name, "the legacy signerName is not allowed via this API version")];
}

function secondsErrors(seconds: unknown): FieldError[] {
  if (typeof seconds !== "number" || seconds >= MIN_SECONDS) return [];
  const text = "may not specify a duration less than 600 seconds (10 minutes)";
  return [invalidValue("spec.expirationSeconds", seconds, text)];
}
