import {
  type ApiError,
  dnsLabel,
  dnsSubdomain,
  type FieldError,
  forbidden,
  getObject,
  getOwn,
  getString,
  invalidValue,
  jsonEqual,
  type JsonObject,
  quote,
  required,
  tooLong,
} from "../../../values/mod.ts";
import type { Confirmation } from "../record/mod.ts";

/**
 * Refuses a user who approves, denies or signs a request without the right to do that for its signer.
 *
 * @throws {ApiError} 403
 */
export function confirmRights(
  request: JsonObject,
  old: JsonObject | undefined,
  confirmation: Confirmation,
): void {
  const { subresource } = confirmation;
  const signer = getString(request, "spec", "signerName");
  const requireVerb = (verb: string) => {
    const what = `requests with signerName ${JSON.stringify(signer)}`;
    if (!hasRight(confirmation, verb, signer)) {
      throw refused(request, `user not permitted to ${verb} ${what}`);
    }
  };
  if (subresource === "approval") requireVerb("approve");
  if (subresource === "status" && old !== undefined && isSigned(request, old)) requireVerb("sign");
}

/** Reports whether the user of a request has a right for a signer, or for all signers of its domain. */
export function hasRight({ isAllowed }: Confirmation, verb: string, signer: string): boolean {
  const [domain = ""] = signer.split("/");
  return [signer, `${domain}/*`].some((name) =>
    isAllowed({
      verb,
      group: "certificates.k8s.io",
      resource: "signers",
      subresource: "",
      namespace: "",
      name,
    })
  );
}

/** Reports whether a write of the status changes the certificate or the conditions of a signer. */
function isSigned(request: JsonObject, old: JsonObject): boolean {
  return ["certificate", "conditions"].some((name) =>
    !jsonEqual(
      getOwn(getObject(request, "status"), name) ?? null,
      getOwn(getObject(old, "status"), name) ?? null,
    )
  );
}

function refused(request: JsonObject, why: string): ApiError {
  const resource = { group: "certificates.k8s.io", plural: "certificatesigningrequests" };
  return forbidden(resource, getString(request, "metadata", "name"), why);
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
